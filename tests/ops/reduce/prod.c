/* tests/ops/reduce/prod.c - cases of heed_prod and heed_prod_axes. */

#include "reductions.h"

RUN(run, heed_prod_axes(in[0], c->shape, c->i[0]))
RUN(everything, heed_prod(in[0]))

/* (3, 4) with no, one and two zeros in a row: differences there also measure the product of the other elements. */
#define ZEROS                                                                                                          \
    {                                                                                                                  \
        .name = "(3, 4) with zeros", .run = run, .n_inputs = 1, .shape = DIMS(1), .in = {                              \
            {.shape = DIMS(3, 4), .values = (const double[]){0.5, 2, -1.5, 3, 0.5, 0, -1.5, 3, 0, 2, 0, -1}}           \
        }                                                                                                              \
    }

GIVES(all, heed_prod(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 3), 1, 2, 3, 4, 5, 6)))
GIVES(axis_0, heed_prod_axes(HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 3), 1, 2, 3, 4, 5, 6), HEED_AXES(0), false))
GIVES(axes_0_2, heed_prod_axes(heed_add_scalar(counting(HEED_F64, HEED_SHAPE(2, 3, 2)), 1), HEED_AXES(2, 0), true))
GIVES(of_nothing, heed_prod(heed_zeros(HEED_F64, HEED_SHAPE(0))))
GIVES(whole_columns, heed_prod_axes(HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 2), 3, -4, 5, 6), HEED_AXES(0), false))
GIVES(wrapped, heed_prod(heed_full(HEED_I64, HEED_SHAPE(3), 0x1p32)))
GIVES(whole_of_nothing, heed_prod(heed_zeros(HEED_I64, HEED_SHAPE(0))))
GIVES(slopes, gradient(heed_prod, HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 2, 0, 3, 5)))
GIVES(two_zeros, gradient(heed_prod, HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 2, 0, 0, 5)))
GIVES(special,
      heed_prod_axes(HEED_TENSOR(HEED_F64, HEED_SHAPE(3, 2), NAN, 1, INFINITY, 0, INFINITY, -2), HEED_AXES(1), false))

BAD_AXES(heed_prod_axes(x, axes, false))
BAD_BOOL(heed_prod(x))

const op_cases heed_cases_prod = {
    .cases =
        (const op_case[]){
            REDUCTION("()", run, NO_DIMS, NO_DIMS, false, .low = 0.5, .high = 1.5),
            REDUCTION("(1)", run, DIMS(1), NO_DIMS, false, .low = 0.5, .high = 1.5),
            REDUCTION("(5) axis 0", run, DIMS(5), DIMS(0), true, .low = -1.5, .high = 1.5),
            REDUCTION("(5, 7) axis 0", run, DIMS(5, 7), DIMS(0), true, .low = -1.5, .high = 1.5),
            REDUCTION("(5, 7) axes 1 0", run, DIMS(5, 7), DIMS(1, 0), false, .low = 0.8, .high = 1.2),
            REDUCTION("(2, 3, 5) axis 1", run, DIMS(2, 3, 5), DIMS(1), false, .low = -2, .high = 2),
            REDUCTION("(2, 3, 5) axes 0 2", run, DIMS(2, 3, 5), DIMS(0, 2), true, .low = 0.8, .high = 1.2),
            REDUCTION("(0, 3) axis 1", run, DIMS(0, 3), DIMS(1), false, .low = -2, .high = 2),
            REDUCTION("(3, 0, 2) axis 1", run, DIMS(3, 0, 2), DIMS(1), true, .low = -2, .high = 2),
            ZEROS,
            ONE("(7) whole", everything, DIMS(7), .i = {0}),
            ONE("(2, 3) whole", everything, DIMS(2, 3), .i = {0}),
            {0}},
    .values = (const op_value[]){{"all", all, NO_DIMS, 0, (const double[]){720}},
                                 {"axis 0", axis_0, DIMS(3), 0, (const double[]){4, 10, 18}},
                                 {"axes 2 0 keepdim", axes_0_2, DIMS(1, 3, 1), 0, (const double[]){112, 1080, 3960}},
                                 {"of nothing", of_nothing, NO_DIMS, 0, (const double[]){1}},
                                 {"i64", whole_columns, DIMS(2), 0, (const double[]){15, -24}},
                                 {"i64 wrapped", wrapped, NO_DIMS, 0, (const double[]){0}},
                                 {"i64 of nothing", whole_of_nothing, NO_DIMS, 0, (const double[]){1}},
                                 {"slopes with a 0", slopes, DIMS(4), 0, (const double[]){0, 30, 0, 0}},
                                 {"slopes with two", two_zeros, DIMS(4), 0, (const double[]){0, 0, 0, 0}},
                                 {"special values", special, DIMS(3), 0, (const double[]){NAN, NAN, -INFINITY}},
                                 {0}},
    .errors = (const op_error[]){BAD_AXES_ERRORS("prod_axes"), BAD_BOOL_ERRORS("prod"), {0}},
};
