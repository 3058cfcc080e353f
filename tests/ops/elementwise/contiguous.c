/* tests/ops/elementwise/contiguous.c - cases of heed_contiguous. */

#include "elementwise.h"

RUN_1(run, heed_contiguous(x))
RUN_1(of_transposed, heed_contiguous(heed_transpose(x, 0, 1)))

static heed_tensor *of_every_second(void)
{
    return heed_contiguous(heed_slice(heed_arange(HEED_I64, 0, 6, 1), 0, 1, HEED_END, 2));
}

static heed_tensor *of_expanded(void)
{
    return heed_contiguous(heed_expand(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 1), true, false), HEED_SHAPE(2, 3)));
}

static heed_tensor *of_null(void)
{
    return heed_contiguous(NULL);
}

const op_cases heed_cases_contiguous = {
    .cases =
        (const op_case[]){UNARY_SAMPLES(run, .low = -2, .high = 2),
                          SCALED_SAMPLE(run, -1e-8, 1e-8),
                          SCALED_SAMPLE(run, -1e8, 1e8),
                          {.name = "transposed", .run = of_transposed, .n_inputs = 1, .in = {{.shape = DIMS(2, 3)}}},
                          {0}},
    .values = (const op_value[]){{"every second", of_every_second, DIMS(3), 0, (const double[]){1, 3, 5}},
                                 {"expanded", of_expanded, DIMS(2, 3), 0, (const double[]){1, 1, 1, 0, 0, 0}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "contiguous:"}, {0}},
};
