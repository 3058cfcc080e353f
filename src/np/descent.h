/* np/descent.h - descends from a point to a nearby minimum, within bounds. */
#ifndef HEED_NP_DESCENT_H
#define HEED_NP_DESCENT_H

#include <heed/np.h>

typedef struct heed__np_point {
    double x[HEED_NP_MAX_COLUMNS];
    double f, slopes[HEED_NP_MAX_COLUMNS]; /* f is infinite if the criterion is not finite */
    double value;                          /* the criterion */
} heed__np_point;

typedef struct heed__np_descent {
    int columns;
    double low[HEED_NP_MAX_COLUMNS], high[HEED_NP_MAX_COLUMNS];
    double least_gain;                         /* minimum decrease of f per step; two smaller ones end a descent */
    bool (*at)(void *user, heed__np_point *p); /* sets all fields but x; returns false when the search is over */
    void *user;
} heed__np_descent;

/* Minimises by BFGS, halving steps until f falls. `p` must have been evaluated, and receives the minimum. */
void heed__np_descend(heed__np_descent *run, heed__np_point *p);

/* Minimises a step function, which has no slopes, by steps along the axes, which are halved when none leads down. */
void heed__np_walk_axes(heed__np_descent *run, heed__np_point *p, double longest);

#endif
