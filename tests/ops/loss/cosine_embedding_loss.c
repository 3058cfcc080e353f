/* tests/ops/loss/cosine_embedding_loss.c - cases of heed_cosine_embedding_loss. */

#include "losses.h"

/* The targets are drawn as a mask: 1 or -1. */
static heed_tensor *run(heed_tensor *const *in, const op_case *c)
{
    heed_tensor *one = heed_ones(heed_dtype_of(in[0]), HEED_SCALAR), *target = heed_where(in[2], one, heed_neg(one));
    return heed_cosine_embedding_loss(in[0], in[1], target, c->p[0], (heed_reduction)c->i[0]);
}

#define SAMPLE(name_, dims, target_dims, reduction, margin)                                                            \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 3,                                                                      \
        .in = {{.shape = dims}, {.shape = dims}, {.shape = target_dims, .kind = OP_MASK}}, .i = {reduction}, .p = {    \
            margin                                                                                                     \
        }                                                                                                              \
    }

#define PLANE HEED_TENSOR(HEED_F64, HEED_SHAPE(4, 2), 1, 0, 1, 0, 1, 0, 1, 0)
#define TURNED HEED_TENSOR(HEED_F64, HEED_SHAPE(4, 2), 0, 2, 4, 0, 0, 1, 1, 0)
GIVES(values, heed_cosine_embedding_loss(PLANE, TURNED, HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 1, -1, -1, 0), 0.25,
                                         HEED_REDUCTION_NONE))

BAD_PAIRS(heed_cosine_embedding_loss(a, b, heed_ones(HEED_F64, HEED_SCALAR), 0, reduction))
#define WITH(target, margin)                                                                                           \
    heed_cosine_embedding_loss(ONES(HEED_F64, 2, 3), ONES(HEED_F64, 2, 3), target, margin, HEED_REDUCTION_MEAN)
GIVES(no_targets, WITH(NULL, 0))
GIVES(f32_targets, WITH(ONES(HEED_F32, 2), 0))
GIVES(other_targets, WITH(ONES(HEED_F64, 3), 0))
GIVES(no_margin, WITH(ONES(HEED_F64, 2), NAN))
GIVES(of_scalars, heed_cosine_embedding_loss(heed_ones(HEED_F64, HEED_SCALAR), heed_ones(HEED_F64, HEED_SCALAR),
                                             heed_ones(HEED_F64, HEED_SCALAR), 0, HEED_REDUCTION_MEAN))
GIVES(no_rows,
      heed_cosine_embedding_loss(ONES(HEED_F64, 0, 3), ONES(HEED_F64, 0, 3), ONES(HEED_F64, 0), 0, HEED_REDUCTION_MEAN))

const op_cases heed_cases_cosine_embedding_loss = {
    .cases = (const op_case[]){SAMPLE("(3)", DIMS(3), NO_DIMS, HEED_REDUCTION_SUM, -1.5),
                               SAMPLE("(4, 3) mean", DIMS(4, 3), DIMS(4), HEED_REDUCTION_MEAN, -1.5),
                               SAMPLE("(4, 3) none", DIMS(4, 3), DIMS(4), HEED_REDUCTION_NONE, 1.5),
                               SAMPLE("(2, 2, 3) sum", DIMS(2, 2, 3), DIMS(2, 2), HEED_REDUCTION_SUM, -1.5),
                               SAMPLE("(0, 3) sum", DIMS(0, 3), DIMS(0), HEED_REDUCTION_SUM, 0),
                               {0}},
    .values = (const op_value[]){{"values", values, DIMS(4), 1e-15, (const double[]){1, 0.75, 0, 0}},
                                 {"rows of nothing", mean_of_nothing, NO_DIMS, 0, (const double[]){1}},
                                 {"mean of nothing", no_rows, NO_DIMS, 0, (const double[]){NAN}},
                                 {0}},
    .errors =
        (const op_error[]){BAD_PAIRS_ERRORS("cosine_embedding_loss"),
                           {"no targets", no_targets, HEED_ERR_ARGUMENT, "cosine_embedding_loss:"},
                           {"f32 targets", f32_targets, HEED_ERR_DTYPE, "cosine_embedding_loss: the tensors are"},
                           {"(3) targets", other_targets, HEED_ERR_SHAPE,
                            "cosine_embedding_loss: targets (3): must be one per row of a (2, 3)"},
                           {"scalars", of_scalars, HEED_ERR_SHAPE, "cosine_embedding_loss: targets (): must be one"},
                           {"margin NaN", no_margin, HEED_ERR_ARGUMENT, "cosine_embedding_loss: margin is nan"},
                           {0}},
};
