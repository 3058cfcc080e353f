/* np/np.h - what the files of kernel regression for data share: the rows, a smoother of them, what it gives at a query.
 *
 *     data.c       rows from tensors            row_weights.c   their own weights
 *     weights.c    weights of the rows for a query
 *     direct.c     the fit around a query       locals.c    at many queries, directly or by sums:
 *     solve.c      the fit from sums            pairs.c     sums over blocks of keys in reach
 *     line*.c      sums along one column, by windows or by the fast Gauss transform
 *     criterion.c  of given bandwidths          search*.c   its minimum: scan.c finds starts, descent.c minima
 *     rule.c, plug_in.c   bandwidths without a search
 *     density.c    without values              check_loss.c  of quantile regression
 *     classes.c    densities of a label for given columns
 *     describe.c   numbers about a fit
 *     fit.c, report.c, predict.c, bands.c, bootstrap.c   what heed/np.h declares
 */
#ifndef HEED_NP_NP_H
#define HEED_NP_NP_H

#include <float.h>
#include <math.h>

#include <heed/np.h>

#include "core/tensor.h"
#include "kernels/kernels.h"

/* -- data.c -------------------------------------------------------------------------------------------------------- */

/* The rows as given. The fit leaves out rows of weight 0, but reports m at their x. */
typedef struct heed__np_absent {
    int64_t rows, count; /* all rows; rows of weight 0 */
    int64_t *index;      /* (rows): the row of the fit, or -1 - the number of the absent row; NULL if count is 0 */
    double *x, *y;       /* (columns, count), (count), in the units given */
    size_t size;
} heed__np_absent;

/* The rows of a fit, each with a weight above 0. One continuous column is sorted, and its rows with equal x are one
 * key, of their weights' sum and their values' mean: the fit around any query is the same. Elsewhere each row is a key,
 * and neighbours are near. */
typedef struct heed__np_data {
    int64_t rows, keys;
    int columns, smooth; /* all, and the continuous ones */
    heed_np_column kinds[HEED_NP_MAX_COLUMNS];
    double labels[HEED_NP_MAX_COLUMNS];                            /* how many there are, of an unordered column */
    double least[HEED_NP_MAX_COLUMNS], range[HEED_NP_MAX_COLUMNS]; /* of a column's numbers */
    double scale[HEED_NP_MAX_COLUMNS];                             /* a robust standard deviation */
    bool sorted;
    double *block; /* all arrays; block_size bytes */
    size_t block_size;
    double *x;                       /* (columns, keys) */
    double *y, *w, *given;           /* (keys); the weights with robust ones, and without */
    double *row_y, *row_w, *given_w; /* (rows), in the order given; weights with robust ones, and without */
    int64_t *key_of;                 /* (rows) */
    double total, given_total;       /* of the weights */
    double weight_unit;              /* the largest number of which all given weights are multiples, or 0 */
    double unit;                     /* what y was divided by: a power of 2, 1 but for very large or small numbers */
    double rounding;        /* differences of y up to this are rounding; of m, up to HEED__NP_FIT_ROUNDING of it */
    bool varies;            /* y, by more than rounding */
    heed__np_absent absent; /* not in samples and copies */
} heed__np_data;

/* Numbers that differ by up to this many units in the last place are equal, up to rounding. */
#define HEED__NP_LAST_PLACES 4

/* The rounding of the difference of two numbers. */
static inline double heed__np_rounding(double a, double b)
{
    return HEED__NP_LAST_PLACES * DBL_EPSILON * fmax(fabs(a), fabs(b));
}

/* The rounding of a fit, as a multiple of the rounding of y. */
#define HEED__NP_FIT_ROUNDING 16

/* Rows that are next to each other, for what is done of a number of neighbours. */
#define HEED__NP_BLOCK 128

/* False after heed_fail. */
bool heed__np_read(heed__np_data *data, heed_tensor *x, heed_tensor *y, const heed_np_options *options);
void heed__np_data_free(heed__np_data *data);

/* Some `keys` of the keys, each a row, drawn with a fixed seed. False after heed_fail. */
bool heed__np_sample(const heed__np_data *data, int64_t keys, heed__np_data *sample);

/* The same rows, to be weighed otherwise. False after heed_fail. */
bool heed__np_copy(const heed__np_data *data, heed__np_data *copy);

/* As if rows had been given `factors` (rows) times their weights. */
void heed__np_draw(heed__np_data *data, const double *factors);

/* The rows' weights times `factors`, (rows). */
void heed__np_reweigh(heed__np_data *data, const double *factors);

/* Queries as columns (columns, n), checked: of a fit's columns. Owned by the scope; NULL after heed_fail. */
const double *heed__np_queries(const char *function, const heed__np_data *data, heed_tensor *x, int64_t *n);

/* -- row_weights.c ------------------------------------------------------------------------------------------------- */

/* Weights above 0, or NULL, in units in which they add up to the number of rows. */
void heed__np_read_weights(heed__np_data *data, const double *w);

