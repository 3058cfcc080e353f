/* plot/svg.c - writes shapes as SVG elements.
 *
 * A view is a nested <svg> element, because such an element clips without an id. Ids could collide in a page with
 * several pictures. Curves are clipped, because viewers compute in single precision, and points that do not affect the
 * picture are left out.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/utf8.h"
#include "plot/svg.h"

/* vertical strips per pixel; of consecutive points in a strip, only the first, last, lowest and highest are kept */
#define PER_PIXEL 4

/* -- Text of XML ------------------------------------------------------------------------------------------ */

static void begin_attribute(heed__sink *svg, const char *name)
{
    heed__sink_text(svg, " ");
    heed__sink_text(svg, name);
    heed__sink_text(svg, "=\"");
}

/* Appends ` name="12.5"`. */
static void attribute(heed__sink *svg, const char *name, double value)
{
    begin_attribute(svg, name);
    heed__sink_number(svg, value);
    heed__sink_text(svg, "\"");
}

/* Appends ` name="#1f77b4"`. */
static void color_attribute(heed__sink *svg, const char *name, uint32_t color)
{
    char text[16];
    (void)snprintf(text, sizeof text, "#%06" PRIx32 "\"", color & 0xffffff);
    begin_attribute(svg, name);
    heed__sink_text(svg, text);
}

/* Appends text between tags. Characters that XML 1.0 cannot hold (section 2.2) become U+FFFD, the replacement
 * character. */
static void escaped_text(heed__sink *svg, const char *text)
{
    while (*text) {
        const char *from = text;
        uint32_t c = heed__utf8_next(&text);
        bool control = c < 0x20 && c != '\t' && c != '\n' && c != '\r';
        if (c == '&')
            heed__sink_text(svg, "&amp;");
        else if (c == '<')
            heed__sink_text(svg, "&lt;");
        else if (c == '>')
            heed__sink_text(svg, "&gt;");
        else if (control || (c >= 0xfffd && c <= 0xffff))
            heed__sink_text(svg, "\xef\xbf\xbd");
        else
            heed__sink_bytes(svg, from, (size_t)(text - from));
    }
}

/* Appends bytes in base64 (RFC 4648). */
static void base64(heed__sink *svg, const uint8_t *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        size_t left = count - i;
        uint32_t b1 = left > 1 ? bytes[i + 1] : 0, b2 = left > 2 ? bytes[i + 2] : 0;
        uint32_t bits = (uint32_t)bytes[i] << 16 | b1 << 8 | b2;
        const char text[] = {digits[bits >> 18], digits[bits >> 12 & 63], left > 1 ? digits[bits >> 6 & 63] : '=',
                             left > 2 ? digits[bits & 63] : '='};
        heed__sink_bytes(svg, text, sizeof text);
    }
}

/* -- Shapes ----------------------------------------------------------------------------------------------- */

static void opacity_attribute(heed__sink *svg, const char *name, double opacity)
{
    if (opacity < 1)
        attribute(svg, name, opacity);
}

static void box_attributes(heed__sink *svg, heed__box box)
{
    attribute(svg, "x", box.x0);
    attribute(svg, "y", box.y0);
    attribute(svg, "width", box.x1 - box.x0);
    attribute(svg, "height", box.y1 - box.y0);
}

/* Appends numbers separated by spaces. */
static void number_list(heed__sink *svg, const double *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        heed__sink_text(svg, i ? " " : "");
        heed__sink_number(svg, numbers[i]);
    }
}

static void view_box(heed__sink *svg, heed__rect rect)
{
    const double numbers[] = {rect.x0, rect.y0, rect.x1 - rect.x0, rect.y1 - rect.y0};
    heed__sink_text(svg, " viewBox=\"");
    number_list(svg, numbers, 4);
    heed__sink_text(svg, "\"");
}

