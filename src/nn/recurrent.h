/* nn/recurrent.h - shared by recurrent layers: everything except the cell, which computes one step. */
#ifndef HEED_NN_RECURRENT_H
#define HEED_NN_RECURRENT_H

#include <heed/ops/recurrence.h>
#include <heed/recurrent.h>

#define HEED__MAX_STATES 2

typedef struct heed__recurrent_kind {
    const char *type; /* such as "gru" */
    const char *where_new, *where_forward;
    int gates;                            /* number of blocks stacked in a weight, each of hidden_size rows */
    int n_states;                         /* number of states; the first state is also the output */
    const char *states[HEED__MAX_STATES]; /* names of the states, for messages */
} heed__recurrent_kind;

/* The arguments of one forward. */
typedef struct heed__recurrent_call {
    const heed__recurrent_kind *kind;
    const heed_module *m; /* the module; heed__recurrent_forward fails if m or x is NULL */
    const heed_nn_stack *stack;
    heed_tensor *x, *valid_lens;
    heed_cell cell;
    heed_activation activation; /* replaces a cell of one gate; NULL selects `cell` */
} heed__recurrent_call;

/* Checks the constructor's arguments, which are in *stack, and creates a module of `size` bytes with its parameters.
 * Writes the layers and their number to *stack, which the caller then copies into the module. Returns NULL after
 * heed_fail. */
void *heed__recurrent_new(const heed__recurrent_kind *kind, size_t size, heed_nn_stack *stack, heed_dtype dtype);

/* Returns the output, or NULL after heed_fail. `states` has one entry per state of the kind. An entry is NULL or points
 * to the initial state, which on success is replaced by the state after the last step. */
heed_tensor *heed__recurrent_forward(const heed__recurrent_call *call, heed_tensor **const *states);

#endif
