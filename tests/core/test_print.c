/* tests/core/test_print.c - tests heed_format and heed_print against PyTorch's output.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "foreign_locale.h"
#include "reference/print_reference.h"

#define CASES ((int)(sizeof print_cases / sizeof print_cases[0]))

static char text[8192];

static heed_tensor *make_case(int i)
{
    heed_shape shape = print_cases[i].shape;
    int64_t n = heed_shape_numel(shape);
    heed_tensor *t;
    if (print_cases[i].values || n == 0) {
        t = heed_from_array(print_cases[i].dtype, shape, print_cases[i].values, n);
    } else {
        t = heed_empty(print_cases[i].dtype, HEED_SHAPE(n));
        for (int64_t k = 0; k < n; k++)
            ck_assert_int_eq(heed_set_(t, HEED_INDEX(k), (double)k * print_cases[i].step), HEED_OK);
        t = heed_reshape(t, shape);
    }
    return print_cases[i].requires_grad ? heed_set_requires_grad(t, true) : t;
}

static void check_text(const heed_tensor *t, const char *expected)
{
    size_t length = heed_format(t, text, sizeof text);
    ck_assert_str_eq(text, expected);
    ck_assert_uint_eq(length, strlen(expected));
}

static void check_cases(void)
{
    for (int i = 0; i < CASES; i++)
        check_text(make_case(i), print_cases[i].text);
}

START_TEST(as_pytorch)
{
    check_cases();
}
END_TEST

static void check_in_locale(const char *name)
{
    if (!foreign_locale_begin(name))
        return;
    check_cases();
    foreign_locale_end();
}

/* A locale whose decimal point is a comma, and one whose decimal point has two bytes. */
START_TEST(in_any_locale)
{
    check_in_locale("de_DE");
    check_in_locale("ps_AF");
}
END_TEST

START_TEST(views)
{
    heed_tensor *t = HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 2, 3, 4, 5, 6);
    check_text(heed_transpose(t, 0, 1), "tensor([[1., 4.],\n"
                                        "        [2., 5.],\n"
                                        "        [3., 6.]], shape=(3, 2), dtype=f32)");
    check_text(heed_expand(HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 7), HEED_SHAPE(2, 3)),
               "tensor([[7, 7, 7],\n"
               "        [7, 7, 7]], shape=(2, 3), dtype=i64)");
    heed_tensor *wide = heed_reshape(heed_arange(HEED_I64, 0, 4000, 1), HEED_SHAPE(2000, 2));
    check_text(wide, "tensor([[   0,    1],\n"
                     "        [   2,    3],\n"
                     "        [   4,    5],\n"
                     "        ...,\n"
                     "        [3994, 3995],\n"
                     "        [3996, 3997],\n"
                     "        [3998, 3999]], shape=(2000, 2), dtype=i64)");
    check_text(heed_select(wide, 1, 1), "tensor([   1,    3,    5,  ..., 3995, 3997, 3999], shape=(2000), dtype=i64)");
}
END_TEST

/* The expected texts are torch 1.13's. */
START_TEST(large_and_small_numbers)
{
    check_text(HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 1e9, 2e9),
               "tensor([1.0000e+09, 2.0000e+09], shape=(2), dtype=f32)");
    check_text(HEED_TENSOR(HEED_F32, HEED_SHAPE(2), 1e-5, 2e-5),
               "tensor([1.0000e-05, 2.0000e-05], shape=(2), dtype=f32)");
}
END_TEST

START_TEST(elides_above_1000)
{
    heed_format(heed_zeros(HEED_F32, HEED_SHAPE(1000)), text, sizeof text);
    int zeros = 0;
    for (const char *c = text; (c = strstr(c, "0.")) != NULL; c++)
        zeros++;
    ck_assert_int_eq(zeros, 1000);
    ck_assert_ptr_null(strstr(text, "..."));
    check_text(heed_zeros(HEED_F32, HEED_SHAPE(1001)),
               "tensor([0., 0., 0.,  ..., 0., 0., 0.], shape=(1001), dtype=f32)");
}
END_TEST

static heed_tensor *eight_axes(int64_t dim)
{
    heed_shape shape = HEED_SHAPE(dim, dim, dim, dim, dim, dim, dim, dim);
    return heed_expand(HEED_TENSOR(HEED_I64, HEED_SHAPE(1), INT64_MIN), shape);
}

static void check_shown(heed_tensor *t, int64_t elements)
{
    static char long_text[500 * 1000];
    ck_assert_uint_lt(heed_format(t, long_text, sizeof long_text), sizeof long_text);
    int64_t shown = 0;
    for (const char *c = long_text; (c = strstr(c, "-9223372036854775808")) != NULL; c++)
        shown++;
    ck_assert_int_eq(shown, elements);
}

