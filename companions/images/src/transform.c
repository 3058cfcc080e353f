/* images/src/transform.c - heed_images_transform: resizing, crops, flips and normalisation of one image.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "transform.h"

#include <inttypes.h>
#include <math.h>

#include <heed/graph.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "base/hash.h"

#define MAX_SIDE (1 << 20)
#define ATTEMPTS 10 /* as in torchvision */

/* -- Options ------------------------------------------------------------------------------------------------------- */

static bool check_size(const char *where, const char *name, heed_shape size)
{
    if (size.rank < 0 || size.rank > 2)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s has %d numbers: must be (H, W) or one number", name,
                               size.rank);
    for (int i = 0; i < size.rank; i++)
        if (size.dims[i] < 1 || size.dims[i] > MAX_SIDE)
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %s: must be 1 to %d", name, heed_shape_text(size).s,
                                   MAX_SIDE);
    return true;
}

/* Replaces (0, 0) by the default. A range must be low <= high with 0 < low and high <= most. */
static bool check_range(const char *where, const char *name, double range[2], const double usual[2], double most)
{
    if (range[0] == 0 && range[1] == 0) {
        range[0] = usual[0];
        range[1] = usual[1];
    }
    return (range[0] > 0 && range[0] <= range[1] && range[1] <= most) ||
           heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %g to %g: must be 0 < low <= high <= %g", name, range[0],
                           range[1], most);
}

static bool check_probability(const char *where, const char *name, double p)
{
    return (p >= 0 && p <= 1) || heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is %g: must be 0 to 1", name, p);
}

static bool check_moments(const char *where, const heed_images_transform_options *o)
{
    for (int c = 0; c < 4; c++)
        if (!isfinite(o->mean[c]) || !isfinite(o->std[c]) || o->std[c] < 0)
            return heed_fail_false(HEED_ERR_ARGUMENT, where,
                                   "mean and std of channel %d are %g and %g: must be finite, and std 0 or more", c,
                                   o->mean[c], o->std[c]);
    return true;
}

bool heed__transform_options(const char *where, const heed_images_transform_options *given,
                             heed_images_transform_options *options)
{
    static const double scale[2] = {0.08, 1}, ratio[2] = {3.0 / 4, 4.0 / 3};
    heed_images_transform_options o = given ? *given : (heed_images_transform_options){0};
    const bool part = o.scale[0] != 0 || o.scale[1] != 0 || o.ratio[0] != 0 || o.ratio[1] != 0;
    if (part && o.random_resized_crop.rank == 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "scale or ratio is set without random_resized_crop");
    if (o.padding != 0 && o.random_crop.rank == 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "padding is set without random_crop");
    if (o.padding < 0 || o.padding > MAX_SIDE)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "padding is %" PRId64 ": must be 0 to %d", o.padding,
                               MAX_SIDE);
    if (!check_size(where, "resize", o.resize) || !check_size(where, "random_resized_crop", o.random_resized_crop) ||
        !check_range(where, "scale", o.scale, scale, 1) || !check_range(where, "ratio", o.ratio, ratio, MAX_SIDE) ||
        !check_size(where, "random_crop", o.random_crop) || !check_size(where, "center_crop", o.center_crop) ||
        !check_probability(where, "horizontal_flip", o.horizontal_flip) ||
        !check_probability(where, "vertical_flip", o.vertical_flip) || !check_moments(where, &o))
        return false;
    *options = o;
    return true;
}

/* -- Random numbers ------------------------------------------------------------------------------------------------ */

/* Every use has its own numbers, so that an option does not change the numbers of the others. */
typedef enum use {
    HORIZONTAL,
    VERTICAL,
    CROP_TOP,
    CROP_LEFT,
    PART_TOP,
    PART_LEFT,
    PART_AREA,
    PART_RATIO = PART_AREA + ATTEMPTS
} use;

/* Returns a number uniform in [0, 1) with 53 bits: SplitMix64 with a seed made of seed, epoch and sample. */
static double uniform(const heed_images_draw *draw, int number)
{
    static const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15);
    const uint64_t epoch = heed__mix_bits(draw->seed + golden) + (uint64_t)draw->epoch;
    const uint64_t sample = heed__mix_bits(epoch + golden) + (uint64_t)draw->sample;
    const uint64_t start = heed__mix_bits(sample + golden);
    return (double)(heed__mix_bits(start + golden * ((uint64_t)number + 1)) >> 11) * 0x1p-53;
}

