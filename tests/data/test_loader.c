/* tests/data/test_loader.c - tests of loaders: every sample once per epoch, the order, the position within an epoch.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "fail_alloc.h"
#include "from.h"

#define MAX_SAMPLES 64

static heed_dataset *counting(int64_t n)
{
    heed_tensor *x = heed_arange(HEED_I64, 0, (double)n, 1);
    heed_dataset *d = heed_dataset_new(HEED_TENSORS(x, heed_to_dtype(x, HEED_F32)));
    ck_assert_msg(d != NULL, "%s", heed_error_message());
    return d;
}

/* Takes a batch, writes the numbers of its samples and returns how many there are. */
static int64_t next(heed_loader *loader, int64_t *samples)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *batch[2];
    ck_assert_msg(heed_loader_next(loader, batch) == HEED_OK, "%s", heed_error_message());
    int64_t n = heed_numel(batch[0]);
    for (int64_t i = 0; i < n; i++) {
        samples[i] = heed_get_i64(batch[0], HEED_INDEX(i));
        ck_assert_double_eq(heed_get(batch[1], HEED_INDEX(i)), (double)samples[i]);
    }
    heed_scope_end(scope);
    return n;
}

static heed_loader *loader_of(const heed_dataset *d, heed_loader_options o)
{
    heed_loader *loader = heed_loader_new(d, &o);
    ck_assert_msg(loader != NULL, "%s", heed_error_message());
    return loader;
}

/* -- Epochs ------------------------------------------------------------------------------------------------------- */

static void check_position(const heed_loader *loader, int64_t epoch, int64_t batch)
{
    heed_loader_state state;
    ck_assert_int_eq(heed_loader_get_state(loader, &state), HEED_OK);
    ck_assert_int_eq(state.epoch, epoch);
    ck_assert_int_eq(state.batch, batch);
}

static void check_epochs(int64_t n, int64_t size, bool shuffle, bool drop_last)
{
    heed_dataset *d = counting(n);
    heed_loader *loader =
        loader_of(d, (heed_loader_options){.batch_size = size, .shuffle = shuffle, .drop_last = drop_last});
    int64_t batches = heed_loader_batches(loader);
    ck_assert_int_eq(batches, drop_last ? n / size : (n + size - 1) / size);
    for (int64_t epoch = 0; epoch < 3; epoch++) {
        int count[MAX_SAMPLES] = {0};
        int64_t total = 0, samples[MAX_SAMPLES];
        for (int64_t i = 0; i < batches; i++) {
            check_position(loader, epoch, i);
            int64_t m = next(loader, samples);
            ck_assert_int_eq(m, i < n / size ? size : n % size);
            for (int64_t k = 0; k < m; k++) {
                ck_assert_int_eq(count[samples[k]]++, 0);
                if (!shuffle)
                    ck_assert_int_eq(samples[k], total + k);
            }
            total += m;
        }
        ck_assert_int_eq(total, drop_last ? n / size * size : n);
    }
    check_position(loader, 3, 0);
    heed_loader_free(loader);
    heed_dataset_free(d);
}

START_TEST(every_sample_once)
{
    static const int64_t sizes[][2] = {{1, 1}, {1, 5}, {7, 1}, {7, 3}, {13, 13}, {13, 5}, {12, 4}, {61, 64}, {61, 7}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int k = 0; k < 4; k++)
            if (k < 2 || sizes[i][0] >= sizes[i][1])
                check_epochs(sizes[i][0], sizes[i][1], k % 2 == 1, k >= 2);
}
END_TEST

START_TEST(defaults)
{
    heed_dataset *d = counting(3);
    heed_loader *loader = heed_loader_new(d, NULL);
    int64_t samples[MAX_SAMPLES];
    uint64_t seed, before, after;
    heed_generator_get_state(heed_generator_default(), &seed, &before);
    ck_assert_int_eq(heed_loader_batches(loader), 3);
    for (int i = 0; i < 7; i++) {
        ck_assert_int_eq(next(loader, samples), 1);
        ck_assert_int_eq(samples[0], i % 3);
    }
    heed_generator_get_state(heed_generator_default(), &seed, &after);
    ck_assert(before == after); /* without shuffle no numbers are drawn */
    heed_loader_free(loader);
    heed_dataset_free(d);
}
END_TEST

