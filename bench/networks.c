/* bench/networks.c - see networks.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "networks.h"

heed_nn_sequential *bench_mlp_new(void)
{
    const heed_nn_linear_options relu = {.activation = heed_relu};
    return heed_nn_sequential_new(
        HEED_MODULES(heed_nn_linear_new(IMAGE_PIXELS, 256, &relu), heed_nn_linear_new(256, IMAGE_CLASSES, NULL)));
}

static heed_tensor *flatten(heed_tensor *x)
{
    return heed_reshape(x, HEED_SHAPE(heed_shape_of(x).dims[0], -1));
}

static heed_nn_linear *sigmoid_of(int64_t in, int64_t out)
{
    return heed_nn_linear_new(in, out, &(heed_nn_linear_options){.activation = heed_sigmoid});
}

heed_nn_sequential *bench_lenet_new(void)
{
    const heed_nn_conv_options padded = {.padding = HEED_SHAPE(2)};
    return heed_nn_sequential_new(
        HEED_MODULES(heed_nn_conv_new(1, 6, HEED_SHAPE(5, 5), &padded), heed_nn_function_new("sigmoid", heed_sigmoid),
                     heed_nn_avg_pool_new(HEED_SHAPE(2, 2), NULL), heed_nn_conv_new(6, 16, HEED_SHAPE(5, 5), NULL),
                     heed_nn_function_new("sigmoid", heed_sigmoid), heed_nn_avg_pool_new(HEED_SHAPE(2, 2), NULL),
                     heed_nn_function_new("flatten", flatten), sigmoid_of(400, 120), sigmoid_of(120, 84),
                     heed_nn_linear_new(84, IMAGE_CLASSES, NULL)));
}
