/* tests/ops/test_conv_paths.c - tests which path convolutions of certain shapes, and their gradients, take.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "ops/conv/run.h"

static const char *const names[] = {
    [HEED_CONV_PATCHES] = "patches", [HEED_CONV_BANDS] = "bands",         [HEED_CONV_BY_CHANNEL] = "by channel",
    [HEED_CONV_LINES] = "lines",     [HEED_CONV_WINOGRAD] = "Winograd's", [HEED_CONV_PRODUCT] = "product",
};

/* Short names for the table. */
enum {
    PATCHES = HEED_CONV_PATCHES,
    BANDS = HEED_CONV_BANDS,
    CHANNEL = HEED_CONV_BY_CHANNEL,
    LINES = HEED_CONV_LINES,
    WINOGRAD = HEED_CONV_WINOGRAD,
    PRODUCT = HEED_CONV_PRODUCT,
};

/* A batch of square planes and a square kernel, and the paths of y, of the gradient by x and of the gradient by w. */
typedef struct shape_paths {
    int64_t images, channels, rows, plane, kernel, stride, padding, groups;
    int y, x, w;
} shape_paths;

static const shape_paths shapes[] = {
    /* W10 and N10 */
    {16, 64, 64, 56, 3, 1, 1, 1, WINOGRAD, WINOGRAD, WINOGRAD},
    {16, 512, 512, 7, 3, 1, 1, 1, WINOGRAD, WINOGRAD, WINOGRAD},
    {16, 64, 128, 56, 3, 2, 1, 1, WINOGRAD, WINOGRAD, WINOGRAD},
    {16, 64, 128, 56, 1, 2, 0, 1, PRODUCT, PRODUCT, PRODUCT},
    {16, 64, 256, 56, 1, 1, 0, 1, PRODUCT, PRODUCT, PRODUCT},
    {64, 1, 6, 28, 5, 1, 2, 1, BANDS, LINES, BANDS},
    {64, 6, 16, 14, 5, 1, 0, 1, CHANNEL, BANDS, PATCHES},
    {1, 3, 64, 224, 7, 2, 3, 1, CHANNEL, BANDS, PATCHES},
    {16, 96, 96, 28, 3, 1, 1, 96, LINES, LINES, BANDS},
    {16, 96, 96, 28, 3, 2, 1, 96, LINES, LINES, BANDS},
    {16, 128, 128, 28, 3, 1, 1, 32, BANDS, BANDS, BANDS},
    {3, 1, 1, 127, 11, 1, 5, 1, LINES, LINES, BANDS},
    /* the limits of products: 64 positions, of which tiles waste less than a quarter */
    {16, 64, 256, 8, 1, 1, 0, 1, PRODUCT, PRODUCT, PRODUCT},
    {16, 64, 256, 7, 1, 1, 0, 1, PATCHES, BANDS, PATCHES},
    {16, 64, 256, 9, 1, 1, 0, 1, PRODUCT, PRODUCT, PRODUCT},
    {2, 64, 64, 8, 1, 1, 0, 1, PRODUCT, PRODUCT, PRODUCT},
    {1, 64, 64, 8, 1, 1, 0, 1, PRODUCT, PRODUCT, PATCHES},
    {16, 64, 256, 8, 1, 1, 1, 1, PATCHES, BANDS, PATCHES},
    {16, 64, 256, 8, 1, 1, 0, 2, BANDS, BANDS, PATCHES},
    /* the limits of Winograd's algorithm: channels and positions */
    {2, 16, 16, 6, 3, 1, 1, 1, WINOGRAD, WINOGRAD, WINOGRAD},
    {2, 15, 16, 6, 3, 1, 1, 1, CHANNEL, CHANNEL, PATCHES},
    {2, 16, 16, 5, 3, 1, 1, 1, CHANNEL, CHANNEL, PATCHES},
    {2, 16, 16, 28, 3, 2, 1, 1, WINOGRAD, WINOGRAD, WINOGRAD},
    {2, 16, 16, 26, 3, 2, 1, 1, CHANNEL, WINOGRAD, WINOGRAD},
    {1, 16, 16, 26, 3, 2, 1, 1, CHANNEL, WINOGRAD, PATCHES},
    {1, 16, 16, 4, 3, 2, 1, 1, PATCHES, PATCHES, PATCHES},
    {2, 16, 16, 28, 3, 2, 0, 1, CHANNEL, CHANNEL, WINOGRAD},
    /* by channel: rows that fill registers, lines of 5 positions */
    {2, 4, 32, 7, 3, 1, 0, 1, CHANNEL, BANDS, PATCHES},
    {2, 4, 32, 6, 3, 1, 0, 1, PATCHES, BANDS, PATCHES},
    {2, 4, 20, 12, 3, 1, 0, 1, BANDS, BANDS, PATCHES},
    /* kernels that are not wider than the stride */
    {2, 16, 32, 16, 2, 2, 0, 1, CHANNEL, BANDS, PATCHES},
    /* no images, no channels */
    {0, 4, 4, 8, 3, 1, 1, 1, PATCHES, PATCHES, PATCHES},
    {2, 0, 4, 8, 3, 1, 1, 1, PATCHES, PATCHES, PATCHES},
};

static heed__conv_path path_of(const shape_paths *s, heed__conv_result result)
{
    heed_scope *scope = heed_scope_begin();
    heed__conv c;
    heed__conv_job jobs[HEED_CONV_REMAINDERS];
    const heed_conv_options options = {
        .stride = HEED_SHAPE(s->stride), .padding = HEED_SHAPE(s->padding), .groups = s->groups};
    heed_tensor *x = heed_empty(HEED_F32, HEED_SHAPE(s->images, s->channels, s->plane, s->plane)),
                *w = heed_empty(HEED_F32, HEED_SHAPE(s->rows, s->channels / s->groups, s->kernel, s->kernel));
    ck_assert(heed__conv_of("conv", x, w, &options, &c));
    heed_tensor *y = heed_empty(HEED_F32, HEED_SHAPE(s->images, s->rows, c.y[0], c.y[1]));
    int64_t n = 1, next = 0;
    if (result == HEED_CONV_X) {
        const heed__conv_job all = heed__conv_job_of(&c, y, w, x);
        n = heed__conv_remainders(&c, &all, &next, jobs);
    } else {
        *jobs = heed__conv_job_of(&c, x, w, y);
        heed__conv_set_forward(&c, jobs);
    }
    heed__conv_choose(&c, result, jobs, n, true);
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    return jobs->path;
}

START_TEST(shapes_have_their_paths)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const shape_paths *s = &shapes[i];
        const int expected[] = {[HEED_CONV_Y] = s->y, [HEED_CONV_X] = s->x, [HEED_CONV_W] = s->w};
        for (int result = 0; result < 3; result++) {
            const heed__conv_path path = path_of(s, (heed__conv_result)result);
            ck_assert_msg((int)path == expected[result], "row %d, result %d: %s, not %s", (int)i, result, names[path],
                          names[expected[result]]);
        }
    }
}
END_TEST

HEED_TEST_MAIN("paths of convolutions", shapes_have_their_paths)
