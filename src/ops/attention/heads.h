/* ops/attention/heads.h - queries, keys, values and what is like them, with heads or without: their sizes.
 *
 * (B, rows, width), or with H heads (B, H, rows, width), or with heads_inner (B, rows, H, width). Folded they are
 * (N, rows, width), with N = B H.
 */
#ifndef HEED_OPS_ATTENTION_HEADS_H
#define HEED_OPS_ATTENTION_HEADS_H

#include "ops/support.h"

typedef struct heed__heads {
    bool split; /* there is an axis of heads; else `heads` is 1 */
    int64_t batch, heads, rows, width;
} heed__heads;

/* Of a tensor of rank 3 or 4. */
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

/* N, or 0 if it does not fit: then the tensors have no elements. */
int64_t heed__heads_count(const heed__heads *heads);

/* x folded; and the batch elements and heads of a folded tensor as `like` has them. In public ops; NULL for NULL. */
heed_tensor *heed__heads_fold(heed_tensor *x, bool inner);
heed_tensor *heed__heads_unfold(heed_tensor *folded, const heed__heads *like, bool inner);

/* Heads that keys and values have in common: x with each of its heads as often as it takes to make them `heads`; and
 * the sums of those that were one, of which there are `heads` left. In public ops; x itself where it has so many; NULL
 * for NULL. */
heed_tensor *heed__heads_repeat(heed_tensor *x, int64_t heads, bool inner);
heed_tensor *heed__heads_sum(heed_tensor *x, int64_t heads, bool inner);

#endif
