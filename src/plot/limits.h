/* plot/limits.h - the limits of axes. */
#ifndef HEED_PLOT_LIMITS_H
#define HEED_PLOT_LIMITS_H

#include "plot/axis.h"
#include "plot/series.h"

/* Checks the options of the axis called `name`, "x" or "y", and sets the axis's scale, and its limits if the caller set
 * them. The caller did not set them if both are 0. */
heed_status heed__limits_read(heed__axis *axis, const char *name, const double limits[2], heed_axis_scale scale,
                              const char *where);

/* Sets the limits that the caller did not set, so that all points are visible. Adds margins, except where columns
 * begin. */
void heed__limits_fit(heed__axis *x, heed__axis *y, const double xlim[2], const double ylim[2],
                      const heed__series *series, int n);

/* Returns true if an axis can show the value. */
bool heed__limits_drawable(const heed__axis *axis, double value);

#endif
