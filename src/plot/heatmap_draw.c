/* plot/heatmap_draw.c - lays out and draws the panels of a heatmap, the numbers in cells, and the colour bars.
 *
 * Cells are square. The panels are as large as the area allows, and centred in it together with their labels and the
 * colour bar. A common bar is 0.6 times as high as the space for panels; a bar of a single panel is as high as the
 * panel. The numbers in cells all have the same size and number of digits; they are dark on light cells and light on
 * dark ones.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "plot/heatmap.h"

#define BAR_GAP 8       /* points between the panels and the bar */
#define PANEL_GAP 8     /* points between panels, in addition to their tick marks */
#define BAR_SHARE 0.6   /* height of a common bar as a fraction of the space for panels */
#define LEAST_PIXELS 16 /* minimum pixels per panel, if there are more than ALWAYS panels */
#define ALWAYS 64       /* this many panels are always drawn */
#define LONGEST 0.35    /* maximum length of a name, as a fraction of the picture's width or height */
#define NAN_COLOR 0xd3d3d3u
#define SMALLEST 6.0 /* minimum size of text, in pixels times scale; smaller text is left out */
#define WIDTH 0.9    /* maximum width of a number, as a fraction of the cell */
#define HEIGHT 0.8   /* maximum height of an em, as a fraction of the cell */
#define LIGHT 0.408  /* text is dark on cells above this relative luminance, as in seaborn */
#define SOFT_BLACK 0x262626u

/* -- Layout ----------------------------------------------------------------------------------------------- */

/* Rounds a length to whole pixels, at least 1 and at most HEED__MAX_PIXELS. */
static int pixels(double length)
{
    return heed__pixel(fmin(fmax(length + 0.5, 1), HEED__MAX_PIXELS));
}

/* Sets the ticks and the size of the colour bar for a scale and a height. Returns the width that the bar needs,
 * including the gap to the left of it. */
static double set_bar(heed__heatmap *h, const heed__color_scale *scale, double height)
{
    heed__axes *bar = &h->bar;
    const heed__plot_lengths *lengths = bar->lengths;
    bar->right = true;
    bar->x.ticks = (heed__ticks){.count = 0};
    bar->y.from = scale->vmin;
    bar->y.to = scale->vmax;
    heed__axis_find_ticks(&bar->y, lengths, height, false);
    bar->box = (heed__rect){0, 0, heed__whole_pixels(fmax(height / 20, 3 * lengths->pt)), pixels(height)};
    double numbers = fmax(heed__axis_label_width(&bar->y), heed__text_width(bar->y.ticks.factor, lengths->font));
    return BAR_GAP * lengths->pt + bar->box.x1 + 3 * lengths->line + lengths->tick + lengths->pad + numbers;
}

/* Computes the largest width that the colour bar of a panel needs, when all panels have this height. Returns false with
 * an error pending. */
static bool widest_bar(heed__heatmap *h, double height, double *space)
{
    heed__color_scale scale;
    *space = 0;
    for (int64_t panel = 0; panel < h->matrices.rows * h->matrices.columns; panel++) {
        if (!heed__heatmap_scale(h, panel, &scale))
            return false;
        *space = fmax(*space, set_bar(h, &scale, height));
    }
    return true;
}

/* Sets the ticks of an axis of `length` pixels with `count` cells, which have names or numbers. */
static void mark_cells(heed__heatmap *h, heed__axis *axis, const char *const *names, int64_t count, double length)
{
    double longest = LONGEST * (axis->horizontal ? h->area.y1 - h->area.y0 : h->area.x1 - h->area.x0);
    if (names)
        heed__axis_name_ticks(axis, h->panel.lengths, names, count, length / (double)count, longest);
    else
        heed__axis_find_ticks(axis, h->panel.lengths, length, axis->numbered);
}

static void set_panel(heed__heatmap *h, double cell_size)
{
    heed__axes *panel = &h->panel;
    int64_t q = h->matrices.q, k = h->matrices.k;
    int width = pixels(cell_size * (double)k), height = pixels(cell_size * (double)q);
    panel->box = (heed__rect){0, 0, width, height};
    panel->area = h->area;
    mark_cells(h, &panel->x, h->options.xticks, k, width);
    mark_cells(h, &panel->y, h->options.yticks, q, height);
}

static heed__rect moved_rect(heed__rect box, int dx, int dy)
{
    return (heed__rect){box.x0 + dx, box.y0 + dy, box.x1 + dx, box.y1 + dy};
}

/* Lengths of the layout: left, right, top and bottom of all panels, and gap_x and gap_y between neighbouring panels. */
typedef struct spaces {
    double left, right, top, bottom, gap_x, gap_y;
} spaces;