/* Every edge shows the same number of elements as in PyTorch, or fewer if these are more than 10000 in total. */
START_TEST(no_text_is_long)
{
    heed_tensor *least = HEED_TENSOR(HEED_I64, HEED_SHAPE(1), INT64_MIN);
    check_shown(heed_expand(least, HEED_SHAPE(9, 9, 9, 9)), 6 * 6 * 6 * 6);
    check_shown(heed_expand(least, HEED_SHAPE(9, 9, 9, 9, 9)), 6 * 6 * 6 * 6 * 6);
    check_shown(heed_expand(least, HEED_SHAPE(9, 9, 9, 9, 9, 9)), 4 * 4 * 4 * 4 * 4 * 4);
    check_shown(heed_expand(least, HEED_SHAPE(9, 9, 9, 9, 9, 9, 9)), 2 * 2 * 2 * 2 * 2 * 2 * 2);
    check_shown(eight_axes(2), 256);
    check_shown(eight_axes(3), 3 * 3 * 3 * 3 * 3 * 3 * 3 * 3);
    check_shown(eight_axes(4), 256);
    check_shown(eight_axes(200), 256);
    check_shown(heed_expand(least, HEED_SHAPE(3, 4, 3, 7, 7, 5, 7, 1)), 3 * 4 * 3 * 4 * 4 * 4 * 4);
    heed_tensor *ones = heed_expand(HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 1), HEED_SHAPE(1, 1, 1, 90, 90, 90, 90, 90));
    heed_format(ones, text, sizeof text);
    ck_assert(strncmp(text, "tensor([[[[[[[[1, 1, 1,  ..., 1, 1, 1],\n", 39) == 0);
    heed_format(heed_expand(ones, HEED_SHAPE(1, 90, 90, 90, 90, 90, 90, 90)), text, sizeof text);
    ck_assert(strncmp(text, "tensor([[[[[[[[1,  ..., 1],\n              ...,\n", 47) == 0);
}
END_TEST

START_TEST(shapes_of_any_length)
{
    heed_shape shape = HEED_SHAPE(0, INT64_MAX, INT64_MAX, 1, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX);
    if (heed_shape_numel(shape) == 0) {
        heed_format(heed_zeros(HEED_F32, shape), text, sizeof text);
        ck_assert_ptr_nonnull(strstr(text, "9223372036854775807),\n       dtype=f32)"));
    }
    shape = HEED_SHAPE(1, 1, 1, 1, 1, 1000, 1000, 0);
    check_text(heed_zeros(HEED_F32, shape), "tensor([], shape=(1, 1, 1, 1, 1, 1000, 1000, 0), dtype=f32)");
}
END_TEST

/* Like snprintf: buffers of every size, and a NULL buffer. */
START_TEST(short_buffers)
{
    heed_tensor *t = HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1.5, 2.5);
    static const char whole[] = "tensor([1.5000, 2.5000], shape=(2), dtype=f64)";
    for (size_t size = 0; size <= sizeof whole + 1; size++) {
        memset(text, 'x', 64);
        ck_assert_uint_eq(heed_format(t, text, size), sizeof whole - 1);
        size_t kept = size == 0 ? 0 : size < sizeof whole ? size - 1 : sizeof whole - 1;
        ck_assert(memcmp(text, whole, kept) == 0);
        ck_assert_int_eq(text[kept], size == 0 ? 'x' : '\0');
        ck_assert_int_eq(text[size > kept ? size : kept + 1], 'x');
    }
    ck_assert_uint_eq(heed_format(t, NULL, 0), sizeof whole - 1);
    ck_assert_uint_eq(heed_format(t, NULL, 100), sizeof whole - 1);
    check_text(NULL, "heed_tensor(NULL)");
}
END_TEST

static void check_file(const heed_tensor *t, const char *expected)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(heed_print(t, file), HEED_OK);
    rewind(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    ck_assert_uint_eq(n, strlen(expected) + 1);
    ck_assert(memcmp(text, expected, n - 1) == 0 && text[n - 1] == '\n');
}

START_TEST(to_a_file)
{
    for (int i = 0; i < CASES; i++)
        check_file(make_case(i), print_cases[i].text);
    check_file(NULL, "heed_tensor(NULL)");
    static char whole[8192];
    heed_tensor *many = heed_zeros(HEED_F32, HEED_SHAPE(1000));
    ck_assert_uint_lt(heed_format(many, whole, sizeof whole), sizeof whole);
    check_file(many, whole);
}
END_TEST

START_TEST(file_errors)
{
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(3));
    ck_assert_int_eq(heed_print(t, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "print: file is NULL");
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        ck_assert_int_eq(heed_print(t, full), HEED_ERR_IO);
        ck_assert_error(HEED_ERR_IO, "print: ");
        (void)setvbuf(full, NULL, _IONBF, 0);
        ck_assert_int_eq(heed_print(t, full), HEED_ERR_IO);
        ck_assert_error(HEED_ERR_IO, "print: ");
        ck_assert_int_eq(heed_print(heed_zeros(HEED_F32, HEED_SHAPE(1000)), full), HEED_ERR_IO);
        ck_assert_error(HEED_ERR_IO, "print: ");
        (void)fclose(full);
    }
    FILE *read_only = fopen("/dev/null", "r");
    ck_assert_int_eq(heed_print(t, read_only), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "print: ");
    (void)fclose(read_only);
}
END_TEST

/* Printing allocates no memory. */
START_TEST(allocates_nothing)
{
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(40, 50));
    heed_memory_reset_peak();
    int64_t before = heed_memory_get_stats().live_bytes;
    heed_format(t, text, sizeof text);
    ck_assert_int_eq(heed_memory_get_stats().peak_bytes, before);
}
END_TEST

HEED_TEST_MAIN("print", as_pytorch, in_any_locale, views, large_and_small_numbers, elides_above_1000, no_text_is_long,
               shapes_of_any_length, short_buffers, to_a_file, file_errors, allocates_nothing)
