/* tools/np/formula.h - parses "y ~ x + factor(z)", the columns of a regression, or "~ x", the columns of a density. */
#ifndef HEED_NP_FORMULA_H
#define HEED_NP_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include <heed/np.h>

/* The transformation of a column before the fit. */
typedef enum formula_use {
    FORMULA_AS_IS = 0,
    FORMULA_LOG,     /* log(x) */
    FORMULA_FACTOR,  /* factor(x): an unordered column of texts */
    FORMULA_ORDERED, /* ordered(x): whole numbers */
} formula_use;

typedef struct formula_term {
    char name[256]; /* of the column */
    char text[272]; /* the term, such as "log(x)"; for outputs and messages */
    formula_use use;
} formula_term;

typedef struct formula {
    bool has_response;
    formula_term response, terms[HEED_NP_MAX_COLUMNS];
    int count;
} formula;

/* Returns false if the text is not a formula, or repeats a term; then `error`, of `size` bytes, describes the error and
 * its position. A name with characters other than letters, digits, '_' and '.' must be between backquotes. */
bool formula_parse(formula *f, const char *text, char *error, size_t size);

#endif
