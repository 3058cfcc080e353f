/* bench/w5_bmm.c - W5: a batch of products of matrices (m, k) and (k, n), and of (m, k) and a transposed (n, k).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "function.h"
#include "workloads.h"

typedef struct product {
    heed_tensor *a, *b;
    bool transposed;
} product;

static heed_tensor *output(void *context)
{
    const product *p = context;
    return heed_bmm_t(p->a, false, p->b, p->transposed);
}

/* sizes: batch, m, k, n, whether B is transposed. */
static void run(const bench_case *c)
{
    int64_t batch = c->sizes[0], m = c->sizes[1], k = c->sizes[2], n = c->sizes[3];
    bool transposed = c->sizes[4] != 0;
    product p = {
        .a = bench_leaf(HEED_SHAPE(batch, m, k)),
        .b = bench_leaf(transposed ? HEED_SHAPE(batch, n, k) : HEED_SHAPE(batch, k, n)),
        .transposed = transposed,
    };
    bench_function f = {
        .output = output,
        .context = &p,
        .leaves = {p.a, p.b},
        .g = heed_randn(HEED_F32, HEED_SHAPE(batch, m, n)),
    };
    bench_function_rates(c, &f, 2.0 * (double)(batch * m * k * n));
}

const bench_entry bench_w5[] = {
    {"W5", "b64 128x64x128", run, SIZES(64, 128, 64, 128, 0)},
    {"W5", "b2 1024x1024x1024", run, SIZES(2, 1024, 1024, 1024, 0), .heavy = true},
    {"W5", "b10000 8x8x8", run, SIZES(10000, 8, 8, 8, 0)},
    {"N5", "b64 128x64x128 B transposed", run, SIZES(64, 128, 64, 128, 1)},
    {"N5", "b10000 8x8x8 B transposed", run, SIZES(10000, 8, 8, 8, 1)},
    {"N5", "b1 1000x1000x1", run, SIZES(1, 1000, 1000, 1, 0)},
    {"N5", "b1 1x1000x1000", run, SIZES(1, 1, 1000, 1000, 0)},
    {"N5", "b1 1x512x2048", run, SIZES(1, 1, 512, 2048, 0)},
    {"N5", "b1 1000x1x1000", run, SIZES(1, 1000, 1, 1000, 0)},
    {"N5", "b7 31x67x129", run, SIZES(7, 31, 67, 129, 0)},
    {"N5", "b1 4096x32x32", run, SIZES(1, 4096, 32, 32, 0)},
    {"N5", "b16 333x80x517", run, SIZES(16, 333, 80, 517, 0)},
    {"N5", "b1 64x64x64", run, SIZES(1, 64, 64, 64, 0)},
    {"N5", "b1 509x1021x257", run, SIZES(1, 509, 1021, 257, 0)},
    {"N5", "b1000 3x5x7", run, SIZES(1000, 3, 5, 7, 0)},
    {"N5", "b500 16x16x16", run, SIZES(500, 16, 16, 16, 0)},
    {0},
};
