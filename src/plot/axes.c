/* plot/axes.c - draws axes: frame, tick marks, tick labels, axis labels and grid.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stddef.h>

#include "plot/axes.h"
#include "plot/text.h"

/* The scale begins and ends in the middle of the frame's lines, half a line outside of the box. */
double heed__axes_x(const heed__axes *axes, double value)
{
    int line = axes->lengths->line, width = axes->box.x1 - axes->box.x0 + line;
    return axes->box.x0 - line / 2.0 + heed__axis_fraction(&axes->x, value) * width;
}

double heed__axes_y(const heed__axes *axes, double value)
{
    int line = axes->lengths->line, height = axes->box.y1 - axes->box.y0 + line;
    return axes->box.y1 + line / 2.0 - heed__axis_fraction(&axes->y, value) * height;
}

/* -- Marks and numbers ------------------------------------------------------------------------------------ */

/* Returns the first pixel of a line with a width of lengths->line pixels, centred at `middle`. */
static int line_start(const heed__axes *axes, double middle)
{
    return heed__pixel(middle - axes->lengths->line / 2.0 + 0.5);
}

/* Returns true if a value lies on the axis. Named ticks may lie outside of it. */
static bool is_on_axis(const heed__axis *axis, double value)
{
    double fraction = heed__axis_fraction(axis, value);
    return fraction > -1e-6 && fraction < 1 + 1e-6;
}

/* Returns the distance from the box to the tick labels. */
static double label_distance(const heed__axes *axes)
{
    return axes->lengths->line + axes->lengths->tick + axes->lengths->pad;
}

void heed__axes_overhang(const heed__axes *axes, double *left, double *right)
{
    *left = *right = 0;
    for (int i = 0; i < axes->x.ticks.count; i++) {
        heed__tick tick = heed__axis_tick(&axes->x, i);
        if (!is_on_axis(&axes->x, tick.value))
            continue;
        heed__label_reach reach = heed__axis_label_reach(&axes->x, heed__text_width(tick.label, axes->x.font));
        double at = heed__axes_x(axes, tick.value);
        *left = fmax(*left, axes->box.x0 - at + reach.left);
        *right = fmax(*right, at + reach.right - axes->box.x1);
    }
}

static void fill_area(heed__surface *surface, int x, int y, int width, int height, uint32_t color)
{
    heed__draw_fill(surface, (heed__rect){x, y, x + width, y + height}, color);
}

void heed__axes_grid(heed__surface *surface, const heed__axes *axes)
{
    heed__rect b = axes->box;
    const heed__ticks *x = &axes->x.ticks, *y = &axes->y.ticks;
    int line = axes->lengths->line;
    for (int i = 0; i < x->count && !x->names; i++)
        fill_area(surface, line_start(axes, heed__axes_x(axes, x->at[i].value)), b.y0, line, b.y1 - b.y0,
                  HEED__GRID_COLOR);
    for (int i = 0; i < y->count && !y->names; i++)
        fill_area(surface, b.x0, line_start(axes, heed__axes_y(axes, y->at[i].value)), b.x1 - b.x0, line,
                  HEED__GRID_COLOR);
}

static void draw_x_mark(heed__surface *surface, const heed__axes *axes, double value, int length)
{
    int line = axes->lengths->line;
    fill_area(surface, line_start(axes, heed__axes_x(axes, value)), axes->box.y1 + line, line, length, HEED__BLACK);
}

static void draw_y_mark(heed__surface *surface, const heed__axes *axes, double value, int length)
{
    int line = axes->lengths->line;
    int x = axes->right ? axes->box.x1 + line : axes->box.x0 - line - length;
    fill_area(surface, x, line_start(axes, heed__axes_y(axes, value)), length, line, HEED__BLACK);
}

/* Returns the top of the x axis's tick labels, which are below the tick marks. */
static double x_labels_top(const heed__axes *axes)
{
    return axes->box.y1 + axes->lengths->line + axes->lengths->tick + axes->lengths->pad;
}

/* Returns how far tick labels of the x axis extend below their top. */
static double x_labels_down(const heed__axes *axes)
{
    return heed__axis_label_reach(&axes->x, heed__axis_label_width(&axes->x)).down;
}

static double xlabel_baseline(const heed__axes *axes)
{
    const heed__plot_lengths *l = axes->lengths;
    double rise = heed__text_rise(l->font), drop = heed__text_drop(l->font);
    return x_labels_top(axes) + x_labels_down(axes) + drop + l->label_pad + rise;
}

/* Draws a tick label of the x axis. A horizontal label is centred below its tick. A rotated label ends below its
 * tick. */
static void draw_x_tick_label(heed__surface *surface, const heed__axes *axes, const heed__tick *tick)
{
    heed__label_reach reach = heed__axis_label_reach(&axes->x, 0);
    heed__font_style style = {.size = axes->x.font, .color = HEED__BLACK, .align = HEED__END, .turn = axes->x.turn};
    double x = heed__axes_x(axes, tick->value);
    if (style.turn == HEED__LEVEL)
        style.align = HEED__CENTER;
    else
        x += reach.right;
    heed__draw_text(surface, tick->label, x, x_labels_top(axes) + reach.down, &style);
}

