/* plot/limits.h - from where to where axes run. */
#ifndef HEED_PLOT_LIMITS_H
#define HEED_PLOT_LIMITS_H

#include "plot/axis.h"
#include "plot/series.h"

/* Checks what the caller gave for the axis called `name`, "x" or "y". Both limits 0: none were given. */
heed_status heed__limits_read(heed__axis *axis, const char *name, const double limits[2], heed_axis_scale scale,
                              const char *where);

/* Ends for the axes that were given none, such that everything is seen, with a margin; columns stand on theirs. */
void heed__limits_fit(heed__axis *x, heed__axis *y, const double xlim[2], const double ylim[2],
                      const heed__series *series, int n);

/* Whether an axis can show it. */
bool heed__limits_drawable(const heed__axis *axis, double value);

#endif
