/* nn/recurrent.h - what recurrent layers share: all but the cell, which says how a state goes on by one step. */
#ifndef HEED_NN_RECURRENT_H
#define HEED_NN_RECURRENT_H

#include <heed/ops/recurrence.h>
#include <heed/recurrent.h>

#define HEED__MAX_STATES 2

typedef struct heed__recurrent_kind {
    const char *type; /* "gru" */
    const char *where_new, *where_forward;
    int gates;                            /* parts of a weight, one above the other, each of hidden_size rows */
    int n_states;                         /* the first of which is the output, too */
    const char *states[HEED__MAX_STATES]; /* for messages */
} heed__recurrent_kind;

/* One forward. */
typedef struct heed__recurrent_call {
    const heed__recurrent_kind *kind;
    const heed_module *m; /* NULL is an error, and so is a NULL x */
    const heed_nn_stack *stack;
    heed_tensor *x, *valid_lens;
    heed_cell cell;
    heed_activation activation; /* of one gate, instead of the cell; NULL: the cell */
} heed__recurrent_call;

/* A module of `size` bytes with its parameters. Checks what the constructor was given, as it stands in *stack, and
 * puts the layers, and the number of them, there; the caller puts *stack into the module. NULL after heed_fail. */
void *heed__recurrent_new(const heed__recurrent_kind *kind, size_t size, heed_nn_stack *stack, heed_dtype dtype);

/* The output; each of `states`, of which there are as many as the kind has, is NULL, or where a state is that becomes
 * the one after the last step unless this fails. */
heed_tensor *heed__recurrent_forward(const heed__recurrent_call *call, heed_tensor **const *states);

#endif
