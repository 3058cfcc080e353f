/* np/kernel_weights.c - the weights of rows for a query, which are products of the kernels of all columns.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "kernels/kernels.h"
#include "np/smoother.h"

/* -- Bandwidths and theta ------------------------------------------------------------------------------------------ */

double heed__np_most(const heed__np_smoother *s, int column)
{
    const heed__np_data *data = s->data;
    if (data->kinds[column] == HEED_NP_CONTINUOUS)
        return (double)INFINITY;
    const bool shared = s->labels == HEED_NP_CLASSIC && data->kinds[column] == HEED_NP_UNORDERED;
    return shared ? (data->labels[column] - 1) / data->labels[column] : 1.0;
}

double heed__np_theta(const heed__np_smoother *s, int column, double h)
{
    const double most = heed__np_most(s, column);
    return isinf(most) ? log(h) : log(h / (most - h));
}

double heed__np_bandwidth(const heed__np_smoother *s, int column, double theta)
{
    const double most = heed__np_most(s, column);
    return isinf(most) ? exp(theta) : most / (1 + exp(-theta));
}

/* -- Queries ------------------------------------------------------------------------------------------------------- */

heed__np_query heed__np_query_at(const heed__np_data *data, const double *x, int64_t n, int64_t i)
{
    heed__np_query q = {.key = -1};
    for (int c = 0; c < data->columns; c++)
        q.x[c] = x[c * n + i];
    return q;
}

heed__np_query heed__np_query_of_key(const heed__np_data *data, int64_t key)
{
    heed__np_query q = heed__np_query_at(data, data->x, data->keys, key);
    q.key = key;
    q.own_w = data->w[key];
    q.own_y = data->y[key];
    return q;
}

/* -- Kernels of a continuous column, of u = |x - q| / h, with K(0) = 1 --------------------------------------------- */

/* The kernel is (1 - u^power)^times; power 0 means the Gaussian. */
static const struct {
    int power, times;
} shapes[] = {[HEED_NW_GAUSSIAN] = {0, 0},     [HEED_NW_BOXCAR] = {1, 0},   [HEED_NW_TRIANGULAR] = {1, 1},
              [HEED_NW_EPANECHNIKOV] = {2, 1}, [HEED_NW_BIWEIGHT] = {2, 2}, [HEED_NW_TRIWEIGHT] = {2, 3},
              [HEED_NW_TRICUBE] = {3, 3}};

void heed__np_shape(heed_nw_kernel kernel, int *power, int *times)
{
    *power = shapes[kernel].power;
    *times = shapes[kernel].times;
}

static double power_of(double u, int n)
{
    double power = 1;
    for (int i = 0; i < n; i++)
        power *= u;
    return power;
}

static double compact_kernel(heed_nw_kernel kernel, double u)
{
    return u <= 1 ? power_of(1 - power_of(u, shapes[kernel].power), shapes[kernel].times) : 0;
}

/* Returns d ln K / d ln h = -u K'(u) / K(u) inside the window. It is 0 for the uniform kernel, also at the ends of the
 * window. */
static double compact_slope(heed_nw_kernel kernel, double u)
{
    if (shapes[kernel].times == 0)
        return 0;
    const double power = power_of(u, shapes[kernel].power);
    return shapes[kernel].power * shapes[kernel].times * power / (1 - power);
}

/* -- Weights of all keys, or of the keys in a window of a sorted column -------------------------------------------- */

typedef heed__np_key_range key_range;

