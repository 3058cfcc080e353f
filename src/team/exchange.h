/* team/exchange.h - sums a vector over all shards, which are distributed over the processes.
 *
 * A vector is divided into chunks of 64 Ki elements, and every process owns a span of chunks. Every process first sums
 * its own shards to subtrees. It receives its span of the other processes' subtrees and continues the summation along
 * the tree, so the order of additions does not depend on the number of processes. Then every process sends its span of
 * the sum to all others. With R processes and one subtree per process, a process sends 2 (R - 1) / R of a vector in
 * total.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TEAM_EXCHANGE_H
#define HEED_TEAM_EXCHANGE_H

#include "team/comm.h"

/* -- Sums along a tree --------------------------------------------------------------------------------------------- */

/* Sums along the complete binary tree over the shards 0 .. S - 1, independent of which process adds which subtree.
 *
 *     S = 7:    ((0 + 1) + (2 + 3)) + ((4 + 5) + 6)
 *
 * Subtrees are added in order. Two siblings are combined as soon as both are present, as in a binary counter. A process
 * that adds shards 2, 3, 4 therefore has the subtrees 2 + 3 and 4 at the end. A process that receives these and the
 * subtrees of all other processes can continue the summation. */

/* The sum of the shards first .. first + 2^level - 1. */
typedef struct heed__subtree {
    int level;
    int64_t first;
    heed_tensor *sum; /* retained; NULL if all shards are empty */
} heed__subtree;

/* The subtrees that were added and not yet combined. Initialise it as {0}. */
typedef struct heed__tree {
    heed__subtree subtrees[64]; /* in order of ascending `first` and descending level */
    int n;
} heed__tree;

/* Adds `subtree`, which must begin after the last shard added, and takes ownership of its sum. Returns false after
 * heed_fail. */
bool heed__tree_add(heed__tree *tree, heed__subtree subtree);

/* Called after the last shard: combines the remaining subtrees into one. Returns false after heed_fail. */
bool heed__tree_finish(heed__tree *tree);

/* Releases all subtrees. */
void heed__tree_clear(heed__tree *tree);

/* Adding the shards first .. last - 1 results in heed__tree_count subtrees. heed__tree_subtree returns the k-th of
 * them, without its sum. */
int heed__tree_count(int64_t first, int64_t last);
heed__subtree heed__tree_subtree(int64_t first, int64_t last, int k);

/* -- Exchange ------------------------------------------------------------------------------------------------------ */

/* The division of a step's samples into shards, and of the shards among `processes` processes. This process is number
 * `rank`. */
typedef struct heed__split {
    heed_comm *comm;
    int64_t samples, shards;
    int processes, rank;
} heed__split;

typedef struct heed__span {
    int64_t begin, end;
} heed__span;

/* Divides n elements into parts of almost equal size. Returns the beginning of part i, floor(i n / parts), for 0 <= i
 * <= parts. The product i n may exceed int64_t. */
int64_t heed__partition_begin(int64_t i, int64_t n, int64_t parts);

/* Returns the first shard of a process. For process == split->processes returns the number of shards. */
static inline int64_t heed__first_shard(const heed__split *split, int process)
{
    return heed__partition_begin(process, split->shards, split->processes);
}

/* Returns the first sample of a shard. */
static inline int64_t heed__first_sample(const heed__split *split, int64_t shard)
{
    return heed__partition_begin(shard, split->samples, split->shards);
}

enum { HEED_CHUNK = 1 << 16 };

/* The exchange that sums one vector. Initialise it as {.dtype, .length, .rotation}. */
typedef struct heed__exchange {
    heed_dtype dtype;
    int64_t length;
    int rotation;             /* the process that owns the first span; differs between vectors to balance the load */
    heed__messages *messages; /* messages in transit, or NULL */
    heed_tensor *received;    /* retained: this process's span of the other processes' subtrees, one per row */
} heed__exchange;

/* Returns the span of elements that a process owns. */
heed__span heed__exchange_span(const heed__split *split, const heed__exchange *x, int process);

/* heed__exchange_begin starts to send the subtrees in `local`, which must contain all shards of this process, and to
 * receive the other processes' subtrees. All processes must begin their vectors in the same order. heed__exchange_sum
 * waits for the messages and sums: *sum becomes this process's span of the sum over all shards, owned by the caller, or
 * NULL if no shard has samples or the span is empty. Both return false after heed_fail. */
bool heed__exchange_begin(const char *where, const heed__split *split, heed__exchange *x, const heed__tree *local);
bool heed__exchange_sum(const heed__split *split, heed__exchange *x, heed__tree *local, heed_tensor **sum);

/* Advances the messages without waiting. */
static inline void heed__exchange_poll(const heed__exchange *x)
{
    if (x->messages)
        heed__messages_poll(x->messages);
}

/* Returns true if the elements begin .. end - 1 of a contiguous tensor, f32 or f64, are finite. */
bool heed__is_finite(const heed_tensor *t, int64_t begin, int64_t end);

/* Returns the first process whose subtrees contain a non-finite number within this process's span, or -1. Call this
 * before heed__exchange_clear frees the received subtrees. */
int heed__exchange_nonfinite_source(const heed__split *split, const heed__exchange *x, const heed__tree *local);

/* heed__exchange_gather starts to send this process's span of `whole` to all other processes and to receive their spans
 * into `whole`. If to >= 0, only process `to` receives. heed__exchange_end waits until all messages are complete. Both
 * return false after heed_fail. */
bool heed__exchange_gather(const char *where, const heed__split *split, heed__exchange *x, heed_tensor *whole, int to);
bool heed__exchange_end(const heed__split *split, heed__exchange *x);

/* Call this after heed__exchange_begin. Sets *whole to the complete sum in every process, owned by the caller. Returns
 * false after heed_fail. */
bool heed__exchange_all_reduce(const char *where, const heed__split *split, heed__exchange *x, heed__tree *local,
                               heed_tensor **whole);

/* Drops the messages in transit and the received data. */
void heed__exchange_clear(heed__exchange *x);

/* Exchanges the rows of a table with one row per process. Every process has filled its own row and receives all other
 * rows. Returns false after heed_fail. */
bool heed__exchange_rows(const char *where, heed_comm *comm, heed_tensor *table);

#endif