void heed__svg_begin(heed__sink *svg, int width, int height)
{
    heed__sink_text(svg, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                         "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
                         "version=\"1.1\"");
    attribute(svg, "width", width);
    attribute(svg, "height", height);
    view_box(svg, (heed__rect){0, 0, width, height});
    heed__sink_text(svg, " font-family=\"'DejaVu Sans', Verdana, sans-serif\">\n");
    heed__svg_box(svg, (heed__box){0, 0, width, height}, HEED__WHITE, 1);
}

void heed__svg_end(heed__sink *svg)
{
    heed__sink_text(svg, "</svg>\n");
}

void heed__svg_view_begin(heed__sink *svg, heed__rect rect)
{
    heed__sink_text(svg, "<svg");
    box_attributes(svg, (heed__box){rect.x0, rect.y0, rect.x1, rect.y1});
    view_box(svg, rect);
    heed__sink_text(svg, " overflow=\"hidden\">\n");
}

void heed__svg_view_end(heed__sink *svg)
{
    heed__sink_text(svg, "</svg>\n");
}

void heed__svg_box(heed__sink *svg, heed__box box, uint32_t color, double opacity)
{
    if (!(box.x0 < box.x1 && box.y0 < box.y1))
        return;
    heed__sink_text(svg, "<rect");
    box_attributes(svg, box);
    color_attribute(svg, "fill", color);
    opacity_attribute(svg, "fill-opacity", opacity);
    heed__sink_text(svg, "/>\n");
}

void heed__svg_disc(heed__sink *svg, double x, double y, double radius, uint32_t color, double opacity)
{
    heed__sink_text(svg, "<circle");
    attribute(svg, "cx", x);
    attribute(svg, "cy", y);
    attribute(svg, "r", radius);
    color_attribute(svg, "fill", color);
    opacity_attribute(svg, "fill-opacity", opacity);
    heed__sink_text(svg, "/>\n");
}

void heed__svg_round_box(heed__sink *svg, const heed__round_box *shape)
{
    heed__sink_text(svg, "<rect");
    box_attributes(svg, shape->box);
    attribute(svg, "rx", shape->radius);
    color_attribute(svg, "fill", shape->fill);
    color_attribute(svg, "stroke", shape->edge);
    attribute(svg, "stroke-width", shape->edge_width);
    opacity_attribute(svg, "opacity", shape->opacity);
    heed__sink_text(svg, "/>\n");
}

void heed__svg_text(heed__sink *svg, const char *text, double x, double y, const heed__font_style *style)
{
    static const double degrees[] = {[HEED__LEVEL] = 0, [HEED__SLANTED] = 45, [HEED__UPWARD] = 90};
    if (!text || !*text)
        return;
    heed__sink_text(svg, "<text");
    attribute(svg, "x", x);
    attribute(svg, "y", y);
    attribute(svg, "font-size", style->size);
    if (style->color != HEED__BLACK)
        color_attribute(svg, "fill", style->color);
    if (style->align != HEED__START)
        heed__sink_text(svg, style->align == HEED__END ? " text-anchor=\"end\"" : " text-anchor=\"middle\"");
    if (style->turn != HEED__LEVEL) {
        heed__sink_text(svg, " transform=\"rotate(");
        number_list(svg, (const double[]){-degrees[style->turn], x, y}, 3);
        heed__sink_text(svg, ")\"");
    }
    heed__sink_text(svg, ">");
    escaped_text(svg, text);
    heed__sink_text(svg, "</text>\n");
}

void heed__svg_image(heed__sink *svg, heed__rect rect, const uint8_t *png, size_t size)
{
    heed__sink_text(svg, "<image");
    box_attributes(svg, (heed__box){rect.x0, rect.y0, rect.x1, rect.y1});
    heed__sink_text(svg, " preserveAspectRatio=\"none\" xlink:href=\"data:image/png;base64,");
    base64(svg, png, size);
    heed__sink_text(svg, "\"/>\n");
}

/* -- Curves ----------------------------------------------------------------------------------------------- */

