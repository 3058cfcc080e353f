/* plot/lines.c - curves and scatter plots. */
#include <float.h>
#include <inttypes.h>
#include <math.h>

#include <heed/memory.h>
#include <heed/plot.h>
#include <heed/scope.h>

#include "plot/figure.h"
#include "plot/legend.h"
#include "plot/text.h"

static const char where[] = "plot_lines";
#define DEFAULT_WIDTH 350
#define DEFAULT_HEIGHT 250
#define DEFAULT_LINE_WIDTH 1.5
#define MOST_POINTS ((int64_t)1 << 26) /* 2 GB while they are drawn */

typedef struct curve {
    const double *x, *y; /* x NULL: 0, 1, ... */
    int64_t count;
} curve;

typedef struct plot {
    int count;
    curve *curves;
    heed__series_look *looks;
    heed_plot_lines_options options;
    heed__look look;
    heed__axes axes;
} plot;

/* -- Arguments -------------------------------------------------------------------------------------------- */

static heed_status check_numbers(const heed_tensor *t, const char *name, int number, int64_t *count)
{
    heed_dtype dtype = heed_dtype_of(t);
    if (dtype == HEED_BOOL)
        return heed_fail(HEED_ERR_DTYPE, where, "%s of series %d is bool: must be f32, f64 or i64", name, number);
    if (heed_rank(t) != 1)
        return heed_fail(HEED_ERR_SHAPE, where, "%s of series %d is %s: must be (n)", name, number,
                         heed_shape_text(heed_shape_of(t)).s);
    *count = heed_dim(t, 0);
    return HEED_OK;
}

/* *room: how many points there may be; it is lowered. */
static heed_status check_curve(curve *c, const heed_plot_series *s, int number, int64_t *room)
{
    if (!s->y)
        return heed_fail(HEED_ERR_ARGUMENT, where, "y of series %d is NULL", number);
    heed_status status = check_numbers(s->y, "y", number, &c->count);
    int64_t count = c->count;
    if (status == HEED_OK && s->x)
        status = check_numbers(s->x, "x", number, &count);
    if (status == HEED_OK && count != c->count)
        return heed_fail(HEED_ERR_SHAPE, where, "x and y of series %d have %" PRId64 " and %" PRId64 " elements",
                         number, count, c->count);
    if (status == HEED_OK && count > *room)
        return heed_fail(HEED_ERR_SHAPE, where,
                         "series %d has %" PRId64 " points: at most %" PRId64 " can be drawn, of all series", number,
                         count, MOST_POINTS);
    *room -= count;
    return status;
}

static heed_status read_curve(curve *c, const heed_plot_series *s)
{
    c->y = heed__figure_values(s->y);
    c->x = c->y && s->x ? heed__figure_values(s->x) : NULL;
    return c->y && (c->x || !s->x) ? HEED_OK : heed_error_code();
}

/* `next` counts the colours taken from the cycle. */
static heed_status read_look(heed__series_look *look, const heed_plot_series *s, int number, size_t *next)
{
    static const uint32_t cycle[] = {0x1f77b4, 0xff7f0e, 0x2ca02c, 0xd62728, 0x9467bd,
                                     0x8c564b, 0xe377c2, 0x7f7f7f, 0xbcbd22, 0x17becf};
    *look = (heed__series_look){.label = s->label,
                                .style = s->style,
                                .marker = s->marker,
                                .color = s->color,
                                .alpha = s->alpha == 0 ? 1 : s->alpha,
                                .line_width = s->line_width == 0 ? DEFAULT_LINE_WIDTH : s->line_width};
    if ((unsigned)s->style > HEED_LINE_NONE || (unsigned)s->marker > HEED_MARKER_CROSS)
        return heed_fail(HEED_ERR_ARGUMENT, where, "style %d or marker %d of series %d is not known", (int)s->style,
                         (int)s->marker, number);
    if (s->color > 0xffffff)
        return heed_fail(HEED_ERR_ARGUMENT, where, "color 0x%x of series %d is not 0xRRGGBB", (unsigned)s->color,
                         number);
    if (!(look->alpha > 0 && look->alpha <= 1))
        return heed_fail(HEED_ERR_ARGUMENT, where, "alpha of series %d is %g: must be above 0 and at most 1", number,
                         s->alpha);
    if (!(look->line_width > 0 && look->line_width <= HEED__MAX_PIXELS))
        return heed_fail(HEED_ERR_ARGUMENT, where, "line_width of series %d is %g: must be above 0 and at most %d",
                         number, s->line_width, HEED__MAX_PIXELS);
    if (look->color == 0)
        look->color = cycle[(*next)++ % (sizeof cycle / sizeof cycle[0])];
    return HEED_OK;
}

