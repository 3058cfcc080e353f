/* plot/axes.c - draws axes: frame, tick marks, tick labels, axis labels and grid. */
#include <math.h>
#include <stddef.h>

#include "plot/axes.h"
#include "plot/text.h"

/* The scale begins and ends in the middle of the frame's lines, half a line outside of the box. */
double heed__axes_x(const heed__axes *axes, const heed__plot_lengths *lengths, double value)
{
    int width = axes->box.x1 - axes->box.x0 + lengths->line;
    return axes->box.x0 - lengths->line / 2.0 + heed__axis_fraction(&axes->x, value) * width;
}

double heed__axes_y(const heed__axes *axes, const heed__plot_lengths *lengths, double value)
{
    int height = axes->box.y1 - axes->box.y0 + lengths->line;
    return axes->box.y1 + lengths->line / 2.0 - heed__axis_fraction(&axes->y, value) * height;
}

/* -- Marks and numbers ------------------------------------------------------------------------------------ */

/* Returns the first pixel of a line with a width of lengths->line pixels, centred at `middle`. */
static int line_start(double middle, const heed__plot_lengths *lengths)
{
    return heed__pixel(middle - lengths->line / 2.0 + 0.5);
}

/* Returns true if a value lies on the axis. Named ticks may lie outside of it. */
static bool within(const heed__axis *axis, double value)
{
    double fraction = heed__axis_fraction(axis, value);
    return fraction > -1e-6 && fraction < 1 + 1e-6;
}

void heed__axes_overhang(const heed__axes *axes, const heed__plot_lengths *lengths, double *left, double *right)
{
    *left = *right = 0;
    for (int i = 0; i < axes->x.ticks.count; i++) {
        heed__tick tick = heed__axis_tick(&axes->x, i);
        if (!within(&axes->x, tick.value))
            continue;
        heed__label_reach reach = heed__axis_label_reach(&axes->x, heed__text_width(tick.label, axes->x.font));
        double at = heed__axes_x(axes, lengths, tick.value);
        *left = fmax(*left, axes->box.x0 - at + reach.left);
        *right = fmax(*right, at + reach.right - axes->box.x1);
    }
}

static void fill(heed__surface *surface, int x, int y, int width, int height, uint32_t color)
{
    heed__draw_fill(surface, (heed__rect){x, y, x + width, y + height}, color);
}

void heed__axes_grid(heed__surface *surface, const heed__axes *axes, const heed__plot_lengths *lengths)
{
    heed__rect b = axes->box;
    for (int i = 0; i < axes->x.ticks.count && !axes->x.ticks.names; i++)
        fill(surface, line_start(heed__axes_x(axes, lengths, axes->x.ticks.at[i].value), lengths), b.y0, lengths->line,
             b.y1 - b.y0, HEED__GRID_COLOR);
    for (int i = 0; i < axes->y.ticks.count && !axes->y.ticks.names; i++)
        fill(surface, b.x0, line_start(heed__axes_y(axes, lengths, axes->y.ticks.at[i].value), lengths), b.x1 - b.x0,
             lengths->line, HEED__GRID_COLOR);
}

static void x_mark(heed__surface *surface, const heed__axes *axes, const heed__plot_lengths *lengths, double value,
                   int length)
{
    int x = line_start(heed__axes_x(axes, lengths, value), lengths);
    fill(surface, x, axes->box.y1 + lengths->line, lengths->line, length, HEED__BLACK);
}

static void y_mark(heed__surface *surface, const heed__axes *axes, const heed__plot_lengths *lengths, double value,
                   int length)
{
    int y = line_start(heed__axes_y(axes, lengths, value), lengths);
    int x = axes->right ? axes->box.x1 + lengths->line : axes->box.x0 - lengths->line - length;
    fill(surface, x, y, length, lengths->line, HEED__BLACK);
}

/* Returns the top of the x axis's tick labels, which are below the tick marks. */
static double x_number_top(const heed__axes *axes, const heed__plot_lengths *lengths)
{
    return axes->box.y1 + lengths->line + lengths->tick + lengths->pad;
}

static double xlabel_baseline(const heed__axes *axes, const heed__plot_lengths *lengths)
{
    double rise = heed__text_rise(lengths->font), drop = heed__text_drop(lengths->font);
    double down = heed__axis_label_reach(&axes->x, heed__axis_label_width(&axes->x)).down;
    return x_number_top(axes, lengths) + down + drop + lengths->label_pad + rise;
}

/* Draws a tick label of the x axis. A horizontal label is centred below its tick. A rotated label ends below its
 * tick. */
static void x_number(heed__surface *surface, const heed__axes *axes, const heed__plot_lengths *lengths,
                     const heed__tick *tick)
{
    heed__label_reach reach = heed__axis_label_reach(&axes->x, 0);
    heed__font_style style = {.size = axes->x.font, .color = HEED__BLACK, .align = HEED__END, .turn = axes->x.turn};
    double x = heed__axes_x(axes, lengths, tick->value);
    if (style.turn == HEED__LEVEL)
        style.align = HEED__CENTER;
    else
        x += reach.right;
    heed__draw_text(surface, tick->label, x, x_number_top(axes, lengths) + reach.down, &style);
}

