/* tests/promises/misuse/test_misuse_tensor.c - heed/tensor.h and heed/shape.h misused: making, reading, writing,
 * printing.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse.h"

/* -- Shapes ------------------------------------------------------------------------------------------------------- */

START_TEST(shapes)
{
    for (int i = 0; i < COUNT_OF(hostile_shapes); i++) {
        heed_shape a = hostile_shapes[i], both = HEED_SHAPE(5);
        const heed_text text = heed_shape_text(a);
        ck_assert_uint_lt(strlen(text.s), sizeof text.s);
        ck_assert(text.s[0] == '(' && text.s[strlen(text.s) - 1] == ')');
        int64_t numel = heed_shape_numel(a);
        ck_assert(numel >= -1);
        ck_assert(heed_shape_equal(a, a) == (a.rank >= 0 && a.rank <= HEED_MAX_RANK));
        ck_assert(!heed_shape_broadcast(a, a, NULL));
        ck_assert(heed_shape_broadcast(a, HEED_SCALAR, &both) == (numel >= 0));
        ck_assert(numel < 0 || heed_shape_equal(both, a));
        for (int k = 0; k < COUNT_OF(hostile_shapes); k++)
            if (heed_shape_broadcast(a, hostile_shapes[k], &both))
                ck_assert(heed_shape_numel(both) >= 0);
    }
    heed_shape alias = HEED_SHAPE(1, 3);
    ck_assert(heed_shape_broadcast(alias, HEED_SHAPE(2, 1), &alias));
    ck_assert(heed_shape_equal(alias, HEED_SHAPE(2, 3)));
    ck_assert_int_eq(heed_error_code(), HEED_OK);
}
END_TEST

/* -- Making ------------------------------------------------------------------------------------------------------- */

static void made(const char *name, heed_tensor *t, heed_dtype dtype, heed_shape shape)
{
    if (!t) {
        misuse_failed(name);
        return;
    }
    ck_assert_int_eq(heed_error_code(), HEED_OK);
    ck_assert_int_eq(heed_dtype_of(t), dtype);
    ck_assert(heed_shape_equal(heed_shape_of(t), shape));
}

START_TEST(making_with_hostile_shapes)
{
    for (int i = 0; i < COUNT_OF(hostile_shapes); i++)
        for (int d = -1; d <= HEED_DTYPE_COUNT; d++) {
            heed_shape shape = hostile_shapes[i];
            heed_dtype dtype = (heed_dtype)d;
            made("zeros", heed_zeros(dtype, shape), dtype, shape);
            made("ones", heed_ones(dtype, shape), dtype, shape);
            made("empty", heed_empty(dtype, shape), dtype, shape);
            for (int k = 0; k < COUNT_OF(hostile_doubles); k++)
                made("full", heed_full(dtype, shape, hostile_doubles[k]), dtype, shape);
            for (int k = 0; k < COUNT_OF(hostile_counts); k++) {
                int64_t count = hostile_counts[k];
                made("from_array", heed_from_array(dtype, shape, count ? NULL : &dtype, count), dtype, shape);
                made("from_values", heed_from_values(dtype, shape, NULL, count), dtype, shape);
            }
        }
    for (int d = -3; d < 9; d++)
        if (d < 0 || d >= HEED_DTYPE_COUNT) {
            ck_assert_uint_eq(heed_dtype_size((heed_dtype)d), 0);
            ck_assert_str_eq(heed_dtype_name((heed_dtype)d), "unknown");
            ck_assert_null_fails("zeros", HEED_ERR_DTYPE, "must be a heed_dtype",
                                 heed_zeros((heed_dtype)d, HEED_SHAPE(2)));
        }
    ck_assert_null_fails("zeros", HEED_ERR_SHAPE, "rank 9", heed_zeros(HEED_F32, hostile_shapes[1]));
    ck_assert_null_fails("zeros", HEED_ERR_SHAPE, "(-1)", heed_zeros(HEED_F32, HEED_SHAPE(-1)));
    ck_assert_null_fails("zeros", HEED_ERR_NOMEM, "cannot allocate 85899", heed_zeros(HEED_F32, HEED_SHAPE(TWO31)));
    ck_assert_null_fails("from_array", HEED_ERR_ARGUMENT, "NULL", heed_from_array(HEED_F32, HEED_SHAPE(2), NULL, 2));
    ck_assert_null_fails("from_array", HEED_ERR_SHAPE, "3 values", heed_from_array(HEED_F32, HEED_SHAPE(2), "abc", 3));
    ck_assert_null_fails("full", HEED_ERR_ARGUMENT, "nan", heed_full(HEED_I64, HEED_SHAPE(2), (double)NAN));
    ck_assert_null_fails("full", HEED_ERR_ARGUMENT, "0.5", heed_full(HEED_I64, HEED_SHAPE(2), 0.5));
}
END_TEST

