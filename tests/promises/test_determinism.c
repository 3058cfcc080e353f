/* tests/promises/test_determinism.c - a trained model has the same bits for any number of threads: one hash of all
 * parameters after 1,000 steps of Adam (250 under a sanitizer), for 1 to 16 threads. With HEED_SHORT=1 in the
 * environment, 250 steps for 1 and 3 threads: scripts/bits compares these hashes between processors. Most steps are
 * small; every 125th is on a batch large enough for threads, which must have worked. Prints the hashes, for comparisons
 * between runs.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "hash.h"

#include <stdlib.h>
#include <time.h>

enum { STEPS = HEED_STEPS, SHORT_STEPS = 250, LARGE_EVERY = 125, D = 32 };

/* A model and its training. */
typedef struct model {
    const char *name;
    heed_module *(*begin)(void);
    heed_tensor *(*loss)(heed_module *net, bool large); /* on random data */
} model;

static heed_tensor *target_loss(heed_tensor *y)
{
    return heed_mse_loss(y, heed_rand(HEED_F32, heed_shape_of(y)), HEED_REDUCTION_MEAN);
}

static heed_tensor *some_lengths(int64_t batch, int64_t longest)
{
    return heed_randint(1, longest + 1, HEED_SHAPE(batch));
}

/* -- Kernel regression ------------------------------------------------------------------------------------------ */

static heed_module *regression_begin(void)
{
    heed_nn_nw_kernel_regression *net = heed_nn_nw_kernel_regression_new(NULL);
    return &net->base;
}

static heed_tensor *regression_loss(heed_module *net, bool large)
{
    int64_t n = large ? 1201 : 50, m = large ? 901 : 49;
    heed_tensor *queries = heed_mul_scalar(heed_rand(HEED_F32, HEED_SHAPE(n)), 5.0);
    heed_tensor *keys = heed_mul_scalar(heed_rand(HEED_F32, HEED_SHAPE(m)), 5.0);
    return target_loss(heed_nn_nw_kernel_regression_forward((void *)net, queries, keys, heed_sin(keys), NULL));
}

/* -- Attention -------------------------------------------------------------------------------------------------- */

static heed_module *additive_begin(void)
{
    return &heed_nn_additive_attention_new(20, D, 2 * D, &(heed_nn_additive_attention_options){.dropout = 0.1})->base;
}

static heed_tensor *additive_loss(heed_module *net, bool large)
{
    int64_t batch = large ? 4 : 2, queries = large ? 65 : 3, keys = large ? 67 : 10;
    heed_tensor *q = heed_rand(HEED_F32, HEED_SHAPE(batch, queries, D)); /* arguments have no order of evaluation */
    heed_tensor *k = heed_rand(HEED_F32, HEED_SHAPE(batch, keys, 20));
    heed_tensor *v = heed_rand(HEED_F32, HEED_SHAPE(batch, keys, 7)), *lengths = some_lengths(batch, keys);
    return target_loss(heed_nn_additive_attention_forward((void *)net, q, k, v, lengths, NULL));
}

/* One map of x to queries, keys and values. */
static heed_module *dot_begin(void)
{
    return &heed_nn_linear_new(D, 3 * D, NULL)->base;
}

static heed_tensor *part(heed_tensor *x, int i)
{
    return heed_slice(x, 2, i * D, (i + 1) * D, 1);
}

static heed_tensor *dot_loss(heed_module *net, bool large)
{
    int64_t batch = large ? 5 : 2, steps = large ? 131 : 6;
    heed_tensor *x = heed_module_forward(net, heed_rand(HEED_F32, HEED_SHAPE(batch, steps, D)));
    const heed_attention_options variants[] = {
        {.valid_lens = some_lengths(batch, steps)}, {.causal = true}, {.dropout = 0.3, .causal = true}};
    heed_tensor *y = part(x, 0);
    for (int i = 0; i < 3; i++)
        y = heed_add(y, heed_dot_product_attention(part(x, 0), part(x, 1), part(x, 2), &variants[i], NULL));
    return target_loss(y);
}

