/* np/descent.h - descends from a point to a nearby minimum, within bounds. */
#ifndef HEED_NP_DESCENT_H
#define HEED_NP_DESCENT_H

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

#endif
