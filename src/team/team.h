/* team/team.h - training in several processes: the struct heed_data_parallel and its parts.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TEAM_TEAM_H
#define HEED_TEAM_TEAM_H

#include <heed/data_parallel.h>

#include "team/exchange.h"

/* -- Statistics (team/statistics.c) -------------------------------------------------------------------------------- */

/* A module's buffers that forward passes update, such as the running statistics of batch norm.
 *
 * Every shard's forward pass starts with the values that the buffers had at the beginning of the step. The changes that
 * the passes make are summed along with the gradients. At the end of the step the buffers change by the mean of these
 * changes over the shards. */
typedef struct heed__statistic {
    heed_tensor *buffer; /* retained: contiguous, not bool */
    heed_tensor *begin;  /* retained: the value at the beginning of the step */
} heed__statistic;

typedef struct heed__statistics {
    heed__statistic *list;
    int n, capacity;
    int64_t length; /* number of elements of all buffers */
} heed__statistics;

/* Collects the module's buffers; NULL gives an empty list. Returns false after heed_fail. heed__statistics_free must be
 * called in either case. */
bool heed__statistics_make(heed__statistics *s, heed_module *module);
void heed__statistics_free(heed__statistics *s);

/* Saves the current buffers. This function and the next two do not allocate. */
void heed__statistics_begin(const heed__statistics *s);

/* Restores the saved buffers. */
void heed__statistics_restore(const heed__statistics *s);

/* Sets every element k of the buffers to its saved value plus sums[k] / n. */
void heed__statistics_apply(const heed__statistics *s, const double *sums, double n);

/* Writes the changes of all `length` elements since heed__statistics_begin to `changes`: of the buffers, or unless
 * `copies` is NULL, of a shard's copies of them. */
void heed__statistics_changes(const heed__statistics *s, heed_tensor *const *copies, double *changes);

/* -- Buckets (team/buckets.c) -------------------------------------------------------------------------------------- */

/* Buckets in which gradients are summed. A bucket is a vector of the gradients of consecutive parameters. The last
 * parameters come first, because a backward pass reaches them first.
 *
 * During a shard's backward pass, hooks copy every gradient to its offset in a bucket's vector. A complete vector is
 * added to the bucket's tree of sums. In this process's last shard the bucket is then sent while the backward pass
 * continues. */
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

/* The gradients of a shard, all computed before the first one is added. */
typedef struct heed__shard_result {
    heed_tensor *const *grads;  /* by the index of the parameter; NULL if the loss does not use it */
    heed_tensor *const *copies; /* the shard's copies of the statistics */
    double loss, count;
} heed__shard_result;

/* Writes a shard's result to new vectors: one for every bucket, then one for the totals. May run in several threads at
 * a time. Returns false after heed_fail; the caller releases the vectors in either case. */
bool heed__buckets_fill_vectors(const heed__buckets *buckets, const heed__shard_result *result, heed_tensor **vectors);

/* Adds these vectors to the trees, and takes their references. Shards are added in order. Returns false after
 * heed_fail. */
bool heed__buckets_add_vectors(heed__buckets *buckets, int64_t shard, heed_tensor **vectors);

/* -- The team (team/data_parallel.c, team/step.c) ------------------------------------------------------------------ */

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
    int64_t epoch;                        /* of the loader, to which the samples belong */
    int n_tensors;                        /* number of tensors of a shard */
    heed_tensor *batch[HEED_DATASET_MAX]; /* retained: the shard's samples */
    heed_generator *generator;            /* in use when the step began */
    uint64_t seed, position;              /* its state outside shards */
    double loss;
    uint64_t mark;
};

/* Returns false after heed_fail if the team is NULL or was freed, or if its comm or its optimizer was freed. */
bool heed__team_check(const char *where, const heed_data_parallel *team);

/* Begins a step: takes the numbers of the next batch and saves the generator's state and the buffers. Returns false
 * after heed_fail. */
bool heed__team_begin_step(const char *where, heed_data_parallel *team, heed_loader *loader);

/* Returns false after heed_fail if a parameter has a gradient, or if their number has changed. */
bool heed__team_check_parameters(const char *where, const heed_data_parallel *team);

/* Returns false after heed_fail unless `loss` is one number and `count` a finite number, 0 or more. */
bool heed__team_check_loss(const char *where, const heed_tensor *loss, double count);

/* Sets the generator, NULL for the one in use, to the numbers that a shard draws in the present step. */
void heed__team_seed_shard(const heed_data_parallel *team, heed_generator *generator, int64_t shard);

/* Reads the samples of a shard. The tensors are borrowed. Returns false after heed_fail. */
bool heed__team_take(const heed_data_parallel *team, int64_t shard, heed_tensor **batch);

/* Ends a step: sums and divides the gradients, checks, clips and updates the parameters. Returns false after
 * heed_fail. */
bool heed__team_step(heed_data_parallel *team);

/* Restricts this process's optimizer state to the range that this process owns. Returns false after heed_fail. */
bool heed__team_shard_state(heed_data_parallel *team);

/* -- Consistency (team/consistency.c) ------------------------------------------------------------------------------ */

/* Compares all processes with process 0. If a process differs, returns false in all processes after heed_fail, whose
 * message names the process and the field. With options->broadcast, differing parameters and buffers are not an error:
 * all processes take the values of process 0. */
bool heed__check_consistency(const char *where, heed_comm *comm, const heed_optimizer *optimizer,
                             const heed__statistics *statistics, const heed_data_parallel_options *options);

/* Compares the position in the data with process 0: the loader's state and the number of completed steps. If a process
 * differs, returns false in all processes after heed_fail. */
bool heed__check_loader_consistency(const char *where, heed_comm *comm, const heed_loader *loader, int64_t steps);

/* Hashes of state that may change between two steps and must be the same in all processes, such as learning rates.
 * Every process writes its hashes into the row of numbers that it sends at the end of a step.
 * heed__check_step_consistency compares the hashes of all processes; the hashes of process i begin at rows[i * width].
 * It returns false after heed_fail, whose message names a process that differs from most others and the state in which
 * it differs. */
#define HEED_STEP_STATE 6
void heed__write_step_state(const heed_data_parallel *team, double state[HEED_STEP_STATE]);
bool heed__check_step_consistency(const char *where, const double *rows, int64_t width, int processes);

#endif
