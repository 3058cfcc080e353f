/* tests/data/test_scaler.c - tests of standardising: values from exact fractions, later data, saving.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "fail_alloc.h"
#include "reference/scaler_reference.h"

static heed_tensor *table(heed_dtype dtype)
{
    heed_tensor *x =
        heed_from_array(HEED_F64, HEED_SHAPE(SCALER_ROWS, SCALER_COLUMNS), scaler_x, SCALER_ROWS * SCALER_COLUMNS);
    return heed_to_dtype(x, dtype);
}

static heed_scaler *make_scaler(heed_tensor *x, const heed_scaler_options *options)
{
    heed_scaler *s = heed_scaler_new(x, options);
    ck_assert_msg(s != NULL, "%s", heed_error_message());
    return s;
}

static void check_relative(double a, double b, double tolerance)
{
    ck_assert_near(a, b, tolerance * fabs(b));
}

START_TEST(mean_and_std)
{
    heed_scaler *s = make_scaler(table(HEED_F64), NULL);
    for (int k = 0; k < SCALER_COLUMNS; k++) {
        check_relative(heed_data_f64(heed_scaler_mean(s))[k], scaler_mean[k], 4e-16);
        check_relative(heed_data_f64(heed_scaler_std(s))[k], scaler_std[k], 1e-15);
    }
    ck_assert_double_eq(heed_data_f64(heed_scaler_mean(s))[3], 0.1); /* exact, since all numbers are equal */
    ck_assert_double_eq(heed_data_f64(heed_scaler_std(s))[3], 1);
    heed_scaler_free(s);
    heed_scaler_free(NULL);
}
END_TEST

START_TEST(f32_is_rounded_once)
{
    heed_tensor *x = heed_slice(table(HEED_F32), 1, 0, 1, 1);
    heed_scaler *s = make_scaler(x, NULL), *wide = make_scaler(heed_to_dtype(x, HEED_F64), NULL);
    ck_assert_int_eq(heed_dtype_of(heed_scaler_mean(s)), HEED_F32);
    ck_assert_float_eq(heed_data_f32(heed_scaler_mean(s))[0], (float)heed_data_f64(heed_scaler_mean(wide))[0]);
    ck_assert_float_eq(heed_data_f32(heed_scaler_std(s))[0], (float)heed_data_f64(heed_scaler_std(wide))[0]);
    heed_scaler_free(s);
    heed_scaler_free(wide);
}
END_TEST

START_TEST(apply_and_undo)
{
    heed_tensor *x = table(HEED_F64);
    heed_scaler *s = make_scaler(x, NULL);
    heed_tensor *z = heed_scaler_transform(s, x), *back = heed_scaler_inverse_transform(s, z);
    for (int i = 0; i < SCALER_ROWS; i++)
        for (int k = 0; k < SCALER_COLUMNS; k++) {
            double value = scaler_x[i][k];
            ck_assert_same(heed_get(z, HEED_INDEX(i, k)),
                           (value - heed_data_f64(heed_scaler_mean(s))[k]) / heed_data_f64(heed_scaler_std(s))[k]);
            if (isnan(value))
                ck_assert(isnan(heed_get(back, HEED_INDEX(i, k))));
            else
                check_relative(heed_get(back, HEED_INDEX(i, k)), value, 1e-14);
        }
    heed_scaler *again = make_scaler(heed_slice(z, 1, 0, 3, 1), NULL); /* mean 0, deviation 1 */
    for (int k = 0; k < 3; k++) {
        ck_assert_near(heed_data_f64(heed_scaler_mean(again))[k], 0, 1e-6);
        ck_assert_near(heed_data_f64(heed_scaler_std(again))[k], 1, 1e-6);
    }
    heed_scaler_free(again);
    heed_scaler_free(s);
}
END_TEST