/* Checks weights (n) or NULL, and takes rows of weight 0 out of x (columns, n), y (n) and the weights. False after
 * heed_fail. */
bool heed__np_keep_weighted(heed__np_data *data, heed_tensor **columns, heed_tensor **y, heed_tensor **weights);
void heed__np_absent_free(heed__np_absent *absent);

/* -- weights.c ----------------------------------------------------------------------------------------------------- */

/* Kernels and bandwidths. The search moves by theta: ln h of a continuous column, logit(l / most) of another. */
typedef struct heed__np_smoother {
    const heed__np_data *data;
    int degree;
    heed_nw_kernel kernel;
    heed_np_labels labels;
    double nearest;
    double h[HEED_NP_MAX_COLUMNS];
    bool conditional; /* of densities: that of the last column given the others */
} heed__np_smoother;

/* The largest l of a column. */
double heed__np_most(const heed__np_smoother *s, int column);
double heed__np_theta(const heed__np_smoother *s, int column, double h);
double heed__np_bandwidth(const heed__np_smoother *s, int column, double theta);

/* A query, and which key it is, if it is one; own_w and own_y stand in for that key's weight and value. */
typedef struct heed__np_query {
    double x[HEED_NP_MAX_COLUMNS];
    int64_t key; /* -1: none */
    double own_w, own_y;
} heed__np_query;

heed__np_query heed__np_query_at(const heed__np_data *data, const double *x, int64_t n, int64_t i);
heed__np_query heed__np_query_of_key(const heed__np_data *data, int64_t key);

/* Keys that a query sees. Weights are divided by the largest of the Gaussian's, so that a far query sees the
 * nearest. */
typedef struct heed__np_seen {
    int64_t n, room;
    double h;                /* of the one continuous column: s->h[0], or the distance to the nearest ones */
    double log_scale;        /* of what the weights were divided by */
    double *w, *y, *scratch; /* (n) */
    int64_t *key;            /* (n) */
} heed__np_seen;

/* A continuous column's kernel as (1 - |u|^power)^times; power 0 for the Gaussian. */
void heed__np_shape(heed_nw_kernel kernel, int *power, int *times);

/* w *= the factors of a column of labels, of n keys from `begin` on; and their d ln / d theta, unless NULL. */
void heed__np_weigh_labels(const heed__np_smoother *s, const heed__np_query *q, int column, int64_t begin, int64_t n,
                           double *w, double *slopes);

/* Of an exponent below -HEED__NP_FAR no weight counts: that of a million such keys is 1e-14 of the nearest one's. */
#define HEED__NP_FAR 46.0

void heed__np_weigh(const heed__np_smoother *s, const heed__np_query *q, heed__np_seen *seen);

/* The first of the sorted keys that is not below x, and the first above. */
int64_t heed__np_first_from(const heed__np_data *data, double x);
int64_t heed__np_first_above(const heed__np_data *data, double x);

/* d ln w / d theta of a column, of each key seen, less what it returns: far keys of the Gaussian may have huge ones. */
double heed__np_weight_slopes(const heed__np_smoother *s, const heed__np_query *q, const heed__np_seen *seen,
                              int column, double *slopes);

/* Of a key at the query itself: its factor, and that one's d ln / d theta. */
double heed__np_own_weight(const heed__np_smoother *s);
double heed__np_own_slope(const heed__np_smoother *s, int column);

/* d ln w / d q of a column, of each key seen. */
void heed__np_constant_slopes(const heed__np_smoother *s, const heed__np_query *q, const heed__np_seen *seen,
                              int column, double *slopes);

/* -- direct.c ------------------------------------------------------------------------------------------------------ */

/* What is known at a query, and of each column. */
typedef struct heed__np_local {
    double mean, own, variance; /* m(q); H_ii of a row of weight 1, where q is a key; sum_i l_i^2 v_i */
    double curve;   /* d2m / dq2 by the first continuous column, of a polynomial from degree 2 on; with slopes */
    bool sees_none; /* no row: mean, variance, curve and slopes are NaN, the rest is 0 */
    int powers;     /* of the polynomial that the keys determine */
    double log_sum; /* ln of the keys' weights, K(0) being 1 */
    struct {
        double d_mean, d_own, d_log_sum; /* by theta */
        double slope, slope_variance;    /* by q, of the continuous columns in order */
    } by[];
} heed__np_local;

/* Of a number of queries; one of them, and room for one. */
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

/* What is asked for. */
typedef struct heed__np_wanted {
    bool derivatives;        /* by theta */
    bool slopes;             /* by the query */
    const double *variances; /* v_i of the keys, for variance and slope_variance; NULL: not asked for */
} heed__np_wanted;

int heed__np_powers(int smooth, int degree);
int64_t heed__np_direct_scratch(const heed__np_smoother *s); /* bytes */
void heed__np_direct(const heed__np_smoother *s, const heed__np_query *q, const heed__np_wanted *wanted, char *scratch,
                     heed__np_local *out);