static heed_module *heads_begin(void)
{
    const heed_nn_multi_head_attention_options options = {.dropout = 0.1};
    return &heed_nn_multi_head_attention_new(D, 4, &options)->base;
}

static heed_tensor *heads_loss(heed_module *net, bool large)
{
    int64_t batch = large ? 5 : 2, queries = large ? 113 : 4, keys = large ? 127 : 6;
    heed_tensor *memory = heed_rand(HEED_F32, HEED_SHAPE(batch, keys, D));
    heed_tensor *x = heed_rand(HEED_F32, HEED_SHAPE(batch, queries, D));
    return target_loss(
        heed_nn_multi_head_attention_forward((void *)net, x, memory, memory, some_lengths(batch, keys), NULL));
}

/* -- Whole models ----------------------------------------------------------------------------------------------- */

static heed_module *block_begin(void)
{
    const heed_nn_transformer_options options = {.dropout = 0.1, .activation = heed_gelu, .causal = true};
    return &heed_nn_transformer_encoder_block_new(D, 4, 4 * D, &options)->base;
}

static heed_tensor *block_loss(heed_module *net, bool large)
{
    int64_t batch = large ? 17 : 2, steps = large ? 64 : 5;
    heed_tensor *x = heed_rand(HEED_F32, HEED_SHAPE(batch, steps, D));
    return target_loss(heed_nn_transformer_encoder_block_forward((void *)net, x, some_lengths(batch, steps), NULL));
}

typedef struct seq2seq {
    heed_module base;
    heed_nn_seq2seq_encoder *encoder;
    heed_nn_bahdanau_decoder *decoder;
} seq2seq;

enum { VOCABULARY = 23 };

static heed_module *seq2seq_begin(void)
{
    const heed_nn_seq2seq_options options = {.dropout = 0.1};
    seq2seq *net = heed_module_new("seq2seq", sizeof *net);
    net->encoder = heed_nn_seq2seq_encoder_new(VOCABULARY, 16, 2 * D, &options);
    net->decoder = heed_nn_bahdanau_decoder_new(VOCABULARY, 16, 2 * D, &options);
    heed_module_child(&net->base, "encoder", &net->encoder->base);
    heed_module_child(&net->base, "decoder", &net->decoder->base);
    return &net->base;
}

static heed_tensor *seq2seq_loss(heed_module *base, bool large)
{
    seq2seq *net = (void *)base;
    int64_t batch = large ? 1021 : 2, source = large ? 9 : 3, target = 2;
    heed_tensor *state = NULL;
    heed_tensor *memory =
        heed_nn_seq2seq_encoder_forward(net->encoder, heed_randint(0, VOCABULARY, HEED_SHAPE(batch, source)), &state);
    heed_tensor *tokens = heed_randint(0, VOCABULARY, HEED_SHAPE(batch, target));
    heed_tensor *logits =
        heed_nn_bahdanau_decoder_forward(net->decoder, tokens, memory, some_lengths(batch, source), &state, NULL);
    return heed_cross_entropy(logits, heed_randint(0, VOCABULARY, HEED_SHAPE(batch, target)), NULL);
}

static heed_module *mlp_begin(void)
{
    return &heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(2 * D, 49, NULL),
                                                heed_nn_function_new("relu", heed_relu),
                                                heed_nn_linear_new(49, 10, NULL)))
                ->base;
}

static heed_tensor *mlp_loss(heed_module *net, bool large)
{
    int64_t batch = large ? 4099 : 16;
    heed_tensor *x = heed_rand(HEED_F32, HEED_SHAPE(batch, 2 * D));
    return heed_cross_entropy(heed_module_forward(net, x), heed_randint(0, 10, HEED_SHAPE(batch)), NULL);
}

static heed_module *norm_begin(void)
{
    return &heed_nn_layer_norm_new(HEED_SHAPE(67), NULL)->base;
}