START_TEST(shapes)
{
    heed_scaler *line = make_scaler(HEED_TENSOR(HEED_F32, HEED_SHAPE(4), 1, 3, 1, 3), NULL);
    ck_assert_int_eq(heed_rank(heed_scaler_mean(line)), 0);
    ck_assert_double_eq(heed_item(heed_scaler_mean(line)), 2);
    ck_assert_double_eq(heed_item(heed_scaler_transform(line, heed_full(HEED_F32, HEED_SCALAR, 5))), 3);
    ck_assert_double_eq(
        heed_get(heed_scaler_inverse_transform(line, heed_full(HEED_F32, HEED_SHAPE(2), 3)), HEED_INDEX(1)), 5);
    heed_scaler_free(line);
    heed_scaler *images = make_scaler(heed_rand(HEED_F64, HEED_SHAPE(6, 2, 3)), NULL);
    ck_assert(heed_shape_equal(heed_shape_of(heed_scaler_std(images)), HEED_SHAPE(2, 3)));
    ck_assert_int_eq(heed_rank(heed_scaler_transform(images, heed_rand(HEED_F64, HEED_SHAPE(2, 3)))), 2);
    ck_assert_int_eq(heed_rank(heed_scaler_transform(images, heed_rand(HEED_F64, HEED_SHAPE(0, 2, 3)))), 3);
    static const heed_shape others[] = {{.rank = 1, .dims = {3}},
                                        {.rank = 2, .dims = {6, 1}},
                                        {.rank = 3, .dims = {6, 3, 2}},
                                        {.rank = 4, {1, 6, 2, 3}}};
    for (int i = 0; i < 4; i++) {
        ck_assert_ptr_null(heed_scaler_transform(images, heed_ones(HEED_F64, others[i])));
        ck_assert_error(HEED_ERR_SHAPE, "but the scaler's columns are (2, 3)");
    }
    ck_assert_ptr_null(heed_scaler_inverse_transform(images, heed_ones(HEED_F64, HEED_SHAPE(6, 6))));
    ck_assert_error(HEED_ERR_SHAPE, "scaler_inverse_transform: x is (6, 6), but the scaler's columns are (2, 3)");
    ck_assert_ptr_null(heed_scaler_transform(images, heed_ones(HEED_F32, HEED_SHAPE(2, 3))));
    ck_assert_error(HEED_ERR_DTYPE, "scaler_transform: x is f32, but the scaler is f64");
    heed_scaler_free(images);
    heed_scaler *empty = make_scaler(heed_ones(HEED_F32, HEED_SHAPE(2, 0)), NULL);
    ck_assert_int_eq(heed_numel(heed_scaler_mean(empty)), 0);
    heed_scaler_free(empty);
}
END_TEST

static void check_same_statistics(const heed_scaler *a, const heed_scaler *b)
{
    ck_assert_mem_eq(heed_data_f64(heed_scaler_mean(a)), heed_data_f64(heed_scaler_mean(b)), SCALER_COLUMNS * 8);
    ck_assert_mem_eq(heed_data_f64(heed_scaler_std(a)), heed_data_f64(heed_scaler_std(b)), SCALER_COLUMNS * 8);
}

