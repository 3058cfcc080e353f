/* tests/plot/test_plot_image.c - tests writing tensors as images, pixel by pixel.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include "fail_alloc.h"
#include "from_memory.h"
#include "picture.h"

/* Returns the bytes of a PNG file with `channels` channels, and its size. */
static uint8_t *pixels_of(heed_tensor *image, int channels, int *width, int *height)
{
    size_t size = 0;
    uint8_t *png = heed_plot_png(image, &size);
    ck_assert_msg(png != NULL, "%s", heed_error_message());
    int found = 0;
    uint8_t *pixels = stbi_load_from_memory(png, (int)size, width, height, &found, channels);
    ck_assert_ptr_nonnull(pixels);
    ck_assert_int_eq(found, channels);
    heed_free(png, size);
    return pixels;
}

START_TEST(values_become_bytes)
{
    const struct {
        double value;
        uint8_t byte;
    } cases[] = {{0, 0},
                 {1, 255},
                 {0.5, 128},
                 {-1, 0},
                 {2, 255},
                 {(double)INFINITY, 255},
                 {0.49 / 255, 0},
                 {0.51 / 255, 1},
                 {-0.0, 0},
                 {254.49 / 255, 254},
                 {254.51 / 255, 255},
                 {(double)-INFINITY, 0},
                 {(double)NAN, 0}};
    enum { N = sizeof cases / sizeof cases[0] };
    for (int dtype = 0; dtype < 2; dtype++) {
        heed_tensor *image = heed_zeros(dtype == 0 ? HEED_F32 : HEED_F64, HEED_SHAPE(1, N));
        for (int i = 0; i < N; i++)
            heed_set_(image, HEED_INDEX(0, i), cases[i].value);
        int width = 0, height = 0;
        uint8_t *pixels = pixels_of(image, 1, &width, &height);
        ck_assert_int_eq(width, N);
        ck_assert_int_eq(height, 1);
        for (int i = 0; i < N; i++)
            ck_assert_msg(pixels[i] == cases[i].byte, "%g is %d", cases[i].value, pixels[i]);
        free(pixels);
    }
}
END_TEST

/* Every one of 256 bytes, divided by 255 in f32, is restored. */
START_TEST(bytes_come_back)
{
    heed_tensor *image = heed_mul_scalar(heed_reshape(heed_arange(HEED_F32, 0, 256, 1), HEED_SHAPE(16, 16)), 1.0 / 255);
    int width = 0, height = 0;
    uint8_t *pixels = pixels_of(image, 1, &width, &height);
    for (int i = 0; i < 256; i++)
        ck_assert_int_eq(pixels[i], i);
    free(pixels);
}
END_TEST

START_TEST(channels_rows_and_views)
{
    for (int channels = 3; channels <= 4; channels++) {
        heed_tensor *plain = heed_mul_scalar(
            heed_reshape(heed_arange(HEED_F64, 0, 2 * 5 * channels, 1), HEED_SHAPE(2, 5, channels)), 1.0 / 255);
        heed_set_requires_grad(plain, true);
        heed_tensor *turned = heed_transpose(plain, 0, 1);
        int width = 0, height = 0;
        uint8_t *pixels = pixels_of(plain, channels, &width, &height);
        ck_assert(width == 5 && height == 2);
        for (int i = 0; i < 10 * channels; i++)
            ck_assert_int_eq(pixels[i], i);
        uint8_t *other = pixels_of(turned, channels, &width, &height);
        ck_assert(width == 2 && height == 5);
        for (int y = 0; y < 5; y++)
            for (int x = 0; x < 2; x++)
                ck_assert_mem_eq(other + (y * 2 + x) * channels, pixels + (x * 5 + y) * channels, (size_t)channels);
        free(other);
        free(pixels);
    }
    heed_tensor *mask = heed_from_array(HEED_BOOL, HEED_SHAPE(2, 2), (bool[]){false, true, true, false}, 4);
    int width = 0, height = 0;
    uint8_t *pixels = pixels_of(mask, 1, &width, &height);
    ck_assert(pixels[0] == 0 && pixels[1] == 255 && pixels[2] == 255 && pixels[3] == 0);
    free(pixels);
}
END_TEST

