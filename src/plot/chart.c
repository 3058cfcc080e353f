/* plot/chart.c - reads, lays out and draws one chart of series, with its legend; heed_plot_lines draws a picture of it.
 * Lengths of the legend are matplotlib's, in points.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <string.h>

#include <heed/memory.h>
#include <heed/plot.h>
#include <heed/scope.h>

#include "plot/chart.h"
#include "plot/figure.h"

#define DEFAULT_WIDTH 640
#define DEFAULT_HEIGHT 480
#define LONGEST_NAME 0.35 /* maximum length of a name, as a fraction of the panel's height */
#define BORDER 4.0        /* distance from the box to its content */
#define SPACING 5.0       /* distance between entries */
#define TEXT_PAD 8.0      /* distance from the sample to the text */
#define AXES_PAD 5.0      /* distance from the axes to the box */
#define ROUNDING 2.0      /* radius of the corners */
#define EDGE_COLOR 0xccccccu
#define OPACITY 0.8

/* -- Arguments -------------------------------------------------------------------------------------------- */

heed_status heed__chart_read(heed__chart *chart, const heed_plot_series *series, const heed_plot_lines_options *options,
                             const char *where)
{
    heed__axes *axes = &chart->axes;
    heed_plot_lines_options *o = &chart->options;
    *o = options ? *options : (heed_plot_lines_options){.title = NULL};
    heed_status status = heed__series_read(chart->series, series, chart->count, o->xscale == HEED_AXIS_LOG, where);
    if (status == HEED_OK)
        status = heed__axis_read_limits(&axes->x, "x", o->xlim, o->xscale, where);
    if (status == HEED_OK)
        status = heed__axis_read_limits(&axes->y, "y", o->ylim, o->yscale, where);
    if (status == HEED_OK)
        status = heed__figure_names(where, "xticks", o->xticks, o->xtick_count, -1);
    if (status == HEED_OK && o->xticks && axes->x.log)
        return heed_fail(HEED_ERR_ARGUMENT, where, "xticks need a linear axis, not a log axis");
    if (status == HEED_OK)
        heed__axes_fit_limits(&axes->x, &axes->y, o->xlim, o->ylim, chart->series, chart->count);
    axes->x.horizontal = true;
    chart->fitted = axes->y.to;
    return status;
}

/* -- Legend ----------------------------------------------------------------------------------------------- */

typedef struct legend {
    int entries;
    double pt; /* pixels per point */
    double font, entry_height, width, height;
} legend;

static bool is_named(const heed__series *series)
{
    return series->label && *series->label;
}

static legend measure_legend(const heed__chart *chart)
{
    const heed__plot_lengths *lengths = chart->axes.lengths;
    const heed__series *series = chart->series;
    heed__rect box = chart->axes.box;
    legend l = {.pt = lengths->pt, .font = lengths->font};
    l.entry_height = heed__text_rise(lengths->font) + heed__text_drop(lengths->font);
    double frame = (2 * BORDER + HEED__SAMPLE + TEXT_PAD) * l.pt;
    double space = fmax(box.x1 - box.x0 - 2 * AXES_PAD * l.pt - frame, 1), text = 0;
    for (int i = 0; i < chart->count; i++) {
        l.entries += is_named(&series[i]);
        l.font = fmin(l.font, is_named(&series[i]) ? heed__text_fit(series[i].label, lengths->font, space) : l.font);
    }
    for (int i = 0; i < chart->count; i++)
        text = fmax(text, is_named(&series[i]) ? heed__text_width(series[i].label, l.font) : 0);
    l.width = frame + text;
    l.height = 2 * BORDER * l.pt + l.entries * l.entry_height + (l.entries - 1) * SPACING * l.pt;
    return l;
}

/* Counts the pixels in the rectangle that differ from the background and from grid lines. */
static int64_t count_ink(const heed__canvas *canvas, heed__rect rect)
{
    static const uint8_t white[3] = {HEED__WHITE & 255, HEED__WHITE & 255, HEED__WHITE & 255};
    static const uint8_t grid[3] = {HEED__GRID_COLOR & 255, HEED__GRID_COLOR & 255, HEED__GRID_COLOR & 255};
    heed__rect r = heed__rect_intersect(rect, heed__canvas_bounds(canvas));
    int64_t ink = 0;
    for (int y = r.y0; y < r.y1; y++)
        for (int x = r.x0; x < r.x1; x++) {
            const uint8_t *pixel = canvas->rgb + ((size_t)y * (size_t)canvas->width + (size_t)x) * 3;
            ink += memcmp(pixel, white, 3) != 0 && memcmp(pixel, grid, 3) != 0;
        }
    return ink;
}

/* Returns the legend's box. `right` and `down` are its position in the free space, from 0 (left, top) to 1 (right,
 * bottom). */
