/* team/spread.h - what the files of kernel regression by many processes share. */
#ifndef HEED_TEAM_SPREAD_H
#define HEED_TEAM_SPREAD_H

#include <heed/op.h>
#include <heed/shards.h>
#include <heed/spread.h>

#include "team/comm.h"

/* The inputs of these ops, in this order; keys and values of a dataset are none. */
enum { HEED_QUERIES, HEED_WIDTH, HEED_KEYS, HEED_VALUES, HEED_SPREAD_INPUTS };

typedef struct heed__spread {
    heed_comm *comm;
    int64_t shards;
    heed_kernel_regression_options options;
    const heed_dataset *data; /* NULL: keys and values are inputs */
    int64_t columns;          /* v, of the ops by keys */
} heed__spread;

/* Checks dtypes and shapes. False after heed_fail. */
bool heed__spread_check(const char *where, heed_tensor *const in[HEED_SPREAD_INPUTS],
                        const heed_kernel_regression_options *options);

/* Frees the pass. What has failed in this process alone is told to the others, which wait for its part. */
void heed__spread_end(heed_comm *comm, heed_shards *pass, bool ok);

/* Adds the gradients of one shard, samples begin .. end - 1, to those of leaf[], by heed_backward. Of an input that is
 * cut the leaf is the shard's part. */
typedef bool heed__spread_rule(const heed_call *call, heed_tensor *const *g, heed_tensor *const *leaf, int64_t begin,
                               int64_t end);

/* A backward rule: goes through the shards of `samples`, and brings the gradients of all together: of the inputs in
 * `cut`, an or of 1 << input, a row for each sample; of the others the sum. */
void heed__spread_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx, int64_t samples,
                           unsigned cut, heed__spread_rule *rule);

#endif
