/* tests/nn/test_threads_modules.c - tests eight threads that use one module: forward passes, heed_grad without a lock,
 * and heed_backward under one lock.
 *
 * HEED_ROUNDS sets the number of rounds per thread (scripts/torture); the tsan preset checks for data races.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include <pthread.h>
#include <stdatomic.h>

#define THREADS 8

static long rounds(long usual)
{
    const char *text = getenv("HEED_ROUNDS");
    return text ? strtol(text, NULL, 10) : usual;
}

/* Runs fn in every thread; it returns NULL, or a description of its failure. */
static void in_threads(void *(*fn)(void *), void *argument)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, fn, argument), 0);
    for (int i = 0; i < THREADS; i++) {
        void *failed = NULL;
        pthread_join(threads[i], &failed);
        ck_assert_msg(!failed, "%s", (const char *)failed);
    }
}

static bool same_bits(heed_tensor *a, heed_tensor *b)
{
    heed_tensor *x = heed_contiguous(a), *y = heed_contiguous(b);
    const float *p = heed_data_f32(x), *q = heed_data_f32(y);
    return p && q && heed_shape_equal(heed_shape_of(x), heed_shape_of(y)) &&
           memcmp(p, q, (size_t)heed_numel(x) * sizeof(float)) == 0;
}

/* -- Forward passes --------------------------------------------------------------------------------------------- */

/* Modules of every kind and their inputs. All threads share the same objects. */
typedef struct zoo {
    heed_nn_sequential *mlp;
    heed_nn_embedding *embedding;
    heed_nn_additive_attention *additive;
    heed_nn_transformer_encoder_block *block;
    heed_nn_positional_encoding *positions;
    heed_nn_nw_kernel_regression *regression;
    heed_nn_seq2seq_encoder *encoder;
    heed_nn_bahdanau_decoder *decoder;
    heed_tensor *x, *tokens, *lens; /* (2, 3, 4), (2, 3), (2) */
    heed_tensor *expected;
} zoo;

static void make_zoo(zoo *z)
{
    heed_manual_seed(3);
    z->mlp = heed_nn_sequential_new(HEED_MODULES(
        heed_nn_linear_new(4, 8, NULL), heed_nn_function_new("relu", heed_relu),
        heed_nn_layer_norm_new(HEED_SHAPE(8), NULL), heed_nn_dropout_new(0.5), heed_nn_linear_new(8, 4, NULL)));
    z->embedding = heed_nn_embedding_new(5, 4, NULL);
    z->additive = heed_nn_additive_attention_new(4, 4, 6, NULL);
    z->block = heed_nn_transformer_encoder_block_new(4, 2, 8, NULL);
    z->positions = heed_nn_positional_encoding_new(4, NULL);
    z->regression = heed_nn_nw_kernel_regression_new(NULL);
    z->encoder = heed_nn_seq2seq_encoder_new(5, 4, 4, NULL);
    z->decoder = heed_nn_bahdanau_decoder_new(5, 4, 4, NULL);
    z->x = heed_retain(heed_randn(HEED_F32, HEED_SHAPE(2, 3, 4)));
    z->tokens = heed_retain(heed_randint(0, 5, HEED_SHAPE(2, 3)));
    z->lens = heed_retain(HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 3));
    heed_module_eval(&z->mlp->base);
}

static void free_zoo(zoo *z)
{
    heed_module *modules[] = {&z->mlp->base,       &z->embedding->base,  &z->additive->base, &z->block->base,
                              &z->positions->base, &z->regression->base, &z->encoder->base,  &z->decoder->base};
    for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++)
        heed_module_free(modules[i]);
    heed_release(z->x);
    heed_release(z->tokens);
    heed_release(z->lens);
    heed_release(z->expected);
}

