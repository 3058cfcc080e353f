/* images/tests/test_images_folder.c - folders of classes: order, batches for any number of readers and shards, epochs,
 * and errors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include "folders.h"
#include "team/sockets.h"

static const heed_images_folder_options resized = {.transform = {.resize = {2, {6, 8}}}};
static const heed_images_folder_options random_options = {.seed = 5,
                                                          .transform = {.random_resized_crop = {1, {12}},
                                                                        .padding = 2,
                                                                        .random_crop = {2, {8, 9}},
                                                                        .horizontal_flip = 0.5,
                                                                        .vertical_flip = 0.5,
                                                                        .mean = {0.5, 0.4, 0.3},
                                                                        .std = {0.5, 0.25, 0.2}}};

static heed_dataset *dataset_with(const heed_images_folder_options *o)
{
    heed_dataset *d = heed_images_folder_new(folder, o);
    ck_assert_msg(d != NULL, "%s", heed_error_message());
    return d;
}

static void check_same(heed_tensor *a, heed_tensor *b)
{
    check_values("a batch", a, b, 0);
}

/* -- Samples ------------------------------------------------------------------------------------------------------- */

START_TEST(order_and_classes)
{
    make_classes();
    heed_categories *classes = heed_images_folder_classes(folder);
    ck_assert_int_eq(heed_categories_count(classes), 3);
    for (int i = 0; i < 3; i++)
        ck_assert_str_eq(heed_categories_name(classes, i), class_names[i]);
    heed_dataset *d = dataset_with(&resized);
    ck_assert_int_eq(heed_dataset_size(d), COUNT(ordered));
    ck_assert_int_eq(heed_dataset_tensors(d), 2);
    heed_tensor *batch[2];
    ck_assert_msg(heed_dataset_all(d, batch) == HEED_OK, "%s", heed_error_message());
    ck_assert(heed_shape_equal(heed_shape_of(batch[0]), HEED_SHAPE(11, 3, 6, 8)));
    for (size_t i = 0; i < COUNT(ordered); i++) {
        const heed_images_read_options rgb = {.mode = HEED_IMAGES_RGB};
        heed_tensor *image = heed_images_read(below(ordered[i]).s, &rgb);
        check_same(heed_select(batch[0], 0, (int64_t)i), heed_images_transform(image, &resized.transform, NULL));
        const char *name = heed_categories_name(classes, heed_data_i64(batch[1])[i]);
        ck_assert(strncmp(name, ordered[i], strlen(name)) == 0 && ordered[i][strlen(name)] == '/');
    }
    heed_dataset_free(d);
    heed_categories_free(classes);
    remove_all(folder);
}
END_TEST

START_TEST(modes_and_dtypes)
{
    make_classes();
    heed_images_folder_options o = resized;
    o.read = (heed_images_read_options){.mode = HEED_IMAGES_GRAY, .dtype = HEED_F64};
    heed_dataset *d = dataset_with(&o);
    heed_tensor *batch[2];
    ck_assert_int_eq(heed_dataset_take(d, HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 10, 3), batch), HEED_OK);
    ck_assert(heed_shape_equal(heed_shape_of(batch[0]), HEED_SHAPE(2, 1, 6, 8)));
    ck_assert_int_eq(heed_dtype_of(batch[0]), HEED_F64);
    ck_assert_int_eq(heed_data_i64(batch[1])[0], 2);
    ck_assert_int_eq(heed_dataset_take(d, heed_zeros(HEED_I64, HEED_SHAPE(0)), batch), HEED_OK);
    ck_assert_int_eq(heed_dim(batch[0], 0), 0);
    heed_dataset_free(d);
    remove_all(folder);
}
END_TEST

/* -- Random numbers ------------------------------------------------------------------------------------------------ */

/* A sample of an epoch is its image, transformed with the draw of seed, epoch and sample, in any batch. */
START_TEST(draws_of_a_sample)
{
    make_classes();
    heed_dataset *d = dataset_with(&random_options);
    heed_tensor *numbers = HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 9, 2, 9), *batch[2], *next[2];
    ck_assert_int_eq(heed_dataset_take_epoch(d, numbers, 3, batch), HEED_OK);
    const heed_images_read_options rgb = {.mode = HEED_IMAGES_RGB};
    heed_tensor *image = heed_images_read(below(ordered[9]).s, &rgb);
    const heed_images_draw draw = {5, 3, 9};
    heed_tensor *expected = heed_images_transform(image, &random_options.transform, &draw);
    check_same(heed_select(batch[0], 0, 0), expected);
    check_same(heed_select(batch[0], 0, 2), expected);
    ck_assert_int_eq(heed_dataset_take_epoch(d, numbers, 4, next), HEED_OK);
    ck_assert_double_gt(heed_item(heed_max(heed_abs(heed_sub(batch[0], next[0])))), 0.01);
    heed_images_folder_options o = random_options;
    o.evaluate = true;
    heed_dataset *fixed = dataset_with(&o);
    ck_assert_int_eq(heed_dataset_take_epoch(fixed, numbers, 4, next), HEED_OK);
    check_same(heed_select(next[0], 0, 0), heed_images_transform(image, &o.transform, NULL));
    heed_dataset_free(fixed);
    heed_dataset_free(d);
    remove_all(folder);
}
END_TEST

