/* plot/heatmap.c - heatmaps: arguments, range of colours and the picture. */
#include <inttypes.h>
#include <math.h>

#include <heed/memory.h>
#include <heed/scope.h>

#include "plot/colormap.h"
#include "plot/figure.h"
#include "plot/heatmap.h"

#define NAN_COLOR 0xd3d3d3u
#define MOST_CELLS ((int64_t)HEED__MAX_PIXELS * HEED__MAX_PIXELS) /* the number of pixels of the largest picture */

/* -- Arguments -------------------------------------------------------------------------------------------- */

static heed_status read_shape(heed__heatmap *h, heed_tensor *matrices, const char *where)
{
    heed_shape shape = heed_shape_of(matrices);
    heed_text text = heed_shape_text(shape);
    heed_dtype dtype = heed_dtype_of(matrices);
    if (!heed_dtype_is_float(dtype))
        return heed_fail(HEED_ERR_DTYPE, where, "matrices are %s: must be f32 or f64", heed_dtype_name(dtype));
    if (shape.rank < 2 || shape.rank > 4)
        return heed_fail(HEED_ERR_SHAPE, where,
                         "matrices are %s: must be (q, k), (columns, q, k) or (rows, columns, q, k)", text.s);
    if (heed_shape_numel(shape) == 0)
        return heed_fail(HEED_ERR_SHAPE, where, "matrices are %s: there is nothing to draw", text.s);
    if (heed_shape_numel(shape) > MOST_CELLS)
        return heed_fail(HEED_ERR_SHAPE, where, "matrices are %s: at most %" PRId64 " cells can be drawn", text.s,
                         MOST_CELLS);
    h->matrices = heed__cells_of(matrices);
    return HEED_OK;
}

static heed_status read_names(const heed__heatmap *h, const char *where)
{
    const heed_plot_heatmap_options *o = &h->options;
    heed_status status =
        heed__figure_names(where, "titles", o->titles, o->title_count, h->matrices.rows * h->matrices.columns);
    if (status == HEED_OK)
        status = heed__figure_names(where, "xticks", o->xticks, o->xtick_count, h->matrices.k);
    return status == HEED_OK ? heed__figure_names(where, "yticks", o->yticks, o->ytick_count, h->matrices.q) : status;
}

static heed_status read_numbers(heed__heatmap *h, const char *where)
{
    heed_tensor *numbers = h->options.cell_values;
    int digits = h->options.digits;
    if (digits < -1 || digits > 17)
        return heed_fail(HEED_ERR_ARGUMENT, where, "digits is %d: must be in -1 .. 17", digits);
    if (!numbers)
        return HEED_OK;
    if (heed_dtype_of(numbers) == HEED_BOOL)
        return heed_fail(HEED_ERR_DTYPE, where, "cell_values are bool: must be f32, f64 or i64");
    if (!heed_shape_equal(heed_shape_of(numbers), heed_shape_of(h->matrices.t)))
        return heed_fail(HEED_ERR_SHAPE, where, "cell_values are %s: must be %s, like the matrices",
                         heed_shape_text(heed_shape_of(numbers)).s, heed_shape_text(heed_shape_of(h->matrices.t)).s);
    h->numbers = heed__cells_of(numbers);
    return HEED_OK;
}

static heed_status read_options(heed__heatmap *h, const heed_plot_heatmap_options *given, const char *where)
{
    heed_plot_heatmap_options *o = &h->options;
    *o = given ? *given : (heed_plot_heatmap_options){.colormap = HEED_COLORMAP_REDS};
    if ((unsigned)o->colormap > HEED_COLORMAP_DIVERGING)
        return heed_fail(HEED_ERR_ARGUMENT, where, "colormap must be one of HEED_COLORMAP_*, not %d", (int)o->colormap);
    if (!(o->vmin <= o->vmax) || !isfinite(o->vmin) || !isfinite(o->vmax))
        return heed_fail(HEED_ERR_ARGUMENT, where, "vmin is %g, vmax is %g: must be finite, and vmin at most vmax",
                         o->vmin, o->vmax);
    if (o->separate_scales && (o->vmin != 0 || o->vmax != 0))
        return heed_fail(HEED_ERR_ARGUMENT, where,
                         "vmin is %g, vmax is %g: must be 0 with separate_scales, which finds them for every panel",
                         o->vmin, o->vmax);
    heed_status status = read_names(h, where);
    return status == HEED_OK ? read_numbers(h, where) : status;
}

heed_status heed__heatmap_read(heed__heatmap *h, heed_tensor *matrices, const heed_plot_heatmap_options *options,
                               const char *where)
{
    h->where = where;
    heed_status status = read_shape(h, matrices, where);
    if (status == HEED_OK)
        status = read_options(h, options, where);
    if (status == HEED_OK && !heed__heatmap_range(h, -1))
        status = heed_error_code();
    return status;
}

void heed__heatmap_free(heed__heatmap *h)
{
    heed__cells_drop(&h->matrices);
    heed__cells_drop(&h->numbers);
}

