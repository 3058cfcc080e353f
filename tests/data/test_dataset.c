/* tests/data/test_dataset.c - tests of datasets: taking samples, subsets, splits.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "fail_alloc.h"

/* Ten samples: x f32 (10, 2, 3) counts up, label i64 (10) is 100 + i, odd bool (10). */
static heed_tensor *x, *label, *is_odd;

static heed_dataset *ten_samples(void)
{
    x = heed_reshape(heed_arange(HEED_F32, 0, 60, 1), HEED_SHAPE(10, 2, 3));
    label = heed_arange(HEED_I64, 100, 110, 1);
    is_odd = heed_zeros(HEED_BOOL, HEED_SHAPE(10));
    for (int i = 1; i < 10; i += 2)
        heed_set_(is_odd, HEED_INDEX(i), 1);
    heed_dataset *d = heed_dataset_new(HEED_TENSORS(x, label, is_odd));
    ck_assert_msg(d != NULL, "%s", heed_error_message());
    return d;
}

static heed_tensor *numbers(const int64_t *list, int64_t n)
{
    return heed_from_array(HEED_I64, HEED_SHAPE(n), list, n);
}

static void check_samples(const heed_dataset *d, const int64_t *expected, int64_t n)
{
    heed_tensor *batch[3];
    ck_assert_int_eq(heed_dataset_size(d), n);
    ck_assert_int_eq(heed_dataset_take(d, heed_arange(HEED_I64, 0, (double)n, 1), batch), HEED_OK);
    ck_assert_int_eq(heed_numel(batch[1]), n);
    for (int64_t i = 0; i < n; i++)
        ck_assert_int_eq(heed_get_i64(batch[1], HEED_INDEX(i)), 100 + expected[i]);
}

START_TEST(takes)
{
    heed_dataset *d = ten_samples();
    heed_tensor *batch[3];
    ck_assert_int_eq(heed_dataset_size(d), 10);
    ck_assert_int_eq(heed_dataset_tensors(d), 3);
    ck_assert_int_eq(heed_dataset_take(d, numbers((int64_t[]){7, 0, 7}, 3), batch), HEED_OK);
    ck_assert(heed_shape_equal(heed_shape_of(batch[0]), HEED_SHAPE(3, 2, 3)));
    ck_assert(heed_shape_equal(heed_shape_of(batch[1]), HEED_SHAPE(3)));
    ck_assert_int_eq(heed_dtype_of(batch[2]), HEED_BOOL);
    for (int i = 0; i < 3; i++) {
        int64_t sample = i == 1 ? 0 : 7;
        ck_assert_double_eq(heed_get(batch[0], HEED_INDEX(i, 1, 2)), (double)(6 * sample + 5));
        ck_assert_int_eq(heed_get_i64(batch[1], HEED_INDEX(i)), 100 + sample);
        ck_assert_int_eq(heed_get_i64(batch[2], HEED_INDEX(i)), sample % 2);
    }
    heed_fill_(batch[0], 0); /* a copy */
    ck_assert_double_eq(heed_get(x, HEED_INDEX(7, 0, 0)), 42);
    ck_assert_int_eq(heed_dataset_take(d, numbers(NULL, 0), batch), HEED_OK);
    ck_assert(heed_shape_equal(heed_shape_of(batch[0]), HEED_SHAPE(0, 2, 3)));
    heed_tensor *every_third = heed_slice(heed_arange(HEED_I64, 0, 10, 1), 0, 0, HEED_END, 3);
    ck_assert_int_eq(heed_dataset_take(d, every_third, batch), HEED_OK);
    ck_assert_int_eq(heed_get_i64(batch[1], HEED_INDEX(3)), 109);
    heed_dataset_free(d);
}
END_TEST

START_TEST(subsets)
{
    heed_dataset *d = ten_samples();
    heed_tensor *list = numbers((int64_t[]){9, 1, 4, 4}, 4);
    heed_dataset *subset = heed_dataset_subset(d, list);
    heed_fill_(list, 0); /* the subset has its own copy of the list */
    heed_dataset *subset_of_subset = heed_dataset_subset(subset, numbers((int64_t[]){3, 0}, 2));
    heed_dataset *empty = heed_dataset_subset(d, numbers(NULL, 0));
    heed_dataset_free(d);
    check_samples(subset, (int64_t[]){9, 1, 4, 4}, 4);
    heed_dataset_free(subset);
    check_samples(subset_of_subset, (int64_t[]){4, 9}, 2);
    check_samples(empty, NULL, 0);
    heed_tensor *batch[3];
    ck_assert_int_eq(heed_dataset_take(subset_of_subset, numbers((int64_t[]){2}, 1), batch), HEED_ERR_INDEX);
    ck_assert_error(HEED_ERR_INDEX, "dataset_take: sample 2 is out of range: the dataset has 2 samples");
    heed_dataset_free(subset_of_subset);
    heed_dataset_free(empty);
}
END_TEST

