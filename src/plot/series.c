/* plot/series.c - reads series, after checking all of them, and counts the elements of histograms.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>

#include <heed/ops.h>

#include "plot/axis.h"
#include "plot/figure.h"

#define DEFAULT_LINE_WIDTH 1.5
#define HISTOGRAMS_ALPHA 0.6           /* opacity of every histogram if there are several */
#define GROUP 0.8                      /* the fraction of the distance between neighbouring x that bars fill */
#define MOST_POINTS ((int64_t)1 << 26) /* these points need 2 GB while they are drawn */
#define MOST_BINS 100000
#define MOST_AUTOMATIC 1000 /* bins, if the caller did not set their number */

/* -- Tensors ---------------------------------------------------------------------------------------------- */

static heed_status check_series_dtype(const heed_tensor *t, const char *name, int number, const char *where)
{
    if (heed_dtype_of(t) == HEED_BOOL)
        return heed_fail(HEED_ERR_DTYPE, where, "%s of series %d is bool: must be f32, f64 or i64", name, number);
    return HEED_OK;
}

static heed_status check_vector(const heed_tensor *t, const char *name, int number, const char *where)
{
    heed_status status = check_series_dtype(t, name, number, where);
    if (status == HEED_OK && heed_rank(t) != 1)
        return heed_fail(HEED_ERR_SHAPE, where, "%s of series %d is %s: must be (n)", name, number,
                         heed_shape_text(heed_shape_of(t)).s);
    return status;
}

/* Checks that `t` has shape (count), unless it is NULL. */
static heed_status check_like(const heed_tensor *t, const char *name, const char *first, int64_t count, int number,
                              const char *where)
{
    if (!t)
        return HEED_OK;
    heed_status status = check_vector(t, name, number, where);
    if (status == HEED_OK && heed_dim(t, 0) != count)
        return heed_fail(HEED_ERR_SHAPE, where, "%s and %s of series %d have %" PRId64 " and %" PRId64 " elements",
                         name, first, number, heed_dim(t, 0), count);
    return status;
}

static heed_status check_error(const heed_tensor *t, int64_t count, int number, const char *where)
{
    if (!t)
        return HEED_OK;
    heed_status status = check_series_dtype(t, "error", number, where);
    int rank = heed_rank(t);
    bool fits = rank == 1 ? heed_dim(t, 0) == count : rank == 2 && heed_dim(t, 0) == 2 && heed_dim(t, 1) == count;
    if (status == HEED_OK && !fits)
        return heed_fail(HEED_ERR_SHAPE, where,
                         "error of series %d is %s: must be (%" PRId64 ") or (2, %" PRId64 "), to match y", number,
                         heed_shape_text(heed_shape_of(t)).s, count, count);
    return status;
}

/* Checks the tensors of a series and sets *count to its number of points. *remaining is the number of points still
 * allowed, from which *count is subtracted. */
static heed_status check_tensors(int64_t *count, const heed_plot_series *s, int number, int64_t *remaining,
                                 const char *where)
{
    const heed_tensor *first = s->y ? s->y : s->low;
    const char *name = s->y ? "y" : "low";
    if (!first)
        return heed_fail(HEED_ERR_ARGUMENT, where, "y of series %d is NULL", number);
    bool histogram = s->kind == HEED_PLOT_HISTOGRAM;
    heed_status status =
        histogram ? check_series_dtype(first, name, number, where) : check_vector(first, name, number, where);
    *count = heed_numel(first);
    if (status == HEED_OK)
        status = check_like(s->x, "x", name, *count, number, where);
    if (status == HEED_OK)
        status = check_like(s->low, "low", name, *count, number, where);
    if (status == HEED_OK)
        status = check_like(s->high, "high", name, *count, number, where);
    if (status == HEED_OK)
        status = check_error(s->error, *count, number, where);
    if (status == HEED_OK && *count > *remaining)
        return heed_fail(HEED_ERR_SHAPE, where,
                         "series %d has %" PRId64 " points: all series together must have at most %" PRId64, number,
                         *count, MOST_POINTS);
    *remaining -= *count;
    return status;
}

