/* plot/axes.c - frame, marks, numbers, labels and grid. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "plot/axes.h"
#include "plot/text.h"

#define GRID_COLOR 0xb0b0b0u

heed__look heed__look_at(double scale)
{
    double pt = scale * 100 / 72;
    return (heed__look){.pt = pt,
                        .font = 10 * pt,
                        .title_font = 12 * pt,
                        .pad = 3.5 * pt,
                        .label_pad = 4 * pt,
                        .title_pad = 6 * pt,
                        .margin = 4 * pt,
                        .line = heed__whole_pixels(0.8 * pt),
                        .tick = heed__whole_pixels(3.5 * pt),
                        .minor_tick = heed__whole_pixels(2 * pt)};
}

int heed__whole_pixels(double length)
{
    return length < 1.5 ? 1 : (int)floor(length + 0.5);
}

/* -- Scales ----------------------------------------------------------------------------------------------- */

/* log10 from arithmetic alone, so that pixels do not depend on the C library: v = m 2^e with m near 1,
 * ln m = 2 (z + z^3/3 + z^5/5 + ...) with z = (m - 1) / (m + 1). */
static double log10_of(double v)
{
    int exponent = 0;
    double m = frexp(v, &exponent);
    if (m < 0.70710678118654752) {
        m *= 2;
        exponent--;
    }
    double z = (m - 1) / (m + 1), power = z, sum = 0;
    for (int k = 1; k < 26; k += 2) {
        sum += power / k;
        power *= z * z;
    }
    return exponent * 0.30102999566398120 + 2 * sum * 0.43429448190325183;
}

double heed__axis_fraction(const heed__axis *axis, double value)
{
    if (axis->log) {
        if (!(value > 0))
            return (double)NAN;
        double from = log10_of(axis->from);
        return (log10_of(value) - from) / (log10_of(axis->to) - from);
    }
    return (value / 2 - axis->from / 2) / (axis->to / 2 - axis->from / 2);
}

void heed__widen(double *low, double *high, double by)
{
    double largest = fmax(fabs(*low), fabs(*high));
    if (largest < 1e-290) {
        *low = -by;
        *high = by;
    } else if (*high / 2 - *low / 2 <= largest * 1e-12) {
        *low = fmax(*low - by * largest, -DBL_MAX);
        *high = fmin(*high + by * largest, DBL_MAX);
    }
}

static void find_ticks(heed__axis *axis, int most, bool whole)
{
    double low = fmin(axis->from, axis->to), high = fmax(axis->from, axis->to);
    if (axis->log)
        heed__ticks_log(&axis->ticks, low, high, most);
    else
        heed__ticks_linear(&axis->ticks, low, high, most, whole);
}

void heed__axis_find_ticks(heed__axis *axis, const heed__look *look, double pixels, bool along, bool whole)
{
    double room = pixels / (look->font * (along ? 3 : 2));
    int most = room < 1 ? 1 : room > 9 ? 9 : (int)room;
    find_ticks(axis, most, whole);
    while (along && most > 1 &&
           axis->ticks.count * (heed__axis_label_width(axis, look) + look->font / 2) > pixels + look->font)
        find_ticks(axis, --most, whole);
}

void heed__axis_name_ticks(heed__axis *axis, const heed__look *look, const char *const *names, int64_t count,
                           double pixels, bool along)
{
    double line = look->font * 1.1;
    int most = pixels < HEED__MAX_TICKS * line && !along ? (int)(pixels / line) : HEED__MAX_TICKS;
    heed__ticks_names(&axis->ticks, names, count, most);
    while (along && axis->ticks.count > 1 &&
           axis->ticks.count * (heed__axis_label_width(axis, look) + look->font / 3) > pixels)
        heed__ticks_names(&axis->ticks, names, count, axis->ticks.count - 1);
}

double heed__axis_label_width(const heed__axis *axis, const heed__look *look)
{
    double widest = 0;
    for (int i = 0; i < axis->ticks.count; i++)
        widest = fmax(widest, heed__text_width(axis->ticks.at[i].label, look->font));
    return widest;
}