static heed_status read_series(plot *p, const heed_plot_series *series)
{
    size_t next = 0;
    int64_t room = MOST_POINTS;
    heed_status status = HEED_OK;
    for (int i = 0; status == HEED_OK && i < p->count; i++) {
        status = check_curve(&p->curves[i], &series[i], i, &room);
        if (status == HEED_OK)
            status = read_look(&p->looks[i], &series[i], i, &next);
    }
    for (int i = 0; status == HEED_OK && i < p->count; i++)
        status = read_curve(&p->curves[i], &series[i]);
    return status;
}

/* Both 0: no limits were given. */
static bool has_limits(const double limits[2])
{
    return !(limits[0] == 0 && limits[1] == 0);
}

/* Closer than ticks can tell apart. */
static bool too_close(double a, double b)
{
    double half = fabs(a / 2 - b / 2);
    return half < 4e-301 || half < 5e-14 * fmax(fabs(a), fabs(b));
}

static heed_status read_axis(heed__axis *axis, const char *name, const double limits[2], heed_axis_scale scale)
{
    if ((unsigned)scale > HEED_AXIS_LOG)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%sscale %d is not known", name, (int)scale);
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

static heed_status read_options(plot *p, const heed_plot_lines_options *given)
{
    heed_plot_lines_options *o = &p->options;
    *o = given ? *given : (heed_plot_lines_options){.title = NULL};
    if (o->width < 0 || o->height < 0)
        return heed_fail(HEED_ERR_ARGUMENT, where, "width is %d, height is %d: must be 0 or more", o->width, o->height);
    o->width = o->width == 0 ? DEFAULT_WIDTH : o->width;
    o->height = o->height == 0 ? DEFAULT_HEIGHT : o->height;
    heed_status status = heed__figure_scale(where, &o->scale);
    if (status == HEED_OK)
        status = read_axis(&p->axes.x, "x", o->xlim, o->xscale);
    if (status == HEED_OK)
        status = read_axis(&p->axes.y, "y", o->ylim, o->yscale);
    return status;
}

/* -- Limits ----------------------------------------------------------------------------------------------- */

static double x_of(const curve *c, int64_t i)
{
    return c->x ? c->x[i] : (double)i;
}

static bool drawable(const heed__axis *axis, double value)
{
    return isfinite(value) && (!axis->log || value > 0);
}

typedef struct range {
    double low, high;
} range;

static void include(range *r, double value)
{
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

static void find_ranges(const plot *p, range *x, range *y)
{
    *x = *y = (range){HUGE_VAL, -HUGE_VAL};
    for (int s = 0; s < p->count; s++)
        for (int64_t i = 0; i < p->curves[s].count; i++) {
            double xi = x_of(&p->curves[s], i), yi = p->curves[s].y[i];
            if (drawable(&p->axes.x, xi) && drawable(&p->axes.y, yi)) {
                include(x, xi);
                include(y, yi);
            }
        }
}

/* A margin of 5 % of a linear axis; of 3/64 of a logarithmic one, which square roots give to the last bit. */
static void fit_axis(heed__axis *axis, range r)
{
    if (r.low > r.high)
        r = axis->log ? (range){1, 10} : (range){0, 1};
    if (axis->log) {
        double root = sqrt(r.high) / sqrt(r.low); /* (high / low)^(1/2) */
        double root32 = sqrt(sqrt(sqrt(sqrt(root))));
        double factor = r.low == r.high ? 10 : root32 * sqrt(root32);
        axis->from = fmax(r.low / factor, DBL_TRUE_MIN);
        axis->to = fmin(r.high * factor, DBL_MAX);
    } else {
        heed__widen(&r.low, &r.high, 0.05);
        axis->from = fmax(1.05 * r.low - 0.05 * r.high, -DBL_MAX);
        axis->to = fmin(1.05 * r.high - 0.05 * r.low, DBL_MAX);
    }
}

static void set_limits(plot *p)
{
    range x, y;
    find_ranges(p, &x, &y);
    if (!has_limits(p->options.xlim))
        fit_axis(&p->axes.x, x);
    if (!has_limits(p->options.ylim))
        fit_axis(&p->axes.y, y);
}

/* -- Drawing ---------------------------------------------------------------------------------------------- */

/* How far the last number on the x axis reaches beyond the box. */
static double overhang(const plot *p)
{
    double most = 0;
    for (int i = 0; i < p->axes.x.ticks.count; i++) {
        const heed__tick *tick = &p->axes.x.ticks.at[i];
        double end = heed__axes_x(&p->axes, &p->look, tick->value) + heed__text_width(tick->label, p->look.font) / 2;
        most = fmax(most, end - p->axes.box.x1);
    }
    return most;
}

static void lay_out(plot *p, int width, int height)
{
    const heed__look *look = &p->look;
    const heed_plot_lines_options *o = &p->options;
    bool title = o->title && *o->title;
    double above = title ? look->title_pad + heed__text_rise(look->title_font) : heed__text_rise(look->font) / 2;
    double top = floor(look->margin + look->line + above + 0.5);
    p->axes.box.y0 = (int)top;
    for (int pass = 0; pass < 2; pass++) { /* the numbers and the space for them depend on one another */
        double bottom = height - look->margin - heed__axes_below(&p->axes.x, look, o->xlabel);
        p->axes.box.y1 = (int)fmax(floor(bottom), top + 1);
        heed__axis_find_ticks(&p->axes.y, look, p->axes.box.y1 - p->axes.box.y0, false, false);
        if (p->axes.y.ticks.factor[0] && !title)
            p->axes.box.y0 = (int)(top + heed__text_rise(look->font) / 2 + look->pad);
        double left = ceil(look->margin + heed__axes_beside(&p->axes.y, look, o->ylabel));
        double right = floor(width - look->margin - look->line - overhang(p));
        p->axes.box.x0 = (int)left;
        p->axes.box.x1 = (int)fmax(right, left + 1);
        heed__axis_find_ticks(&p->axes.x, look, p->axes.box.x1 - p->axes.box.x0, true, false);
    }
}

static heed_status draw_curve(const plot *p, heed__canvas *canvas, int number)
{
    const curve *c = &p->curves[number];
    size_t bytes;
    if (__builtin_mul_overflow((size_t)c->count, sizeof(heed__point), &bytes))
        return heed_fail(HEED_ERR_NOMEM, where, "series %d has too many points", number);
    heed__point *points = heed_alloc(bytes);
    if (!points)
        return HEED_ERR_NOMEM;
    for (int64_t i = 0; i < c->count; i++) {
        points[i].x = heed__axes_x(&p->axes, &p->look, x_of(c, i));
        points[i].y = heed__axes_y(&p->axes, &p->look, c->y[i]);
    }
    heed__series_draw(canvas, points, (size_t)c->count, &p->looks[number], p->look.pt);
    heed_free(points, bytes);
    return HEED_OK;
}

static heed_status draw(plot *p, const char *path)
{
    heed__canvas canvas;
    const heed_plot_lines_options *o = &p->options;
    heed_status status =
        heed__figure_begin(where, &canvas, o->width * o->scale, o->height * o->scale, HEED_ERR_ARGUMENT);
    if (status != HEED_OK)
        return status;
    p->look = heed__look_at(o->scale);
    lay_out(p, canvas.width, canvas.height);
    canvas.clip = heed__rect_intersect(p->axes.box, heed__canvas_bounds(&canvas));
    if (!o->no_grid)
        heed__axes_grid(&canvas, &p->axes, &p->look);
    for (int i = 0; i < p->count && !canvas.failed; i++)
        canvas.failed = draw_curve(p, &canvas, i) != HEED_OK || canvas.failed;
    canvas.clip = heed__canvas_bounds(&canvas);
    if (!o->no_legend)
        heed__legend_draw(&canvas, p->axes.box, &p->look, p->looks, p->count);
    heed__axes_draw(&canvas, &p->axes, &p->look);
    heed__axes_xlabel(&canvas, &p->axes, &p->look, o->xlabel, canvas.width);
    heed__axes_ylabel(&canvas, &p->axes, &p->look, o->ylabel, canvas.height);
    heed__axes_title(&canvas, &p->axes, &p->look, o->title, canvas.width);
    return heed__figure_end(where, &canvas, path);
}

static heed_status read_and_draw(plot *p, const heed_plot_series *series, const char *path,
                                 const heed_plot_lines_options *options)
{
    heed_status status = read_series(p, series);
    if (status == HEED_OK)
        status = read_options(p, options);
    if (status != HEED_OK)
        return status;
    set_limits(p);
    return draw(p, path);
}

heed_status heed_plot_lines(const heed_plot_series *series, int n, const char *path,
                            const heed_plot_lines_options *options)
{
    HEED_ENTER("plot_lines");
    if (!series || !path || n < 1)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%s",
                         !series ? "series is NULL"
                         : !path ? "path is NULL"
                                 : "n is below 1");
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_status status = HEED_ERR_NOMEM;
    plot *p = heed_calloc(1, sizeof *p);
    curve *curves = heed_calloc((size_t)n, sizeof *curves);
    heed__series_look *looks = heed_calloc((size_t)n, sizeof *looks);
    if (p && curves && looks) {
        p->count = n;
        p->curves = curves;
        p->looks = looks;
        status = read_and_draw(p, series, path, options);
    }
    heed_free(looks, (size_t)n * sizeof *looks);
    heed_free(curves, (size_t)n * sizeof *curves);
    heed_free(p, sizeof *p);
    (void)heed_scope_end(scope);
    return status;
}
