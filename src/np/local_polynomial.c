/* np/local_polynomial.c - the polynomial that best fits the rows around a query, for columns of any kind. It uses every
 * visible row and takes O(n P^2) for n rows and P powers.
 *
 * Let p_0, p_1, ... be polynomials of the continuous columns that are orthonormal under the weights: sum_i w_i p_k(x_i)
 * p_l(x_i) is 1 if k = l, else 0. The fit m(q) at the query q and the values f_i of its polynomial at the rows are
 *     m(q) = sum_i l_i y_i,   l_i = w_i A_i,   A_i = sum_k p_k(q) p_k(x_i)
 *     f_i = sum_k p_k(x_i) sum_j w_j p_k(x_j) y_j
 * The Gram-Schmidt process makes every polynomial from one of a lower degree times a column, as in
 * ops/attention/polynomial_regression.c. If w_i changes by dw_i, m changes by dw_i A_i (y_i - f_i), and A(q), the share
 * of a row at q itself, changes by -dw_i A_i^2.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "np/local.h"

/* Returns the number of powers, (smooth + degree)! / (smooth! degree!). heed__np_read accepts at most
 * HEED_NP_MAX_POWERS. */
int heed__np_powers(int smooth, int degree)
{
    int n = 1;
    for (int i = 1; i <= degree; i++)
        n = n * (smooth + i) / i;
    return n;
}

/* -- Memory -------------------------------------------------------------------------------------------------------- */

typedef struct fit_arrays {
    heed__np_visible_keys visible;
    double *other, *shares, *residuals; /* a temporary array; A_i; y_i - f_i */
    double *coordinates;                /* (c, n), scaled to -1 .. 1 */
    double *powers;                     /* (P, n) */
} fit_arrays;

typedef struct workspace {
    fit_arrays arrays;
    int64_t n;
    /* number of polynomials; number of continuous columns, and their indices */
    int count, smooth, columns[HEED_NP_MAX_COLUMNS];
    double middle[HEED_NP_MAX_COLUMNS], farthest[HEED_NP_MAX_COLUMNS];
    double at[HEED_NP_MAX_COLUMNS];                        /* coordinates of the query */
    int last[HEED_NP_MAX_POWERS];                          /* the last column that a polynomial was multiplied by */
    double at_query[HEED_NP_MAX_POWERS];                   /* p_k(q) */
    double slope[HEED_NP_MAX_POWERS][HEED_NP_MAX_COLUMNS]; /* dp_k / d coordinate at q */
    double curve[HEED_NP_MAX_POWERS];                      /* d2p_k / d (first coordinate)^2 at q */
    double coefficients[HEED_NP_MAX_POWERS];               /* sum_i w_i p_k(x_i) y_i */
    /* the slope along a coordinate is not determined by the keys */
    bool has_no_slope[HEED_NP_MAX_COLUMNS];
} workspace;

/* Takes the arrays from the arena, after the workspace itself. */
static fit_arrays arrays_in(const heed__np_smoother *s, arena *a)
{
    const heed__np_data *data = s->data;
    const int64_t keys = data->keys;
    (void)take_array(a, 1, sizeof(workspace));
    fit_arrays arrays = {.visible = heed__np_visible_keys_in(data, a)};
    arrays.other = take_array(a, keys, sizeof(double));
    arrays.shares = take_array(a, keys, sizeof(double));
    arrays.residuals = take_array(a, keys, sizeof(double));
    arrays.coordinates = take_array(a, data->smooth * keys, sizeof(double));
    arrays.powers = take_array(a, heed__np_powers(data->smooth, s->degree) * keys, sizeof(double));
    return arrays;
}

/* Returns the workspace at the beginning of scratch, with its arrays and the continuous columns. */
static workspace *workspace_at(const heed__np_smoother *s, char *scratch)
{
    const heed__np_data *data = s->data;
    workspace *work = (workspace *)(void *)scratch;
    work->arrays = arrays_in(s, &(arena){.base = scratch});
    work->count = work->smooth = 0;
    for (int c = 0; c < data->columns; c++)
        if (data->kinds[c] == HEED_NP_CONTINUOUS)
            work->columns[work->smooth++] = c;
    return work;
}

int64_t heed__np_direct_scratch(const heed__np_smoother *s)
{
    arena a = {.base = NULL};
    (void)arrays_in(s, &a);
    return a.bytes;
}

/* -- Sums in eight lanes, a fixed order that vectorises ------------------------------------------------------------ */

