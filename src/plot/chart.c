/* plot/chart.c - reads, lays out and draws one chart of series. */
#include <float.h>
#include <math.h>

#include "plot/chart.h"
#include "plot/figure.h"
#include "plot/legend.h"
#include "plot/limits.h"

#define LONGEST_NAME 0.35 /* maximum length of a name, as a fraction of the panel's height */

/* -- Arguments -------------------------------------------------------------------------------------------- */

static heed_status check_names(const heed_plot_lines_options *o, const char *where)
{
    heed_status status = heed__figure_names(where, "xticks", o->xticks, o->xtick_count, -1);
    if (status == HEED_OK && o->xticks && o->xscale == HEED_AXIS_LOG)
        return heed_fail(HEED_ERR_ARGUMENT, where, "xticks need a linear axis, not a log axis");
    return status;
}

heed_status heed__chart_read(heed__chart *chart, const heed_plot_series *series, const heed_plot_lines_options *options,
                             const char *where)
{
    heed__axes *axes = &chart->axes;
    heed_plot_lines_options *o = &chart->options;
    *o = options ? *options : (heed_plot_lines_options){.title = NULL};
    heed_status status = heed__series_read(chart->series, series, chart->count, o->xscale == HEED_AXIS_LOG, where);
    if (status == HEED_OK)
        status = heed__limits_read(&axes->x, "x", o->xlim, o->xscale, where);
    if (status == HEED_OK)
        status = heed__limits_read(&axes->y, "y", o->ylim, o->yscale, where);
    if (status == HEED_OK)
        status = check_names(o, where);
    if (status == HEED_OK)
        heed__limits_fit(&axes->x, &axes->y, o->xlim, o->ylim, chart->series, chart->count);
    chart->fitted = axes->y.to;
    return status;
}

/* -- Layout ----------------------------------------------------------------------------------------------- */

static bool has_title(const heed__chart *chart)
{
    return chart->options.title && *chart->options.title;
}

static void find_x_ticks(heed__chart *chart, const heed__plot_lengths *lengths, double pixels, int height)
{
    const heed_plot_lines_options *o = &chart->options;
    heed__axis *x = &chart->axes.x;
    double step = pixels * fabs(heed__axis_fraction(x, 1) - heed__axis_fraction(x, 0));
    if (o->xticks)
        heed__axis_name_ticks(x, lengths, o->xticks, o->xtick_count, step, true, LONGEST_NAME * height);
    else
        heed__axis_find_ticks(x, lengths, pixels, true, false);
}

static double margin_above(const heed__chart *chart, const heed__plot_lengths *lengths)
{
    double above = has_title(chart) ? lengths->title_pad + heed__text_rise(lengths->title_font)
                                    : heed__text_rise(lengths->font) / 2;
    if (chart->axes.y.ticks.factor[0] && !has_title(chart))
        above += heed__text_rise(lengths->font) / 2 + lengths->pad;
    return floor(lengths->margin + lengths->line + above + 0.5);
}

/* Sets the box of the axes to the panel minus its margins, but at least a pixel wide and high. */
static void set_box(heed__chart *chart, heed__rect panel, const heed__margins *m)
{
    heed__rect *box = &chart->axes.box;
    box->x0 = panel.x0 + heed__pixel(m->left);
    box->y0 = panel.y0 + heed__pixel(m->top);
    box->x1 = heed__pixel(fmax(panel.x1 - m->right, box->x0 + 1));
    box->y1 = heed__pixel(fmax(panel.y1 - m->bottom, box->y0 + 1));
    chart->axes.area = panel;
}

/* If there are bars, increases y->to so that the legend fits above them, because bars fill the axes from side to
 * side. */
static void reserve_legend(heed__chart *chart, const heed__plot_lengths *lengths)
{
    const heed_plot_lines_options *o = &chart->options;
    heed__axis *y = &chart->axes.y;
    bool bars = false;
    for (int i = 0; i < chart->count; i++)
        bars = bars || chart->series[i].kind == HEED_PLOT_BARS;
    double height = chart->axes.box.y1 - chart->axes.box.y0;
    double space = heed__legend_height(chart->axes.box, lengths, chart->series, chart->count);
    bool fixed = o->ylim[0] != 0 || o->ylim[1] != 0 || y->log || o->no_legend;
    if (bars && !fixed && space < height / 2)
        y->to = fmin(chart->fitted + (chart->fitted / 2 - y->from / 2) * 2 * space / (height - space), DBL_MAX);
}

static void find_ticks(heed__chart *chart, const heed__plot_lengths *lengths)
{
    heed__rect box = chart->axes.box, area = chart->axes.area;
    reserve_legend(chart, lengths);
    heed__axis_find_ticks(&chart->axes.y, lengths, box.y1 - box.y0, false, false);
    find_x_ticks(chart, lengths, box.x1 - box.x0, area.y1 - area.y0);
}

heed__margins heed__chart_margins(heed__chart *chart, const heed__plot_lengths *lengths, int width, int height)
{
    const heed_plot_lines_options *o = &chart->options;
    heed__margins m = {.left = 0};
    set_box(chart, (heed__rect){0, 0, width, height}, &m);
    find_ticks(chart, lengths);
    for (int pass = 0; pass < 2; pass++) { /* the tick labels and the space for them depend on each other */
        double left, right;
        heed__axes_overhang(&chart->axes, lengths, &left, &right);
        m.top = margin_above(chart, lengths);
        m.bottom = ceil(lengths->margin + heed__axes_below(&chart->axes.x, lengths, o->xlabel));
        m.left = ceil(lengths->margin + fmax(heed__axes_beside(&chart->axes.y, lengths, o->ylabel), left));
        m.right = ceil(lengths->margin + lengths->line + right);
        set_box(chart, chart->axes.area, &m);
        find_ticks(chart, lengths);
    }
    return m;
}

/* -- Drawing ---------------------------------------------------------------------------------------------- */

static void draw_labels(const heed__chart *chart, heed__surface *surface, const heed__plot_lengths *lengths,
                        heed__rect panel)
{
    const heed_plot_lines_options *o = &chart->options;
    int width = panel.x1 - panel.x0, height = panel.y1 - panel.y0;
    heed__axes_draw(surface, &chart->axes, lengths);
    heed__axes_xlabel(surface, &chart->axes, lengths, o->xlabel, width);
    heed__axes_ylabel(surface, &chart->axes, lengths, o->ylabel, height);
    heed__axes_title(surface, &chart->axes, lengths, o->title, width);
}

heed_status heed__chart_draw(heed__chart *chart, heed__surface *surface, const heed__plot_lengths *lengths,
                             heed__rect panel, const heed__margins *margins)
{
    heed_status status = HEED_OK;
    set_box(chart, panel, margins);
    find_ticks(chart, lengths);
    if (!chart->options.no_grid)
        heed__axes_grid(surface, &chart->axes, lengths);
    heed__view_begin(surface, chart->axes.box);
    for (int layer = 0; layer < HEED__LAYERS; layer++)
        for (int i = 0; status == HEED_OK && i < chart->count; i++)
            status = heed__marks_draw(surface, &chart->axes, lengths, &chart->series[i], (heed__layer)layer);
    heed__view_end(surface);
    if (status == HEED_OK && !chart->options.no_legend)
        heed__legend_draw(surface, chart->axes.box, lengths, chart->series, chart->count);
    draw_labels(chart, surface, lengths, panel);
    return status;
}