/* 1 - H_ii below which its lost digits would show in 1 / (1 - H_ii): then the row is left out in fact. */
#define HEED__NP_LEAST_REST 1e-3

/* The fit of all other rows at a row. */
void heed__np_leave_out(const heed__np_smoother *s, int64_t row, const heed__np_wanted *wanted, char *scratch,
                        heed__np_local *out);

/* l_k(q) of all keys: m(q) = sum_k l_k y_k; or those of dm / dq by a continuous column, counted among these; -1: of m.
 * All are NaN if m or the slope is undefined. */
void heed__np_direct_row(const heed__np_smoother *s, const heed__np_query *q, int slope, char *scratch, double *row);

/* -- solve.c ------------------------------------------------------------------------------------------------------- */

/* Sums over keys around a query, with coordinates in units: b_0 = 1, b_1 to b_c the coordinates, then their
 * products. */
typedef struct heed__np_moments {
    int powers, slopes;
    const double *s, *t;   /* sum w b b', packed row by row; sum w b y */
    const double *changes; /* the same of d w / d theta of each slope, s and t in turns */
    const int *columns;    /* which column a slope is by; NULL: in order */
    const double *v;       /* sum w^2 v b b', or NULL */
    const double *units;   /* (c) */
    double least_square;   /* of S_kk / S_00, below which rounding of S_00 shows in S_kk */
} heed__np_moments;

/* Fills `out`. Where the sums do not tell enough, its mean is NaN: then the fit is to be made directly. */
void heed__np_solve(const heed__np_moments *moments, const heed__np_smoother *s, heed__np_local *out);

/* -- pairs.c ------------------------------------------------------------------------------------------------------- */

/* Whether there are few enough columns and powers; heed__np_fit_at by sums over all keys in reach. */
bool heed__np_pairs_can(const heed__np_smoother *s);
bool heed__np_pairs_fit_at(const heed__np_smoother *s, const double *x, int64_t n, const heed__np_wanted *wanted,
                           const heed__np_locals *out);

/* -- locals.c ------------------------------------------------------------------------------------------------------ */

/* At n queries (columns, n), or, where x is NULL, at all keys. False after heed_fail. */
bool heed__np_fit_at(const heed__np_smoother *s, const double *x, int64_t n, const heed__np_wanted *wanted,
                     const heed__np_locals *out);

/* At all keys, `variance` being of inverse weights: then the rows' sums of own and variance are tr H and tr H H'. False
 * after heed_fail. */
bool heed__np_fit_keys(const heed__np_smoother *s, const heed__np_locals *out);

/* Queries from `first` to `first + count - 1`, of n as (columns, n). */
typedef struct heed__np_some_queries {
    const double *x;
    int64_t n, first, count;
} heed__np_some_queries;

/* (count, keys): heed__np_direct_row of each. False after heed_fail. */
bool heed__np_rows_at(const heed__np_smoother *s, const heed__np_some_queries *at, int slope, double *rows);

/* -- criterion.c --------------------------------------------------------------------------------------------------- */

typedef struct heed__np_value {
    double value;
    double trace; /* tr H */
    int64_t lone; /* rows that no other row is visible from: CV.LS and the likelihood are infinite */
    double slopes[HEED_NP_MAX_COLUMNS]; /* by theta */
} heed__np_value;

/* Of a density, heed_np_fit_density. */
#define HEED__NP_LIKELIHOOD ((heed_np_criterion)(HEED_NP_PLUG_IN + 1))

/* What a value is of y in its own units. */
double heed__np_in_units(const heed__np_data *data, heed_np_criterion criterion, double value);

/* `locals` has room for the keys, and receives them. False after heed_fail. */
bool heed__np_criterion(const heed__np_smoother *s, heed_np_criterion criterion, bool derivatives,
                        const heed__np_locals *locals, heed__np_value *out);

/* -- density.c ----------------------------------------------------------------------------------------------------- */

/* ln of the factor by which sum K / sum w is a density, which depends on the bandwidths alone, and d / d theta of
 * it. */
double heed__np_log_factor(const heed__np_smoother *s, double *slopes);

/* f(q) */
double heed__np_density(const heed__np_smoother *s, const heed__np_local *local);

/* -- rule.c, plug_in.c --------------------------------------------------------------------------------------------- */

/* Whether a continuous column has more than one value. False after heed_fail. */
bool heed__np_varies(const heed__np_data *data, int column);

/* h of the kernel that sees as far as the Gaussian of h = 1 does, in sums over `smooth` columns. */
double heed__np_canonical(heed_nw_kernel kernel, int smooth);

/* Set s->h: of the normal reference, and by estimates. False after heed_fail. */
bool heed__np_rule(heed__np_smoother *s);
bool heed__np_plug_in(heed__np_smoother *s);

/* -- classes.c ----------------------------------------------------------------------------------------------------- */

/* Of the columns that are given, all but the last; their data, a view, are `given`. */
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

/* Sets s->h to where the criterion is least. False after heed_fail. */
bool heed__np_find(heed__np_smoother *s, const heed_np_options *options, heed__np_search *search);

#endif
