/* tools/np/formula.h - parses "y ~ x + factor(z)", the columns of a regression, or "~ x", the columns of a density.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NP_FORMULA_H
#define HEED_NP_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include <heed/np.h>

/* How a term is used in the fit. */
typedef enum formula_use {
    FORMULA_EXPRESSION = 0, /* numbers that are computed from columns; a column alone may also hold texts or dates */
    FORMULA_FACTOR,         /* factor(x): an unordered column of texts */
    FORMULA_ORDERED,        /* ordered(x): whole numbers, or texts in the order of `levels` */
    FORMULA_DATE,           /* date(x) */
} formula_use;

/* The functions of expressions begin with FORMULA_LOG. */
typedef enum formula_operation {
    FORMULA_COLUMN,
    FORMULA_NUMBER,
    FORMULA_ADD,
    FORMULA_SUBTRACT,
    FORMULA_MULTIPLY,
    FORMULA_DIVIDE,
    FORMULA_POWER,
    FORMULA_NEGATE,
    FORMULA_LOG,
    FORMULA_LOG1P,
    FORMULA_SQRT,
    FORMULA_EXP,
    FORMULA_ABS,
} formula_operation;

enum { FORMULA_NAME = 256, FORMULA_TEXT = 272, FORMULA_NAMES = 4, FORMULA_STEPS = 32, FORMULA_LEVELS = 1024 };

/* A step of an expression in postfix order. */
typedef struct formula_step {
    formula_operation operation;
    int column; /* index in formula_term.names */
    double number;
} formula_step;

typedef struct formula_term {
    char text[FORMULA_TEXT]; /* the term, such as "log(x)"; for outputs and messages */
    formula_use use;
    char names[FORMULA_NAMES][FORMULA_NAME]; /* its columns */
    int name_count;
    formula_step steps[FORMULA_STEPS]; /* of an expression */
    int step_count;
    char levels[FORMULA_LEVELS]; /* texts of ordered(x, "a", "b") in their order, each with its NUL */
    int level_count;
} formula_term;

typedef struct formula {
    bool has_response;
    formula_term response, terms[HEED_NP_MAX_COLUMNS];
    int count;
    bool has_dot;                                     /* "." stands for all other columns of the table */
    char excluded[HEED_NP_MAX_COLUMNS][FORMULA_NAME]; /* "- x" excludes a column from "." */
    int excluded_count;
} formula;

/* Returns false if the text is not a formula, or repeats a term; then `error`, of `size` bytes, describes the error and
 * its position. A name with characters other than letters, digits, '_' and '.' must be between backquotes. */
bool formula_parse(formula *f, const char *text, char *error, size_t size);

/* Makes a term of a column alone. Returns false if the name is too long. */
bool formula_column(formula_term *term, const char *name);

/* Returns true if the formula uses the column, or excludes it. */
bool formula_mentions(const formula *f, const char *name);

/* Returns true if the term is a column alone, without a function. */
static inline bool formula_is_column(const formula_term *term)
{
    return term->use == FORMULA_EXPRESSION && term->step_count == 1 && term->steps[0].operation == FORMULA_COLUMN;
}

#endif
