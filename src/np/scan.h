/* np/scan.h - points from which descents start. */
#ifndef HEED_NP_SCAN_H
#define HEED_NP_SCAN_H

#include "np/descent.h"

/* Number i of a sequence that fills 0 .. 1 evenly (van der Corput). */
double heed__np_even(int i, int column);

/* Evaluates `points` points that fill the box evenly, and writes the lowest local minima among them to `best`, at most
 * `count`, lowest first. A point is a local minimum if every point near it is higher. Returns how many there are, -1
 * after heed_fail. */
int heed__np_scan(const heed__np_descent *run, const double *low, const double *high, int points, heed__np_point *best,
                  int count);

#endif
