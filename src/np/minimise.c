/* np/minimise.c - local minimisation within bounds, by BFGS or by steps along the axes; and scans, which evaluate
 * points that fill a box evenly and find the lowest local minima among them.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include <heed/memory.h>

#include "np/minimise.h"

enum { D = HEED_NP_MAX_COLUMNS, HALVINGS = 30 };

typedef heed__np_point point;
typedef heed__np_descent descent;

/* -- Descents ------------------------------------------------------------------------------------------------------ */

/* Returns false if p is at a bound of coordinate c and descending would take p across this bound. */
static bool is_free_coordinate(const descent *run, const point *p, int c)
{
    return !(p->x[c] <= run->low[c] && p->slopes[c] >= 0) && !(p->x[c] >= run->high[c] && p->slopes[c] <= 0);
}

static void reset_inverse(int d, double size, double inverse[D][D])
{
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            inverse[i][j] = i == j ? size : 0;
}

/* Computes the direction -inverse * slopes, restricted to the coordinates for which is_free_coordinate is true. Scales
 * it so that no coordinate changes by more than 1.5, which is a factor of 4.5 in h. Returns the slope along the
 * direction. */
static double direction_of(const descent *run, const point *p, double inverse[D][D], double *direction)
{
    double most = 0, slope = 0;
    for (int i = 0; i < run->columns; i++) {
        direction[i] = 0;
        for (int j = 0; j < run->columns && is_free_coordinate(run, p, i); j++)
            direction[i] -= is_free_coordinate(run, p, j) ? inverse[i][j] * p->slopes[j] : 0;
        most = fmax(most, fabs(direction[i]));
    }
    for (int i = 0; i < run->columns; i++) {
        direction[i] *= most > 1.5 ? 1.5 / most : 1;
        slope += direction[i] * p->slopes[i];
    }
    return slope;
}

/* Updates the inverse Hessian by the BFGS formula. The formula is meaningless if the curvature is not positive, for
 * instance if windows are so wide that all weights are nearly equal. The inverse is then reset to a multiple of the
 * identity that makes the next step longer. */
static void update_inverse(int d, double inverse[D][D], const point *from, const point *to)
{
    double s[D], y[D], hy[D], sy = 0, ss = 0, yy = 0, yhy = 0;
    for (int i = 0; i < d; i++) {
        s[i] = to->x[i] - from->x[i];
        y[i] = to->slopes[i] - from->slopes[i];
        sy += s[i] * y[i];
        ss += s[i] * s[i];
        yy += y[i] * y[i];
    }
    if (!(sy > 1e-6 * sqrt(ss * yy))) {
        reset_inverse(d, 4 * inverse[0][0], inverse);
        return;
    }
    for (int i = 0; i < d; i++) {
        hy[i] = 0;
        for (int j = 0; j < d; j++)
            hy[i] += inverse[i][j] * y[j];
        yhy += y[i] * hy[i];
    }
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            inverse[i][j] += (1 + yhy / sy) * s[i] * s[j] / sy - (hy[i] * s[j] + s[i] * hy[j]) / sy;
}

/* Returns from + size * direction, clamped to the bounds. */
static point moved_point(const descent *run, const point *from, const double *direction, double size)
{
    point to = {0};
    for (int c = 0; c < run->columns; c++)
        to.x[c] = fmin(fmax(from->x[c] + size * direction[c], run->low[c]), run->high[c]);
    return to;
}

/* Shortens the step until f falls by at least a small fraction of the decrease that the slope predicts. Sets *to to
 * that point. Returns false if f never falls so much, or if the search is over. */
static bool step_down(descent *run, const point *from, const double *direction, double slope, point *to)
{
    double size = 1;
    for (int i = 0; i < HALVINGS; i++, size *= i < 3 ? 0.5 : 0.25) {
        *to = moved_point(run, from, direction, size);
        const bool goes_on = run->at(run->user, to);
        if (to->f <= from->f + 1e-4 * size * slope)
            return true;
        if (!goes_on || size * fabs(slope) < 1e-15)
            return false;
    }
    return false;
}

static double steepest(const descent *run, const point *p)
{
    double most = 0;
    for (int c = 0; c < run->columns; c++)
        most = is_free_coordinate(run, p, c) ? fmax(most, fabs(p->slopes[c])) : most;
    return most;
}

void heed__np_descend(descent *run, point *p)
{
    double inverse[D][D], direction[D];
    reset_inverse(run->columns, 1, inverse);
    bool was_still = false;
    for (bool fresh = true; isfinite(p->f) && !(steepest(run, p) < 1e-9);) {
        const double slope = direction_of(run, p, inverse, direction);
        point next;
        if (slope < 0 && step_down(run, p, direction, slope, &next)) {
            update_inverse(run->columns, inverse, p, &next);
            const bool still = fabs(p->f - next.f) <= run->least_gain * (1 + fabs(next.f));
            *p = next;
            if (still && was_still)
                return;
            was_still = still;
            fresh = false;
        } else if (fresh) {
            return;
        } else { /* also if step_down failed because the search is over: it then fails again, and the loop ends */
            reset_inverse(run->columns, 1, inverse);
            fresh = true;
        }
    }
}

void heed__np_walk_axes(descent *run, point *p, double longest)
{
    for (double size = longest; size > longest / 100;) {
        bool is_lower = false;
        for (int i = 0; i < 2 * run->columns; i++) {
            double axis[D] = {0};
            axis[i / 2] = i % 2 ? 1 : -1;
            point next = moved_point(run, p, axis, size);
            const bool goes_on = run->at(run->user, &next);
            is_lower |= next.f < p->f;
            if (next.f < p->f)
                *p = next;
            if (!goes_on)
                return;
        }
        size *= is_lower ? 1 : 0.5;
    }
}

/* -- Scans --------------------------------------------------------------------------------------------------------- */

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

/* Adds a minimum to the sorted list `best` of at most `count`. Returns the new number of minima. */
static int note_lowest(point *best, int found, int count, const point *p)
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
            found = note_lowest(best, found, count, &all[i]);
    if (all)
        heed_free(all, (size_t)points * sizeof *all);
    return found;
}
