/* np/minimise.h - minimises a function within bounds: a scan finds points from which descents start.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NP_MINIMISE_H
#define HEED_NP_MINIMISE_H

#include <heed/np.h>

typedef struct heed__np_point {
    double x[HEED_NP_MAX_COLUMNS];
    /* f: the function to minimise, and its slopes; infinite if the criterion is not finite */
    double f, slopes[HEED_NP_MAX_COLUMNS];
    double value; /* the criterion */
} heed__np_point;

typedef struct heed__np_descent {
    int columns;
    double low[HEED_NP_MAX_COLUMNS], high[HEED_NP_MAX_COLUMNS];
    /* two consecutive steps that decrease f by less than this, relative to 1 + |f|, end a descent */
    double least_gain;
    /* evaluates a point: sets all fields but x; returns false when the search is over */
    bool (*at)(void *user, heed__np_point *p);
    void *user;
} heed__np_descent;

/* Minimises f by BFGS from *p, which must have been evaluated, and sets *p to the minimum. */
void heed__np_descend(heed__np_descent *run, heed__np_point *p);

/* Minimises a step function f from *p, which must have been evaluated, and sets *p to the minimum. Tries steps of size
 * `longest` along the axes, and halves the size when no step decreases f. Does not use slopes. */
void heed__np_walk_axes(heed__np_descent *run, heed__np_point *p, double longest);

/* Returns number i of a van der Corput sequence, which fills 0 .. 1 evenly. Every column has its own sequence. */
double heed__np_even(int i, int column);

/* Evaluates `points` points that fill the box low .. high evenly. Writes the lowest local minima among them to `best`,
 * lowest first and at most `count`. A point is a local minimum if no point near it has a lower f. Returns the number of
 * minima written, or -1 after heed_fail. */
int heed__np_scan(const heed__np_descent *run, const double *low, const double *high, int points, heed__np_point *best,
                  int count);

#endif
