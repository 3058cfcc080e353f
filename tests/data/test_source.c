/* tests/data/test_source.c - tests of datasets over a sample source, and of joined datasets.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "fail_alloc.h"

typedef enum fault { SOUND, SILENT, SPEAKING, MISSING, SCALAR, SHORT } fault;

/* Sample i is x (2) = (i, 10 i), y = 100 + i. */
typedef struct counting {
    int64_t samples, taken, calls;
    int freed;
    fault fault;
} counting;

static heed_status fail_as_requested(const counting *c, heed_tensor **batch)
{
    switch (c->fault) {
    case SILENT:
        return HEED_ERR_IO;
    case SPEAKING:
        return heed_fail(HEED_ERR_IO, "counting", "the disk is gone");
    case MISSING:
        batch[1] = NULL;
        return HEED_OK;
    case SCALAR:
        batch[0] = heed_zeros(HEED_F32, HEED_SCALAR);
        return HEED_OK;
    case SHORT:
        batch[1] = heed_slice(batch[1], 0, 0, 1, 1);
        return HEED_OK;
    case SOUND:
    default:
        return HEED_OK;
    }
}

static heed_status take(void *user, heed_tensor *numbers, heed_tensor **batch)
{
    counting *c = user;
    int64_t n = heed_numel(numbers);
    c->calls++;
    c->taken += n;
    batch[0] = heed_empty(HEED_F32, HEED_SHAPE(n, 2));
    batch[1] = heed_add_scalar(heed_to_dtype(numbers, HEED_F64), 100.0);
    float *x = heed_mutable_f32(batch[0]);
    if (!x || !batch[1])
        return heed_error_code();
    for (int64_t i = 0; i < n; i++) {
        x[2 * i] = (float)heed_data_i64(numbers)[i];
        x[2 * i + 1] = 10.0F * x[2 * i];
    }
    return fail_as_requested(c, batch);
}

static void count_free(void *user)
{
    ((counting *)user)->freed++;
}

static heed_dataset *source_of(counting *c)
{
    return heed_dataset_new_source(
        &(heed_dataset_source){.samples = c->samples, .tensors = 2, .take = take, .free = count_free, .user = c});
}

/* Returns the same samples as tensors. */
static heed_dataset *tensors_of(int64_t n)
{
    heed_tensor *i = heed_arange(HEED_F32, 0, (double)n, 1);
    heed_tensor *x = heed_stack(HEED_TENSORS(i, heed_mul_scalar(i, 10)), 1);
    return heed_dataset_new(HEED_TENSORS(x, heed_arange(HEED_F64, 100, 100 + (double)n, 1)));
}

static void check_equal(heed_tensor *const *a, heed_tensor *const *b, int k)
{
    for (int i = 0; i < k; i++) {
        ck_assert(heed_shape_equal(heed_shape_of(a[i]), heed_shape_of(b[i])));
        ck_assert_int_eq(heed_dtype_of(a[i]), heed_dtype_of(b[i]));
        if (heed_numel(a[i]) > 0)
            ck_assert_double_eq(heed_item(heed_max(heed_abs(heed_sub(a[i], b[i])))), 0);
    }
}

/* Checks that both datasets have the same samples. */
static void check_same(const heed_dataset *d, const heed_dataset *expected)
{
    heed_tensor *a[4], *b[4];
    ck_assert_int_eq(heed_dataset_size(d), heed_dataset_size(expected));
    ck_assert_int_eq(heed_dataset_all(d, a), HEED_OK);
    ck_assert_int_eq(heed_dataset_all(expected, b), HEED_OK);
    check_equal(a, b, heed_dataset_tensors(expected));
}