static void made_ramp(const char *name, heed_tensor *t, heed_dtype dtype)
{
    if (!t) {
        misuse_failed(name);
        return;
    }
    ck_assert_int_eq(heed_dtype_of(t), dtype);
    for (int64_t i = 0; i < heed_numel(t) && i < 100; i++)
        ck_assert(dtype != HEED_F64 || isfinite(heed_get(t, HEED_INDEX(i))));
}

START_TEST(ramps)
{
    for (int round = 0; round < 300; round++) {
        heed_scope *scope = heed_scope_begin();
        heed_dtype dtype = (heed_dtype)(misuse_random() % 6) - 1;
        double start = ANY_OF(hostile_doubles), stop = ANY_OF(hostile_doubles), step = ANY_OF(hostile_doubles);
        int64_t n = ANY_OF(hostile_counts), m = ANY_OF(hostile_counts);
        made_ramp("arange", heed_arange(dtype, start, stop, step), dtype);
        made_ramp("linspace", heed_linspace(dtype, start, stop, n), dtype);
        made("eye", heed_eye(dtype, n, m), dtype, HEED_SHAPE(n, m));
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    }
    ck_assert_null_fails("arange", HEED_ERR_ARGUMENT, "", heed_arange(HEED_F32, 0, 1, 0));
    ck_assert_null_fails("arange", HEED_ERR_ARGUMENT, "nan", heed_arange(HEED_F32, 0, (double)NAN, 1));
    ck_assert_null_fails("linspace", HEED_ERR_ARGUMENT, "-1", heed_linspace(HEED_F32, 0, 1, -1));
    heed_tensor *wide = heed_linspace(HEED_F64, -DBL_MAX, DBL_MAX, 3);
    ck_assert(heed_get(wide, HEED_INDEX(1)) == 0.0 && heed_get(wide, HEED_INDEX(2)) == DBL_MAX);
}
END_TEST

/* -- Looking ------------------------------------------------------------------------------------------------------ */