START_TEST(empty_samples)
{
    heed_dataset *d = heed_dataset_new(HEED_TENSORS(heed_zeros(HEED_F32, HEED_SHAPE(5, 0, 2))));
    heed_loader *loader = loader_of(d, (heed_loader_options){.batch_size = 2, .shuffle = true});
    heed_tensor *batch;
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(heed_loader_next(loader, &batch), HEED_OK);
    ck_assert(heed_shape_equal(heed_shape_of(batch), HEED_SHAPE(1, 0, 2)));
    heed_loader_free(loader);
    heed_dataset_free(d);
}
END_TEST

/* -- The order ---------------------------------------------------------------------------------------------------- */

START_TEST(order_depends_on_seed_and_epoch)
{
    heed_dataset *d = counting(41);
    heed_generator *g = heed_generator_new(11);
    heed_loader *a = loader_of(d, (heed_loader_options){.batch_size = 41, .shuffle = true, .generator = g});
    heed_loader *other = loader_of(d, (heed_loader_options){.batch_size = 41, .shuffle = true, .generator = g});
    heed_generator_set_state(g, 11, 0);
    heed_loader *b = loader_of(d, (heed_loader_options){.batch_size = 10, .shuffle = true, .generator = g});
    int64_t first[41], second[41], batched[50], different[41];
    next(a, first);
    next(a, second);
    next(other, different);
    ck_assert(memcmp(first, second, sizeof first) != 0 && memcmp(first, different, sizeof first) != 0);
    heed_manual_seed(77); /* does not affect the order */
    for (int epoch = 0; epoch < 2; epoch++) {
        for (int64_t n = 0; n < 41; n += 10)
            next(b, batched + n);
        ck_assert_mem_eq(batched, epoch == 0 ? first : second, sizeof first);
    }
    heed_loader_state state;
    ck_assert_int_eq(heed_loader_get_state(a, &state), HEED_OK);
    heed_generator *order = heed_generator_new(0);
    heed_generator_set_state(order, state.seed, 21); /* as heed/data.h specifies */
    heed_tensor *expected = FROM(order, heed_permutation(41));
    ck_assert_mem_eq(heed_data_i64(expected), second, sizeof second);
    heed_generator_free(order);
    heed_generator_free(g);
    heed_loader_free(a);
    heed_loader_free(b);
    heed_loader_free(other);
    heed_dataset_free(d);
}
END_TEST

/* -- Weights ------------------------------------------------------------------------------------------------------ */

/* Weights of 0 at both ends and in between. */
static const double some_weights[] = {0, 3, 1, 0, 0.5, 0, 2.5, 1, 0};
enum { WEIGHTS = sizeof some_weights / sizeof some_weights[0], POSITIVE = 5 };

static heed_tensor *weights_of(heed_dtype dtype)
{
    return heed_to_dtype(heed_from_array(HEED_F64, HEED_SHAPE(WEIGHTS), some_weights, WEIGHTS), dtype);
}

/* Writes the numbers that heed/data.h specifies for an epoch. */
static void expect_weighted(uint64_t seed, int64_t epoch, bool replacement, int64_t count, int64_t *expected)
{
    const int64_t draws = replacement ? count : WEIGHTS;
    heed_generator *g = heed_generator_new(0);
    heed_generator_set_state(g, seed, (uint64_t)(epoch * ((draws + 1) / 2)));
    const double *u = heed_data_f64(FROM(g, heed_rand(HEED_F64, HEED_SHAPE(draws))));
    bool taken[WEIGHTS] = {false};
    for (int64_t k = 0; k < count; k++) {
        double sum = 0, least = HUGE_VAL;
        expected[k] = -1;
        for (int64_t i = 0; i < WEIGHTS; i++) {
            sum += some_weights[i];
            if (replacement && expected[k] < 0 && sum > u[k] * 8)
                expected[k] = i;
            const double wait = some_weights[i] > 0 ? -log1p(-u[i]) / some_weights[i] : HUGE_VAL;
            if (!replacement && !taken[i] && wait < least) {
                least = wait;
                expected[k] = i;
            }
        }
        taken[expected[k]] = true;
    }
    heed_generator_free(g);
}