/* The columns of the table as channels of images: the same numbers in the same order. */
START_TEST(per_channel)
{
    heed_tensor *x = table(HEED_F64), *last = heed_reshape(x, HEED_SHAPE(1, 5, 5, SCALER_COLUMNS));
    heed_tensor *images = heed_permute(last, HEED_SHAPE(0, 3, 1, 2));
    heed_scaler *plain = make_scaler(x, NULL);
    heed_scaler *s = make_scaler(images, &(heed_scaler_options){.axes = HEED_AXES(0, 2, 3)});
    heed_scaler *t = make_scaler(last, &(heed_scaler_options){.axes = HEED_AXES(-2, 0, 1)});
    ck_assert(heed_shape_equal(heed_shape_of(heed_scaler_mean(s)), HEED_SHAPE(SCALER_COLUMNS, 1, 1)));
    ck_assert(heed_shape_equal(heed_shape_of(heed_scaler_std(t)), HEED_SHAPE(1, 1, SCALER_COLUMNS)));
    check_same_statistics(s, plain);
    check_same_statistics(t, plain);
    heed_tensor *z = heed_scaler_transform(s, images), *expected = heed_scaler_transform(plain, x);
    ck_assert(heed_shape_equal(heed_shape_of(z), heed_shape_of(images)));
    z = heed_reshape(heed_permute(z, HEED_SHAPE(0, 2, 3, 1)), HEED_SHAPE(SCALER_ROWS, SCALER_COLUMNS));
    ck_assert_mem_eq(heed_data_f64(heed_contiguous(z)), heed_data_f64(expected), SCALER_ROWS * SCALER_COLUMNS * 8);
    ck_assert_int_eq(heed_rank(heed_scaler_transform(s, heed_ones(HEED_F64, HEED_SHAPE(SCALER_COLUMNS, 7, 2)))), 3);
    ck_assert_int_eq(heed_numel(heed_scaler_transform(s, heed_ones(HEED_F64, HEED_SHAPE(2, SCALER_COLUMNS, 0, 1)))), 0);
    ck_assert_ptr_null(heed_scaler_transform(s, heed_ones(HEED_F64, HEED_SHAPE(1, 5, 5))));
    ck_assert_error(HEED_ERR_SHAPE, "x is (1, 5, 5), but the scaler's columns are (5, 1, 1)");
    heed_scaler_free(t);
    heed_scaler_free(s);
    heed_scaler_free(plain);
    heed_scaler *one = make_scaler(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 1), 1, 3), NULL); /* axis 1 is not averaged */
    ck_assert_ptr_null(heed_scaler_transform(one, heed_ones(HEED_F32, HEED_SHAPE(2, 4))));
    ck_assert_error(HEED_ERR_SHAPE, "x is (2, 4), but the scaler's columns are (1)");
    heed_scaler_free(one);
}
END_TEST

static void check_axes(heed_shape axes, const char *text)
{
    ck_assert_ptr_null(heed_scaler_new(heed_ones(HEED_F32, HEED_SHAPE(2, 3, 0)), &(heed_scaler_options){.axes = axes}));
    ck_assert_error(HEED_ERR_SHAPE, text);
}

START_TEST(invalid_axes)
{
    check_axes(HEED_AXES(0, 3), "scaler_new: axis 3 is outside a tensor of rank 3");
    check_axes(HEED_AXES(0, -4), "scaler_new: axis -4 is outside a tensor of rank 3");
    check_axes(HEED_AXES(0, 1, -2), "scaler_new: axis -2 is given twice in (0, 1, -2)");
    check_axes(HEED_AXES(1), "scaler_new: axes is (1): must contain 0, the axis of the samples");
    check_axes(HEED_AXES(0, 2), "scaler_new: x has shape (2, 3, 0): must not be empty on axis 2");
    check_axes((heed_shape){.rank = 9}, "scaler_new: the list has 9 axes: must be at most 8");
    check_axes((heed_shape){.rank = -1}, "scaler_new: the list has -1 axes: must be at most 8");
}
END_TEST

START_TEST(saved_axes)
{
    heed_tensor *x = heed_rand(HEED_F64, HEED_SHAPE(4, 3, 2, 5));
    heed_dict *dict = heed_dict_new();
    heed_scaler *s = make_scaler(x, &(heed_scaler_options){.axes = HEED_AXES(3, 0, 2)});
    ck_assert_int_eq(heed_scaler_save(s, dict, "x"), HEED_OK);
    ck_assert_str_eq(heed_dict_text(dict, "x.axes"), "0,2,3");
    heed_scaler *again = heed_scaler_load(dict, "x");
    ck_assert_msg(again != NULL, "%s", heed_error_message());
    heed_tensor *small = heed_slice(x, 3, 0, 2, 1);
    ck_assert_mem_eq(heed_data_f64(heed_scaler_transform(again, small)), heed_data_f64(heed_scaler_transform(s, small)),
                     48 * sizeof(double));
    static const char *const invalid[] = {"", "1", "0,", "0,1", "0,2,2", "0,4", "0,9", "0,2,", "0;2", "0,2x"};
    for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++) {
        char message[128];
        ck_assert_int_eq(heed_dict_set_text(dict, "x.axes", invalid[i]), HEED_OK);
        (void)snprintf(message, sizeof message, "text \"x.axes\" is %s, but the mean is (3, 1, 1)", invalid[i]);
        ck_assert_ptr_null(heed_scaler_load(dict, "x"));
        ck_assert_error(HEED_ERR_FORMAT, message);
    }
    heed_scaler_free(again);
    heed_scaler_free(s);
    heed_dict_free(dict);
}
END_TEST