static heed_tensor *norm_loss(heed_module *net, bool large)
{
    return target_loss(heed_module_forward(net, heed_rand(HEED_F32, HEED_SHAPE(large ? 9001 : 10, 67))));
}

static const model models[] = {
    {"kernel regression", regression_begin, regression_loss},
    {"additive attention", additive_begin, additive_loss},
    {"dot-product attention", dot_begin, dot_loss},
    {"multi-head attention", heads_begin, heads_loss},
    {"Transformer encoder block", block_begin, block_loss},
    {"GRU seq2seq with Bahdanau's attention", seq2seq_begin, seq2seq_loss},
    {"multilayer perceptron", mlp_begin, mlp_loss},
    {"layer norm", norm_begin, norm_loss},
};
enum { MODELS = sizeof models / sizeof models[0] };

/* -- The hash of a training ------------------------------------------------------------------------------------- */

static heed_status add_to_hash(const heed_module_visit *visit, void *user)
{
    uint64_t *hash = user;
    *hash = hash_tensor(*hash, visit->tensor);
    return HEED_OK;
}

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* CPU time that threads other than this one have used. */
static double seconds_of_others(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID) - seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/* *others: the CPU time of other threads; 0 if none took part, because idle threads sleep, and sharing may pause. */
static uint64_t train(const model *m, int steps, double *others)
{
    uint64_t hash = HASH_BEGIN;
    *others = seconds_of_others();
    heed_manual_seed(5);
    heed_module *net = m->begin();
    heed_optimizer *adam = heed_optim_adam(net, &(heed_optim_adam_options){.lr = 1e-3});
    for (int i = 1; i <= steps; i++) {
        heed_scope *step = heed_scope_begin();
        heed_tensor *loss = m->loss(net, i % LARGE_EVERY == 0);
        heed_optimizer_zero_grad(adam);
        ck_assert_msg(heed_backward(loss) == HEED_OK, "%s: %s", m->name, heed_error_message());
        heed_optimizer_step(adam);
        ck_assert_msg(isfinite(heed_item(loss)), "%s: the loss of step %d is not finite", m->name, i);
        heed_scope_end(step);
    }
    heed_module_walk(net, add_to_hash, &hash);
    heed_optimizer_free(adam);
    heed_module_free(net);
    *others = seconds_of_others() - *others;
    return hash;
}

START_TEST(one_hash_for_any_number_of_threads)
{
    static const int all[] = {1, 2, 3, 4, 7, 8, 16}, few[] = {1, 3};
    const bool is_short = getenv("HEED_SHORT") != NULL;
    const int *counts = is_short ? few : all;
    const size_t n = is_short ? sizeof few / sizeof few[0] : sizeof all / sizeof all[0];
    const model *m = &models[_i];
    uint64_t first = 0;
    double shared = 0;
    for (size_t i = 0; i < n; i++) {
        double others;
        ck_assert_int_eq(heed_set_num_threads(counts[i]), HEED_OK);
        ck_assert_int_eq(heed_num_threads(), counts[i]);
        uint64_t hash = train(m, is_short ? SHORT_STEPS : STEPS, &others);
        first = i == 0 ? hash : first;
        ck_assert_msg(hash == first, "%s: %016llx with 1 thread, %016llx with %d", m->name, (unsigned long long)first,
                      (unsigned long long)hash, counts[i]);
        shared += counts[i] == 1 ? 0 : others;
    }
#ifndef _WIN32 /* thread times have steps of 15 ms */
    ck_assert_msg(is_short || shared > 1e-5, "%s: one thread did everything", m->name);
#endif
    printf("determinism: %s: %016llx\n", m->name, (unsigned long long)first);
}
END_TEST

int main(void)
{
    TCase *tcase = heed_test_case("determinism");
    tcase_add_loop_test(tcase, one_hash_for_any_number_of_threads, 0, MODELS);
    return heed_run_case("determinism", tcase);
}
