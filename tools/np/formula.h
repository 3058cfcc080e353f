/* tools/np/formula.h - "y ~ x + factor(z)": which columns of a table a fit is of; "~ x", a density. */
#ifndef HEED_NP_FORMULA_H
#define HEED_NP_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include <heed/np.h>

/* What is done with a column before it is fitted. */
typedef enum formula_use {
    FORMULA_AS_IS = 0,
    FORMULA_LOG,     /* log(x) */
    FORMULA_FACTOR,  /* factor(x): an unordered column, of texts */
    FORMULA_ORDERED, /* ordered(x): whole numbers */
} formula_use;

typedef struct formula_term {
    char name[256]; /* of the column */
    char text[272]; /* of the term: "log(x)"; for outputs and messages */
    formula_use use;
} formula_term;

typedef struct formula {
    bool has_response;
    formula_term response, terms[HEED_NP_MAX_COLUMNS];
    int count;
} formula;

/* False if the text is not a formula, or has a term twice; then `error`, of `size` bytes, says why, and at which
 * character. A name that has other characters than letters, digits, '_' and '.' stands between backquotes. */
bool formula_parse(formula *f, const char *text, char *error, size_t size);

#endif