enum { LANES = 8 };

static double sum_of(int64_t n, const double *a)
{
    double lanes[LANES] = {0}, rest = 0;
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++)
            lanes[l] += a[i + l];
    for (; i < n; i++)
        rest += a[i];
    for (int l = 0; l < LANES; l++)
        rest += lanes[l];
    return rest;
}

static double product(int64_t n, const double *w, const double *a, const double *b)
{
    double lanes[LANES] = {0}, rest = 0;
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++)
            lanes[l] += w[i + l] * a[i + l] * b[i + l];
    for (; i < n; i++)
        rest += w[i] * a[i] * b[i];
    for (int l = 0; l < LANES; l++)
        rest += lanes[l];
    return rest;
}

/* -- Coordinates: centred at the weighted mean of the visible keys, the farthest at distance 1 --------------------- */

static void set_coordinate(workspace *work, const heed__np_data *data, const heed__np_query *q, int j)
{
    const double *x = data->x + work->columns[j] * data->keys;
    double *t = work->arrays.coordinates + j * work->n, middle = 0, farthest = 0;
    const double at = q->x[work->columns[j]];
    for (int64_t i = 0; i < work->n; i++)
        t[i] = x[work->arrays.visible.key[i]] / 4; /* a quarter, so that differences cannot overflow */
    for (int64_t i = 0; i < work->n; i++)
        middle += work->arrays.visible.w[i] * t[i];
    for (int64_t i = 0; i < work->n; i++) {
        t[i] -= middle;
        farthest = fmax(farthest, fabs(t[i]));
    }
    farthest = farthest > 0 ? farthest : 1;
    for (int64_t i = 0; i < work->n; i++)
        t[i] /= farthest;
    work->middle[j] = 4 * middle;
    work->farthest[j] = 4 * farthest;
    work->at[j] = (at / 4 - middle) / farthest;
}

/* -- Polynomials --------------------------------------------------------------------------------------------------- */

static double *power_at(const workspace *work, int k)
{
    return work->arrays.powers + k * work->n;
}

/* Subtracts from the last polynomial its projections on all polynomials before it, twice because of rounding, and
 * scales it to norm 1. Returns false if only rounding errors remain. */
static bool make_orthonormal(workspace *work)
{
    const int last = work->count;
    double *p = power_at(work, last);
    const double whole = product(work->n, work->arrays.visible.w, p, p);
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < last; k++) {
            const double *before = power_at(work, k), share = product(work->n, work->arrays.visible.w, p, before);
            for (int64_t i = 0; i < work->n; i++)
                p[i] -= share * before[i];
            work->at_query[last] -= share * work->at_query[k];
            work->curve[last] -= share * work->curve[k];
            for (int j = 0; j < work->smooth; j++)
                work->slope[last][j] -= share * work->slope[k][j];
        }
    const double square = product(work->n, work->arrays.visible.w, p, p);
    if (!(square > fmax(DBL_EPSILON * whole, 1e-160)))
        return false;
    const double norm = sqrt(square);
    for (int64_t i = 0; i < work->n; i++)
        p[i] /= norm;
    work->at_query[last] /= norm;
    work->curve[last] /= norm;
    for (int j = 0; j < work->smooth; j++)
        work->slope[last][j] /= norm;
    return true;
}

/* If make_orthonormal leaves out a linear polynomial, this polynomial is 0 at all keys. Any multiple of it can be added
 * to the fit, so the fit's slope is undefined along the coordinates in which the polynomial has a slope. A slope below
 * SLOPE is a rounding error. */
#define SLOPE 1e-6

/* Appends the product of polynomial k and coordinate j. Leaves out the product, and with it all its multiples, if it
 * depends linearly on the other polynomials. */
static void multiply(workspace *work, int k, int j)
{
    const double *from = power_at(work, k), *t = work->arrays.coordinates + j * work->n;
    double *p = power_at(work, work->count);
    for (int64_t i = 0; i < work->n; i++)
        p[i] = from[i] * t[i];
    work->at_query[work->count] = work->at_query[k] * work->at[j];
    work->curve[work->count] = work->curve[k] * work->at[j] + (j == 0 ? 2 * work->slope[k][0] : 0);
    for (int l = 0; l < work->smooth; l++)
        work->slope[work->count][l] = work->slope[k][l] * work->at[j] + (l == j ? work->at_query[k] : 0);
    work->last[work->count] = j;
    const bool is_new = make_orthonormal(work);
    for (int l = 0; !is_new && k == 0 && l < work->smooth; l++)
        work->has_no_slope[l] |= fabs(work->slope[work->count][l]) > SLOPE;
    work->count += is_new;
}