static void point_text(heed__sink *svg, char letter, heed__point p)
{
    heed__sink_bytes(svg, &letter, 1);
    heed__sink_number(svg, p.x);
    heed__sink_text(svg, " ");
    heed__sink_number(svg, p.y);
}

/* -- Clipping of curves ----------------------------------------------------------------------------------- */

typedef struct path {
    heed__sink *svg;
    heed__box visible;
    bool drawing; /* `last` is the previous point of the line */
    bool reached; /* the path has been written up to `last` */
    heed__point last;
} path;

static void line_to(path *p, heed__point to)
{
    double t0 = 0, t1 = 1;
    heed__point from = p->last, step = {to.x - from.x, to.y - from.y};
    heed__clip_line(from, step, p->visible, &t0, &t1);
    p->last = to;
    if (t0 > t1) {
        p->reached = false;
        return;
    }
    if (!p->reached || t0 > 0)
        point_text(p->svg, 'M', (heed__point){from.x + t0 * step.x, from.y + t0 * step.y});
    point_text(p->svg, 'L', (heed__point){from.x + t1 * step.x, from.y + t1 * step.y});
    p->reached = t1 >= 1;
}

static void add_to_path(path *p, heed__point to)
{
    if (p->drawing) {
        line_to(p, to);
        return;
    }
    p->drawing = true;
    p->reached = false;
    p->last = to;
}

/* -- Thinning --------------------------------------------------------------------------------------------- */

/* Consecutive points in a vertical strip 1 / PER_PIXEL wide. low_at and high_at are the indices of low and high among
 * these points. */
typedef struct strip {
    size_t count, low_at, high_at;
    double column;
    heed__point first, last, low, high;
} strip;

static void flush_strip(strip *r, path *p)
{
    bool low_first = r->low_at < r->high_at;
    if (r->count > 0)
        add_to_path(p, r->first);
    if (r->count > 2) {
        add_to_path(p, low_first ? r->low : r->high);
        add_to_path(p, low_first ? r->high : r->low);
    }
    if (r->count > 1)
        add_to_path(p, r->last);
    r->count = 0;
}

static void add_to_strip(strip *r, path *p, heed__point point)
{
    double column = floor(point.x * PER_PIXEL);
    if (r->count > 0 && column != r->column)
        flush_strip(r, p);
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

/* -- Elements --------------------------------------------------------------------------------------------- */

static void pen_attributes(heed__sink *svg, const heed__pen_style *pen)
{
    color_attribute(svg, "stroke", pen->color);
    attribute(svg, "stroke-width", pen->width);
    opacity_attribute(svg, "stroke-opacity", pen->opacity);
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
                    heed__rect clip)
{
    double reach = pen->width + 2;
    path p = {.svg = svg, .visible = {clip.x0 - reach, clip.y0 - reach, clip.x1 + reach, clip.y1 + reach}};
    strip r = {.count = 0};
    heed__sink_text(svg, "<path fill=\"none\"");
    pen_attributes(svg, pen);
    heed__sink_text(svg, " d=\"");
    for (size_t i = 0; i < count; i++) {
        if (isfinite(points[i].x) && isfinite(points[i].y)) {
            add_to_strip(&r, &p, heed__point_clamp(points[i]));
            continue;
        }
        flush_strip(&r, &p);
        p.drawing = false;
    }
    flush_strip(&r, &p);
    heed__sink_text(svg, "\"/>\n");
}

void heed__svg_polygon(heed__sink *svg, const heed__point *points, size_t count, uint32_t color, double opacity)
{
    heed__sink_text(svg, "<path");
    color_attribute(svg, "fill", color);
    opacity_attribute(svg, "fill-opacity", opacity);
    heed__sink_text(svg, " d=\"");
    for (size_t i = 0; i < count; i++)
        point_text(svg, i ? 'L' : 'M', points[i]);
    heed__sink_text(svg, "Z\"/>\n");
}
