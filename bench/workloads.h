/* bench/workloads.h - the workloads: one file per workload, with a list of cases that ends with a case without a
 * name.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_BENCH_WORKLOADS_H
#define HEED_BENCH_WORKLOADS_H

#include "measure.h"

typedef struct bench_entry {
    const char *workload, *name; /* as in torch_bench.py; N2 has shapes near W2's */
    void (*run)(const bench_case *c);
    const int64_t *sizes;
    bool one_thread_only;
    bool heavy;     /* left out of --quick */
    bool has_chain; /* run by --ops, too, as a chain of single ops */
} bench_entry;

#define SIZES(...)                                                                                                     \
    .sizes = (const int64_t[])                                                                                         \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

extern const bench_entry bench_w1[];  /* kernel regression trained leave-one-out by SGD, as in the book */
extern const bench_entry bench_w2[];  /* masked softmax */
extern const bench_entry bench_w3[];  /* additive attention */
extern const bench_entry bench_w4[];  /* dot-product attention */
extern const bench_entry bench_w5[];  /* batches of matrix products */
extern const bench_entry bench_w6[];  /* 1000 times y = tanh(y a + b): the cost of an op on a tiny tensor */
extern const bench_entry bench_w7[];  /* training a multilayer perceptron */
extern const bench_entry bench_w8[];  /* training a character Transformer */
extern const bench_entry bench_w9[];  /* starting a process and doing one op */
extern const bench_entry bench_w10[]; /* convolutions */
extern const bench_entry bench_w11[]; /* recurrent layers */
extern const bench_entry bench_w12[]; /* a decoder that generates with a cache */
extern const bench_entry bench_w13[]; /* index_select */
extern const bench_entry bench_w14[]; /* steps of small networks, over whole batches and in shards */
extern const bench_entry bench_w15[]; /* inference */
extern const bench_entry bench_w16[]; /* linear algebra */

#endif