/* Scales the weights to add up to 1 and makes the polynomials up to a degree. A polynomial of degree d + 1 is a
 * polynomial of degree d times one more coordinate, whose index is not below the index of that polynomial's last
 * coordinate, so that every product of coordinates occurs once. */
static void make_powers(workspace *work, const heed__np_data *data, const heed__np_query *q, int degree)
{
    const double total = sum_of(work->n, work->arrays.visible.w);
    for (int64_t i = 0; i < work->n; i++) {
        work->arrays.visible.w[i] /= total;
        work->arrays.powers[i] = 1;
    }
    work->at_query[0] = 1;
    work->curve[0] = 0;
    memset(work->slope[0], 0, sizeof work->slope[0]);
    memset(work->has_no_slope, 0, sizeof work->has_no_slope);
    work->last[0] = 0;
    work->count = 1;
    if (degree > 0)
        for (int j = 0; j < work->smooth; j++)
            set_coordinate(work, data, q, j);
    for (int first = 0, step = 0; step < degree; step++) {
        const int end = work->count;
        for (int k = first; k < end; k++)
            for (int j = work->last[k]; j < work->smooth; j++)
                multiply(work, k, j);
        first = end;
    }
}

/* -- Results ------------------------------------------------------------------------------------------------------- */

/* Computes A_i in work->arrays.shares and y_i - f_i in work->arrays.residuals. */
static void find_shares(workspace *work)
{
    const int64_t n = work->n;
    memset(work->arrays.shares, 0, (size_t)n * sizeof *work->arrays.shares);
    memcpy(work->arrays.residuals, work->arrays.visible.y, (size_t)n * sizeof *work->arrays.residuals);
    for (int k = 0; k < work->count; k++) {
        const double *p = power_at(work, k), at_query = work->at_query[k], c = work->coefficients[k];
        for (int64_t i = 0; i < n; i++) {
            work->arrays.shares[i] += at_query * p[i];
            work->arrays.residuals[i] -= c * p[i];
        }
    }
}

/* Returns sum_i (w_i a_i)^2 v_i. */
static double variance(const workspace *work, const double *variances, const double *a)
{
    double sum = 0;
    for (int64_t i = 0; i < work->n; i++) {
        const double l = work->arrays.visible.w[i] * a[i];
        sum += l * l * variances[work->arrays.visible.key[i]];
    }
    return sum;
}

static void find_derivatives(const heed__np_smoother *s, const heed__np_query *q, workspace *work, heed__np_local *out)
{
    const double *w = work->arrays.visible.w;
    for (int c = 0; c < s->data->columns; c++) {
        out->by[c].d_log_sum = heed__np_weight_slopes(s, q, &work->arrays.visible, c, work->arrays.other);
        double mean = 0, own = 0;
        for (int64_t i = 0; i < work->n; i++) {
            out->by[c].d_log_sum += w[i] * work->arrays.other[i];
            const double change = w[i] * work->arrays.other[i] * work->arrays.shares[i];
            mean += change * work->arrays.residuals[i];
            own -= change * work->arrays.shares[i];
        }
        out->by[c].d_mean = mean;
        out->by[c].d_own = own;
    }
}

/* Computes numbers a_i with dm / dq_j = sum_i w_i a_i y_i, in work->arrays.other. For degree 0, a_i is d ln w_i / dq_j
 * minus its weighted mean. For higher degrees dm / dq_j is the slope of the polynomial. */
static void find_slope_shares(const heed__np_smoother *s, const heed__np_query *q, workspace *work, int j)
{
    double *a = work->arrays.other;
    if (s->degree == 0) {
        heed__np_constant_slopes(s, q, &work->arrays.visible, work->columns[j], a);
        const double middle = product(work->n, work->arrays.visible.w, a, work->arrays.powers);
        for (int64_t i = 0; i < work->n; i++)
            a[i] -= middle;
        return;
    }
    memset(a, 0, (size_t)work->n * sizeof *a);
    for (int k = 0; k < work->count; k++) {
        const double *p = power_at(work, k), slope = work->slope[k][j] / work->farthest[j];
        for (int64_t i = 0; i < work->n; i++)
            a[i] += slope * p[i];
    }
}

