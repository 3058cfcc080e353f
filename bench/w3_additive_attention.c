/* bench/w3_additive_attention.c - W3: additive attention with its three weights, a length per batch element.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "function.h"
#include "workloads.h"

typedef struct attention {
    heed_nn_additive_attention *net;
    heed_tensor *q, *k, *v, *lens;
    bool by_ops;
} attention;

/* The book's chain of ops, whose features have the shape (B, Q, K, h). */
static heed_tensor *output_by_ops(const attention *a)
{
    heed_tensor *q = heed_linear(a->q, a->net->W_q->weight, NULL), *k = heed_linear(a->k, a->net->W_k->weight, NULL);
    heed_tensor *features = heed_tanh(heed_add(heed_unsqueeze(q, 2), heed_unsqueeze(k, 1)));
    heed_tensor *scores = heed_squeeze(heed_linear(features, a->net->w_v->weight, NULL), -1);
    return heed_bmm(bench_masked_softmax_by_ops(scores, a->lens), a->v);
}

static heed_tensor *output(void *context)
{
    const attention *a = context;
    if (a->by_ops)
        return output_by_ops(a);
    return heed_nn_additive_attention_forward(a->net, a->q, a->k, a->v, a->lens, NULL);
}

/* sizes: B, Q, K, sizes of a query, a key and a value, hidden units. */
static void run(const bench_case *c)
{
    const int64_t *n = c->sizes;
    attention a = {
        .net = heed_nn_additive_attention_new(n[4], n[3], n[6], NULL),
        .q = bench_leaf(HEED_SHAPE(n[0], n[1], n[3])),
        .k = bench_leaf(HEED_SHAPE(n[0], n[2], n[4])),
        .v = bench_leaf(HEED_SHAPE(n[0], n[2], n[5])),
        .lens = bench_lengths(n[0], n[2]),
        .by_ops = c->by_ops,
    };
    bench_function f = {
        .output = output,
        .context = &a,
        .leaves = {a.q, a.k, a.v, a.net->W_q->weight, a.net->W_k->weight, a.net->w_v->weight},
        .g = heed_randn(HEED_F32, HEED_SHAPE(n[0], n[1], n[5])),
    };
    heed_module_eval(&a.net->base);
    bench_function_peaks(c, &f);
    bench_function_times(c, &f);
    heed_module_free(&a.net->base);
}

const bench_entry bench_w3[] = {
    {"W3", "B16 Q128 K128 d64 H128", run, SIZES(16, 128, 128, 64, 64, 64, 128), .heavy = true, .has_chain = true},
    {"W3", "B8 Q256 K256 d64 H256", run, SIZES(8, 256, 256, 64, 64, 64, 256), .heavy = true, .has_chain = true},
    {"W3", "toy B2 Q1 K10 dq20 dk2 dv4 H8", run, SIZES(2, 1, 10, 20, 2, 4, 8), .has_chain = true},
    {"N3", "B3 Q67 K101 d31 H37", run, SIZES(3, 67, 101, 31, 31, 31, 37), .has_chain = true},
    {"N3", "B1 Q1 K4096 d64 H64", run, SIZES(1, 1, 4096, 64, 64, 64, 64), .has_chain = true},
    {"N3", "B64 Q1 K10 d64 H64", run, SIZES(64, 1, 10, 64, 64, 64, 64), .has_chain = true},
    {"N3", "B1 Q1000 K7 d5 H3", run, SIZES(1, 1000, 7, 5, 5, 5, 3), .has_chain = true},
    {"N3", "B1 Q128 K128 d64 H1024", run, SIZES(1, 128, 128, 64, 64, 64, 1024), .heavy = true, .has_chain = true},
    {0},
};
