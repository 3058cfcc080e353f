/* data.c - examples of heed/data.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_dataset(heed_tensor *x, heed_tensor *y)
{
    /* [heed_dataset_new heed_dataset_size heed_dataset_tensors heed_dataset_take heed_dataset_free] */
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(x, y));
    printf("%lld samples of %d tensors\n", (long long)heed_dataset_size(data), heed_dataset_tensors(data));
    /* -> 6 samples of 2 tensors */
    heed_tensor *batch[2];
    heed_dataset_take(data, HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 5, 0), batch);
    heed_print(batch[1], stdout); /* -> tensor([25,  0], shape=(2), dtype=i64) */
    heed_dataset_free(data);
    /* [] */
}

static void example_split(const heed_dataset *data)
{
    /* [heed_dataset_split] */
    heed_dataset *train, *test;
    heed_dataset_split(data, 2.0 / 3, NULL, &train, &test);
    printf("%lld and %lld\n", (long long)heed_dataset_size(train), (long long)heed_dataset_size(test)); /* -> 4 and 2 */
    heed_dataset_free(train);
    heed_dataset_free(test);
    /* [] */
}

static void example_fold(const heed_dataset *data)
{
    /* [heed_dataset_fold heed_dataset_all] */
    for (int fold = 0; fold < 3; fold++) {
        heed_dataset *train, *held_out;
        heed_tensor *batch[2];
        heed_dataset_fold(data, 3, fold, NULL, &train, &held_out);
        heed_dataset_all(held_out, batch); /* all samples as one batch */
        heed_print(batch[1], stdout);
        /* -> tensor([0, 1], shape=(2), dtype=i64)
         *    tensor([4, 9], shape=(2), dtype=i64)
         *    tensor([16, 25], shape=(2), dtype=i64) */
        heed_dataset_free(train);
        heed_dataset_free(held_out);
    }
    /* [] */
}

static void example_subset(const heed_dataset *data)
{
    /* [heed_dataset_subset] */
    heed_tensor *even = HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 0, 2, 4), *batch[2];
    heed_dataset *some = heed_dataset_subset(data, even);
    heed_dataset_all(some, batch);
    heed_print(batch[1], stdout); /* -> tensor([ 0,  4, 16], shape=(3), dtype=i64) */
    heed_dataset_free(some);
    /* [] */
}

static void example_loader(const heed_dataset *data)
{
    /* [heed_loader_new heed_loader_batches heed_loader_next heed_loader_free] */
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = 4, .shuffle = true});
    for (int64_t i = 0; i < heed_loader_batches(loader); i++) {
        heed_tensor *batch[2];
        heed_loader_next(loader, batch);
        printf("%lld samples, ", (long long)heed_dim(batch[0], 0)); /* -> 4 samples, 2 samples, */
    }
    heed_loader_free(loader);
    /* [] */
}

static void example_position(const heed_dataset *data)
{
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = 2, .shuffle = true});
    heed_tensor *first[2], *again[2];
    /* [heed_loader_get_state heed_loader_set_state] */
    heed_loader_state position;
    heed_loader_get_state(loader, &position);
    heed_loader_next(loader, first);
    heed_loader_set_state(loader, &position); /* back to the start of this batch */
    heed_loader_next(loader, again);
    printf("epoch %lld, batch %lld\n", (long long)position.epoch, (long long)position.batch); /* -> epoch 0, batch 0 */
    heed_print(heed_sub(first[1], again[1]), stdout);
    /* -> tensor([0, 0], shape=(2), dtype=i64) */
    /* [] */
    heed_loader_free(loader);
}

static void example_numbers(const heed_dataset *data)
{
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = 4});
    /* [heed_loader_next_numbers heed_loader_dataset] */
    heed_tensor *numbers = heed_loader_next_numbers(loader), *batch[2]; /* of a batch of 4 samples */
    heed_tensor *half = heed_slice(numbers, 0, 2, 4, 1);                /* this process reads only two of them */
    heed_dataset_take(heed_loader_dataset(loader), half, batch);
    heed_print(batch[1], stdout); /* -> tensor([4, 9], shape=(2), dtype=i64) */
    /* [] */
    heed_loader_free(loader);
}

static void example_scaler(void)
{
    heed_tensor *x = HEED_TENSOR(HEED_F32, HEED_SHAPE(3, 2), 1, 10, 2, 20, 3, 60);
    /* [heed_scaler_new heed_scaler_mean heed_scaler_std heed_scaler_transform heed_scaler_inverse_transform heed_scaler_free] */
    heed_scaler *scaler = heed_scaler_new(x, NULL);
    heed_print(heed_scaler_mean(scaler), stdout); /* -> tensor([ 2., 30.], shape=(2), dtype=f32) */
    heed_print(heed_scaler_std(scaler), stdout);  /* -> tensor([ 0.8165, 21.6025], shape=(2), dtype=f32) */
    heed_tensor *z = heed_scaler_transform(scaler, x);
    heed_print(heed_select(z, 0, 1), stdout); /* -> tensor([ 0.0000, -0.4629], shape=(2), dtype=f32) */
    heed_tensor *back = heed_scaler_inverse_transform(scaler, z);
    heed_print(heed_select(back, 0, 1), stdout); /* -> tensor([ 2., 20.], shape=(2), dtype=f32) */
    heed_scaler_free(scaler);
    /* [] */
}