int64_t heed__np_first_from(const heed__np_data *data, double x)
{
    int64_t low = 0, high = data->keys;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (data->x[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* At most one key equals x, because the keys of a sorted column are distinct. */
int64_t heed__np_first_above(const heed__np_data *data, double x)
{
    const int64_t first = heed__np_first_from(data, x);
    return first + (first < data->keys && data->x[first] == x);
}

static double key_weight(const heed__np_query *q, const heed__np_data *data, int64_t key)
{
    return key == q->key ? q->own_w : data->w[key];
}

/* Returns the smallest distance from q within which the keys have the share s->nearest of the weights that the caller
 * gave. Robust weights do not count, so robust rounds do not change the windows. The share is rounded down to whole
 * units, which are whole rows if all weights are equal. If the distance is 0, returns the distance of the next key
 * instead. */
static double distance_of_share(const heed__np_smoother *s, const heed__np_query *q)
{
    const heed__np_data *data = s->data;
    int64_t right = heed__np_first_from(data, q->x[0]), left = right - 1;
    double distance = 0, weight = 0;
    const double unit = data->weight_unit, share = s->nearest * data->given_total;
    const double least = (unit > 0 ? unit * floor(share / unit + 1e-5) : share) * (1 - 1e-12);
    while ((weight < least || distance == 0) && (left >= 0 || right < data->keys)) {
        const double to_left = left >= 0 ? q->x[0] - data->x[left] : (double)INFINITY;
        const double to_right = right < data->keys ? data->x[right] - q->x[0] : (double)INFINITY;
        distance = fmin(to_left, to_right);
        weight += data->given[to_left < to_right ? left-- : right++];
    }
    return distance > 0 ? distance : 1;
}

static key_range visible_range(const heed__np_smoother *s, const heed__np_query *q, double h)
{
    const heed__np_data *data = s->data;
    if (!data->sorted)
        return (key_range){0, data->keys};
    double reach = h;
    /* weights are relative to the weight of the nearest key whose own weight is above 0 */
    if (s->kernel == HEED_NW_GAUSSIAN) {
        int64_t right = heed__np_first_from(data, q->x[0]), left = right - 1;
        while (right < data->keys && key_weight(q, data, right) == 0)
            right++;
        while (left >= 0 && key_weight(q, data, left) == 0)
            left--;
        const double to_left = left >= 0 ? q->x[0] - data->x[left] : (double)INFINITY;
        const double to_right = right < data->keys ? data->x[right] - q->x[0] : (double)INFINITY;
        const double near = fmin(to_left, to_right) / h;
        reach = isfinite(near) ? h * sqrt(near * near + 2 * HEED__NP_FAR) : (double)INFINITY;
        reach *= 1 + 1e-12;
    }
    return (key_range){heed__np_first_from(data, q->x[0] - reach), heed__np_first_above(data, q->x[0] + reach)};
}

/* The factor of a key whose label differs from the query's label by a given number, and the factor's d ln / d theta. */
typedef struct label_effect {
    double factor, slope;
} label_effect;

static double label_factor(const heed__np_smoother *s, int c, double away)
{
    const double l = s->h[c];
    const bool ordered = s->data->kinds[c] == HEED_NP_ORDERED, classic = s->labels == HEED_NP_CLASSIC;
    if (away == 0)
        return classic ? 1 - l : 1;
    if (ordered)
        return (classic ? (1 - l) / 2 : 1) * pow(l, away);
    return classic ? l / (s->data->labels[c] - 1) : l;
}

static double label_slope(const heed__np_smoother *s, int c, double away)
{
    const double l = s->h[c], most = heed__np_most(s, c);
    const bool ordered = s->data->kinds[c] == HEED_NP_ORDERED, classic = s->labels == HEED_NP_CLASSIC;
    const double lost = classic && l < 1 ? -l * (1 - l / most) / (1 - l) : 0; /* d ln(1 - l) */
    const double power = (ordered ? fabs(away) : 1) * (1 - l / most);
    if (away == 0)
        return lost;
    return ordered ? lost + power : power;
}

static label_effect effect_of(const heed__np_smoother *s, int c, double away)
{
    return (label_effect){label_factor(s, c, away), label_slope(s, c, away)};
}

void heed__np_weigh_labels(const heed__np_smoother *s, const heed__np_query *q, int c, key_range keys, double *w,
                           double *slopes)
{
    enum { MOST = 64 };
    const double *x = s->data->x + c * s->data->keys + keys.begin, at = q->x[c];
    label_effect listed[MOST]; /* listed[d] is for labels that differ by d; labels are whole numbers */
    for (int d = 0; d < MOST; d++)
        listed[d] = effect_of(s, c, d);
    for (int64_t i = 0; i < keys.end - keys.begin; i++) {
        const double away = fabs(x[i] - at);
        const label_effect effect = away < MOST ? listed[(int)away] : effect_of(s, c, away);
        w[i] *= effect.factor;
        if (slopes)
            slopes[i] = effect.slope;
    }
}

/* Multiplies visible->w by the factors of a continuous column with the bandwidth h, or for the Gaussian adds their
 * exponents to visible->scratch. */
static void weigh_numbers(const heed__np_smoother *s, const heed__np_query *q, int c, double h, key_range keys,
                          heed__np_visible_keys *visible)
{
    const double *x = s->data->x + c * s->data->keys + keys.begin, at = q->x[c];
    double *w = visible->w, *exponents = visible->scratch;
    const int64_t n = keys.end - keys.begin;
    if (s->kernel == HEED_NW_GAUSSIAN)
        for (int64_t i = 0; i < n; i++) {
            const double u = (x[i] - at) / h;
            exponents[i] -= 0.5 * u * u;
        }
    else
        for (int64_t i = 0; i < n; i++)
            w[i] *= compact_kernel(s->kernel, fabs(x[i] - at) / h);
}

/* Multiplies every weight by exp(e - the largest e), with its exponent e. Sets it to 0 if that factor is negligible.
 * Returns the largest e. */
static double exponentiate(int64_t n, double *w, double *exponents)
{
    double most = -(double)INFINITY;
    for (int64_t i = 0; i < n; i++)
        if (w[i] > 0 && exponents[i] > most)
            most = exponents[i];
    if (isinf(most))
        most = 0;
    for (int64_t i = 0; i < n; i++)
        exponents[i] = fmax(exponents[i] - most, -1000.0);
    HEED__RUN(exp, HEED_F64, n, exponents, 1, exponents, NULL);
    for (int64_t i = 0; i < n; i++)
        w[i] = exponents[i] >= 1e-20 ? w[i] * exponents[i] : 0; /* 1e-20 is e^-HEED__NP_FAR */
    return most;
}

/* Computes the weights of a range of keys with all bandwidths multiplied by `wider`, and stores the keys with a weight
 * above 0 in *visible. Returns their number. */
static int64_t weigh_range(const heed__np_smoother *s, const heed__np_query *q, key_range keys, double wider,
                           heed__np_visible_keys *visible)
{
    const heed__np_data *data = s->data;
    const int64_t n = keys.end - keys.begin;
    double *w = visible->w, *exponents = visible->scratch;
    for (int64_t i = 0; i < n; i++) {
        w[i] = data->w[keys.begin + i];
        exponents[i] = 0;
    }
    if (q->key >= keys.begin && q->key < keys.end)
        w[q->key - keys.begin] = q->own_w;
    for (int c = 0; c < data->columns; c++)
        if (data->kinds[c] == HEED_NP_CONTINUOUS)
            weigh_numbers(s, q, c, (data->columns == 1 ? visible->h : s->h[c]) * wider, keys, visible);
        else
            heed__np_weigh_labels(s, q, c, keys, w, NULL);
    visible->log_scale = s->kernel == HEED_NW_GAUSSIAN ? exponentiate(n, w, exponents) * wider * wider : 0;
    visible->n = 0;
    for (int64_t i = 0; i < n; i++)
        if (w[i] > 0) {
            const int64_t key = keys.begin + i;
            visible->w[visible->n] = w[i];
            visible->y[visible->n] = key == q->key ? q->own_y : data->y[key];
            visible->key[visible->n++] = key;
        }
    return visible->n;
}

heed__np_visible_keys heed__np_visible_keys_in(const heed__np_data *data, arena *a)
{
    heed__np_visible_keys visible = {.capacity = data->keys};
    visible.w = take_array(a, data->keys, sizeof *visible.w);
    visible.y = take_array(a, data->keys, sizeof *visible.y);
    visible.scratch = take_array(a, data->keys, sizeof *visible.scratch);
    visible.key = take_array(a, data->keys, sizeof *visible.key);
    return visible;
}

/* With the Gaussian the nearest key is always visible. If squares of distances overflow with the given bandwidths, so
 * that no key is visible, tries again with bandwidths that are wider by a factor of 2^500 and 2^1000. */
void heed__np_weigh(const heed__np_smoother *s, const heed__np_query *q, heed__np_visible_keys *visible)
{
    visible->h = s->nearest > 0 ? distance_of_share(s, q) : s->h[0];
    if (weigh_range(s, q, visible_range(s, q, visible->h), 1, visible) > 0 || s->kernel != HEED_NW_GAUSSIAN)
        return;
    for (double wider = 0x1p500; visible->n == 0 && wider <= 0x1p1000; wider *= 0x1p500)
        (void)weigh_range(s, q, (key_range){0, s->data->keys}, wider, visible);
}

/* -- Their derivatives --------------------------------------------------------------------------------------------- */

/* Subtracts the smallest slope from all slopes, and returns it. This does not affect the fit, because a common factor
 * of all weights does not. It keeps the slopes of the nearest keys finite and small; the squares of far keys may
 * overflow. */
static double subtract_least(int64_t n, double *slopes)
{
    double least = (double)INFINITY;
    for (int64_t i = 0; i < n; i++)
        least = fmin(least, slopes[i]);
    for (int64_t i = 0; i < n; i++)
        slopes[i] = isinf(least) ? 0 : slopes[i] - least;
    return least;
}

double heed__np_weight_slopes(const heed__np_smoother *s, const heed__np_query *q, const heed__np_visible_keys *visible,
                              int column, double *slopes)
{
    const double *x = s->data->x + column * s->data->keys, at = q->x[column], h = s->h[column];
    const bool smooth = s->data->kinds[column] == HEED_NP_CONTINUOUS;
    for (int64_t i = 0; i < visible->n; i++) {
        const double away = x[visible->key[i]] - at, u = fabs(away) / h;
        if (!smooth)
            slopes[i] = label_slope(s, column, away);
        else
            slopes[i] = s->kernel == HEED_NW_GAUSSIAN ? u * u : compact_slope(s->kernel, u);
    }
    return smooth && s->kernel == HEED_NW_GAUSSIAN ? subtract_least(visible->n, slopes) : 0;
}

void heed__np_constant_slopes(const heed__np_smoother *s, const heed__np_query *q, const heed__np_visible_keys *visible,
                              int column, double *slopes)
{
    const double *x = s->data->x + column * s->data->keys, at = q->x[column];
    const double h = s->data->columns == 1 ? visible->h : s->h[column];
    for (int64_t i = 0; i < visible->n; i++) {
        const double u = (x[visible->key[i]] - at) / h, size = fabs(u);
        if (s->kernel == HEED_NW_GAUSSIAN)
            slopes[i] = u / h;
        else
            slopes[i] = size > 0 ? compact_slope(s->kernel, size) / (u * h) : 0;
    }
}

double heed__np_own_weight(const heed__np_smoother *s)
{
    double w = 1;
    for (int c = 0; c < s->data->columns; c++)
        if (s->labels == HEED_NP_CLASSIC && s->data->kinds[c] != HEED_NP_CONTINUOUS)
            w *= 1 - s->h[c];
    return w;
}

double heed__np_own_slope(const heed__np_smoother *s, int column)
{
    return s->data->kinds[column] == HEED_NP_CONTINUOUS ? 0 : label_slope(s, column, 0);
}
