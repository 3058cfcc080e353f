/* tests/plot/test_plot_image.c - tests writing tensors as images, pixel by pixel. */
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

HEED_TEST_MAIN("plot_image", values_become_bytes, bytes_come_back, channels_rows_and_views, refused, without_memory)