static void check_weighted(heed_dtype dtype, bool replacement, int64_t count, bool shuffle)
{
    heed_dataset *d = counting(WEIGHTS);
    heed_tensor *w = weights_of(dtype);
    heed_loader *loader = loader_of(
        d,
        (heed_loader_options){
            .batch_size = 4, .weights = w, .samples = count, .without_replacement = !replacement, .shuffle = shuffle});
    heed_fill_(w, 7); /* the loader has its own copy */
    heed_loader_state state;
    heed_loader_get_state(loader, &state);
    const int64_t per_epoch = count > 0 ? count : WEIGHTS;
    ck_assert_int_eq(heed_loader_batches(loader), (per_epoch + 3) / 4);
    for (int64_t epoch = 0; epoch < 5; epoch++) {
        int64_t samples[MAX_SAMPLES], expected[MAX_SAMPLES];
        for (int64_t n = 0; n < per_epoch; n += 4)
            ck_assert_int_eq(next(loader, samples + n), per_epoch - n < 4 ? per_epoch - n : 4);
        expect_weighted(state.seed, epoch, replacement, per_epoch, expected);
        ck_assert_mem_eq(samples, expected, (size_t)per_epoch * sizeof *samples);
    }
    heed_loader_free(loader);
    heed_dataset_free(d);
}

START_TEST(weighted_orders)
{
    for (int64_t count = 0; count <= 21; count += 3)
        check_weighted(count % 2 ? HEED_F32 : HEED_F64, true, count, count % 4 == 0);
    for (int64_t count = 1; count <= POSITIVE; count++)
        check_weighted(count % 2 ? HEED_F32 : HEED_F64, false, count, count % 4 == 0);
}
END_TEST

/* How often every sample comes first, and in all. 20,000 epochs: within 5 standard deviations. */
START_TEST(weighted_frequencies)
{
    enum { EPOCHS = 20000 };
    heed_dataset *d = counting(WEIGHTS);
    for (int without = 0; without < 2; without++) {
        heed_loader *loader = loader_of(d, (heed_loader_options){.batch_size = 3,
                                                                 .weights = weights_of(HEED_F64),
                                                                 .samples = 3,
                                                                 .without_replacement = without == 1});
        int first[WEIGHTS] = {0};
        for (int epoch = 0; epoch < EPOCHS; epoch++) {
            int64_t samples[3];
            ck_assert_int_eq(next(loader, samples), 3);
            first[samples[0]]++;
            if (without)
                ck_assert(samples[0] != samples[1] && samples[1] != samples[2] && samples[0] != samples[2]);
        }
        for (int i = 0; i < WEIGHTS; i++) {
            const double p = some_weights[i] / 8;
            ck_assert_near((double)first[i] / EPOCHS, p, 5 * sqrt(p * (1 - p) / EPOCHS));
        }
        heed_loader_free(loader);
    }
    heed_dataset_free(d);
}
END_TEST

/* Quotients overflow, and a weight is tiny. */
START_TEST(extreme_weights)
{
    heed_dataset *d = counting(3);
    heed_tensor *w = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1e-320, 0, 1e308);
    int64_t samples[3];
    heed_loader *loader =
        loader_of(d, (heed_loader_options){3, .weights = w, .samples = 2, .without_replacement = true});
    ck_assert(next(loader, samples) == 2 && samples[0] == 2 && samples[1] == 0);
    heed_loader_free(loader);
    loader = loader_of(d, (heed_loader_options){3, .weights = w});
    ck_assert(next(loader, samples) == 3 && samples[0] == 2 && samples[1] == 2 && samples[2] == 2);
    heed_loader_free(loader);
    heed_dataset_free(d);
}
END_TEST

