/* plot/svg.c - writes shapes as SVG elements. A view is a nested <svg> element, because such an element clips without
 * an id. Ids could collide in a page with several pictures. */
#include <math.h>

#include "plot/svg.h"

static void opacity_of(heed__sink *svg, const char *name, double opacity)
{
    if (opacity < 1)
        heed__sink_attribute(svg, name, opacity);
}

static void rectangle(heed__sink *svg, double x, double y, double width, double height)
{
    heed__sink_attribute(svg, "x", x);
    heed__sink_attribute(svg, "y", y);
    heed__sink_attribute(svg, "width", width);
    heed__sink_attribute(svg, "height", height);
}

static void view_box(heed__sink *svg, heed__rect rect)
{
    const int numbers[] = {rect.x0, rect.y0, rect.x1 - rect.x0, rect.y1 - rect.y0};
    heed__sink_text(svg, " viewBox=\"");
    for (int i = 0; i < 4; i++) {
        heed__sink_text(svg, i ? " " : "");
        heed__sink_number(svg, numbers[i]);
    }
    heed__sink_text(svg, "\"");
}

void heed__svg_begin(heed__sink *svg, int width, int height)
{
    heed__sink_text(svg, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                         "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
                         "version=\"1.1\"");
    heed__sink_attribute(svg, "width", width);
    heed__sink_attribute(svg, "height", height);
    view_box(svg, (heed__rect){0, 0, width, height});
    heed__sink_text(svg, " font-family=\"'DejaVu Sans', Verdana, sans-serif\">\n");
    heed__svg_box(svg, 0, 0, width, height, HEED__WHITE, 1);
}

void heed__svg_end(heed__sink *svg)
{
    heed__sink_text(svg, "</svg>\n");
}

void heed__svg_view_begin(heed__sink *svg, heed__rect rect)
{
    heed__sink_text(svg, "<svg");
    rectangle(svg, rect.x0, rect.y0, rect.x1 - rect.x0, rect.y1 - rect.y0);
    view_box(svg, rect);
    heed__sink_text(svg, " overflow=\"hidden\">\n");
}

void heed__svg_view_end(heed__sink *svg)
{
    heed__sink_text(svg, "</svg>\n");
}

void heed__svg_box(heed__sink *svg, double x0, double y0, double x1, double y1, uint32_t color, double opacity)
{
    if (!(x0 < x1 && y0 < y1))
        return;
    heed__sink_text(svg, "<rect");
    rectangle(svg, x0, y0, x1 - x0, y1 - y0);
    heed__sink_color(svg, "fill", color);
    opacity_of(svg, "fill-opacity", opacity);
    heed__sink_text(svg, "/>\n");
}

void heed__svg_disc(heed__sink *svg, double x, double y, double radius, uint32_t color, double opacity)
{
    heed__sink_text(svg, "<circle");
    heed__sink_attribute(svg, "cx", x);
    heed__sink_attribute(svg, "cy", y);
    heed__sink_attribute(svg, "r", radius);
    heed__sink_color(svg, "fill", color);
    opacity_of(svg, "fill-opacity", opacity);
    heed__sink_text(svg, "/>\n");
}

void heed__svg_round_box(heed__sink *svg, const heed__round_box *box)
{
    heed__sink_text(svg, "<rect");
    rectangle(svg, box->x0, box->y0, box->x1 - box->x0, box->y1 - box->y0);
    heed__sink_attribute(svg, "rx", box->radius);
    heed__sink_color(svg, "fill", box->fill);
    heed__sink_color(svg, "stroke", box->edge);
    heed__sink_attribute(svg, "stroke-width", box->edge_width);
    opacity_of(svg, "opacity", box->opacity);
    heed__sink_text(svg, "/>\n");
}

static void turned(heed__sink *svg, double degrees, double x, double y)
{
    heed__sink_text(svg, " transform=\"rotate(");
    heed__sink_number(svg, -degrees);
    heed__sink_text(svg, " ");
    heed__sink_number(svg, x);
    heed__sink_text(svg, " ");
    heed__sink_number(svg, y);
    heed__sink_text(svg, ")\"");
}

void heed__svg_text(heed__sink *svg, const char *text, double x, double y, const heed__font_style *style)
{
    static const double degrees[] = {[HEED__LEVEL] = 0, [HEED__SLANTED] = 45, [HEED__UPWARD] = 90};
    if (!text || !*text)
        return;
    heed__sink_text(svg, "<text");
    heed__sink_attribute(svg, "x", x);
    heed__sink_attribute(svg, "y", y);
    heed__sink_attribute(svg, "font-size", style->size);
    if (style->color != HEED__BLACK)
        heed__sink_color(svg, "fill", style->color);
    if (style->align != HEED__START)
        heed__sink_text(svg, style->align == HEED__END ? " text-anchor=\"end\"" : " text-anchor=\"middle\"");
    if (style->turn != HEED__LEVEL)
        turned(svg, degrees[style->turn], x, y);
    heed__sink_text(svg, ">");
    heed__sink_escaped(svg, text);
    heed__sink_text(svg, "</text>\n");
}

void heed__svg_image(heed__sink *svg, heed__rect rect, const uint8_t *png, size_t size)
{
    heed__sink_text(svg, "<image");
    rectangle(svg, rect.x0, rect.y0, rect.x1 - rect.x0, rect.y1 - rect.y0);
    heed__sink_text(svg, " preserveAspectRatio=\"none\" xlink:href=\"data:image/png;base64,");
    heed__sink_base64(svg, png, size);
    heed__sink_text(svg, "\"/>\n");
}
