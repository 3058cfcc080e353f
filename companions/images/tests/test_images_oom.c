/* images/tests/test_images_oom.c - every allocation of heed/images.h is refused, once or from then on.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include "fail_alloc.h"

#include "folders.h"

static unsigned char bytes[MAX_FILE];
static size_t size;

static bool decodes(const char *file, double *value)
{
    size = read_file(file, bytes);
    heed_tensor *x = heed_images_decode(bytes, size, &(heed_images_read_options){.mode = HEED_IMAGES_RGBA});
    if (!x || !heed_images_read(file, NULL))
        return false;
    heed_tensor *sum = heed_sum(x);
    *value += sum ? heed_item(sum) : 0;
    return sum != NULL;
}

/* libpng continues without some refused blocks; the image is then an error nevertheless. */
static bool png(double *value)
{
    *value = 0;
    return decodes(DATA "interlaced16.png", value) && decodes(DATA "palette_alpha.png", value);
}

static bool jpeg(double *value)
{
    *value = 0;
    return decodes(DATA "cmyk.jpg", value) && decodes(DATA "progressive.jpg", value);
}

static bool dataset(double *value)
{
    const heed_images_folder_options o = {.transform = {.resize = {1, {10}},
                                                        .random_resized_crop = {1, {8}},
                                                        .padding = 1,
                                                        .random_crop = {1, {6}},
                                                        .center_crop = {1, {7}},
                                                        .horizontal_flip = 0.5,
                                                        .std = {2, 2, 2}}};
    heed_tensor *batch[2], *numbers = HEED_TENSOR(HEED_I64, HEED_SHAPE(3), 0, 5, 8);
    heed_dataset *d = numbers ? heed_images_folder_new(folder, &o) : NULL;
    heed_categories *classes = d ? heed_images_folder_classes(folder) : NULL;
    const bool ok = classes && heed_dataset_take_epoch(d, numbers, 2, batch) == HEED_OK;
    heed_tensor *sum = ok ? heed_sum(batch[0]) : NULL;
    *value = sum ? heed_item(sum) : 0;
    heed_categories_free(classes);
    heed_dataset_free(d);
    return sum != NULL;
}

START_TEST(without_memory)
{
    make_classes();
    fail_alloc_install();
    fail_alloc_sweep(png);
    fail_alloc_sweep(jpeg);
    fail_alloc_sweep(dataset);
    fail_alloc_uninstall();
    remove_all(folder);
}
END_TEST

HEED_TEST_MAIN("images without memory", without_memory)