START_TEST(refuses_weights)
{
    heed_dataset *d = counting(3);
    const double inf = (double)INFINITY, nan = (double)NAN;
    const struct {
        heed_loader_options o;
        heed_status status;
        const char *text;
    } cases[] = {
        {{.samples = 2}, HEED_ERR_ARGUMENT, "loader_new: samples is set, but weights is NULL"},
        {{.without_replacement = true}, HEED_ERR_ARGUMENT, "without_replacement is set, but weights is NULL"},
        {{.weights = heed_ones(HEED_I64, HEED_SHAPE(3))}, HEED_ERR_DTYPE, "loader_new: multinomial: "},
        {{.weights = heed_ones(HEED_F32, HEED_SHAPE(4))}, HEED_ERR_SHAPE, "weights are (4): must be (3), one per"},
        {{.weights = heed_ones(HEED_F32, HEED_SHAPE(3, 1))}, HEED_ERR_SHAPE, "weights are (3, 1): must be (3)"},
        {{.weights = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, -2, 3)},
         HEED_ERR_ARGUMENT,
         "weight 1 of row 0 is -2: must be"},
        {{.weights = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, 2, nan)}, HEED_ERR_ARGUMENT, "weight 2 of row 0 is nan"},
        {{.weights = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), inf, 2, 1)}, HEED_ERR_ARGUMENT, "weight 0 of row 0 is inf"},
        {{.weights = heed_zeros(HEED_F32, HEED_SHAPE(3))},
         HEED_ERR_ARGUMENT,
         "loader_new: multinomial: the weights of row 0 add up to 0"},
        {{.weights = heed_full(HEED_F64, HEED_SHAPE(3), 1e308)},
         HEED_ERR_ARGUMENT,
         "weights of row 0 add up to inf: must be"},
        {{.weights = heed_ones(HEED_F32, HEED_SHAPE(3)), .samples = -1}, HEED_ERR_ARGUMENT, "samples is -1: must be"},
        {{.weights = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 1, 0, 3), .samples = 3, .without_replacement = true},
         HEED_ERR_ARGUMENT,
         "count is 3, but row 0 has 2 weights above 0"},
        {{.batch_size = 4, .weights = heed_ones(HEED_F32, HEED_SHAPE(3)), .samples = 3, .drop_last = true},
         HEED_ERR_ARGUMENT,
         "3 samples are too few for a batch of 4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_ptr_null(heed_loader_new(d, &cases[i].o));
        ck_assert_error(cases[i].status, cases[i].text);
    }
    heed_dataset_free(d);
}
END_TEST

/* -- The position ------------------------------------------------------------------------------------------------- */

/* A state saved before every batch of two epochs, loaded into a new loader, gives the batches that follow. */
static void check_resumed(heed_loader_options o)
{
    heed_dataset *d = counting(23);
    o.batch_size = 5;
    heed_loader *loader = loader_of(d, o), *resumed = loader_of(d, o);
    heed_loader_state states[12];
    int64_t batches[12][5], sizes[12], samples[5];
    for (int i = 0; i < 12; i++) {
        ck_assert_int_eq(heed_loader_get_state(loader, &states[i]), HEED_OK);
        sizes[i] = next(loader, batches[i]);
    }
    for (int i = 11; i >= 0; i--) {
        ck_assert_int_eq(heed_loader_set_state(resumed, &states[i]), HEED_OK);
        check_position(resumed, states[i].epoch, states[i].batch);
        for (int k = i; k < 12; k++) {
            ck_assert_int_eq(next(resumed, samples), sizes[k]);
            ck_assert_mem_eq(samples, batches[k], (size_t)sizes[k] * sizeof *samples);
        }
    }
    heed_loader_free(loader);
    heed_loader_free(resumed);
    heed_dataset_free(d);
}

START_TEST(resumes_anywhere)
{
    for (int k = 0; k < 4; k++)
        check_resumed((heed_loader_options){.shuffle = k % 2 == 1, .drop_last = k >= 2});
    heed_tensor *weights = heed_arange(HEED_F32, 0, 23, 1);
    for (int k = 0; k < 2; k++)
        check_resumed((heed_loader_options){.weights = weights, .samples = 18, .without_replacement = k == 1});
}
END_TEST

static void check_state_refused(heed_loader *loader, heed_loader_state state, const char *text)
{
    heed_loader_state before, after;
    heed_loader_get_state(loader, &before);
    ck_assert_int_eq(heed_loader_set_state(loader, &state), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, text);
    heed_loader_get_state(loader, &after);
    ck_assert_mem_eq(&before, &after, sizeof before);
}

START_TEST(refuses_states)
{
    heed_dataset *d = counting(23);
    heed_loader *loader = loader_of(d, (heed_loader_options){.batch_size = 5});
    const heed_loader_state valid = {.epoch = 7, .batch = 4, .samples = 23, .batch_size = 5};
    ck_assert_int_eq(heed_loader_set_state(loader, &valid), HEED_OK);
    heed_loader_state s = valid;
    s.batch = 5;
    check_state_refused(loader, s, "loader_set_state: epoch 7, batch 5: an epoch has 5 batches");
    s.batch = -1;
    check_state_refused(loader, s, "batch -1");
    s = valid, s.epoch = -1;
    check_state_refused(loader, s, "epoch -1");
    s = valid, s.samples = 22;
    check_state_refused(loader, s, "22 samples in batches of 5, but the loader has 23 in batches of 5");
    s = valid, s.batch_size = 6;
    check_state_refused(loader, s, "batches of 6");
    s = valid, s.seed = 1;
    check_state_refused(loader, s, "does not shuffle");
    s = valid, s.epoch = INT64_MAX;
    ck_assert_int_eq(heed_loader_set_state(loader, &s), HEED_OK);
    heed_tensor *batch[2];
    ck_assert_int_eq(heed_loader_next(loader, batch), HEED_ERR_STATE);
    ck_assert_error(HEED_ERR_STATE, "loader_next: the maximum of 9223372036854775807 epochs is reached");
    check_position(loader, INT64_MAX, s.batch);
    heed_loader_free(loader);
    heed_dataset_free(d);
}
END_TEST

