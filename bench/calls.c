/* bench/calls.c - times ops, a training step of a small network, and kernel regressions with a bandwidth search, for
 * bench/compare-calls, which times the same calls from Python.
 *
 *     bench_calls [--quick]       a JSON line for every figure, in microseconds, with one thread
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <heed/heed.h>

#include "measure.h"

typedef struct operands {
    heed_tensor *a, *b;
    heed_tensor *(*op)(heed_tensor *a, heed_tensor *b);
} operands;

typedef struct training {
    heed_nn_sequential *net;
    heed_optimizer *sgd;
    heed_tensor *x, *labels;
} training;

static void report(bench_case c, const char *name, void (*fn)(void *), void *context)
{
    c.name = name;
    bench_time(&c, &(bench_metric){"us", .unit = 1e6}, fn, context);
}

/* -- Ops ----------------------------------------------------------------------------------------------------------- */

static heed_tensor *softmax(heed_tensor *a, heed_tensor *b)
{
    (void)b;
    return heed_softmax(a, 1);
}

static heed_tensor *add(heed_tensor *a, heed_tensor *b)
{
    return heed_add(a, b);
}

static heed_tensor *matmul(heed_tensor *a, heed_tensor *b)
{
    return heed_matmul(a, b);
}

static void apply(void *context)
{
    const operands *o = context;
    heed_scope *call = heed_scope_begin();
    o->op(o->a, o->b);
    heed_scope_end(call);
}

static void time_ops(bench_case c)
{
    heed_tensor *small = heed_rand(HEED_F32, HEED_SHAPE(2, 2)), *large = heed_rand(HEED_F32, HEED_SHAPE(64, 64));
    report(c, "add 2x2", apply, &(operands){small, small, add});
    report(c, "matmul 64x64", apply, &(operands){large, large, matmul});
    report(c, "softmax 64x64", apply, &(operands){large, NULL, softmax});
}

/* -- A training step: 16-64-10 with relu, cross entropy, SGD, batches of 32 ---------------------------------------- */

static void step(void *context)
{
    const training *t = context;
    heed_scope *call = heed_scope_begin();
    heed_optimizer_zero_grad(t->sgd);
    heed_backward(heed_cross_entropy(heed_nn_sequential_forward(t->net, t->x), t->labels, NULL));
    heed_optimizer_step(t->sgd);
    heed_scope_end(call);
}

static void time_training(bench_case c)
{
    training t = {.net = heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(16, 64, NULL),
                                                             heed_nn_function_new("relu", heed_relu),
                                                             heed_nn_linear_new(64, 10, NULL))),
                  .x = heed_randn(HEED_F32, HEED_SHAPE(32, 16)),
                  .labels = heed_randint(0, 10, HEED_SHAPE(32))};
    t.sgd = heed_optim_sgd(&t.net->base, &(heed_optim_sgd_options){.lr = 0.01});
    report(c, "step 16-64-10", step, &t);
    heed_optimizer_free(t.sgd);
    heed_module_free(&t.net->base);
}

/* -- Kernel regression of a sine with noise ---------------------------------------------------------------------- */

static void fit(void *context)
{
    const operands *rows = context;
    heed_np_free(heed_np_fit(rows->a, rows->b, NULL));
}

static void time_fit(bench_case c, const char *name, int64_t n)
{
    c.quick = c.quick || n > 1000; /* one call lasts long enough */
    heed_tensor *x = heed_empty(HEED_F64, HEED_SHAPE(n)), *y = heed_empty(HEED_F64, HEED_SHAPE(n));
    for (int64_t i = 0; i < n; i++) {
        const double at = fmod(0.618034 * (double)i, 1.0);
        heed_mutable_f64(x)[i] = at;
        heed_mutable_f64(y)[i] = sin(12 * at) + 0.3 * cos(997.0 * (double)i);
    }
    report(c, name, fit, &(operands){x, y, NULL});
}

int main(int argc, char **argv)
{
    const bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    if (argc > 2 || (argc == 2 && !quick)) {
        fprintf(stderr, "usage: bench_calls [--quick]\n");
        return 2;
    }
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_set_num_threads(1);
    bench_case c = {.workload = "calls", .threads = 1, .quick = quick, .seconds = quick ? 0 : 0.5};
    time_ops(c);
    time_training(c);
    time_fit(c, "fit 100", 100);
    time_fit(c, "fit 1000", 1000);
    if (!quick)
        time_fit(c, "fit 10000", 10000);
    return 0;
}
