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

/* The rows as the caller passed them. The fit leaves out rows of weight 0, but reports m at their x. */
typedef struct heed__np_absent {
    int64_t rows, count; /* number of all rows; number of rows of weight 0 */
    int64_t *index;      /* (rows): the row's index in the fit, or -1 - (index of the absent row); NULL if count is 0 */
    double *x, *y;       /* (columns, count), (count), in the caller's units */
    size_t size;
} heed__np_absent;

/* The rows of a fit, all with a weight above 0. A single continuous column is sorted, and rows with equal x share one
 * key with the sum of their weights and the mean of their values: the fit around any query stays the same. Otherwise
 * every row is a key, and neighbouring keys are near each other. */
typedef struct heed__np_data {
    int64_t rows, keys;
    int columns, smooth; /* number of all columns, and of continuous ones */
    heed_np_column kinds[HEED_NP_MAX_COLUMNS];
    double labels[HEED_NP_MAX_COLUMNS];                            /* number of labels of an unordered column */
    double least[HEED_NP_MAX_COLUMNS], range[HEED_NP_MAX_COLUMNS]; /* minimum and range of a column */
    double scale[HEED_NP_MAX_COLUMNS];                             /* a robust standard deviation of a column */
    bool sorted;
    double *block; /* all arrays; block_size bytes */
    size_t block_size;
    double *x;                       /* (columns, keys) */
    double *y, *w, *given;           /* (keys); w includes robust weights, given does not */
    double *row_y, *row_w, *given_w; /* (rows), in the caller's order; row_w includes robust weights */
    int64_t *key_of;                 /* (rows) */
    double total, given_total;       /* sums of w and of given */
    double weight_unit;              /* the largest number of which all given weights are multiples, or 0 */
    double unit;                     /* divisor of y: a power of 2, and 1 except for very large or small numbers */
    double rounding;                 /* rounding error of differences of y; of m, HEED__NP_FIT_ROUNDING times this */
    bool varies;                     /* y varies by more than rounding */
    heed__np_absent absent;          /* empty in samples and copies */
} heed__np_data;

/* Numbers that differ by at most this many units in the last place are equal up to rounding. */
#define HEED__NP_LAST_PLACES 4

/* The rounding error of the difference of two numbers. */
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

/* Draws `keys` of the keys with a fixed seed; every one becomes a row of the sample. Returns false after heed_fail. */
bool heed__np_sample(const heed__np_data *data, int64_t keys, heed__np_data *sample);

/* Copies the rows so that they can be reweighted. Returns false after heed_fail. */
bool heed__np_copy(const heed__np_data *data, heed__np_data *copy);

/* Multiplies the given weights of the rows by `factors` (rows), as if the caller had passed the products. */
void heed__np_draw(heed__np_data *data, const double *factors);

/* Multiplies the weights of the rows by `factors` (rows); `given` stays. */
void heed__np_reweigh(heed__np_data *data, const double *factors);

/* Checks queries x against the columns of a fit and returns them as columns (columns, n), owned by the scope. Returns
 * NULL after heed_fail. */
const double *heed__np_queries(const char *function, const heed__np_data *data, heed_tensor *x, int64_t *n);

/* -- row_weights.c ------------------------------------------------------------------------------------------------- */

/* Stores weights w (rows), all above 0, or 1 if w is NULL, scaled to add up to the number of rows. */
void heed__np_read_weights(heed__np_data *data, const double *w);

/* Checks weights (n) or NULL, and removes rows of weight 0 from x (columns, n), y (n) and the weights. Returns false
 * after heed_fail. */
bool heed__np_remove_unweighted(heed__np_data *data, heed_tensor **columns, heed_tensor **y, heed_tensor **weights);
void heed__np_absent_free(heed__np_absent *absent);

/* -- kernel_weights.c ---------------------------------------------------------------------------------------------- */

/* Kernels and bandwidths. The search varies theta: ln h of a continuous column, logit(l / most) of a column of
 * labels. */
typedef struct heed__np_smoother {
    const heed__np_data *data;
    int degree;
    heed_nw_kernel kernel;
    heed_np_labels labels;
    double nearest;
    double h[HEED_NP_MAX_COLUMNS];
    bool conditional; /* density of the last column given the others */
} heed__np_smoother;

/* The largest bandwidth of a column: infinity for h, at most 1 for l. */
double heed__np_most(const heed__np_smoother *s, int column);
double heed__np_theta(const heed__np_smoother *s, int column, double h);
double heed__np_bandwidth(const heed__np_smoother *s, int column, double theta);

