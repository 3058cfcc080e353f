/* tests/ops/functions.h - macros that define the functions for cases, values and errors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_OPS_FUNCTIONS_H
#define HEED_TESTS_OPS_FUNCTIONS_H

#include "cases.h"

/* A case's function; the expression may use in[] and c: RUN(run, heed_flip(in[0], c->shape)) */
#define RUN(name, ...)                                                                                                 \
    static heed_tensor *name(heed_tensor *const *in, const op_case *c)                                                 \
    {                                                                                                                  \
        (void)c;                                                                                                       \
        return __VA_ARGS__;                                                                                            \
    }

/* The function of a value or an error. */
#define GIVES(name, ...)                                                                                               \
    static heed_tensor *name(void)                                                                                     \
    {                                                                                                                  \
        return __VA_ARGS__;                                                                                            \
    }

/* A case of one input: ONE("(2, 3)", run, DIMS(2, 3), .shape = DIMS(6)) */
#define ONE(name_, run_, dims, ...)                                                                                    \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 1, .in = {{.shape = dims}}, __VA_ARGS__                                \
    }

/* x with every axis flipped. */
static inline heed_tensor *flip_all(heed_tensor *x)
{
    heed_shape axes = {.rank = heed_shape_of(x).rank};
    for (int i = 0; i < axes.rank; i++)
        axes.dims[i] = i;
    return heed_flip(x, axes);
}

/* 0 1 2 ... in row-major order. */
static inline heed_tensor *counting(heed_dtype dtype, heed_shape shape)
{
    return heed_reshape(heed_arange(dtype, 0, (double)heed_shape_numel(shape), 1), shape);
}

/* d sum(f(x)) / dx */
static inline heed_tensor *gradient(heed_tensor *(*f)(heed_tensor *x), heed_tensor *x)
{
    heed_tensor *dx = NULL;
    heed_tensor *y = heed_sum(f(heed_set_requires_grad(x, true)));
    return y && heed_grad(&y, 1, &x, 1, &dx, NULL) == HEED_OK ? dx : NULL;
}

/* The longest possible axis next to one of size 0. */
#define WIDEST ((INT64_C(1) << 62) - 1)

#define RANK_9 ((heed_shape){.rank = 9})
#define RANK_BELOW_0 ((heed_shape){.rank = -1})

#endif
