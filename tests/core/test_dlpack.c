/* tests/core/test_dlpack.c - tests of tensors passed to and from other libraries: no data are copied, and memory is
 * released once. Refused tensors are in test_dlpack_hostile.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <pthread.h>

#include "dlpack.h"

/* -- To other libraries ------------------------------------------------------------------------------------------- */

START_TEST(what_is_given)
{
    static const struct {
        heed_dtype dtype;
        int code, bits;
    } types[] = {{HEED_F32, 2, 32}, {HEED_F64, 2, 64}, {HEED_I64, 0, 64}, {HEED_BOOL, 6, 8}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        heed_tensor *t = heed_ones(types[i].dtype, HEED_SHAPE(2, 3, 4));
        heed_tensor *view = heed_transpose(heed_slice(t, 2, 1, HEED_END, 2), 0, 2); /* (2, 3, 2) of the 24 elements */
        managed *m = heed_to_dlpack(view);
        ck_assert_ptr_nonnull(m);
        const heed__dl_tensor *dl = &m->tensor;
        ck_assert_ptr_eq(dl->data, (const char *)heed_data_bytes(t) + heed_dtype_size(types[i].dtype));
        ck_assert(dl->device == 1 && dl->device_number == 0 && dl->ndim == 3 && dl->byte_offset == 0);
        ck_assert(dl->code == types[i].code && dl->bits == types[i].bits && dl->lanes == 1);
        ck_assert(dl->shape[0] == 2 && dl->shape[1] == 3 && dl->shape[2] == 2);
        ck_assert(dl->strides[0] == 2 && dl->strides[1] == 4 && dl->strides[2] == 12);
        m->deleter(m);
    }
    managed *scalar = heed_to_dlpack(heed_full(HEED_F64, HEED_SCALAR, 7));
    ck_assert(scalar->tensor.ndim == 0 && *(double *)scalar->tensor.data == 7);
    scalar->deleter(scalar);
    managed *none = heed_to_dlpack(heed_ones(HEED_F64, HEED_SHAPE(2, 0)));
    ck_assert(none->tensor.ndim == 2 && none->tensor.shape[1] == 0 && !none->tensor.data);
    none->deleter(none);
    managed *wide = heed_to_dlpack(heed_expand(heed_ones(HEED_F32, HEED_SHAPE(3, 1)), HEED_SHAPE(3, 5)));
    ck_assert(wide->tensor.shape[1] == 5 && wide->tensor.strides[1] == 0);
    wide->deleter(wide);
}
END_TEST

START_TEST(memory_outlives_the_tensor)
{
    heed_scope *scope = heed_scope_begin();
    managed *m = heed_to_dlpack(heed_full(HEED_F64, HEED_SHAPE(1000), 3)), *again;
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    heed_thread_cleanup();
    double *x = m->tensor.data;
    ck_assert(x[0] == 3 && x[999] == 3);
    x[999] = 4;
    scope = heed_scope_begin();
    heed_tensor *t = heed_from_dlpack(m);
    ck_assert_ptr_eq(heed_data_f64(t), x);
    again = heed_to_dlpack(heed_slice(t, 0, 999, HEED_END, 1));
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    ck_assert(*(double *)again->tensor.data == 4);
    again->deleter(again);
}
END_TEST

/* Reading a result's numbers does not need its graph. */
START_TEST(a_graph_is_not_kept)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(100000)), true);
    managed *m = heed_to_dlpack(heed_detach(heed_sum(heed_mul(w, w))));
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    ck_assert(*(double *)m->tensor.data == 100000);
    ck_assert_int_lt(heed_memory_get_stats().live_bytes, heed_test_before.live_bytes + 100000);
    m->deleter(m);
}
END_TEST

