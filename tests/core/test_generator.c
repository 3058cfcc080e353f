/* tests/core/test_generator.c - tests of generators: equal states give equal bits for any number of threads, and a draw
 * advances the position by a fixed count.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "from.h"

#include <pthread.h>

typedef heed_tensor *draw_fn(heed_generator *g, int64_t n);

static heed_tensor *rand_f32(heed_generator *g, int64_t n)
{
    return FROM(g, heed_rand(HEED_F32, HEED_SHAPE(n)));
}

static heed_tensor *rand_f64(heed_generator *g, int64_t n)
{
    return FROM(g, heed_rand(HEED_F64, HEED_SHAPE(n)));
}

static heed_tensor *randn_f32(heed_generator *g, int64_t n)
{
    return FROM(g, heed_randn(HEED_F32, HEED_SHAPE(n)));
}

static heed_tensor *randn_f64(heed_generator *g, int64_t n)
{
    return FROM(g, heed_randn(HEED_F64, HEED_SHAPE(n)));
}

static heed_tensor *randint(heed_generator *g, int64_t n)
{
    return FROM(g, heed_randint(-3, 1000, HEED_SHAPE(n)));
}

static heed_tensor *bernoulli(heed_generator *g, int64_t n)
{
    return FROM(g, heed_bernoulli(0.3, HEED_SHAPE(n)));
}

static heed_tensor *permutation(heed_generator *g, int64_t n)
{
    return FROM(g, heed_permutation(n));
}

/* One position yields 128 bits: 4 elements of 32 bits or 2 of 64 bits. */
static const struct {
    draw_fn *draw;
    int per_position;
} draws[] = {{rand_f32, 4}, {rand_f64, 2},    {randn_f32, 4}, {randn_f64, 2},
             {randint, 2},  {permutation, 2}, {bernoulli, 2}};
#define DRAWS (sizeof draws / sizeof draws[0])

static const void *bytes(const heed_tensor *t)
{
    switch (heed_dtype_of(t)) {
    case HEED_F32:
        return heed_data_f32(t);
    case HEED_F64:
        return heed_data_f64(t);
    case HEED_I64:
        return heed_data_i64(t);
    default:
        return heed_data_bool(t);
    }
}

static bool same_bits(const heed_tensor *a, const heed_tensor *b)
{
    return heed_dtype_of(a) == heed_dtype_of(b) && heed_numel(a) == heed_numel(b) &&
           memcmp(bytes(a), bytes(b), (size_t)heed_numel(a) * heed_dtype_size(heed_dtype_of(a))) == 0;
}

START_TEST(threads_do_not_matter)
{
    heed_generator *g = heed_generator_new(8);
    int threads = heed_num_threads();
    for (size_t k = 0; k < DRAWS; k++) {
        heed_scope *scope = heed_scope_begin();
        ck_assert_int_eq(heed_set_num_threads(1), HEED_OK);
        heed_generator_set_state(g, 8, 0);
        heed_tensor *serial = draws[k].draw(g, 300001);
        for (int n = 2; n <= 7; n++) {
            ck_assert_int_eq(heed_set_num_threads(n), HEED_OK);
            heed_generator_set_state(g, 8, 0);
            ck_assert_msg(same_bits(serial, draws[k].draw(g, 300001)), "draw %zu with %d threads", k, n);
        }
        heed_scope_end(scope);
    }
    ck_assert_int_eq(heed_set_num_threads(threads), HEED_OK);
    heed_generator_free(g);
}
END_TEST

/* The first elements do not depend on how many follow, except in a permutation. */
START_TEST(prefixes_agree)
{
    heed_generator *g = heed_generator_new(9);
    for (size_t k = 0; k < DRAWS; k++) {
        if (draws[k].draw == permutation)
            continue;
        heed_generator_set_state(g, 9, 0);
        heed_tensor *all = draws[k].draw(g, 600);
        size_t size = heed_dtype_size(heed_dtype_of(all));
        for (int64_t n = 1; n < 600; n += n < 10 ? 1 : 37) {
            heed_generator_set_state(g, 9, 0);
            ck_assert(memcmp(bytes(all), bytes(draws[k].draw(g, n)), (size_t)n * size) == 0);
        }
    }
    heed_generator_free(g);
}
END_TEST

/* Two consecutive calls give the same elements as one call. */
START_TEST(calls_join)
{
    heed_generator *g = heed_generator_new(9);
    for (size_t k = 0; k < DRAWS; k++) {
        if (draws[k].draw == permutation)
            continue;
        heed_generator_set_state(g, 9, 0);
        heed_tensor *all = draws[k].draw(g, 2000);
        size_t size = heed_dtype_size(heed_dtype_of(all));
        for (int64_t n = 4; n < 2000; n += 52) {
            heed_generator_set_state(g, 9, 0);
            (void)draws[k].draw(g, n);
            heed_tensor *rest = draws[k].draw(g, 2000 - n);
            ck_assert(memcmp((const char *)bytes(all) + (size_t)n * size, bytes(rest), (size_t)(2000 - n) * size) == 0);
        }
    }
    heed_generator_free(g);
}
END_TEST

