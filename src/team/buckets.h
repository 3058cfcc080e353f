/* team/buckets.h - the vectors in which gradients are added up: buckets of parameters that lie side by side, the last
 * ones first, as a backward pass comes to them.
 *
 * While a shard's backward pass walks, hooks copy each gradient to its place. A bucket that is full is added to the
 * bucket's tree; after this process's last shard it is sent, while the pass goes on.
 */
#ifndef HEED_TEAM_BUCKETS_H
#define HEED_TEAM_BUCKETS_H

#include <heed/optim.h>

#include "team/exchange.h"
#include "team/statistics.h"

typedef struct heed__bucket {
    int first, count; /* of the pieces; the notes have none */
    heed__exchange exchange;
    heed__tree tree;
    int64_t next;       /* the shard that is added next */
    heed_tensor *shard; /* retained: the vector of the shard under way; NULL before its first gradient */
    int missing;        /* gradients that have not come */
    heed_tensor *sum;   /* retained, in a step: of this process's run, and then all of it */
} heed__bucket;

typedef struct heed__buckets heed__buckets;

/* A parameter, and its place. */
typedef struct heed__piece {
    heed__buckets *all;
    heed_tensor *parameter; /* the optimizer keeps it */
    int number;             /* among the optimizer's */
    int bucket;
    int64_t offset, size;
    int64_t hook; /* while a backward pass may come; 0: none */
    bool used;    /* in the shard under way */
} heed__piece;

struct heed__buckets {
    const heed__split *split;
    const heed__statistics *statistics;
    heed__bucket *list; /* n buckets of gradients, and behind them the notes */
    int n;
    heed__bucket *notes; /* f64: what goes along with a shard's gradients, below */
    heed__piece *pieces;
    int n_pieces;
    size_t room;   /* pieces that there may be; and one bucket more */
    int sent;      /* the first so many of the list are on their way */
    int64_t shard; /* the one under way */
    bool final;    /* no shard with samples comes after it */
};

/* The notes of a shard: 1 for each of the optimizer's parameters that was used, and behind these the loss, its count, 1
 * for the shard, and the changes of the statistics. */
enum { HEED_NOTE_LOSS, HEED_NOTE_COUNT, HEED_NOTE_SHARDS, HEED_NOTES };

/* False after heed_fail. heed__buckets_free is due in either case. */
bool heed__buckets_make(heed__buckets *buckets, const heed__split *split, const heed_optimizer *optimizer,
                        const heed__statistics *statistics);
void heed__buckets_free(heed__buckets *buckets);

/* Gets ready for a step: drops what is there. */
void heed__buckets_clear(heed__buckets *buckets);

/* Listens to one backward pass, for that shard; `final`: no other one with samples comes after it. False after
 * heed_fail. heed__buckets_deafen is due in either case. */
bool heed__buckets_listen(heed__buckets *buckets, int64_t shard, bool final);

/* After the pass: parameters that it did not use count as 0. False after heed_fail. */
bool heed__buckets_end_shard(heed__buckets *buckets, double loss, double count);

/* Listens no more. */
void heed__buckets_deafen(heed__buckets *buckets);

/* After all shards: sends what is left. False after heed_fail. */
bool heed__buckets_send(heed__buckets *buckets);

#endif