static bool find_spaces(heed__heatmap *h, spaces *s)
{
    const heed__plot_lengths *lengths = h->panel.lengths;
    const heed_plot_heatmap_options *o = &h->options;
    double title = o->titles ? lengths->title_pad + heed__text_rise(lengths->title_font) : 0;
    double overhang_left, overhang_right, bar = lengths->line;
    heed__axes_overhang(&h->panel, &overhang_left, &overhang_right);
    s->top = lengths->margin + lengths->line + title;
    s->bottom = lengths->margin + heed__axes_below(&h->panel, o->xlabel);
    s->left = lengths->margin + fmax(heed__axes_beside(&h->panel, o->ylabel), overhang_left);
    s->gap_x = 2 * lengths->line + lengths->tick + PANEL_GAP * lengths->pt;
    s->gap_y = s->gap_x + title;
    if (o->separate_scales && !o->no_colorbar && !widest_bar(h, h->panel.box.y1 - h->panel.box.y0, &bar))
        return false;
    if (o->separate_scales && !o->no_colorbar)
        s->gap_x += bar;
    else if (!o->no_colorbar)
        bar = set_bar(h, &h->scale, fmax(floor(BAR_SHARE * (h->area.y1 - h->area.y0 - s->top - s->bottom) + 0.5), 1));
    s->right = lengths->margin + fmax(bar, overhang_right);
    return true;
}

/* Fails if there are more than ALWAYS panels and each of them would have fewer than LEAST_PIXELS pixels, because such
 * panels show nothing, and there could be millions of them. */
static bool check_panels(const heed__heatmap *h, heed__rect area)
{
    double panels = (double)h->matrices.rows * (double)h->matrices.columns;
    int width = area.x1 - area.x0, height = area.y1 - area.y0;
    if (panels <= ALWAYS || panels <= (double)width * height / LEAST_PIXELS)
        return true;
    return heed_fail_false(HEED_ERR_SHAPE, h->where,
                           "%" PRId64 " x %" PRId64 " panels do not fit into %d x %d pixels: a panel needs at least %d",
                           h->matrices.rows, h->matrices.columns, width, height, LEAST_PIXELS);
}

/* Computes all positions. Returns false with an error pending. */
static bool lay_out_heatmap(heed__heatmap *h, const heed__plot_lengths *lengths, heed__rect area)
{
    if (!check_panels(h, area))
        return false;
    double rows = (double)h->matrices.rows, columns = (double)h->matrices.columns, space_x = 0, space_y = 0;
    double cell_size =
        fmin((area.x1 - area.x0) / columns / (double)h->matrices.k, (area.y1 - area.y0) / rows / (double)h->matrices.q);
    spaces s = {.left = 0};
    h->panel.lengths = h->bar.lengths = lengths;
    h->area = area;
    set_panel(h, cell_size);
    for (int pass = 0; pass < 2; pass++) { /* two passes, because names and the space for them depend on each other */
        if (!find_spaces(h, &s))
            return false;
        space_x = area.x1 - area.x0 - s.left - s.right;
        space_y = area.y1 - area.y0 - s.top - s.bottom;
        cell_size = fmin((space_x - (columns - 1) * s.gap_x) / columns / (double)h->matrices.k,
                         (space_y - (rows - 1) * s.gap_y) / rows / (double)h->matrices.q);
        set_panel(h, fmax(cell_size, 0));
    }
    h->step_x = h->panel.box.x1 + heed__pixel(s.gap_x);
    h->step_y = h->panel.box.y1 + heed__pixel(s.gap_y);
    double used_x = (columns - 1) * h->step_x + h->panel.box.x1, used_y = (rows - 1) * h->step_y + h->panel.box.y1;
    double x = area.x0 + s.left + fmax(space_x - used_x, 0) / 2, y = area.y0 + s.top + fmax(space_y - used_y, 0) / 2;
    bool common = !h->options.separate_scales;
    int width = h->panel.box.x1, height = h->panel.box.y1;
    h->panel.box = moved_rect(h->panel.box, heed__pixel(x + 0.5), heed__pixel(y + 0.5));
    h->bar_x = heed__pixel(x + (common ? used_x : width) + 2 * lengths->line + BAR_GAP * lengths->pt + 0.5);
    h->bar_y = heed__pixel((common ? y + (used_y - h->bar.box.y1) / 2 : y) + 0.5);
    h->bar_height = common ? h->bar.box.y1 : height;
    return true;
}

/* -- Cells ------------------------------------------------------------------------------------------------ */

/* A panel as a table of colours. */
typedef struct panel_cells {
    heed__heatmap *h;
    int64_t panel;
    heed__rect box;
    heed__color_scale scale;
} panel_cells;

static bool cell_value(void *context, int64_t row, int64_t column, double *value)
{
    const panel_cells *p = context;
    const double *found = heed__cells_get(&p->h->matrices, p->panel, row, column);
    if (found)
        *value = *found;
    return found != NULL;
}