/* -- Options ---------------------------------------------------------------------------------------------- */

/* Checks that the kind of a series is valid and that no option is set that this kind does not support. */
static heed_status check_series_kind(const heed_plot_series *s, int number, const char *where)
{
    static const char *const kinds[] = {"a curve", "bars", "a histogram"};
    bool curve = s->kind == HEED_PLOT_CURVE, histogram = s->kind == HEED_PLOT_HISTOGRAM;
    if ((unsigned)s->kind > HEED_PLOT_HISTOGRAM)
        return heed_fail(HEED_ERR_ARGUMENT, where, "kind of series %d must be one of HEED_PLOT_*, not %d", number,
                         (int)s->kind);
    const char *extra = (s->bins != 0 || s->density) && !histogram                ? "bins and density"
                        : (s->low || s->high) && !curve                           ? "low and high"
                        : (s->style || s->marker || s->line_width != 0) && !curve ? "style, marker and line_width"
                        : s->x && histogram                                       ? "x"
                        : s->error && (histogram || !s->y)                        ? "error"
                                                                                  : NULL;
    if (extra)
        return heed_fail(HEED_ERR_ARGUMENT, where, "series %d is %s%s: must not have %s", number, kinds[s->kind],
                         curve && !s->y ? " of low and high alone" : "", extra);
    if (!s->low != !s->high)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%s of series %d is NULL, but %s is not", s->low ? "high" : "low",
                         number, s->low ? "low" : "high");
    if (s->bins < 0 || s->bins > MOST_BINS)
        return heed_fail(HEED_ERR_ARGUMENT, where, "bins of series %d is %d: must be in 0 .. %d", number, s->bins,
                         MOST_BINS);
    return HEED_OK;
}

/* Checks and copies colour, line and marker. *next is the number of colours already taken from the cycle of colours. */
static heed_status read_style(heed__series *to, const heed_plot_series *s, int number, size_t *next, const char *where)
{
    static const uint32_t cycle[] = {0x1f77b4, 0xff7f0e, 0x2ca02c, 0xd62728, 0x9467bd,
                                     0x8c564b, 0xe377c2, 0x7f7f7f, 0xbcbd22, 0x17becf};
    if ((unsigned)s->style > HEED_LINE_NONE || (unsigned)s->marker > HEED_MARKER_CROSS)
        return heed_fail(HEED_ERR_ARGUMENT, where,
                         "style and marker of series %d must be one of HEED_LINE_* and HEED_MARKER_*, not %d and %d",
                         number, (int)s->style, (int)s->marker);
    if (s->color > 0xffffff)
        return heed_fail(HEED_ERR_ARGUMENT, where, "color 0x%x of series %d is not 0xRRGGBB", (unsigned)s->color,
                         number);
    if (s->alpha != 0 && !(s->alpha > 0 && s->alpha <= 1))
        return heed_fail(HEED_ERR_ARGUMENT, where, "alpha of series %d is %g: must be above 0 and at most 1", number,
                         s->alpha);
    if (s->line_width != 0 && !(s->line_width > 0 && s->line_width <= HEED__MAX_PIXELS))
        return heed_fail(HEED_ERR_ARGUMENT, where, "line_width of series %d is %g: must be above 0 and at most %d",
                         number, s->line_width, HEED__MAX_PIXELS);
    *to = (heed__series){.kind = s->kind,
                         .label = s->label,
                         .style = s->y ? s->style : HEED_LINE_NONE,
                         .marker = s->y ? s->marker : HEED_MARKER_NONE,
                         .color = s->color,
                         .alpha = s->alpha == 0 ? 1 : s->alpha,
                         .line_width = s->line_width == 0 ? DEFAULT_LINE_WIDTH : s->line_width};
    if (to->color == 0)
        to->color = cycle[(*next)++ % (sizeof cycle / sizeof cycle[0])];
    return HEED_OK;
}

