/* bench/function.c - see function.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "function.h"

static void forward(void *context)
{
    bench_function *f = context;
    heed_scope *quiet = heed_no_grad_begin();
    f->output(f->context);
    heed_scope_end(quiet);
}

static void train(void *context)
{
    bench_function *f = context;
    for (int i = 0; i < BENCH_MAX_LEAVES && f->leaves[i]; i++)
        heed_set_grad(f->leaves[i], NULL);
    heed_scope *step = heed_scope_begin();
    heed_backward_with(f->output(f->context), &(heed_backward_options){.grad_output = f->g});
    heed_scope_end(step);
}

heed_tensor *bench_leaf(heed_shape shape)
{
    return heed_set_requires_grad(heed_randn(HEED_F32, shape), true);
}

heed_tensor *bench_lengths(int64_t batch, int64_t keys)
{
    heed_tensor *lens = heed_zeros(HEED_I64, HEED_SHAPE(batch));
    int64_t *p = heed_mutable_i64(lens);
    for (int64_t b = 0; b < batch; b++)
        p[b] = keys / 2 + keys * (2 * b + 1) / (4 * batch);
    return lens;
}

heed_tensor *bench_masked_softmax_by_ops(heed_tensor *x, heed_tensor *lens)
{
    heed_tensor *positions = heed_arange(HEED_I64, 0, (double)heed_dim(x, -1), 1);
    heed_tensor *last = heed_rank(lens) == 1 ? heed_unsqueeze(heed_unsqueeze(lens, 1), 2) : heed_unsqueeze(lens, 2);
    heed_tensor *hidden = heed_compare(positions, HEED_COMPARE_GE, last);
    return heed_softmax(heed_masked_fill(x, hidden, -1e6), -1);
}

void bench_function_peaks(const bench_case *c, bench_function *f)
{
    double before = bench_resident_mb();
    bench_peak(c, "fwd", before, forward, f);
    bench_peak(c, "fwdbwd", before, train, f);
}

void bench_function_times(const bench_case *c, bench_function *f)
{
    bench_time(c, &(bench_metric){"fwd ms", .unit = 1e3}, forward, f);
    bench_time(c, &(bench_metric){"fwdbwd ms", .unit = 1e3}, train, f);
}

void bench_function_rates(const bench_case *c, bench_function *f, double operations)
{
    bench_time(c, &(bench_metric){"fwd GFLOP/s", .work = 1e-9 * operations}, forward, f);
    bench_time(c, &(bench_metric){"fwdbwd GFLOP/s", .work = 3e-9 * operations}, train, f);
}