static uint32_t cell_color(const void *context, double value)
{
    const heed__color_scale *s = &((const panel_cells *)context)->scale;
    if (isnan(value))
        return NAN_COLOR;
    return heed__colormap_color(s->map, (value / 2 - s->vmin / 2) / (s->vmax / 2 - s->vmin / 2));
}

/* The mean of the finite values visited so far; 0 without finite values. */
typedef struct running_mean {
    double count, mean;
} running_mean;

static void add_to_mean(double value, void *context)
{
    running_mean *m = context;
    if (isfinite(value)) {
        m->count++;
        m->mean += value / m->count - m->mean / m->count;
    }
}

static bool draw_cells(heed__surface *surface, panel_cells *p)
{
    int64_t q = p->h->matrices.q, k = p->h->matrices.k;
    heed__color_table table = {q, k, cell_value, cell_color, p, 0};
    bool small = q > p->box.y1 - p->box.y0 || k > p->box.x1 - p->box.x0;
    running_mean all = {0, 0};
    if (small && !heed__cells_visit(&p->h->matrices, p->panel, p->panel + 1, add_to_mean, &all))
        return false;
    table.typical = all.mean;
    heed__draw_table(surface, p->box, &table);
    return true;
}

/* -- Numbers ---------------------------------------------------------------------------------------------- */

typedef struct cell_text {
    char s[64];
} cell_text;

static cell_text cell_number(const heed__number_format *f, double value)
{
    static const char minus[] = "−";
    cell_text digits, text;
    if (isnan(value))
        return (cell_text){""};
    if (isinf(value)) {
        (void)snprintf(text.s, sizeof text.s, "%s∞", value < 0 ? minus : "");
        return text;
    }
    (void)snprintf(digits.s, sizeof digits.s, f->powers || fabs(value) >= 1e20 ? "%.*e" : "%.*f", f->digits,
                   fabs(value));
    heed__decimal_point(digits.s);
    bool zero = strspn(digits.s, "0.") == strlen(digits.s);
    (void)snprintf(text.s, sizeof text.s, "%s%.40s", value < 0 && !zero ? minus : "", digits.s);
    return text;
}

typedef struct extent {
    bool fraction; /* true if some numbers are not whole */
    double largest;
    heed__number_format f;
} extent;

static void visit_size(double value, void *context)
{
    extent *e = context;
    if (isfinite(value)) {
        e->largest = fmax(e->largest, fabs(value));
        e->fraction = e->fraction || value != floor(value);
    }
}

static void visit_width(double value, void *context)
{
    extent *e = context;
    e->f.widest = fmax(e->f.widest, heed__text_width(cell_number(&e->f, value).s, 1));
}

static heed__number_format choose_format(const heed__heatmap *h, const extent *e)
{
    int digits = h->options.digits;
    if (digits != 0)
        return (heed__number_format){.digits = digits < 0 ? 0 : digits};
    if (e->largest >= 1e5 || (e->largest < 0.01 && e->largest > 0))
        return (heed__number_format){.powers = true, .digits = 1};
    return (heed__number_format){.digits = e->fraction ? 2 : 0};
}

/* Returns the relative luminance of a colour as WCAG 2 defines it, but with the exponent 2 for gamma. */
static double luminance(uint32_t color)
{
    double r = (double)(color >> 16 & 255) / 255, g = (double)(color >> 8 & 255) / 255, b = (double)(color & 255) / 255;
    return 0.2126 * r * r + 0.7152 * g * g + 0.0722 * b * b;
}

static bool write_cell(const panel_cells *p, heed__surface *surface, int64_t row, int64_t column, double size)
{
    heed__heatmap *h = p->h;
    heed__rect box = p->box;
    const double *value = heed__cells_get(&h->matrices, p->panel, row, column);
    const double *shown = value ? heed__cells_get(&h->numbers, p->panel, row, column) : NULL;
    if (!shown)
        return false;
    uint32_t color = cell_color(p, *value);
    double x = box.x0 + ((double)column + 0.5) * (box.x1 - box.x0) / (double)h->matrices.k;
    double y = box.y0 + ((double)row + 0.5) * (box.y1 - box.y0) / (double)h->matrices.q;
    heed__font_style style = {
        .size = size, .color = luminance(color) > LIGHT ? SOFT_BLACK : HEED__WHITE, .align = HEED__CENTER};
    heed__draw_text(surface, cell_number(&h->format, *shown).s, x, floor(y + heed__text_rise(size) / 2 + 0.5), &style);
    return true;
}