/* Returns a number uniform in 0 .. most, or half of it, rounded down, without random numbers. */
static int64_t position(const heed_images_draw *draw, int number, int64_t most)
{
    return draw ? (int64_t)(uniform(draw, number) * (double)(most + 1)) : most / 2;
}

static double between(const heed_images_draw *draw, int number, double low, double high)
{
    return low + (high - low) * uniform(draw, number);
}

/* -- Parts of an image --------------------------------------------------------------------------------------------- */

typedef struct part {
    int64_t top, left, height, width;
} part;

static part size_of(heed_shape size)
{
    return (part){.height = size.dims[0], .width = size.dims[size.rank - 1]};
}

static heed_tensor *cut(heed_tensor *x, part p)
{
    return heed_narrow(heed_narrow(x, 1, p.top, p.height), 2, p.left, p.width);
}

static heed_tensor *resize(heed_tensor *x, int64_t height, int64_t width)
{
    if (heed_dim(x, 1) == height && heed_dim(x, 2) == width)
        return x;
    const heed_interpolate_options o = {.size = HEED_SHAPE(height, width), .mode = HEED_INTERPOLATE_BILINEAR};
    return heed_squeeze(heed_interpolate(heed_unsqueeze(x, 0), &o), 0);
}

static heed_tensor *resize_to(heed_tensor *x, heed_shape size)
{
    const int64_t height = heed_dim(x, 1), width = heed_dim(x, 2), side = size.dims[0];
    if (size.rank == 2)
        return resize(x, side, size.dims[1]);
    return height < width ? resize(x, side, side * width / height) : resize(x, side * height / width, side);
}

/* Returns the largest part at the centre whose proportion is in the range. */
static part central_part(int64_t height, int64_t width, const double ratio[2])
{
    const double proportion = (double)width / (double)height;
    part p = {.height = height, .width = width};
    if (proportion < ratio[0])
        p.height = (int64_t)rint((double)width / ratio[0]);
    else if (proportion > ratio[1])
        p.width = (int64_t)rint((double)height * ratio[1]);
    p.height = p.height < 1 ? 1 : p.height > height ? height : p.height;
    p.width = p.width < 1 ? 1 : p.width > width ? width : p.width;
    p.top = (height - p.height) / 2;
    p.left = (width - p.width) / 2;
    return p;
}

static part random_part(int64_t height, int64_t width, const heed_images_transform_options *o,
                        const heed_images_draw *draw)
{
    for (int i = 0; draw && i < ATTEMPTS; i++) {
        const double area = (double)height * (double)width * between(draw, PART_AREA + i, o->scale[0], o->scale[1]);
        const double ratio = exp(between(draw, PART_RATIO + i, log(o->ratio[0]), log(o->ratio[1])));
        const double h = rint(sqrt(area / ratio)), w = rint(sqrt(area * ratio));
        if (h < 1 || h > (double)height || w < 1 || w > (double)width)
            continue;
        part p = {.height = (int64_t)h, .width = (int64_t)w};
        p.top = position(draw, PART_TOP, height - p.height);
        p.left = position(draw, PART_LEFT, width - p.width);
        return p;
    }
    return central_part(height, width, o->ratio);
}

/* Returns the part of this size at the centre; a smaller image gets zeros around it. */
static heed_tensor *crop_center(heed_tensor *x, heed_shape size)
{
    part p = size_of(size);
    int64_t down = p.height - heed_dim(x, 1), right = p.width - heed_dim(x, 2);
    down = down > 0 ? down : 0;
    right = right > 0 ? right : 0;
    if (down > 0 || right > 0)
        x = heed_pad(x, HEED_SHAPE(right / 2, right - right / 2, down / 2, down - down / 2), HEED_PAD_CONSTANT, 0);
    if (!x)
        return NULL;
    p.top = (int64_t)rint((double)(heed_dim(x, 1) - p.height) / 2);
    p.left = (int64_t)rint((double)(heed_dim(x, 2) - p.width) / 2);
    return cut(x, p);
}

static heed_tensor *crop_random(const char *where, heed_tensor *x, const heed_images_transform_options *o,
                                const heed_images_draw *draw)
{
    const int64_t pad = o->padding;
    part p = size_of(o->random_crop);
    if (!draw)
        return crop_center(x, o->random_crop);
    const int64_t down = heed_dim(x, 1) + 2 * pad - p.height, right = heed_dim(x, 2) + 2 * pad - p.width;
    if (down < 0 || right < 0)
        return heed_fail_null(HEED_ERR_SHAPE, where,
                              "random_crop (%" PRId64 ", %" PRId64
                              ") is larger than the image %s with padding %" PRId64,
                              p.height, p.width, heed_shape_text(heed_shape_of(x)).s, pad);
    p.top = position(draw, CROP_TOP, down);
    p.left = position(draw, CROP_LEFT, right);
    return cut(pad > 0 ? heed_pad(x, HEED_SHAPE(pad, pad, pad, pad), HEED_PAD_CONSTANT, 0) : x, p);
}

