/* np/descent.h - from a point to a minimum near it, within bounds. */
#ifndef HEED_NP_DESCENT_H
#define HEED_NP_DESCENT_H

#include <heed/np.h>

typedef struct heed__np_point {
    double x[HEED_NP_MAX_COLUMNS];
    double f, slopes[HEED_NP_MAX_COLUMNS]; /* f is infinite where the criterion is not finite */
    double value;                          /* of the criterion */
} heed__np_point;

typedef struct heed__np_descent {
    int columns;
    double low[HEED_NP_MAX_COLUMNS], high[HEED_NP_MAX_COLUMNS];
    double least_gain;                         /* of a step in f; two smaller ones end a descent */
    bool (*at)(void *user, heed__np_point *p); /* sets all but x; false where the search is over */
    void *user;
} heed__np_descent;

/* BFGS, with steps halved until f falls. `p` has been evaluated, and ends where f is least. */
void heed__np_descend(heed__np_descent *run, heed__np_point *p);

/* Of a step function, which has no slopes: steps along the axes, halved when none leads down. */
void heed__np_walk_axes(heed__np_descent *run, heed__np_point *p, double longest);

#endif
