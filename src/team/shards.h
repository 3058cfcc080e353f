/* team/shards.h - what the files of a pass over shards share. */
#ifndef HEED_TEAM_SHARDS_H
#define HEED_TEAM_SHARDS_H

#include <heed/shards.h>

#include "team/exchange.h"

enum { HEED_SUM_F32, HEED_SUM_F64, HEED_SUMS }; /* what is added up is a vector of each */

/* What all processes add, or put: of `t` only dtype and shape are the same in all. */
typedef struct heed__columns {
    int k;                             /* 0: not known yet, for want of samples */
    heed_dtype dtype[HEED_SHARDS_MAX]; /* of rows the shape is a sample's */
    heed_shape shape[HEED_SHARDS_MAX];
    heed_tensor
        *t[HEED_SHARDS_MAX]; /* retained: sums of the shard under way, NULL between shards; rows of all samples */
    bool collected;
} heed__columns;

struct heed_shards {
    heed__split split;
    int64_t number;     /* of passes before it, with this comm */
    int64_t next, last; /* the shard to take next, or the one that is open, and where this process's end */
    bool open;
    int64_t begin, end; /* samples of the shard that is open */
    int64_t filled;     /* this process has the rows before this one */
    bool begun;         /* a shard with samples has been done */
    bool failed;        /* one could not be added: the sums are lost */
    heed__columns sums, rows;
    heed__tree trees[HEED_SUMS];
    uint64_t mark;
};

/* Returns false after heed_fail if the pass is NULL or was freed, or if its comm was freed. */
bool heed__shards_check(const char *where, const heed_shards *pass);

/* How many elements a sum, or a sample's row, has. */
static inline int64_t heed__column_size(const heed__columns *c, int i)
{
    return heed_shape_numel(c->shape[i]);
}

/* Makes room for the rows of all samples. False after heed_fail. */
bool heed__shards_make_rows(heed_shards *pass);

#endif
