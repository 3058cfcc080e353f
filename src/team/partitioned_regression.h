/* team/partitioned_regression.h - shared by the files of kernel regression by several processes. */
#ifndef HEED_TEAM_PARTITIONED_REGRESSION_H
#define HEED_TEAM_PARTITIONED_REGRESSION_H

#include <heed/distributed_regression.h>
#include <heed/op.h>
#include <heed/shards.h>

#include "team/comm.h"

/* The inputs of these ops, in this order. Keys and values from a dataset are not inputs. */
enum { HEED_QUERIES, HEED_WIDTH, HEED_KEYS, HEED_VALUES, HEED_REGRESSION_INPUTS };

typedef struct heed__partitioned_regression {
    heed_comm *comm;
    int64_t shards;
    heed_kernel_regression_options options;
    const heed_dataset *data; /* NULL if keys and values are inputs */
    int64_t columns;          /* v; only for the ops by keys */
} heed__partitioned_regression;

/* Checks dtypes and shapes. Returns false after heed_fail. */
bool heed__partitioned_regression_check(const char *where, heed_tensor *const in[HEED_REGRESSION_INPUTS],
                                        const heed_kernel_regression_options *options);

/* Frees the pass. After a failure in this process alone, notifies the others, which wait for its results. */
void heed__partitioned_regression_end(heed_comm *comm, heed_shards *pass, bool ok);

/* Adds the gradients of one shard, samples begin .. end - 1, to the gradients of leaf[], by heed_backward. For a
 * partitioned input the leaf is the shard's range. */
typedef bool heed__partitioned_regression_rule(const heed_call *call, heed_tensor *const *g, heed_tensor *const *leaf,
                                               int64_t begin, int64_t end);

/* A backward rule: processes the shards of `samples` and combines their gradients. Inputs in `partitioned`, a bitwise
 * or of 1 << input, get one row per sample; the others get the sum. */
void heed__partitioned_regression_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx,
                                           int64_t samples, unsigned partitioned,
                                           heed__partitioned_regression_rule *rule);

#endif
