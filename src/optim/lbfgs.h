/* optim/lbfgs.h - the state of L-BFGS and the declarations that its files share. Vectors are flat f64 concatenations of
 * all parameters. A finished vector is immutable, so that storing it only retains it. */
#ifndef HEED_OPTIM_LBFGS_H
#define HEED_OPTIM_LBFGS_H

#include "optim/optimizer.h"

/* The changes of the gradient, y, and of the parameters, s, in one iteration. */
typedef struct heed__lbfgs_pair {
    heed_tensor *y, *s;
    double ro; /* 1 / (y . s) */
} heed__lbfgs_pair;

/* State that persists between steps. */
typedef struct heed__lbfgs {
    int64_t n_iter, func_evals;
    double t;                /* the last iteration moved the parameters by t d */
    heed_tensor *d, *grad;   /* the last iteration's direction, and the gradient at its beginning; NULL before any
                              * step */
    heed__lbfgs_pair *pairs; /* n pairs, oldest first, with capacity for history_size */
    int n, capacity;
} heed__lbfgs;

/* Initialises an empty state with capacity for `capacity` pairs. Returns false after heed_fail. */
bool heed__lbfgs_init(heed__lbfgs *l, int capacity);

/* Copies `from` into the empty `to`. */
void heed__lbfgs_copy(heed__lbfgs *to, const heed__lbfgs *from);

/* Appends a pair. Drops the oldest if the capacity is used up. */
void heed__lbfgs_push(heed__lbfgs *l, heed_tensor *y, heed_tensor *s);

/* Releases *at and sets it to t, which it retains. t may be NULL. */
void heed__lbfgs_replace(heed_tensor **at, heed_tensor *t);

void heed__lbfgs_release(heed__lbfgs *l);

/* The functions in L-BFGS's heed__optimizer_kind (optim/optimizer.h). */
bool heed__lbfgs_begin(heed_optimizer *o);
void heed__lbfgs_end(heed_optimizer *o);
bool heed__lbfgs_put(heed_dict *dict, const heed_optimizer *o, const heed_dict *like);
bool heed__lbfgs_check(const heed_dict *draft);
void heed__lbfgs_install(heed_optimizer *o, const heed_dict *draft);
heed_status heed__lbfgs_step(heed_optimizer *o, heed_closure closure, void *user, double *loss);

/* -- Vectors of f64 ----------------------------------------------------------------------------------------------- */

double heed__dot(const heed_tensor *a, const heed_tensor *b);

/* The first function returns the largest |a_i|, the second the sum of all |a_i|. */
double heed__abs_max(const heed_tensor *a);
double heed__abs_sum(const heed_tensor *a);

/* Returns a x + b y as a new vector, or NULL after heed_fail. */
heed_tensor *heed__linear_combination(double a, const heed_tensor *x, double b, const heed_tensor *y);

/* Adds a x to y in place. */
void heed__add_scaled_(heed_tensor *y, double a, const heed_tensor *x);

/* -- Line search -------------------------------------------------------------------------------------------------- */

/* A function's value, slope and gradient at x + t d. */
typedef struct heed__line_point {
    double t, value, slope;
    heed_tensor *grad;
} heed__line_point;

/* A function along a line. `evaluate` fills in all fields of a point except t and returns false after heed_fail. */
typedef struct heed__line {
    bool (*evaluate)(void *user, heed__line_point *point);
    void *user;
    double length;     /* the largest |d_i| */
    double min_length; /* the search ends when `length` times the width of the bracket is below this */
} heed__line;

/* Searches for a point that satisfies the strong Wolfe conditions, and stores it in *found. `start` is the point at t =
 * 0 and has a negative slope; the first point tried is at t. After too many trials *found is the lowest point of the
 * bracket instead. Returns false after heed_fail. */
bool heed__strong_wolfe(const heed__line *line, const heed__line_point *start, double t, heed__line_point *found);

#endif
