/* check/gradcheck.h - what the files of gradcheck share.
 *
 * Checked is a map from points to outputs:
 *     order 1    inputs      ->  fn(inputs)
 *     order 2    inputs, g   ->  g^T d fn / d inputs, one output per input
 * Derivatives are taken by two kinds of backward pass: FUSED runs each op's backward_fused, where it has one, COMPOSED
 * its backward, with create_graph. Both must be right; and the map must be the same recorded, which with order 2 makes
 * it of COMPOSED gradients, and not.
 *
 * The points are private copies of the caller's inputs that require a gradient, and g. Rows are the elements of the
 * outputs, one output after another; columns are the elements of the points.
 */
#ifndef HEED_CHECK_GRADCHECK_H
#define HEED_CHECK_GRADCHECK_H

#include <heed/gradcheck.h>
#include <heed/random.h>

typedef enum heed__gradcheck_rule { FUSED, COMPOSED, RULES } heed__gradcheck_rule;

/* What belongs to a point, or to the output with the same number. */
typedef struct heed__gradcheck_entry {
    int input;              /* the first of the caller's inputs that the point stands for; n_inputs for g */
    heed_shape shape;       /* of the output */
    heed_tensor *direction; /* with random_projection: v, shaped like the point, */
    heed_tensor *weights;   /* and u, shaped like the output */
} heed__gradcheck_entry;

typedef struct heed__gradcheck {
    const char *name; /* "gradcheck" or "gradgradcheck", for messages */
    int order;
    heed_gradcheck_fn fn;
    void *user;
    heed_tensor *const *inputs; /* the caller's */
    int n_inputs;
    heed_gradcheck_options options; /* defaults filled in */
    heed_generator *random;
    bool strided; /* this round has its points, arguments and output gradients as strided views */

    heed_tensor **arguments; /* n_inputs: what fn is called with */
    heed_tensor **points;    /* n_points: those of them that are varied, each once; with order 2 the last is g */
    heed_tensor **outputs;   /* n_outputs */
    heed_tensor **gradients; /* n_points: of the pass just made */
    heed__gradcheck_entry *entries;
    int n_points, n_outputs;
    int64_t rows, columns;

    int64_t wrong;        /* entries that did not pass */
    bool wrong_by[RULES]; /* the entry in the result: which rules are wrong */
    heed_gradcheck_result result;
} heed__gradcheck;

/* All of these return false or NULL after heed_fail. */

/* Makes arguments and points for a round, measures the outputs, and sees that fn is a function of its arguments
 * alone. */
bool heed__gradcheck_prepare(heed__gradcheck *c);

/* Evaluates the map into c->outputs, recorded or not. */
bool heed__gradcheck_evaluate(heed__gradcheck *c, bool record);

/* The same without recording, and copies the rows' values. */
bool heed__gradcheck_values(heed__gradcheck *c, double *rows);

/* x's values in the layout of this round, as a new leaf. */
heed_tensor *heed__gradcheck_copy(const heed__gradcheck *c, heed_tensor *x);

/* Random numbers of magnitude 1/2 to 1, in the layout of this round. */
heed_tensor *heed__gradcheck_random(heed__gradcheck *c, heed_shape shape);

/* row = J^T g, `output` being one of c->outputs: one backward pass. */
bool heed__gradcheck_pull(heed__gradcheck *c, heed__gradcheck_rule rule, int output, heed_tensor *g, double *row);

/* Whether two passes through the same graph with the same g agree to the last bit. */
bool heed__gradcheck_repeatable(heed__gradcheck *c);

/* Whether an output gradient in another layout, such as an expanded one, gives the gradients that a contiguous copy of
 * it gives. */
bool heed__gradcheck_layouts(heed__gradcheck *c);

/* f' = sum of weight (f(x + step h) - f(x - step h)) / 12 h: in pairs, so that what does not move cancels exactly. */
typedef struct heed__difference {
    double step, weight;
} heed__difference;
enum { HEED__DIFFERENCES = 2 };
static const heed__difference heed__differences[HEED__DIFFERENCES] = {{1, 8}, {2, -1}};

/* Both sides of every derivative, or of a projection of them, each handed to heed__gradcheck_compare. */
bool heed__gradcheck_jacobian(heed__gradcheck *c);
bool heed__gradcheck_projection(heed__gradcheck *c);

/* Takes note of one derivative: d row / d (point, index), by each rule and by differences. Row -1: a projection. */
void heed__gradcheck_compare(heed__gradcheck *c, int64_t row, int point, int64_t index, const double analytic[RULES],
                             double numeric);

/* Writes the report of a finished comparison. Fails when an entry differs. */
bool heed__gradcheck_conclude(heed__gradcheck *c);

/* Whether the rows' values are the same recorded and not. */
bool heed__gradcheck_recorded(heed__gradcheck *c, const double *recorded, const double *values);

#endif