static void example_saved_scaler(const heed_scaler *scaler)
{
    /* [heed_scaler_save heed_scaler_load] */
    heed_dict *dict = heed_dict_new(); /* usually the state of a model */
    heed_scaler_save(scaler, dict, "inputs");
    printf("%s, %s\n", heed_dict_name(dict, 0), heed_dict_name(dict, 1)); /* -> inputs.mean, inputs.std */
    heed_scaler *again = heed_scaler_load(dict, "inputs");
    heed_scaler_free(again);
    heed_dict_free(dict);
    /* [] */
}

static void example_categories(void)
{
    /* [heed_categories_new heed_categories_count heed_categories_name heed_categories_find heed_categories_free] */
    static const char *const texts[] = {"oak", "ash", "oak", "elm"};
    heed_categories *trees = heed_categories_new(texts, 4);
    for (int64_t code = 0; code < heed_categories_count(trees); code++)
        printf("%s ", heed_categories_name(trees, code)); /* -> ash elm oak */
    printf("%lld %lld\n", (long long)heed_categories_find(trees, "oak"), (long long)heed_categories_find(trees, "fir"));
    /* -> 2 -1 */
    heed_categories_free(trees);
    /* [] */
}

static void example_saved_categories(const heed_categories *trees)
{
    /* [heed_categories_save heed_categories_load] */
    heed_dict *dict = heed_dict_new();
    heed_categories_save(trees, dict, "trees");
    printf("%s categories, first %s\n", heed_dict_text(dict, "trees.count"), heed_dict_text(dict, "trees.0"));
    /* -> 2 categories, first ash */
    heed_categories *again = heed_categories_load(dict, "trees");
    heed_categories_free(again);
    heed_dict_free(dict);
    /* [] */
}

/* [heed_dataset_new_source] */
static heed_status squares(void *user, heed_tensor *numbers, heed_tensor **batch)
{
    (void)user; /* a source may read a file instead */
    batch[0] = heed_square(heed_to_dtype(numbers, HEED_F32));
    return batch[0] ? HEED_OK : heed_error_code();
}
/* [] */

static void example_source(void)
{
    heed_tensor *batch[1];
    /* [heed_dataset_new_source] */
    heed_dataset *data =
        heed_dataset_new_source(&(heed_dataset_source){.samples = 1000000, .tensors = 1, .take = squares});
    heed_dataset_take(data, HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 3, 999), batch);
    heed_print(batch[0], stdout); /* -> tensor([9.0000e+00, 9.9800e+05], shape=(2), dtype=f32) */
    heed_dataset_free(data);
    /* [] */
}

/* [heed_dataset_take_epoch] */
static heed_status grow(void *user, heed_tensor *numbers, int64_t epoch, heed_tensor **batch)
{
    (void)user; /* every sample is its number plus the epoch */
    batch[0] = heed_add_scalar(heed_to_dtype(numbers, HEED_F32), (double)epoch);
    return batch[0] ? HEED_OK : heed_error_code();
}
/* [] */

static void example_epochs(void)
{
    heed_tensor *batch[1];
    /* [heed_dataset_take_epoch] */
    heed_dataset *data =
        heed_dataset_new_source(&(heed_dataset_source){.samples = 9, .tensors = 1, .take_epoch = grow});
    heed_dataset_take_epoch(data, HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 3, 8), 100, batch);
    heed_print(batch[0], stdout); /* -> tensor([103., 108.], shape=(2), dtype=f32) */
    heed_dataset_free(data);
    /* [] */
}

static void example_zip(const heed_dataset *images, const heed_dataset *labels)
{
    /* [heed_dataset_zip] */
    heed_dataset *both = heed_dataset_zip(HEED_DATASETS(images, labels));
    printf("%d tensors\n", heed_dataset_tensors(both)); /* -> 3 tensors */
    heed_dataset_free(both);
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(0);
    heed_tensor *x = heed_zeros(HEED_F32, HEED_SHAPE(6, 2)), *y = heed_square(heed_arange(HEED_I64, 0, 6, 1));
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(x, y)), *labels = heed_dataset_new(HEED_TENSORS(y));
    heed_scaler *scaler = heed_scaler_new(heed_randn(HEED_F32, HEED_SHAPE(4, 2)), NULL);
    heed_categories *trees = heed_categories_new((const char *const[]){"elm", "ash"}, 2);
    example_dataset(x, y);
    example_split(data);
    example_fold(data);
    example_subset(data);
    example_loader(data);
    example_position(data);
    example_numbers(data);
    example_scaler();
    example_saved_scaler(scaler);
    example_categories();
    example_saved_categories(trees);
    example_source();
    example_epochs();
    example_zip(data, labels);
    heed_categories_free(trees);
    heed_scaler_free(scaler);
    heed_dataset_free(labels);
    heed_dataset_free(data);
    heed_thread_cleanup();
    return 0;
}
