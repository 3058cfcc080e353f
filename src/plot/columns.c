/* plot/columns.c - draws columns. Narrow columns in the same pixel column are drawn as one. */
#include <math.h>

#include <heed/memory.h>

#include "plot/columns.h"
#include "plot/marks.h"
#include "plot/saturation.h"

typedef struct job {
    heed__surface *surface;
    const heed__axes *axes;
    const heed__plot_lengths *lengths;
    const heed__series *s;
    heed__saturation saturation;
    heed__rect *narrow; /* the area covered by narrow columns, per pixel column; x0 = x1 if empty */
} job;

/* Rounds an edge to whole pixels, so that neighbouring columns neither overlap nor leave a gap. Clamps it to low - 1 ..
 * high + 1. */
static int edge_of(double pixel, int low, int high)
{
    return heed__pixel(fmin(fmax(pixel, low - 1), high + 1) + 0.5);
}

/* Computes the pixels *from <= i < *end of the range a..b along an axis. The box has the pixels low <= i < high, and
 * the axis extends `half` further at both ends. A range that touches the axis covers at least one pixel of the box. */
static void find_pixel_range(double a, double b, int low, int high, double half, int *from, int *end)
{
    int first = edge_of(a, low, high), last = edge_of(b, low, high);
    bool within = b >= low - half && a <= high + half, visible = first < last && first < high && last > low;
    *from = first;
    *end = last;
    if (!within || visible)
        return;
    int middle = heed__pixel((fmax(a, low) + fmin(b, high)) / 2);
    *from = middle < low ? low : middle < high ? middle : high - 1;
    *end = *from + 1;
}

/* Computes the pixels of column i. Returns false if the column cannot be drawn. */
static bool find_pixels(const job *j, int64_t i, heed__rect *column)
{
    const heed__series *s = j->s;
    heed__rect box = j->axes->box;
    double from = heed__series_x(s, i) + s->offset, half = j->lengths->line / 2.0;
    double x0 = heed__axes_x(j->axes, j->lengths, from), x1 = heed__axes_x(j->axes, j->lengths, from + s->width);
    double top = heed__axes_y(j->axes, j->lengths, s->y[i]), base = heed__marks_end(j->axes, j->lengths, 0);
    if (!isfinite(x0) || !isfinite(x1) || !isfinite(top) || s->y[i] == 0)
        return false;
    find_pixel_range(fmin(x0, x1), fmax(x0, x1), box.x0, box.x1, half, &column->x0, &column->x1);
    find_pixel_range(fmin(top, base), fmax(top, base), box.y0, box.y1, half, &column->y0, &column->y1);
    return true;
}

static void add_narrow(const job *j, heed__rect column)
{
    heed__rect box = j->axes->box;
    if (column.x0 < box.x0 || column.x0 >= box.x1)
        return;
    heed__rect *all = &j->narrow[column.x0 - box.x0];
    if (all->x0 < all->x1) {
        column.y0 = column.y0 < all->y0 ? column.y0 : all->y0;
        column.y1 = column.y1 > all->y1 ? column.y1 : all->y1;
    }
    *all = column;
}

static void draw_box(const job *j, heed__rect r)
{
    heed__draw_box(j->surface, r.x0, r.y0, r.x1, r.y1, j->s->color, j->s->alpha);
}

static void draw_wide(job *j, heed__rect r)
{
    const heed__canvas *canvas = &j->surface->canvas;
    heed__rect visible = heed__rect_intersect(r, canvas->clip);
    if (!heed__saturation_begin(&j->saturation, canvas, visible.x0, visible.y0, visible.y1))
        return;
    draw_box(j, r);
    heed__saturation_end(&j->saturation, canvas, visible.x0, visible.y0, visible.y1);
}

static void draw(job *j)
{
    heed__rect box = j->axes->box, column;
    for (int64_t i = 0; i < j->s->count; i++) {
        if (!find_pixels(j, i, &column))
            continue;
        if (column.x1 - column.x0 <= 1)
            add_narrow(j, column);
        else
            draw_wide(j, column);
    }
    for (int x = 0; x < box.x1 - box.x0; x++)
        if (j->narrow[x].x0 < j->narrow[x].x1)
            draw_box(j, j->narrow[x]);
}

heed_status heed__columns_draw(heed__surface *surface, const heed__axes *axes, const heed__plot_lengths *lengths,
                               const heed__series *s)
{
    job j = {surface, axes, lengths, s, {.bits = NULL}, NULL};
    double width = fabs(heed__axes_x(axes, lengths, s->width) - heed__axes_x(axes, lengths, 0));
    double visits = (double)s->count * fmin(width, axes->box.x1 - axes->box.x0) * (axes->box.y1 - axes->box.y0);
    size_t bytes = (size_t)(axes->box.x1 - axes->box.x0) * sizeof *j.narrow;
    j.narrow = heed_calloc(1, bytes);
    if (j.narrow && heed__saturation_init(&j.saturation, &surface->canvas, visits))
        draw(&j);
    heed__saturation_free(&j.saturation);
    heed_free(j.narrow, bytes);
    return j.narrow && !surface->canvas.failed ? HEED_OK : HEED_ERR_NOMEM;
}
