/* plot/panels.c - draws several panels in one picture. The boxes of axes in a row of panels have the same top and
 * bottom, and in a column of panels the same left and right sides. For this, every panel uses the largest margins that
 * a panel in its row or column needs.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include <heed/memory.h>
#include <heed/plot.h>
#include <heed/scope.h>

#include "plot/chart.h"
#include "plot/figure.h"
#include "plot/heatmap.h"

static const char where[] = "plot_panels";
#define DEFAULT_WIDTH 480
#define DEFAULT_HEIGHT 360

/* A chart, or a heatmap if there are matrices. */
typedef struct panel {
    char name[24]; /* "panel 3", with which its error messages begin */
    heed__chart chart;
    heed__heatmap heatmap;
    heed__margins margins;
} panel;

typedef struct figure {
    int count, columns, rows;
    panel *panels;
    heed_plot_panels_options options;
    heed__plot_lengths lengths;
    int top; /* height of the title in pixels */
} figure;

static bool is_chart(const panel *p)
{
    return p->chart.count > 0;
}

/* -- Arguments -------------------------------------------------------------------------------------------- */

static heed_status check_panel(const heed_plot_panel *p, const char *name)
{
    const heed_plot_lines_options *l = p->lines;
    const heed_plot_heatmap_options *h = p->heatmap;
    if (!p->series == !p->matrices)
        return heed_fail(HEED_ERR_ARGUMENT, name, "%s",
                         p->series ? "has both series and matrices" : "has neither series nor matrices");
    if (p->series ? h != NULL : l != NULL)
        return heed_fail(HEED_ERR_ARGUMENT, name, "has options for %s, but %s", p->series ? "a heatmap" : "series",
                         p->series ? "series" : "matrices");
    if (p->series && p->count < 1)
        return heed_fail(HEED_ERR_ARGUMENT, name, "count is %d: must be 1 or more", p->count);
    if (l && (l->width != 0 || l->height != 0 || l->scale != 0))
        return heed_fail(HEED_ERR_ARGUMENT, name,
                         "width, height and scale are %d, %d and %g: must be 0, because all panels have "
                         "the size in heed_plot_panels_options",
                         l->width, l->height, l->scale);
    if (h && (h->panel_width != 0 || h->panel_height != 0 || h->scale != 0))
        return heed_fail(HEED_ERR_ARGUMENT, name,
                         "panel_width, panel_height and scale are %d, %d and %g: must be 0, because all "
                         "panels have the size in heed_plot_panels_options",
                         h->panel_width, h->panel_height, h->scale);
    return HEED_OK;
}

static heed_status read_panel(panel *p, const heed_plot_panel *given, int number)
{
    (void)snprintf(p->name, sizeof p->name, "panel %d", number);
    heed_status status = check_panel(given, p->name);
    if (status != HEED_OK)
        return status;
    if (given->matrices)
        return heed__heatmap_read(&p->heatmap, given->matrices, given->heatmap, p->name);
    p->chart.series = heed_calloc((size_t)given->count, sizeof *p->chart.series);
    if (!p->chart.series)
        return HEED_ERR_NOMEM;
    p->chart.count = given->count;
    return heed__chart_read(&p->chart, given->series, given->lines, p->name);
}

static heed_status read_panels_options(figure *f, const heed_plot_panels_options *given)
{
    heed_plot_panels_options *o = &f->options;
    *o = given ? *given : (heed_plot_panels_options){.title = NULL};
    if (o->columns < 0 || o->panel_width < 0 || o->panel_height < 0)
        return heed_fail(HEED_ERR_ARGUMENT, where,
                         "columns is %d, panel_width is %d, panel_height is %d: must be 0 or more", o->columns,
                         o->panel_width, o->panel_height);
    o->panel_width = o->panel_width == 0 ? DEFAULT_WIDTH : o->panel_width;
    o->panel_height = o->panel_height == 0 ? DEFAULT_HEIGHT : o->panel_height;
    f->columns = o->columns > 0 ? o->columns : f->count == 4 ? 2 : 3;
    f->columns = f->columns < f->count ? f->columns : f->count;
    f->rows = (f->count - 1) / f->columns + 1;
    return heed__figure_scale(where, &o->scale);
}

/* -- Layout ----------------------------------------------------------------------------------------------- */

/* Returns the area of the picture in which panel `number` is drawn, below the title. */
static heed__rect panel_area(const figure *f, const heed__canvas *canvas, int number)
{
    int row = number / f->columns, column = number % f->columns;
    double width = (double)canvas->width / f->columns, height = (double)(canvas->height - f->top) / f->rows;
    return (heed__rect){.x0 = heed__pixel(column * width + 0.5),
                        .y0 = f->top + heed__pixel(row * height + 0.5),
                        .x1 = heed__pixel((column + 1) * width + 0.5),
                        .y1 = f->top + heed__pixel((row + 1) * height + 0.5)};
}

