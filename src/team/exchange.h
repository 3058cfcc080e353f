/* team/exchange.h - sums a vector over all shards, which are distributed over the processes.
 *
 * A vector is divided into chunks of 64 Ki elements, and every process owns a span of them. It receives the others'
 * subtrees of its span and continues the summation along the tree, so the order of additions does not depend on the
 * number of processes. Then every process sends its span to all others. In total a process sends 2 (R - 1) / R of a
 * vector, for R processes with one subtree each. */
#ifndef HEED_TEAM_EXCHANGE_H
#define HEED_TEAM_EXCHANGE_H

#include "team/comm.h"
#include "team/tree.h"

/* How a step's samples are divided into shards, and the shards into `processes` processes, of which this is number
 * `rank`. */
typedef struct heed__split {
    heed_comm *comm;
    int64_t samples, shards;
    int processes, rank;
} heed__split;

typedef struct heed__span {
    int64_t begin, end;
} heed__span;

/* Returns floor(i n / parts), where part i of n elements begins, for 0 <= i <= parts, even if i n would overflow. */
int64_t heed__partition_begin(int64_t i, int64_t n, int64_t parts);

/* Returns the process's first shard; for process `processes`, the number of shards. */
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

/* The sum of one vector. Initialize as {.dtype, .length, .rotation}. */
typedef struct heed__exchange {
    heed_dtype dtype;
    int64_t length;
    int rotation;             /* the process that owns the first span; differs between vectors to balance the load */
    heed__messages *messages; /* in transit, or NULL */
    heed_tensor *received;    /* retained: the others' subtrees of this process's span, one per row */
} heed__exchange;

/* Returns the elements that a process owns. */
heed__span heed__exchange_span(const heed__split *split, const heed__exchange *x, int process);

/* heed__exchange_begin starts to send the subtrees in `local`, which must be complete, and to receive the others'. All
 * processes begin their vectors in the same order. heed__exchange_sum waits and sums: *sum is the sum over this
 * process's span, owned by the caller, or NULL if no shard has samples or the span is empty. They return false after
 * heed_fail. */
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

/* Returns the first process whose subtrees contain a non-finite number in this process's span, or -1. Must be called
 * before the next step. */
int heed__exchange_nonfinite_source(const heed__split *split, const heed__exchange *x, const heed__tree *local);

/* Starts to send this process's span of `whole` to all, or only to process `to` if to >= 0, and to receive the others'
 * spans. heed__exchange_end waits for completion. They return false after heed_fail. */
bool heed__exchange_gather(const char *where, const heed__split *split, heed__exchange *x, heed_tensor *whole, int to);
bool heed__exchange_end(const heed__split *split, heed__exchange *x);

/* Call after heed__exchange_begin: computes the complete sum in every process, owned by the caller. Returns false after
 * heed_fail. */
bool heed__exchange_all_reduce(const char *where, const heed__split *split, heed__exchange *x, heed__tree *local,
                               heed_tensor **whole);

/* Drops the messages in transit and the received data. */
void heed__exchange_clear(heed__exchange *x);

/* Exchanges the rows of a table with one row per process: every process has filled its own row and receives the others.
 * Returns false after heed_fail. */
bool heed__exchange_rows(const char *where, heed_comm *comm, heed_tensor *table);

#endif