START_TEST(missing_as_the_mean)
{
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(3, 2), 1, 10, (double)NAN, 20, 3, 30);
    heed_scaler *s = make_scaler(x, &(heed_scaler_options){.fill_nan = true});
    heed_tensor *z = heed_scaler_transform(s, x);
    static const double expected[] = {-1, -1.224744871391589, 0, 0, 1, 1.224744871391589};
    for (int i = 0; i < 6; i++)
        ck_assert_near((double)heed_data_f32(z)[i], expected[i], 1e-6);
    heed_scaler_free(s);
}
END_TEST

START_TEST(gradients)
{
    heed_scaler *s = make_scaler(table(HEED_F64), &(heed_scaler_options){.fill_nan = true});
    heed_tensor *x = heed_set_requires_grad(heed_rand(HEED_F64, HEED_SHAPE(2, SCALER_COLUMNS)), true);
    ck_assert_int_eq(heed_backward(heed_sum(heed_scaler_transform(s, x))), HEED_OK);
    for (int k = 0; k < SCALER_COLUMNS; k++)
        check_relative(heed_get(heed_grad_of(x), HEED_INDEX(1, k)), 1 / scaler_std[k], 1e-14);
    ck_assert(!heed_requires_grad(heed_scaler_mean(s)));
    heed_scaler *leaf = make_scaler(x, NULL);
    ck_assert(!heed_requires_grad(heed_scaler_mean(leaf)));
    heed_scaler_free(leaf);
    heed_scaler_free(s);
}
END_TEST

START_TEST(equal_numbers_are_their_mean)
{
    for (int n = 1; n <= 50; n++) {
        double value = 1.0 / (3 * n);
        heed_scaler *s = make_scaler(heed_full(HEED_F64, HEED_SHAPE(n), value), NULL);
        ck_assert_double_eq(heed_item(heed_scaler_mean(s)), value);
        ck_assert_double_eq(heed_item(heed_scaler_std(s)), 1);
        heed_scaler_free(s);
    }
}
END_TEST

/* A column of numbers whose squares overflow or underflow, next to a column of ordinary numbers: 1, 3 and NaN, with a
 * deviation of 1. */
START_TEST(extreme_magnitudes)
{
    static const double scales[] = {1e-320, 1e-300, 1e-200, 1e-160, 1e160, 1e200, 3e307};
    for (int i = 0; i < 7; i++) {
        const double c = scales[i], nan = (double)NAN;
        heed_scaler *s = make_scaler(HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 2), c, 1, 3 * c, 2, nan, 6), NULL);
        check_relative(heed_data_f64(heed_scaler_mean(s))[0], 2 * c, 1e-12);
        check_relative(heed_data_f64(heed_scaler_std(s))[0], c, 1e-12);
        ck_assert_double_eq(heed_data_f64(heed_scaler_mean(s))[1], 3);
        heed_scaler_free(s);
    }
    heed_scaler *s = make_scaler(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1.7e308, 1.5e308), NULL); /* the sum overflows */
    check_relative(heed_item(heed_scaler_mean(s)), 1.6e308, 1e-12);
    check_relative(heed_item(heed_scaler_std(s)), 1e307, 1e-12);
    heed_scaler_free(s);
}
END_TEST

