/* tests/ops/pool/avg_pool1d.c - cases of heed_avg_pool1d. */

#include "pools.h"

RUN(run, heed_avg_pool1d(in[0], numbers(c->i[0]), &(heed_avg_pool_options[]){avg_options(c)}[0]))

GIVES(pairs, heed_avg_pool1d(counting(HEED_F64, HEED_SHAPE(1, 5)), HEED_SHAPE(2), NULL))

BAD_POOLS(heed_avg_pool1d(x, kernel, NULL))

const op_cases heed_cases_avg_pool1d = {
    .cases = (const op_case[]){POOL("2", DIMS(2, 1, 5), 2),
                               POOL("padding, stride", DIMS(2, 7), 3, 2, 1),
                               POOL("padding excluded, ceil", DIMS(6), 3, 2, 1, 1, 1),
                               POOL("no planes", DIMS(0, 3), 2),
                               {0}},
    .values = (const op_value[]){{"pairs", pairs, DIMS(1, 2), 0, (const double[]){0.5, 2.5}}, {0}},
    .errors = (const op_error[]){BAD_POOLS_ERRORS("avg_pool1d"), {0}},
};