/* -- Values ----------------------------------------------------------------------------------------------- */

/* Returns the elements of `t`, or NULL if t is NULL. Sets *failed to true if they cannot be read. */
static const double *elements(heed_tensor *t, bool *failed)
{
    const double *found = t ? heed__figure_values(t) : NULL;
    *failed = *failed || (t && !found);
    return found;
}

static heed_status read_elements(heed__series *s, const heed_plot_series *given)
{
    bool failed = false;
    s->y = elements(given->y, &failed);
    s->x = elements(given->x, &failed);
    s->low = elements(given->low, &failed);
    s->high = elements(given->high, &failed);
    s->down = s->up = elements(given->error, &failed);
    if (s->up && heed_rank(given->error) == 2)
        s->up += s->count;
    return failed ? heed_error_code() : HEED_OK;
}

/* Lowers *spacing to the smallest positive distance between two x of the series, if it is larger or NaN. */
static heed_status find_spacing(const heed__series *s, heed_tensor *x, double *spacing)
{
    const double *sorted = x ? heed__figure_values(heed_sort(heed_to_dtype(x, HEED_F64))) : NULL;
    if (x && !sorted)
        return heed_error_code();
    for (int64_t i = 1; sorted && i < s->count; i++) {
        double step = sorted[i] - sorted[i - 1];
        if (step > 0 && isfinite(step) && !(step >= *spacing))
            *spacing = step;
    }
    return HEED_OK;
}

/* Sets offset and width of all bars, so that the bars of several series at the same x stand side by side. */
static heed_status position_bars(heed__series *all, const heed_plot_series *given, int n)
{
    double spacing = (double)NAN;
    int bars = 0, number = 0;
    for (int i = 0; i < n; i++) {
        if (all[i].kind != HEED_PLOT_BARS)
            continue;
        bars++;
        if (!all[i].x && all[i].count > 1 && !(spacing <= 1))
            spacing = 1;
        if (find_spacing(&all[i], given[i].x, &spacing) != HEED_OK)
            return heed_error_code();
    }
    double group = GROUP * (isnan(spacing) ? 1 : spacing);
    for (int i = 0; i < n; i++)
        if (all[i].kind == HEED_PLOT_BARS) {
            all[i].width = group / bars;
            all[i].offset = number++ * all[i].width - group / 2;
        }
    return HEED_OK;
}

static void thin_histograms(heed__series *all, const heed_plot_series *given, int n)
{
    int histograms = 0;
    for (int i = 0; i < n; i++)
        histograms += all[i].kind == HEED_PLOT_HISTOGRAM;
    for (int i = 0; i < n; i++)
        if (histograms > 1 && all[i].kind == HEED_PLOT_HISTOGRAM && given[i].alpha == 0)
            all[i].alpha = HISTOGRAMS_ALPHA;
}

/* -- Histograms: number of bins --------------------------------------------------------------------------- */

/* The bins of equal width that all histograms of a picture share. */
typedef struct bins {
    double low, high;
    int64_t count;
    bool log_x;
} bins;

static bool is_counted(const bins *b, double value)
{
    return isfinite(value) && (!b->log_x || value > 0);
}

/* Returns the left edge of bin i. */
static double bin_edge(const bins *b, int64_t i)
{
    double fraction = (double)i / (double)b->count;
    return b->low * (1 - fraction) + b->high * fraction;
}

/* Returns the cube root of a whole number. Uses Newton's method, so that the bits do not depend on the C library. */
static double cube_root(double n)
{
    double y = n;
    for (int i = 0; i < 100; i++)
        y -= (y * y * y - n) / (3 * y * y);
    return y;
}

