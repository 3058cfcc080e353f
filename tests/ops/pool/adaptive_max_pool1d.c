/* tests/ops/pool/adaptive_max_pool1d.c - cases of heed_adaptive_max_pool1d. */

#include "pools.h"

RUN(run, heed_adaptive_max_pool1d(in[0], numbers(c->i[0]), NULL))

GIVES(halves, heed_adaptive_max_pool1d(counting(HEED_F64, HEED_SHAPE(1, 5)), HEED_SHAPE(2), NULL))

BAD_POOLS(heed_adaptive_max_pool1d(x, kernel, NULL))
GIVES(empty, heed_adaptive_max_pool1d(ONES(2, 0), HEED_SHAPE(1), NULL))

const op_cases heed_cases_adaptive_max_pool1d = {
    .cases = (const op_case[]){POOL("3 of 7", DIMS(2, 7), 3),
                               POOL("more than there are", DIMS(1, 1, 3), 5),
                               POOL("one", DIMS(4), 1),
                               POOL("no planes", DIMS(0, 3), 2),
                               {0}},
    .values = (const op_value[]){{"halves overlap", halves, DIMS(1, 2), 0, (const double[]){2, 4}}, {0}},
    .errors =
        (const op_error[]){BAD_POOLS_ERRORS("adaptive_max_pool1d"),
                           {"nothing to pool", empty, HEED_ERR_SHAPE, "adaptive_max_pool1d: the planes of x (2, "},
                           {0}},
};