static heed_loader *loader_of(const heed_dataset *d, int readers, heed_tensor *weights)
{
    heed_manual_seed(11);
    heed_loader *loader = heed_loader_new(
        d, &(heed_loader_options){.batch_size = 4, .shuffle = !weights, .weights = weights, .readers = readers});
    ck_assert_msg(loader != NULL, "%s", heed_error_message());
    return loader;
}

/* Three epochs have the same batches for any number of readers, shuffled and weighted. */
START_TEST(any_number_of_readers)
{
    static const int readers[] = {1, 2, 4};
    make_classes();
    heed_dataset *d = dataset_with(&random_options);
    for (int weighted = 0; weighted < 2; weighted++) {
        heed_tensor *weights = weighted ? heed_add_scalar(heed_arange(HEED_F64, 0, 11, 1), 1) : NULL;
        for (size_t k = 0; k < COUNT(readers); k++) {
            heed_loader *plain = loader_of(d, 0, weights), *ahead = loader_of(d, readers[k], weights);
            for (int i = 0; i < 9; i++) {
                heed_scope *scope = heed_scope_begin();
                heed_tensor *a[2], *b[2];
                ck_assert_int_eq(heed_loader_next(plain, a), HEED_OK);
                ck_assert_int_eq(heed_loader_next(ahead, b), HEED_OK);
                check_same(a[0], b[0]);
                check_same(a[1], b[1]);
                heed_scope_end(scope);
            }
            heed_loader_free(ahead);
            heed_loader_free(plain);
        }
    }
    heed_dataset_free(d);
    remove_all(folder);
}
END_TEST

/* Computes the gradients of this process's shards of a step, and checks that every shard is a range of the batch.
 * Returns the number of samples. */
static int64_t check_shards(heed_data_parallel *team, heed_loader *loader, heed_nn_linear *net, heed_tensor **whole)
{
    heed_tensor *part[2];
    int64_t samples = 0;
    while (heed_data_parallel_next(team, loader, part)) {
        heed_scope *scope = heed_scope_begin();
        const int64_t m = heed_dim(part[0], 0);
        bool found = false;
        for (int64_t begin = 0; begin + m <= heed_dim(whole[0], 0) && !found; begin++) {
            heed_tensor *range = heed_narrow(whole[0], 0, begin, m);
            found = heed_item(heed_max(heed_abs(heed_sub(range, part[0])))) == 0;
        }
        samples += found ? m : -100;
        heed_tensor *loss = heed_sum(heed_nn_linear_forward(net, heed_reshape(part[0], HEED_SHAPE(m, 3 * 8 * 9))));
        heed_data_parallel_backward(team, loss, (double)m);
        heed_scope_end(scope);
    }
    return samples;
}

/* A process of a team with two shards. Returns the number of its samples in 6 steps, which are two epochs. */
static uint64_t sharded(heed_comm *comm, void *argument)
{
    (void)argument;
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_dataset *d = heed_images_folder_new(folder, &random_options);
    heed_loader *loader = loader_of(d, 0, NULL), *plain = loader_of(d, 0, NULL);
    heed_manual_seed(1);
    heed_nn_linear *net = heed_nn_linear_new(3 * 8 * 9, 1, NULL);
    heed_optimizer *sgd = heed_optim_sgd(&net->base, &(heed_optim_sgd_options){.lr = 0.1});
    heed_data_parallel *team = heed_data_parallel_new(comm, sgd, &(heed_data_parallel_options){.shards = 2});
    int64_t samples = 0;
    for (int step = 0; step < 6; step++) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *whole[2];
        heed_loader_next(plain, whole);
        samples += check_shards(team, loader, net, whole);
        heed_data_parallel_step(team);
        heed_scope_end(scope);
    }
    heed_data_parallel_free(team);
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
    heed_loader_free(plain);
    heed_loader_free(loader);
    heed_dataset_free(d);
    heed_set_error_handler(NULL, NULL);
    return (uint64_t)samples;
}

