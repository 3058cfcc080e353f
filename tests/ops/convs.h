/* tests/ops/convs.h - samples of convolutions.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_OPS_CONVS_H
#define HEED_TESTS_OPS_CONVS_H

#include "functions.h"

/* 21 is (2, 1) and 2 is (2); 0 is (). */
static inline heed_shape numbers(int64_t digits)
{
    return digits == 0 ? HEED_SCALAR : digits < 10 ? HEED_SHAPE(digits) : HEED_SHAPE(digits / 10, digits % 10);
}

/* From c->i: stride, padding, dilation, groups, and whether `same`, or the output's padding. */
static inline heed_conv_options conv_options(const op_case *c)
{
    return (heed_conv_options){.stride = numbers(c->i[0]),
                               .padding = numbers(c->i[1]),
                               .dilation = numbers(c->i[2]),
                               .groups = c->i[3],
                               .same = c->i[4] != 0};
}

static inline heed_conv_transpose_options conv_transpose_options(const op_case *c)
{
    return (heed_conv_transpose_options){.stride = numbers(c->i[0]),
                                         .padding = numbers(c->i[1]),
                                         .dilation = numbers(c->i[2]),
                                         .groups = c->i[3],
                                         .output_padding = numbers(c->i[4])};
}

/* x, w and a bias, or x and w. */
#define CONV(name_, x, w, channels, ...)                                                                               \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 3, .in = {{.shape = x}, {.shape = w}, {.shape = DIMS(channels)}},       \
        .i = {                                                                                                         \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#define CONV_NO_BIAS(name_, x, w)                                                                                      \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2, .in = { {.shape = x}, {.shape = w} }                                 \
    }

/* The number of elements that differ. */
static inline heed_tensor *differences(heed_tensor *a, heed_tensor *b)
{
    return heed_sum(heed_to_dtype(heed_compare(a, HEED_COMPARE_NE, b), HEED_F64));
}

static inline heed_tensor *waves(heed_dtype dtype, heed_shape shape)
{
    return heed_sin(heed_mul_scalar(counting(dtype, shape), 0.7));
}

#define ONES(...) heed_ones(HEED_F64, HEED_SHAPE(__VA_ARGS__))

#endif
