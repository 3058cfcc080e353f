/* tests/ops/logic/all.c - cases of heed_all and heed_all_axes. */

#include "reductions.h"

RUN(run, heed_all_axes(in[0], c->shape, c->i[0]))
RUN(everything, heed_all(in[0]))

#define MASK(name_, run_, dims, axes, keepdim)                                                                         \
    {                                                                                                                  \
        .name = name_, .run = run_, .n_inputs = 1, .in = {{OP_MASK, .shape = dims}}, .i = {keepdim}, .shape = axes,    \
        .max_order = -1                                                                                                \
    }

/* A long row of 1 with one 0 in it. */
static heed_tensor *lone(int64_t n, int64_t index)
{
    heed_tensor *x = heed_full(HEED_BOOL, HEED_SHAPE(n), 1);
    heed_set_(x, HEED_SHAPE(index), 0);
    return x;
}

static heed_tensor *sample(void)
{
    return HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2, 3), 1, 1, 1, 1, 0, 1);
}

GIVES(whole, heed_all(sample()))
GIVES(axis_0, heed_all_axes(sample(), HEED_AXES(0), false))
GIVES(axis_1_kept, heed_all_axes(sample(), HEED_AXES(-1), true))
GIVES(transposed, heed_all_axes(heed_transpose(sample(), 0, 1), HEED_AXES(1), false))
GIVES(last_of_many, heed_all(lone(200001, 200000)))
GIVES(first_of_many, heed_all(lone(200001, 0)))
GIVES(column_of_many, heed_all_axes(heed_reshape(lone(200002, 100001), HEED_SHAPE(100001, 2)), HEED_AXES(0), false))
GIVES(of_nothing, heed_all(heed_zeros(HEED_BOOL, HEED_SHAPE(0))))
GIVES(columns_of_nothing, heed_all_axes(heed_zeros(HEED_BOOL, HEED_SHAPE(0, 3)), HEED_AXES(0), false))
GIVES(of_f64, heed_all(heed_ones(HEED_F64, HEED_SHAPE(2, 3))))
BAD_AXES(heed_all_axes(x ? heed_to_dtype(x, HEED_BOOL) : x, axes, false))

const op_cases heed_cases_all = {
    .cases = (const op_case[]){MASK("()", run, NO_DIMS, NO_DIMS, true),
                               MASK("(2, 3)", everything, DIMS(2, 3), NO_DIMS, false),
                               MASK("(2, 3) axis 0", run, DIMS(2, 3), DIMS(0), true),
                               MASK("(37)", everything, DIMS(37), NO_DIMS, false),
                               MASK("(5, 7) axis 0", run, DIMS(5, 7), DIMS(0), false),
                               MASK("(5, 7) axis 1 keepdim", run, DIMS(5, 7), DIMS(-1), true),
                               MASK("(2, 3, 5) axes 0 2", run, DIMS(2, 3, 5), DIMS(0, 2), false),
                               MASK("(0, 3) axis 1", run, DIMS(0, 3), DIMS(1), false),
                               {0}},
    .values = (const op_value[]){{"whole", whole, NO_DIMS, 0, (const double[]){0}},
                                 {"axis 0", axis_0, DIMS(3), 0, (const double[]){1, 0, 1}},
                                 {"axis 1 keepdim", axis_1_kept, DIMS(2, 1), 0, (const double[]){1, 0}},
                                 {"transposed", transposed, DIMS(3), 0, (const double[]){1, 0, 1}},
                                 {"last of many", last_of_many, NO_DIMS, 0, (const double[]){0}},
                                 {"first of many", first_of_many, NO_DIMS, 0, (const double[]){0}},
                                 {"column of many", column_of_many, DIMS(2), 0, (const double[]){1, 0}},
                                 {"of nothing", of_nothing, NO_DIMS, 0, (const double[]){1}},
                                 {"columns of nothing", columns_of_nothing, DIMS(3), 0, (const double[]){1, 1, 1}},
                                 {0}},
    .errors = (const op_error[]){{"f64", of_f64, HEED_ERR_DTYPE, "all: input 0 is f64 (2, 3): must be bool"},
                                 BAD_AXES_ERRORS("all_axes"),
                                 {0}},
};
