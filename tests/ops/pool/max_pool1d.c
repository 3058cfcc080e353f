/* tests/ops/pool/max_pool1d.c - cases of heed_max_pool1d. */

#include "pools.h"

RUN(run, heed_max_pool1d(in[0], numbers(c->i[0]), &(heed_max_pool_options[]){max_options(c)}[0], NULL))

GIVES(pairs, heed_max_pool1d(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 5), 1, 3, 2, 0, 9), HEED_SHAPE(2), NULL, NULL))
GIVES(ceiling, heed_max_pool1d(HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 5), 1, 3, 2, 0, 9), HEED_SHAPE(2),
                               &(heed_max_pool_options){.ceil_mode = true}, NULL))

BAD_POOLS(heed_max_pool1d(x, kernel, NULL, NULL))

const op_cases heed_cases_max_pool1d = {
    .cases = (const op_case[]){POOL("2", DIMS(2, 1, 5), 2),
                               POOL("padding, stride", DIMS(2, 7), 3, 2, 1),
                               POOL("dilation, ceil", DIMS(6), 2, 2, 1, 2, 1),
                               POOL("no planes", DIMS(0, 3), 2),
                               {0}},
    .values = (const op_value[]){{"pairs", pairs, DIMS(1, 2), 0, (const double[]){3, 2}},
                                 {"ceil", ceiling, DIMS(1, 3), 0, (const double[]){3, 2, 9}},
                                 {0}},
    .errors = (const op_error[]){BAD_POOLS_ERRORS("max_pool1d"), {0}},
};
