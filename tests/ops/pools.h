/* tests/ops/pools.h - samples and bad arguments for pooling.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_OPS_POOLS_H
#define HEED_TESTS_OPS_POOLS_H

#include "convs.h"

/* From c->i: kernel, stride, padding, dilation, whether ceil_mode. */
static inline heed_max_pool_options max_options(const op_case *c)
{
    return (heed_max_pool_options){.stride = numbers(c->i[1]),
                                   .padding = numbers(c->i[2]),
                                   .dilation = numbers(c->i[3]),
                                   .ceil_mode = c->i[4] != 0};
}

/* Like max_options for an average pool, which has no dilation, but a divisor and the choice whether padding counts. */
static inline heed_avg_pool_options avg_options(const op_case *c)
{
    return (heed_avg_pool_options){.stride = numbers(c->i[1]),
                                   .padding = numbers(c->i[2]),
                                   .exclude_pad = c->i[3] != 0,
                                   .ceil_mode = c->i[4] != 0,
                                   .divisor = c->i[5]};
}

#define POOL(name_, x, ...)                                                                                            \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 1, .in = {{.shape = x, .low = -3, .high = 3, .distinct = true}}, .i = { \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

/* BAD_POOLS(heed_max_pool(x, kernel, NULL, NULL)) defines the functions that BAD_POOLS_ERRORS("max_pool") lists. */
#define BAD_POOLS(...)                                                                                                 \
    static heed_tensor *pooled(heed_tensor *x, heed_shape kernel)                                                      \
    {                                                                                                                  \
        return __VA_ARGS__;                                                                                            \
    }                                                                                                                  \
    GIVES(of_null, pooled(NULL, HEED_SHAPE(1)))                                                                        \
    GIVES(of_scalar, pooled(heed_ones(HEED_F32, HEED_SCALAR), HEED_SHAPE(1)))                                          \
    GIVES(of_i64, pooled(heed_ones(HEED_I64, HEED_SHAPE(1, 4, 4)), HEED_SHAPE(1)))                                     \
    GIVES(by_nothing, pooled(ONES(1, 4, 4), HEED_SCALAR))                                                              \
    GIVES(by_0, pooled(ONES(1, 4, 4), HEED_SHAPE(0)))                                                                  \
    GIVES(by_less, pooled(ONES(1, 4, 4), HEED_SHAPE(-1)))                                                              \
    GIVES(planes_by_one, pooled(ONES(2, 1, 4, 4), HEED_SHAPE(2)))                                                      \
    GIVES(by_three, pooled(ONES(1, 4, 4), HEED_SHAPE(1, 1, 1)))

#define BAD_POOLS_ERRORS(op)                                                                                           \
    {"NULL", of_null, HEED_ERR_ARGUMENT, op ":"},                                                                      \
        {"a scalar", of_scalar, HEED_ERR_SHAPE, op ": x () has fewer axes than "},                                     \
        {"i64", of_i64, HEED_ERR_DTYPE, op ": the tensor is i64"},                                                     \
        {"no kernel", by_nothing, HEED_ERR_ARGUMENT, " has 0 numbers: must be 1, or 2 for planes"},                    \
        {"size 0", by_0, HEED_ERR_ARGUMENT, " is 0: must"}, {"size -1", by_less, HEED_ERR_ARGUMENT, " is -1: must"},   \
        {"one size for planes", planes_by_one, HEED_ERR_SHAPE, op ": x (2, 1, 4, 4) has planes, but "},                \
    {                                                                                                                  \
        "three sizes", by_three, HEED_ERR_ARGUMENT, " has 3 numbers: must be 1, or 2 for planes"                       \
    }

#endif