/* Returns all results concatenated, or NULL if one fails. */
static heed_tensor *run_zoo(const zoo *z)
{
    heed_tensor *points = heed_select(heed_select(z->x, 0, 0), 0, 0), *state = NULL;
    heed_tensor *memory = heed_nn_seq2seq_encoder_forward(z->encoder, z->tokens, &state);
    heed_tensor *results[] = {
        heed_module_forward(&z->mlp->base, z->x),
        heed_nn_embedding_forward(z->embedding, z->tokens),
        heed_nn_additive_attention_forward(z->additive, z->x, z->x, z->x, z->lens, NULL),
        heed_nn_transformer_encoder_block_forward(z->block, z->x, z->lens, NULL),
        heed_nn_positional_encoding_forward(z->positions, z->x),
        heed_nn_nw_kernel_regression_forward(z->regression, points, points, points, NULL),
        heed_nn_bahdanau_decoder_forward(z->decoder, z->tokens, memory, z->lens, &state, NULL),
    };
    enum { COUNT = sizeof results / sizeof results[0] };
    for (int i = 0; i < COUNT; i++)
        results[i] = heed_reshape(results[i], HEED_SHAPE(-1));
    return heed_concat(results, COUNT, 0);
}

static void *run_shared(void *shared)
{
    const zoo *z = shared;
    for (long i = rounds(20); i > 0; i--) {
        heed_scope *quiet = heed_no_grad_begin();
        heed_tensor *result = run_zoo(z);
        if (!result || heed_requires_grad(result) || !same_bits(result, z->expected))
            return "another result than in one thread";
        heed_scope_end(quiet);
    }
    return NULL;
}

START_TEST(modules_run_in_many_threads)
{
    zoo z = {0};
    make_zoo(&z);
    z.expected = heed_retain(run_zoo(&z));
    ck_assert_msg(z.expected != NULL, "%s", heed_error_message());
    in_threads(run_shared, &z);
    free_zoo(&z);
}
END_TEST

/* -- Gradients of shared parameters ------------------------------------------------------------------------------ */

enum { PARAMETERS = 4 };

typedef struct training {
    heed_module *net;
    heed_tensor *x, *y;
    heed_tensor *parameters[PARAMETERS], *expected[PARAMETERS];
    pthread_mutex_t lock; /* protects the parameters' gradients */
} training;

static heed_tensor *loss_of(const training *t)
{
    return heed_mse_loss(heed_module_forward(t->net, t->x), t->y, HEED_REDUCTION_MEAN);
}

static void make_training(training *t)
{
    static const char *const names[PARAMETERS] = {"0.weight", "0.bias", "2.weight", "2.bias"};
    heed_manual_seed(4);
    t->net =
        &heed_nn_sequential_new(HEED_MODULES(heed_nn_linear_new(6, 16, NULL), heed_nn_function_new("tanh", heed_tanh),
                                             heed_nn_linear_new(16, 1, NULL)))
             ->base;
    t->x = heed_retain(heed_randn(HEED_F32, HEED_SHAPE(10, 6)));
    t->y = heed_retain(heed_randn(HEED_F32, HEED_SHAPE(10, 1)));
    for (int i = 0; i < PARAMETERS; i++)
        t->parameters[i] = heed_module_find(t->net, names[i]);
    pthread_mutex_init(&t->lock, NULL);
}

static void free_training(training *t)
{
    heed_module_free(t->net);
    heed_release(t->x);
    heed_release(t->y);
    for (int i = 0; i < PARAMETERS; i++)
        heed_release(t->expected[i]);
    pthread_mutex_destroy(&t->lock);
}

/* Computes the gradients in one thread without touching any .grad. */
static bool gradients_of(const training *t, heed_tensor *grads[PARAMETERS])
{
    heed_tensor *loss = loss_of(t);
    return heed_grad(&loss, 1, t->parameters, PARAMETERS, grads, NULL) == HEED_OK;
}

static void *differentiate_shared(void *shared)
{
    const training *t = shared;
    for (long i = rounds(50); i > 0; i--) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *grads[PARAMETERS];
        if (!gradients_of(t, grads))
            return "heed_grad failed";
        for (int k = 0; k < PARAMETERS; k++)
            if (!same_bits(grads[k], t->expected[k]) || heed_has_grad(t->parameters[k]))
                return "another gradient than in one thread";
        heed_scope_end(scope);
    }
    return NULL;
}

START_TEST(gradients_of_shared_parameters)
{
    training t = {0};
    make_training(&t);
    ck_assert(gradients_of(&t, t.expected));
    for (int i = 0; i < PARAMETERS; i++)
        heed_retain(t.expected[i]);
    in_threads(differentiate_shared, &t);
    free_training(&t);
}
END_TEST

