/* tests/ops/logic/logical_not.c - cases of heed_logical_not. */

#include "functions.h"

RUN(run, heed_logical_not(in[0]))

#define SAMPLE(dims)                                                                                                   \
    {                                                                                                                  \
        .name = #dims, .run = run, .n_inputs = 1, .in = {{OP_MASK, .shape = dims}}, .max_order = -1                    \
    }

GIVES(both, heed_logical_not(HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), 0, 1)))
GIVES(expanded, heed_logical_not(heed_expand(heed_zeros(HEED_BOOL, HEED_SCALAR), HEED_SHAPE(3))))
GIVES(of_null, heed_logical_not(NULL))
GIVES(of_f64, heed_logical_not(heed_ones(HEED_F64, HEED_SHAPE(2, 3))))

const op_cases heed_cases_logical_not = {
    .cases = (const op_case[]){SAMPLE(NO_DIMS),
                               SAMPLE(DIMS(0)),
                               SAMPLE(DIMS(5)),
                               SAMPLE(DIMS(2, 3)),
                               SAMPLE(DIMS(37)),
                               SAMPLE(DIMS(2, 3, 5)),
                               {0}},
    .values = (const op_value[]){{"both", both, DIMS(2), 0, (const double[]){1, 0}},
                                 {"expanded", expanded, DIMS(3), 0, (const double[]){1, 1, 1}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "logical_not:"},
                                 {"f64", of_f64, HEED_ERR_DTYPE, "logical_not: input 0 is f64 (2, 3): must be bool"},
                                 {0}},
};
