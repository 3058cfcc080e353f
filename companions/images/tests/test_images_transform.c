/* images/tests/test_images_transform.c - transforms against PyTorch, their random numbers against the documented ones,
 * and refused options.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include "expected.h"

/* -- Values -------------------------------------------------------------------------------------------------------- */

static void check_transform(heed_dict *dict, const char *key, heed_tensor *x, const heed_images_transform_options *o)
{
    check_values(key, heed_images_transform(x, o, NULL), heed_dict_get(dict, key), 1e-6);
}

START_TEST(sizes_and_parts)
{
    static const struct {
        const char *key;
        heed_images_transform_options o;
    } cases[] = {
        {"resize_6", {.resize = {1, {6}}}},
        {"resize_20", {.resize = {1, {20}}}},
        {"resize_4_15", {.resize = {2, {4, 15}}}},
        {"center_4", {.center_crop = {1, {4}}}},
        {"center_5_7", {.center_crop = {2, {5, 7}}}},
        {"center_2_5", {.center_crop = {2, {2, 5}}}}, /* 3.5 becomes 4 */
        {"center_11_15", {.center_crop = {2, {11, 15}}}},
        {"center_3_14", {.center_crop = {2, {3, 14}}}},
        {"center_5_7", {.random_crop = {2, {5, 7}}, .padding = 3}},
        {"central_8", {.random_resized_crop = {1, {8}}, .ratio = {3.0 / 4, 1}}},
        {"central_wide", {.random_resized_crop = {2, {5, 10}}, .ratio = {2, 3}}},
        {"image", {.horizontal_flip = 1, .vertical_flip = 1}},
    };
    heed_dict *dict = expected_values();
    heed_tensor *x = heed_dict_get(dict, "image");
    for (size_t i = 0; i < COUNT(cases); i++)
        check_transform(dict, cases[i].key, x, &cases[i].o);
    check_transform(dict, "image", x, NULL);
    const heed_images_transform_options shorter = {.resize = HEED_SHAPE(5)};
    check_transform(dict, "tall_5", heed_transpose(x, 1, 2), &shorter);
    heed_dict_free(dict);
}
END_TEST

static const heed_images_transform_options augment = {.random_resized_crop = {2, {7, 8}},
                                                      .padding = 2,
                                                      .random_crop = {2, {6, 5}},
                                                      .horizontal_flip = 0.5,
                                                      .vertical_flip = 0.25,
                                                      .mean = {0.5, 0.25, 0.125},
                                                      .std = {0.5, 2, 0.25}};

/* The reference computes the random numbers itself, from seed, epoch and sample. */
START_TEST(random_numbers)
{
    static const int64_t samples[] = {0, 1, 2, 1000000007};
    heed_dict *dict = expected_values();
    heed_tensor *x = heed_dict_get(dict, "image"), *expected = heed_dict_get(dict, "augmented");
    for (int epoch = 0; epoch < 2; epoch++)
        for (int i = 0; i < 4; i++) {
            const heed_images_draw draw = {(UINT64_C(1) << 63) + 5, epoch, samples[i]};
            check_values("augmented", heed_images_transform(x, &augment, &draw),
                         heed_select(expected, 0, 4 * epoch + i), 5e-6);
        }
    const heed_images_transform_options narrow = {
        .random_resized_crop = HEED_SHAPE(4), .scale = {0.9, 1}, .ratio = {0.2, 0.3}};
    heed_tensor *top = heed_narrow(x, 1, 0, 2);
    check_values("parts_fail", heed_images_transform(top, &narrow, &(heed_images_draw){.seed = 3}),
                 heed_dict_get(dict, "parts_fail"), 1e-6);
    heed_dict_free(dict);
}
END_TEST

/* The frequencies of flips and positions over 4,000 samples are within four standard deviations. */
START_TEST(frequencies)
{
    heed_tensor *x = heed_reshape(heed_arange(HEED_F64, 0, 12, 1), HEED_SHAPE(1, 3, 4));
    const heed_images_transform_options crop = {.random_crop = HEED_SHAPE(1, 1), .horizontal_flip = 0.3};
    const heed_images_transform_options flips = {.horizontal_flip = 0.3, .vertical_flip = 0.6};
    int positions[12] = {0}, across = 0, down = 0;
    for (int64_t i = 0; i < 4000; i++) {
        heed_scope *scope = heed_scope_begin();
        const heed_images_draw draw = {7, i / 100, i};
        positions[(int)heed_item(heed_images_transform(x, &crop, &draw))]++;
        const double *y = heed_data_f64(heed_images_transform(x, &flips, &draw));
        across += y[0] > y[1];
        down += y[0] > y[4];
        heed_scope_end(scope);
    }
    for (int i = 0; i < 12; i++)
        ck_assert_near(positions[i], 4000.0 / 12, 4 * sqrt(4000.0 / 12 * 11 / 12));
    ck_assert_near(across, 4000 * 0.3, 4 * sqrt(4000 * 0.3 * 0.7));
    ck_assert_near(down, 4000 * 0.6, 4 * sqrt(4000 * 0.6 * 0.4));
}
END_TEST

