/* tests/data/test_folds.c - tests of cross-validation folds and of a whole dataset as tensors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "fail_alloc.h"
#include "from.h"

/* Sample i is the number 100 + i. */
static heed_dataset *dataset_of(int64_t n)
{
    heed_dataset *d = heed_dataset_new(HEED_TENSORS(heed_arange(HEED_I64, 100, 100 + (double)n, 1)));
    ck_assert_msg(d != NULL, "%s", heed_error_message());
    return d;
}

static const int64_t *samples(const heed_dataset *d)
{
    heed_tensor *all[1];
    ck_assert_int_eq(heed_dataset_all(d, all), HEED_OK);
    ck_assert_int_eq(heed_numel(all[0]), heed_dataset_size(d));
    return heed_data_i64(all[0]);
}

/* Every sample is held out once, subsets keep the order of the full dataset, and sizes equal scikit-learn's KFold
 * sizes. */
static void check_folds(const heed_dataset *d, int64_t first, int64_t step, int64_t k,
                        const heed_dataset_fold_options *options)
{
    int64_t n = heed_dataset_size(d);
    int count[128] = {0};
    for (int64_t f = 0; f < k; f++) {
        heed_dataset *train, *held_out;
        ck_assert_int_eq(heed_dataset_fold(d, k, f, options, &train, &held_out), HEED_OK);
        ck_assert_int_eq(heed_dataset_size(held_out), n / k + (f < n % k));
        ck_assert_int_eq(heed_dataset_size(train), n - heed_dataset_size(held_out));
        bool is_held_out[128] = {false};
        const int64_t *out = samples(held_out), *in = samples(train);
        for (int64_t i = 0; i < heed_dataset_size(held_out); i++) {
            ck_assert(i == 0 || out[i] > out[i - 1]);
            count[(out[i] - first) / step]++;
            is_held_out[(out[i] - first) / step] = true;
        }
        for (int64_t i = 0; i < heed_dataset_size(train); i++) {
            ck_assert(i == 0 || in[i] > in[i - 1]);
            ck_assert(!is_held_out[(in[i] - first) / step]);
        }
        heed_dataset_free(train);
        heed_dataset_free(held_out);
    }
    for (int64_t i = 0; i < n; i++)
        ck_assert_int_eq(count[i], 1);
}

START_TEST(every_sample_once)
{
    static const int64_t sizes[] = {2, 3, 10, 11, 12, 100};
    for (int i = 0; i < 6; i++)
        for (int64_t k = 2; k <= sizes[i] && k <= 12; k++) {
            heed_dataset *d = dataset_of(sizes[i]);
            check_folds(d, 100, 1, k, NULL);
            check_folds(d, 100, 1, k, &(heed_dataset_fold_options){.shuffle = true, .seed = (uint64_t)k});
            heed_dataset_free(d);
        }
}
END_TEST

START_TEST(folds_of_a_subset)
{
    heed_dataset *d = dataset_of(40);
    heed_dataset *even = heed_dataset_subset(d, heed_arange(HEED_I64, 0, 40, 2));
    check_folds(even, 100, 2, 3, NULL);
    check_folds(even, 100, 2, 7, &(heed_dataset_fold_options){.shuffle = true});
    heed_dataset_free(even);
    heed_dataset_free(d);
}
END_TEST

START_TEST(ranges_without_shuffling)
{
    heed_dataset *d = dataset_of(10), *train, *held_out;
    static const int64_t begin[] = {0, 4, 7, 10};
    for (int f = 0; f < 3; f++) {
        ck_assert_int_eq(heed_dataset_fold(d, 3, f, NULL, &train, &held_out), HEED_OK);
        const int64_t *out = samples(held_out);
        for (int64_t i = 0; i < begin[f + 1] - begin[f]; i++)
            ck_assert_int_eq(out[i] - 100, begin[f] + i);
        heed_dataset_free(train);
        heed_dataset_free(held_out);
    }
    heed_dataset_free(d);
}
END_TEST

/* The fold is the f-th range of the permutation drawn by a new generator with this seed, whatever other numbers were
 * drawn. */
START_TEST(order_depends_on_the_seed)
{
    heed_dataset *d = dataset_of(23), *train, *held_out;
    for (uint64_t seed = 0; seed < 3; seed++) {
        heed_generator *g = heed_generator_new(seed);
        const int64_t *order = heed_data_i64(FROM(g, heed_permutation(23)));
        int64_t at = 0;
        for (int f = 0; f < 4; f++) {
            (void)heed_rand(HEED_F32, HEED_SHAPE(5));
            ck_assert_int_eq(heed_dataset_fold(d, 4, f, &(heed_dataset_fold_options){.shuffle = true, .seed = seed},
                                               &train, &held_out),
                             HEED_OK);
            bool expected[23] = {false};
            for (int64_t i = 0; i < heed_dataset_size(held_out); i++)
                expected[order[at++]] = true;
            const int64_t *out = samples(held_out);
            for (int64_t i = 0; i < heed_dataset_size(held_out); i++)
                ck_assert(expected[out[i] - 100]);
            heed_dataset_free(train);
            heed_dataset_free(held_out);
        }
        heed_generator_free(g);
    }
    heed_dataset_free(d);
}
END_TEST

