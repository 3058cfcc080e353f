/* bench/inference.h - W15's networks and cases, which heed_bench and bench_onnxruntime share.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_BENCH_INFERENCE_H
#define HEED_BENCH_INFERENCE_H

#include <heed/heed.h>

#include "workloads.h"

/* A network in evaluation mode and its input. */
typedef struct inference {
    heed_module *net;
    heed_tensor *x;
} inference;

/* The network and the input of a case. Free the network with heed_module_free. */
inference inference_new(const bench_case *c);

/* Times a case of W15. Each of the two programs defines this function. */
void inference_run(const bench_case *c);

#endif
