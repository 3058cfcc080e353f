/* plot/thin.c - replaces many consecutive points in a narrow strip by four, so that the time to draw a dense curve
 * depends on the size of its picture and not on the number of points. */
#include <math.h>

#include "plot/thin.h"

#define PER_PIXEL 4
#define MANY 16 /* all points of a strip are kept up to this number, which ordinary curves do not exceed */

typedef enum axis { ALONG_X, ALONG_Y } axis;

static double strip_of(heed__point p, axis along)
{
    return floor(PER_PIXEL * (along == ALONG_X ? p.x : p.y));
}

static double across(heed__point p, axis along)
{
    return along == ALONG_X ? p.y : p.x;
}

static bool is_finite(heed__point p)
{
    return isfinite(p.x) && isfinite(p.y);
}

/* Writes the points from <= i < end of a strip, or only four of them if they are more than MANY, to points[kept] and
 * the following elements. Returns the new `kept`. */
static size_t thin_strip(heed__point *points, size_t kept, size_t from, size_t end, axis along)
{
    size_t low = from, high = from;
    if (end - from <= MANY) {
        for (size_t i = from; i < end; i++)
            points[kept++] = points[i];
        return kept;
    }
    for (size_t i = from; i < end; i++) {
        low = across(points[i], along) < across(points[low], along) ? i : low;
        high = across(points[i], along) > across(points[high], along) ? i : high;
    }
    const heed__point four[] = {points[from], points[low < high ? low : high], points[low < high ? high : low],
                                points[end - 1]};
    for (size_t i = 0; i < 4; i++)
        points[kept++] = four[i];
    return kept;
}

static size_t thin_along(heed__point *points, size_t count, axis along)
{
    size_t kept = 0;
    for (size_t from = 0, end; from < count; from = end) {
        double strip = strip_of(points[from], along);
        end = from + 1;
        while (end < count && is_finite(points[from]) && is_finite(points[end]) &&
               strip_of(points[end], along) == strip)
            end++;
        kept = thin_strip(points, kept, from, end, along);
    }
    return kept;
}

size_t heed__thin(heed__point *points, size_t count)
{
    return thin_along(points, thin_along(points, count, ALONG_X), ALONG_Y);
}
