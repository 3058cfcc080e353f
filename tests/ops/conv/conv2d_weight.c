/* tests/ops/conv/conv2d_weight.c - cases of heed_conv2d_weight. */

#include "convs.h"

RUN(run, heed_conv2d_weight(in[0], in[1], c->shape, &(heed_conv_options[]){conv_options(c)}[0]))

#define WEIGHT(name_, x, g, kernel, ...)                                                                               \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2, .in = {{.shape = x}, {.shape = g}}, .shape = kernel, .i = {          \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

GIVES(counted, heed_conv2d_weight(counting(HEED_F64, HEED_SHAPE(1, 1, 3, 3)), ONES(1, 1, 2, 2), HEED_SHAPE(2), NULL))

/* 100000 equal terms. */
GIVES(long_sum, heed_conv2d_weight(heed_full(HEED_F32, HEED_SHAPE(10, 1, 100, 100), 0.1),
                                   heed_ones(HEED_F32, HEED_SHAPE(10, 1, 100, 100)), HEED_SHAPE(1), NULL))

/* Enough rows that a few images are processed at a time; and all as lines of one image. */
static heed_tensor *images_as_one(void)
{
    heed_tensor *x = waves(HEED_F64, HEED_SHAPE(7, 3, 8, 8)), *g = waves(HEED_F64, HEED_SHAPE(7, 130, 8, 8));
    heed_tensor *x_1 = heed_reshape(heed_transpose(x, 0, 1), HEED_SHAPE(1, 3, 56, 8)),
                *g_1 = heed_reshape(heed_transpose(g, 0, 1), HEED_SHAPE(1, 130, 56, 8));
    return heed_max(heed_abs(
        heed_sub(heed_conv2d_weight(x, g, HEED_SHAPE(1), NULL), heed_conv2d_weight(x_1, g_1, HEED_SHAPE(1), NULL))));
}

/* Sums of two of these, which tiles of 2 x 2 results compute as intermediates, are not finite. */
static heed_tensor *far_sums(void)
{
    heed_tensor *x = heed_full(HEED_F64, HEED_SHAPE(1, 16, 8, 8), 1e308),
                *g = heed_full(HEED_F64, HEED_SHAPE(1, 16, 6, 6), 1e-308);
    return heed_max(heed_abs(heed_add_scalar(heed_conv2d_weight(x, g, HEED_SHAPE(3), NULL), -36)));
}

GIVES(no_images, heed_conv2d_weight(ONES(0, 1, 2, 2), ONES(0, 1, 2, 2), HEED_SHAPE(1), NULL))
GIVES(null, heed_conv2d_weight(NULL, ONES(1, 1, 1, 1), HEED_SHAPE(1), NULL))
GIVES(sizes, heed_conv2d_weight(ONES(1, 1, 5, 5), ONES(1, 1, 3, 4), HEED_SHAPE(3), NULL))
GIVES(images, heed_conv2d_weight(ONES(1, 1, 5, 5), ONES(2, 1, 3, 3), HEED_SHAPE(3), NULL))
GIVES(kernel, heed_conv2d_weight(ONES(1, 1, 5, 5), ONES(1, 1, 3, 3), HEED_SHAPE(3, 0), NULL))
GIVES(no_kernel, heed_conv2d_weight(ONES(1, 1, 5, 5), ONES(1, 1, 5, 5), HEED_SCALAR, NULL))
GIVES(groups, heed_conv2d_weight(ONES(1, 2, 5, 5), ONES(1, 3, 3, 3), HEED_SHAPE(3), &(heed_conv_options){.groups = 2}))

const op_cases heed_cases_conv2d_weight = {
    .cases = (const op_case[]){WEIGHT("one number", DIMS(1, 1, 1, 1), DIMS(1, 1, 1, 1), DIMS(1), 0),
                               WEIGHT("3 x 2", DIMS(2, 2, 3, 3), DIMS(2, 3, 3, 4), DIMS(3, 2), 0, 1),
                               WEIGHT("stride", DIMS(1, 2, 5, 6), DIMS(1, 2, 3, 2), DIMS(2, 2), 23, 10),
                               WEIGHT("dilation", DIMS(1, 1, 6, 5), DIMS(1, 2, 4, 5), DIMS(2, 3), 21, 2, 32),
                               WEIGHT("groups", DIMS(2, 4, 3, 3), DIMS(2, 2, 2, 2), DIMS(2), 0, 0, 0, 2),
                               WEIGHT("same", DIMS(1, 1, 2, 3), DIMS(1, 1, 2, 3), DIMS(2), 0, 0, 0, 0, 1),
                               WEIGHT("1 x 1, a product", DIMS(3, 2, 8, 8), DIMS(3, 4, 8, 8), DIMS(1), 0),
                               WEIGHT("1 x 1, a product, stride", DIMS(3, 2, 16, 15), DIMS(3, 2, 8, 8), DIMS(1), 2),
                               {0}},
    .values = (const op_value[]){{"counted", counted, DIMS(1, 1, 2, 2), 0, (const double[]){8, 12, 20, 24}},
                                 {"long sum", long_sum, DIMS(1, 1, 1, 1), 2e-6, (const double[]){10000}},
                                 {"images as one", images_as_one, NO_DIMS, 1e-12, (const double[]){0}},
                                 {"far sums", far_sums, NO_DIMS, 1e-10, (const double[]){0}},
                                 {"no images", no_images, DIMS(1, 1, 1, 1), 0, (const double[]){0}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", null, HEED_ERR_ARGUMENT, "conv2d_weight:"},
                                 {"no kernel", no_kernel, HEED_ERR_ARGUMENT,
                                  "conv2d_weight: kernel is (): must have at least one size"},
                                 {"sizes", sizes, HEED_ERR_SHAPE,
                                  "conv2d_weight: g is (1, 1, 3, 4) for x (1, 1, 5, 5): must be (1, any, 3, 3)"},
                                 {"images", images, HEED_ERR_SHAPE, "conv2d_weight: g is (2, 1, 3, 3)"},
                                 {"empty kernel", kernel, HEED_ERR_ARGUMENT, "conv2d_weight: kernel is 0"},
                                 {"groups", groups, HEED_ERR_ARGUMENT, "conv2d_weight: groups is 2"},
                                 {0}},
};
