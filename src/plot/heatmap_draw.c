/* plot/heatmap_draw.c - lays out and draws the panels of a heatmap and its colour bars.
 *
 * Cells are square. The panels are as large as the area allows, and centred in it together with their labels and the
 * colour bar. A common bar is 0.6 times as high as the space for panels; a bar of a single panel is as high as the
 * panel.
 */
#include <inttypes.h>
#include <math.h>

#include "plot/colormap.h"
#include "plot/figure.h"
#include "plot/heatmap.h"

#define BAR_GAP 8       /* points between the panels and the bar */
#define PANEL_GAP 8     /* points between panels, in addition to their tick marks */
#define BAR_SHARE 0.6   /* height of a common bar as a fraction of the space for panels */
#define LEAST_PIXELS 16 /* minimum pixels per panel, if there are more than ALWAYS panels */
#define ALWAYS 64       /* this many panels are always drawn */
#define LONGEST 0.35    /* maximum length of a name, as a fraction of the picture's width or height */

static bool has_titles(const heed__heatmap *h)
{
    return h->options.titles != NULL;
}

/* -- Layout ----------------------------------------------------------------------------------------------- */

/* Rounds a length to whole pixels, at least 1 and at most HEED__MAX_PIXELS. */
static int pixels(double length)
{
    return heed__pixel(fmin(fmax(length + 0.5, 1), HEED__MAX_PIXELS));
}

/* Sets the ticks and the box of a colour bar of this height. Returns the width that the bar needs, including the gap to
 * the left of it. */
static double set_bar(heed__heatmap *h, double height)
{
    const heed__plot_lengths *lengths = h->lengths;
    heed__axes *bar = &h->bar;
    bar->right = true;
    bar->y.from = h->vmin;
    bar->y.to = h->vmax;
    heed__axis_find_ticks(&bar->x, lengths, 1, true, false);
    bar->x.ticks.count = 0;
    heed__axis_find_ticks(&bar->y, lengths, height, false, false);
    bar->box = (heed__rect){0, 0, heed__whole_pixels(fmax(height / 20, 3 * lengths->pt)), pixels(height)};
    double numbers = fmax(heed__axis_label_width(&bar->y), heed__text_width(bar->y.ticks.factor, lengths->font));
    return BAR_GAP * lengths->pt + bar->box.x1 + 3 * lengths->line + lengths->tick + lengths->pad + numbers;
}

/* Computes the largest width that the colour bar of a panel needs, when all panels have this height. Returns false with
 * an error pending. */
static bool widest_bar(heed__heatmap *h, double height, double *space)
{
    *space = 0;
    for (int64_t panel = 0; panel < h->matrices.rows * h->matrices.columns; panel++) {
        if (!heed__heatmap_range(h, panel))
            return false;
        *space = fmax(*space, set_bar(h, height));
    }
    return true;
}

static void mark(heed__axis *axis, const heed__heatmap *h, const char *const *names, int64_t count, double length,
                 bool along)
{
    double longest = LONGEST * (along ? h->area.y1 - h->area.y0 : h->area.x1 - h->area.x0);
    if (names)
        heed__axis_name_ticks(axis, h->lengths, names, count, length / (double)count, along, longest);
    else
        heed__axis_find_ticks(axis, h->lengths, length, along, true);
}

static void set_panel(heed__heatmap *h, double cell_size)
{
    heed__axes *panel = &h->panel;
    int64_t q = h->matrices.q, k = h->matrices.k;
    int width = pixels(cell_size * (double)k), height = pixels(cell_size * (double)q);
    panel->box = (heed__rect){0, 0, width, height};
    panel->area = h->area;
    panel->x.from = -0.5;
    panel->x.to = (double)k - 0.5;
    panel->y.from = (double)q - 0.5;
    panel->y.to = -0.5;
    mark(&panel->x, h, h->options.xticks, k, width, true);
    mark(&panel->y, h, h->options.yticks, q, height, false);
}

static void move(heed__rect *box, double x, double y)
{
    int dx = heed__pixel(x + 0.5), dy = heed__pixel(y + 0.5);
    *box = (heed__rect){box->x0 + dx, box->y0 + dy, box->x1 + dx, box->y1 + dy};
}

/* Lengths of the layout: left, right, top and bottom of all panels, and gap_x and gap_y between neighbouring panels. */
typedef struct spaces {
    double left, right, top, bottom, gap_x, gap_y;
} spaces;

