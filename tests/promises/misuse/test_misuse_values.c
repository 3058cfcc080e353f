/* tests/promises/misuse/test_misuse_values.c - heed/random.h, heed/memory.h, heed/parallel.h and heed/error.h
 * misused.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "from.h"
#include "misuse.h"

/* -- Random ------------------------------------------------------------------------------------------------------- */

static void drawn(const char *name, heed_tensor *t, uint64_t before)
{
    uint64_t seed, after;
    ck_assert_int_eq(heed_generator_get_state(heed_generator_default(), &seed, &after), HEED_OK);
    if (t) {
        ck_assert_int_eq(heed_error_code(), HEED_OK);
        return;
    }
    misuse_failed(name);
    ck_assert_uint_eq(after, before);
}

START_TEST(drawing)
{
    for (int i = 0; i < COUNT_OF(hostile_shapes); i++)
        for (int k = 0; k < COUNT_OF(hostile_doubles); k++) {
            heed_scope *scope = heed_scope_begin();
            heed_shape shape = hostile_shapes[i];
            int64_t low = ANY_OF(hostile_counts), high = ANY_OF(hostile_counts);
            heed_dtype dtype = (heed_dtype)(k % 7 - 1);
            heed_manual_seed(1);
            drawn("rand", heed_rand(dtype, shape), 0);
            heed_manual_seed(1);
            drawn("randn", heed_randn(dtype, shape), 0);
            heed_manual_seed(1);
            drawn("randint", heed_randint(low, high, shape), 0);
            heed_manual_seed(1);
            drawn("bernoulli", heed_bernoulli(hostile_doubles[k], shape), 0);
            heed_manual_seed(1);
            drawn("permutation", heed_permutation(low), 0);
            ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
        }
    ck_assert_null_fails("randint", HEED_ERR_ARGUMENT, "low is 3: must be less than high, 3",
                         heed_randint(3, 3, HEED_SHAPE(2)));
    ck_assert_null_fails("bernoulli", HEED_ERR_ARGUMENT, "nan", heed_bernoulli((double)NAN, HEED_SHAPE(2)));
    ck_assert_null_fails("permutation", HEED_ERR_ARGUMENT, "-1", heed_permutation(-1));
    ck_assert_null_fails("rand", HEED_ERR_DTYPE, "i64", heed_rand(HEED_I64, HEED_SHAPE(2)));
    ck_assert_ptr_nonnull(heed_randint(INT64_MIN, INT64_MAX, HEED_SHAPE(100)));
}
END_TEST

START_TEST(generators)
{
    uint64_t seed, position;
    heed_generator *g = heed_generator_default();
    ck_assert_status_fails("generator_get_state", HEED_ERR_ARGUMENT, "seed",
                           heed_generator_get_state(g, NULL, &position));
    ck_assert_status_fails("generator_get_state", HEED_ERR_ARGUMENT, "position",
                           heed_generator_get_state(g, &seed, NULL));
    heed_generator_free(NULL);
    heed_generator_free(g); /* the default one is not freed */
    heed_generator_set_state(NULL, UINT64_MAX, 0);
    ck_assert_int_eq(heed_generator_set_state(g, UINT64_MAX, UINT64_MAX), HEED_OK);
    ck_assert_ptr_nonnull(heed_rand(HEED_F64, HEED_SHAPE(1000))); /* positions wrap */
    heed_generator *own = heed_generator_new(UINT64_MAX);
    ck_assert_ptr_nonnull(FROM(own, heed_permutation(0)));
    heed_generator_free(own);
}
END_TEST

/* -- Memory and threads ------------------------------------------------------------------------------------------- */

