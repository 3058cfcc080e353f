/* bench/w13_index.c - W13: index_select on the last axis and on the first, and the sums that are its gradient.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "function.h"
#include "workloads.h"

typedef struct picking {
    heed_tensor *x, *index;
    int axis;
} picking;

static heed_tensor *output(void *context)
{
    const picking *p = context;
    return heed_index_select(p->x, p->axis, p->index);
}

/* sizes: rows, columns, the axis, whose elements are selected once, in a random order. */
static void run(const bench_case *c)
{
    const int64_t *s = c->sizes;
    picking job = {.x = bench_leaf(HEED_SHAPE(s[0], s[1])), .index = heed_permutation(s[s[2]]), .axis = (int)s[2]};
    bench_function f = {
        .output = output, .context = &job, .leaves = {job.x}, .g = heed_randn(HEED_F32, HEED_SHAPE(s[0], s[1]))};
    bench_function_times(c, &f);
}

const bench_entry bench_w13[] = {
    {"W13", "last axis of 4096x1024", run, SIZES(4096, 1024, 1)},
    {"W13", "first axis of 4096x1024", run, SIZES(4096, 1024, 0)},
    {0},
};
