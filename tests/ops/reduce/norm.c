/* tests/ops/reduce/norm.c - cases of heed_norm and heed_norm_axes. */

#include "reductions.h"

RUN(run, heed_norm_axes(in[0], c->p[0], c->shape, c->i[0]))
RUN(everything, heed_norm(in[0], c->p[0]))

#define NORM(name_, dims, axes, keepdim, order)                                                                        \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 1, .in = {{.shape = dims, .gap = 0.1}}, .i = {keepdim}, .shape = axes,  \
        .p = {                                                                                                         \
            order                                                                                                      \
        }                                                                                                              \
    }
#define EXTREME(name_, dims, axes, keepdim, order)                                                                     \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 1, .in = {{.shape = dims, .distinct = true, .low = 0.5, .high = 2}},    \
        .i = {keepdim}, .shape = axes, .p = {                                                                          \
            order                                                                                                      \
        }                                                                                                              \
    }

static heed_tensor *of(double p)
{
    return heed_norm(HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 3, -4, 0, 1), p);
}

GIVES(norm_1, of(1))
GIVES(norm_2, of(2))
GIVES(norm_3, of(3))
GIVES(norm_half, of(0.5))
GIVES(norm_0, of(0))
GIVES(norm_most, of(INFINITY))
GIVES(norm_least, of(-INFINITY))
GIVES(norm_below_0, heed_norm(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 2, -2), -1))
GIVES(norm_of_infinities, heed_norm(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), INFINITY, -INFINITY), -1))
GIVES(of_nothing, heed_norm_axes(heed_zeros(HEED_F32, HEED_SHAPE(0, 2)), 2, HEED_AXES(0), false))
GIVES(of_nan, heed_norm(HEED_TENSOR(HEED_F64, HEED_SHAPE(2), 1, NAN), 3))

/* The gradients of the p-norms of the rows (0, 0) and (0, -2), with p = `order`. */
#define SLOPES(name, order)                                                                                            \
    static heed_tensor *name##_norm(heed_tensor *x)                                                                    \
    {                                                                                                                  \
        return heed_norm_axes(x, order, HEED_AXES(1), false);                                                          \
    }                                                                                                                  \
    GIVES(name, gradient(name##_norm, HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), 0, 0, 0, -2)))
SLOPES(slopes_1, 1)
SLOPES(slopes_2, 2)
SLOPES(slopes_3, 3)
SLOPES(slopes_half, 0.5)
SLOPES(slopes_between, 1.5)
SLOPES(slopes_0, 0)
SLOPES(slopes_most, INFINITY)

GIVES(nan_order, heed_norm(heed_ones(HEED_F64, HEED_SHAPE(2)), NAN))
GIVES(most_of_nothing, heed_norm(heed_ones(HEED_F64, HEED_SHAPE(0)), INFINITY))
BAD_AXES(heed_norm_axes(x, 2, axes, false))
BAD_DTYPES(heed_norm(x, 2))

const op_cases heed_cases_norm = {
    .cases = (const op_case[]){NORM("(5)", DIMS(5), NO_DIMS, false, 2),
                               NORM("() p 2", NO_DIMS, NO_DIMS, false, 2),
                               NORM("(5, 7) p 1", DIMS(5, 7), DIMS(0), false, 1),
                               NORM("(5, 7) p 2", DIMS(5, 7), DIMS(-1), true, 2),
                               NORM("(5, 7) p 3", DIMS(5, 7), DIMS(-1), true, 3),
                               NORM("(5, 7) p 1.5", DIMS(5, 7), DIMS(0), false, 1.5),
                               NORM("(5) p 0.5", DIMS(5), NO_DIMS, false, 0.5),
                               NORM("(5) p -1", DIMS(5), NO_DIMS, false, -1),
                               NORM("(2, 3) p 0", DIMS(2, 3), DIMS(0), false, 0),
                               NORM("(2, 3, 5) axes 0 2", DIMS(2, 3, 5), DIMS(0, 2), false, 2),
                               NORM("(0, 3) axis 1", DIMS(0, 3), DIMS(1), false, 2),
                               EXTREME("(5, 7) inf", DIMS(5, 7), DIMS(0), false, INFINITY),
                               EXTREME("(2, 3, 5) -inf", DIMS(2, 3, 5), DIMS(1), true, -INFINITY),
                               ONE("(2, 3) whole", everything, DIMS(2, 3), .p = {2}),
                               {0}},
    .values = (const op_value[]){{"p 1", norm_1, NO_DIMS, 0, (const double[]){8}},
                                 {"p 2", norm_2, NO_DIMS, 1e-16, (const double[]){5.0990195135927845}},
                                 {"p 3", norm_3, NO_DIMS, 1e-15, (const double[]){4.514357435474001}},
                                 {"p 0.5", norm_half, NO_DIMS, 1e-15, (const double[]){22.392304845413264}},
                                 {"p 0", norm_0, NO_DIMS, 0, (const double[]){3}},
                                 {"inf", norm_most, NO_DIMS, 0, (const double[]){4}},
                                 {"-inf", norm_least, NO_DIMS, 0, (const double[]){0}},
                                 {"p -1", norm_below_0, NO_DIMS, 0, (const double[]){1}},
                                 {"of infinities", norm_of_infinities, NO_DIMS, 0, (const double[]){INFINITY}},
                                 {"of nothing", of_nothing, DIMS(2), 0, (const double[]){0, 0}},
                                 {"of NaN", of_nan, NO_DIMS, 0, (const double[]){NAN}},
                                 {"slopes 1", slopes_1, DIMS(2, 2), 0, (const double[]){0, 0, 0, -1}},
                                 {"slopes 2", slopes_2, DIMS(2, 2), 0, (const double[]){0, 0, 0, -1}},
                                 {"slopes 3", slopes_3, DIMS(2, 2), 1e-15, (const double[]){0, 0, 0, -1}},
                                 {"slopes 0.5", slopes_half, DIMS(2, 2), 1e-15, (const double[]){0, 0, 0, -1}},
                                 {"slopes 1.5", slopes_between, DIMS(2, 2), 1e-15, (const double[]){0, 0, 0, -1}},
                                 {"slopes 0", slopes_0, DIMS(2, 2), 0, (const double[]){0, 0, 0, 0}},
                                 {"slopes inf", slopes_most, DIMS(2, 2), 0, (const double[]){0, 0, 0, -1}},
                                 {0}},
    .errors =
        (const op_error[]){{"p NaN", nan_order, HEED_ERR_ARGUMENT, "norm: p is nan: must not be NaN"},
                           {"inf of nothing", most_of_nothing, HEED_ERR_SHAPE, "norm: max: axis 0 of (0) is empty"},
                           BAD_AXES_ERRORS("norm_axes"),
                           BAD_DTYPES_ERRORS("norm"),
                           {0}},
};
