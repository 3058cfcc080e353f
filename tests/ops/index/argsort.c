/* tests/ops/index/argsort.c - cases of heed_argsort. The cases in sort.c test the order itself. */

#include "functions.h"

#include <limits.h>

RUN(run, heed_argsort(in[0], (int)c->i[0], c->i[1]))

#define SAMPLE(name_, dims, ...)                                                                                       \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 1, .in = {{.shape = dims, .distinct = true}}, .i = {__VA_ARGS__},       \
        .max_order = -1                                                                                                \
    }

GIVES(up, heed_argsort(HEED_TENSOR(HEED_F32, HEED_SHAPE(5), 2, NAN, 1, 2, -INFINITY), 0, false))
GIVES(down, heed_argsort(HEED_TENSOR(HEED_F32, HEED_SHAPE(5), 2, NAN, 1, 2, -INFINITY), -1, true))
GIVES(columns, heed_argsort(HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 2), 3, 1, 1, 3), 0, false))

/* The result is a plain tensor of indices, also if x requires a gradient. */
static heed_tensor *of_leaf(void)
{
    heed_tensor *y = heed_argsort(heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(2)), true), 0, false);
    return heed_full(HEED_I64, HEED_SCALAR, heed_requires_grad(y));
}

GIVES(of_null, heed_argsort(NULL, 0, false))
GIVES(of_scalar, heed_argsort(heed_ones(HEED_F64, HEED_SCALAR), -1, false))
GIVES(of_bool, heed_argsort(heed_ones(HEED_BOOL, HEED_SHAPE(2, 3)), 0, false))
GIVES(axis_least, heed_argsort(heed_ones(HEED_F64, HEED_SHAPE(2, 3)), INT_MIN, true))

const op_cases heed_cases_argsort = {
    .cases = (const op_case[]){SAMPLE("(1)", DIMS(1), 0, false),
                               SAMPLE("(5)", DIMS(5), 0, true),
                               SAMPLE("(2, 3) axis 0", DIMS(2, 3), 0, false),
                               SAMPLE("(2, 3, 5) axis -2", DIMS(2, 3, 5), -2, true),
                               SAMPLE("(0, 3)", DIMS(0, 3), 0, false),
                               {0}},
    .values = (const op_value[]){{"up", up, DIMS(5), 0, (const double[]){4, 2, 0, 3, 1}},
                                 {"down", down, DIMS(5), 0, (const double[]){1, 0, 3, 2, 4}},
                                 {"columns", columns, DIMS(2, 2), 0, (const double[]){1, 0, 0, 1}},
                                 {"of a leaf", of_leaf, NO_DIMS, 0, (const double[]){0}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "argsort:"},
                                 {"()", of_scalar, HEED_ERR_SHAPE, "argsort: there is no axis -1"},
                                 {"bool", of_bool, HEED_ERR_DTYPE, "argsort: sort: the tensor is bool (2, 3)"},
                                 {"axis INT_MIN", axis_least, HEED_ERR_SHAPE, "argsort: there is no axis -2147483648"},
                                 {0}},
};