static void draw_x(heed__surface *surface, const heed__axes *axes)
{
    const heed__ticks *ticks = &axes->x.ticks;
    for (int i = 0; i < ticks->minor_count; i++)
        draw_x_mark(surface, axes, ticks->minor[i], axes->lengths->minor_tick);
    for (int i = 0; i < ticks->count; i++) {
        heed__tick tick = heed__axis_tick(&axes->x, i);
        if (!is_on_axis(&axes->x, tick.value))
            continue;
        draw_x_mark(surface, axes, tick.value, axes->lengths->tick);
        if (!axes->no_x_labels)
            draw_x_tick_label(surface, axes, &tick);
    }
    heed__font_style style = {.size = axes->lengths->font, .color = HEED__BLACK, .align = HEED__END};
    if (!axes->no_x_labels)
        heed__draw_text(surface, ticks->factor, axes->box.x1, xlabel_baseline(axes), &style);
}

static void draw_y(heed__surface *surface, const heed__axes *axes)
{
    const heed__plot_lengths *l = axes->lengths;
    const heed__ticks *ticks = &axes->y.ticks;
    heed__font_style style = {.size = axes->y.font, .color = HEED__BLACK};
    style.align = axes->right ? HEED__START : HEED__END;
    double away = label_distance(axes), x = axes->right ? axes->box.x1 + away : axes->box.x0 - away;
    for (int i = 0; i < ticks->minor_count; i++)
        draw_y_mark(surface, axes, ticks->minor[i], l->minor_tick);
    for (int i = 0; i < ticks->count; i++) {
        heed__tick tick = heed__axis_tick(&axes->y, i);
        draw_y_mark(surface, axes, tick.value, l->tick);
        double middle = line_start(axes, heed__axes_y(axes, tick.value)) + l->line / 2.0;
        if (!axes->no_y_labels)
            heed__draw_text(surface, tick.label, x, middle + heed__text_rise(style.size) / 2, &style);
    }
    style.size = l->font;
    style.align = HEED__START;
    if (!axes->no_y_labels)
        heed__draw_text(surface, ticks->factor, axes->box.x0, axes->box.y0 - l->line - l->pad, &style);
}

void heed__axes_draw(heed__surface *surface, const heed__axes *axes)
{
    heed__draw_frame(surface, axes->box, axes->lengths->line, HEED__BLACK);
    draw_x(surface, axes);
    draw_y(surface, axes);
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

/* Draws a horizontal label, centred at the box, with its baseline at y. */
static void draw_level_label(heed__surface *surface, const heed__axes *axes, const char *text, double font,
                             double space, double y)
{
    double margin = axes->lengths->margin, size = heed__text_fit(text, font, space - 2 * margin);
    double middle = clamp_middle((axes->box.x0 + axes->box.x1) / 2.0, heed__text_width(text, size),
                                 axes->area.x0 + margin, axes->area.x1 - margin);
    heed__draw_text(surface, text, middle, y,
                    &(heed__font_style){.size = size, .color = HEED__BLACK, .align = HEED__CENTER});
}

void heed__axes_xlabel(heed__surface *surface, const heed__axes *axes, const char *text, double space)
{
    draw_level_label(surface, axes, text, axes->lengths->font, space, xlabel_baseline(axes));
}

void heed__axes_title(heed__surface *surface, const heed__axes *axes, const char *text, double space)
{
    const heed__plot_lengths *l = axes->lengths;
    draw_level_label(surface, axes, text, l->title_font, space, axes->box.y0 - l->line - l->title_pad);
}

void heed__axes_ylabel(heed__surface *surface, const heed__axes *axes, const char *text, double space)
{
    const heed__plot_lengths *l = axes->lengths;
    double size = heed__text_fit(text, l->font, space - 2 * l->margin);
    double middle = clamp_middle((axes->box.y0 + axes->box.y1) / 2.0, heed__text_width(text, size),
                                 axes->area.y0 + l->margin, axes->area.y1 - l->margin);
    double away = heed__axes_beside(axes, NULL) + l->label_pad + heed__text_drop(l->font);
    heed__draw_text(
        surface, text, axes->box.x0 - away, middle,
        &(heed__font_style){.size = size, .color = HEED__BLACK, .align = HEED__CENTER, .turn = HEED__UPWARD});
}

double heed__axes_below(const heed__axes *axes, const char *label)
{
    const heed__plot_lengths *l = axes->lengths;
    double drop = heed__text_drop(l->font), line = heed__text_rise(l->font) + drop;
    double numbers = label_distance(axes) + x_labels_down(axes);
    bool second = (label && *label) || axes->x.ticks.factor[0] != '\0';
    return second ? numbers + drop + l->label_pad + line : numbers;
}

double heed__axes_beside(const heed__axes *axes, const char *label)
{
    const heed__plot_lengths *l = axes->lengths;
    double numbers = label_distance(axes) + ceil(heed__axis_label_width(&axes->y));
    bool second = label && *label;
    return second ? numbers + l->label_pad + heed__text_rise(l->font) + heed__text_drop(l->font) : numbers;
}