START_TEST(subsets_folds_and_loaders)
{
    counting c = {.samples = 11};
    heed_dataset *d[2] = {source_of(&c), tensors_of(11)}, *part[2], *train[2], *held_out[2];
    check_same(d[0], d[1]);
    for (int i = 0; i < 2; i++) {
        part[i] = heed_dataset_subset(d[i], heed_from_array(HEED_I64, HEED_SHAPE(4), (int64_t[]){7, 2, 2, 10}, 4));
        heed_dataset_fold_options o = {.shuffle = true, .seed = 5};
        ck_assert_int_eq(heed_dataset_fold(d[i], 3, 1, &o, &train[i], &held_out[i]), HEED_OK);
    }
    check_same(part[0], part[1]);
    check_same(train[0], train[1]);
    check_same(held_out[0], held_out[1]);
    heed_loader *loader[2];
    for (int i = 0; i < 2; i++) {
        heed_manual_seed(4);
        loader[i] = heed_loader_new(train[i], &(heed_loader_options){.batch_size = 3, .shuffle = true});
    }
    for (int step = 0; step < 7; step++) {
        heed_tensor *a[2], *b[2];
        c.taken = 0;
        ck_assert_int_eq(heed_loader_next(loader[0], a), HEED_OK);
        ck_assert_int_eq(heed_loader_next(loader[1], b), HEED_OK);
        check_equal(a, b, 2);
        ck_assert_int_eq(c.taken, heed_dim(a[0], 0)); /* no sample was loaded needlessly */
    }
    for (int i = 0; i < 2; i++) {
        heed_loader_free(loader[i]);
        heed_dataset_free(d[i]);
        heed_dataset_free(part[i]);
        heed_dataset_free(held_out[i]);
        ck_assert_int_eq(c.freed, 0); /* a subset still uses it */
    }
    heed_dataset_free(train[1]);
    heed_dataset_free(train[0]);
    ck_assert_int_eq(c.freed, 1);
}
END_TEST

/* Sample i of epoch e is 100 e + i. */
static heed_status take_epoch(void *user, heed_tensor *numbers, int64_t epoch, heed_tensor **batch)
{
    (void)user;
    batch[0] = heed_add_scalar(heed_to_dtype(numbers, HEED_F64), 100.0 * (double)epoch);
    return batch[0] ? HEED_OK : heed_error_code();
}

static void check_epoch(heed_tensor *x, int64_t epoch)
{
    for (int64_t i = 0; i < heed_numel(x); i++)
        ck_assert_int_eq((int64_t)heed_data_f64(x)[i] / 100, epoch);
}

/* Loaders pass their epoch to a source, with any number of readers and through zipped datasets and subsets; a process
 * that reads a part of the batch passes it itself. */
START_TEST(samples_of_an_epoch)
{
    heed_dataset *d = heed_dataset_new_source(
        &(heed_dataset_source){.samples = 7, .tensors = 1, .take = NULL, .take_epoch = take_epoch});
    heed_dataset *both = heed_dataset_zip(HEED_DATASETS(d, d));
    heed_tensor *batch[2], *three = heed_from_array(HEED_I64, HEED_SHAPE(3), (int64_t[]){4, 1, 6}, 3);
    heed_dataset *part = heed_dataset_subset(both, three);
    ck_assert_int_eq(heed_dataset_take_epoch(d, three, 5, batch), HEED_OK);
    ck_assert_double_eq(heed_data_f64(batch[0])[0], 504);
    ck_assert_double_eq(heed_data_f64(batch[0])[2], 506);
    ck_assert_int_eq(heed_dataset_take(part, heed_zeros(HEED_I64, HEED_SHAPE(1)), batch), HEED_OK);
    ck_assert_double_eq(heed_item(batch[1]), 4);
    for (int readers = 0; readers < 4; readers++) {
        heed_loader *loader =
            heed_loader_new(part, &(heed_loader_options){.batch_size = 2, .shuffle = true, .readers = readers});
        for (int i = 0; i < 7; i++) {
            ck_assert_int_eq(heed_loader_next(loader, batch), HEED_OK);
            check_epoch(batch[0], i / 2);
            check_epoch(batch[1], i / 2);
        }
        heed_loader_free(loader);
    }
    ck_assert_int_eq(heed_dataset_take_epoch(d, three, -1, batch), HEED_ERR_ARGUMENT);
    ck_assert_ptr_null(batch[0]);
    ck_assert_error(HEED_ERR_ARGUMENT, "dataset_take_epoch: epoch is -1: must be 0 or more");
    heed_dataset_free(part);
    heed_dataset_free(both);
    heed_dataset_free(d);
}
END_TEST

