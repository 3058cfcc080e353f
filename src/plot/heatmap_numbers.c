/* plot/heatmap_numbers.c - numbers in the cells of a heatmap, all of the same size and number of digits, dark on light
 * cells and light on dark ones. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "plot/heatmap.h"

#define SMALLEST 6.0 /* minimum size of text, in pixels times scale; smaller text is left out */
#define WIDTH 0.9    /* maximum width of a number, as a fraction of the cell */
#define HEIGHT 0.8   /* maximum height of an em, as a fraction of the cell */
#define LIGHT 0.408  /* text is dark on cells above this relative luminance, as in seaborn */
#define SOFT_BLACK 0x262626u

typedef struct number {
    char s[64];
} number;

static number write_number(const heed__number_format *f, double value)
{
    static const char minus[] = "−";
    number digits, text;
    if (isnan(value))
        return (number){""};
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

/* Calls `visit` for every number of every panel. Returns false with an error pending. */
static bool visit_all(heed__heatmap *h, void (*visit)(double value, void *context), void *context)
{
    heed__cells *cells = &h->numbers;
    for (int64_t panel = 0; panel < cells->rows * cells->columns; panel++)
        for (int64_t row = 0; row < cells->q; row++)
            for (int64_t column = 0; column < cells->k; column++) {
                const double *value = heed__cells_get(cells, panel, row, column);
                if (!value)
                    return false;
                visit(*value, context);
            }
    return true;
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
    e->f.widest = fmax(e->f.widest, heed__text_width(write_number(&e->f, value).s, 1));
}

static heed__number_format choose(const heed__heatmap *h, const extent *e)
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

static bool write_cell(heed__heatmap *h, heed__surface *surface, int64_t panel, int64_t row, int64_t column,
                       heed__rect box, const heed__number_format *f, double size)
{
    const double *value = heed__cells_get(&h->matrices, panel, row, column);
    const double *shown = value ? heed__cells_get(&h->numbers, panel, row, column) : NULL;
    if (!shown)
        return false;
    uint32_t color = heed__heatmap_color(h, *value);
    double x = box.x0 + ((double)column + 0.5) * (box.x1 - box.x0) / (double)h->matrices.k;
    double y = box.y0 + ((double)row + 0.5) * (box.y1 - box.y0) / (double)h->matrices.q;
    heed__font_style style = {
        .size = size, .color = luminance(color) > LIGHT ? SOFT_BLACK : HEED__WHITE, .align = HEED__CENTER};
    heed__draw_text(surface, write_number(f, *shown).s, x, floor(y + heed__text_rise(size) / 2 + 0.5), &style);
    return true;
}

/* Finds the format of the numbers of all panels. Returns false with an error pending. */
static bool find_format(heed__heatmap *h)
{
    extent e = {.fraction = false};
    if (h->format.known)
        return true;
    if (!visit_all(h, visit_size, &e))
        return false;
    e.f = choose(h, &e);
    if (!visit_all(h, visit_width, &e))
        return false;
    h->format = e.f;
    h->format.known = true;
    return true;
}

bool heed__heatmap_write_numbers(heed__heatmap *h, heed__surface *surface, int64_t panel, heed__rect box)
{
    double cell_width = (double)(box.x1 - box.x0) / (double)h->matrices.k;
    double smallest = SMALLEST * h->lengths->pt * 0.72, size = fmin(h->lengths->font, HEIGHT * cell_width);
    if (size < smallest) /* cells are square */
        return true;
    if (!find_format(h))
        return false;
    if (h->format.widest > 0)
        size = fmin(size, WIDTH * cell_width / h->format.widest);
    for (int64_t row = 0; size >= smallest && row < h->matrices.q; row++)
        for (int64_t column = 0; column < h->matrices.k; column++)
            if (!write_cell(h, surface, panel, row, column, box, &h->format, size))
                return false;
    return true;
}