START_TEST(two_shards)
{
    make_classes();
    heed_comm *self = heed_comm_self();
    ck_assert_uint_eq(sharded(self, NULL), 22);
    heed_comm_free(self);
    uint64_t results[TEAM_MAX];
    run_team(2, sharded, NULL, results);
    ck_assert_uint_eq(results[0] + results[1], 22);
    ck_assert_uint_gt(results[0], 0);
    ck_assert_uint_gt(results[1], 0);
    remove_all(folder);
}
END_TEST

/* -- Errors -------------------------------------------------------------------------------------------------------- */

static void check_no_dataset(const char *path, const heed_images_folder_options *o, heed_status status,
                             const char *message)
{
    ck_assert_ptr_null(heed_images_folder_new(path, o));
    ck_assert_error(status, message);
}

START_TEST(refused_folders)
{
    make_classes();
    check_no_dataset(NULL, NULL, HEED_ERR_ARGUMENT, "images_folder_new: the folder is NULL");
    check_no_dataset("/nowhere", NULL, HEED_ERR_IO, "images_folder_new: cannot open the folder /nowhere: No such");
    check_no_dataset(below("top.png").s, NULL, HEED_ERR_IO, "Not a directory");
    check_no_dataset(below("cat/b").s, NULL, HEED_ERR_FORMAT, "has no sub-folder: every class is a sub-folder");
    check_no_dataset(folder, &(heed_images_folder_options){.read = {.dtype = HEED_I64}}, HEED_ERR_DTYPE,
                     "read.dtype is i64: must be f32 or f64");
    check_no_dataset(folder, &(heed_images_folder_options){.transform = {.horizontal_flip = 2}}, HEED_ERR_ARGUMENT,
                     "images_folder_new: horizontal_flip is 2: must be 0 to 1");
    make_sub_folder("empty");
    check_no_dataset(folder, NULL, HEED_ERR_FORMAT, "the class empty of /tmp/heed-images-");
    ck_assert_int_eq(rmdir(below("empty").s), 0);
    ck_assert_int_eq(symlink(folder, below("dog/loop").s), 0);
    check_no_dataset(folder, NULL, HEED_ERR_UNSUPPORTED, "is more than 32 folders deep");
    ck_assert_ptr_null(heed_images_folder_classes(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "images_folder_classes: the folder is NULL");
    remove_all(folder);
}
END_TEST

/* The error names the file, in the calling thread and with readers; the other batches can be read. */
START_TEST(unreadable_files)
{
    make_classes();
    FILE *file = fopen(below("dog/1.PNG").s, "wb");
    ck_assert(file && fputs("not a PNG file", file) >= 0 && fclose(file) == 0);
    for (int readers = 0; readers < 3; readers++) {
        heed_dataset *d = dataset_with(&resized);
        heed_loader *loader = heed_loader_new(d, &(heed_loader_options){.batch_size = 4, .readers = readers});
        heed_tensor *batch[2];
        ck_assert_int_eq(heed_loader_next(loader, batch), HEED_OK);
        ck_assert_int_eq(heed_loader_next(loader, batch), HEED_OK);
        ck_assert_int_eq(heed_loader_next(loader, batch), HEED_ERR_FORMAT);
        ck_assert_error(HEED_ERR_FORMAT, "dog/1.PNG: neither a PNG nor a JPEG file");
        heed_loader_free(loader);
        heed_dataset_free(d);
    }
    remove_all(folder);
}
END_TEST

START_TEST(different_sizes)
{
    make_classes();
    heed_dataset *d = dataset_with(NULL);
    heed_tensor *batch[2];
    ck_assert_int_eq(heed_dataset_all(d, batch), HEED_ERR_SHAPE);
    ck_assert_error(HEED_ERR_SHAPE, "/Zebra/2.jpg is (3, 11, 13), but the batch begins with (3, 5, 7): resize or crop");
    ck_assert_int_eq(unlink(below("Zebra/1.png").s), 0);
    ck_assert_int_eq(heed_dataset_all(d, batch), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "/Zebra/1.png: No such file or directory");
    heed_dataset_free(d);
    remove_all(folder);
}
END_TEST

HEED_TEST_MAIN("images_folder", order_and_classes, modes_and_dtypes, draws_of_a_sample, any_number_of_readers,
               two_shards, refused_folders, unreadable_files, different_sizes)
