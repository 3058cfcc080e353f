/* tests/ops/mse_loss.c - cases of heed_mse_loss. */

#include "functions.h"

RUN(run, heed_mse_loss(in[0], in[1], (heed_reduction)c->i[0]))

#define LOSS(name_, dims, reduction)                                                                                   \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2, .in = {{.shape = dims}, {.shape = dims}}, .i = { reduction }         \
    }

static heed_tensor *loss(heed_dtype dtype, heed_reduction reduction)
{
    return heed_mse_loss(HEED_TENSOR(dtype, HEED_SHAPE(2, 2), 1, 2, 3, 4),
                         HEED_TENSOR(dtype, HEED_SHAPE(2, 2), 1, 0, 6, 3), reduction);
}

GIVES(mean, loss(HEED_F64, HEED_MEAN))
GIVES(sum, loss(HEED_F32, HEED_SUM))
GIVES(none, loss(HEED_F64, HEED_NONE))
GIVES(mean_of_nothing, heed_mse_loss(heed_ones(HEED_F64, HEED_SHAPE(0)), heed_ones(HEED_F64, HEED_SHAPE(0)), HEED_MEAN))

#define ONES(dtype, ...) heed_ones(dtype, HEED_SHAPE(__VA_ARGS__))

GIVES(of_null, heed_mse_loss(NULL, ONES(HEED_F64, 2), HEED_SUM))
GIVES(null_target, heed_mse_loss(ONES(HEED_F64, 2), NULL, HEED_SUM))
GIVES(shapes, heed_mse_loss(ONES(HEED_F64, 2, 1), ONES(HEED_F64, 2), HEED_MEAN))
GIVES(mixed, heed_mse_loss(ONES(HEED_F64, 2), ONES(HEED_F32, 2), HEED_MEAN))
GIVES(of_i64, heed_mse_loss(ONES(HEED_I64, 2), ONES(HEED_I64, 2), HEED_MEAN))
GIVES(no_reduction, heed_mse_loss(ONES(HEED_F64, 2), ONES(HEED_F64, 2), (heed_reduction)3))

const op_cases heed_cases_mse_loss = {
    .cases = (const op_case[]){LOSS("() mean", NO_DIMS, HEED_MEAN),
                               LOSS("(1) mean", DIMS(1), HEED_MEAN),
                               LOSS("(0) sum", DIMS(0), HEED_SUM),
                               LOSS("(0, 3) none", DIMS(0, 3), HEED_NONE),
                               LOSS("(5) mean", DIMS(5), HEED_MEAN),
                               LOSS("(2, 3) mean", DIMS(2, 3), HEED_MEAN),
                               LOSS("(2, 3) sum", DIMS(2, 3), HEED_SUM),
                               LOSS("(2, 3) none", DIMS(2, 3), HEED_NONE),
                               LOSS("(1, 37, 1) mean", DIMS(1, 37, 1), HEED_MEAN),
                               {0}},
    .values = (const op_value[]){{"mean", mean, NO_DIMS, 0, (const double[]){3.5}},
                                 {"sum", sum, NO_DIMS, 0, (const double[]){14}},
                                 {"none", none, DIMS(2, 2), 0, (const double[]){0, 4, 9, 1}},
                                 {"mean of nothing", mean_of_nothing, NO_DIMS, 0, (const double[]){NAN}},
                                 {0}},
    .errors = (const op_error[]){{"NULL", of_null, HEED_ERR_ARGUMENT, "mse_loss:"},
                                 {"target NULL", null_target, HEED_ERR_ARGUMENT, "mse_loss:"},
                                 {"shapes", shapes, HEED_ERR_SHAPE, "mse_loss: input (2, 1) and target (2) differ"},
                                 {"f64 and f32", mixed, HEED_ERR_DTYPE, "mse_loss: takes two tensors of f32 or of f64"},
                                 {"i64", of_i64, HEED_ERR_DTYPE, "mse_loss: takes two tensors of f32 or of f64"},
                                 {"3 is no reduction", no_reduction, HEED_ERR_ARGUMENT, "mse_loss: 3 is no reduction"},
                                 {0}},
};
