/* np/scan.c - points that fill a box evenly, and the lowest local minima among them. */

#include "np/scan.h"

#include <math.h>

#include <heed/memory.h>

typedef heed__np_point point;

enum { D = HEED_NP_MAX_COLUMNS };

double heed__np_even(int i, int column)
{
    static const int primes[D] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
    const int base = primes[column];
    double x = 0, digit = 1;
    for (; i > 0; i /= base)
        x += i % base * (digit /= base);
    return x;
}

/* Returns true if f of an earlier point was infinite and no coordinate of point i is larger than that point's. Then f
 * of point i is infinite too, because narrower windows contain even fewer rows. */
static bool is_too_narrow(const point *all, int i, int columns)
{
    for (int k = 0; k < i; k++) {
        if (isfinite(all[k].f))
            continue;
        int c = 0;
        while (c < columns && all[i].x[c] <= all[k].x[c])
            c++;
        if (c == columns)
            return true;
    }
    return false;
}

/* Returns true if f of point i is finite and no point near it has a lower f. A point is near if it differs by less than
 * radius[c] in every coordinate c. */
static bool is_local_minimum(const point *all, int points, int i, int columns, const double *radius)
{
    if (!isfinite(all[i].f))
        return false;
    for (int k = 0; k < points; k++) {
        if (!(all[k].f < all[i].f))
            continue;
        int c = 0;
        while (c < columns && fabs(all[k].x[c] - all[i].x[c]) < radius[c])
            c++;
        if (c == columns)
            return false;
    }
    return true;
}

static int note(point *best, int found, int count, const point *p)
{
    int at = found < count ? found : count - 1;
    if (found == count && !(p->f < best[at].f))
        return found;
    for (; at > 0 && best[at - 1].f > p->f; at--)
        best[at] = best[at - 1];
    best[at] = *p;
    return found < count ? found + 1 : found;
}

int heed__np_scan(const heed__np_descent *run, const double *low, const double *high, int points, point *best,
                  int count)
{
    const int d = run->columns;
    double radius[D];
    for (int c = 0; c < d; c++)
        radius[c] = 1.3 * (high[c] - low[c]) * pow(points, -1.0 / d);
    point *all = heed_calloc((size_t)points, sizeof *all);
    int found = all ? 0 : -1, made = 0;
    for (bool goes_on = all != NULL; goes_on && made < points; made++) {
        for (int c = 0; c < d; c++)
            all[made].x[c] = low[c] + (high[c] - low[c]) * heed__np_even(made + 1, c);
        if (is_too_narrow(all, made, d))
            all[made].f = (double)INFINITY;
        else
            goes_on = run->at(run->user, &all[made]);
    }
    for (int i = 0; i < made; i++)
        if (is_local_minimum(all, made, i, d, radius))
            found = note(best, found, count, &all[i]);
    if (all)
        heed_free(all, (size_t)points * sizeof *all);
    return found;
}
