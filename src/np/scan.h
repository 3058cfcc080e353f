/* np/scan.h - scans for points from which descents start. */
#ifndef HEED_NP_SCAN_H
#define HEED_NP_SCAN_H

#include "np/descent.h"

/* Returns number i of a van der Corput sequence, which fills 0 .. 1 evenly. Every column has its own sequence. */
double heed__np_even(int i, int column);

/* Evaluates `points` points that fill the box low .. high evenly. Writes the lowest local minima among them to `best`,
 * lowest first and at most `count`. A point is a local minimum if no point near it has a lower f. Returns the number of
 * minima written, or -1 after heed_fail. */
int heed__np_scan(const heed__np_descent *run, const double *low, const double *high, int points, heed__np_point *best,
                  int count);

#endif
