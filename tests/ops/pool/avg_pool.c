/* tests/ops/pool/avg_pool.c - cases of heed_avg_pool.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "pools.h"

RUN(run, heed_avg_pool(in[0], numbers(c->i[0]), &(heed_avg_pool_options[]){avg_options(c)}[0]))

GIVES(book, heed_avg_pool(counting(HEED_F64, HEED_SHAPE(1, 1, 3, 3)), HEED_SHAPE(2, 2),
                          &(heed_avg_pool_options){.stride = HEED_SHAPE(1)}))
GIVES(pairs, heed_avg_pool(counting(HEED_F64, HEED_SHAPE(1, 5)), HEED_SHAPE(2), NULL))
GIVES(with_padding, heed_avg_pool(ONES(2, 2), HEED_SHAPE(2, 2), &(heed_avg_pool_options){.padding = HEED_SHAPE(1)}))
GIVES(without_padding, heed_avg_pool(ONES(2, 2), HEED_SHAPE(2, 2),
                                     &(heed_avg_pool_options){.padding = HEED_SHAPE(1), .exclude_pad = true}))
GIVES(long_sum, heed_avg_pool(heed_full(HEED_F32, HEED_SHAPE(1000, 1000), 0.1), HEED_SHAPE(1000, 1000), NULL))

BAD_POOLS(heed_avg_pool(x, kernel, NULL))
GIVES(divisor, heed_avg_pool(ONES(2, 2), HEED_SHAPE(2, 2), &(heed_avg_pool_options){.divisor = -1}))

const op_cases heed_cases_avg_pool = {
    .cases = (const op_case[]){POOL("2 x 2", DIMS(2, 1, 4, 5), 22),
                               POOL("one plane", DIMS(3, 4), 23, 1),
                               POOL("padding, stride", DIMS(2, 5, 4), 33, 2, 1),
                               POOL("padding excluded", DIMS(1, 5, 4), 33, 2, 1, 1),
                               POOL("ceil", DIMS(1, 1, 5, 6), 33, 3, 1, 0, 1),
                               POOL("ceil, padding excluded", DIMS(1, 5, 6), 33, 3, 1, 1, 1),
                               POOL("divisor", DIMS(1, 3, 4), 22, 1, 1, 0, 0, 7),
                               POOL("line, 2", DIMS(2, 1, 5), 2),
                               POOL("line, padding, stride", DIMS(2, 7), 3, 2, 1),
                               POOL("line, padding excluded, ceil", DIMS(6), 3, 2, 1, 1, 1),
                               POOL("no planes", DIMS(0, 3, 4), 22),
                               {0}},
    .values = (const op_value[]){{"book", book, DIMS(1, 1, 2, 2), 0, (const double[]){2, 3, 5, 6}},
                                 {"pairs", pairs, DIMS(1, 2), 0, (const double[]){0.5, 2.5}},
                                 {"padding", with_padding, DIMS(2, 2), 0, (const double[]){0.25, 0.25, 0.25, 0.25}},
                                 {"padding excluded", without_padding, DIMS(2, 2), 0, (const double[]){1, 1, 1, 1}},
                                 {"long sum", long_sum, DIMS(1, 1), 1e-8, (const double[]){0.10000000149011612}},
                                 {0}},
    .errors = (const op_error[]){BAD_POOLS_ERRORS("avg_pool"),
                                 {"divisor", divisor, HEED_ERR_ARGUMENT, "avg_pool: divisor is -1: must be 0 or more"},
                                 {0}},
};