/* Returns the quantile q of n sorted numbers, interpolated linearly as in NumPy. */
static double sorted_quantile(const double *sorted, int64_t n, double q)
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
    double range = sorted[n - 1] - sorted[0],
           width = 2 * (sorted_quantile(sorted, n, 0.75) - sorted_quantile(sorted, n, 0.25));
    double number = width > 0 ? range / width * cube_root((double)n) : 0;
    double limit = whole ? fmin(range, MOST_AUTOMATIC) : MOST_AUTOMATIC;
    /* if `number` is NaN because the range is infinite, it becomes `most` */
    number = fmin(fmax(ceil(number - 1e-9), (double)most), limit);
    return number >= 1 ? (int64_t)number : 1;
}

/* -- Histograms: range of the bins ------------------------------------------------------------------------ */

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
    while (from < end && !is_counted(b, sorted[from]))
        from++;
    while (end > from && !is_counted(b, sorted[end - 1]))
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

/* -- Histograms: counting --------------------------------------------------------------------------------- */

/* Returns the bin that contains a value. The last bin includes its right edge. */
static int64_t bin_of(const bins *b, double value)
{
    double fraction = (value / 2 - b->low / 2) / (b->high / 2 - b->low / 2);
    int64_t i = (int64_t)fmin(fmax(fraction * (double)b->count, 0), (double)(b->count - 1)), end = b->count;
    if (bin_edge(b, i) <= value && (i + 1 == end || value < bin_edge(b, i + 1)))
        return i;
    for (i = 0; end - i > 1;) { /* edges are rounded, and many may be equal */
        int64_t middle = i + (end - i) / 2;
        *(value < bin_edge(b, middle) ? &end : &i) = middle;
    }
    return i;
}

static heed_status count_histogram(heed__series *s, const heed_plot_series *given, const bins *b)
{
    heed_tensor *left = heed_zeros(HEED_F64, HEED_SHAPE(b->count)),
                *height = heed_zeros(HEED_F64, HEED_SHAPE(b->count));
    const double *value = heed__figure_values(given->y);
    double *x = left ? heed_mutable_f64(left) : NULL, *y = height ? heed_mutable_f64(height) : NULL;
    if (!value || !x || !y)
        return heed_error_code();
    int64_t counted = 0;
    for (int64_t i = 0; i < s->count; i++)
        if (is_counted(b, value[i])) {
            y[bin_of(b, value[i])]++;
            counted++;
        }
    s->width = b->high / (double)b->count - b->low / (double)b->count;
    for (int64_t i = 0; i < b->count; i++) {
        x[i] = bin_edge(b, i);
        y[i] /= given->density && counted ? (double)counted * s->width : 1;
    }
    s->x = x;
    s->y = y;
    s->count = b->count;
    return HEED_OK;
}

/* Counts the elements of the histograms among the series and sets x, y, width and count. */
static heed_status read_histograms(heed__series *all, const heed_plot_series *given, int n, bool log_x)
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
            status = count_histogram(&all[i], &given[i], &b);
    return status;
}

/* -- Series ----------------------------------------------------------------------------------------------- */

heed_status heed__series_read(heed__series *all, const heed_plot_series *given, int n, bool log_x, const char *where)
{
    size_t next = 0;
    int64_t remaining = MOST_POINTS, count = 0;
    heed_status status = HEED_OK;
    for (int i = 0; status == HEED_OK && i < n; i++) {
        status = check_series_kind(&given[i], i, where);
        if (status == HEED_OK)
            status = check_tensors(&count, &given[i], i, &remaining, where);
        if (status == HEED_OK)
            status = read_style(&all[i], &given[i], i, &next, where);
        all[i].count = count;
    }
    for (int i = 0; status == HEED_OK && i < n; i++)
        if (given[i].kind != HEED_PLOT_HISTOGRAM)
            status = read_elements(&all[i], &given[i]);
    if (status == HEED_OK)
        status = position_bars(all, given, n);
    thin_histograms(all, given, n);
    return status == HEED_OK ? read_histograms(all, given, n, log_x) : status;
}