START_TEST(looking_at_null)
{
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(2));
    ck_assert_fails("dtype_of", HEED_ERR_ARGUMENT, "NULL", heed_dtype_of(NULL) == HEED_F32);
    ck_assert_fails("shape_of", HEED_ERR_ARGUMENT, "NULL", heed_shape_of(NULL).rank == 0);
    ck_assert_fails("rank", HEED_ERR_ARGUMENT, "NULL", heed_rank(NULL) == 0);
    ck_assert_fails("numel", HEED_ERR_ARGUMENT, "NULL", heed_numel(NULL) == 0);
    ck_assert_fails("dim", HEED_ERR_ARGUMENT, "NULL", heed_dim(NULL, 0) == 0);
    ck_assert_fails("stride", HEED_ERR_ARGUMENT, "NULL", heed_stride(NULL, 0) == 0);
    ck_assert_fails("is_contiguous", HEED_ERR_ARGUMENT, "NULL", !heed_is_contiguous(NULL));
    ck_assert_fails("shares_storage", HEED_ERR_ARGUMENT, "NULL", !heed_shares_storage(NULL, t));
    ck_assert_fails("shares_storage", HEED_ERR_ARGUMENT, "NULL", !heed_shares_storage(t, NULL));
    ck_assert_fails("item", HEED_ERR_ARGUMENT, "NULL", isnan(heed_item(NULL)));
    ck_assert_fails("item_i64", HEED_ERR_ARGUMENT, "NULL", heed_item_i64(NULL) == 0);
    ck_assert_fails("get", HEED_ERR_ARGUMENT, "NULL", isnan(heed_get(NULL, HEED_SCALAR)));
    ck_assert_fails("get_i64", HEED_ERR_ARGUMENT, "NULL", heed_get_i64(NULL, HEED_SCALAR) == 0);
    ck_assert_null_fails("data_f32", HEED_ERR_ARGUMENT, "NULL", heed_data_f32(NULL));
    ck_assert_null_fails("data_f64", HEED_ERR_ARGUMENT, "NULL", heed_data_f64(NULL));
    ck_assert_null_fails("data_i64", HEED_ERR_ARGUMENT, "NULL", heed_data_i64(NULL));
    ck_assert_null_fails("data_bool", HEED_ERR_ARGUMENT, "NULL", heed_data_bool(NULL));
    ck_assert_null_fails("mutable_f32", HEED_ERR_ARGUMENT, "NULL", heed_mutable_f32(NULL));
    ck_assert_null_fails("mutable_f64", HEED_ERR_ARGUMENT, "NULL", heed_mutable_f64(NULL));
    ck_assert_null_fails("mutable_i64", HEED_ERR_ARGUMENT, "NULL", heed_mutable_i64(NULL));
    ck_assert_null_fails("mutable_bool", HEED_ERR_ARGUMENT, "NULL", heed_mutable_bool(NULL));
    ck_assert_null_fails("data_bytes", HEED_ERR_ARGUMENT, "NULL", heed_data_bytes(NULL));
    ck_assert_null_fails("mutable_bytes", HEED_ERR_ARGUMENT, "NULL", heed_mutable_bytes(NULL));
    ck_assert_status_fails("set_", HEED_ERR_ARGUMENT, "NULL", heed_set_(NULL, HEED_SCALAR, 1));
    ck_assert_status_fails("fill_", HEED_ERR_ARGUMENT, "NULL", heed_fill_(NULL, 1));
    ck_assert_status_fails("copy_", HEED_ERR_ARGUMENT, "NULL", heed_copy_(NULL, t));
    ck_assert_status_fails("copy_", HEED_ERR_ARGUMENT, "NULL", heed_copy_(t, NULL));
    ck_assert_status_fails("print", HEED_ERR_ARGUMENT, "NULL", heed_print(t, NULL));
    ck_assert_uint_eq(heed_format(NULL, NULL, 0), strlen("heed_tensor(NULL)"));
    ck_assert_uint_eq(heed_format(NULL, NULL, 5), strlen("heed_tensor(NULL)"));
}
END_TEST

static void check_reads(heed_tensor *t)
{
    for (int i = 0; i < COUNT_OF(hostile_ints); i++) {
        bool present = hostile_ints[i] >= -heed_rank(t) && hostile_ints[i] < heed_rank(t);
        (void)heed_dim(t, hostile_ints[i]);
        ck_assert_int_eq(heed_error_code(), present ? HEED_OK : HEED_ERR_SHAPE);
        (void)heed_stride(t, hostile_ints[i]);
        ck_assert_int_eq(heed_error_code(), present ? HEED_OK : HEED_ERR_SHAPE);
        heed_error_clear();
    }
    for (int i = 0; i < COUNT_OF(hostile_shapes); i++) {
        if (isnan(heed_get(t, hostile_shapes[i])) && heed_error_code() != HEED_OK)
            misuse_failed("get");
        if (heed_get_i64(t, hostile_shapes[i]) == 0 && heed_error_code() != HEED_OK)
            misuse_failed("get_i64");
    }
    if (isnan(heed_item(t)) && heed_numel(t) != 1)
        misuse_failed("item");
    if (heed_item_i64(t) == 0 && heed_error_code() != HEED_OK)
        misuse_failed("item_i64");
    const void *data[] = {heed_data_f32(t), heed_data_f64(t), heed_data_i64(t), heed_data_bool(t)};
    for (int d = 0; d < HEED_DTYPE_COUNT; d++)
        ck_assert((data[d] != NULL) == ((int)heed_dtype_of(t) == d && heed_is_contiguous(t)));
    ck_assert_ptr_eq(heed_data_bytes(t), data[heed_dtype_of(t)]);
    misuse_failed(data[HEED_F32] ? "data_f64" : "data_f32");
    char small[7];
    size_t length = heed_format(t, NULL, 0);
    ck_assert_uint_gt(length, sizeof small);
    ck_assert_uint_eq(heed_format(t, small, sizeof small), length);
    ck_assert_uint_eq(strlen(small), sizeof small - 1);
    FILE *file = tmpfile();
    ck_assert_int_eq(heed_print(t, file), HEED_OK);
    (void)fclose(file);
}

START_TEST(looking)
{
    zoo z;
    zoo_open(&z);
    for (int i = 1; i < ZOO_SIZE; i++)
        check_reads(z.animals[i]);
}
END_TEST