/* The middles of the frame's lines are the ends of the scale. */
double heed__axes_x(const heed__axes *axes, const heed__look *look, double value)
{
    int width = axes->box.x1 - axes->box.x0 + look->line;
    return axes->box.x0 - look->line / 2.0 + heed__axis_fraction(&axes->x, value) * width;
}

double heed__axes_y(const heed__axes *axes, const heed__look *look, double value)
{
    int height = axes->box.y1 - axes->box.y0 + look->line;
    return axes->box.y1 + look->line / 2.0 - heed__axis_fraction(&axes->y, value) * height;
}

/* -- Marks and numbers ------------------------------------------------------------------------------------ */

/* First pixel of a line of look->line pixels around `middle`. */
static int line_start(double middle, const heed__look *look)
{
    return (int)floor(middle - look->line / 2.0 + 0.5);
}

static void fill(heed__canvas *canvas, int x, int y, int width, int height, uint32_t color)
{
    heed__canvas_fill(canvas, (heed__rect){x, y, x + width, y + height}, color);
}

void heed__axes_grid(heed__canvas *canvas, const heed__axes *axes, const heed__look *look)
{
    heed__rect b = axes->box;
    for (int i = 0; i < axes->x.ticks.count; i++)
        fill(canvas, line_start(heed__axes_x(axes, look, axes->x.ticks.at[i].value), look), b.y0, look->line,
             b.y1 - b.y0, GRID_COLOR);
    for (int i = 0; i < axes->y.ticks.count; i++)
        fill(canvas, b.x0, line_start(heed__axes_y(axes, look, axes->y.ticks.at[i].value), look), b.x1 - b.x0,
             look->line, GRID_COLOR);
}

static void x_mark(heed__canvas *canvas, const heed__axes *axes, const heed__look *look, double value, int length)
{
    int x = line_start(heed__axes_x(axes, look, value), look);
    fill(canvas, x, axes->box.y1 + look->line, look->line, length, HEED__BLACK);
}

static void y_mark(heed__canvas *canvas, const heed__axes *axes, const heed__look *look, double value, int length)
{
    int y = line_start(heed__axes_y(axes, look, value), look);
    int x = axes->right ? axes->box.x1 + look->line : axes->box.x0 - look->line - length;
    fill(canvas, x, y, length, look->line, HEED__BLACK);
}

static double x_number_baseline(const heed__axes *axes, const heed__look *look)
{
    return axes->box.y1 + look->line + look->tick + look->pad + heed__text_rise(look->font);
}

static double xlabel_baseline(const heed__axes *axes, const heed__look *look)
{
    double rise = heed__text_rise(look->font), drop = heed__text_drop(look->font);
    return x_number_baseline(axes, look) + drop + look->label_pad + rise;
}

static void draw_x(heed__canvas *canvas, const heed__axes *axes, const heed__look *look)
{
    const heed__ticks *ticks = &axes->x.ticks;
    heed__font_style style = {.size = look->font, .color = HEED__BLACK, .align = HEED__CENTER};
    for (int i = 0; i < ticks->minor_count; i++)
        x_mark(canvas, axes, look, ticks->minor[i], look->minor_tick);
    for (int i = 0; i < ticks->count; i++) {
        x_mark(canvas, axes, look, ticks->at[i].value, look->tick);
        if (!axes->no_x_labels)
            heed__text_draw(canvas, ticks->at[i].label, heed__axes_x(axes, look, ticks->at[i].value),
                            x_number_baseline(axes, look), &style);
    }
    style.align = HEED__END;
    if (!axes->no_x_labels)
        heed__text_draw(canvas, ticks->factor, axes->box.x1, xlabel_baseline(axes, look), &style);
}