START_TEST(zipped_datasets)
{
    counting c = {.samples = 6};
    heed_dataset *files = source_of(&c), *memory = tensors_of(7), *whole = tensors_of(6);
    ck_assert_ptr_null(heed_dataset_zip(HEED_DATASETS(files, memory)));
    ck_assert_error(HEED_ERR_SHAPE, "dataset_zip: dataset 1 has 7 samples, but dataset 0 has 6");
    heed_tensor *numbers = heed_from_array(HEED_I64, HEED_SHAPE(6), (int64_t[]){6, 0, 3, 1, 2, 5}, 6);
    heed_dataset *part = heed_dataset_subset(memory, numbers);
    heed_dataset *both = heed_dataset_zip(HEED_DATASETS(files, part));
    heed_dataset_free(files);
    heed_dataset_free(part);
    ck_assert_int_eq(heed_dataset_tensors(both), 4);
    heed_tensor *batch[4], *left[2], *right[2];
    heed_tensor *indices = heed_from_array(HEED_I64, HEED_SHAPE(3), (int64_t[]){5, 0, 0}, 3);
    ck_assert_int_eq(heed_dataset_take(both, indices, batch), HEED_OK);
    ck_assert_int_eq(heed_dataset_take(whole, indices, left), HEED_OK);
    ck_assert_int_eq(heed_dataset_take(memory, heed_index_select(numbers, 0, indices), right), HEED_OK);
    check_equal(batch, left, 2);
    check_equal(batch + 2, right, 2);
    heed_dataset_free(both);
    ck_assert_int_eq(c.freed, 1);
    heed_dataset_free(memory);
    heed_dataset_free(whole);
}
END_TEST

START_TEST(source_errors)
{
    static const struct {
        fault fault;
        heed_status code;
        const char *message;
    } cases[] = {
        {SILENT, HEED_ERR_IO, "dataset_take: the source failed without setting an error"},
        {SPEAKING, HEED_ERR_IO, "dataset_take: counting: the disk is gone"},
        {MISSING, HEED_ERR_STATE, "dataset_take: the source did not set tensor 1 of the batch"},
        {SCALAR, HEED_ERR_SHAPE, "dataset_take: the source returned tensor 0 with shape () for 3 samples"},
        {SHORT, HEED_ERR_SHAPE, "dataset_take: the source returned tensor 1 with shape (1) for 3 samples"},
    };
    counting c = {.samples = 5};
    heed_dataset *d = source_of(&c);
    heed_tensor *numbers = heed_arange(HEED_I64, 1, 4, 1), *batch[2];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        c.fault = cases[i].fault;
        ck_assert_int_eq(heed_dataset_take(d, numbers, batch), cases[i].code);
        ck_assert_str_eq(heed_error_message(), cases[i].message);
        ck_assert(!batch[0] && !batch[1]);
        heed_error_clear();
    }
    c.fault = SOUND;
    c.calls = 0;
    ck_assert_int_eq(heed_dataset_take(d, heed_arange(HEED_I64, 3, 6, 1), batch), HEED_ERR_INDEX);
    ck_assert_error(HEED_ERR_INDEX, "sample 5 is out of range: the dataset has 5 samples");
    ck_assert_int_eq(c.calls, 0);
    heed_dataset_free(d);
}
END_TEST

