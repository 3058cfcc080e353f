/* team/partitioned_regression.h - declarations shared by the source files of kernel regression by several processes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TEAM_PARTITIONED_REGRESSION_H
#define HEED_TEAM_PARTITIONED_REGRESSION_H

#include <heed/distributed_regression.h>
#include <heed/op.h>
#include <heed/shards.h>

#include "team/comm.h"

/* The inputs of the ops, in this order. If keys and values come from a dataset, they are not inputs. */
enum { HEED_QUERIES, HEED_WIDTH, HEED_KEYS, HEED_VALUES, HEED_REGRESSION_INPUTS };

typedef struct heed__partitioned_regression {
    heed_comm *comm;
    int64_t shards;
    heed_kernel_regression_options options;
    const heed_dataset *data; /* NULL if keys and values are inputs */
    int64_t columns;          /* v, the number of columns of the values; only for the ops by keys */
} heed__partitioned_regression;

/* Checks dtypes and shapes. Returns false after heed_fail. */
bool heed__partitioned_regression_check(const char *where, heed_tensor *const in[HEED_REGRESSION_INPUTS],
                                        const heed_kernel_regression_options *options);

/* Frees the pass. If `ok` is false, notifies the other processes, which wait for this process's results, unless all
 * processes have detected the same error. */
void heed__partitioned_regression_end(heed_comm *comm, heed_shards *pass, bool ok);

/* Runs heed_backward for one shard, samples begin .. end - 1, and so adds the shard's gradients to the gradients of
 * leaf[]. For a partitioned input the leaf has only the shard's rows. Returns false after heed_fail. */
typedef bool heed__partitioned_regression_rule(const heed_call *call, heed_tensor *const *g, heed_tensor *const *leaf,
                                               int64_t begin, int64_t end);

/* The division of a backward into shards. */
typedef struct heed__regression_partition {
    int64_t samples;
    unsigned inputs; /* a bitwise or of 1 << input for every partitioned input: it has one row per sample */
    heed__partitioned_regression_rule *rule;
} heed__regression_partition;

/* The backward of these ops: divides the samples into shards, calls the rule for this process's shards and combines the
 * gradients of all processes. The gradient of a partitioned input has one row per sample. The gradient of any other
 * input is the sum over the shards. */
void heed__partitioned_regression_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx,
                                           const heed__regression_partition *partition);

#endif
