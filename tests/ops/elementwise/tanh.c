/* tests/ops/elementwise/tanh.c - cases of heed_tanh. */

#include "cases.h"

static heed_tensor *run(heed_tensor *const *in, const op_case *c)
{
    (void)c;
    return heed_tanh(in[0]);
}

static heed_tensor *special(void)
{
    return heed_tanh(HEED_TENSOR(HEED_F64, HEED_SHAPE(6), 0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0));
}

static heed_tensor *of_integers(void)
{
    return heed_tanh(heed_zeros(HEED_I64, HEED_SHAPE(2)));
}

const op_cases heed_cases_tanh = {
    .cases = (const op_case[]){UNARY_SAMPLES(run, .low = -2, .high = 2), {0}},
    .values = (const op_value[]){{"special values", special, DIMS(6), 1e-15,
                                  (const double[]){0.0, -0.0, 1.0, -1.0, NAN, 0.76159415595576489}},
                                 {0}},
    .errors = (const op_error[]){{"i64", of_integers, HEED_ERR_DTYPE, "tanh"}, {0}},
};