static void draw_x(heed__surface *surface, const heed__axes *axes, const heed__plot_lengths *lengths)
{
    const heed__ticks *ticks = &axes->x.ticks;
    heed__font_style style = {.size = lengths->font, .color = HEED__BLACK};
    for (int i = 0; i < ticks->minor_count; i++)
        x_mark(surface, axes, lengths, ticks->minor[i], lengths->minor_tick);
    for (int i = 0; i < ticks->count; i++) {
        heed__tick tick = heed__axis_tick(&axes->x, i);
        if (!within(&axes->x, tick.value))
            continue;
        x_mark(surface, axes, lengths, tick.value, lengths->tick);
        if (!axes->no_x_labels)
            x_number(surface, axes, lengths, &tick);
    }
    style.align = HEED__END;
    if (!axes->no_x_labels)
        heed__draw_text(surface, ticks->factor, axes->box.x1, xlabel_baseline(axes, lengths), &style);
}

static void draw_y(heed__surface *surface, const heed__axes *axes, const heed__plot_lengths *lengths)
{
    const heed__ticks *ticks = &axes->y.ticks;
    heed__font_style style = {.size = axes->y.font, .color = HEED__BLACK};
    style.align = axes->right ? HEED__START : HEED__END;
    double away = lengths->line + lengths->tick + lengths->pad;
    double x = axes->right ? axes->box.x1 + away : axes->box.x0 - away;
    for (int i = 0; i < ticks->minor_count; i++)
        y_mark(surface, axes, lengths, ticks->minor[i], lengths->minor_tick);
    for (int i = 0; i < ticks->count; i++) {
        heed__tick tick = heed__axis_tick(&axes->y, i);
        y_mark(surface, axes, lengths, tick.value, lengths->tick);
        double middle = line_start(heed__axes_y(axes, lengths, tick.value), lengths) + lengths->line / 2.0;
        if (!axes->no_y_labels)
            heed__draw_text(surface, tick.label, x, middle + heed__text_rise(style.size) / 2, &style);
    }
    style.size = lengths->font;
    style.align = HEED__START;
    if (!axes->no_y_labels)
        heed__draw_text(surface, ticks->factor, axes->box.x0, axes->box.y0 - lengths->line - lengths->pad, &style);
}

void heed__axes_draw(heed__surface *surface, const heed__axes *axes, const heed__plot_lengths *lengths)
{
    heed__draw_frame(surface, axes->box, lengths->line, HEED__BLACK);
    draw_x(surface, axes, lengths);
    draw_y(surface, axes, lengths);
}

/* -- Labels ----------------------------------------------------------------------------------------------- */

/* Returns the number nearest to `middle` at which a text of this length can be centred so that it stays within low ..
 * high. Returns the middle of low .. high if the text is longer. */
static double clamp_middle(double middle, double length, double low, double high)
{
    if (length >= high - low)
        return (low + high) / 2;
    return fmin(fmax(middle, low + length / 2), high - length / 2);
}

void heed__axes_xlabel(heed__surface *surface, const heed__axes *axes, const heed__plot_lengths *lengths,
                       const char *text, double space)
{
    double size = heed__text_fit(text, lengths->font, space - 2 * lengths->margin);
    double middle = clamp_middle((axes->box.x0 + axes->box.x1) / 2.0, heed__text_width(text, size),
                                 axes->area.x0 + lengths->margin, axes->area.x1 - lengths->margin);
    heed__draw_text(surface, text, middle, xlabel_baseline(axes, lengths),
                    &(heed__font_style){.size = size, .color = HEED__BLACK, .align = HEED__CENTER});
}

void heed__axes_ylabel(heed__surface *surface, const heed__axes *axes, const heed__plot_lengths *lengths,
                       const char *text, double space)
{
    double size = heed__text_fit(text, lengths->font, space - 2 * lengths->margin);
    double middle = clamp_middle((axes->box.y0 + axes->box.y1) / 2.0, heed__text_width(text, size),
                                 axes->area.y0 + lengths->margin, axes->area.y1 - lengths->margin);
    double away = heed__axes_beside(&axes->y, lengths, NULL) + lengths->label_pad + heed__text_drop(lengths->font);
    heed__draw_text(
        surface, text, axes->box.x0 - away, middle,
        &(heed__font_style){.size = size, .color = HEED__BLACK, .align = HEED__CENTER, .turn = HEED__UPWARD});
}

void heed__axes_title(heed__surface *surface, const heed__axes *axes, const heed__plot_lengths *lengths,
                      const char *text, double space)
{
    double size = heed__text_fit(text, lengths->title_font, space - 2 * lengths->margin);
    double middle = clamp_middle((axes->box.x0 + axes->box.x1) / 2.0, heed__text_width(text, size),
                                 axes->area.x0 + lengths->margin, axes->area.x1 - lengths->margin);
    heed__draw_text(surface, text, middle, axes->box.y0 - lengths->line - lengths->title_pad,
                    &(heed__font_style){.size = size, .color = HEED__BLACK, .align = HEED__CENTER});
}

double heed__axes_below(const heed__axis *x, const heed__plot_lengths *lengths, const char *label)
{
    double line = heed__text_rise(lengths->font) + heed__text_drop(lengths->font);
    double numbers =
        lengths->line + lengths->tick + lengths->pad + heed__axis_label_reach(x, heed__axis_label_width(x)).down;
    bool second = (label && *label) || x->ticks.factor[0] != '\0';
    return second ? numbers + heed__text_drop(lengths->font) + lengths->label_pad + line : numbers;
}

double heed__axes_beside(const heed__axis *y, const heed__plot_lengths *lengths, const char *label)
{
    double numbers = lengths->line + lengths->tick + lengths->pad + ceil(heed__axis_label_width(y));
    bool second = label && *label;
    return second ? numbers + lengths->label_pad + heed__text_rise(lengths->font) + heed__text_drop(lengths->font)
                  : numbers;
}
