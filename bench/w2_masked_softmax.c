/* bench/w2_masked_softmax.c - W2: masked softmax of scores (B, Q, K), with a length per batch element or per query.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "function.h"
#include "workloads.h"

typedef struct scores {
    heed_tensor *x, *lens;
    bool by_ops;
} scores;

static heed_tensor *output(void *context)
{
    const scores *s = context;
    return s->by_ops ? bench_masked_softmax_by_ops(s->x, s->lens) : heed_masked_softmax(s->x, s->lens);
}

/* 1 + (31 b + 17 q) % K: i64 (B, Q). */
static heed_tensor *lengths_of_queries(int64_t batch, int64_t queries, int64_t keys)
{
    heed_tensor *lens = heed_zeros(HEED_I64, HEED_SHAPE(batch, queries));
    int64_t *p = heed_mutable_i64(lens);
    for (int64_t b = 0; b < batch; b++)
        for (int64_t q = 0; q < queries; q++)
            p[b * queries + q] = 1 + (31 * b + 17 * q) % keys;
    return lens;
}

/* sizes: B, Q, K, dimensions of the lengths. */
static void run(const bench_case *c)
{
    int64_t batch = c->sizes[0], queries = c->sizes[1], keys = c->sizes[2];
    heed_shape shape = HEED_SHAPE(batch, queries, keys);
    scores s = {
        .x = bench_leaf(shape),
        .lens = c->sizes[3] == 1 ? bench_lengths(batch, keys) : lengths_of_queries(batch, queries, keys),
        .by_ops = c->by_ops,
    };
    bench_function f = {.output = output, .context = &s, .leaves = {s.x}, .g = heed_randn(HEED_F32, shape)};
    bench_function_peaks(c, &f);
    bench_function_times(c, &f);
}

const bench_entry bench_w2[] = {
    {"W2", "64x128x128 lens1D", run, SIZES(64, 128, 128, 1), .has_chain = true},
    {"W2", "64x128x128 lens2D", run, SIZES(64, 128, 128, 2), .has_chain = true},
    {"W2", "8x1024x1024 lens1D", run, SIZES(8, 1024, 1024, 1), .has_chain = true},
    {"W2", "8x1024x1024 lens2D", run, SIZES(8, 1024, 1024, 2), .has_chain = true},
    {"N2", "2x2x4 lens1D", run, SIZES(2, 2, 4, 1), .has_chain = true},
    {"N2", "3x257x131 lens1D", run, SIZES(3, 257, 131, 1), .has_chain = true},
    {"N2", "3x257x131 lens2D", run, SIZES(3, 257, 131, 2), .has_chain = true},
    {"N2", "1x100000x10 lens2D", run, SIZES(1, 100000, 10, 2), .has_chain = true},
    {"N2", "1x10x100003 lens2D", run, SIZES(1, 10, 100003, 2), .has_chain = true},
    {"N2", "1x1x4096 lens1D", run, SIZES(1, 1, 4096, 1), .has_chain = true},
    {0},
};
