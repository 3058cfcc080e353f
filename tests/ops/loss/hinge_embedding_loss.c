/* tests/ops/loss/hinge_embedding_loss.c - cases of heed_hinge_embedding_loss. */

#include "losses.h"

/* The signs are drawn as a mask: heed_where converts it to 1 and -1. */
static heed_tensor *signs(heed_tensor *mask, heed_dtype dtype)
{
    heed_tensor *one = heed_ones(dtype, HEED_SCALAR);
    return heed_where(mask, one, heed_neg(one));
}
RUN(run, heed_hinge_embedding_loss(in[0], signs(in[1], heed_dtype_of(in[0])), c->p[0], (heed_reduction)c->i[0]))

#define SAMPLE(name_, dims, reduction, margin)                                                                         \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2,                                                                      \
        .in = {{.shape = dims, .distinct = true}, {.shape = dims, .kind = OP_MASK}}, .i = {reduction}, .p = {          \
            margin                                                                                                     \
        }                                                                                                              \
    }

static heed_tensor *with_targets(heed_tensor *x)
{
    heed_tensor *target = HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 1, -1, -1, 0, 1);
    return heed_hinge_embedding_loss(x, target, 2, HEED_REDUCTION_NONE);
}
#define DISTANCES HEED_TENSOR(HEED_F64, HEED_SHAPE(5), 0.5, 0.5, 3, NAN, -1)
GIVES(values, with_targets(DISTANCES))
GIVES(slope, gradient(with_targets, DISTANCES))

BAD_PAIRS(heed_hinge_embedding_loss(a, b, 1, reduction))
GIVES(infinite, heed_hinge_embedding_loss(ONES(HEED_F64, 2), ONES(HEED_F64, 2), INFINITY, HEED_REDUCTION_MEAN))

const op_cases heed_cases_hinge_embedding_loss = {
    .cases = (const op_case[]){SAMPLE("()", NO_DIMS, HEED_REDUCTION_SUM, 1.03),
                               SAMPLE("(5)", DIMS(5), HEED_REDUCTION_MEAN, 1.03),
                               SAMPLE("(2, 3)", DIMS(2, 3), HEED_REDUCTION_NONE, 1.03),
                               SAMPLE("(0, 3)", DIMS(0, 3), HEED_REDUCTION_SUM, 1),
                               {0}},
    .values = (const op_value[]){{"values", values, DIMS(5), 0, (const double[]){0.5, 1.5, 0, 0, -1}},
                                 {"gradient", slope, DIMS(5), 0, (const double[]){1, -1, 0, 0, 1}},
                                 {"mean of nothing", mean_of_nothing, NO_DIMS, 0, (const double[]){NAN}},
                                 {0}},
    .errors = (const op_error[]){BAD_PAIRS_ERRORS("hinge_embedding_loss"),
                                 {"margin inf", infinite, HEED_ERR_ARGUMENT, "hinge_embedding_loss: margin is inf"},
                                 {0}},
};
