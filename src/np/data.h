/* np/data.h - the rows of a fit, read from tensors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NP_DATA_H
#define HEED_NP_DATA_H

#include <float.h>
#include <math.h>

#include <heed/np.h>

#include "core/tensor.h"

/* Returns the elements of a contiguous f64 tensor. */
static inline double *heed__np_numbers(const heed_tensor *t)
{
    return (double *)(void *)t->data;
}

/* The rows of weight 0, called absent. The fit leaves them out, but reports the fitted function m at their x. */
typedef struct heed__np_absent {
    int64_t rows, count; /* number of all rows that the caller passed; number of absent rows */
    /* (rows): the row's index in the fit, or -1 - (index in x and y) if the row is absent; NULL if count is 0 */
    int64_t *index;
    double *x, *y; /* (columns, count) and (count): the absent rows in the caller's units */
    size_t size;
} heed__np_absent;

/* The rows of a fit, all with a weight above 0. A single continuous column is sorted, and rows with equal x share one
 * key with the sum of their weights and the mean of their values, which does not change the fit around any query.
 * Otherwise every row is a key, and keys that follow each other in the arrays are near each other in x. */
typedef struct heed__np_data {
    int64_t rows, keys;
    int columns, smooth; /* number of all columns, and of continuous ones */
    heed_np_column kinds[HEED_NP_MAX_COLUMNS];
    double labels[HEED_NP_MAX_COLUMNS];                            /* number of labels of an unordered column */
    double least[HEED_NP_MAX_COLUMNS], range[HEED_NP_MAX_COLUMNS]; /* minimum and range of a column */
    double scale[HEED_NP_MAX_COLUMNS];                             /* a robust standard deviation of a column */
    bool sorted;
    double *block; /* contains all arrays; block_size bytes */
    size_t block_size;
    double *x;                       /* (columns, keys) */
    double *y, *w, *given;           /* (keys); w includes robust weights, given does not */
    double *row_y, *row_w, *given_w; /* (rows), in the caller's order; row_w includes robust weights */
    int64_t *key_of;                 /* (rows) */
    double total, given_total;       /* sums of w and of given */
    double weight_unit;              /* the largest number of which all given weights are multiples, or 0 */
    double unit;                     /* divisor of y: a power of 2, and 1 except for very large or small numbers */
    /* rounding error of differences of y; the rounding error of m is HEED__NP_FIT_ROUNDING times as large */
    double rounding;
    bool varies;            /* y varies by more than rounding errors */
    heed__np_absent absent; /* empty in samples and copies */
} heed__np_data;

/* A difference of at most this many units in the last place is considered a rounding error. */
#define HEED__NP_LAST_PLACES 4

/* Returns the rounding error of the difference of two numbers. */
static inline double heed__np_rounding(double a, double b)
{
    return HEED__NP_LAST_PLACES * DBL_EPSILON * fmax(fabs(a), fabs(b));
}

/* The rounding error of a fit, as a multiple of the rounding error of y. */
#define HEED__NP_FIT_ROUNDING 16

/* Number of neighbouring rows in a block. */
#define HEED__NP_BLOCK 128

/* Reads and checks the rows. Returns false after heed_fail. */
bool heed__np_read(heed__np_data *data, heed_tensor *x, heed_tensor *y, const heed_np_options *options);
void heed__np_data_free(heed__np_data *data);

/* Draws a sample of `keys` keys with a fixed seed. Every drawn key becomes a row and a key of the sample. Returns false
 * after heed_fail. */
bool heed__np_sample(const heed__np_data *data, int64_t keys, heed__np_data *sample);

/* Copies the rows, so that the copy can be reweighted. Returns false after heed_fail. */
bool heed__np_copy(const heed__np_data *data, heed__np_data *copy);

/* Multiplies the given weights of the rows by `factors` (rows), as if the caller had passed the products. */
void heed__np_draw(heed__np_data *data, const double *factors);

/* Sets the weights of the rows to their given weights times `factors` (rows). Does not change the given weights. */
void heed__np_reweigh(heed__np_data *data, const double *factors);

/* Checks that the queries x fit the columns of a fit, and returns them as an array (columns, n) that belongs to the
 * scope. Returns NULL after heed_fail. */
const double *heed__np_queries(const char *function, const heed__np_data *data, heed_tensor *x, int64_t *n);

/* -- row_weights.c ------------------------------------------------------------------------------------------------- */

/* Stores the weights w (rows), which must all be above 0, or weights of 1 if w is NULL. Scales them to add up to the
 * number of rows. */
void heed__np_read_weights(heed__np_data *data, const double *w);

/* Checks *weights (n), unless it is NULL, and removes the rows of weight 0 from *columns (columns, n), *y (n) and
 * *weights. Returns false after heed_fail. */
bool heed__np_remove_unweighted(heed__np_data *data, heed_tensor **columns, heed_tensor **y, heed_tensor **weights);
void heed__np_absent_free(heed__np_absent *absent);

#endif
