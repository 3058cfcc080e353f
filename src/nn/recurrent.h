/* nn/recurrent.h - what recurrent layers share: all but the cell, which says how a state goes on by one step. */
#ifndef HEED_NN_RECURRENT_H
#define HEED_NN_RECURRENT_H

#include <heed/recurrent.h>

#define HEED__MAX_STATES 2

typedef struct heed__cell {
    const char *type; /* "gru" */
    const char *where_new, *where_forward;
    int gates;                            /* parts of a weight, one above the other, each of hidden_size rows */
    int n_states;                         /* the first of which is the output, too */
    const char *states[HEED__MAX_STATES]; /* for messages */

    /* The states after a step, in the place of those before it, each (1, B, H), from W_i x + b_i and W_h h + b_h, each
     * (1, B, gates H); NULL after heed_fail. Called in a scope of its own. */
    void (*step)(const heed_module *m, heed_tensor *from_x, heed_tensor *from_h, heed_tensor **states);
} heed__cell;

/* A module of `size` bytes with its parameters. Checks what the constructor was given, as it stands in *stack, and
 * puts the layers, and the number of them, there; the caller puts *stack into the module. NULL after heed_fail. */
void *heed__recurrent_new(const heed__cell *cell, size_t size, heed_nn_stack *stack, heed_dtype dtype);

/* The output for x; each of `states`, of which there are as many as the cell has, is NULL, or where a state is that
 * becomes the one after the last step unless this fails. m may be NULL, which is an error. */
heed_tensor *heed__recurrent_forward(const heed__cell *cell, const heed_module *m, const heed_nn_stack *stack,
                                     heed_tensor *x, heed_tensor **const *states);

/* One of the parts of x along the last axis that are n long: the parts from i up to j. */
heed_tensor *heed__recurrent_parts(heed_tensor *x, int64_t n, int i, int j);

#endif