/* Finds the format of the numbers of all panels. Returns false with an error pending. */
static bool find_format(heed__heatmap *h)
{
    extent e = {.fraction = false};
    heed__cells *numbers = &h->numbers;
    int64_t panels = numbers->rows * numbers->columns;
    if (h->format.known)
        return true;
    if (!heed__cells_visit(numbers, 0, panels, visit_size, &e))
        return false;
    e.f = choose_format(h, &e);
    if (!heed__cells_visit(numbers, 0, panels, visit_width, &e))
        return false;
    h->format = e.f;
    h->format.known = true;
    return true;
}

/* Writes numbers into the cells of a panel. Returns false with an error pending. */
static bool write_numbers(const panel_cells *p, heed__surface *surface)
{
    heed__heatmap *h = p->h;
    const heed__plot_lengths *lengths = h->panel.lengths;
    double cell_width = (double)(p->box.x1 - p->box.x0) / (double)h->matrices.k;
    double smallest = SMALLEST * lengths->pt * 0.72, size = fmin(lengths->font, HEIGHT * cell_width);
    if (size < smallest) /* cells are square */
        return true;
    if (!find_format(h))
        return false;
    if (h->format.widest > 0)
        size = fmin(size, WIDTH * cell_width / h->format.widest);
    for (int64_t row = 0; size >= smallest && row < h->matrices.q; row++)
        for (int64_t column = 0; column < h->matrices.k; column++)
            if (!write_cell(p, surface, row, column, size))
                return false;
    return true;
}

/* -- Drawing ---------------------------------------------------------------------------------------------- */

static bool bar_value(void *context, int64_t row, int64_t column, double *value)
{
    const heed__heatmap *h = context;
    int height = h->bar.box.y1 - h->bar.box.y0;
    (void)column;
    *value = ((double)(height - row) - 0.5) / height;
    return true;
}

static uint32_t bar_color(const void *context, double value)
{
    return heed__colormap_color(((const heed__heatmap *)context)->options.colormap, value);
}

/* Draws the bar of a panel that is `dx` and `dy` pixels to the right of the first panel and below it, or the common
 * bar. */
static void draw_bar(heed__heatmap *h, heed__surface *surface, const heed__color_scale *scale, int dx, int dy)
{
    (void)set_bar(h, scale, h->bar_height);
    heed__rect box = h->bar.box = moved_rect(h->bar.box, h->bar_x + dx, h->bar_y + dy);
    heed__draw_table(surface, box, &(heed__color_table){box.y1 - box.y0, 1, bar_value, bar_color, h, 0});
    heed__axes_draw(surface, &h->bar);
}

static void label_panel(heed__heatmap *h, heed__surface *surface, const heed__axes *axes, const char *title)
{
    const heed_plot_heatmap_options *o = &h->options;
    int width = h->matrices.columns == 1 ? h->area.x1 - h->area.x0 : h->step_x;
    int height = h->matrices.rows == 1 ? h->area.y1 - h->area.y0 : h->step_y;
    heed__axes_draw(surface, axes);
    if (!axes->no_x_labels)
        heed__axes_xlabel(surface, axes, o->xlabel, width);
    if (!axes->no_y_labels)
        heed__axes_ylabel(surface, axes, o->ylabel, height);
    heed__axes_title(surface, axes, title, width);
}

/* Not inlined by clang, because the caller's stack frame would become too large. */
static __attribute__((noinline)) bool draw_panel(heed__heatmap *h, heed__surface *surface, int64_t row, int64_t column)
{
    const heed_plot_heatmap_options *o = &h->options;
    int64_t number = row * h->matrices.columns + column;
    int dx = heed__pixel((double)column * h->step_x + 0.5), dy = heed__pixel((double)row * h->step_y + 0.5);
    heed__axes axes = h->panel;
    axes.box = moved_rect(axes.box, dx, dy);
    axes.no_x_labels = row != h->matrices.rows - 1;
    axes.no_y_labels = column != 0;
    panel_cells cells = {h, number, axes.box, h->scale};
    if (o->separate_scales && !heed__heatmap_scale(h, number, &cells.scale))
        return false;
    if (!draw_cells(surface, &cells) || (h->numbers.t && !write_numbers(&cells, surface)))
        return false;
    label_panel(h, surface, &axes, o->titles ? o->titles[number] : NULL);
    if (o->separate_scales && !o->no_colorbar)
        draw_bar(h, surface, &cells.scale, dx, dy);
    return !heed__surface_failed(surface);
}

bool heed__heatmap_draw(heed__heatmap *h, heed__surface *surface, const heed__plot_lengths *lengths, heed__rect area)
{
    if (!lay_out_heatmap(h, lengths, area))
        return false;
    for (int64_t row = 0; row < h->matrices.rows; row++)
        for (int64_t column = 0; column < h->matrices.columns; column++)
            if (!draw_panel(h, surface, row, column))
                return false;
    if (!h->options.no_colorbar && !h->options.separate_scales)
        draw_bar(h, surface, &h->scale, 0, 0);
    return true;
}