/* -- Colours ---------------------------------------------------------------------------------------------- */

/* Finds the smallest and largest finite value of panels from <= panel < end; vmin > vmax if no value is finite. */
static bool find_values(heed__heatmap *h, int64_t from, int64_t end)
{
    heed__cells *cells = &h->matrices;
    h->vmin = HUGE_VAL;
    h->vmax = -HUGE_VAL;
    for (int64_t panel = from; panel < end; panel++)
        for (int64_t row = 0; row < cells->q; row++)
            for (int64_t column = 0; column < cells->k; column++) {
                const double *value = heed__cells_get(cells, panel, row, column);
                if (!value)
                    return false;
                h->vmin = isfinite(*value) ? fmin(h->vmin, *value) : h->vmin;
                h->vmax = isfinite(*value) ? fmax(h->vmax, *value) : h->vmax;
            }
    return true;
}

bool heed__heatmap_mean(heed__heatmap *h, int64_t panel, double *mean)
{
    heed__cells *cells = &h->matrices;
    double count = 0;
    *mean = 0;
    for (int64_t row = 0; row < cells->q; row++)
        for (int64_t column = 0; column < cells->k; column++) {
            const double *value = heed__cells_get(cells, panel, row, column);
            if (!value)
                return false;
            if (isfinite(*value)) {
                count++;
                *mean += *value / count - *mean / count;
            }
        }
    return true;
}

bool heed__heatmap_range(heed__heatmap *h, int64_t panel)
{
    int64_t panels = h->matrices.rows * h->matrices.columns;
    h->vmin = h->options.vmin;
    h->vmax = h->options.vmax;
    if (h->vmin == 0 && h->vmax == 0) {
        if (!find_values(h, panel < 0 ? 0 : panel, panel < 0 ? panels : panel + 1))
            return false;
        if (h->vmin > h->vmax) {
            h->vmin = 0;
            h->vmax = 1;
        }
        if (h->options.colormap == HEED_COLORMAP_DIVERGING) {
            h->vmax = fmax(fabs(h->vmin), fabs(h->vmax));
            h->vmin = -h->vmax;
        }
    }
    heed__widen(&h->vmin, &h->vmax, 0.1);
    return true;
}

uint32_t heed__heatmap_color(const heed__heatmap *h, double value)
{
    if (isnan(value))
        return NAN_COLOR;
    return heed__colormap_color(h->options.colormap, (value / 2 - h->vmin / 2) / (h->vmax / 2 - h->vmin / 2));
}

/* -- Pictures --------------------------------------------------------------------------------------------- */

static const char heatmap_name[] = "plot_heatmap";

static heed_status read_size(heed__heatmap *h)
{
    heed_plot_heatmap_options *o = &h->options;
    bool one = h->matrices.rows * h->matrices.columns == 1;
    if (o->panel_width < 0 || o->panel_height < 0)
        return heed_fail(HEED_ERR_ARGUMENT, heatmap_name, "panel_width is %d, panel_height is %d: must be 0 or more",
                         o->panel_width, o->panel_height);
    o->panel_width = o->panel_width > 0 ? o->panel_width : one ? 480 : 250;
    o->panel_height = o->panel_height > 0 ? o->panel_height : one ? 400 : 250;
    return heed__figure_scale(heatmap_name, &o->scale);
}

static heed_status draw(heed__heatmap *h, const char *path)
{
    heed__surface surface;
    const heed_plot_heatmap_options *o = &h->options;
    heed_status status =
        heed__figure_begin(heatmap_name, &surface, path, (double)h->matrices.columns * o->panel_width * o->scale,
                           (double)h->matrices.rows * o->panel_height * o->scale, HEED_ERR_SHAPE);
    if (status != HEED_OK)
        return status;
    heed__plot_lengths lengths = heed__lengths_at(o->scale);
    if (!heed__heatmap_draw(h, &surface, &lengths, heed__canvas_bounds(&surface.canvas)))
        surface.canvas.failed = true;
    return heed__figure_end(heatmap_name, &surface, path);
}

heed_status heed_plot_heatmap(heed_tensor *matrices, const char *path, const heed_plot_heatmap_options *options)
{
    HEED_ENTER("plot_heatmap");
    if (!matrices || !path)
        return heed_fail(HEED_ERR_ARGUMENT, heatmap_name, "%s is NULL", matrices ? "path" : "matrices");
    heed_scope *scope = heed_no_grad_begin();
    heed__heatmap *h = scope ? heed_calloc(1, sizeof *h) : NULL;
    heed_status status = h ? heed__heatmap_read(h, matrices, options, heatmap_name) : HEED_ERR_NOMEM;
    if (status == HEED_OK)
        status = read_size(h);
    if (status == HEED_OK)
        status = draw(h, path);
    if (h)
        heed__heatmap_free(h);
    heed_free(h, sizeof *h);
    if (scope)
        (void)heed_scope_end(scope);
    return status;
}