START_TEST(position_advances_by_whole_blocks)
{
    heed_generator *g = heed_generator_new(10);
    static const int64_t sizes[] = {0, 1, 2, 3, 4, 5, 255, 256, 257, 1001};
    for (size_t k = 0; k < DRAWS; k++) {
        for (int i = 0; i < 10; i++) {
            uint64_t seed, position;
            heed_generator_set_state(g, 10, 0);
            ck_assert_ptr_nonnull(draws[k].draw(g, sizes[i]));
            ck_assert_int_eq(heed_generator_get_state(g, &seed, &position), HEED_OK);
            ck_assert_uint_eq(seed, 10);
            ck_assert_uint_eq(position, (uint64_t)((sizes[i] + draws[k].per_position - 1) / draws[k].per_position));
        }
    }
    heed_generator_free(g);
}
END_TEST

START_TEST(state_gives_the_same_continuation)
{
    heed_generator *g = heed_generator_new(11), *h = heed_generator_new(0);
    (void)rand_f32(g, 1234);
    for (size_t k = 0; k < DRAWS; k++) {
        uint64_t seed, position;
        heed_generator_get_state(g, &seed, &position);
        heed_tensor *first = draws[k].draw(g, 777);
        heed_tensor *next = draws[k].draw(g, 777);
        ck_assert(!same_bits(first, next));
        ck_assert_int_eq(heed_generator_set_state(h, seed, position), HEED_OK);
        ck_assert(same_bits(first, draws[k].draw(h, 777)));
        ck_assert(same_bits(next, draws[k].draw(h, 777)));
    }
    heed_generator_free(g);
    heed_generator_free(h);
}
END_TEST

START_TEST(seeds_differ_and_repeat)
{
    heed_manual_seed(12);
    heed_tensor *a = heed_rand(HEED_F64, HEED_SHAPE(100));
    heed_manual_seed(12);
    heed_tensor *b = heed_rand(HEED_F64, HEED_SHAPE(100));
    heed_manual_seed(12 + (UINT64_C(1) << 32));
    heed_tensor *c = heed_rand(HEED_F64, HEED_SHAPE(100));
    ck_assert(same_bits(a, b));
    ck_assert(!same_bits(a, c));
    heed_generator_set_state(heed_generator_default(), 12, 0);
    ck_assert(same_bits(a, heed_rand(HEED_F64, HEED_SHAPE(100))));
    heed_generator_set_state(NULL, 12, 0);
    ck_assert(same_bits(a, heed_rand(HEED_F64, HEED_SHAPE(100))));
    heed_generator_free(heed_generator_default());
    heed_generator_free(NULL);
}
END_TEST

/* The position is a number modulo 2^64. */
START_TEST(position_wraps)
{
    heed_generator *g = heed_generator_new(13);
    heed_generator_set_state(g, 13, UINT64_MAX);
    heed_tensor *t = rand_f32(g, 8);
    heed_generator_set_state(g, 13, 0);
    heed_tensor *u = rand_f32(g, 4);
    ck_assert(memcmp(heed_data_f32(t) + 4, heed_data_f32(u), 4 * sizeof(float)) == 0);
    heed_generator_free(g);
}
END_TEST

#define SHARERS 4
#define CALLS 500

static void *draw_shared(void *generator)
{
    for (int i = 0; i < CALLS; i++)
        ck_assert_ptr_nonnull(FROM(generator, heed_rand(HEED_F32, HEED_SHAPE(3))));
    heed_thread_cleanup();
    return NULL;
}

START_TEST(threads_may_share_a_generator)
{
    heed_generator *g = heed_generator_new(14);
    pthread_t threads[SHARERS];
    uint64_t seed, position;
    for (int i = 0; i < SHARERS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, draw_shared, g), 0);
    for (int i = 0; i < SHARERS; i++)
        pthread_join(threads[i], NULL);
    heed_generator_get_state(g, &seed, &position);
    ck_assert_uint_eq(position, SHARERS * CALLS);
    heed_generator_free(g);
}
END_TEST

HEED_TEST_MAIN("generator", threads_do_not_matter, prefixes_agree, calls_join, position_advances_by_whole_blocks,
               state_gives_the_same_continuation, seeds_differ_and_repeat, position_wraps,
               threads_may_share_a_generator)