/* Differences too small to square do not lead to a division by 0. */
START_TEST(tiny_differences)
{
    heed_scaler *s = make_scaler(heed_mul_scalar(HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 1, 3), 0x1p-149), NULL);
    ck_assert_double_eq(heed_item(heed_scaler_std(s)), 0x1p-149);
    heed_scaler_free(s);
}
END_TEST

START_TEST(saved)
{
    heed_tensor *x = table(HEED_F32);
    for (int fill = 0; fill < 2; fill++) {
        heed_dict *dict = heed_dict_new();
        heed_scaler *s = make_scaler(x, &(heed_scaler_options){.fill_nan = fill});
        ck_assert_int_eq(heed_scaler_save(s, dict, "x"), HEED_OK);
        heed_scaler_free(s);
        ck_assert(heed_dict_size(dict) == 2 && heed_dict_has(dict, "x.mean") && heed_dict_has(dict, "x.std"));
        heed_scaler *again = heed_scaler_load(dict, "x");
        heed_fill_(heed_dict_get(dict, "x.mean"), 5); /* the scaler has its own copy */
        s = make_scaler(x, &(heed_scaler_options){.fill_nan = fill});
        heed_tensor *a = heed_scaler_transform(s, x), *b = heed_scaler_transform(again, x);
        ck_assert(memcmp(heed_data_f32(a), heed_data_f32(b), SCALER_ROWS * SCALER_COLUMNS * sizeof(float)) == 0);
        heed_scaler_free(s);
        heed_scaler_free(again);
        heed_dict_free(dict);
    }
}
END_TEST

static void check_unloadable(heed_dict *dict, heed_status code, const char *text)
{
    ck_assert_ptr_null(heed_scaler_load(dict, "x"));
    ck_assert_error(code, text);
}

START_TEST(invalid_dicts)
{
    heed_dict *dict = heed_dict_new();
    check_unloadable(dict, HEED_ERR_ARGUMENT, "scaler_load: ");
    heed_dict_set(dict, "x.mean", heed_ones(HEED_F32, HEED_SHAPE(3)));
    check_unloadable(dict, HEED_ERR_ARGUMENT, "x.std");
    heed_dict_set(dict, "x.std", heed_ones(HEED_F32, HEED_SHAPE(2)));
    check_unloadable(dict, HEED_ERR_FORMAT, "scaler_load: \"x\" has mean f32 (3) and std f32 (2): not a valid scaler");
    heed_dict_set(dict, "x.std", heed_ones(HEED_F64, HEED_SHAPE(3)));
    check_unloadable(dict, HEED_ERR_FORMAT, "std f64 (3)");
    heed_dict_set(dict, "x.std", heed_ones(HEED_F32, HEED_SHAPE(3)));
    check_unloadable(dict, HEED_ERR_FORMAT, "text \"x.fill_nan\" is missing");
    const double invalid[] = {0.0, -1.0, (double)NAN, (double)INFINITY};
    for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++) {
        heed_set_(heed_dict_get(dict, "x.std"), HEED_INDEX(1), invalid[i]);
        check_unloadable(dict, HEED_ERR_FORMAT, "\"x\" has a std that is not positive and finite");
    }
    heed_fill_(heed_dict_get(dict, "x.std"), 1.0);
    heed_dict_set_text(dict, "x.fill_nan", "yes");
    check_unloadable(dict, HEED_ERR_FORMAT, "text \"x.fill_nan\" is yes: must be true or false");
    heed_dict_set(dict, "x.mean", heed_ones(HEED_I64, HEED_SHAPE(3)));
    heed_dict_set(dict, "x.std", heed_ones(HEED_I64, HEED_SHAPE(3)));
    check_unloadable(dict, HEED_ERR_FORMAT, "mean i64 (3)");
    check_unloadable(NULL, HEED_ERR_ARGUMENT, "scaler_load: the dict is NULL");
    ck_assert_ptr_null(heed_scaler_load(dict, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "scaler_load: the name is NULL");
    heed_dict_free(dict);
}
END_TEST

