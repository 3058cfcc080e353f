/* team/exchange.h - the sum over all shards of a vector, of which each process has some.
 *
 * A vector is cut into chunks of 64 Ki elements, and each process owns a run of them. It gets the others' subtrees of
 * its chunks and goes on adding along the tree; so no process adds in another order than one alone would. Then each
 * sends what it owns to all: 2 (R - 1) / R of a vector leave a process where each has one subtree.
 */
#ifndef HEED_TEAM_EXCHANGE_H
#define HEED_TEAM_EXCHANGE_H

#include "team/comm.h"
#include "team/tree.h"

/* How a step's samples lie in shards, and these on processes, of which this is number `rank`. */
typedef struct heed__split {
    heed_comm *comm;
    int64_t samples, shards;
    int processes, rank;
} heed__split;

typedef struct heed__run {
    int64_t begin, end;
} heed__run;

/* floor(i whole / parts), for 0 <= i <= parts, where i whole may not fit. */
int64_t heed__cut(int64_t i, int64_t whole, int64_t parts);

/* The process's first shard; that of process `processes` is the number of shards. */
static inline int64_t heed__first_shard(const heed__split *split, int process)
{
    return heed__cut(process, split->shards, split->processes);
}

/* The first sample of a shard. */
static inline int64_t heed__first_sample(const heed__split *split, int64_t shard)
{
    return heed__cut(shard, split->samples, split->shards);
}

enum { HEED_CHUNK = 1 << 16 };

/* One vector. Begins as {.dtype, .length, .turn}. */
typedef struct heed__exchange {
    heed_dtype dtype;
    int64_t length;
    int turn; /* the process that has the first run: vectors take turns, so that all have equally much */
    heed__messages *messages; /* under way; NULL: none */
    heed_tensor *parts;       /* retained: what the others send of this process's run, a subtree in each row */
} heed__exchange;

/* The elements that a process owns. */
heed__run heed__exchange_run(const heed__split *split, const heed__exchange *x, int process);

/* Begins to send the subtrees in `mine`, to which no shard is to come, and to receive the others'; all processes begin
 * their vectors in the same order. heed__exchange_sum waits for that and adds up: the sum of this process's run, owned
 * by the caller; NULL where no shard has samples, or the run is empty. False after heed_fail. */
bool heed__exchange_begin(const char *where, const heed__split *split, heed__exchange *x, const heed__tree *mine);
bool heed__exchange_sum(const heed__split *split, heed__exchange *x, heed__tree *mine, heed_tensor **sum);

/* Lets what was begun go on, without waiting. */
static inline void heed__exchange_poll(const heed__exchange *x)
{
    if (x->messages)
        heed__messages_poll(x->messages);
}

/* Whether the elements begin .. end - 1 of a contiguous tensor, f32 or f64, are finite. */
bool heed__is_finite(const heed_tensor *t, int64_t begin, int64_t end);

/* The first process of which a part of that run has a number that is not finite; -1 if none has. To be asked before the
 * next step. */
int heed__exchange_blame(const heed__split *split, const heed__exchange *x, const heed__tree *mine);

/* Begins to send this process's run of `whole` to all, or only to process `to` if that is not negative; and to receive
 * the others'. heed__exchange_end waits for it. False after heed_fail. */
bool heed__exchange_spread(const char *where, const heed__split *split, heed__exchange *x, heed_tensor *whole, int to);
bool heed__exchange_end(const heed__split *split, heed__exchange *x);

/* After heed__exchange_begin: the sum of all runs, in every process and owned by the caller. False after heed_fail. */
bool heed__exchange_whole(const char *where, const heed__split *split, heed__exchange *x, heed__tree *mine,
                          heed_tensor **whole);

/* Drops what is under way, and what was received. */
void heed__exchange_clear(heed__exchange *x);

/* A table with a row for each process, in which this process has filled its own: gets the others'. False after
 * heed_fail. */
bool heed__exchange_rows(const char *where, heed_comm *comm, heed_tensor *table);

#endif
