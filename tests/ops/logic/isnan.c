/* tests/ops/logic/isnan.c - cases of heed_isnan. */

#include "functions.h"

RUN(run, heed_isnan(in[0]))

#define SAMPLE(dims)                                                                                                   \
    {                                                                                                                  \
        .name = #dims, .run = run, .n_inputs = 1, .in = {{.shape = dims}}, .max_order = -1                             \
    }

static heed_tensor *special(heed_dtype dtype)
{
    return heed_isnan(HEED_TENSOR(dtype, HEED_SHAPE(8), 0, -0.0, 1e-45, 3e38, INFINITY, -INFINITY, NAN, -NAN));
}

GIVES(special_f32, special(HEED_F32))
GIVES(special_f64, special(HEED_F64))
GIVES(every_other,
      heed_isnan(heed_slice(HEED_TENSOR(HEED_F64, HEED_SHAPE(5), NAN, 1, INFINITY, 2, 3), 0, 0, HEED_END, 2)))
GIVES(of_i64, heed_isnan(HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 0, -7)))
GIVES(of_bool, heed_isnan(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), 0, 1)))
GIVES(of_null, heed_isnan(NULL))

const op_cases heed_cases_isnan = {
    .cases =
        (const op_case[]){
            SAMPLE(NO_DIMS), SAMPLE(DIMS(0)), SAMPLE(DIMS(5)), SAMPLE(DIMS(37)), SAMPLE(DIMS(2, 3, 5)), {0}},
    .values = (const op_value[]){{"f32", special_f32, DIMS(8), 0, (const double[]){0, 0, 0, 0, 0, 0, 1, 1}},
                                 {"f64", special_f64, DIMS(8), 0, (const double[]){0, 0, 0, 0, 0, 0, 1, 1}},
                                 {"every other", every_other, DIMS(3), 0, (const double[]){1, 0, 0}},
                                 {"i64", of_i64, DIMS(2), 0, (const double[]){0, 0}},
                                 {"bool", of_bool, DIMS(2), 0, (const double[]){0, 0}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "isnan:"}, {0}},
};
