/* tests/core/test_buffer.c - tests of tensors on the program's memory: it is not copied, and it is released once, after
 * the last tensor on it is gone.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/inspect.h>

#include "check_heed.h"

static int releases;
static void *released;

static void release(void *user)
{
    releases++;
    released = user;
}

static void begin(void)
{
    releases = 0;
    released = NULL;
}

START_TEST(both_sides_write_the_same_memory)
{
    begin();
    float f[] = {1, 2, 3, 4, 5, 6};
    int64_t i[] = {INT64_MAX, -1};
    heed_memory_stats before = heed_memory_get_stats();
    heed_tensor *t = heed_from_buffer(HEED_F32, HEED_SHAPE(2, 3), f, 6, NULL, NULL);
    heed_tensor *whole = heed_from_buffer(HEED_I64, HEED_SHAPE(2), i, 2, NULL, NULL);
    ck_assert_ptr_eq(heed_data_f32(t), f);
    ck_assert(heed_is_contiguous(t));
    f[5] = 60;
    ck_assert(heed_get(t, HEED_INDEX(1, 2)) == 60);
    ck_assert_int_eq(heed_fill_(heed_select(t, 1, 0), -1), HEED_OK);
    ck_assert(f[0] == -1 && f[3] == -1 && f[4] == 5);
    ck_assert_int_eq(heed_get_i64(whole, HEED_INDEX(0)), INT64_MAX);
    ck_assert_int_eq(heed_fill_(heed_transpose(t, 0, 1), 9), HEED_OK);
    ck_assert(f[1] == 9 && f[4] == 9);
    ck_assert(heed_item(heed_sum(t)) == 54);
    ck_assert_int_le(heed_memory_get_stats().live_bytes - before.live_bytes, 4096);
    static double large[4096];
    before = heed_memory_get_stats();
    ck_assert_ptr_nonnull(heed_from_buffer(HEED_F64, HEED_SHAPE(4096), large, 4096, NULL, NULL));
    ck_assert_int_le(heed_memory_get_stats().live_bytes - before.live_bytes, 1024);
}
END_TEST

START_TEST(views_keep_it)
{
    begin();
    double x[] = {1, 2, 3, 4};
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_from_buffer(HEED_F64, HEED_SHAPE(4), x, 4, release, x);
    heed_tensor *end = heed_retain(heed_slice(t, 0, 2, HEED_END, 1));
    ck_assert(heed_shares_storage(t, end));
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    ck_assert_int_eq(releases, 0);
    ck_assert(heed_get(end, HEED_INDEX(1)) == 4);
    ck_assert_ptr_eq(heed_data_f64(end), x + 2);
    heed_release(end);
    ck_assert_int_eq(releases, 1);
    ck_assert_ptr_eq(released, x);
}
END_TEST

START_TEST(a_graph_keeps_it)
{
    begin();
    double x[] = {1, 2, 3};
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(3)), true);
    heed_scope *scope = heed_scope_begin();
    heed_tensor *y = heed_retain(heed_sum(heed_mul(w, heed_from_buffer(HEED_F64, HEED_SHAPE(3), x, 3, release, NULL))));
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    ck_assert_int_eq(releases, 0);
    ck_assert_int_eq(heed_backward(y), HEED_OK);
    ck_assert(heed_get(heed_grad_of(w), HEED_INDEX(2)) == 3);
    heed_release(y);
    ck_assert_int_eq(releases, 1);
}
END_TEST

START_TEST(empty_ones)
{
    begin();
    double x = 0;
    heed_scope *scope = heed_scope_begin();
    heed_tensor *none = heed_from_buffer(HEED_F64, HEED_SHAPE(0, 3), NULL, 0, release, &x);
    heed_tensor *some = heed_from_buffer(HEED_F64, HEED_SHAPE(2, 0), (char *)&x + 1, 0, release, &x);
    ck_assert_ptr_nonnull(heed_clone(heed_transpose(none, 0, 1)));
    ck_assert(heed_item(heed_sum(heed_concat(HEED_TENSORS(some, some), 1))) == 0);
    ck_assert_ptr_nonnull(heed_storage_of(none).address);
    ck_assert_uint_eq(heed_storage_of(none).bytes, 0);
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    ck_assert_int_eq(releases, 2);
}
END_TEST

START_TEST(its_description)
{
    begin();
    double x[8] = {0};
    heed_tensor *t = heed_from_buffer(HEED_F64, HEED_SHAPE(8), x, 8, NULL, NULL);
    heed_tensor *view = heed_slice(t, 0, 3, 5, 1);
    ck_assert_ptr_eq(heed_storage_of(view).address, x);
    ck_assert_uint_eq(heed_storage_of(view).bytes, sizeof x);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    ck_assert_int_eq(heed_explain(t, file), HEED_OK);
    ck_assert_int_eq(heed_explain(view, file), HEED_OK);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_ptr_nonnull(strstr(text, "storage: 64 bytes, external (heed_from_buffer, heed_from_dlpack)"));
    ck_assert_ptr_nonnull(strstr(text, "this one is a view from element 3 on"));
    free(text);
}
END_TEST

/* -- The library's own results never go into the program's memory -------------------------------------------------- */

