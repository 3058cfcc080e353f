/* team/team.h - a heed_data_parallel, for the files of this room. */
#ifndef HEED_TEAM_TEAM_H
#define HEED_TEAM_TEAM_H

#include <heed/data_parallel.h>

#include "team/buckets.h"

struct heed_data_parallel {
    heed_comm *comm;
    heed_optimizer *optimizer;
    double max_norm;
    bool sharded_state;
    heed__split split; /* `samples` of the step under way */
    heed__buckets buckets;
    heed__statistics statistics;
    int64_t steps;
    int64_t next, last;        /* the shard to take next, and where this process's end */
    int64_t bad_loss;          /* the first shard of this process whose loss was not finite in this step; -1: none */
    bool open;                 /* a shard was taken and has no gradients yet */
    bool stepping;             /* between the first take and the step */
    bool failed;               /* a shard has: the step cannot be finished */
    bool agreed;               /* in the first step all processes have begun at the same place of the data */
    const heed_loader *loader; /* of the step under way */
    heed_tensor *numbers;      /* retained: of the step's samples */
    int k;                     /* tensors of a shard */
    heed_tensor *part[HEED_DATASET_MAX]; /* retained: the shard's samples */
    uint64_t seed, position;             /* of the default generator outside of shards */
    double loss;
    uint64_t mark;
};

/* Returns false after heed_fail if the team is NULL or was freed, or if its comm or its optimizer was freed. */
bool heed__team_check(const char *where, const heed_data_parallel *team);

/* Adds up over all processes, checks, divides, clips and updates. False after heed_fail. */
bool heed__team_step(heed_data_parallel *team);

/* Gives every process its part of the optimizer's state. False after heed_fail. */
bool heed__team_share_state(heed_data_parallel *team);

#endif