/* -- Writing ------------------------------------------------------------------------------------------------------ */

static void write_to(heed_tensor *t, const zoo *z)
{
    for (int k = 0; k < COUNT_OF(hostile_doubles); k++) {
        misuse_status("fill_", heed_fill_(t, hostile_doubles[k]));
        for (int i = 0; i < COUNT_OF(hostile_shapes); i++)
            misuse_status("set_", heed_set_(t, hostile_shapes[i], hostile_doubles[k]));
        misuse_status("set_", heed_set_(t, (heed_shape){.rank = heed_rank(t)}, hostile_doubles[k]));
    }
    for (int i = 1; i < ZOO_SIZE; i++) {
        heed_status status = heed_copy_(t, z->animals[i]);
        bool inner = status != HEED_OK && (misuse_names("to_dtype") || misuse_names("clone"));
        misuse_status(inner ? (misuse_names("clone") ? "clone" : "to_dtype") : "copy_", status);
        misuse_status("copy_", heed_copy_(t, t));
    }
}

START_TEST(writing)
{
    for (int quiet = 0; quiet < 2; quiet++) {
        heed_scope *scope = quiet ? heed_no_grad_begin() : heed_scope_begin();
        zoo z;
        zoo_open(&z);
        for (int i = 1; i < ZOO_SIZE; i++)
            if (heed_numel(z.animals[i]) < TWO31)
                write_to(z.animals[i], &z);
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    }
    heed_tensor *leaf = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true);
    ck_assert_status_fails("fill_", HEED_ERR_STATE, "no_grad", heed_fill_(leaf, 1));
    ck_assert_status_fails("set_", HEED_ERR_STATE, "no_grad", heed_set_(leaf, HEED_INDEX(0), 1));
    ck_assert_status_fails("copy_", HEED_ERR_STATE, "no_grad", heed_copy_(leaf, leaf));
    ck_assert_null_fails("mutable_f64", HEED_ERR_STATE, "no_grad", heed_mutable_f64(leaf));
    heed_tensor *wide = heed_expand(heed_ones(HEED_I64, HEED_SHAPE(1)), HEED_SHAPE(TWO61));
    ck_assert_status_fails("fill_", HEED_ERR_UNSUPPORTED, "overlap", heed_fill_(wide, 1));
    ck_assert_status_fails("copy_", HEED_ERR_UNSUPPORTED, "overlap",
                           heed_copy_(wide, heed_ones(HEED_I64, HEED_SCALAR)));
    ck_assert_null_fails("mutable_i64", HEED_ERR_UNSUPPORTED, "contiguous", heed_mutable_i64(wide));
    ck_assert_null_fails("mutable_f32", HEED_ERR_DTYPE, "i64", heed_mutable_f32(wide));
    ck_assert_null_fails("mutable_bool", HEED_ERR_DTYPE, "i64", heed_mutable_bool(wide));
}
END_TEST

/* dst and src are views of one storage, shifted, flipped and transposed. */
START_TEST(copies_onto_themselves)
{
    heed_tensor *x = heed_arange(HEED_F64, 0, 6, 1);
    ck_assert_int_eq(heed_copy_(heed_slice(x, 0, 1, 6, 1), heed_slice(x, 0, 0, 5, 1)), HEED_OK);
    ck_assert(heed_get(x, HEED_INDEX(0)) == 0 && heed_get(x, HEED_INDEX(1)) == 0 && heed_get(x, HEED_INDEX(5)) == 4);
    ck_assert_int_eq(heed_copy_(x, heed_flip(x, HEED_AXES(0))), HEED_OK);
    ck_assert(heed_get(x, HEED_INDEX(0)) == 4 && heed_get(x, HEED_INDEX(5)) == 0);
    heed_tensor *square = heed_reshape(heed_slice(x, 0, 0, 4, 1), HEED_SHAPE(2, 2));
    ck_assert_int_eq(heed_copy_(square, heed_transpose(square, 0, 1)), HEED_OK);
    ck_assert(heed_get(x, HEED_INDEX(1)) == 2 && heed_get(x, HEED_INDEX(2)) == 3);
}
END_TEST

MISUSE_MAIN("misuse of heed/tensor.h", shapes, making_with_hostile_shapes, ramps, looking_at_null, looking, writing,
            copies_onto_themselves)
