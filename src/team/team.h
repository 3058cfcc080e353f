/* team/team.h - the struct heed_data_parallel, for the files of src/team. */
#ifndef HEED_TEAM_TEAM_H
#define HEED_TEAM_TEAM_H

#include <heed/data_parallel.h>

#include "team/buckets.h"

struct heed_data_parallel {
    heed_comm *comm;
    heed_optimizer *optimizer;
    double max_norm;
    bool sharded_state;
    heed__split split; /* `samples` is the number of samples of the current step */
    heed__buckets buckets;
    heed__statistics statistics;
    int64_t steps;
    int64_t next, last;                   /* the next shard to take, and the end of this process's shards */
    int64_t nonfinite_shard;              /* first shard of this process with a non-finite loss in this step, or -1 */
    bool shard_open;                      /* a shard was taken but its gradients were not added yet */
    bool stepping;                        /* true between the first take of a step and the end of the step */
    bool failed;                          /* a shard failed: the step cannot be finished */
    bool data_checked;                    /* all processes started at the same position in the data */
    const heed_loader *loader;            /* the loader of the current step */
    heed_tensor *numbers;                 /* retained: indices of the step's samples */
    int n_tensors;                        /* number of tensors of a shard */
    heed_tensor *batch[HEED_DATASET_MAX]; /* retained: the shard's samples */
    uint64_t seed, position;              /* state of the default generator outside shards */
    double loss;
    uint64_t mark;
};

/* Returns false after heed_fail if the team is NULL or was freed, or if its comm or its optimizer was freed. */
bool heed__team_check(const char *where, const heed_data_parallel *team);

/* Ends a step: sums and divides the gradients, checks, clips and updates the parameters. Returns false after
 * heed_fail. */
bool heed__team_step(heed_data_parallel *team);

/* Restricts this process's optimizer state to the range that this process owns. Returns false after heed_fail. */
bool heed__team_shard_state(heed_data_parallel *team);

#endif
