/* bench/w15_inference.c - W15: inference of an MLP, of LeNet and of a Transformer block, without a graph.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "inference.h"

static void forward(void *context)
{
    inference *i = context;
    heed_scope *quiet = heed_no_grad_begin();
    heed_module_forward(i->net, i->x);
    heed_scope_end(quiet);
}

void inference_run(const bench_case *c)
{
    inference i = inference_new(c);
    bench_time(c, &(bench_metric){"fwd us", .unit = 1e6}, forward, &i);
    heed_module_free(i.net);
}
