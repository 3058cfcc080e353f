/* plot/limits.c - limits of axes, from options or from the data. */
#include <float.h>
#include <math.h>

#include "plot/limits.h"

/* Returns true if the caller has set limits; if both are 0, it has not. */
static bool has_limits(const double limits[2])
{
    return !(limits[0] == 0 && limits[1] == 0);
}

/* Returns true if the limits are too close for distinct ticks. */
static bool too_close(double a, double b)
{
    double half = fabs(a / 2 - b / 2);
    return half < 4e-301 || half < 5e-14 * fmax(fabs(a), fabs(b));
}

heed_status heed__limits_read(heed__axis *axis, const char *name, const double limits[2], heed_axis_scale scale,
                              const char *where)
{
    if ((unsigned)scale > HEED_AXIS_LOG)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%sscale must be one of HEED_AXIS_*, not %d", name, (int)scale);
    axis->log = scale == HEED_AXIS_LOG;
    if (!has_limits(limits))
        return HEED_OK;
    if (!isfinite(limits[0]) || !isfinite(limits[1]) || too_close(limits[0], limits[1]))
        return heed_fail(HEED_ERR_ARGUMENT, where, "%slim is %g, %g: must be finite and further apart", name, limits[0],
                         limits[1]);
    if (axis->log && !(limits[0] > 0 && limits[1] > 0))
        return heed_fail(HEED_ERR_ARGUMENT, where, "%slim is %g, %g on a log axis: must be positive", name, limits[0],
                         limits[1]);
    axis->from = limits[0];
    axis->to = limits[1];
    return HEED_OK;
}

bool heed__limits_drawable(const heed__axis *axis, double value)
{
    return isfinite(value) && (!axis->log || value > 0);
}

typedef struct range {
    double low, high;
    bool stands; /* the axis has columns, which begin at 0 */
} range;

static void include(range *r, double value)
{
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

static void include_if(range *r, const heed__axis *axis, double value)
{
    if (heed__limits_drawable(axis, value))
        include(r, value);
}

/* Extends the ranges so that they contain point i of a series with its column, error bar and band. */
static void include_point(range *xs, range *ys, const heed__axis *x, const heed__axis *y, const heed__series *s,
                          int64_t i)
{
    double at = heed__series_x(s, i);
    bool columns = heed__series_is_columns(s), visible = s->y && heed__limits_drawable(y, s->y[i]);
    if (!heed__limits_drawable(x, at))
        return;
    if (visible)
        include(ys, s->y[i]);
    if (visible && heed__series_has_error(s, i)) {
        include_if(ys, y, s->y[i] + s->up[i]);
        include_if(ys, y, s->y[i] - s->down[i]);
    }
    if (heed__series_has_band(s, i)) {
        include_if(ys, y, s->low[i]);
        include_if(ys, y, s->high[i]);
        visible = visible || heed__limits_drawable(y, s->low[i]) || heed__limits_drawable(y, s->high[i]);
    }
    if (!visible)
        return;
    include_if(xs, x, columns ? at + s->offset : at);
    include_if(xs, x, columns ? at + s->offset + s->width : at);
}

/* Sets the limits of an axis to a range plus margins. A margin is 5 % of the range on a linear axis. On a logarithmic
 * axis it is 3/64 of the range, because the factor (high / low)^(3/64) needs only square roots, which are correctly
 * rounded everywhere. */
static void fit_axis(heed__axis *axis, range r)
{
    if (r.low > r.high)
        r = axis->log ? (range){1, 10, false} : (range){0, 1, false};
    if (axis->log) {
        double root = sqrt(r.high) / sqrt(r.low); /* (high / low)^(1/2) */
        double root32 = sqrt(sqrt(sqrt(sqrt(root))));
        double factor = r.high / 2 - r.low / 2 <= r.high * 1e-12 ? 10 : root32 * sqrt(root32);
        axis->from = fmax(r.low / factor, DBL_TRUE_MIN);
        axis->to = fmin(r.high * factor, DBL_MAX);
        return;
    }
    if (r.stands && r.low == 0 && r.high == 0)
        r.high = 1;
    heed__widen(&r.low, &r.high, 0.05);
    axis->from = r.stands && r.low == 0 ? 0 : fmax(1.05 * r.low - 0.05 * r.high, -DBL_MAX);
    axis->to = r.stands && r.high == 0 ? 0 : fmin(1.05 * r.high - 0.05 * r.low, DBL_MAX);
}

void heed__limits_fit(heed__axis *x, heed__axis *y, const double xlim[2], const double ylim[2],
                      const heed__series *series, int n)
{
    range xs = {HUGE_VAL, -HUGE_VAL, false}, ys = xs;
    for (int s = 0; s < n; s++) {
        bool columns = heed__series_is_columns(&series[s]);
        if (columns && series[s].count > 0 && !y->log) {
            ys.stands = true;
            include(&ys, 0);
        }
        for (int64_t i = 0; i < series[s].count; i++)
            include_point(&xs, &ys, x, y, &series[s], i);
    }
    if (!has_limits(xlim))
        fit_axis(x, xs);
    if (!has_limits(ylim))
        fit_axis(y, ys);
}