START_TEST(refuses)
{
    heed_dataset *d = counting(3), *empty = counting(0);
    heed_loader_state state;
    heed_tensor *batch[2];
    ck_assert_ptr_null(heed_loader_new(NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "loader_new: the dataset is NULL");
    ck_assert_ptr_null(heed_loader_new(d, &(heed_loader_options){.batch_size = -1}));
    ck_assert_error(HEED_ERR_ARGUMENT, "batch_size is -1");
    ck_assert_ptr_null(heed_loader_new(empty, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "0 samples are too few for a batch of 1");
    ck_assert_ptr_null(heed_loader_new(d, &(heed_loader_options){.batch_size = 4, .drop_last = true}));
    ck_assert_error(HEED_ERR_ARGUMENT, "3 samples are too few for a batch of 4");
    heed_loader *loader = loader_of(d, (heed_loader_options){.batch_size = INT64_MAX});
    ck_assert_int_eq(heed_loader_batches(loader), 1);
    ck_assert_int_eq(heed_loader_next(loader, batch), HEED_OK);
    ck_assert_int_eq(heed_numel(batch[0]), 3);
    ck_assert_int_eq(heed_loader_next(loader, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "loader_next");
    ck_assert_int_eq(heed_loader_next(NULL, batch), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "the loader is NULL");
    ck_assert_int_eq(heed_loader_batches(NULL), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "loader_batches");
    ck_assert_int_eq(heed_loader_get_state(loader, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "the state is NULL");
    ck_assert_int_eq(heed_loader_get_state(NULL, &state), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "loader_get_state");
    ck_assert_int_eq(heed_loader_set_state(loader, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "the state is NULL");
    ck_assert_int_eq(heed_loader_set_state(NULL, &state), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "loader_set_state");
    heed_loader_free(NULL);
    heed_loader_free(loader);
    heed_dataset_free(d);
    heed_dataset_free(empty);
}
END_TEST

/* -- Memory ------------------------------------------------------------------------------------------------------- */

/* A failure moves neither the loader nor the generator. */
static bool run_program(heed_loader_options o, double *value)
{
    heed_generator *g = heed_generator_new(5);
    heed_tensor *t = heed_arange(HEED_F64, 0, 12, 1), *batch[1];
    heed_dataset *d = t ? heed_dataset_new(HEED_TENSORS(t)) : NULL;
    o.batch_size = 5;
    o.generator = g;
    heed_loader *loader = g && d ? heed_loader_new(d, &o) : NULL;
    uint64_t seed, position = 0;
    if (g)
        heed_generator_get_state(g, &seed, &position);
    ck_assert((position > 0) == (loader != NULL));
    bool done = loader != NULL;
    *value = 0.0;
    for (int i = 0; done && i < 7; i++) {
        done = heed_loader_next(loader, batch) == HEED_OK;
        check_position(loader, (i + done) / 3, (i + done) % 3);
        *value = done ? 100 * *value + heed_get(batch[0], HEED_INDEX(0)) : 0.0;
    }
    heed_loader_free(loader);
    heed_dataset_free(d);
    heed_generator_free(g);
    return done;
}

static bool shuffled_program(double *value)
{
    return run_program((heed_loader_options){.shuffle = true}, value);
}

static bool weighted_program(double *value)
{
    heed_tensor *weights = heed_full(HEED_F32, HEED_SHAPE(12), 2);
    return weights && run_program((heed_loader_options){.weights = weights}, value);
}

static bool drawn_program(double *value)
{
    heed_tensor *weights = heed_full(HEED_F32, HEED_SHAPE(12), 2);
    return weights && run_program((heed_loader_options){.weights = weights, .without_replacement = true}, value);
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(shuffled_program);
    fail_alloc_sweep(weighted_program);
    fail_alloc_sweep(drawn_program);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("loader", every_sample_once, defaults, empty_samples, order_depends_on_seed_and_epoch, weighted_orders,
               weighted_frequencies, extreme_weights, refuses_weights, resumes_anywhere, refuses_states, refuses,
               out_of_memory)