START_TEST(memory)
{
    static const size_t sizes[] = {SIZE_MAX,         SIZE_MAX - 1, SIZE_MAX - 63,
                                   SIZE_MAX / 2 + 1, PTRDIFF_MAX,  (size_t)1 << 46};
    heed_allocator half = {modest_alloc, NULL, NULL}, other_half = {NULL, modest_free, NULL};
    for (int i = 0; i < COUNT_OF(sizes); i++) {
        ck_assert_ptr_null(heed_alloc(sizes[i]));
        ck_assert_error(HEED_ERR_NOMEM, "");
        for (size_t count = 1; count < 1000; count *= 3) {
            ck_assert_ptr_null(heed_calloc(count, sizes[i]));
            ck_assert_error(HEED_ERR_NOMEM, "");
            ck_assert_ptr_null(heed_calloc(sizes[i], count));
            ck_assert_error(HEED_ERR_NOMEM, "");
        }
        heed_free(heed_calloc(0, sizes[i]), 0);
        heed_free(heed_calloc(sizes[i], 0), 0);
        heed_free(NULL, sizes[i]);
        (void)heed_memory_set_cache_limit(sizes[i]);
    }
    ck_assert_int_eq(heed_error_code(), HEED_OK);
    ck_assert_status_fails("set_allocator", HEED_ERR_ARGUMENT, "", heed_set_allocator(&half));
    ck_assert_status_fails("set_allocator", HEED_ERR_ARGUMENT, "", heed_set_allocator(&other_half));
    heed_tensor *t = heed_ones(HEED_F32, HEED_SCALAR);
    ck_assert_ptr_nonnull(t);
    ck_assert_status_fails("set_allocator", HEED_ERR_STATE, "", heed_set_allocator(NULL));
    heed_memory_reset_peak();
    ck_assert_int_gt(heed_memory_get_stats().live_objects, 0);
    for (int i = 0; i < COUNT_OF(hostile_ints); i++)
        misuse_status("set_num_threads", heed_set_num_threads(hostile_ints[i]));
    ck_assert_int_ge(heed_num_threads(), 1);
    for (int i = 0; i < COUNT_OF(hostile_ints); i++)
        misuse_status("set_matmul_precision", heed_set_matmul_precision((heed_precision)hostile_ints[i]));
    ck_assert_int_le(heed_matmul_precision(), HEED_PRECISION_MEDIUM);
}
END_TEST

/* -- Errors ------------------------------------------------------------------------------------------------------- */

static void clears(heed_status status, const char *message, void *user)
{
    ck_assert_ptr_eq(message, heed_error_message());
    ++*(int *)user;
    heed_error_clear();
    ck_assert_int_eq(heed_fail(HEED_ERR_IO, "handler", "again"), status); /* which is still pending */
    ck_assert_ptr_null(heed_zeros(HEED_F32, HEED_SHAPE(-1)));
}

START_TEST(errors)
{
    char long_name[2 * HEED_ERROR_MESSAGE_MAX];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    ck_assert_int_eq(heed_fail(HEED_OK, "nothing", "%d", 1), HEED_OK);
    ck_assert_int_eq(heed_error_code(), HEED_OK);
    ck_assert_int_eq(heed_fail(HEED_ERR_IO, NULL, NULL), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "");
    ck_assert(!heed_fail_false(HEED_ERR_SHAPE, NULL, NULL));
    ck_assert_error(HEED_ERR_SHAPE, "");
    ck_assert_ptr_null(heed_fail_null(HEED_ERR_DTYPE, NULL, NULL));
    ck_assert_error(HEED_ERR_DTYPE, "");
    (void)heed_fail(HEED_ERR_IO, long_name, "%s", long_name);
    ck_assert_uint_eq(strlen(heed_error_message()), HEED_ERROR_MESSAGE_MAX - 1);
    heed_error_clear();
    (void)heed_fail(HEED_ERR_IO, "%s%n", "%s", long_name);
    ck_assert_uint_eq(strlen(heed_error_message()), HEED_ERROR_MESSAGE_MAX - 1);
    heed_error_clear();
    for (int i = 0; i < COUNT_OF(hostile_ints); i++)
        if (hostile_ints[i] < 0 || hostile_ints[i] > HEED_ERR_FORMAT)
            ck_assert_str_eq(heed_status_name((heed_status)hostile_ints[i]), "unknown");
    int calls = 0;
    heed_set_error_handler(clears, &calls);
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(2));
    ck_assert_int_eq(heed_backward(t), HEED_ERR_STATE); /* never HEED_OK, regardless of the handler */
    ck_assert_error(HEED_ERR_STATE, "backward: the tensor of shape (2)");
    ck_assert_int_eq(calls, 1);
    heed_set_error_handler(NULL, &calls);
}
END_TEST

MISUSE_MAIN("misuse of values", drawing, generators, memory, errors)
