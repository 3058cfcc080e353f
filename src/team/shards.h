/* team/shards.h - declarations shared by the source files of a pass over shards.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TEAM_SHARDS_H
#define HEED_TEAM_SHARDS_H

#include <heed/shards.h>

#include "team/exchange.h"

enum { HEED_SUM_F32, HEED_SUM_F64, HEED_SUMS }; /* the values of all tensors to sum form one vector of each kind */

/* The tensors to sum over all processes, or the rows to gather from them. dtype and shape are the same in all
 * processes; every process has its own `t`. */
typedef struct heed__columns {
    int k;                             /* 0 if unknown, because no samples were seen */
    heed_dtype dtype[HEED_SHARDS_MAX]; /* dtypes of the tensors */
    heed_shape shape[HEED_SHARDS_MAX]; /* shapes of the sums, or of one sample's rows */
    heed_tensor *t[HEED_SHARDS_MAX];   /* retained: sums of the open shard, else NULL; or rows of all samples */
    bool collected;
} heed__columns;

struct heed_shards {
    heed__split split;
    int64_t number;     /* number of earlier passes with this comm */
    int64_t next, last; /* `next`: the open shard, or else the next one; `last`: the end of this process's shards */
    bool shard_open;
    int64_t begin, end; /* samples of the open shard */
    int64_t filled;     /* rows have been put for this process's samples before this index */
    bool any_complete;  /* a shard with samples is complete */
    bool failed;        /* a shard could not be added: the sums are lost */
    heed__columns sums, rows;
    heed__tree trees[HEED_SUMS];
    uint64_t mark;
};

/* Returns false after heed_fail if the pass is NULL or was freed, or if its comm was freed. */
bool heed__shards_check(const char *where, const heed_shards *pass);

/* Returns the number of elements of tensor i: of its sum, or if rows are gathered, of one sample's row. */
static inline int64_t heed__column_size(const heed__columns *c, int i)
{
    return heed_shape_numel(c->shape[i]);
}

/* Allocates the tensors for the rows of all samples. Returns false after heed_fail. */
bool heed__shards_make_rows(heed_shards *pass);

#endif
