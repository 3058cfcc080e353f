/* bench/w4_dot_attention.c - W4: dot-product attention with a length per batch element, causal, without a mask, and
 * with a relative bias.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "function.h"
#include "workloads.h"

enum { LENGTHS, NO_MASK, CAUSAL, SLOPE, RELATIVE };
enum { REACH = 128 }; /* of a relative bias */

typedef struct attention {
    heed_tensor *q, *k, *v;
    heed_attention_options options;
    heed_tensor *later; /* bool (Q, K): keys after the query, hidden if causal; NULL without */
    bool by_ops;
} attention;

static heed_tensor *output_by_ops(const attention *a)
{
    const double scale = 1 / sqrt((double)heed_dim(a->q, -1));
    heed_tensor *scores = heed_mul_scalar(heed_bmm(a->q, heed_transpose(a->k, 1, 2)), scale);
    if (a->later)
        scores = heed_masked_fill(scores, a->later, -HUGE_VAL);
    heed_tensor *weights =
        a->options.valid_lens ? bench_masked_softmax_by_ops(scores, a->options.valid_lens) : heed_softmax(scores, -1);
    return heed_bmm(weights, a->v);
}

static heed_tensor *output(void *context)
{
    const attention *a = context;
    if (a->by_ops)
        return output_by_ops(a);
    return heed_dot_product_attention(a->q, a->k, a->v, &a->options, NULL);
}

/* sizes: B, Q, K, sizes of a query and of a value, the mask. */
static void run(const bench_case *c)
{
    const int64_t *n = c->sizes;
    attention a = {
        .q = bench_leaf(HEED_SHAPE(n[0], n[1], n[3])),
        .k = bench_leaf(HEED_SHAPE(n[0], n[2], n[3])),
        .v = bench_leaf(HEED_SHAPE(n[0], n[2], n[4])),
        .options = {.valid_lens = n[5] == LENGTHS ? bench_lengths(n[0], n[2]) : NULL,
                    .causal = n[5] == CAUSAL,
                    .slopes = n[5] == SLOPE ? heed_full(HEED_F32, HEED_SHAPE(1), 0.25) : NULL,
                    .relative_bias = n[5] == RELATIVE ? bench_leaf(HEED_SHAPE(1, 2 * REACH + 1)) : NULL},
        .by_ops = c->by_ops,
    };
    if (a.by_ops && a.options.causal)
        a.later = heed_triu(heed_ones(HEED_BOOL, HEED_SHAPE(n[1], n[2])), 1);
    bench_function f = {
        .output = output,
        .context = &a,
        .leaves = {a.q, a.k, a.v, a.options.relative_bias},
        .g = heed_randn(HEED_F32, HEED_SHAPE(n[0], n[1], n[4])),
    };
    bench_function_peaks(c, &f);
    bench_function_times(c, &f);
}

const bench_entry bench_w4[] = {
    {"W4", "B32 Q256 K256 d64", run, SIZES(32, 256, 256, 64, 64, LENGTHS), .has_chain = true},
    {"W4", "B32 Q256 K256 d64 no mask", run, SIZES(32, 256, 256, 64, 64, NO_MASK), .has_chain = true},
    {"W4", "B32 Q256 K256 d64 causal", run, SIZES(32, 256, 256, 64, 64, CAUSAL), .has_chain = true},
    {"W4", "B8 Q1024 K1024 d64", run, SIZES(8, 1024, 1024, 64, 64, LENGTHS), .heavy = true, .has_chain = true},
    {"W4", "B8 Q1024 K1024 d64 no mask", run, SIZES(8, 1024, 1024, 64, 64, NO_MASK), .heavy = true, .has_chain = true},
    {"W4", "B8 Q1024 K1024 d64 causal", run, SIZES(8, 1024, 1024, 64, 64, CAUSAL), .heavy = true, .has_chain = true},
    {"W4", "B1 Q4096 K4096 d64", run, SIZES(1, 4096, 4096, 64, 64, LENGTHS), .heavy = true, .has_chain = true},
    {"W4", "B1 Q4096 K4096 d64 no mask", run, SIZES(1, 4096, 4096, 64, 64, NO_MASK), .heavy = true, .has_chain = true},
    {"W4", "B1 Q4096 K4096 d64 causal", run, SIZES(1, 4096, 4096, 64, 64, CAUSAL), .heavy = true, .has_chain = true},
    {"W4", "toy B2 Q1 K10 d2 dv4", run, SIZES(2, 1, 10, 2, 4, LENGTHS), .has_chain = true},
    {"N4", "B8 Q1024 K1024 d64 slope", run, SIZES(8, 1024, 1024, 64, 64, SLOPE), .heavy = true},
    {"N4", "B8 Q1024 K1024 d64 relative", run, SIZES(8, 1024, 1024, 64, 64, RELATIVE), .heavy = true},
    {"N4", "B3 Q257 K131 d61", run, SIZES(3, 257, 131, 61, 61, LENGTHS), .has_chain = true},
    {"N4", "B3 Q257 K257 d61 causal", run, SIZES(3, 257, 257, 61, 61, CAUSAL), .has_chain = true},
    {"N4", "B1 Q1 K4096 d64", run, SIZES(1, 1, 4096, 64, 64, LENGTHS), .has_chain = true},
    {"N4", "B1 Q4096 K1 d64 no mask", run, SIZES(1, 4096, 1, 64, 64, NO_MASK), .has_chain = true},
    {"N4", "B64 Q32 K32 d32", run, SIZES(64, 32, 32, 32, 32, LENGTHS), .has_chain = true},
    {"N4", "B64 Q10 K10 d16 no mask", run, SIZES(64, 10, 10, 16, 16, NO_MASK), .has_chain = true},
    {"N4", "B16 Q64 K64 d128 dv96", run, SIZES(16, 64, 64, 128, 96, LENGTHS), .has_chain = true},
    {"N4", "B1 Q509 K2003 d7 dv1", run, SIZES(1, 509, 2003, 7, 1, LENGTHS), .has_chain = true},
    {"N4", "B2 Q128 K128 d512", run, SIZES(2, 128, 128, 512, 512, LENGTHS), .has_chain = true},
    {0},
};
