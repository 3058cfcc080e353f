/* team/buckets.h - buckets in which gradients are summed: vectors of consecutive parameters, the last parameters first,
 * in the order in which a backward pass reaches them.
 *
 * During a shard's backward pass, hooks copy every gradient to its offset in a bucket. A full bucket is added to the
 * bucket's tree. After this process's last shard the bucket is sent while the pass continues. */
#ifndef HEED_TEAM_BUCKETS_H
#define HEED_TEAM_BUCKETS_H

#include <heed/optim.h>

#include "team/exchange.h"
#include "team/statistics.h"

typedef struct heed__bucket {
    int first, count; /* range of entries; empty for the totals */
    heed__exchange exchange;
    heed__tree tree;
    int64_t next;       /* the next shard to add */
    heed_tensor *shard; /* retained: the vector of the current shard; NULL before its first gradient */
    int missing;        /* gradients not yet received */
    heed_tensor *sum;   /* retained, during a step: the sum over this process's span, later the whole vector */
} heed__bucket;

typedef struct heed__buckets heed__buckets;

/* A parameter and its position in a bucket. */
typedef struct heed__bucket_entry {
    heed__buckets *buckets;
    heed_tensor *parameter; /* owned by the optimizer */
    int index;              /* index among the optimizer's parameters */
    int bucket;
    int64_t offset, size;
    int64_t hook; /* set while a backward pass may run, else 0 */
    bool used;    /* in the current shard */
} heed__bucket_entry;

struct heed__buckets {
    const heed__split *split;
    const heed__statistics *statistics;
    heed__bucket *list; /* n buckets of gradients, followed by the totals */
    int n;
    heed__bucket *totals; /* f64: values summed along with the gradients, see below */
    heed__bucket_entry *entries;
    int n_entries;
    size_t capacity; /* in entries; the list has one bucket more */
    int sent;        /* the first `sent` buckets are being sent */
    int64_t shard;   /* the current shard */
    bool final;      /* no shard with samples follows */
};

/* A shard adds to the totals: 1 for every parameter of the optimizer that it used, followed by the loss, its count, 1
 * for the shard, and the changes of the statistics. */
enum { HEED_TOTAL_LOSS, HEED_TOTAL_COUNT, HEED_TOTAL_SHARDS, HEED_TOTALS };

/* Returns false after heed_fail. heed__buckets_free must be called in either case. */
bool heed__buckets_make(heed__buckets *buckets, const heed__split *split, const heed_optimizer *optimizer,
                        const heed__statistics *statistics);
void heed__buckets_free(heed__buckets *buckets);

/* Prepares for a step: drops the previous content. */
void heed__buckets_clear(heed__buckets *buckets);

/* Registers hooks for one backward pass, of that shard. `final` means that no shard with samples follows. Returns false
 * after heed_fail. heed__buckets_remove_hooks must be called in either case. */
bool heed__buckets_add_hooks(heed__buckets *buckets, int64_t shard, bool final);

/* Called after the pass: parameters that it did not use count as 0. Returns false after heed_fail. */
bool heed__buckets_end_shard(heed__buckets *buckets, double loss, double count);

/* Removes the hooks. */
void heed__buckets_remove_hooks(heed__buckets *buckets);

/* Called after all shards: sends the remaining buckets. Returns false after heed_fail. */
bool heed__buckets_send(heed__buckets *buckets);

#endif
