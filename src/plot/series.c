/* plot/series.c - reads series, after checking all of them. */
#include <inttypes.h>
#include <math.h>

#include <heed/ops.h>

#include "plot/figure.h"
#include "plot/series.h"

#define DEFAULT_LINE_WIDTH 1.5
#define HISTOGRAMS_ALPHA 0.6           /* opacity of every histogram if there are several */
#define GROUP 0.8                      /* the fraction of the distance between neighbouring x that bars fill */
#define MOST_POINTS ((int64_t)1 << 26) /* these points need 2 GB while they are drawn */
#define MOST_BINS 100000

/* -- Tensors ---------------------------------------------------------------------------------------------- */

static heed_status check_numbers(const heed_tensor *t, const char *name, int number, const char *where)
{
    if (heed_dtype_of(t) == HEED_BOOL)
        return heed_fail(HEED_ERR_DTYPE, where, "%s of series %d is bool: must be f32, f64 or i64", name, number);
    return HEED_OK;
}

static heed_status check_vector(const heed_tensor *t, const char *name, int number, const char *where)
{
    heed_status status = check_numbers(t, name, number, where);
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
    heed_status status = check_numbers(t, "error", number, where);
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
        histogram ? check_numbers(first, name, number, where) : check_vector(first, name, number, where);
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
static heed_status check_kind(const heed_plot_series *s, int number, const char *where)
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
static const double *values(heed_tensor *t, bool *failed)
{
    const double *found = t ? heed__figure_values(t) : NULL;
    *failed = *failed || (t && !found);
    return found;
}

static heed_status read_values(heed__series *s, const heed_plot_series *given)
{
    bool failed = false;
    s->y = values(given->y, &failed);
    s->x = values(given->x, &failed);
    s->low = values(given->low, &failed);
    s->high = values(given->high, &failed);
    s->down = s->up = values(given->error, &failed);
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

heed_status heed__series_read(heed__series *all, const heed_plot_series *given, int n, bool log_x, const char *where)
{
    size_t next = 0;
    int64_t remaining = MOST_POINTS, count = 0;
    heed_status status = HEED_OK;
    for (int i = 0; status == HEED_OK && i < n; i++) {
        status = check_kind(&given[i], i, where);
        if (status == HEED_OK)
            status = check_tensors(&count, &given[i], i, &remaining, where);
        if (status == HEED_OK)
            status = read_style(&all[i], &given[i], i, &next, where);
        all[i].count = count;
    }
    for (int i = 0; status == HEED_OK && i < n; i++)
        if (given[i].kind != HEED_PLOT_HISTOGRAM)
            status = read_values(&all[i], &given[i]);
    if (status == HEED_OK)
        status = position_bars(all, given, n);
    thin_histograms(all, given, n);
    return status == HEED_OK ? heed__series_histograms(all, given, n, log_x) : status;
}
