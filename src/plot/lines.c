/* plot/lines.c - plots series on axes. */
#include <heed/memory.h>
#include <heed/plot.h>
#include <heed/scope.h>

#include "plot/chart.h"
#include "plot/figure.h"

static const char where[] = "plot_lines";
#define DEFAULT_WIDTH 640
#define DEFAULT_HEIGHT 480

static heed_status read_size(heed_plot_lines_options *o)
{
    if (o->width < 0 || o->height < 0)
        return heed_fail(HEED_ERR_ARGUMENT, where, "width is %d, height is %d: must be 0 or more", o->width, o->height);
    o->width = o->width == 0 ? DEFAULT_WIDTH : o->width;
    o->height = o->height == 0 ? DEFAULT_HEIGHT : o->height;
    return heed__figure_scale(where, &o->scale);
}

static heed_status draw(heed__chart *chart, const char *path)
{
    heed__surface surface;
    const heed_plot_lines_options *o = &chart->options;
    heed_status status =
        heed__figure_begin(where, &surface, path, o->width * o->scale, o->height * o->scale, HEED_ERR_ARGUMENT);
    if (status != HEED_OK)
        return status;
    heed__plot_lengths lengths = heed__lengths_at(o->scale);
    heed__rect all = heed__canvas_bounds(&surface.canvas);
    heed__margins margins = heed__chart_margins(chart, &lengths, all.x1, all.y1);
    if (heed__chart_draw(chart, &surface, &lengths, all, &margins) != HEED_OK)
        surface.canvas.failed = true;
    return heed__figure_end(where, &surface, path);
}

static heed_status read_and_draw(heed__chart *chart, const heed_plot_series *series, const char *path,
                                 const heed_plot_lines_options *options)
{
    heed_status status = heed__chart_read(chart, series, options, where);
    if (status == HEED_OK)
        status = read_size(&chart->options);
    return status == HEED_OK ? draw(chart, path) : status;
}

heed_status heed_plot_lines(const heed_plot_series *series, int n, const char *path,
                            const heed_plot_lines_options *options)
{
    HEED_ENTER("plot_lines");
    if (!series || !path)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%s is NULL", series ? "path" : "series");
    if (n < 1)
        return heed_fail(HEED_ERR_ARGUMENT, where, "n is %d: must be at least 1", n);
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_status status = HEED_ERR_NOMEM;
    heed__chart *chart = heed_calloc(1, sizeof *chart);
    heed__series *all = heed_calloc((size_t)n, sizeof *all);
    if (chart && all) {
        chart->count = n;
        chart->series = all;
        status = read_and_draw(chart, series, path, options);
    }
    heed_free(all, (size_t)n * sizeof *all);
    heed_free(chart, sizeof *chart);
    (void)heed_scope_end(scope);
    return status;
}
