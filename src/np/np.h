/* np/np.h - internal interface of kernel regression: the rows, kernel weights, local fits, criteria and the search.
 *
 *     data.c              rows from tensors
 *     row_weights.c       weights of rows
 *     kernel_weights.c    kernel weights of the rows for a query
 *     local_polynomial.c  the fit at one query, directly
 *     local_fits.c        fits at many queries, directly or from sums
 *     solve.c             the fit from sums
 *     block_sums.c        sums over blocks of keys within reach of a query
 *     sorted_sums.c       sums along one column: window_sums.c, or fast_gauss.c for the Gaussian
 *     criterion.c         criteria at given bandwidths
 *     search*.c           minima of a criterion: scan.c finds starting points, descent.c the minima below them
 *     rule.c, plug_in.c   bandwidths without a search
 *     density.c           densities
 *     check_loss.c        the loss of quantile regression
 *     classes.c           probabilities of a label given the columns
 *     statistics.c        numbers about a fit
 *     fit.c, report.c, predict.c, bands.c, bootstrap.c, quantile.c, significance.c   the functions of heed/np.h
 */
#ifndef HEED_NP_NP_H
#define HEED_NP_NP_H

#include <float.h>
#include <math.h>

#include <heed/np.h>

#include "core/tensor.h"
#include "kernels/kernels.h"

/* -- data.c -------------------------------------------------------------------------------------------------------- */

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

/* -- kernel_weights.c ---------------------------------------------------------------------------------------------- */

/* Kernels and bandwidths. The search varies theta, which is ln h for the bandwidth h of a continuous column, and
 * logit(l / heed__np_most) for the bandwidth l of a column of labels. */
typedef struct heed__np_smoother {
    const heed__np_data *data;
    int degree;
    heed_nw_kernel kernel;
    heed_np_labels labels;
    double nearest;
    double h[HEED_NP_MAX_COLUMNS];
    bool conditional; /* density of the last column given the others */
} heed__np_smoother;

/* Return the largest bandwidth of a column (infinity for h, at most 1 for l), theta for a bandwidth, and the bandwidth
 * for theta. */
double heed__np_most(const heed__np_smoother *s, int column);
double heed__np_theta(const heed__np_smoother *s, int column, double h);
double heed__np_bandwidth(const heed__np_smoother *s, int column, double theta);

/* A query. If it is a key, own_w and own_y replace that key's weight and value. */
typedef struct heed__np_query {
    double x[HEED_NP_MAX_COLUMNS];
    int64_t key; /* index of the key if the query is a key, else -1 */
    double own_w, own_y;
} heed__np_query;

heed__np_query heed__np_query_at(const heed__np_data *data, const double *x, int64_t n, int64_t i);
heed__np_query heed__np_query_of_key(const heed__np_data *data, int64_t key);

/* The visible keys of a query, with their weights. Gaussian weights are divided by the largest one, so that a query far
 * from all keys still sees the nearest key. */
typedef struct heed__np_visible_keys {
    int64_t n, capacity;
    /* bandwidth of a single continuous column: s->h[0], or the distance to the nearest keys if s->nearest > 0 */
    double h;
    double log_scale;        /* ln of the number that weights were divided by */
    double *w, *y, *scratch; /* (n) */
    int64_t *key;            /* (n) */
} heed__np_visible_keys;

/* Sets *power and *times so that the kernel of a continuous column is (1 - |u|^power)^times; power 0 means the
 * Gaussian. */
void heed__np_shape(heed_nw_kernel kernel, int *power, int *times);

/* Multiplies the weights w of n keys from `begin` on by the factors of a column of labels. Writes d ln factor / d theta
 * of every key to `slopes` unless it is NULL. */
void heed__np_weigh_labels(const heed__np_smoother *s, const heed__np_query *q, int column, int64_t begin, int64_t n,
                           double *w, double *slopes);

/* Gaussian weights with an exponent below -HEED__NP_FAR are set to 0. A million such keys would have only 1e-14 of the
 * nearest key's weight. */
#define HEED__NP_FAR 46.0

void heed__np_weigh(const heed__np_smoother *s, const heed__np_query *q, heed__np_visible_keys *visible);

/* Return the index of the first key that is not below x, and of the first key above x. The keys must be sorted. */
int64_t heed__np_first_from(const heed__np_data *data, double x);
int64_t heed__np_first_above(const heed__np_data *data, double x);

/* Writes d ln w / d theta of a column for every visible key, minus a constant, and returns the constant. It is not 0
 * for the Gaussian, because the slopes of far keys may be huge. */
double heed__np_weight_slopes(const heed__np_smoother *s, const heed__np_query *q, const heed__np_visible_keys *visible,
                              int column, double *slopes);