enum { PASSES = 25 };

/* Threads build graphs at the same time; only the backward pass, which writes to .grad, runs in one thread at a
 * time. */
static void *accumulate(void *shared)
{
    training *t = shared;
    for (int i = 0; i < PASSES; i++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *loss = loss_of(t);
        pthread_mutex_lock(&t->lock);
        heed_status status = heed_backward(loss);
        pthread_mutex_unlock(&t->lock);
        heed_scope_end(scope);
        if (status != HEED_OK)
            return "heed_backward failed";
    }
    return NULL;
}

/* All passes add the same numbers, so their order does not matter. */
START_TEST(gradients_accumulate_under_a_lock)
{
    training t = {0};
    make_training(&t);
    for (int i = 0; i < THREADS * PASSES; i++)
        ck_assert_int_eq(heed_backward(loss_of(&t)), HEED_OK);
    for (int i = 0; i < PARAMETERS; i++)
        t.expected[i] = heed_retain(heed_grad_of(t.parameters[i]));
    heed_module_zero_grad(t.net);
    in_threads(accumulate, &t);
    for (int i = 0; i < PARAMETERS; i++)
        ck_assert(same_bits(heed_grad_of(t.parameters[i]), t.expected[i]));
    free_training(&t);
}
END_TEST

/* -- Thread-local state ------------------------------------------------------------------------------------------ */

/* Every thread fails in a different way, in its own scope, with or without recording. */
static void *on_its_own(void *counter)
{
    int number = atomic_fetch_add((atomic_int *)counter, 1);
    char message[64];
    (void)snprintf(message, sizeof message, "test: thread %d", number);
    for (long i = rounds(200); i > 0; i--) {
        heed_scope *scope = number % 2 ? heed_no_grad_begin() : heed_scope_begin();
        heed_tensor *w = heed_set_requires_grad(heed_full(HEED_F64, HEED_SHAPE(3), number), true);
        heed_tensor *y = heed_mul_scalar(w, 2);
        heed_fail(HEED_ERR_IO, "test", "thread %d", number);
        if (heed_requires_grad(y) != (number % 2 == 0) || heed_get(y, HEED_INDEX(2)) != 2.0 * number)
            return "the recording mode, or a tensor, of another thread";
        if (heed_error_code() != HEED_ERR_IO || strcmp(heed_error_message(), message) != 0)
            return "an error of another thread";
        heed_error_clear();
        heed_scope_end(scope);
        if (!heed_grad_enabled())
            return "the scope did not restore the recording mode";
    }
    return NULL;
}

START_TEST(scopes_errors_and_modes_belong_to_a_thread)
{
    atomic_int counter = 0;
    in_threads(on_its_own, &counter);
}
END_TEST

/* A tensor is made in one thread, used in the next and freed in a third: a relay of THREADS threads. */
static void *add_one_in_thread(void *slot)
{
    heed_tensor **shared = slot;
    heed_tensor *next = heed_retain(heed_add_scalar(*shared, 1));
    heed_release(*shared);
    *shared = next;
    return NULL;
}

START_TEST(tensors_outlive_their_thread)
{
    heed_tensor *shared = heed_retain(heed_set_requires_grad(heed_zeros(HEED_F64, HEED_SHAPE(5)), true));
    heed_tensor *leaf = heed_retain(shared);
    for (int i = 0; i < THREADS; i++) {
        pthread_t runner;
        ck_assert_int_eq(pthread_create(&runner, NULL, add_one_in_thread, &shared), 0);
        pthread_join(runner, NULL);
    }
    ck_assert(heed_get(shared, HEED_INDEX(0)) == THREADS);
    ck_assert_int_eq(heed_backward(heed_sum(shared)), HEED_OK);
    ck_assert(heed_get(heed_grad_of(leaf), HEED_INDEX(4)) == 1.0);
    heed_release(shared);
    heed_release(leaf);
}
END_TEST

HEED_TEST_MAIN("threads_modules", modules_run_in_many_threads, gradients_of_shared_parameters,
               gradients_accumulate_under_a_lock, scopes_errors_and_modes_belong_to_a_thread,
               tensors_outlive_their_thread)