/* A query. If it is a key, own_w and own_y replace that key's weight and value. */
typedef struct heed__np_query {
    double x[HEED_NP_MAX_COLUMNS];
    int64_t key; /* index of the key at the query, or -1 */
    double own_w, own_y;
} heed__np_query;

heed__np_query heed__np_query_at(const heed__np_data *data, const double *x, int64_t n, int64_t i);
heed__np_query heed__np_query_of_key(const heed__np_data *data, int64_t key);

/* The visible keys of a query, with their weights. Gaussian weights are divided by the largest one, so that a
 * far query still sees the nearest key. */
typedef struct heed__np_visible_keys {
    int64_t n, capacity;
    double h;                /* of the only continuous column: s->h[0], or the distance to the nearest keys */
    double log_scale;        /* ln of the number that weights were divided by */
    double *w, *y, *scratch; /* (n) */
    int64_t *key;            /* (n) */
} heed__np_visible_keys;

/* The kernel of a continuous column as (1 - |u|^power)^times; power 0 means the Gaussian. */
void heed__np_shape(heed_nw_kernel kernel, int *power, int *times);

/* Multiplies w by the factors of a column of labels, for n keys from `begin` on. Writes d ln factor / d theta to
 * `slopes` unless it is NULL. */
void heed__np_weigh_labels(const heed__np_smoother *s, const heed__np_query *q, int column, int64_t begin, int64_t n,
                           double *w, double *slopes);

/* Weights with an exponent below -HEED__NP_FAR are 0: a million such keys weigh 1e-14 of the nearest one. */
#define HEED__NP_FAR 46.0

void heed__np_weigh(const heed__np_smoother *s, const heed__np_query *q, heed__np_visible_keys *visible);

/* Index of the first sorted key that is not below x, and of the first above x. */
int64_t heed__np_first_from(const heed__np_data *data, double x);
int64_t heed__np_first_above(const heed__np_data *data, double x);

/* Writes d ln w / d theta of a column for every visible key, minus a constant, which is returned: far keys of the
 * Gaussian may have huge slopes. */
double heed__np_weight_slopes(const heed__np_smoother *s, const heed__np_query *q, const heed__np_visible_keys *visible,
                              int column, double *slopes);

/* The kernel weight of a key at the query itself, and its d ln / d theta. */
double heed__np_own_weight(const heed__np_smoother *s);
double heed__np_own_slope(const heed__np_smoother *s, int column);

/* Writes d ln w / d q of a column for every visible key. */
void heed__np_constant_slopes(const heed__np_smoother *s, const heed__np_query *q, const heed__np_visible_keys *visible,
                              int column, double *slopes);

/* -- local_polynomial.c -------------------------------------------------------------------------------------------- */

/* The local fit at a query. */
typedef struct heed__np_local {
    double mean, own, variance; /* m(q); H_ii of a row of weight 1 if q is a key; sum_i l_i^2 v_i */
    double curve;     /* d2m / dq2 by the first continuous column, for degree 2 or more; set together with the slopes */
    bool has_no_keys; /* no visible row: mean, variance, curve and slopes are NaN, the rest is 0 */
    int powers;       /* number of powers of the polynomial that the keys determine */
    double log_sum;   /* ln of the sum of the keys' weights, with K(0) = 1 */
    struct {
        double d_mean, d_own, d_log_sum; /* derivatives by theta */
        double slope, slope_variance;    /* derivatives by q, of the continuous columns in order */
    } by[];
} heed__np_local;

/* Local fits at several queries. The size of one depends on the number of columns. */
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
    bool derivatives;        /* by theta */
    bool slopes;             /* by the query */
    const double *variances; /* v_i of the keys, for variance and slope_variance; NULL: not requested */
} heed__np_requested;

int heed__np_powers(int smooth, int degree);
int64_t heed__np_direct_scratch(const heed__np_smoother *s); /* bytes */
void heed__np_direct(const heed__np_smoother *s, const heed__np_query *q, const heed__np_requested *requested,
                     char *scratch, heed__np_local *out);

/* If 1 - H_ii is smaller than this, its lost digits would show in 1 / (1 - H_ii), so the row is really left out. */
#define HEED__NP_LEAST_REST 1e-3

/* The fit of all other rows at a row. */
void heed__np_leave_out(const heed__np_smoother *s, int64_t row, const heed__np_requested *requested, char *scratch,
                        heed__np_local *out);

