/* plot/dots.c - draws single dots, lines and boxes in a picture of dots. */
#include <math.h>

#include <heed/memory.h>

#include "plot/dots.h"
#include "plot/stroke.h"

static size_t cells(const heed__dots *dots)
{
    return (size_t)dots->columns * (size_t)dots->rows;
}

bool heed__dots_init(heed__dots *dots, int columns, int rows)
{
    *dots = (heed__dots){.columns = columns, .rows = rows};
    dots->bits = heed_calloc(cells(dots), sizeof *dots->bits);
    dots->owners = heed_calloc(cells(dots), sizeof *dots->owners);
    if (dots->bits && dots->owners)
        return true;
    heed__dots_free(dots);
    return false;
}

void heed__dots_free(heed__dots *dots)
{
    heed_free(dots->owners, cells(dots) * sizeof *dots->owners);
    heed_free(dots->bits, cells(dots) * sizeof *dots->bits);
    *dots = (heed__dots){.columns = 0};
}

void heed__dots_set(heed__dots *dots, int64_t x, int64_t y, int owner)
{
    static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (x < 0 || y < 0 || x >= 2 * (int64_t)dots->columns || y >= 4 * (int64_t)dots->rows)
        return;
    size_t at = (size_t)(y / 4) * (size_t)dots->columns + (size_t)(x / 2);
    dots->bits[at] |= bits[y % 4][x % 2];
    dots->owners[at] = owner;
}

static int nearest(double value)
{
    return heed__pixel(value + 0.5);
}

void heed__dots_line(heed__dots *dots, double x0, double y0, double x1, double y1, int owner)
{
    double t0 = 0, t1 = 1, dx = x1 - x0, dy = y1 - y0;
    heed__clip_parameter(x0, dx, -1, 2.0 * dots->columns, &t0, &t1);
    heed__clip_parameter(y0, dy, -1, 4.0 * dots->rows, &t0, &t1);
    if (t0 > t1)
        return;
    int steps = heed__pixel(ceil(fmax(fabs(dx), fabs(dy)) * (t1 - t0)));
    for (int i = 0; i <= steps; i++) {
        double t = steps > 0 ? t0 + (t1 - t0) * i / steps : t0;
        heed__dots_set(dots, nearest(x0 + t * dx), nearest(y0 + t * dy), owner);
    }
}

void heed__dots_box(heed__dots *dots, double x0, double y0, double x1, double y1, int owner)
{
    double right = 2.0 * dots->columns, bottom = 4.0 * dots->rows;
    int from_x = nearest(fmax(fmin(x0, x1), -1)), to_x = nearest(fmin(fmax(x0, x1), right));
    int from_y = nearest(fmax(fmin(y0, y1), -1)), to_y = nearest(fmin(fmax(y0, y1), bottom));
    for (int y = from_y; y <= to_y; y++)
        for (int x = from_x; x <= to_x; x++)
            heed__dots_set(dots, x, y, owner);
}

void heed__dots_character(const heed__dots *dots, int row, int column, char text[4])
{
    unsigned bits = dots->bits[(size_t)row * (size_t)dots->columns + (size_t)column];
    text[0] = bits ? (char)0xe2 : ' ';
    text[1] = bits ? (char)(0xa0 | bits >> 6) : '\0';
    text[2] = (char)(0x80 | (bits & 0x3f));
    text[3] = '\0';
}
