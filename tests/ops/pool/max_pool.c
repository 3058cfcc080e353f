/* tests/ops/pool/max_pool.c - cases of heed_max_pool.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "pools.h"

RUN(run, heed_max_pool(in[0], numbers(c->i[0]), &(heed_max_pool_options[]){max_options(c)}[0], NULL))

/* The book's example: 0 .. 8 by windows of 2 x 2 with stride 1. */
GIVES(book, heed_max_pool(counting(HEED_F64, HEED_SHAPE(1, 1, 3, 3)), HEED_SHAPE(2, 2),
                          &(heed_max_pool_options){.stride = HEED_SHAPE(1)}, NULL))

static heed_tensor *indices_of(heed_tensor *x, const heed_max_pool_options *options)
{
    heed_tensor *indices = NULL;
    return heed_max_pool(x, HEED_SHAPE(2, 2), options, &indices) ? indices : NULL;
}

GIVES(indices, indices_of(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 4), 1, 1, 0, 5, 1, 0, 7, 7), NULL))
GIVES(places_of_nan, indices_of(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 4), NAN, 1, 0, 5, 1, 0, NAN, 7), NULL))
GIVES(places_of_infinity, indices_of(heed_full(HEED_F64, HEED_SHAPE(2, 2), -INFINITY), NULL))
GIVES(special, heed_max_pool(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 6), NAN, 1, -INFINITY, -INFINITY, 2, INFINITY),
                             HEED_SHAPE(1, 2), NULL, NULL))
GIVES(cut, heed_max_pool(counting(HEED_F64, HEED_SHAPE(2, 2)), HEED_SHAPE(3, 3),
                         &(heed_max_pool_options){.ceil_mode = true}, NULL))
GIVES(no_planes, heed_max_pool(ONES(0, 3, 4), HEED_SHAPE(2, 2), NULL, NULL))

GIVES(pairs, heed_max_pool(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 5), 1, 3, 2, 0, 9), HEED_SHAPE(2), NULL, NULL))
GIVES(ceiling, heed_max_pool(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 5), 1, 3, 2, 0, 9), HEED_SHAPE(2),
                             &(heed_max_pool_options){.ceil_mode = true}, NULL))

static heed_tensor *largest(heed_tensor *x)
{
    return heed_max_pool(x, HEED_SHAPE(2, 2), &(heed_max_pool_options){.stride = HEED_SHAPE(1)}, NULL);
}

GIVES(shares, gradient(largest, HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 3), 1, 2, 2, 3, 9, 2, 3, 3, 3)))

BAD_POOLS(heed_max_pool(x, kernel, NULL, NULL))
GIVES(too_large, heed_max_pool(ONES(1, 2, 4), HEED_SHAPE(3, 3), NULL, NULL))
GIVES(padding,
      heed_max_pool(ONES(1, 2, 4), HEED_SHAPE(2, 3), &(heed_max_pool_options){.padding = HEED_SHAPE(1, 2)}, NULL))
GIVES(stride, heed_max_pool(ONES(1, 2, 4), HEED_SHAPE(1, 1), &(heed_max_pool_options){.stride = HEED_SHAPE(0)}, NULL))
GIVES(huge_dilation,
      heed_max_pool(ONES(1, 2, 4), HEED_SHAPE(2, 2), &(heed_max_pool_options){.dilation = HEED_SHAPE(INT64_MAX)}, NULL))
GIVES(padding_alone, heed_max_pool(ONES(1, 1, 1), HEED_SHAPE(2, 2),
                                   &(heed_max_pool_options){.padding = HEED_SHAPE(1), .dilation = HEED_SHAPE(2)}, NULL))

const op_cases heed_cases_max_pool = {
    .cases = (const op_case[]){POOL("2 x 2", DIMS(2, 1, 4, 5), 22),
                               POOL("one plane", DIMS(3, 4), 23, 1),
                               POOL("padding, stride", DIMS(2, 5, 4), 33, 2, 1),
                               POOL("dilation", DIMS(1, 6, 5), 22, 1, 1, 32),
                               POOL("ceil", DIMS(1, 1, 5, 6), 22, 3, 0, 0, 1),
                               POOL("line, 2", DIMS(2, 1, 5), 2),
                               POOL("line, padding, stride", DIMS(2, 7), 3, 2, 1),
                               POOL("line, dilation, ceil", DIMS(6), 2, 2, 1, 2, 1),
                               POOL("no planes", DIMS(0, 3, 4), 22),
                               {0}},
    .values =
        (const op_value[]){{"book", book, DIMS(1, 1, 2, 2), 0, (const double[]){4, 5, 7, 8}},
                           {"the first of equals", indices, DIMS(1, 2), 0, (const double[]){0, 6}},
                           {"NaN", places_of_nan, DIMS(1, 2), 0, (const double[]){0, 6}},
                           {"nothing above -infinity", places_of_infinity, DIMS(1, 1), 0, (const double[]){0}},
                           {"special numbers", special, DIMS(1, 3), 0, (const double[]){NAN, -INFINITY, INFINITY}},
                           {"a window that is cut", cut, DIMS(1, 1), 0, (const double[]){3}},
                           {"pairs", pairs, DIMS(1, 2), 0, (const double[]){3, 2}},
                           {"ceil", ceiling, DIMS(1, 3), 0, (const double[]){3, 2, 9}},
                           {"no planes", no_planes, DIMS(0, 1, 2), 0, NULL},
                           {"shares", shares, DIMS(3, 3), 0, (const double[]){0, 0, 0, 0, 4, 0, 0, 0, 0}},
                           {0}},
    .errors = (const op_error[]){BAD_POOLS_ERRORS("max_pool"),
                                 {"kernel too large", too_large, HEED_ERR_SHAPE,
                                  "max_pool: a kernel (3, 3) with dilation (1, 1) does not fit into (2, 4)"},
                                 {"padding", padding, HEED_ERR_ARGUMENT,
                                  "max_pool: padding is (1, 2): must be at most half of the kernel (2, 3)"},
                                 {"stride 0", stride, HEED_ERR_ARGUMENT, "max_pool: stride is 0"},
                                 {"huge dilation", huge_dilation, HEED_ERR_ARGUMENT,
                                  "max_pool: dilation is 9223372036854775807"},
                                 {"padding alone", padding_alone, HEED_ERR_SHAPE,
                                  "max_pool: window 0 of (1, 1) with padding (1, 1) covers only padding"},
                                 {0}},
};
