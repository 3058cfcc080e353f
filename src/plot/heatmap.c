/* plot/heatmap.c - a grid of matrices with one colour scale.
 *
 * Cells are square. The panels are as large as the picture lets them be, and stand in its middle with their labels and
 * the colour bar, which is 0.6 times as high as the space for panels.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/plot.h>
#include <heed/scope.h>

#include "plot/axes.h"
#include "plot/colormap.h"
#include "plot/figure.h"
#include "plot/text.h"

static const char where[] = "plot_heatmap";
#define DEFAULT_PANEL 250
#define NAN_COLOR 0xd3d3d3u
#define BAR_GAP 8                                                 /* points between the panels and the bar */
#define PANEL_GAP 8                                               /* points between panels, besides their marks */
#define MOST_CELLS ((int64_t)HEED__MAX_PIXELS * HEED__MAX_PIXELS) /* as many as the largest picture has pixels */
#define CELLS_AT_ONCE 65536

/* A block of one panel as doubles, in a scope of its own: matrices may be views of far more elements than there are. */
typedef struct cells {
    heed_scope *scope;
    const double *values; /* (rows, columns) */
    int64_t panel, row, column, rows, columns;
} cells;

typedef struct heatmap {
    heed_tensor *matrices; /* (rows, columns, q, k) */
    int64_t rows, columns, q, k;
    cells cells; /* those read last */
    heed_plot_heatmap_options options;
    double vmin, vmax;
    heed__look look;
    heed__axes panel, bar; /* panel.box is that of the first one */
    int step_x, step_y;    /* from one panel to the next */
} heatmap;

/* -- Arguments -------------------------------------------------------------------------------------------- */

static heed_status read_shape(heatmap *h, heed_tensor *matrices)
{
    heed_shape shape = heed_shape_of(matrices);
    heed_text text = heed_shape_text(shape);
    heed_dtype dtype = heed_dtype_of(matrices);
    if (!heed_dtype_is_float(dtype))
        return heed_fail(HEED_ERR_DTYPE, where, "matrices are %s: must be f32 or f64", heed_dtype_name(dtype));
    if (shape.rank < 2 || shape.rank > 4)
        return heed_fail(HEED_ERR_SHAPE, where,
                         "matrices are %s: must be (q, k), (columns, q, k) or (rows, columns, q, k)", text.s);
    if (heed_shape_numel(shape) == 0)
        return heed_fail(HEED_ERR_SHAPE, where, "matrices are %s: there is nothing to draw", text.s);
    if (heed_shape_numel(shape) > MOST_CELLS)
        return heed_fail(HEED_ERR_SHAPE, where, "matrices are %s: at most %" PRId64 " cells can be drawn", text.s,
                         MOST_CELLS);
    h->matrices = matrices;
    const int64_t *last = shape.dims + shape.rank;
    h->k = last[-1];
    h->q = last[-2];
    h->columns = shape.rank > 2 ? last[-3] : 1;
    h->rows = shape.rank > 3 ? last[-4] : 1;
    return HEED_OK;
}

static bool has_null(const char *const *names, int64_t count)
{
    for (int64_t i = 0; names && i < count; i++)
        if (!names[i])
            return true;
    return false;
}

static heed_status read_options(heatmap *h, const heed_plot_heatmap_options *given)
{
    heed_plot_heatmap_options *o = &h->options;
    *o = given ? *given : (heed_plot_heatmap_options){.colormap = HEED_COLORMAP_REDS};
    if ((unsigned)o->colormap > HEED_COLORMAP_GRAY)
        return heed_fail(HEED_ERR_ARGUMENT, where, "colormap %d is not known", (int)o->colormap);
    if (!(o->vmin <= o->vmax) || !isfinite(o->vmin) || !isfinite(o->vmax))
        return heed_fail(HEED_ERR_ARGUMENT, where, "vmin is %g, vmax is %g: must be finite, and vmin at most vmax",
                         o->vmin, o->vmax);
    if (has_null(o->xticks, h->k) || has_null(o->yticks, h->q))
        return heed_fail(HEED_ERR_ARGUMENT, where, "xticks or yticks has a name that is NULL");
    if (o->panel_width < 0 || o->panel_height < 0)
        return heed_fail(HEED_ERR_ARGUMENT, where, "panel_width is %d, panel_height is %d: must be 0 or more",
                         o->panel_width, o->panel_height);
    o->panel_width = o->panel_width == 0 ? DEFAULT_PANEL : o->panel_width;
    o->panel_height = o->panel_height == 0 ? DEFAULT_PANEL : o->panel_height;
    return heed__figure_scale(where, &o->scale);
}

