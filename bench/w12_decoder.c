/* bench/w12_decoder.c - W12: a decoder-only Transformer continues texts, greedily, with a cache of keys and values.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

#include "workloads.h"

enum { VOCABULARY = 4096, PROMPT = 32, TOKENS = 64 };

typedef struct writing {
    heed_nn_decoder_context context;
    heed_tensor *prompt;
} writing;

static void generate(void *context)
{
    writing *w = context;
    heed_scope *scope = heed_scope_begin();
    heed_kv_cache_clear(w->context.cache);
    heed_generate(heed_nn_decoder_step, &w->context, w->prompt, TOKENS, -1, NULL);
    heed_scope_end(scope);
}

/* sizes: texts, d, heads, key-value heads, feed-forward size, layers. */
static void run(const bench_case *c)
{
    const int64_t *s = c->sizes;
    const heed_nn_decoder_options options = {
        .rope = true, .rms_norm = true, .gated = true, .no_bias = true, .kv_heads = s[3]};
    writing w = {
        .context = {heed_nn_decoder_new(VOCABULARY, s[1], s[2], s[4], s[5], &options), heed_kv_cache_new(NULL)},
        .prompt = heed_randint(0, VOCABULARY, HEED_SHAPE(s[0], PROMPT)),
    };
    heed_module_eval(&w.context.net->base);
    bench_time(c, &(bench_metric){"tokens/s", .work = (double)(s[0] * TOKENS)}, generate, &w);
    heed_kv_cache_free(w.context.cache);
    heed_module_free(&w.context.net->base);
}

const bench_entry bench_w12[] = {
    {"W12", "llama d512 h8 kv4 L6 B1", run, SIZES(1, 512, 8, 4, 1376, 6), .heavy = true},
    {"W12", "llama d512 h8 kv4 L6 B16", run, SIZES(16, 512, 8, 4, 1376, 6), .heavy = true},
    {"N12", "llama d64 h4 kv2 L2 B1", run, SIZES(1, 64, 4, 2, 172, 2)},
    {"N12", "llama d272 h8 kv1 L4 B5", run, SIZES(5, 272, 8, 1, 731, 4), .heavy = true},
    {0},
};