static void find_slopes(const heed__np_smoother *s, const heed__np_query *q, workspace *work,
                        const heed__np_requested *requested, heed__np_local *out)
{
    for (int j = 0; j < work->smooth; j++) {
        if (work->has_no_slope[j]) {
            out->by[j].slope = out->by[j].slope_variance = (double)NAN;
            continue;
        }
        find_slope_shares(s, q, work, j);
        out->by[j].slope = product(work->n, work->arrays.visible.w, work->arrays.other, work->arrays.visible.y);
        out->by[j].slope_variance = requested->variances ? variance(work, requested->variances, work->arrays.other) : 0;
    }
    for (int k = 0; s->degree > 1 && k < work->count && work->smooth > 0; k++)
        out->curve += work->curve[k] * work->coefficients[k] / (work->farthest[0] * work->farthest[0]);
}

/* Sets the result of a query without a visible key, whose fit and standard error are undefined. */
static void set_undefined(const heed__np_data *data, heed__np_local *out)
{
    out->has_no_keys = true;
    out->log_sum = -(double)INFINITY;
    out->mean = out->variance = out->curve = (double)NAN;
    for (int j = 0; j < data->smooth; j++)
        out->by[j].slope = out->by[j].slope_variance = (double)NAN;
}

void heed__np_direct(const heed__np_smoother *s, const heed__np_query *q, const heed__np_requested *requested,
                     char *scratch, heed__np_local *out)
{
    workspace *work = workspace_at(s, scratch);
    heed__np_weigh(s, q, &work->arrays.visible);
    memset(out, 0, HEED__NP_LOCAL_SIZE(s->data->columns));
    work->n = work->arrays.visible.n;
    if (work->n == 0) {
        set_undefined(s->data, out);
        return;
    }
    const double unit = sum_of(work->n, work->arrays.visible.w);
    out->log_sum = work->arrays.visible.log_scale + log(unit);
    make_powers(work, s->data, q, s->degree);
    for (int k = 0; k < work->count; k++) {
        work->coefficients[k] = product(work->n, work->arrays.visible.w, power_at(work, k), work->arrays.visible.y);
        out->mean += work->at_query[k] * work->coefficients[k];
        out->own += work->at_query[k] * work->at_query[k];
    }
    if (requested->derivatives || requested->variances)
        find_shares(work);
    if (requested->variances)
        out->variance = variance(work, requested->variances, work->arrays.shares);
    if (requested->derivatives)
        find_derivatives(s, q, work, out);
    if (requested->slopes)
        find_slopes(s, q, work, requested, out);
    out->powers = work->count;
    const double own_weight =
        /* share of the sum of weights that a row of weight 1 at q has */
        heed__np_own_weight(s) / unit * exp(-work->arrays.visible.log_scale);
    for (int c = 0; c < s->data->columns; c++)
        out->by[c].d_own = own_weight * (out->by[c].d_own + out->own * heed__np_own_slope(s, c));
    out->own *= own_weight;
}

void heed__np_leave_out(const heed__np_smoother *s, int64_t row, const heed__np_requested *requested, char *scratch,
                        heed__np_local *out)
{
    const heed__np_data *data = s->data;
    heed__np_query q = heed__np_query_of_key(data, data->key_of[row]);
    const double rest = q.own_w - data->row_w[row];
    q.own_w = rest > 1e-12 * q.own_w ? rest : 0;
    if (q.own_w > 0)
        q.own_y += (q.own_y - data->row_y[row]) * (data->row_w[row] / rest);
    heed__np_direct(s, &q, requested, scratch, out);
}

void heed__np_direct_row(const heed__np_smoother *s, const heed__np_query *q, int slope, char *scratch, double *row)
{
    workspace *work = workspace_at(s, scratch);
    heed__np_weigh(s, q, &work->arrays.visible);
    work->n = work->arrays.visible.n;
    if (work->n > 0)
        make_powers(work, s->data, q, s->degree);
    const bool is_undefined = work->n == 0 || (slope >= 0 && work->has_no_slope[slope]);
    for (int64_t k = 0; k < s->data->keys; k++)
        row[k] = is_undefined ? (double)NAN : 0;
    if (is_undefined)
        return;
    memset(work->coefficients, 0, sizeof work->coefficients);
    if (slope >= 0)
        find_slope_shares(s, q, work, slope);
    else
        find_shares(work);
    const double *shares = slope >= 0 ? work->arrays.other : work->arrays.shares;
    for (int64_t i = 0; i < work->n; i++)
        row[work->arrays.visible.key[i]] = work->arrays.visible.w[i] * shares[i];
}
