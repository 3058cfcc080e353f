/* tests/ops/pool/adaptive_avg_pool2d.c - cases of heed_adaptive_avg_pool2d. */

#include "pools.h"

RUN(run, heed_adaptive_avg_pool2d(in[0], numbers(c->i[0])))

GIVES(halves, heed_adaptive_avg_pool2d(counting(HEED_F64, HEED_SHAPE(1, 3, 5)), HEED_SHAPE(2)))

BAD_POOLS(heed_adaptive_avg_pool2d(x, kernel))
GIVES(empty, heed_adaptive_avg_pool2d(ONES(2, 3, 0), HEED_SHAPE(1)))

const op_cases heed_cases_adaptive_avg_pool2d = {
    .cases = (const op_case[]){POOL("2 x 3", DIMS(2, 5, 4), 23),
                               POOL("one", DIMS(2, 1, 3, 4), 1),
                               POOL("more than there are", DIMS(2, 3), 35),
                               POOL("no planes", DIMS(0, 3, 3), 2),
                               {0}},
    .values =
        (const op_value[]){{"halves overlap", halves, DIMS(1, 2, 2), 0, (const double[]){3.5, 5.5, 8.5, 10.5}}, {0}},
    .errors =
        (const op_error[]){BAD_POOLS_ERRORS("adaptive_avg_pool2d"),
                           {"nothing to pool", empty, HEED_ERR_SHAPE, "adaptive_avg_pool2d: the planes of x (2, "},
                           {0}},
};