START_TEST(refuses_sources)
{
    heed_dataset_source source = {.samples = 1, .tensors = 1, .take = take};
    ck_assert_ptr_null(heed_dataset_new_source(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "dataset_new_source: the source is NULL");
    source.take = NULL;
    ck_assert_ptr_null(heed_dataset_new_source(&source));
    ck_assert_error(HEED_ERR_ARGUMENT, "dataset_new_source: the source's take is NULL");
    source.take = take;
    source.samples = -1;
    ck_assert_ptr_null(heed_dataset_new_source(&source));
    ck_assert_error(HEED_ERR_ARGUMENT, "samples is -1: must be 0 or more");
    source.samples = 0;
    source.tensors = HEED_DATASET_MAX + 1;
    ck_assert_ptr_null(heed_dataset_new_source(&source));
    ck_assert_error(HEED_ERR_ARGUMENT, "tensors is 17: must be 1 to 16");
    ck_assert_ptr_null(heed_dataset_zip(NULL, 1));
    ck_assert_error(HEED_ERR_ARGUMENT, "dataset_zip");
    ck_assert_ptr_null(heed_dataset_zip(HEED_DATASETS(NULL)));
    ck_assert_error(HEED_ERR_ARGUMENT, "dataset_zip: the dataset is NULL");
    heed_dataset *d = tensors_of(2), *nine[9] = {d, d, d, d, d, d, d, d, d};
    ck_assert_ptr_null(heed_dataset_zip((const heed_dataset *const *)nine, 9));
    ck_assert_error(HEED_ERR_ARGUMENT, "dataset_new_source: tensors is 18: must be 1 to 16");
    heed_dataset_free(d);
}
END_TEST

/* -- Sample numbers of loaders ------------------------------------------------------------------------------------- */

START_TEST(numbers_of_the_next_batch)
{
    heed_dataset *d = tensors_of(10);
    heed_loader *loader[2];
    for (int i = 0; i < 2; i++) {
        heed_manual_seed(9);
        loader[i] = heed_loader_new(d, &(heed_loader_options){.batch_size = 4, .shuffle = true});
    }
    ck_assert_ptr_eq(heed_loader_dataset(loader[0]), d);
    for (int step = 0; step < 7; step++) {
        heed_tensor *a[2], *b[2], *numbers = heed_loader_next_numbers(loader[0]);
        ck_assert_int_eq(heed_dataset_take(d, numbers, a), HEED_OK);
        heed_fill_(numbers, 0); /* a copy: the order stays */
        ck_assert_int_eq(heed_loader_next(loader[1], b), HEED_OK);
        check_equal(a, b, 2);
        heed_loader_state state[2];
        for (int i = 0; i < 2; i++)
            ck_assert_int_eq(heed_loader_get_state(loader[i], &state[i]), HEED_OK);
        ck_assert(state[0].epoch == state[1].epoch && state[0].batch == state[1].batch);
    }
    ck_assert_ptr_null(heed_loader_next_numbers(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "loader_next_numbers: the loader is NULL");
    ck_assert_ptr_null(heed_loader_dataset(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "loader_dataset: the loader is NULL");
    heed_loader_set_state(
        loader[0], &(heed_loader_state){.seed = 3, .epoch = INT64_MAX, .batch = 2, .samples = 10, .batch_size = 4});
    ck_assert_ptr_null(heed_loader_next_numbers(loader[0]));
    ck_assert_error(HEED_ERR_STATE, "epochs is reached");
    heed_loader_free(loader[0]);
    heed_loader_free(loader[1]);
    heed_dataset_free(d);
}
END_TEST

static bool source_program(double *value)
{
    counting c = {.samples = 6};
    heed_scope *scope = heed_scope_begin();
    heed_dataset *files = scope ? source_of(&c) : NULL, *both = NULL, *part = NULL;
    heed_tensor *numbers = files ? heed_arange(HEED_I64, 1, 4, 1) : NULL, *batch[4];
    if (numbers)
        both = heed_dataset_zip(HEED_DATASETS(files, files));
    if (both)
        part = heed_dataset_subset(both, numbers);
    heed_loader *loader = part ? heed_loader_new(part, &(heed_loader_options){.batch_size = 2}) : NULL;
    heed_loader_state state;
    bool ok = loader && heed_loader_next(loader, batch) == HEED_OK && heed_loader_next_numbers(loader) &&
              heed_loader_get_state(loader, &state) == HEED_OK && state.epoch == 1;
    *value = ok ? heed_item(heed_sum(batch[1])) : 0.0;
    ok = ok && heed_error_code() == HEED_OK;
    heed_loader_free(loader);
    heed_dataset_free(files);
    heed_dataset_free(both);
    heed_dataset_free(part);
    if (scope)
        heed_scope_end(scope);
    ck_assert_int_eq(c.freed, files != NULL);
    return ok;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(source_program);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("source", subsets_folds_and_loaders, samples_of_an_epoch, zipped_datasets, source_errors,
               refuses_sources, numbers_of_the_next_batch, out_of_memory)