static double slopes[2];

static bool identity(const heed_call *call, heed_tensor *const *out)
{
    return heed_copy_(out[0], call->inputs[0]) == HEED_OK;
}

static void constant_slopes(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    (void)call;
    (void)g;
    dx[0] = heed_from_buffer(HEED_F64, HEED_SHAPE(2), slopes, 2, release, NULL);
}

static const heed_op own = {.name = "own",
                            .n_inputs = 1,
                            .n_outputs = 1,
                            .infer = heed_infer_same,
                            .forward = identity,
                            .backward = constant_slopes};

START_TEST(gradients_are_added_elsewhere)
{
    begin();
    slopes[0] = 2;
    slopes[1] = 3;
    heed_tensor *x = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
    ck_assert_int_eq(heed_backward(heed_sum(heed_add(heed_apply(&own, &x, 1, NULL), heed_apply(&own, &x, 1, NULL)))),
                     HEED_OK);
    ck_assert(heed_get(heed_grad_of(x), HEED_INDEX(1)) == 6);
    ck_assert(slopes[0] == 2 && slopes[1] == 3);
    x = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
    ck_assert_int_eq(heed_backward(heed_sum(heed_apply(&own, &x, 1, NULL))), HEED_OK);
    ck_assert_int_eq(heed_fill_(heed_grad_of(x), 0), HEED_OK); /* its own memory, which optimizers may write */
    ck_assert(slopes[0] == 2 && slopes[1] == 3);
}
END_TEST

/* -- Release callbacks --------------------------------------------------------------------------------------------- */

static void busy_release(void *user)
{
    heed_tensor *t = heed_square(HEED_TENSOR(HEED_F64, HEED_SHAPE(1), 3)); /* a callback may compute, too */
    *(double *)user = heed_item(t);
    heed_release(heed_retain(t));
}

START_TEST(it_may_use_the_library)
{
    double x[] = {1}, made = 0;
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_retain(heed_from_buffer(HEED_F64, HEED_SHAPE(1), x, 1, busy_release, &made));
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    scope = heed_scope_begin();
    heed_release(t);
    ck_assert(made == 9);
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
}
END_TEST

START_TEST(errors)
{
    begin();
    double x[3] = {0};
    const struct {
        heed_dtype dtype;
        heed_shape shape;
        void *values;
        int64_t count;
        heed_status status;
        const char *text;
    } cases[] = {
        {HEED_F64, HEED_SHAPE(3), NULL, 3, HEED_ERR_ARGUMENT, "from_buffer: values is NULL"},
        {HEED_F64, HEED_SHAPE(2), x, 3, HEED_ERR_SHAPE, "from_buffer: 3 values do not fill the shape (2)"},
        {HEED_F64, HEED_SHAPE(-1), x, 3, HEED_ERR_SHAPE, "from_buffer: (-1) is not a valid shape"},
        {HEED_F64, HEED_SHAPE(INT64_MAX), x, INT64_MAX, HEED_ERR_SHAPE, "is not a valid shape"},
        {HEED_BOOL, HEED_SHAPE(3), x, 3, HEED_ERR_DTYPE, "from_buffer: dtype is bool: must be f32, f64 or i64"},
        {(heed_dtype)9, HEED_SHAPE(3), x, 3, HEED_ERR_DTYPE, "from_buffer: dtype is 9"},
        {HEED_F64, HEED_SHAPE(1), (char *)x + 4, 1, HEED_ERR_ARGUMENT,
         "from_buffer: the address of values is not a multiple of 8 bytes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_ptr_null(
            heed_from_buffer(cases[i].dtype, cases[i].shape, cases[i].values, cases[i].count, release, x));
        ck_assert_error(cases[i].status, cases[i].text);
    }
    ck_assert_ptr_nonnull(heed_from_buffer(HEED_F32, HEED_SHAPE(1), (char *)x + 4, 1, NULL, NULL));
    ck_assert_int_eq(releases, 0);
}
END_TEST

HEED_TEST_MAIN("buffer", both_sides_write_the_same_memory, views_keep_it, a_graph_keeps_it, empty_ones, its_description,
               gradients_are_added_elsewhere, it_may_use_the_library, errors)