/* Return the kernel weight of a key at the query itself, and the d ln / d theta of this weight. */
double heed__np_own_weight(const heed__np_smoother *s);
double heed__np_own_slope(const heed__np_smoother *s, int column);

/* Writes d ln w / dq_j for every visible key; q_j is the query's number in the continuous column `column`. */
void heed__np_constant_slopes(const heed__np_smoother *s, const heed__np_query *q, const heed__np_visible_keys *visible,
                              int column, double *slopes);

/* -- local_polynomial.c -------------------------------------------------------------------------------------------- */

/* The local fit at a query. */
typedef struct heed__np_local {
    double mean, own, variance; /* mean: m(q); own: H_ii of a row of weight 1 at q; variance: sum_i l_i^2 v_i */
    /* second derivative of m with respect to the first continuous column; set with the slopes if the degree is at least
     * 2 */
    double curve;
    /* no key is visible; mean, variance, curve, slope and slope_variance are NaN, log_sum is -infinity, the rest is
     * 0 */
    bool has_no_keys;
    int powers;     /* number of polynomials that are linearly independent at the keys */
    double log_sum; /* ln of the sum of the keys' weights, with K(0) = 1 */
    struct {
        double d_mean, d_own, d_log_sum; /* derivatives with respect to theta */
        double slope, slope_variance;    /* dm / dq_j and its variance for continuous column number j */
    } by[];
} heed__np_local;

/* Local fits at several queries. The size of a heed__np_local, `stride`, depends on the number of columns. */
typedef struct heed__np_locals {
    char *block;
    size_t size, stride;
} heed__np_locals;

#define HEED__NP_LOCAL_SIZE(columns) (sizeof(heed__np_local) + (size_t)(columns) * sizeof(((heed__np_local *)0)->by[0]))

bool heed__np_locals_new(heed__np_locals *locals, int columns, int64_t n); /* false after heed_fail */
void heed__np_locals_free(heed__np_locals *locals);

static inline heed__np_local *heed__np_local_at(const heed__np_locals *locals, int64_t i)
{
    return (heed__np_local *)(void *)(locals->block + (size_t)i * locals->stride);
}

/* The outputs that a caller requests. */
typedef struct heed__np_requested {
    bool derivatives;        /* derivatives with respect to theta */
    bool slopes;             /* derivatives with respect to the query */
    const double *variances; /* v_i of the keys, for variance and slope_variance; NULL if these are not requested */
} heed__np_requested;

int heed__np_powers(int smooth, int degree);
int64_t heed__np_direct_scratch(const heed__np_smoother *s); /* bytes */
void heed__np_direct(const heed__np_smoother *s, const heed__np_query *q, const heed__np_requested *requested,
                     char *scratch, heed__np_local *out);

/* If 1 - H_ii is smaller than this, it has too few accurate digits, so a fit without row i is computed instead of
 * dividing by 1 - H_ii. */
#define HEED__NP_LEAST_REST 1e-3

/* Computes the fit of all other rows at the x of row `row`. */
void heed__np_leave_out(const heed__np_smoother *s, int64_t row, const heed__np_requested *requested, char *scratch,
                        heed__np_local *out);

/* Writes to row (keys) the numbers l_k with m(q) = sum_k l_k y_k if slope is -1, and with dm / dq_j = sum_k l_k y_k for
 * continuous column number j = `slope` otherwise. All are NaN if m or the slope is undefined. */
void heed__np_direct_row(const heed__np_smoother *s, const heed__np_query *q, int slope, char *scratch, double *row);

/* -- solve.c ------------------------------------------------------------------------------------------------------- */

/* Sums over the keys around a query. The vector b of a key consists of b_0 = 1, the key's coordinates b_1 to b_c
 * relative to the query, divided by `units`, and products of these coordinates, where c is the number of continuous
 * columns. */
typedef struct heed__np_moments {
    int powers, slopes;
    const double *s, *t;   /* sum w b b', packed row by row; sum w b y */
    const double *changes; /* derivatives of s and t with respect to theta, for every slope: ds, dt, ds, dt, ... */
    const int *columns;    /* the column of every slope; NULL if slope g is for column g */
    const double *v;       /* sum w^2 v b b', or NULL */
    const double *units;   /* (c): units of the coordinates */
    double least_square;   /* if s_kk / s_00 is below this, s_kk may consist of rounding errors of s_00 */
} heed__np_moments;

/* Computes the fit at the query from the sums. Sets out->mean to NaN if the sums are not accurate enough; the caller
 * must then use heed__np_direct. */
void heed__np_solve(const heed__np_moments *moments, const heed__np_smoother *s, heed__np_local *out);