static bool find_spaces(heed__heatmap *h, spaces *s)
{
    const heed__plot_lengths *lengths = h->lengths;
    const heed_plot_heatmap_options *o = &h->options;
    double title = has_titles(h) ? lengths->title_pad + heed__text_rise(lengths->title_font) : 0;
    double overhang_left, overhang_right, bar = lengths->line;
    heed__axes_overhang(&h->panel, lengths, &overhang_left, &overhang_right);
    s->top = lengths->margin + lengths->line + title;
    s->bottom = lengths->margin + heed__axes_below(&h->panel.x, lengths, o->xlabel);
    s->left = lengths->margin + fmax(heed__axes_beside(&h->panel.y, lengths, o->ylabel), overhang_left);
    s->gap_x = 2 * lengths->line + lengths->tick + PANEL_GAP * lengths->pt;
    s->gap_y = s->gap_x + title;
    if (o->separate_scales && !o->no_colorbar && !widest_bar(h, h->panel.box.y1 - h->panel.box.y0, &bar))
        return false;
    if (o->separate_scales && !o->no_colorbar)
        s->gap_x += bar;
    else if (!o->no_colorbar)
        bar = set_bar(h, fmax(floor(BAR_SHARE * (h->area.y1 - h->area.y0 - s->top - s->bottom) + 0.5), 1));
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

bool heed__heatmap_lay_out(heed__heatmap *h, const heed__plot_lengths *lengths, heed__rect area)
{
    if (!check_panels(h, area))
        return false;
    double rows = (double)h->matrices.rows, columns = (double)h->matrices.columns, space_x = 0, space_y = 0;
    double cell_size =
        fmin((area.x1 - area.x0) / columns / (double)h->matrices.k, (area.y1 - area.y0) / rows / (double)h->matrices.q);
    spaces s = {.left = 0};
    h->lengths = lengths;
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
    move(&h->panel.box, x, y);
    if (!common)
        (void)set_bar(h, h->panel.box.y1 - h->panel.box.y0);
    move(&h->bar.box,
         x + (common ? used_x : h->panel.box.x1 - h->panel.box.x0) + 2 * lengths->line + BAR_GAP * lengths->pt,
         common ? y + (used_y - h->bar.box.y1) / 2 : y);
    return true;
}

/* -- Drawing ---------------------------------------------------------------------------------------------- */

/* A panel as a table of colours. */
typedef struct panel_cells {
    heed__heatmap *h;
    int64_t panel;
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
    return heed__heatmap_color(((const panel_cells *)context)->h, value);
}

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

static void draw_bar(heed__heatmap *h, heed__surface *surface)
{
    heed__rect box = h->bar.box;
    heed__draw_table(surface, box, &(heed__color_table){box.y1 - box.y0, 1, bar_value, bar_color, h, 0});
    heed__axes_draw(surface, &h->bar, h->lengths);
}

static bool draw_own_bar(heed__heatmap *h, heed__surface *surface, int64_t row, int64_t column)
{
    heed__rect first = h->bar.box;
    (void)set_bar(h, first.y1 - first.y0);
    h->bar.box = first;
    move(&h->bar.box, (double)column * h->step_x, (double)row * h->step_y);
    draw_bar(h, surface);
    h->bar.box = first;
    return true;
}

static bool draw_cells(heed__surface *surface, heed__rect box, panel_cells *cells)
{
    int64_t q = cells->h->matrices.q, k = cells->h->matrices.k;
    heed__color_table table = {q, k, cell_value, cell_color, cells, 0};
    bool small = q > box.y1 - box.y0 || k > box.x1 - box.x0;
    if (small && !heed__heatmap_mean(cells->h, cells->panel, &table.typical))
        return false;
    heed__draw_table(surface, box, &table);
    return true;
}

static bool draw_panel(heed__heatmap *h, heed__surface *surface, int64_t row, int64_t column)
{
    const heed__plot_lengths *lengths = h->lengths;
    const heed_plot_heatmap_options *o = &h->options;
    int64_t rows = h->matrices.rows, columns = h->matrices.columns, number = row * columns + column;
    heed__axes axes = h->panel;
    panel_cells cells = {h, number};
    if (o->separate_scales && !heed__heatmap_range(h, number))
        return false;
    move(&axes.box, (double)column * h->step_x, (double)row * h->step_y);
    axes.no_x_labels = row != rows - 1;
    axes.no_y_labels = column != 0;
    if (!draw_cells(surface, axes.box, &cells))
        return false;
    if (h->numbers.t && !heed__heatmap_write_numbers(h, surface, number, axes.box))
        return false;
    heed__axes_draw(surface, &axes, lengths);
    int width = columns == 1 ? h->area.x1 - h->area.x0 : h->step_x;
    if (!axes.no_x_labels)
        heed__axes_xlabel(surface, &axes, lengths, o->xlabel, width);
    if (!axes.no_y_labels)
        heed__axes_ylabel(surface, &axes, lengths, o->ylabel, rows == 1 ? h->area.y1 - h->area.y0 : h->step_y);
    if (has_titles(h))
        heed__axes_title(surface, &axes, lengths, o->titles[number], width);
    if (o->separate_scales && !o->no_colorbar)
        draw_own_bar(h, surface, row, column);
    return !heed__surface_failed(surface);
}

bool heed__heatmap_draw(heed__heatmap *h, heed__surface *surface, const heed__plot_lengths *lengths, heed__rect area)
{
    if (!heed__heatmap_lay_out(h, lengths, area))
        return false;
    for (int64_t row = 0; row < h->matrices.rows; row++)
        for (int64_t column = 0; column < h->matrices.columns; column++)
            if (!draw_panel(h, surface, row, column))
                return false;
    if (!h->options.no_colorbar && !h->options.separate_scales)
        draw_bar(h, surface);
    return true;
}
