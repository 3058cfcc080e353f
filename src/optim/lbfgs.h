/* optim/lbfgs.h - L-BFGS: what it keeps, and what its files share. All vectors are flat, of all parameters one after
 * another, and f64; one that has been made is not written to, so that keeping it is retaining it. */
#ifndef HEED_OPTIM_LBFGS_H
#define HEED_OPTIM_LBFGS_H

#include "optim/optimizer.h"

/* Changes of the gradient and of the parameters in one iteration. */
typedef struct heed__lbfgs_pair {
    heed_tensor *y, *s;
    double ro; /* 1 / (y . s) */
} heed__lbfgs_pair;

/* What goes on from step to step. */
typedef struct heed__lbfgs {
    int64_t n_iter, func_evals;
    double t;                /* the last step's length along d */
    heed_tensor *d, *grad;   /* that step's direction, and the gradient where it began; NULL before the first one */
    heed__lbfgs_pair *pairs; /* n, the oldest first, in room for history_size */
    int n, room;
} heed__lbfgs;

/* An empty one with room for n pairs; false after heed_fail. */
bool heed__lbfgs_init(heed__lbfgs *l, int room);

/* Makes `to`, which is empty, the same as `from`. */
void heed__lbfgs_copy(heed__lbfgs *to, const heed__lbfgs *from);

/* Adds a pair, in the place of the oldest where there is no room. */
void heed__lbfgs_push(heed__lbfgs *l, heed_tensor *y, heed_tensor *s);

/* Puts t, which may be NULL, into the place of *at, which is released. */
void heed__lbfgs_keep(heed_tensor **at, heed_tensor *t);

void heed__lbfgs_release(heed__lbfgs *l);

/* Of the optimizer's kind (optim/optimizer.h). */
bool heed__lbfgs_begin(heed_optimizer *o);
void heed__lbfgs_end(heed_optimizer *o);
bool heed__lbfgs_put(heed_dict *dict, const heed_optimizer *o, const heed_dict *like);
bool heed__lbfgs_check(const heed_dict *draft);
void heed__lbfgs_install(heed_optimizer *o, const heed_dict *draft);
heed_status heed__lbfgs_step(heed_optimizer *o, heed_closure closure, void *user, double *loss);

/* -- Vectors of f64 ----------------------------------------------------------------------------------------------- */

double heed__dot(const heed_tensor *a, const heed_tensor *b);

/* The largest |a_i|, and the sum of them. */
double heed__abs_max(const heed_tensor *a);
double heed__abs_sum(const heed_tensor *a);

/* a x + b y, a new vector; NULL after heed_fail. */
heed_tensor *heed__mixed(double a, const heed_tensor *x, double b, const heed_tensor *y);

/* y = y + a x */
void heed__add_scaled_(heed_tensor *y, double a, const heed_tensor *x);

/* -- Searching a line --------------------------------------------------------------------------------------------- */

/* What a function is at x + t d. */
typedef struct heed__line_point {
    double t, value, slope;
    heed_tensor *grad;
} heed__line_point;

/* A function along a line, and how to find a point of it: fills in all but t. False after heed_fail. */
typedef struct heed__line {
    bool (*evaluate)(void *user, heed__line_point *point);
    void *user;
    double length; /* the largest |d_i| */
    double least;  /* a bracket that is shorter than this is not searched further */
} heed__line;

/* From `start`, at t = 0 and with a negative slope, to a point that fulfils the strong Wolfe conditions; or to the
 * lowest that was met, if none was found soon. The first one that is tried is at t. False after heed_fail. */
bool heed__strong_wolfe(const heed__line *line, const heed__line_point *start, double t, heed__line_point *found);

#endif