/* -- The transform ------------------------------------------------------------------------------------------------- */

static heed_tensor *flip(heed_tensor *x, const heed_images_transform_options *o, const heed_images_draw *draw)
{
    const bool across = draw && uniform(draw, HORIZONTAL) < o->horizontal_flip;
    const bool down = draw && uniform(draw, VERTICAL) < o->vertical_flip;
    return across && down ? heed_flip(x, HEED_AXES(1, 2))
           : across       ? heed_flip(x, HEED_AXES(2))
           : down         ? heed_flip(x, HEED_AXES(1))
                          : x;
}

/* Returns (x - mean) / std, or x if this is x. */
static heed_tensor *normalise(heed_tensor *x, const heed_images_transform_options *o)
{
    const int64_t channels = heed_dim(x, 0);
    double std[4];
    bool changes = false;
    for (int c = 0; c < 4; c++) {
        std[c] = o->std[c] == 0 ? 1 : o->std[c];
        changes = changes || o->mean[c] != 0 || std[c] != 1;
    }
    if (!changes)
        return x;
    const heed_shape shape = HEED_SHAPE(channels, 1, 1);
    heed_tensor *mean = heed_from_values(heed_dtype_of(x), shape, o->mean, channels);
    heed_tensor *divisor = heed_from_values(heed_dtype_of(x), shape, std, channels);
    return heed_div(heed_sub(x, mean), divisor);
}

static heed_tensor *transform(const char *where, heed_tensor *image, const heed_images_transform_options *o,
                              const heed_images_draw *draw)
{
    heed_tensor *x = image;
    if (x && o->resize.rank > 0)
        x = resize_to(x, o->resize);
    if (x && o->random_resized_crop.rank > 0) {
        const part p = size_of(o->random_resized_crop);
        x = cut(x, random_part(heed_dim(x, 1), heed_dim(x, 2), o, draw));
        x = x ? resize(x, p.height, p.width) : NULL;
    }
    if (x && o->random_crop.rank > 0)
        x = crop_random(where, x, o, draw);
    if (x && o->center_crop.rank > 0)
        x = crop_center(x, o->center_crop);
    x = x ? flip(x, o, draw) : NULL;
    return x ? normalise(x, o) : NULL;
}

static bool check_image(const char *where, const heed_tensor *image, const heed_images_transform_options *o)
{
    const heed_shape shape = heed_shape_of(image);
    if (shape.rank != 3 || shape.dims[1] < 1 || shape.dims[2] < 1)
        return heed_fail_false(HEED_ERR_SHAPE, where, "the image is %s: must be (C, H, W) and not empty",
                               heed_shape_text(shape).s);
    if (!heed_dtype_is_float(heed_dtype_of(image)))
        return heed_fail_false(HEED_ERR_DTYPE, where, "the image is %s: must be f32 or f64",
                               heed_dtype_name(heed_dtype_of(image)));
    for (int64_t c = 0; c < 4 && shape.dims[0] > 4; c++)
        if (o->mean[c] != 0 || o->std[c] != 0)
            return heed_fail_false(HEED_ERR_SHAPE, where, "the image is %s: at most 4 channels can be normalised",
                                   heed_shape_text(shape).s);
    return true;
}

heed_tensor *heed__transform(const char *where, heed_tensor *image, const heed_images_transform_options *o,
                             const heed_images_draw *draw)
{
    heed_scope *scope = check_image(where, image, o) ? heed_no_grad_begin() : NULL;
    heed_tensor *y = scope ? transform(where, image, o, draw) : NULL;
    y = y ? heed_clone(y) : NULL;
    return scope ? heed_scope_return(scope, y) : NULL;
}

heed_tensor *heed_images_transform(heed_tensor *image, const heed_images_transform_options *options,
                                   const heed_images_draw *draw)
{
    static const char where[] = "images_transform";
    HEED_ENTER(where);
    heed_images_transform_options o = {0};
    if (!image)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "the image is NULL");
    return heed__transform_options(where, options, &o) ? heed__transform(where, image, &o, draw) : NULL;
}