static void check_refused(heed_tensor *x, heed_status code, const char *text)
{
    ck_assert_ptr_null(heed_scaler_new(x, NULL));
    ck_assert_error(code, text);
}

START_TEST(refuses)
{
    double inf = (double)INFINITY, nan = (double)NAN;
    check_refused(NULL, HEED_ERR_ARGUMENT, "scaler_new: x is NULL");
    check_refused(heed_ones(HEED_I64, HEED_SHAPE(3)), HEED_ERR_DTYPE, "scaler_new: x is i64: must be f32 or f64");
    check_refused(heed_ones(HEED_F32, HEED_SCALAR), HEED_ERR_SHAPE,
                  "scaler_new: x has shape (): must have at least one sample, on axis 0");
    check_refused(heed_ones(HEED_F32, HEED_SHAPE(0, 3)), HEED_ERR_SHAPE,
                  "scaler_new: x has shape (0, 3): must have at least one sample, on axis 0");
    check_refused(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), 1, nan, 2, nan), HEED_ERR_ARGUMENT,
                  "scaler_new: column 1 contains only NaN");
    check_refused(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 1, 2, inf, 3), HEED_ERR_ARGUMENT,
                  "column 0 contains an infinity");
    check_refused(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), inf, inf), HEED_ERR_ARGUMENT, "column 0 contains an infinity");
    check_refused(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), inf, -inf), HEED_ERR_ARGUMENT, "column 0 contains an infinity");
    heed_scaler *s = make_scaler(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1e308, 1e308), NULL); /* equal */
    heed_dict *dict = heed_dict_new();
    ck_assert_ptr_null(heed_scaler_transform(NULL, heed_scaler_mean(s)));
    ck_assert_error(HEED_ERR_ARGUMENT, "scaler_transform: the scaler is NULL");
    ck_assert_ptr_null(heed_scaler_inverse_transform(s, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "scaler_inverse_transform: x is NULL");
    ck_assert_ptr_null(heed_scaler_mean(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "scaler_mean: the scaler is NULL");
    ck_assert_ptr_null(heed_scaler_std(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "scaler_std: the scaler is NULL");
    ck_assert_int_eq(heed_scaler_save(NULL, dict, "x"), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "scaler_save: the scaler is NULL");
    ck_assert_int_eq(heed_scaler_save(s, NULL, "x"), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "scaler_save: ");
    ck_assert_int_eq(heed_scaler_save(s, dict, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "scaler_save: the name is NULL");
    heed_dict_free(dict);
    heed_scaler_free(s);
}
END_TEST

static bool scaler_program(double *value)
{
    heed_tensor *x = heed_reshape(heed_arange(HEED_F32, 0, 8, 1), HEED_SHAPE(2, 2, 2)), *z = NULL;
    heed_dict *dict = heed_dict_new();
    heed_scaler *s = x ? heed_scaler_new(x, &(heed_scaler_options){.fill_nan = true, .axes = HEED_AXES(0, 2)}) : NULL,
                *again = NULL;
    if (s && dict && heed_scaler_save(s, dict, "x") == HEED_OK)
        again = heed_scaler_load(dict, "x");
    if (again)
        z = heed_scaler_inverse_transform(again, heed_scaler_transform(s, x));
    *value = z ? heed_get(z, HEED_INDEX(1, 0, 0)) : 0;
    heed_scaler_free(s);
    heed_scaler_free(again);
    heed_dict_free(dict);
    return z != NULL;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(scaler_program);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("scaler", mean_and_std, f32_is_rounded_once, apply_and_undo, shapes, per_channel, invalid_axes,
               saved_axes, missing_as_the_mean, gradients, equal_numbers_are_their_mean, extreme_magnitudes,
               tiny_differences, saved, invalid_dicts, refuses, out_of_memory)
