/* team/buckets.h - buckets in which gradients are summed. A bucket is a vector of the gradients of consecutive
 * parameters. The last parameters come first, because a backward pass reaches them first.
 *
 * During a shard's backward pass, hooks copy every gradient to its offset in a bucket's vector. A complete vector is
 * added to the bucket's tree of sums. In this process's last shard the bucket is then sent while the backward pass
 * continues. */
#ifndef HEED_TEAM_BUCKETS_H
#define HEED_TEAM_BUCKETS_H

#include <heed/optim.h>

#include "team/exchange.h"
#include "team/statistics.h"

typedef struct heed__bucket {
    int first, count; /* range of entries; count is 0 for the bucket of the totals */
    heed__exchange exchange;
    heed__tree tree;
    int64_t next;       /* the next shard to add */
    heed_tensor *shard; /* retained: the vector of the current shard; NULL before its first gradient */
    int missing;        /* number of gradients of the current shard not yet received */
    heed_tensor *sum;   /* retained during a step: first this process's span of the sum, later all of it */
} heed__bucket;

typedef struct heed__buckets heed__buckets;

/* A parameter and its position in a bucket. */
typedef struct heed__bucket_entry {
    heed__buckets *buckets;
    heed_tensor *parameter; /* owned by the optimizer */
    int index;              /* index among the optimizer's parameters */
    int bucket;
    int64_t offset, size;
    int64_t hook; /* id of the hook while a backward pass may run, else 0 */
    bool used;    /* the current shard has used the parameter */
} heed__bucket_entry;

struct heed__buckets {
    const heed__split *split;
    const heed__statistics *statistics;
    heed__bucket *list; /* n buckets of gradients, followed by the totals */
    int n;
    heed__bucket *totals; /* f64: values summed along with the gradients (HEED_TOTALS) */
    heed__bucket_entry *entries;
    int n_entries;
    size_t capacity; /* capacity of `entries`; `list` has capacity for one more */
    int sent;        /* the first `sent` buckets are being sent */
    int64_t shard;   /* the current shard */
    bool final;      /* no shard with samples follows */
};

/* A shard adds a vector to the totals. The vector begins with one number per parameter of the optimizer: 1 if the shard
 * used it, else 0. Then come the loss, the count and 1; the enum gives their positions after those numbers. The changes
 * of the statistics follow. */
enum { HEED_TOTAL_LOSS, HEED_TOTAL_COUNT, HEED_TOTAL_SHARDS, HEED_TOTALS };

/* Returns false after heed_fail. heed__buckets_free must be called in either case. */
bool heed__buckets_make(heed__buckets *buckets, const heed__split *split, const heed_optimizer *optimizer,
                        const heed__statistics *statistics);
void heed__buckets_free(heed__buckets *buckets);

/* Drops the content of the previous step. */
void heed__buckets_clear(heed__buckets *buckets);

/* Registers hooks for the backward pass of a shard. `final` means that no shard with samples follows. Returns false
 * after heed_fail. heed__buckets_remove_hooks must be called in either case. */
bool heed__buckets_add_hooks(heed__buckets *buckets, int64_t shard, bool final);

/* Called after the backward pass of a shard. A parameter that the pass did not use has gradient 0. Returns false after
 * heed_fail. */
bool heed__buckets_end_shard(heed__buckets *buckets, double loss, double count);

/* Removes the hooks. */
void heed__buckets_remove_hooks(heed__buckets *buckets);

/* Called after all shards of this process: starts to send the remaining buckets. Returns false after heed_fail. */
bool heed__buckets_send(heed__buckets *buckets);

#endif