static void draw_y(heed__canvas *canvas, const heed__axes *axes, const heed__look *look)
{
    const heed__ticks *ticks = &axes->y.ticks;
    heed__font_style style = {.size = look->font, .color = HEED__BLACK};
    style.align = axes->right ? HEED__START : HEED__END;
    double away = look->line + look->tick + look->pad;
    double x = axes->right ? axes->box.x1 + away : axes->box.x0 - away;
    for (int i = 0; i < ticks->minor_count; i++)
        y_mark(canvas, axes, look, ticks->minor[i], look->minor_tick);
    for (int i = 0; i < ticks->count; i++) {
        y_mark(canvas, axes, look, ticks->at[i].value, look->tick);
        double middle = line_start(heed__axes_y(axes, look, ticks->at[i].value), look) + look->line / 2.0;
        if (!axes->no_y_labels)
            heed__text_draw(canvas, ticks->at[i].label, x, middle + heed__text_rise(look->font) / 2, &style);
    }
    style.align = HEED__START;
    if (!axes->no_y_labels)
        heed__text_draw(canvas, ticks->factor, axes->box.x0, axes->box.y0 - look->line - look->pad, &style);
}

void heed__axes_draw(heed__canvas *canvas, const heed__axes *axes, const heed__look *look)
{
    heed__canvas_frame(canvas, axes->box, look->line, HEED__BLACK);
    draw_x(canvas, axes, look);
    draw_y(canvas, axes, look);
}

/* -- Labels ----------------------------------------------------------------------------------------------- */

/* The middle of a text of this length that is to stand at `middle`, moved so that the text stays within the limits. */
static double keep_within(double middle, double length, double low, double high)
{
    if (length >= high - low)
        return (low + high) / 2;
    return fmin(fmax(middle, low + length / 2), high - length / 2);
}

void heed__axes_xlabel(heed__canvas *canvas, const heed__axes *axes, const heed__look *look, const char *text,
                       double room)
{
    double size = heed__text_fit(text, look->font, room - 2 * look->margin);
    double middle = keep_within((axes->box.x0 + axes->box.x1) / 2.0, heed__text_width(text, size), look->margin,
                                canvas->width - look->margin);
    heed__text_draw(canvas, text, middle, xlabel_baseline(axes, look),
                    &(heed__font_style){.size = size, .color = HEED__BLACK, .align = HEED__CENTER});
}

void heed__axes_ylabel(heed__canvas *canvas, const heed__axes *axes, const heed__look *look, const char *text,
                       double room)
{
    double size = heed__text_fit(text, look->font, room - 2 * look->margin);
    double middle = keep_within((axes->box.y0 + axes->box.y1) / 2.0, heed__text_width(text, size), look->margin,
                                canvas->height - look->margin);
    double away = heed__axes_beside(&axes->y, look, NULL) + look->label_pad + heed__text_drop(look->font);
    heed__text_draw(canvas, text, axes->box.x0 - away, middle,
                    &(heed__font_style){.size = size, .color = HEED__BLACK, .align = HEED__CENTER, .upward = true});
}

void heed__axes_title(heed__canvas *canvas, const heed__axes *axes, const heed__look *look, const char *text,
                      double room)
{
    double size = heed__text_fit(text, look->title_font, room - 2 * look->margin);
    double middle = keep_within((axes->box.x0 + axes->box.x1) / 2.0, heed__text_width(text, size), look->margin,
                                canvas->width - look->margin);
    heed__text_draw(canvas, text, middle, axes->box.y0 - look->line - look->title_pad,
                    &(heed__font_style){.size = size, .color = HEED__BLACK, .align = HEED__CENTER});
}

double heed__axes_below(const heed__axis *x, const heed__look *look, const char *label)
{
    double line = heed__text_rise(look->font) + heed__text_drop(look->font);
    double numbers = look->line + look->tick + look->pad + heed__text_rise(look->font);
    bool second = (label && *label) || x->ticks.factor[0] != '\0';
    return second ? numbers + heed__text_drop(look->font) + look->label_pad + line : numbers;
}

double heed__axes_beside(const heed__axis *y, const heed__look *look, const char *label)
{
    double numbers = look->line + look->tick + look->pad + ceil(heed__axis_label_width(y, look));
    bool second = label && *label;
    return second ? numbers + look->label_pad + heed__text_rise(look->font) + heed__text_drop(look->font) : numbers;
}