/* -- block_sums.c -------------------------------------------------------------------------------------------------- */

/* heed__np_blocks_fit_at computes the fits of heed__np_fit_at from sums over all keys within reach; it returns false
 * after heed_fail. heed__np_blocks_supported returns true if the numbers of columns and powers are small enough for
 * it. */
bool heed__np_blocks_supported(const heed__np_smoother *s);
bool heed__np_blocks_fit_at(const heed__np_smoother *s, const double *x, int64_t n, const heed__np_requested *requested,
                            const heed__np_locals *out);

/* -- local_fits.c -------------------------------------------------------------------------------------------------- */

/* Fits at n queries x (columns, n), or at all keys if x is NULL. Returns false after heed_fail. */
bool heed__np_fit_at(const heed__np_smoother *s, const double *x, int64_t n, const heed__np_requested *requested,
                     const heed__np_locals *out);

/* Computes the fits at all keys, with the inverse weights of the keys as variances v. Then tr H is the sum of w own
 * over the rows, and tr H H' the sum of w variance. Returns false after heed_fail. */
bool heed__np_fit_keys(const heed__np_smoother *s, const heed__np_locals *out);

/* Queries `first` to `first + count - 1` of the n queries x (columns, n). */
typedef struct heed__np_query_range {
    const double *x;
    int64_t n, first, count;
} heed__np_query_range;

/* Writes heed__np_direct_row of every query to `rows` (count, keys). Returns false after heed_fail. */
bool heed__np_rows_at(const heed__np_smoother *s, const heed__np_query_range *at, int slope, double *rows);

/* -- criterion.c --------------------------------------------------------------------------------------------------- */

typedef struct heed__np_value {
    double value;
    double trace; /* tr H */
    /* number of rows without another visible row; if any, CV.LS and the likelihood are infinite */
    int64_t isolated;
    double slopes[HEED_NP_MAX_COLUMNS]; /* derivatives with respect to theta */
} heed__np_value;

/* The criterion of heed_np_fit_density. */
#define HEED__NP_LIKELIHOOD ((heed_np_criterion)(HEED_NP_PLUG_IN + 1))

/* Converts the value of a criterion from the data's unit to the caller's. */
double heed__np_in_units(const heed__np_data *data, heed_np_criterion criterion, double value);

/* Evaluates a criterion, and with `derivatives` its slopes. Stores the fits at the keys in `locals`. Returns false
 * after heed_fail. */
bool heed__np_criterion(const heed__np_smoother *s, heed_np_criterion criterion, bool derivatives,
                        const heed__np_locals *locals, heed__np_value *out);

/* -- density.c ----------------------------------------------------------------------------------------------------- */

/* Returns ln of the factor by which sum w K / sum w must be multiplied to be a density. It depends only on the kernels
 * and bandwidths. Writes its derivatives with respect to theta to `slopes`. */
double heed__np_log_factor(const heed__np_smoother *s, double *slopes);

/* Returns the density f(q) from the local fit at q. */
double heed__np_density(const heed__np_smoother *s, const heed__np_local *local);

/* -- rule.c, plug_in.c --------------------------------------------------------------------------------------------- */

/* Returns true if a continuous column has more than one value, otherwise false after heed_fail. */
bool heed__np_varies(const heed__np_data *data, int column);

/* Returns the canonical bandwidth of a kernel, with which it smooths `smooth` columns as much as the Gaussian with h =
 * 1. */
double heed__np_canonical(heed_nw_kernel kernel, int smooth);

/* heed__np_rule sets s->h by the normal reference rule, and heed__np_plug_in by plug-in estimates. They return false
 * after heed_fail. */
bool heed__np_rule(heed__np_smoother *s);
bool heed__np_plug_in(heed__np_smoother *s);

/* -- classes.c ----------------------------------------------------------------------------------------------------- */

/* Returns the smoother of all columns except the last. `given` receives its data, which share the arrays of s->data. */
heed__np_smoother heed__np_condition(const heed__np_smoother *s, heed__np_data *given);

/* -- search.c ------------------------------------------------------------------------------------------------------ */

typedef struct heed__np_minimum {
    double value, h[HEED_NP_MAX_COLUMNS];
} heed__np_minimum;

#define HEED__NP_MAX_MINIMA 32

typedef struct heed__np_search {
    int evaluations, minima;
    bool stopped;
    heed__np_minimum found[HEED__NP_MAX_MINIMA];
} heed__np_search;

/* Sets s->h to the bandwidths with the lowest criterion. Returns false after heed_fail. */
bool heed__np_find(heed__np_smoother *s, const heed_np_options *options, heed__np_search *search);

#endif