/* -- Cells ------------------------------------------------------------------------------------------------ */

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void drop_cells(heatmap *h)
{
    if (h->cells.scope)
        (void)heed_scope_end(h->cells.scope);
    h->cells = (cells){.scope = NULL};
}

/* The panel of that number, (q, k). */
static heed_tensor *panel_of(const heatmap *h, int64_t number)
{
    heed_tensor *t = h->matrices;
    int rank = heed_rank(t);
    if (rank == 4)
        t = heed_select(t, 0, number / h->columns);
    return rank > 2 ? heed_select(t, 0, number % h->columns) : t;
}

/* Reads a block of a panel that begins at this cell: whole rows, or a stretch of a long one. */
static bool read_cells(heatmap *h, int64_t panel, int64_t row, int64_t column)
{
    drop_cells(h);
    cells c = {.scope = heed_scope_begin(), .panel = panel, .row = row, .column = column};
    c.columns = smaller(CELLS_AT_ONCE, h->k - column);
    c.rows = h->k < CELLS_AT_ONCE ? smaller(CELLS_AT_ONCE / h->k, h->q - row) : 1;
    heed_tensor *rows = c.scope ? heed_slice(panel_of(h, panel), 0, row, row + c.rows, 1) : NULL;
    heed_tensor *block = rows ? heed_slice(rows, 1, column, column + c.columns, 1) : NULL;
    c.values = block ? heed__figure_values(block) : NULL;
    h->cells = c;
    return c.values != NULL;
}

/* One cell; NULL with an error pending. */
static const double *cell(heatmap *h, int64_t panel, int64_t row, int64_t column)
{
    const cells *c = &h->cells;
    bool there = c->values && panel == c->panel && row >= c->row && row < c->row + c->rows && column >= c->column &&
                 column < c->column + c->columns;
    if (!there && !read_cells(h, panel, row, column / CELLS_AT_ONCE * CELLS_AT_ONCE))
        return NULL;
    return &c->values[(row - c->row) * c->columns + column - c->column];
}

/* The smallest and the largest finite value; vmin > vmax when there is none. False with an error pending. */
static bool find_values(heatmap *h)
{
    h->vmin = HUGE_VAL;
    h->vmax = -HUGE_VAL;
    for (int64_t panel = 0; panel < h->rows * h->columns; panel++)
        for (int64_t row = 0; row < h->q; row++)
            for (int64_t column = 0; column < h->k; column++) {
                const double *value = cell(h, panel, row, column);
                if (!value)
                    return false;
                h->vmin = isfinite(*value) ? fmin(h->vmin, *value) : h->vmin;
                h->vmax = isfinite(*value) ? fmax(h->vmax, *value) : h->vmax;
            }
    return true;
}

static heed_status find_range(heatmap *h)
{
    h->vmin = h->options.vmin;
    h->vmax = h->options.vmax;
    if (h->vmin == 0 && h->vmax == 0) {
        if (!find_values(h))
            return heed_error_code();
        if (h->vmin > h->vmax) {
            h->vmin = 0;
            h->vmax = 1;
        }
    }
    heed__widen(&h->vmin, &h->vmax, 0.1);
    return HEED_OK;
}

static bool has_titles(const heatmap *h)
{
    return h->options.titles != NULL;
}

/* -- Layout ----------------------------------------------------------------------------------------------- */

/* Sets the bar's height, ticks and width; returns the space it takes, with the gap before it. */
static double lay_bar(heatmap *h, double room)
{
    const heed__look *look = &h->look;
    heed__axes *bar = &h->bar;
    double height = fmax(floor(0.6 * room + 0.5), 1);
    bar->right = true;
    bar->y.from = h->vmin;
    bar->y.to = h->vmax;
    heed__axis_find_ticks(&bar->y, look, height, false, false);
    bar->box = (heed__rect){0, 0, heed__whole_pixels(fmax(height / 20, 3 * look->pt)), (int)height};
    double numbers = fmax(heed__axis_label_width(&bar->y, look), heed__text_width(bar->y.ticks.factor, look->font));
    return BAR_GAP * look->pt + bar->box.x1 + 3 * look->line + look->tick + look->pad + numbers;
}

