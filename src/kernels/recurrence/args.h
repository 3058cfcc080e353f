/* kernels/recurrence/args.h - arguments of the kernels for recurrences; part of kernels.h, which includes it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_RECURRENCE_ARGS_H
#define HEED_KERNELS_RECURRENCE_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/matmul/args.h"

typedef enum heed__cell { HEED__CELL_TANH, HEED__CELL_RELU, HEED__CELL_GRU, HEED__CELL_LSTM, HEED__CELLS } heed__cell;

/* `gates` and `states` are numbers of gates and states of a cell. `saved` is the number of values saved per hidden unit
 * and step for backward: r, z, n and W_n h + b_n for the GRU; i, f, g, o and c for the LSTM. */
typedef struct heed__cell_sizes {
    int gates, states, saved;
} heed__cell_sizes;

static inline heed__cell_sizes heed__cell_sizes_of(heed__cell cell)
{
    static const heed__cell_sizes sizes[HEED__CELLS] = {{1, 1, 0}, {1, 1, 0}, {3, 1, 4}, {4, 2, 5}};
    return sizes[cell];
}

/* A call computes at most HEED_RECURRENCE_ROWS batch elements. W is packed, once for all of them, if the number of
 * steps times batch elements is above HEED_RECURRENCE_FEW. */
enum { HEED_RECURRENCE_ROWS = 32, HEED_RECURRENCE_FEW = 8 };

/* Computes the states after all steps from the contributions of the inputs to the gates (x) and from W h + b. Batch
 * element i skips the steps t >= lens[i]; the results of these steps are 0. */
typedef struct heed__recurrence_args {
    heed__cell cell;
    int64_t steps, batch, hidden;
    bool reverse;        /* from the last step to the first */
    const int64_t *lens; /* (batch), in 0 .. steps; NULL: all steps */
    const void *x;       /* (steps, batch, gates hidden); NULL for backward */
    const void *w;       /* (gates hidden, hidden) */
    const void *packed;  /* w, packed by recurrence_pack for forward or for backward; may be NULL */
    const void *b;       /* (gates hidden), or NULL: 0 */
    const void *before;  /* (states, batch, hidden): the states before the first step */
    void *y;             /* (steps, batch, hidden): h after every step */
    void *after;         /* (states, batch, hidden): the states after the last step */
    void *saved;         /* (steps, batch, saved hidden); NULL: not needed */
} heed__recurrence_args;

/* The arrays of the gradient kernel. The results of steps after the length of a batch element are 0. */
typedef struct heed__recurrence_grads {
    const void *g;       /* gradient of y; NULL: 0 */
    const void *g_after; /* gradient of after; NULL: 0 */
    void *dx, *ds;       /* gradients of x and of W h + b, shaped like x; the same array, except for the GRU */
    void *h_before;      /* like y: h before every step, from which the caller computes the gradient of W */
    void *d_before;      /* gradient of before */
} heed__recurrence_grads;

static inline int64_t heed__recurrence_packed(const heed__recurrence_args *args)
{
    const int64_t units = (args->hidden + HEED_MATMUL_COLUMNS - 1) / HEED_MATMUL_COLUMNS;
    return units * HEED_MATMUL_COLUMNS * heed__cell_sizes_of(args->cell).gates * args->hidden;
}

/* Computes batch elements begin .. end - 1, at most HEED_RECURRENCE_ROWS. */
typedef int64_t heed__recurrence_kernel(const heed__recurrence_args *args, int64_t begin, int64_t end, void *scratch);
typedef int64_t heed__recurrence_grad_kernel(const heed__recurrence_args *args, const heed__recurrence_grads *grads,
                                             int64_t begin, int64_t end, void *scratch);

/* Packs W for groups begin .. end - 1 of HEED_MATMUL_COLUMNS hidden units; `to` holds heed__recurrence_packed
 * elements. */
typedef void heed__recurrence_pack_kernel(const heed__recurrence_args *args, bool backward, int64_t begin, int64_t end,
                                          void *to);

#endif