START_TEST(dtypes_and_gradients)
{
    heed_tensor *x = heed_rand(HEED_F64, HEED_SHAPE(3, 4, 5));
    heed_set_requires_grad(x, true);
    const heed_images_draw draw = {1, 2, 3};
    heed_tensor *y = heed_images_transform(x, &augment, &draw);
    ck_assert(y && heed_dtype_of(y) == HEED_F64 && !heed_requires_grad(y));
    y = heed_images_transform(x, NULL, &draw);
    ck_assert(y && y != x && heed_dim(y, 2) == 5);
}
END_TEST

/* -- Errors -------------------------------------------------------------------------------------------------------- */

START_TEST(refused_options)
{
    static const struct {
        heed_images_transform_options o;
        heed_status status;
        const char *message;
    } cases[] = {
        {{.resize = {3, {1, 2, 3}}}, HEED_ERR_ARGUMENT, "resize has 3 numbers: must be (H, W) or one number"},
        {{.random_crop = {2, {4, 0}}}, HEED_ERR_ARGUMENT, "random_crop is (4, 0): must be 1 to 1048576"},
        {{.center_crop = {1, {-1}}}, HEED_ERR_ARGUMENT, "center_crop is (-1): must be 1 to 1048576"},
        {{.horizontal_flip = 1.5}, HEED_ERR_ARGUMENT, "horizontal_flip is 1.5: must be 0 to 1"},
        {{.vertical_flip = -1}, HEED_ERR_ARGUMENT, "vertical_flip is -1: must be 0 to 1"},
        {{.padding = 2}, HEED_ERR_ARGUMENT, "padding is set without random_crop"},
        {{.padding = -2, .random_crop = {1, {2}}}, HEED_ERR_ARGUMENT, "padding is -2: must be 0 to 1048576"},
        {{.ratio = {1, 2}}, HEED_ERR_ARGUMENT, "scale or ratio is set without random_resized_crop"},
        {{.random_resized_crop = {1, {2}}, .scale = {0.5, 1.5}}, HEED_ERR_ARGUMENT, "scale is 0.5 to 1.5: must be"},
        {{.random_resized_crop = {1, {2}}, .ratio = {2, 1}}, HEED_ERR_ARGUMENT, "ratio is 2 to 1: must be"},
        {{.std = {1, -1}}, HEED_ERR_ARGUMENT, "mean and std of channel 1 are 0 and -1: must be finite"},
        {{.mean = {0, 0, (double)INFINITY}}, HEED_ERR_ARGUMENT, "mean and std of channel 2 are inf and 0"},
        {{.random_crop = {1, {6}}},
         HEED_ERR_SHAPE,
         "random_crop (6, 6) is larger than the image (3, 4, 5) with padding 0"},
    };
    const heed_images_draw draw = {0};
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(3, 4, 5));
    for (size_t i = 0; i < COUNT(cases); i++) {
        ck_assert_ptr_null(heed_images_transform(x, &cases[i].o, &draw));
        ck_assert_error(cases[i].status, cases[i].message);
    }
    ck_assert_ptr_null(heed_images_transform(NULL, NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "images_transform: the image is NULL");
    ck_assert_ptr_null(heed_images_transform(heed_ones(HEED_I64, HEED_SHAPE(1, 2, 3)), NULL, NULL));
    ck_assert_error(HEED_ERR_DTYPE, "the image is i64: must be f32 or f64");
    ck_assert_ptr_null(heed_images_transform(heed_ones(HEED_F32, HEED_SHAPE(2, 3)), NULL, NULL));
    ck_assert_error(HEED_ERR_SHAPE, "the image is (2, 3): must be (C, H, W) and not empty");
    ck_assert_ptr_null(heed_images_transform(heed_ones(HEED_F32, HEED_SHAPE(5, 2, 3)), &augment, NULL));
    ck_assert_error(HEED_ERR_SHAPE, "the image is (5, 2, 3): at most 4 channels can be normalised");
}
END_TEST

HEED_TEST_MAIN("images_transform", sizes_and_parts, random_numbers, frequencies, dtypes_and_gradients, refused_options)
