/* plot/histogram.c - histograms: counts elements in bins of equal width, shared by all histograms of a picture. */
#include <math.h>

#include <heed/ops.h>

#include "plot/axis.h"
#include "plot/figure.h"
#include "plot/series.h"

#define MOST_AUTOMATIC 1000

typedef struct bins {
    double low, high;
    int64_t count;
    bool log_x;
} bins;

static bool counts(const bins *b, double value)
{
    return isfinite(value) && (!b->log_x || value > 0);
}

/* Returns the left edge of bin i. */
static double edge(const bins *b, int64_t i)
{
    double fraction = (double)i / (double)b->count;
    return b->low * (1 - fraction) + b->high * fraction;
}

/* -- Number of bins --------------------------------------------------------------------------------------- */

/* Returns the cube root of a whole number. Uses Newton's method, so that the bits do not depend on the C library. */
static double cube_root(double n)
{
    double y = n;
    for (int i = 0; i < 100; i++)
        y -= (y * y * y - n) / (3 * y * y);
    return y;
}

/* Returns the quantile q of n sorted numbers, interpolated linearly as in NumPy. */
static double quantile(const double *sorted, int64_t n, double q)
{
    double at = q * (double)(n - 1);
    int64_t i = (int64_t)at;
    double fraction = at - (double)i, next = sorted[i + 1 < n ? i + 1 : i];
    return sorted[i] * (1 - fraction) + next * fraction;
}

/* Returns the number of bins: the larger of Sturges's number, log2(n) + 1, and the number of bins with the width of
 * Freedman and Diaconis, 2 IQR / n^(1/3). Bins of whole numbers are at least 1 wide. */
static int64_t automatic(const double *sorted, int64_t n, bool whole)
{
    int64_t most = 1;
    while (most < 63 && ((int64_t)1 << (most - 1)) < n)
        most++;
    double range = sorted[n - 1] - sorted[0], width = 2 * (quantile(sorted, n, 0.75) - quantile(sorted, n, 0.25));
    double number = width > 0 ? range / width * cube_root((double)n) : 0;
    double limit = whole ? fmin(range, MOST_AUTOMATIC) : MOST_AUTOMATIC;
    /* if `number` is NaN because the range is infinite, it becomes `most` */
    number = fmin(fmax(ceil(number - 1e-9), (double)most), limit);
    return number >= 1 ? (int64_t)number : 1;
}

/* -- Range of the bins ------------------------------------------------------------------------------------ */

/* Returns all elements of all histograms, sorted, with NaN last. Sets *whole to true if all are i64. Returns NULL with
 * an error pending. */
static heed_tensor *pooled(const heed_plot_series *given, int n, bool *whole)
{
    heed_tensor *all = heed_zeros(HEED_F64, HEED_SHAPE(0));
    *whole = true;
    for (int i = 0; all && i < n; i++) {
        if (given[i].kind != HEED_PLOT_HISTOGRAM)
            continue;
        heed_tensor *flat = heed_reshape(heed_to_dtype(given[i].y, HEED_F64), HEED_SHAPE(-1));
        all = flat ? heed_concat(HEED_TENSORS(all, flat), 0) : NULL;
        *whole = *whole && heed_dtype_of(given[i].y) == HEED_I64;
    }
    return all ? heed_sort(all) : NULL;
}

static heed_status find_bins(bins *b, const heed_plot_series *given, int n)
{
    bool whole;
    heed_tensor *all = pooled(given, n, &whole);
    const double *sorted = all ? heed__figure_values(all) : NULL;
    if (!sorted)
        return heed_error_code();
    int64_t from = 0, end = heed_numel(all);
    while (from < end && !counts(b, sorted[from]))
        from++;
    while (end > from && !counts(b, sorted[end - 1]))
        end--;
    b->low = end > from ? sorted[from] : 0;
    b->high = end > from ? sorted[end - 1] : 1;
    if (b->count == 0)
        b->count = end > from ? automatic(sorted + from, end - from, whole) : 1;
    if (b->low == b->high && fabs(b->low) < 1e9) {
        b->low -= 0.5;
        b->high += 0.5;
    }
    heed__widen(&b->low, &b->high, 0.05);
    return HEED_OK;
}

/* -- Counting --------------------------------------------------------------------------------------------- */

/* Returns the bin that contains a value. The last bin includes its right edge. */
static int64_t bin_of(const bins *b, double value)
{
    double fraction = (value / 2 - b->low / 2) / (b->high / 2 - b->low / 2);
    int64_t i = (int64_t)fmin(fmax(fraction * (double)b->count, 0), (double)(b->count - 1)), end = b->count;
    if (edge(b, i) <= value && (i + 1 == end || value < edge(b, i + 1)))
        return i;
    for (i = 0; end - i > 1;) { /* edges are rounded, and many may be equal */
        int64_t middle = i + (end - i) / 2;
        *(value < edge(b, middle) ? &end : &i) = middle;
    }
    return i;
}

static heed_status count(heed__series *s, const heed_plot_series *given, const bins *b)
{
    heed_tensor *left = heed_zeros(HEED_F64, HEED_SHAPE(b->count)),
                *height = heed_zeros(HEED_F64, HEED_SHAPE(b->count));
    const double *value = heed__figure_values(given->y);
    double *x = left ? heed_mutable_f64(left) : NULL, *y = height ? heed_mutable_f64(height) : NULL;
    if (!value || !x || !y)
        return heed_error_code();
    int64_t counted = 0;
    for (int64_t i = 0; i < s->count; i++)
        if (counts(b, value[i])) {
            y[bin_of(b, value[i])]++;
            counted++;
        }
    s->width = b->high / (double)b->count - b->low / (double)b->count;
    for (int64_t i = 0; i < b->count; i++) {
        x[i] = edge(b, i);
        y[i] /= given->density && counted ? (double)counted * s->width : 1;
    }
    s->x = x;
    s->y = y;
    s->count = b->count;
    return HEED_OK;
}

heed_status heed__series_histograms(heed__series *all, const heed_plot_series *given, int n, bool log_x)
{
    bins b = {.log_x = log_x};
    int histograms = 0;
    for (int i = 0; i < n; i++) {
        histograms += given[i].kind == HEED_PLOT_HISTOGRAM;
        b.count = given[i].bins > b.count ? given[i].bins : b.count;
    }
    heed_status status = histograms > 0 ? find_bins(&b, given, n) : HEED_OK;
    for (int i = 0; status == HEED_OK && i < n; i++)
        if (given[i].kind == HEED_PLOT_HISTOGRAM)
            status = count(&all[i], &given[i], &b);
    return status;
}
