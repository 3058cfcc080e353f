/* check/gradcheck.h - declarations shared by the source files of gradcheck.
 *
 * The check covers a map from points to outputs:
 *     order 1    inputs      ->  fn(inputs)
 *     order 2    inputs, g   ->  g^T d fn / d inputs, one output per input
 * Two kinds of backward pass compute the derivatives: FUSED runs the backward_fused of ops that have one, COMPOSED runs
 * backward, with create_graph. Both must be right. The map must also have the same values with and without recording;
 * with order 2, recording makes its values COMPOSED gradients.
 *
 * The points are g and private copies of the caller's inputs that require a gradient. Rows are the elements of the
 * outputs, one output after the other; columns are the elements of the points.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CHECK_GRADCHECK_H
#define HEED_CHECK_GRADCHECK_H

#include <heed/gradcheck.h>
#include <heed/random.h>

typedef enum heed__gradcheck_rule { FUSED, COMPOSED, RULES } heed__gradcheck_rule;

/* Data of point i and, independently, of output i, in one table. */
typedef struct heed__gradcheck_entry {
    int input;              /* of the point: index of the first input that it copies; n_inputs for g */
    heed_shape shape;       /* of the output: its shape */
    heed_tensor *direction; /* of the point, with random_projection: v, with the point's shape */
    heed_tensor *weights;   /* of the output, with random_projection: u, with the output's shape */
} heed__gradcheck_entry;

typedef struct heed__gradcheck {
    const char *name; /* "gradcheck" or "gradgradcheck", for messages */
    int order;
    heed_gradcheck_fn fn;
    void *user;
    heed_tensor *const *inputs; /* the caller's inputs */
    int n_inputs;
    heed_gradcheck_options options; /* with defaults filled in */
    heed_generator *random;
    bool strided; /* points, arguments and output gradients of this round are strided views */

    heed_tensor **arguments; /* list of n_inputs: the arguments of fn */
    heed_tensor **points;    /* list of n_points: the distinct arguments to vary; with order 2 the last point is g */
    heed_tensor **outputs;   /* list of n_outputs */
    heed_tensor **gradients; /* list of n_points: gradients from the latest backward pass */
    heed__gradcheck_entry *entries;
    int n_points, n_outputs;
    int64_t rows, columns;

    int64_t wrong;        /* number of derivatives that failed the comparison */
    bool wrong_by[RULES]; /* wrong_by[rule]: the derivative in `result` is wrong by this rule */
    heed_gradcheck_result result;
} heed__gradcheck;

/* All of these functions return false or NULL after heed_fail. */

/* Makes the arguments and points of a round, determines the shapes of the outputs and checks that fn depends only on
 * its arguments. */
bool heed__gradcheck_prepare(heed__gradcheck *c);

/* Evaluates the map and stores its outputs in c->outputs. Records the evaluation if `record`. */
bool heed__gradcheck_evaluate(heed__gradcheck *c, bool record);

/* Evaluates the map without recording and copies the elements of all its outputs to `rows`. */
bool heed__gradcheck_values(heed__gradcheck *c, double *rows);

/* Returns a new leaf with the values of x, in the layout of this round. */
heed_tensor *heed__gradcheck_copy(const heed__gradcheck *c, heed_tensor *x);

/* Returns random numbers of magnitude 1/2 to 1 in the layout of this round. */
heed_tensor *heed__gradcheck_random(heed__gradcheck *c, heed_shape shape);

/* Returns rows * columns zeros, which live until the innermost scope ends. */
double *heed__gradcheck_numbers(int64_t rows, int64_t columns);

/* Computes row = J^T g by one backward pass from c->outputs[output], with the output gradient g. */
bool heed__gradcheck_vjp(heed__gradcheck *c, heed__gradcheck_rule rule, int output, heed_tensor *g, double *row);

/* Checks that an output gradient in a different layout, such as an expanded one, gives the same gradients as a
 * contiguous copy. */
bool heed__gradcheck_layouts(heed__gradcheck *c);

/* Compute every derivative (jacobian) or one projection per point (projection), by backward and by differences, and
 * pass both results to heed__gradcheck_compare. */
bool heed__gradcheck_jacobian(heed__gradcheck *c);
bool heed__gradcheck_projection(heed__gradcheck *c);

/* Returns the index of element i in row-major order. */
heed_shape heed__gradcheck_index(heed_shape shape, int64_t i);

/* Compares one derivative, d row / d (element `index` of the point), by every rule with its value by differences. Row
 * -1 means a projection. */
void heed__gradcheck_compare(heed__gradcheck *c, int64_t row, int point, int64_t index, const double analytic[RULES],
                             double numeric);

/* Checks that values computed with recording, `recorded`, equal those computed without it, `values`, up to the
 * tolerance. */
bool heed__gradcheck_compare_recorded(heed__gradcheck *c, const double *recorded, const double *values);

#endif