START_TEST(tensors_that_require_a_gradient)
{
    heed_tensor *w = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
    ck_assert_ptr_null(heed_to_dlpack(w));
    ck_assert_error(HEED_ERR_STATE, "to_dlpack: a tensor of shape (2) requires a gradient: call heed_detach first");
    ck_assert_ptr_null(heed_to_dlpack(heed_mul(w, w)));
    ck_assert_error(HEED_ERR_STATE, "requires a gradient");
    managed *m = heed_to_dlpack(heed_detach(w));
    ((double *)m->tensor.data)[1] = 5;
    ck_assert(heed_get(w, HEED_INDEX(1)) == 5);
    m->deleter(m);
    ck_assert_ptr_null(heed_to_dlpack(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "to_dlpack: the tensor is NULL");
}
END_TEST

/* Under AddressSanitizer the first access to freed memory is reported. */
START_TEST(a_call_too_many)
{
#if !defined(__SANITIZE_ADDRESS__)
    heed_tensor *t = heed_ones(HEED_F64, HEED_SHAPE(2));
    managed *m = heed_to_dlpack(t);
    void (*deleter)(managed *) = m->deleter;
    deleter(m);
    deleter(m);
    ck_assert_error(HEED_ERR_STATE, "dlpack_deleter: the DLManagedTensor was freed");
    ck_assert(heed_item(heed_sum(t)) == 2);
#endif
}
END_TEST

/* -- From other libraries ----------------------------------------------------------------------------------------- */

START_TEST(both_sides_write_the_same_memory)
{
    double x[] = {1, 2, 3, 4, 5, 6};
    managed m = theirs(x, 2, (int64_t[]){2, 3});
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_from_dlpack(&m);
    ck_assert_ptr_eq(heed_data_f64(t), x);
    ck_assert(heed_is_contiguous(t) && heed_stride(t, 0) == 3);
    x[4] = 50;
    ck_assert(heed_get(t, HEED_INDEX(1, 1)) == 50);
    ck_assert_int_eq(heed_fill_(heed_select(t, 1, 2), -1), HEED_OK);
    ck_assert(x[2] == -1 && x[5] == -1);
    heed_tensor *view = heed_retain(heed_slice(t, 1, 1, HEED_END, 1));
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    ck_assert_int_eq(deletions, 0);
    ck_assert(heed_get(view, HEED_INDEX(1, 0)) == 50);
    heed_release(view);
    ck_assert_int_eq(deletions, 1);
    ck_assert_ptr_eq(deleted, &m);
    m.deleter = NULL; /* a NULL deleter means that no release is needed */
    ck_assert_ptr_nonnull(heed_from_dlpack(&m));
    heed_thread_cleanup(); /* frees the tensors on this function's memory */
}
END_TEST

START_TEST(every_dtype)
{
    float f[] = {1.5F, 2};
    int64_t i[] = {INT64_MIN, 3};
    bool b[] = {true, false};
    const struct {
        void *data;
        uint8_t code, bits;
        heed_dtype dtype;
        double sum;
    } cases[] = {{f, 2, 32, HEED_F32, 3.5}, {i, 0, 64, HEED_I64, -0x1p63 + 3}, {b, 6, 8, HEED_BOOL, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        managed m = theirs(cases[k].data, 1, (int64_t[]){2});
        m.tensor.code = cases[k].code;
        m.tensor.bits = cases[k].bits;
        heed_scope *scope = heed_scope_begin();
        heed_tensor *t = heed_from_dlpack(&m);
        ck_assert_int_eq(heed_dtype_of(t), cases[k].dtype);
        ck_assert_ptr_eq(heed_data_bytes(t), cases[k].data);
        ck_assert(heed_item(heed_sum(heed_to_dtype(t, HEED_F64))) == cases[k].sum);
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
        ck_assert_int_eq(deletions, 1);
    }
}
END_TEST

/* Checks element (i, j) of x, a (3, 4) array in memory, through strides and an offset and in every kind of loop. */
static void check_looks(double *x, int64_t *shape, int64_t *strides, uint64_t offset)
{
    managed m = theirs(x, 2, shape);
    m.tensor.strides = strides;
    m.tensor.byte_offset = offset;
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_from_dlpack(&m);
    ck_assert_msg(t != NULL, "%s", heed_error_message());
    heed_tensor *copy = heed_zeros(HEED_F64, HEED_SHAPE(shape[0], shape[1]));
    for (int64_t i = 0; i < shape[0]; i++)
        for (int64_t j = 0; j < shape[1]; j++) {
            const double *element = (double *)(void *)((char *)x + offset) + i * strides[0] + j * strides[1];
            ck_assert(heed_get(t, HEED_INDEX(i, j)) == *element);
            ck_assert_int_eq(heed_set_(copy, HEED_INDEX(i, j), *element), HEED_OK);
        }
    ck_assert(heed_allclose(heed_contiguous(t), copy, 0, 0, false));
    ck_assert(heed_allclose(heed_exp(heed_transpose(t, 0, 1)), heed_exp(heed_transpose(copy, 0, 1)), 0, 0, false));
    ck_assert(
        heed_allclose(heed_sum_axes(t, HEED_AXES(0), false), heed_sum_axes(copy, HEED_AXES(0), false), 0, 0, false));
    ck_assert(heed_allclose(heed_matmul(t, heed_transpose(t, 0, 1)), heed_matmul(copy, heed_transpose(copy, 0, 1)), 0,
                            0, false));
    ck_assert(heed_allclose(heed_slice(t, 1, 1, HEED_END, 1), heed_slice(copy, 1, 1, HEED_END, 1), 0, 0, false));
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    ck_assert_int_eq(deletions, 1);
}

START_TEST(strides)
{
    double x[12];
    for (int i = 0; i < 12; i++)
        x[i] = 1.0 / (1 + i);
    check_looks(x, (int64_t[]){3, 4}, (int64_t[]){4, 1}, 0);
    check_looks(x, (int64_t[]){4, 3}, (int64_t[]){1, 4}, 0);
    check_looks(x, (int64_t[]){3, 4}, (int64_t[]){-4, -1}, 11 * sizeof *x);
    check_looks(x, (int64_t[]){3, 4}, (int64_t[]){4, -1}, 3 * sizeof *x);
    check_looks(x + 8, (int64_t[]){3, 2}, (int64_t[]){-4, 2}, 0);
    check_looks(x, (int64_t[]){3, 4}, (int64_t[]){0, 1}, 4 * sizeof *x);
    check_looks(x, (int64_t[]){3, 4}, (int64_t[]){0, 0}, 11 * sizeof *x);
    check_looks(x, (int64_t[]){9, 4}, (int64_t[]){1, 1}, 0); /* overlapping windows */
    check_looks(x, (int64_t[]){1, 4}, (int64_t[]){INT64_MAX, 3}, 0);
    check_looks(x, (int64_t[]){1, 1}, (int64_t[]){INT64_MIN, -7}, 8);
}
END_TEST

START_TEST(writing_backwards)
{
    double x[] = {1, 2, 3, 4};
    managed m = theirs(x + 3, 1, (int64_t[]){4});
    m.tensor.strides = (int64_t[]){-1};
    heed_tensor *t = heed_from_dlpack(&m), *y = heed_arange(HEED_F64, 10, 14, 1);
    ck_assert_int_eq(heed_copy_(t, y), HEED_OK);
    ck_assert(x[0] == 13 && x[1] == 12 && x[2] == 11 && x[3] == 10);
    ck_assert_int_eq(heed_fill_(heed_slice(t, 0, 0, 2, 1), 7), HEED_OK);
    ck_assert(x[0] == 13 && x[1] == 12 && x[2] == 7 && x[3] == 7);
    ck_assert_ptr_eq(heed_storage_of(t).address, x);
    ck_assert_uint_eq(heed_storage_of(t).bytes, sizeof x);
    heed_thread_cleanup();
}
END_TEST

START_TEST(small_ranks)
{
    double x[] = {3};
    managed m = theirs(x, 0, NULL);
    ck_assert(heed_item(heed_from_dlpack(&m)) == 3);
    int64_t ones[HEED_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
    managed most = theirs(x, HEED_MAX_RANK, ones);
    ck_assert_int_eq(heed_rank(heed_from_dlpack(&most)), HEED_MAX_RANK);
    managed none = theirs(NULL, 2, (int64_t[]){0, 5});
    none.tensor.strides = (int64_t[]){INT64_MAX, INT64_MIN};
    none.tensor.byte_offset = UINT64_MAX;
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_from_dlpack(&none);
    ck_assert(heed_is_contiguous(t) && heed_item(heed_sum(t)) == 0);
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    ck_assert_ptr_eq(deleted, &none);
    heed_thread_cleanup();
}
END_TEST

/* -- Threads ------------------------------------------------------------------------------------------------------- */

static void *delete_elsewhere(void *user)
{
    managed *m = user;
    m->deleter(m);
    return NULL;
}

START_TEST(deleters_in_other_threads)
{
    enum { N = 16 };
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_ones(HEED_F64, HEED_SHAPE(100));
    managed *m[N];
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        m[i] = heed_to_dlpack(t);
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    heed_thread_cleanup();
    for (int i = 0; i < N; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, delete_elsewhere, m[i]), 0);
    for (int i = 0; i < N; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}
END_TEST

/* Imports a tensor of the main thread on the test's memory; the last owner releases it. */
static void *look_elsewhere(void *user)
{
    heed_tensor *t = heed_from_dlpack(user);
    void *result = t && heed_item(heed_sum(t)) == 6 ? user : NULL;
    heed_thread_cleanup();
    return result;
}

START_TEST(through_a_different_thread)
{
    double x[] = {1, 2, 3};
    managed m = theirs(x, 1, (int64_t[]){3});
    heed_scope *scope = heed_scope_begin();
    managed *again = heed_to_dlpack(heed_from_dlpack(&m));
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    ck_assert_int_eq(deletions, 0);
    pthread_t thread;
    void *result = NULL;
    ck_assert_int_eq(pthread_create(&thread, NULL, look_elsewhere, again), 0);
    ck_assert_int_eq(pthread_join(thread, &result), 0);
    ck_assert_ptr_eq(result, again);
    ck_assert_int_eq(deletions, 1);
}
END_TEST

HEED_TEST_MAIN("dlpack", what_is_given, memory_outlives_the_tensor, a_graph_is_not_kept,
               tensors_that_require_a_gradient, a_call_too_many, both_sides_write_the_same_memory, every_dtype, strides,
               writing_backwards, small_ranks, deleters_in_other_threads, through_a_different_thread)
