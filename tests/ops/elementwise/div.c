/* tests/ops/elementwise/div.c - cases of heed_div. */

#include "elementwise.h"

RUN_2(run, heed_div(a, b))
BAD_2(heed_div(a, b))

static heed_tensor *special(void)
{
    heed_tensor *a = HEED_TENSOR(HEED_F64, HEED_SHAPE(14), 1.0, 1.0, 0.0, INFINITY, 1.0, NAN, 1.0, 5e-324, 0.5, -1.25,
                                 3.0, -0.1, 1e-08, 7.0);
    heed_tensor *b = HEED_TENSOR(HEED_F64, HEED_SHAPE(14), 0.0, -0.0, 0.0, INFINITY, INFINITY, 1.0, NAN, 2.0, 3.0, 3.0,
                                 3.0, 3.0, 3.0, 3.0);
    return heed_div(a, b);
}

const op_cases heed_cases_div = {
    .cases = (const op_case[]){BINARY_SAMPLES(run, .gap = 0.5),
                               SCALED_SAMPLE_2(run, 1e7, 1e8),
                               {.name = "(5) of 1e-8 / (5)",
                                .run = run,
                                .n_inputs = 2,
                                .in = {{.shape = DIMS(5), .low = -1e-8, .high = 1e-8}, {.shape = DIMS(5), .gap = 0.5}}},
                               {.name = "(5) of 1e8 / (5)",
                                .run = run,
                                .n_inputs = 2,
                                .in = {{.shape = DIMS(5), .low = -1e8, .high = 1e8}, {.shape = DIMS(5), .gap = 0.5}}},
                               {0}},
    .values = (const op_value[]){{"special values", special, DIMS(14), 1e-15,
                                  (const double[]){INFINITY, -INFINITY, NAN, NAN, 0.0, NAN, NAN, 0.0,
                                                   0.16666666666666666, -0.4166666666666667, 1.0, -0.03333333333333333,
                                                   3.3333333333333334e-09, 2.3333333333333335}},
                                 {0}},
    .errors = (const op_error[]){BAD_2_ERRORS(div), {0}},
};
