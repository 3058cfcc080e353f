/* ops/reduce/var.h - the variance, for var and std. */
#ifndef HEED_OPS_REDUCE_VAR_H
#define HEED_OPS_REDUCE_VAR_H

#include "ops/rescale.h"

/* The checked arguments of var and std; `mask` holds the axes as bits. */
typedef struct heed__var_args {
    heed_shape axes;
    unsigned mask;
    int correction;
    bool keepdim;
} heed__var_args;

/* heed__var_terms returns n, the number of elements per result; heed__var_parts returns the divisor of their sum of
 * squares, n - correction. */
double heed__var_terms(const heed_tensor *x, const heed__var_args *args);
double heed__var_parts(const heed_tensor *x, const heed__var_args *args);

/* Returns the variance, computed without rescaling: squares may leave the range of the dtype. Composed of public ops;
 * leaves temporaries in the scope. NULL for NULL. */
heed_tensor *heed__plain_var(heed_tensor *x, const heed__var_args *args);

#endif