static void find_margins(figure *f, const heed__canvas *canvas)
{
    for (int i = 0; i < f->count; i++) {
        heed__rect area = panel_area(f, canvas, i);
        if (is_chart(&f->panels[i]))
            f->panels[i].margins =
                heed__chart_margins(&f->panels[i].chart, &f->lengths, area.x1 - area.x0, area.y1 - area.y0);
    }
}

/* Returns the margins that align panel `number` with the panels of its row and its column. */
static heed__margins aligned_margins(const figure *f, int number)
{
    heed__margins m = f->panels[number].margins;
    for (int i = number % f->columns; i < f->count; i += f->columns) {
        m.left = fmax(m.left, f->panels[i].margins.left);
        m.right = fmax(m.right, f->panels[i].margins.right);
    }
    int first = number / f->columns * f->columns;
    for (int i = first; i < f->count && i < first + f->columns; i++) {
        m.top = fmax(m.top, f->panels[i].margins.top);
        m.bottom = fmax(m.bottom, f->panels[i].margins.bottom);
    }
    return m;
}

/* -- Drawing ---------------------------------------------------------------------------------------------- */

static void draw_figure_title(const figure *f, heed__surface *surface)
{
    double width = surface->canvas.width, size = 1.2 * f->lengths.title_font;
    if (f->top == 0)
        return;
    size = heed__text_fit(f->options.title, size, width - 2 * f->lengths.margin);
    heed__draw_text(surface, f->options.title, width / 2, f->lengths.title_pad + heed__text_rise(size),
                    &(heed__font_style){.size = size, .color = HEED__BLACK, .align = HEED__CENTER});
}

static bool draw_nth_panel(figure *f, heed__surface *surface, int number)
{
    panel *p = &f->panels[number];
    heed__rect area = panel_area(f, &surface->canvas, number);
    heed__margins margins = aligned_margins(f, number);
    if (is_chart(p))
        return heed__chart_draw(&p->chart, surface, area, &margins) == HEED_OK;
    return heed__heatmap_draw(&p->heatmap, surface, &f->lengths, area);
}

static heed_status draw_panels(figure *f, const char *path)
{
    heed__surface surface;
    const heed_plot_panels_options *o = &f->options;
    f->lengths = heed__lengths_at(o->scale);
    if (o->title && *o->title)
        f->top = heed__pixel(ceil(f->lengths.title_pad + 1.5 * f->lengths.title_font));
    heed_status status = heed__figure_begin(where, &surface, path, (double)f->columns * o->panel_width * o->scale,
                                            (double)f->rows * o->panel_height * o->scale + f->top, HEED_ERR_ARGUMENT);
    if (status != HEED_OK)
        return status;
    draw_figure_title(f, &surface);
    find_margins(f, &surface.canvas);
    for (int i = 0; i < f->count && !surface.canvas.failed; i++)
        if (!draw_nth_panel(f, &surface, i))
            surface.canvas.failed = true;
    return heed__figure_end(where, &surface, path);
}

static heed_status read_and_draw_panels(figure *f, const heed_plot_panel *panels, const char *path,
                                        const heed_plot_panels_options *options)
{
    heed_status status = read_panels_options(f, options);
    for (int i = 0; status == HEED_OK && i < f->count; i++)
        status = read_panel(&f->panels[i], &panels[i], i);
    return status == HEED_OK ? draw_panels(f, path) : status;
}

static void free_panels(figure *f)
{
    for (int i = 0; f->panels && i < f->count; i++) {
        heed__heatmap_free(&f->panels[i].heatmap);
        heed_free(f->panels[i].chart.series, (size_t)f->panels[i].chart.count * sizeof(heed__series));
    }
    heed_free(f->panels, (size_t)f->count * sizeof *f->panels);
}

heed_status heed_plot_panels(const heed_plot_panel *panels, int n, const char *path,
                             const heed_plot_panels_options *options)
{
    HEED_ENTER("plot_panels");
    if (!panels || !path)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%s is NULL", panels ? "path" : "panels");
    if (n < 1)
        return heed_fail(HEED_ERR_ARGUMENT, where, "n is %d: must be at least 1", n);
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    figure f = {.count = n, .panels = heed_calloc((size_t)n, sizeof(panel))};
    heed_status status = f.panels ? read_and_draw_panels(&f, panels, path, options) : HEED_ERR_NOMEM;
    free_panels(&f);
    (void)heed_scope_end(scope);
    return status;
}
