/* optim/lbfgs.h - the state of L-BFGS and the declarations that its files share. Vectors are flat f64 concatenations of
 * all parameters. A finished vector is immutable, so that storing it only retains it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPTIM_LBFGS_H
#define HEED_OPTIM_LBFGS_H

#include "optim/optimizer.h"

/* The changes of the gradient, y, and of the parameters, s, in one iteration. */
typedef struct heed__lbfgs_pair {
    heed_tensor *y, *s;
    double ro; /* 1 / (y . s) */
} heed__lbfgs_pair;

/* State that persists between steps. */
struct heed__lbfgs {
    int64_t n_iter, func_evals;
    double t;                /* the last iteration moved the parameters by t d */
    heed_tensor *d, *grad;   /* the last iteration's direction, and the gradient at its beginning; NULL before any
                              * step */
    heed__lbfgs_pair *pairs; /* n pairs, oldest first, with capacity for history_size */
    int n, capacity;
};

/* Return a new state: an empty one with capacity for `capacity` pairs, and a copy. NULL after heed_fail. */
heed__lbfgs *heed__lbfgs_new(int capacity);
heed__lbfgs *heed__lbfgs_copy(const heed__lbfgs *from);

/* Frees a state. NULL is ignored. */
void heed__lbfgs_free(heed__lbfgs *l);

/* Appends a pair. Drops the oldest if the capacity is used up. */
void heed__lbfgs_push(heed__lbfgs *l, heed_tensor *y, heed_tensor *s);

/* Releases *at and sets it to t, which it retains. t may be NULL. */
void heed__lbfgs_replace(heed_tensor **at, heed_tensor *t);

/* Returns a new vector with one element for every element of the parameters, or NULL after heed_fail. */
heed_tensor *heed__lbfgs_vector(const heed_optimizer *o);

/* Implements heed_optimizer_step_closure. */
heed_status heed__lbfgs_step(heed_optimizer *o, heed_closure closure, void *user, double *loss);

/* Adds the state of o to a dict, as put_optimizer in optimizer_state.c does. Returns false after heed_fail. */
bool heed__lbfgs_put(heed_dict *dict, const heed_optimizer *o, const heed_dict *like);

/* Checks a draft that heed__lbfgs_put has made and that is filled. Returns false after heed_fail. */
bool heed__lbfgs_check(const heed_dict *draft);

/* Adopts a checked draft. */
void heed__lbfgs_install(heed__lbfgs *l, const heed_dict *draft);

/* Returns the sum of a_i b_i of two f64 vectors. The order of additions depends only on their length. */
double heed__dot(const heed_tensor *a, const heed_tensor *b);

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