static heed__rect legend_at(const legend *l, heed__rect box, double right, double down)
{
    double pad = AXES_PAD * l->pt;
    double x = box.x0 + pad + right * fmax(box.x1 - box.x0 - 2 * pad - l->width, 0);
    double y = box.y0 + pad + down * fmax(box.y1 - box.y0 - 2 * pad - l->height, 0);
    int x0 = heed__pixel(x + 0.5), y0 = heed__pixel(y + 0.5);
    return (heed__rect){x0, y0, x0 + heed__pixel(ceil(l->width)), y0 + heed__pixel(ceil(l->height))};
}

/* Returns the legend's box at the position where it covers the fewest drawn pixels. If several positions are equal, the
 * first one counts; corners come first. */
static heed__rect best_legend(const heed__canvas *canvas, const legend *l, heed__rect box)
{
    static const double positions[][2] = {{1, 0},   {0, 0},   {0, 1},   {1, 1},    {1, 0.5},
                                          {0, 0.5}, {0.5, 0}, {0.5, 1}, {0.5, 0.5}};
    heed__rect best = legend_at(l, box, 1, 0);
    int64_t least = count_ink(canvas, best);
    for (size_t i = 1; i < sizeof positions / sizeof positions[0] && least > 0; i++) {
        heed__rect at = legend_at(l, box, positions[i][0], positions[i][1]);
        int64_t ink = count_ink(canvas, at);
        if (ink < least) {
            least = ink;
            best = at;
        }
    }
    return best;
}

/* Draws the legend over the series, at that one of nine positions at which it covers the least of them. Series without
 * a label have no entry. Draws nothing if no series has a label. */
static void draw_legend(const heed__chart *chart, heed__surface *surface)
{
    const heed__plot_lengths *lengths = chart->axes.lengths;
    legend l = measure_legend(chart);
    if (l.entries == 0)
        return;
    heed__rect at = best_legend(&surface->canvas, &l, chart->axes.box);
    double half = lengths->line / 2.0;
    heed__draw_round_box(surface, &(heed__round_box){.box = {at.x0 + half, at.y0 + half, at.x1 - half, at.y1 - half},
                                                     .radius = ROUNDING * l.pt,
                                                     .fill = HEED__WHITE,
                                                     .edge = EDGE_COLOR,
                                                     .edge_width = lengths->line,
                                                     .opacity = OPACITY});
    double x = at.x0 + BORDER * l.pt, y = at.y0 + BORDER * l.pt;
    heed__font_style style = {.size = l.font, .color = HEED__BLACK};
    for (int i = 0; i < chart->count; i++) {
        if (!is_named(&chart->series[i]))
            continue;
        heed__marks_sample(surface, &chart->series[i], x, floor(y + l.entry_height / 2 + 0.5), l.pt);
        heed__draw_text(surface, chart->series[i].label, x + (HEED__SAMPLE + TEXT_PAD) * l.pt,
                        y + heed__text_rise(lengths->font), &style);
        y += l.entry_height + SPACING * l.pt;
    }
}

/* -- Layout ----------------------------------------------------------------------------------------------- */

static bool has_title(const heed__chart *chart)
{
    return chart->options.title && *chart->options.title;
}