/* Later changes to a tensor are visible, since the elements are shared; gradients are not kept. */
START_TEST(keeps_elements)
{
    heed_tensor *square = heed_reshape(heed_arange(HEED_F64, 0, 9, 1), HEED_SHAPE(3, 3));
    heed_tensor *leaf = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(3)), true);
    heed_dataset *d = heed_dataset_new(HEED_TENSORS(heed_transpose(square, 0, 1), leaf, heed_mul_scalar(leaf, 2)));
    heed_tensor *batch[3];
    ck_assert_int_eq(heed_dataset_take(d, numbers((int64_t[]){1}, 1), batch), HEED_OK);
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq(heed_get(batch[0], HEED_INDEX(0, i)), 3 * i + 1);
    ck_assert(!heed_requires_grad(batch[1]) && !heed_requires_grad(batch[2]));
    heed_dataset_free(d);
}
END_TEST

/* -- Splits ------------------------------------------------------------------------------------------------------- */

static void check_split(const heed_dataset *d, double fraction, int64_t expected)
{
    heed_dataset *subset[2];
    bool found[10] = {false};
    int64_t n = heed_dataset_size(d);
    ck_assert_int_eq(heed_dataset_split(d, fraction, NULL, &subset[0], &subset[1]), HEED_OK);
    ck_assert_int_eq(heed_dataset_size(subset[0]), expected);
    ck_assert_int_eq(heed_dataset_size(subset[1]), n - expected);
    for (int k = 0; k < 2; k++) {
        heed_tensor *batch[3];
        int64_t last = -1, m = heed_dataset_size(subset[k]);
        ck_assert_int_eq(heed_dataset_take(subset[k], heed_arange(HEED_I64, 0, (double)m, 1), batch), HEED_OK);
        for (int64_t i = 0; i < m; i++) {
            int64_t sample = heed_get_i64(batch[1], HEED_INDEX(i)) - 100;
            ck_assert_int_gt(sample, last); /* in the order of the full dataset */
            ck_assert(!found[sample]);
            found[last = sample] = true;
        }
        heed_dataset_free(subset[k]);
    }
}

