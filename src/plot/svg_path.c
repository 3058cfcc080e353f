/* plot/svg_path.c - writes curves as SVG paths. Curves are clipped, because viewers compute in single precision, and
 * points that do not affect the picture are left out. */
#include <math.h>

#include "plot/svg.h"

/* vertical strips per pixel; of consecutive points in a strip, only the first, last, lowest and highest are kept */
#define PER_PIXEL 4

static void point_text(heed__sink *svg, char letter, heed__point p)
{
    heed__sink_bytes(svg, &letter, 1);
    heed__sink_number(svg, p.x);
    heed__sink_text(svg, " ");
    heed__sink_number(svg, p.y);
}

/* -- Clipping ----------------------------------------------------------------------------------------------- */

typedef struct path {
    heed__sink *svg;
    double x0, y0, x1, y1; /* the visible rectangle */
    bool drawing;          /* `last` is the previous point of the line */
    bool reached;          /* the path has been written up to `last` */
    heed__point last;
} path;

static void line_to(path *p, heed__point to)
{
    double t0 = 0, t1 = 1, dx = to.x - p->last.x, dy = to.y - p->last.y;
    heed__point from = p->last;
    heed__clip_parameter(from.x, dx, p->x0, p->x1, &t0, &t1);
    heed__clip_parameter(from.y, dy, p->y0, p->y1, &t0, &t1);
    p->last = to;
    if (t0 > t1) {
        p->reached = false;
        return;
    }
    if (!p->reached || t0 > 0)
        point_text(p->svg, 'M', (heed__point){from.x + t0 * dx, from.y + t0 * dy});
    point_text(p->svg, 'L', (heed__point){from.x + t1 * dx, from.y + t1 * dy});
    p->reached = t1 >= 1;
}

static void add(path *p, heed__point to)
{
    if (p->drawing) {
        line_to(p, to);
        return;
    }
    p->drawing = true;
    p->reached = false;
    p->last = to;
}

/* -- Thinning ----------------------------------------------------------------------------------------------- */

/* Consecutive points in a vertical strip 1 / PER_PIXEL wide. low_at and high_at are the indices of low and high among
 * these points. */
typedef struct strip {
    size_t count, low_at, high_at;
    double column;
    heed__point first, last, low, high;
} strip;

static void flush(strip *r, path *p)
{
    bool low_first = r->low_at < r->high_at;
    if (r->count > 0)
        add(p, r->first);
    if (r->count > 2) {
        add(p, low_first ? r->low : r->high);
        add(p, low_first ? r->high : r->low);
    }
    if (r->count > 1)
        add(p, r->last);
    r->count = 0;
}

static void add_to_strip(strip *r, path *p, heed__point point)
{
    double column = floor(point.x * PER_PIXEL);
    if (r->count > 0 && column != r->column)
        flush(r, p);
    if (r->count == 0)
        *r = (strip){.column = column, .first = point, .low = point, .high = point};
    if (point.y < r->low.y) {
        r->low = point;
        r->low_at = r->count;
    }
    if (point.y > r->high.y) {
        r->high = point;
        r->high_at = r->count;
    }
    r->last = point;
    r->count++;
}

/* -- Elements ----------------------------------------------------------------------------------------------- */

static void pen_attributes(heed__sink *svg, const heed__pen_style *pen, uint32_t color, double opacity)
{
    heed__sink_color(svg, "stroke", color);
    heed__sink_attribute(svg, "stroke-width", pen->width);
    if (opacity < 1)
        heed__sink_attribute(svg, "stroke-opacity", opacity);
    heed__sink_text(svg, " stroke-linejoin=\"round\"");
    if (pen->dashes.count == 0) {
        heed__sink_text(svg, " stroke-linecap=\"round\"");
        return;
    }
    heed__sink_text(svg, " stroke-dasharray=\"");
    for (int i = 0; i < pen->dashes.count; i++) {
        heed__sink_text(svg, i ? " " : "");
        heed__sink_number(svg, pen->dashes.lengths[i] * pen->width);
    }
    heed__sink_text(svg, "\"");
}

void heed__svg_line(heed__sink *svg, const heed__point *points, size_t count, const heed__pen_style *pen,
                    uint32_t color, double opacity, heed__rect clip)
{
    double reach = pen->width + 2;
    path p = {svg, clip.x0 - reach, clip.y0 - reach, clip.x1 + reach, clip.y1 + reach, false, false, {0, 0}};
    strip r = {.count = 0};
    heed__sink_text(svg, "<path fill=\"none\"");
    pen_attributes(svg, pen, color, opacity);
    heed__sink_text(svg, " d=\"");
    for (size_t i = 0; i < count; i++) {
        if (isfinite(points[i].x) && isfinite(points[i].y)) {
            add_to_strip(&r, &p, heed__point_clamp(points[i]));
            continue;
        }
        flush(&r, &p);
        p.drawing = false;
    }
    flush(&r, &p);
    heed__sink_text(svg, "\"/>\n");
}

void heed__svg_polygon(heed__sink *svg, const heed__point *points, size_t count, uint32_t color, double opacity)
{
    heed__sink_text(svg, "<path");
    heed__sink_color(svg, "fill", color);
    if (opacity < 1)
        heed__sink_attribute(svg, "fill-opacity", opacity);
    heed__sink_text(svg, " d=\"");
    for (size_t i = 0; i < count; i++)
        point_text(svg, i ? 'L' : 'M', points[i]);
    heed__sink_text(svg, "Z\"/>\n");
}