/* Writes l_k(q) of all keys, with m(q) = sum_k l_k y_k, if slope is -1. Otherwise writes the same for dm / dq by
 * continuous column number `slope`. All are NaN if m or the slope is undefined. */
void heed__np_direct_row(const heed__np_smoother *s, const heed__np_query *q, int slope, char *scratch, double *row);

/* -- solve.c ------------------------------------------------------------------------------------------------------- */

/* Sums over keys around a query, with scaled coordinates: b_0 = 1, b_1 to b_c are the coordinates, then follow their
 * products. */
typedef struct heed__np_moments {
    int powers, slopes;
    const double *s, *t;   /* sum w b b', packed row by row; sum w b y */
    const double *changes; /* the same with d w / d theta for every slope: s, t, s, t, ... */
    const int *columns;    /* the column of every slope; NULL: in order */
    const double *v;       /* sum w^2 v b b', or NULL */
    const double *units;   /* (c): units of the coordinates */
    double least_square;   /* if S_kk / S_00 is below this, rounding of S_00 shows in S_kk */
} heed__np_moments;

/* Fills `out`. Sets its mean to NaN if the sums are not accurate enough; then the caller must use heed__np_direct. */
void heed__np_solve(const heed__np_moments *moments, const heed__np_smoother *s, heed__np_local *out);

/* -- block_sums.c -------------------------------------------------------------------------------------------------- */

/* Returns true if the number of columns and powers is small enough for heed__np_blocks_fit_at, which is heed__np_fit_at
 * by sums over all keys within reach. */
bool heed__np_blocks_supported(const heed__np_smoother *s);
bool heed__np_blocks_fit_at(const heed__np_smoother *s, const double *x, int64_t n, const heed__np_requested *requested,
                            const heed__np_locals *out);

/* -- local_fits.c -------------------------------------------------------------------------------------------------- */

/* Fits at n queries x (columns, n), or at all keys if x is NULL. Returns false after heed_fail. */
bool heed__np_fit_at(const heed__np_smoother *s, const double *x, int64_t n, const heed__np_requested *requested,
                     const heed__np_locals *out);

/* Fits at all keys with inverse weights as variances: then the sums of own and variance over the rows are tr H and
 * tr H H'. Returns false after heed_fail. */
bool heed__np_fit_keys(const heed__np_smoother *s, const heed__np_locals *out);

/* Queries `first` to `first + count - 1` of n queries x (columns, n). */
typedef struct heed__np_query_range {
    const double *x;
    int64_t n, first, count;
} heed__np_query_range;

/* Writes heed__np_direct_row of every query to `rows` (count, keys). Returns false after heed_fail. */
bool heed__np_rows_at(const heed__np_smoother *s, const heed__np_query_range *at, int slope, double *rows);

/* -- criterion.c --------------------------------------------------------------------------------------------------- */

typedef struct heed__np_value {
    double value;
    double trace;                       /* tr H */
    int64_t isolated;                   /* rows without another visible row: CV.LS and the likelihood are infinite */
    double slopes[HEED_NP_MAX_COLUMNS]; /* by theta */
} heed__np_value;

/* The criterion of heed_np_fit_density. */
#define HEED__NP_LIKELIHOOD ((heed_np_criterion)(HEED_NP_PLUG_IN + 1))

/* Converts the value of a criterion from the data's unit to the caller's. */
double heed__np_in_units(const heed__np_data *data, heed_np_criterion criterion, double value);

/* Evaluates a criterion. `locals` must have space for the keys and receives their fits. Returns false after
 * heed_fail. */
bool heed__np_criterion(const heed__np_smoother *s, heed_np_criterion criterion, bool derivatives,
                        const heed__np_locals *locals, heed__np_value *out);

/* -- density.c ----------------------------------------------------------------------------------------------------- */

/* Returns ln of the factor that turns sum K / sum w into a density, which depends only on the bandwidths, and writes
 * its derivatives by theta. */
double heed__np_log_factor(const heed__np_smoother *s, double *slopes);

/* f(q) */
double heed__np_density(const heed__np_smoother *s, const heed__np_local *local);

/* -- rule.c, plug_in.c --------------------------------------------------------------------------------------------- */

/* Returns true if a continuous column has more than one value, otherwise false after heed_fail. */
bool heed__np_varies(const heed__np_data *data, int column);

/* The canonical bandwidth: h of a kernel that smooths `smooth` columns as much as the Gaussian with h = 1. */
double heed__np_canonical(heed_nw_kernel kernel, int smooth);

/* Set s->h: by the normal reference rule, and by plug-in estimates. Return false after heed_fail. */
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
