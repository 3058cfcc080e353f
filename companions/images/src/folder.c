/* images/src/folder.c - heed_images_folder_new: a folder of classes as a dataset.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "image.h"
#include "io/file.h"
#include "listing.h"
#include "transform.h"

/* The user data of the dataset's source. */
typedef struct image_folder {
    heed__listing_of_images list;
    heed_images_folder_options options; /* checked and complete */
} image_folder;

static void folder_free(void *user)
{
    image_folder *f = user;
    heed__listing_free(&f->list);
    heed_free(f, sizeof *f);
}

static const char *path_of(const image_folder *f, int64_t sample)
{
    return f->list.text + f->list.files[sample].path;
}

/* Returns the transformed image of a sample. */
static heed_tensor *load(const image_folder *f, int64_t sample, int64_t epoch)
{
    const heed_images_draw draw = {f->options.seed, epoch, sample};
    heed_tensor *image = heed__image_read("images_read", path_of(f, sample), &f->options.read);
    return image ? heed__transform("images_transform", image, &f->options.transform, f->options.evaluate ? NULL : &draw)
                 : NULL;
}

/* Copies the image of a sample to row i of the batch. Returns false after heed_fail. */
static bool store(const image_folder *f, heed_tensor *batch, int64_t i, int64_t sample, heed_tensor *image)
{
    const heed_shape shape = heed_shape_of(image), all = heed_shape_of(batch);
    const heed_shape first = HEED_SHAPE(all.dims[1], all.dims[2], all.dims[3]);
    if (!heed_shape_equal(shape, first))
        return heed_fail_false(
            HEED_ERR_SHAPE, "images_folder", "%s is %s, but the batch begins with %s: resize or crop",
            heed__path_excerpt(path_of(f, sample)).s, heed_shape_text(shape).s, heed_shape_text(first).s);
    heed_tensor *row = heed_select(batch, 0, i);
    return row && heed_copy_(row, image) == HEED_OK;
}

/* Returns the images as one tensor (m, C, H, W). An image is freed as soon as it is copied. */
static heed_tensor *load_all(const image_folder *f, const int64_t *samples, int64_t m, int64_t epoch)
{
    if (m == 0)
        return heed_empty(f->options.read.dtype, HEED_SHAPE(0, 0, 0, 0));
    heed_tensor *image = load(f, samples[0], epoch);
    const heed_shape shape = image ? heed_shape_of(image) : HEED_SCALAR;
    heed_tensor *batch =
        image ? heed_empty(heed_dtype_of(image), HEED_SHAPE(m, shape.dims[0], shape.dims[1], shape.dims[2])) : NULL;
    bool ok = batch && store(f, batch, 0, samples[0], image);
    for (int64_t i = 1; i < m && ok; i++) {
        heed_scope *scope = heed_scope_begin();
        image = scope ? load(f, samples[i], epoch) : NULL;
        ok = image && store(f, batch, i, samples[i], image);
        if (scope)
            (void)heed_scope_end(scope);
    }
    return ok ? batch : NULL;
}

static heed_status take(void *user, heed_tensor *numbers, int64_t epoch, heed_tensor **batch)
{
    const image_folder *f = user;
    const int64_t *samples = heed_data_i64(numbers), m = heed_numel(numbers);
    batch[1] = heed_empty(HEED_I64, HEED_SHAPE(m));
    int64_t *label = heed_mutable_i64(batch[1]);
    for (int64_t i = 0; label && i < m; i++)
        label[i] = f->list.files[samples[i]].category;
    heed_scope *scope = label ? heed_no_grad_begin() : NULL;
    heed_tensor *images = scope ? load_all(f, samples, m, epoch) : NULL;
    batch[0] = scope ? heed_scope_return(scope, images) : NULL;
    return batch[0] ? HEED_OK : heed_error_code();
}

static bool check_options(const char *where, const heed_images_folder_options *given,
                          heed_images_folder_options *options)
{
    *options = given ? *given : (heed_images_folder_options){0};
    if (!heed__image_options(where, &options->read, &options->read) ||
        !heed__transform_options(where, &options->transform, &options->transform))
        return false;
    if (options->read.mode == HEED_IMAGES_UNCHANGED)
        options->read.mode = HEED_IMAGES_RGB;
    return options->read.dtype != HEED_I64 ||
           heed_fail_false(HEED_ERR_DTYPE, where, "read.dtype is i64: must be f32 or f64");
}

heed_dataset *heed_images_folder_new(const char *folder, const heed_images_folder_options *options)
{
    static const char where[] = "images_folder_new";
    HEED_ENTER(where);
    heed_images_folder_options o;
    heed_categories *classes = check_options(where, options, &o) ? heed__image_classes(where, folder) : NULL;
    image_folder *f = classes ? heed_calloc(1, sizeof *f) : NULL;
    heed_dataset *dataset = NULL;
    if (f) {
        f->options = o;
        if (heed__list_images(where, folder, classes, &f->list))
            dataset = heed_dataset_new_source(&(heed_dataset_source){
                .samples = (int64_t)f->list.count, .tensors = 2, .take_epoch = take, .free = folder_free, .user = f});
        if (!dataset)
            folder_free(f);
    }
    heed_categories_free(classes);
    return dataset;
}

heed_categories *heed_images_folder_classes(const char *folder)
{
    static const char where[] = "images_folder_classes";
    HEED_ENTER(where);
    return heed__image_classes(where, folder);
}
