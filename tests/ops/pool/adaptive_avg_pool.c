/* tests/ops/pool/adaptive_avg_pool.c - cases of heed_adaptive_avg_pool.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "pools.h"

RUN(run, heed_adaptive_avg_pool(in[0], numbers(c->i[0])))

GIVES(halves, heed_adaptive_avg_pool(counting(HEED_F64, HEED_SHAPE(1, 3, 5)), HEED_SHAPE(2, 2)))
GIVES(halves_of_line, heed_adaptive_avg_pool(counting(HEED_F64, HEED_SHAPE(1, 5)), HEED_SHAPE(2)))

BAD_POOLS(heed_adaptive_avg_pool(x, kernel))
GIVES(empty_line, heed_adaptive_avg_pool(ONES(2, 0), HEED_SHAPE(1)))
GIVES(empty, heed_adaptive_avg_pool(ONES(2, 3, 0), HEED_SHAPE(1, 1)))

const op_cases heed_cases_adaptive_avg_pool = {
    .cases = (const op_case[]){POOL("2 x 3", DIMS(2, 5, 4), 23),
                               POOL("one", DIMS(2, 1, 3, 4), 11),
                               POOL("more than there are", DIMS(2, 3), 35),
                               POOL("line, 3 of 7", DIMS(2, 7), 3),
                               POOL("line, more than there are", DIMS(1, 1, 3), 5),
                               POOL("line, one", DIMS(4), 1),
                               POOL("no planes", DIMS(0, 3, 3), 22),
                               {0}},
    .values = (const op_value[]){{"halves overlap", halves, DIMS(1, 2, 2), 0, (const double[]){3.5, 5.5, 8.5, 10.5}},
                                 {"halves of a line", halves_of_line, DIMS(1, 2), 0, (const double[]){1, 3}},
                                 {0}},
    .errors = (const op_error[]){BAD_POOLS_ERRORS("adaptive_avg_pool"),
                                 {"no line", empty_line, HEED_ERR_SHAPE, "adaptive_avg_pool: the planes of x (2, 0)"},
                                 {"nothing to pool", empty, HEED_ERR_SHAPE, "adaptive_avg_pool: the planes of x (2, "},
                                 {0}},
};