START_TEST(refused)
{
    size_t size = 0;
    const struct {
        heed_tensor *image;
        heed_status status;
        const char *text;
    } cases[] = {
        {NULL, HEED_ERR_ARGUMENT, "plot_png: image is NULL"},
        {heed_zeros(HEED_I64, HEED_SHAPE(2, 3)), HEED_ERR_DTYPE, "plot_png: image is i64: must be f32, f64 or bool"},
        {heed_zeros(HEED_F32, HEED_SHAPE(3)), HEED_ERR_SHAPE, "image is (3): must be (H, W), (H, W, 3) or (H, W, 4)"},
        {heed_zeros(HEED_F32, HEED_SHAPE(2, 2, 2)), HEED_ERR_SHAPE, "image is (2, 2, 2): must be"},
        {heed_zeros(HEED_F32, HEED_SHAPE(2, 2, 2, 3)), HEED_ERR_SHAPE, "image is (2, 2, 2, 3): must be"},
        {heed_zeros(HEED_F32, HEED_SHAPE(0, 2, 3)), HEED_ERR_SHAPE, "image is (0, 2, 3): there is nothing to draw"},
        {heed_zeros(HEED_F32, HEED_SHAPE(16385, 1)), HEED_ERR_SHAPE, "(16385, 1): at most 16384 pixels"},
        {heed_zeros(HEED_F32, HEED_SHAPE(1, 16385)), HEED_ERR_SHAPE, "(1, 16385): at most 16384 pixels"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_ptr_null(heed_plot_png(cases[i].image, &size));
        ck_assert_error(cases[i].status, cases[i].text);
    }
    ck_assert_ptr_null(heed_plot_png(heed_eye(HEED_F32, 2, 2), NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "plot_png: size is NULL");
}
END_TEST

/* -- heed_plot_image ---------------------------------------------------------------------------------------------- */

static picture write_image(heed_tensor *images, const heed_plot_image_options *options)
{
    ck_assert_msg(heed_plot_image(images, in_folder("a.png"), options) == HEED_OK, "%s", heed_error_message());
    const picture p = take_picture("a.png");
    remove_folder();
    return p;
}

START_TEST(one_image)
{
    heed_tensor *gray = heed_from_array(HEED_F64, HEED_SHAPE(2, 3), (double[]){0, 1, 0.5, -1, 2, (double)NAN}, 6);
    static const uint32_t expected[] = {0, 0xffffff, 0x808080, 0, 0xffffff, 0};
    for (int rank = 2; rank <= 3; rank++) {
        picture p = write_image(rank == 2 ? gray : heed_unsqueeze(gray, 0), NULL);
        ck_assert(p.width == 3 && p.height == 2);
        for (int i = 0; i < 6; i++)
            ck_assert_uint_eq(pixel(&p, i % 3, i / 3), expected[i]);
        free(p.rgb);
    }
    heed_tensor *rgb = heed_transpose(heed_reshape(heed_arange(HEED_I64, 0, 30, 1), HEED_SHAPE(3, 5, 2)), 1, 2);
    picture p = write_image(rgb, &(heed_plot_image_options){.vmax = 255});
    ck_assert(p.width == 5 && p.height == 2);
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 5; x++)
            ck_assert_uint_eq(pixel(&p, x, y), 0x000a14u + 0x010101u * (uint32_t)(2 * x + y));
    free(p.rgb);
}
END_TEST

/* Seven images in rows of three: the positions of all images, the padding, and the empty cells of the last row. */
START_TEST(grids)
{
    heed_tensor *batch =
        heed_expand(heed_reshape(heed_arange(HEED_F32, 1, 8, 1), HEED_SHAPE(7, 1, 1, 1)), HEED_SHAPE(7, 3, 2, 4));
    for (int padding = -1; padding <= 3; padding++) {
        const int pad = padding < 0 ? 0 : padding == 0 ? 2 : padding;
        const heed_plot_image_options o = {.columns = 3, .padding = padding, .padding_value = 1, .vmax = 10};
        picture p = write_image(batch, &o);
        ck_assert_int_eq(p.width, pad + 3 * (4 + pad));
        ck_assert_int_eq(p.height, pad + 3 * (2 + pad));
        for (int y = 0; y < p.height; y++)
            for (int x = 0; x < p.width; x++) {
                const int column = (x - pad) / (4 + pad), row = (y - pad) / (2 + pad), image = 3 * row + column;
                const bool inside = x >= pad && y >= pad && (x - pad) % (4 + pad) < 4 && (y - pad) % (2 + pad) < 2;
                const double value = inside && image < 7 ? (image + 1) / 10.0 : 1;
                ck_assert_uint_eq(pixel(&p, x, y), 0x010101u * (uint32_t)lround(255 * value));
            }
        free(p.rgb);
    }
    picture p = write_image(batch, NULL);
    ck_assert(p.width == 2 + 7 * 6 && p.height == 6 && pixel(&p, 0, 0) == 0);
    free(p.rgb);
    p = write_image(heed_zeros(HEED_BOOL, HEED_SHAPE(9, 1, 1, 1)), NULL);
    ck_assert(p.width == 2 + 8 * 3 && p.height == 2 + 2 * 3);
    free(p.rgb);
}
END_TEST

START_TEST(ranges)
{
    static const struct {
        double values[4];
        heed_plot_image_options options;
        uint8_t bytes[4];
    } cases[] = {
        {{-1, 0, 1, 3}, {.vmin = -1, .vmax = 1}, {0, 128, 255, 255}},
        {{-2, 0, 2, (double)INFINITY}, {.normalize = true}, {0, 128, 255, 255}},
        {{3, 3, 3, 3}, {.normalize = true}, {0, 0, 0, 0}},
        {{(double)NAN, (double)NAN, (double)NAN, (double)INFINITY}, {.normalize = true}, {0, 0, 0, 0}},
        {{-1.5e308, 0, 1.5e308, 1e308}, {.normalize = true}, {0, 128, 255, 213}},
        {{0, 5e-324, 1e-323, 1}, {.vmin = 0, .vmax = 1e-323}, {0, 128, 255, 255}},
        {{-300, 0, 100, 0}, {.vmin = -1, .vmax = 0}, {0, 255, 255, 255}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        heed_tensor *image = heed_from_array(HEED_F64, HEED_SHAPE(1, 4), cases[i].values, 4);
        picture p = write_image(image, &cases[i].options);
        for (int x = 0; x < 4; x++)
            ck_assert_msg(pixel(&p, x, 0) == 0x010101u * cases[i].bytes[x], "case %zu, %g: %06x", i, cases[i].values[x],
                          pixel(&p, x, 0));
        free(p.rgb);
    }
}
END_TEST

START_TEST(refused_images)
{
    heed_tensor *good = heed_zeros(HEED_F32, HEED_SHAPE(2, 2));
    const double huge = (double)INFINITY;
    const struct {
        heed_tensor *images;
        heed_plot_image_options options;
        heed_status status;
        const char *text;
    } cases[] = {
        {NULL, {0}, HEED_ERR_ARGUMENT, "plot_image: images is NULL"},
        {heed_zeros(HEED_I64, HEED_SHAPE(2, 3)), {0}, HEED_ERR_DTYPE, "plot_image: images are i64: set vmin and vmax"},
        {heed_zeros(HEED_F32, HEED_SHAPE(3)), {0}, HEED_ERR_SHAPE, "images are (3): must be (H, W), (1, H, W)"},
        {heed_zeros(HEED_F32, HEED_SHAPE(2, 2, 3)), {0}, HEED_ERR_SHAPE, "images are (2, 2, 3): must be (H, W)"},
        {heed_zeros(HEED_F32, HEED_SHAPE(2, 4, 2, 3)), {0}, HEED_ERR_SHAPE, "(2, 4, 2, 3): must be (H, W)"},
        {heed_zeros(HEED_F32, HEED_SHAPE(1, 1, 1, 1, 1)), {0}, HEED_ERR_SHAPE, "(1, 1, 1, 1, 1): must be (H, W)"},
        {heed_zeros(HEED_F32, HEED_SHAPE(0, 3, 2, 2)), {0}, HEED_ERR_SHAPE, "(0, 3, 2, 2): there is nothing to draw"},
        {heed_zeros(HEED_F32, HEED_SHAPE(16385, 1)), {0}, HEED_ERR_SHAPE, "the picture would have 1 x 16385 pixels"},
        {heed_expand(heed_zeros(HEED_F32, HEED_SHAPE(1, 1, 1, 1)), HEED_SHAPE(1 << 20, 1, 1 << 20, 1 << 20)),
         {.columns = INT32_MAX, .padding = INT32_MAX},
         HEED_ERR_SHAPE,
         "must be at most 16384 x 16384"},
        {good, {.columns = -1}, HEED_ERR_ARGUMENT, "columns is -1, padding is 0: must be at least 0 and at least -1"},
        {good, {.padding = -2}, HEED_ERR_ARGUMENT, "columns is 0, padding is -2: must be at least 0 and at least -1"},
        {good, {.padding_value = 1.5}, HEED_ERR_ARGUMENT, "padding_value is 1.5: must be in 0 .. 1"},
        {good, {.padding_value = (double)NAN}, HEED_ERR_ARGUMENT, "padding_value is nan: must be in 0 .. 1"},
        {good, {.vmin = 1}, HEED_ERR_ARGUMENT, "vmin is 1, vmax is 0: must be finite, and vmin less than vmax"},
        {good, {.vmax = huge}, HEED_ERR_ARGUMENT, "vmin is 0, vmax is inf: must be finite"},
        {good, {.vmax = 2, .normalize = true}, HEED_ERR_ARGUMENT, "vmin is 0, vmax is 2: must be 0 with normalize"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_int_eq(heed_plot_image(cases[i].images, "/nowhere/a.png", &cases[i].options), cases[i].status);
        ck_assert_error(cases[i].status, cases[i].text);
    }
    ck_assert_int_eq(heed_plot_image(good, NULL, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "plot_image: path is NULL");
    ck_assert_int_eq(heed_plot_image(good, "a.SVG", NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "plot_image: path ends in .svg: images are written as PNG");
    ck_assert_int_eq(heed_plot_image(good, "/nowhere/a.png", NULL), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "plot_image: cannot open the folder of /nowhere/a.png");
}
END_TEST

static bool grid_program(double *value)
{
    heed_tensor *batch = heed_ones(HEED_F32, HEED_SHAPE(3, 1, 2, 2));
    *value = 1;
    return batch &&
           heed_plot_image(batch, in_folder("a.png"), &(heed_plot_image_options){.normalize = true}) == HEED_OK;
}

START_TEST(images_without_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(grid_program);
    fail_alloc_uninstall();
    ck_assert_int_eq(unlink(in_folder("a.png")), 0);
    remove_folder();
}
END_TEST

static bool program(double *value)
{
    size_t size = 0;
    void *png = heed_plot_png(heed_transpose(heed_eye(HEED_F32, 3, 5), 0, 1), &size);
    *value = (double)size;
    heed_free(png, size);
    return png != NULL;
}

START_TEST(without_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(program);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("plot_image", values_become_bytes, bytes_come_back, channels_rows_and_views, refused, without_memory,
               one_image, grids, ranges, refused_images, images_without_memory)