/* Space left of the panels for the longest name or the largest number of a row, whatever rows will be marked. */
static double space_left(const heatmap *h)
{
    heed__axis widest = {.ticks = {.count = 1}};
    const char *const *names = h->options.yticks;
    int64_t longest = 0;
    for (int64_t row = 1; names && row < h->q; row++)
        if (heed__text_width(names[row], h->look.font) > heed__text_width(names[longest], h->look.font))
            longest = row;
    if (names)
        heed__ticks_names(&widest.ticks, names + longest, 1, 1);
    else
        (void)snprintf(widest.ticks.at[0].label, sizeof widest.ticks.at[0].label, "%" PRId64, h->q - 1);
    return heed__axes_beside(&widest, &h->look, h->options.ylabel);
}

/* Pixels from a number that may be too small or too large to draw. */
static int pixels(double length)
{
    return (int)fmin(fmax(floor(length + 0.5), 1), HEED__MAX_PIXELS);
}

static void mark(heed__axis *axis, const heatmap *h, const char *const *names, int64_t count, double length, bool along)
{
    if (names)
        heed__axis_name_ticks(axis, &h->look, names, count, length, along);
    else
        heed__axis_find_ticks(axis, &h->look, length, along, true);
}

static void set_axes(heatmap *h, double cell_size)
{
    heed__axes *panel = &h->panel;
    int width = pixels(cell_size * (double)h->k), height = pixels(cell_size * (double)h->q);
    panel->box = (heed__rect){0, 0, width, height};
    panel->x.from = -0.5;
    panel->x.to = (double)h->k - 0.5;
    panel->y.from = (double)h->q - 0.5;
    panel->y.to = -0.5;
    mark(&panel->x, h, h->options.xticks, h->k, width, true);
    mark(&panel->y, h, h->options.yticks, h->q, height, false);
}

static void move(heed__rect *box, double x, double y)
{
    int dx = (int)floor(x + 0.5), dy = (int)floor(y + 0.5);
    *box = (heed__rect){box->x0 + dx, box->y0 + dy, box->x1 + dx, box->y1 + dy};
}

static void lay_out(heatmap *h, int width, int height)
{
    const heed__look *look = &h->look;
    double rows = (double)h->rows, columns = (double)h->columns;
    double title = has_titles(h) ? look->title_pad + heed__text_rise(look->title_font) : 0;
    double gap_x = 2 * look->line + look->tick + PANEL_GAP * look->pt;
    double gap_y = 2 * look->line + look->tick + PANEL_GAP * look->pt + title;
    double top = look->margin + look->line + title;
    double bottom = look->margin + heed__axes_below(&h->panel.x, look, h->options.xlabel);
    double room_y = height - top - bottom;
    double bar = h->options.no_colorbar ? look->line : lay_bar(h, room_y);
    double left = look->margin + space_left(h);
    double room_x = width - left - bar - look->margin;
    double cell_size = fmin((room_x - (columns - 1) * gap_x) / columns / (double)h->k,
                            (room_y - (rows - 1) * gap_y) / rows / (double)h->q);
    set_axes(h, fmax(cell_size, 0));
    h->step_x = h->panel.box.x1 + (int)gap_x;
    h->step_y = h->panel.box.y1 + (int)gap_y;
    double used_x = (columns - 1) * h->step_x + h->panel.box.x1, used_y = (rows - 1) * h->step_y + h->panel.box.y1;
    double x = left + fmax(room_x - used_x, 0) / 2, y = top + fmax(room_y - used_y, 0) / 2;
    move(&h->panel.box, x, y);
    move(&h->bar.box, x + used_x + 2 * look->line + BAR_GAP * look->pt, y + (used_y - h->bar.box.y1) / 2);
}

/* -- Drawing ---------------------------------------------------------------------------------------------- */

