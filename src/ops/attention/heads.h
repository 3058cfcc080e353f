/* ops/attention/heads.h - the sizes of queries, keys, values and similar tensors, with or without heads.
 *
 * Without heads the shape is (B, rows, width), with H heads it is (B, H, rows, width), and with heads_inner (B, rows,
 * H, width). With the heads folded into the batch it is (N, rows, width), N = B H.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_ATTENTION_HEADS_H
#define HEED_OPS_ATTENTION_HEADS_H

#include "ops/support.h"

typedef struct heed__heads {
    bool split; /* the tensor has an axis of heads; else `heads` is 1 */
    int64_t batch, heads, rows, width;
} heed__heads;

/* The sizes of a tensor of rank 3 or 4. */
static inline heed__heads heed__heads_of(const heed_tensor *t, bool inner)
{
    const int rank = t->shape.rank, rows = inner ? 1 : rank - 2, head = inner ? 2 : 1;
    const int64_t *dims = t->shape.dims;
    return (heed__heads){.split = rank == 4,
                         .batch = dims[0],
                         .heads = rank == 4 ? dims[head] : 1,
                         .rows = dims[rows],
                         .width = dims[rank - 1]};
}

/* Returns N, or 0 if N overflows, which is possible only for empty tensors. */
int64_t heed__heads_count(const heed__heads *heads);

/* heed__heads_fold folds the heads of x into the batch; heed__heads_unfold restores the batch and heads of `like`.
 * Built from public ops; NULL for NULL. */
heed_tensor *heed__heads_fold(heed_tensor *x, bool inner);
heed_tensor *heed__heads_unfold(heed_tensor *folded, const heed__heads *like, bool inner);

/* For keys and values with fewer heads than queries: heed__heads_repeat repeats every head of x until there are
 * `heads`; heed__heads_sum is its adjoint: it sums every group of consecutive heads of x, so that `heads` heads remain.
 * Built from public ops. They return x itself if it has that number of heads already, and NULL for NULL. */
heed_tensor *heed__heads_repeat(heed_tensor *x, int64_t heads, bool inner);
heed_tensor *heed__heads_sum(heed_tensor *x, int64_t heads, bool inner);

#endif