START_TEST(splits)
{
    heed_dataset *d = ten_samples();
    static const struct {
        double fraction;
        int64_t share;
    } cases[] = {
        {0, 0}, {1, 10}, {0.9, 9}, {0.25, 3}, {0.05, 1}, {0.049, 0}, {0.5, 5}, {-0.0, 0}, {0x1.fffffffffffffp-1, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_split(d, cases[i].fraction, cases[i].share);
    heed_dataset *subset = heed_dataset_subset(d, numbers((int64_t[]){2, 3, 5, 7}, 4));
    check_split(subset, 0.5, 2);
    heed_dataset_free(subset);
    heed_dataset_free(d);
}
END_TEST

static int64_t first_sum(const heed_dataset *d, heed_generator *g)
{
    heed_dataset *first, *second;
    heed_tensor *batch[3];
    ck_assert_int_eq(heed_dataset_split(d, 0.5, g, &first, &second), HEED_OK);
    ck_assert_int_eq(heed_dataset_take(first, heed_arange(HEED_I64, 0, 5, 1), batch), HEED_OK);
    int64_t sum = 0;
    for (int64_t i = 0; i < 5; i++) /* the chosen samples, encoded as a number */
        sum = 10 * sum + heed_get_i64(batch[1], HEED_INDEX(i)) - 100;
    heed_dataset_free(first);
    heed_dataset_free(second);
    return sum;
}

START_TEST(splits_by_the_generator)
{
    heed_dataset *d = ten_samples();
    heed_generator *g = heed_generator_new(3);
    int64_t drawn = first_sum(d, g), next = first_sum(d, g);
    ck_assert_int_ne(drawn, next);
    heed_generator_set_state(g, 3, 0);
    ck_assert_int_eq(first_sum(d, g), drawn);
    heed_manual_seed(3);
    ck_assert_int_eq(first_sum(d, NULL), drawn);
    heed_generator_free(g);
    heed_dataset_free(d);
}
END_TEST

/* -- Errors ------------------------------------------------------------------------------------------------------- */

START_TEST(refuses_tensors)
{
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(3)), *many[17];
    for (int i = 0; i < 17; i++)
        many[i] = t;
    ck_assert_ptr_null(heed_dataset_new(many, 0));
    ck_assert_error(HEED_ERR_ARGUMENT, "dataset_new: k is 0");
    ck_assert_ptr_null(heed_dataset_new(many, 17));
    ck_assert_error(HEED_ERR_ARGUMENT, "k is 17");
    ck_assert_ptr_null(heed_dataset_new(NULL, 1));
    ck_assert_error(HEED_ERR_ARGUMENT, "NULL");
    ck_assert_ptr_null(heed_dataset_new(HEED_TENSORS(t, NULL)));
    ck_assert_error(HEED_ERR_ARGUMENT, "tensor 1 is NULL");
    ck_assert_ptr_null(heed_dataset_new(HEED_TENSORS(heed_ones(HEED_F32, HEED_SCALAR))));
    ck_assert_error(HEED_ERR_SHAPE, "tensor 0 is a scalar");
    ck_assert_ptr_null(heed_dataset_new(HEED_TENSORS(t, heed_ones(HEED_F32, HEED_SHAPE(4, 3)))));
    ck_assert_error(HEED_ERR_SHAPE, "tensor 1 has 4 samples, but tensor 0 has 3");
    heed_dataset *d = heed_dataset_new(many, 16);
    ck_assert_int_eq(heed_dataset_tensors(d), 16);
    heed_dataset_free(d);
    heed_dataset_free(NULL);
}
END_TEST

static void check_refused(const heed_dataset *d, heed_tensor *list, heed_status code, const char *text)
{
    heed_tensor *batch[3] = {x, x, x};
    ck_assert_int_eq(heed_dataset_take(d, list, batch), code);
    ck_assert_error(code, text);
    ck_assert(!batch[0] && !batch[1] && !batch[2]);
    ck_assert_ptr_null(heed_dataset_subset(d, list));
    ck_assert_error(code, text);
}

START_TEST(refuses_numbers)
{
    heed_dataset *d = ten_samples(), *first = d, *second = d;
    check_refused(d, NULL, HEED_ERR_ARGUMENT, "the list of samples is NULL");
    check_refused(d, numbers((int64_t[]){0, 10}, 2), HEED_ERR_INDEX,
                  "sample 10 is out of range: the dataset has 10 samples");
    check_refused(d, numbers((int64_t[]){0, -1}, 2), HEED_ERR_INDEX,
                  "sample -1 is out of range: the dataset has 10 samples");
    check_refused(d, heed_ones(HEED_F32, HEED_SHAPE(1)), HEED_ERR_DTYPE, "is f32: must be i64");
    check_refused(d, heed_zeros(HEED_I64, HEED_SCALAR), HEED_ERR_SHAPE, "rank 0");
    check_refused(d, heed_zeros(HEED_I64, HEED_SHAPE(1, 1)), HEED_ERR_SHAPE, "rank 2");
    ck_assert_int_eq(heed_dataset_take(d, label, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dataset_take");
    ck_assert_ptr_null(heed_dataset_subset(NULL, label));
    ck_assert_error(HEED_ERR_ARGUMENT, "dataset_subset: the dataset is NULL");
    ck_assert_int_eq(heed_dataset_size(NULL), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "dataset_size");
    ck_assert_int_eq(heed_dataset_tensors(NULL), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "dataset_tensors");
    static const double bad[] = {-0.1, 1.1, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(heed_dataset_split(d, bad[i], NULL, &first, &second), HEED_ERR_ARGUMENT);
        ck_assert_error(HEED_ERR_ARGUMENT, "dataset_split: fraction is");
        ck_assert(!first && !second);
    }
    ck_assert_int_eq(heed_dataset_split(d, 0.5, NULL, &first, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "first and second must be two different pointers");
    ck_assert_int_eq(heed_dataset_split(d, 0.5, NULL, &first, &first), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "first and second must be two different pointers");
    heed_dataset_free(d);
}
END_TEST

/* -- Memory ------------------------------------------------------------------------------------------------------- */

static bool dataset_program(double *value)
{
    heed_generator *g = heed_generator_new(5);
    heed_tensor *t = heed_arange(HEED_F64, 0, 12, 1);
    heed_tensor *backwards = heed_flip(t, HEED_AXES(0));
    heed_dataset *d = backwards ? heed_dataset_new(HEED_TENSORS(backwards)) : NULL;
    heed_dataset *first = NULL, *second = NULL;
    heed_tensor *batch[1];
    bool done = g && d && heed_dataset_split(d, 0.5, g, &first, &second) == HEED_OK;
    uint64_t seed, position = 0;
    if (g)
        heed_generator_get_state(g, &seed, &position);
    ck_assert(done == (first != NULL) && done == (second != NULL) && done == (position > 0));
    done = done && heed_dataset_take(first, heed_arange(HEED_I64, 0, 6, 1), batch) == HEED_OK;
    *value = done ? heed_get(batch[0], HEED_INDEX(2)) : 0.0;
    heed_dataset_free(first);
    heed_dataset_free(second);
    heed_dataset_free(d);
    heed_generator_free(g);
    return done && heed_error_code() == HEED_OK;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(dataset_program);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("dataset", takes, subsets, keeps_elements, splits, splits_by_the_generator, refuses_tensors,
               refuses_numbers, out_of_memory)
