/* plot/image.c - writes a tensor as a picture. A pixel is one element, or 3 or 4 elements. */
#include <math.h>

#include <heed/memory.h>
#include <heed/plot.h>
#include <heed/scope.h>

#include "plot/cells.h"
#include "plot/figure.h"
#include "plot/png.h"

static const char where[] = "plot_png";

static int channels_of(heed_shape shape)
{
    return shape.rank == 3 ? (int)shape.dims[2] : 1;
}

static bool check(const heed_tensor *image, const size_t *size)
{
    if (!image || !size)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is NULL", image ? "size" : "image");
    heed_shape shape = heed_shape_of(image);
    heed_text text = heed_shape_text(shape);
    if (heed_dtype_of(image) == HEED_I64)
        return heed_fail_false(HEED_ERR_DTYPE, where, "image is i64: must be f32, f64 or bool");
    if (shape.rank != 2 && (shape.rank != 3 || (shape.dims[2] != 3 && shape.dims[2] != 4)))
        return heed_fail_false(HEED_ERR_SHAPE, where, "image is %s: must be (H, W), (H, W, 3) or (H, W, 4)", text.s);
    if (heed_shape_numel(shape) == 0)
        return heed_fail_false(HEED_ERR_SHAPE, where, "image is %s: there is nothing to draw", text.s);
    if (shape.dims[0] > HEED__MAX_PIXELS || shape.dims[1] > HEED__MAX_PIXELS)
        return heed_fail_false(HEED_ERR_SHAPE, where, "image is %s: at most %d pixels in each direction can be drawn",
                               text.s, HEED__MAX_PIXELS);
    return true;
}

/* Converts 0 .. 1 to 0 .. 255, and NaN to 0. */
static uint8_t byte_of(double value)
{
    return value >= 1 ? 255 : value > 0 ? (uint8_t)lround(value * 255) : 0;
}

/* Reads the image's elements as bytes. If pixels have channels, every row of the image is a panel of `cells`. Returns
 * false with an error pending. */
static bool read_pixels(heed_tensor *image, uint8_t *pixels)
{
    heed__cells cells = heed__cells_of(image);
    for (int64_t panel = 0; panel < cells.columns; panel++)
        for (int64_t row = 0; row < cells.q; row++)
            for (int64_t column = 0; column < cells.k; column++) {
                const double *value = heed__cells_get(&cells, panel, row, column);
                if (!value)
                    return false;
                *pixels++ = byte_of(*value);
            }
    heed__cells_drop(&cells);
    return true;
}

void *heed_plot_png(heed_tensor *image, size_t *size)
{
    HEED_ENTER(where);
    if (!check(image, size))
        return NULL;
    const heed_shape shape = heed_shape_of(image);
    const size_t count = (size_t)heed_shape_numel(shape);
    heed_scope *scope = heed_no_grad_begin();
    uint8_t *pixels = scope ? heed_alloc(count) : NULL;
    void *png = NULL;
    if (pixels && read_pixels(image, pixels))
        png = heed__png_encode(where, pixels, (int)shape.dims[1], (int)shape.dims[0], channels_of(shape), size);
    heed_free(pixels, count);
    if (scope)
        (void)heed_scope_end(scope);
    return png;
}