static uint32_t color_of(const heatmap *h, double value)
{
    if (isnan(value))
        return NAN_COLOR;
    return heed__colormap_color(h->options.colormap, (value / 2 - h->vmin / 2) / (h->vmax / 2 - h->vmin / 2));
}

/* Each pixel shows the cell in which its centre lies. */
static void draw_cells(heatmap *h, heed__canvas *canvas, int64_t panel, heed__rect box)
{
    int width = box.x1 - box.x0, height = box.y1 - box.y0;
    heed__rect seen = heed__rect_intersect(box, canvas->clip);
    for (int y = seen.y0; y < seen.y1; y++) {
        int64_t row = (int64_t)((y - box.y0 + 0.5) * (double)h->q / height);
        for (int x = seen.x0; x < seen.x1; x++) {
            int64_t column = (int64_t)((x - box.x0 + 0.5) * (double)h->k / width);
            const double *value = cell(h, panel, row, column);
            if (!value) {
                canvas->failed = true;
                return;
            }
            heed__canvas_blend(canvas, x, y, color_of(h, *value), 1);
        }
    }
}

static void draw_panel(heatmap *h, heed__canvas *canvas, int64_t row, int64_t column)
{
    const heed__look *look = &h->look;
    const heed_plot_heatmap_options *o = &h->options;
    heed__axes axes = h->panel;
    int64_t number = row * h->columns + column;
    move(&axes.box, (double)column * h->step_x, (double)row * h->step_y);
    axes.no_x_labels = row != h->rows - 1;
    axes.no_y_labels = column != 0;
    draw_cells(h, canvas, number, axes.box);
    heed__axes_draw(canvas, &axes, look);
    if (!axes.no_x_labels)
        heed__axes_xlabel(canvas, &axes, look, o->xlabel, h->columns == 1 ? canvas->width : h->step_x);
    if (!axes.no_y_labels)
        heed__axes_ylabel(canvas, &axes, look, o->ylabel, h->rows == 1 ? canvas->height : h->step_y);
    if (has_titles(h))
        heed__axes_title(canvas, &axes, look, o->titles[number], h->columns == 1 ? canvas->width : h->step_x);
}

static void draw_bar(const heatmap *h, heed__canvas *canvas)
{
    heed__rect box = h->bar.box;
    for (int y = box.y0; y < box.y1; y++) {
        double fraction = (box.y1 - y - 0.5) / (box.y1 - box.y0);
        heed__canvas_fill(canvas, (heed__rect){box.x0, y, box.x1, y + 1},
                          heed__colormap_color(h->options.colormap, fraction));
    }
    heed__axes_draw(canvas, &h->bar, &h->look);
}

static heed_status draw(heatmap *h, const char *path)
{
    heed__canvas canvas;
    double scale = h->options.scale;
    heed_status status = heed__figure_begin(where, &canvas, (double)h->columns * h->options.panel_width * scale,
                                            (double)h->rows * h->options.panel_height * scale, HEED_ERR_SHAPE);
    if (status != HEED_OK)
        return status;
    h->look = heed__look_at(scale);
    lay_out(h, canvas.width, canvas.height);
    for (int64_t row = 0; row < h->rows; row++)
        for (int64_t column = 0; column < h->columns; column++)
            draw_panel(h, &canvas, row, column);
    if (!h->options.no_colorbar)
        draw_bar(h, &canvas);
    return heed__figure_end(where, &canvas, path);
}

heed_status heed_plot_heatmap(heed_tensor *matrices, const char *path, const heed_plot_heatmap_options *options)
{
    HEED_ENTER("plot_heatmap");
    if (!matrices || !path)
        return heed_fail(HEED_ERR_ARGUMENT, where, "%s is NULL", matrices ? "path" : "matrices");
    heed_scope *scope = heed_no_grad_begin();
    heatmap *h = scope ? heed_calloc(1, sizeof *h) : NULL;
    heed_status status = h ? read_shape(h, matrices) : HEED_ERR_NOMEM;
    if (status == HEED_OK)
        status = read_options(h, options);
    if (status == HEED_OK)
        status = find_range(h);
    if (status == HEED_OK)
        status = draw(h, path);
    if (h)
        drop_cells(h);
    heed_free(h, sizeof *h);
    if (scope)
        (void)heed_scope_end(scope);
    return status;
}
