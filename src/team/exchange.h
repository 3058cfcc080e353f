/* team/exchange.h - the sum over all shards, of which each process has some. */
#ifndef HEED_TEAM_EXCHANGE_H
#define HEED_TEAM_EXCHANGE_H

#include "team/comm.h"
#include "team/tree.h"

/* How a step's samples lie in shards, and these on processes. */
typedef struct heed__split {
    int64_t samples, shards;
    int processes;
} heed__split;

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

/* Sums the vectors of `length` elements (0: there is none) that the processes' trees hold: the whole sum in every
 * process, owned by the caller; NULL where no shard has samples. `mine` is empty afterwards. False after heed_fail. */
bool heed__exchange(const char *where, heed_comm *comm, const heed__split *split, heed__tree *mine,
                    const int64_t length[HEED_SUMS], heed_tensor *whole[HEED_SUMS]);

#endif