static double margin_above(const heed__chart *chart)
{
    const heed__plot_lengths *l = chart->axes.lengths;
    double above = has_title(chart) ? l->title_pad + heed__text_rise(l->title_font) : heed__text_rise(l->font) / 2;
    if (chart->axes.y.ticks.factor[0] && !has_title(chart))
        above += heed__text_rise(l->font) / 2 + l->pad;
    return floor(l->margin + l->line + above + 0.5);
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
static void reserve_legend(heed__chart *chart)
{
    const heed_plot_lines_options *o = &chart->options;
    heed__axis *y = &chart->axes.y;
    bool bars = false;
    for (int i = 0; i < chart->count; i++)
        bars = bars || chart->series[i].kind == HEED_PLOT_BARS;
    legend l = measure_legend(chart);
    double height = chart->axes.box.y1 - chart->axes.box.y0, space = l.entries > 0 ? l.height + 2 * AXES_PAD * l.pt : 0;
    bool fixed = o->ylim[0] != 0 || o->ylim[1] != 0 || y->log || o->no_legend;
    if (bars && !fixed && space < height / 2)
        y->to = fmin(chart->fitted + (chart->fitted / 2 - y->from / 2) * 2 * space / (height - space), DBL_MAX);
}

static void find_chart_ticks(heed__chart *chart)
{
    const heed_plot_lines_options *o = &chart->options;
    const heed__plot_lengths *lengths = chart->axes.lengths;
    heed__axis *x = &chart->axes.x;
    heed__rect box = chart->axes.box, area = chart->axes.area;
    double width = box.x1 - box.x0, step = width * fabs(heed__axis_fraction(x, 1) - heed__axis_fraction(x, 0));
    reserve_legend(chart);
    heed__axis_find_ticks(&chart->axes.y, lengths, box.y1 - box.y0, false);
    if (o->xticks)
        heed__axis_name_ticks(x, lengths, o->xticks, o->xtick_count, step, LONGEST_NAME * (area.y1 - area.y0));
    else
        heed__axis_find_ticks(x, lengths, width, false);
}

heed__margins heed__chart_margins(heed__chart *chart, const heed__plot_lengths *lengths, int width, int height)
{
    const heed_plot_lines_options *o = &chart->options;
    heed__margins m = {.left = 0};
    chart->axes.lengths = lengths;
    set_box(chart, (heed__rect){0, 0, width, height}, &m);
    find_chart_ticks(chart);
    for (int pass = 0; pass < 2; pass++) { /* the tick labels and the space for them depend on each other */
        double left, right;
        heed__axes_overhang(&chart->axes, &left, &right);
        m.top = margin_above(chart);
        m.bottom = ceil(lengths->margin + heed__axes_below(&chart->axes, o->xlabel));
        m.left = ceil(lengths->margin + fmax(heed__axes_beside(&chart->axes, o->ylabel), left));
        m.right = ceil(lengths->margin + lengths->line + right);
        set_box(chart, chart->axes.area, &m);
        find_chart_ticks(chart);
    }
    return m;
}

/* -- Drawing ---------------------------------------------------------------------------------------------- */

heed_status heed__chart_draw(heed__chart *chart, heed__surface *surface, heed__rect panel, const heed__margins *margins)
{
    const heed_plot_lines_options *o = &chart->options;
    const heed__axes *axes = &chart->axes;
    int width = panel.x1 - panel.x0;
    heed_status status = HEED_OK;
    set_box(chart, panel, margins);
    find_chart_ticks(chart);
    if (!o->no_grid)
        heed__axes_grid(surface, axes);
    heed__view_begin(surface, axes->box);
    for (int layer = 0; layer < HEED__LAYERS; layer++)
        for (int i = 0; status == HEED_OK && i < chart->count; i++)
            status = heed__marks_draw(surface, axes, &chart->series[i], (heed__layer)layer);
    heed__view_end(surface);
    if (status == HEED_OK && !o->no_legend)
        draw_legend(chart, surface);
    heed__axes_draw(surface, axes);
    heed__axes_xlabel(surface, axes, o->xlabel, width);
    heed__axes_ylabel(surface, axes, o->ylabel, panel.y1 - panel.y0);
    heed__axes_title(surface, axes, o->title, width);
    return status;
}

/* -- Pictures --------------------------------------------------------------------------------------------- */

static const char lines_name[] = "plot_lines";

static heed_status read_picture_size(heed_plot_lines_options *o)
{
    if (o->width < 0 || o->height < 0)
        return heed_fail(HEED_ERR_ARGUMENT, lines_name, "width is %d, height is %d: must be 0 or more", o->width,
                         o->height);
    o->width = o->width == 0 ? DEFAULT_WIDTH : o->width;
    o->height = o->height == 0 ? DEFAULT_HEIGHT : o->height;
    return heed__figure_scale(lines_name, &o->scale);
}

static heed_status draw_lines(heed__chart *chart, const char *path)
{
    heed__surface surface;
    const heed_plot_lines_options *o = &chart->options;
    heed_status status =
        heed__figure_begin(lines_name, &surface, path, o->width * o->scale, o->height * o->scale, HEED_ERR_ARGUMENT);
    if (status != HEED_OK)
        return status;
    heed__plot_lengths lengths = heed__lengths_at(o->scale);
    heed__rect all = heed__canvas_bounds(&surface.canvas);
    heed__margins margins = heed__chart_margins(chart, &lengths, all.x1, all.y1);
    if (heed__chart_draw(chart, &surface, all, &margins) != HEED_OK)
        surface.canvas.failed = true;
    return heed__figure_end(lines_name, &surface, path);
}

static heed_status read_and_draw_lines(heed__chart *chart, const heed_plot_series *series, const char *path,
                                       const heed_plot_lines_options *options)
{
    heed_status status = heed__chart_read(chart, series, options, lines_name);
    if (status == HEED_OK)
        status = read_picture_size(&chart->options);
    return status == HEED_OK ? draw_lines(chart, path) : status;
}

heed_status heed_plot_lines(const heed_plot_series *series, int n, const char *path,
                            const heed_plot_lines_options *options)
{
    HEED_ENTER("plot_lines");
    if (!series || !path)
        return heed_fail(HEED_ERR_ARGUMENT, lines_name, "%s is NULL", series ? "path" : "series");
    if (n < 1)
        return heed_fail(HEED_ERR_ARGUMENT, lines_name, "n is %d: must be at least 1", n);
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_status status = HEED_ERR_NOMEM;
    heed__chart *chart = heed_calloc(1, sizeof *chart);
    heed__series *all = heed_calloc((size_t)n, sizeof *all);
    if (chart && all) {
        chart->count = n;
        chart->series = all;
        status = read_and_draw_lines(chart, series, path, options);
    }
    heed_free(all, (size_t)n * sizeof *all);
    heed_free(chart, sizeof *chart);
    (void)heed_scope_end(scope);
    return status;
}