static void check_refused(const heed_dataset *d, int64_t k, int64_t fold, const char *text)
{
    heed_dataset *train = (heed_dataset *)&k, *held_out = (heed_dataset *)&k;
    ck_assert_int_eq(heed_dataset_fold(d, k, fold, NULL, &train, &held_out), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, text);
    ck_assert(!train && !held_out);
}

START_TEST(refuses)
{
    heed_dataset *d = dataset_of(5), *train, *held_out;
    check_refused(d, 1, 0, "dataset_fold: k is 1: must be 2 to 5");
    check_refused(d, 6, 0, "dataset_fold: k is 6: must be 2 to 5, the number of samples");
    check_refused(d, INT64_MIN, 0, ": must be 2 to 5, the number of samples");
    check_refused(d, 5, 5, "dataset_fold: fold is 5: must be 0 to 4");
    check_refused(d, 5, -1, "dataset_fold: fold is -1");
    check_refused(NULL, 5, 0, "dataset_fold: the dataset is NULL");
    ck_assert_int_eq(heed_dataset_fold(d, 2, 0, NULL, NULL, &held_out), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dataset_fold: train and held_out must be two different pointers, not NULL");
    ck_assert_int_eq(heed_dataset_fold(d, 2, 0, NULL, &train, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "not NULL");
    ck_assert_int_eq(heed_dataset_fold(d, 2, 0, NULL, &train, &train), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "two different pointers");
    heed_dataset_free(d);
}
END_TEST

/* -- All ---------------------------------------------------------------------------------------------------------- */

START_TEST(all_samples)
{
    heed_tensor *x = heed_reshape(heed_arange(HEED_F32, 0, 12, 1), HEED_SHAPE(4, 3)), *all[2];
    heed_dataset *d = heed_dataset_new(HEED_TENSORS(x, heed_arange(HEED_I64, 0, 4, 1)));
    ck_assert_int_eq(heed_dataset_all(d, all), HEED_OK);
    ck_assert(heed_shape_equal(heed_shape_of(all[0]), HEED_SHAPE(4, 3)));
    ck_assert_double_eq(heed_get(all[0], HEED_INDEX(3, 2)), 11);
    ck_assert_int_eq(heed_get_i64(all[1], HEED_INDEX(3)), 3);
    heed_fill_(all[0], 0); /* a copy */
    ck_assert_double_eq(heed_get(x, HEED_INDEX(3, 2)), 11);
    heed_dataset *subset = heed_dataset_subset(d, HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 3, 1));
    ck_assert_int_eq(heed_dataset_all(subset, all), HEED_OK);
    ck_assert_int_eq(heed_get_i64(all[1], HEED_INDEX(0)), 3);
    heed_dataset *empty = heed_dataset_subset(d, heed_zeros(HEED_I64, HEED_SHAPE(0)));
    ck_assert_int_eq(heed_dataset_all(empty, all), HEED_OK);
    ck_assert(heed_shape_equal(heed_shape_of(all[0]), HEED_SHAPE(0, 3)));
    ck_assert_int_eq(heed_dataset_all(NULL, all), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dataset_all: the dataset is NULL");
    ck_assert_int_eq(heed_dataset_all(d, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "dataset_all: batch is NULL");
    heed_dataset_free(empty);
    heed_dataset_free(subset);
    heed_dataset_free(d);
}
END_TEST

static bool fold_program(double *value)
{
    heed_tensor *x = heed_arange(HEED_F32, 0, 7, 1), *batch[1];
    heed_dataset *d = x ? heed_dataset_new(&x, 1) : NULL, *train = NULL, *held_out = NULL;
    bool done = d &&
                heed_dataset_fold(d, 3, 1, &(heed_dataset_fold_options){.shuffle = true, .seed = 5}, &train,
                                  &held_out) == HEED_OK &&
                heed_dataset_all(held_out, batch) == HEED_OK;
    *value = done ? heed_get(batch[0], HEED_INDEX(1)) : 0;
    heed_dataset_free(train);
    heed_dataset_free(held_out);
    heed_dataset_free(d);
    return done;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(fold_program);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("folds", every_sample_once, folds_of_a_subset, ranges_without_shuffling, order_depends_on_the_seed,
               refuses, all_samples, out_of_memory)
