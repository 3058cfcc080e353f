/* bench/w6_overhead.c - W6: what an op costs on a tiny tensor. */

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

static void overhead(const bench_case *c, int64_t n, bool params)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_shape shape = HEED_SHAPE(n);
    chain tensors = {
        .x = heed_set_requires_grad(heed_randn(HEED_F32, shape), true),
        .a = heed_set_requires_grad(heed_full(HEED_F32, shape, 1.01), params),
        .b = heed_set_requires_grad(heed_full(HEED_F32, shape, 0.01), params),
        .g = heed_ones(HEED_F32, shape),
    };
    bench_time(c, "fwd no graph ns/op", 1e9, OPS, 0.01, 1.2, forward, &tensors);
    bench_time(c, "fwd with graph ns/op", 1e9, OPS, 0.01, 1.2, recorded, &tensors);
    bench_time(c, "fwdbwd ns/op", 1e9, OPS, 0.01, 1.2, train, &tensors);
    heed_thread_cleanup();
}

void w6_n1_params(const bench_case *c)
{
    overhead(c, 1, true);
}

void w6_n1(const bench_case *c)
{
    overhead(c, 1, false);
}

void w6_n64_params(const bench_case *c)
{
    overhead(c, 64, true);
}

void w6_n64(const bench_case *c)
{
    overhead(c, 64, false);
}
