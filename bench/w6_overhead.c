/* bench/w6_overhead.c - W6: the cost of an op on a tiny tensor.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

#include "workloads.h"

#define STEPS 1000
#define OPS (3.0 * STEPS)

typedef struct chain {
    heed_tensor *x, *a, *b, *g;
} chain;

static heed_tensor *run(const chain *c)
{
    heed_tensor *y = c->x;
    for (int i = 0; i < STEPS; i++)
        y = heed_tanh(heed_add(heed_mul(y, c->a), c->b));
    return y;
}

static void forward(void *context)
{
    heed_scope *quiet = heed_no_grad_begin();
    run(context);
    heed_scope_end(quiet);
}

static void recorded(void *context)
{
    heed_scope *step = heed_scope_begin();
    run(context);
    heed_scope_end(step);
}

static void train(void *context)
{
    chain *c = context;
    heed_set_grad(c->x, NULL);
    heed_set_grad(c->a, NULL);
    heed_set_grad(c->b, NULL);
    heed_scope *step = heed_scope_begin();
    heed_backward_with(run(c), &(heed_backward_options){.grad_output = c->g});
    heed_scope_end(step);
}

/* sizes: n, whether a and b require a gradient. */
static void overhead(const bench_case *c)
{
    heed_shape shape = HEED_SHAPE(c->sizes[0]);
    bool params = c->sizes[1] != 0;
    chain tensors = {
        .x = heed_set_requires_grad(heed_randn(HEED_F32, shape), true),
        .a = heed_set_requires_grad(heed_full(HEED_F32, shape, 1.01), params),
        .b = heed_set_requires_grad(heed_full(HEED_F32, shape, 0.01), params),
        .g = heed_ones(HEED_F32, shape),
    };
    bench_time(c, &(bench_metric){"fwd no graph ns/op", .unit = 1e9 / OPS}, forward, &tensors);
    bench_time(c, &(bench_metric){"fwd with graph ns/op", .unit = 1e9 / OPS}, recorded, &tensors);
    bench_time(c, &(bench_metric){"fwdbwd ns/op", .unit = 1e9 / OPS}, train, &tensors);
}

const bench_entry bench_w6[] = {
    {"W6", "n1 a,b require grad", overhead, SIZES(1, 1), .one_thread_only = true},
    {"W6", "n1 only x requires grad", overhead, SIZES(1, 0), .one_thread_only = true},
    {"W6", "n64 a,b require grad", overhead, SIZES(64, 1), .one_thread_only = true},
    {"W6", "n64 only x requires grad", overhead, SIZES(64, 0), .one_thread_only = true},
    {0},
};
