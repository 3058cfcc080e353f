/* images/tests/test_images_misuse.c - every function of heed/images.h with hostile arguments of every kind.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include "folders.h"
#include "promises/misuse/misuse_draw.h"

static heed_images_read_options any_read(void)
{
    return (heed_images_read_options){.mode = (heed_images_mode)any_enum(5),
                                      .dtype = any_dtype(),
                                      .exif_orientation = any_flag(),
                                      .max_width = one_in(2) ? 0 : any_count(),
                                      .max_height = one_in(2) ? 0 : any_count(),
                                      .max_pixels = one_in(2) ? 0 : any_count(),
                                      .max_bytes = one_in(2) ? 0 : any_size()};
}

/* Sizes up to 20: a valid size may be large, but allocating it takes time. */
static heed_shape any_part(void)
{
    const heed_shape part = {(int)(misuse_random() % 3),
                             {(int64_t)(misuse_random() % 20), (int64_t)(misuse_random() % 20)}};
    const heed_shape hostile = any_shape();
    return one_in(2) ? (heed_shape){0} : one_in(8) && hostile.rank > 2 ? hostile : part;
}

static heed_images_transform_options any_transform(void)
{
    heed_images_transform_options o = {.resize = any_part(),
                                       .random_resized_crop = any_part(),
                                       .random_crop = any_part(),
                                       .center_crop = any_part(),
                                       .padding = one_in(4) ? any_count() % 9 : 0,
                                       .horizontal_flip = one_in(2) ? 0 : any_real(),
                                       .vertical_flip = one_in(2) ? 0 : any_real()};
    if (one_in(4))
        o.scale[any_flag()] = any_real();
    if (one_in(4))
        o.ratio[any_flag()] = any_real();
    if (one_in(2))
        o.mean[misuse_random() % 4] = any_real();
    if (one_in(2))
        o.std[misuse_random() % 4] = any_real();
    return o;
}

static void images(void)
{
    static const char *const paths[] = {NULL,           "", "/", ".", "/dev/zero", "/nowhere", "/etc/passwd", "\xff",
                                        DATA "rgb8.png"};
    unsigned char bytes[MAX_FILE];
    const size_t size = read_file(one_in(2) ? DATA "rgba16.png" : DATA "yuv420.jpg", bytes);
    const heed_images_read_options read = any_read();
    const heed_images_transform_options o = any_transform();
    const heed_images_draw draw = {any_u64(), any_count(), any_count()};
    POINTER(heed_images_read(ANY_OF(paths), one_in(4) ? NULL : &read));
    POINTER(heed_images_decode(one_in(8) ? NULL : bytes, one_in(2) ? size : misuse_random() % size,
                               one_in(4) ? NULL : &read));
    heed_tensor *x = one_in(2) ? any_tensor() : heed_rand(HEED_F32, HEED_SHAPE(3, 5, 6));
    POINTER(heed_images_transform(x, one_in(4) ? NULL : &o, one_in(4) ? NULL : &draw));
}

static void folders(void)
{
    static const char *const paths[] = {NULL, "", "/nowhere", "/etc/passwd", "\xff", DATA};
    const heed_images_folder_options o = {
        .read = any_read(), .transform = any_transform(), .seed = any_u64(), .evaluate = any_flag()};
    const char *path = one_in(2) ? folder : ANY_OF(paths);
    heed_dataset *d = heed_images_folder_new(path, one_in(4) ? NULL : &o);
    ck_assert((d != NULL) == (heed_error_code() == HEED_OK));
    judge_error("images_folder_new");
    if (d) {
        heed_tensor *batch[2];
        (void)heed_dataset_take_epoch(d, HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 4), 1, batch);
        heed_error_clear();
    }
    heed_dataset_free(d);
    heed_categories *classes = heed_images_folder_classes(path);
    ck_assert((classes != NULL) == (heed_error_code() == HEED_OK));
    judge_error("images_folder_classes");
    heed_categories_free(classes);
}

START_TEST(rounds)
{
    make_classes();
    in_rounds(images);
    in_rounds(folders);
    remove_all(folder);
}
END_TEST

MISUSE_MAIN("images misused", rounds)
