/* plot/heatmap.c - heatmaps: arguments, colour scales and the picture.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>

#include <heed/memory.h>
#include <heed/scope.h>

#include "plot/heatmap.h"

#define MOST_CELLS ((int64_t)HEED__MAX_PIXELS * HEED__MAX_PIXELS) /* the number of pixels of the largest picture */

/* -- Arguments -------------------------------------------------------------------------------------------- */

static heed_status read_matrices(heed__heatmap *h, heed_tensor *matrices, const char *where)
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

static heed_status check_heatmap_names(const heed__heatmap *h, const char *where)
{
    const heed_plot_heatmap_options *o = &h->options;
    heed_status status =
        heed__figure_names(where, "titles", o->titles, o->title_count, h->matrices.rows * h->matrices.columns);
    if (status == HEED_OK)
        status = heed__figure_names(where, "xticks", o->xticks, o->xtick_count, h->matrices.k);
    return status == HEED_OK ? heed__figure_names(where, "yticks", o->yticks, o->ytick_count, h->matrices.q) : status;
}

static heed_status read_cell_values(heed__heatmap *h, const char *where)
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

/* Sets the scale and the limits of the axis called `name`, "x" or "y". Without limits it numbers the cells. */
static heed_status read_axis(heed__axis *axis, const char *name, const double limits[2], heed_axis_scale scale,
                             bool names, int64_t cells, const char *where)
{
    if (names && heed__has_limits(limits))
        return heed_fail(HEED_ERR_ARGUMENT, where, "%slim and %sticks are both given: use one of them", name, name);
    if (scale && !heed__has_limits(limits))
        return heed_fail(HEED_ERR_ARGUMENT, where, "%sscale needs %slim, the numbers at the edges", name, name);
    axis->from = axis->horizontal ? -0.5 : (double)cells - 0.5;
    axis->to = axis->horizontal ? (double)cells - 0.5 : -0.5;
    axis->numbered = !heed__has_limits(limits);
    return heed__axis_read_limits(axis, name, limits, scale, where);
}

static heed_status read_axes(heed__heatmap *h, const char *where)
{
    const heed_plot_heatmap_options *o = &h->options;
    h->panel.x.horizontal = true;
    const heed_status status = read_axis(&h->panel.x, "x", o->xlim, o->xscale, o->xticks != NULL, h->matrices.k, where);
    return status == HEED_OK ? read_axis(&h->panel.y, "y", o->ylim, o->yscale, o->yticks != NULL, h->matrices.q, where)
                             : status;
}

static heed_status read_heatmap_options(heed__heatmap *h, const heed_plot_heatmap_options *given, const char *where)
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
    heed_status status = check_heatmap_names(h, where);
    if (status == HEED_OK)
        status = read_axes(h, where);
    return status == HEED_OK ? read_cell_values(h, where) : status;
}

heed_status heed__heatmap_read(heed__heatmap *h, heed_tensor *matrices, const heed_plot_heatmap_options *options,
                               const char *where)
{
    h->where = where;
    heed_status status = read_matrices(h, matrices, where);
    if (status == HEED_OK)
        status = read_heatmap_options(h, options, where);
    if (status == HEED_OK && !heed__heatmap_scale(h, -1, &h->scale))
        status = heed_error_code();
    return status;
}

void heed__heatmap_free(heed__heatmap *h)
{
    heed__cells_drop(&h->matrices);
    heed__cells_drop(&h->numbers);
}

/* -- Colours ---------------------------------------------------------------------------------------------- */

static void widen_scale(double value, void *context)
{
    heed__color_scale *scale = context;
    scale->vmin = isfinite(value) ? fmin(scale->vmin, value) : scale->vmin;
    scale->vmax = isfinite(value) ? fmax(scale->vmax, value) : scale->vmax;
}

bool heed__heatmap_scale(heed__heatmap *h, int64_t panel, heed__color_scale *scale)
{
    const heed_plot_heatmap_options *o = &h->options;
    int64_t panels = h->matrices.rows * h->matrices.columns;
    *scale = (heed__color_scale){.map = o->colormap, .vmin = o->vmin, .vmax = o->vmax};
    if (o->vmin == 0 && o->vmax == 0) {
        scale->vmin = HUGE_VAL;
        scale->vmax = -HUGE_VAL;
        if (!heed__cells_visit(&h->matrices, panel < 0 ? 0 : panel, panel < 0 ? panels : panel + 1, widen_scale, scale))
            return false;
        if (scale->vmin > scale->vmax) { /* no value is finite */
            scale->vmin = 0;
            scale->vmax = 1;
        }
        if (o->colormap == HEED_COLORMAP_DIVERGING) {
            scale->vmax = fmax(fabs(scale->vmin), fabs(scale->vmax));
            scale->vmin = -scale->vmax;
        }
    }
    heed__widen(&scale->vmin, &scale->vmax, 0.1);
    return true;
}

/* -- Pictures --------------------------------------------------------------------------------------------- */

static const char heatmap_name[] = "plot_heatmap";

static heed_status read_panel_size(heed__heatmap *h)
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

static heed_status draw_heatmap(heed__heatmap *h, const char *path)
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
        status = read_panel_size(h);
    if (status == HEED_OK)
        status = draw_heatmap(h, path);
    if (h)
        heed__heatmap_free(h);
    heed_free(h, sizeof *h);
    if (scope)
        (void)heed_scope_end(scope);
    return status;
}
