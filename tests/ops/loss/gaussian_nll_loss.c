/* tests/ops/loss/gaussian_nll_loss.c - cases of heed_gaussian_nll_loss. */

#include "losses.h"

/* i: reduction, full; p: eps */
static heed_tensor *run(heed_tensor *const *in, const op_case *c)
{
    heed_gaussian_nll_loss_options options = {.reduction = (heed_reduction)c->i[0], .full = c->i[1], .eps = c->p[0]};
    return heed_gaussian_nll_loss(in[0], in[1], in[2], &options);
}

#define SAMPLE(name_, dims, var_dims, least, ...)                                                                      \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 3,                                                                      \
        .in = {{.shape = dims}, {.shape = dims}, {.shape = var_dims, .low = 0.3, .high = 2}}, .i = {__VA_ARGS__},      \
        .p = {                                                                                                         \
            least                                                                                                      \
        }                                                                                                              \
    }

static heed_tensor *of_variances(heed_tensor *var)
{
    heed_tensor *x = heed_zeros_like(var), *t = heed_ones_like(var);
    return heed_gaussian_nll_loss(x, t, var, &(heed_gaussian_nll_loss_options){HEED_REDUCTION_NONE, .eps = 0.5});
}
#define VARIANCES HEED_TENSOR(HEED_F64, HEED_SHAPE(4), 0, 0.25, 1, 4)
GIVES(values, of_variances(VARIANCES))
GIVES(slope, gradient(of_variances, VARIANCES))

BAD_PAIRS(heed_gaussian_nll_loss(a, b, a, &(heed_gaussian_nll_loss_options){.reduction = reduction}))
#define WITH(var, least)                                                                                               \
    heed_gaussian_nll_loss(ONES(HEED_F64, 2, 3), ONES(HEED_F64, 2, 3), var,                                            \
                           &(heed_gaussian_nll_loss_options){.eps = least})
GIVES(null_var, WITH(NULL, 0))
GIVES(f32_var, WITH(ONES(HEED_F32, 2, 3), 0))
GIVES(other_var, WITH(ONES(HEED_F64, 4), 0))
GIVES(larger_var, WITH(ONES(HEED_F64, 2, 2, 3), 0))
GIVES(negative_var, WITH(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 1, 0, -2), 0))
GIVES(negative_eps, WITH(ONES(HEED_F64, 3), -1))

const op_cases heed_cases_gaussian_nll_loss = {
    .cases = (const op_case[]){SAMPLE("() mean", NO_DIMS, NO_DIMS, 0, HEED_REDUCTION_MEAN),
                               SAMPLE("(5) mean", DIMS(5), DIMS(5), 0, HEED_REDUCTION_MEAN),
                               SAMPLE("(2, 3) (2, 1) sum, full", DIMS(2, 3), DIMS(2, 1), 0, HEED_REDUCTION_SUM, true),
                               SAMPLE("(2, 3) (3) none", DIMS(2, 3), DIMS(3), 0.01, HEED_REDUCTION_NONE),
                               SAMPLE("(3, 3) (3) none", DIMS(3, 3), DIMS(3), 0.01, HEED_REDUCTION_NONE),
                               SAMPLE("(2, 3) (2) mean", DIMS(2, 3), DIMS(2), 0.01, HEED_REDUCTION_MEAN),
                               SAMPLE("(0, 3) sum", DIMS(0, 3), DIMS(3), 0, HEED_REDUCTION_SUM),
                               {0}},
    .values = (const op_value[]){{"variances", values, DIMS(4), 1e-15,
                                  (const double[]){0.6534264097200273, 0.6534264097200273, 0.5, 0.8181471805599453}},
                                 {"their slope", slope, DIMS(4), 0, (const double[]){0, 0, 0, 0.09375}},
                                 {"mean of nothing", mean_of_nothing, NO_DIMS, 0, (const double[]){NAN}},
                                 {0}},
    .errors = (const op_error[]){BAD_PAIRS_ERRORS("gaussian_nll_loss"),
                                 {"var NULL", null_var, HEED_ERR_ARGUMENT, "gaussian_nll_loss:"},
                                 {"f32 var", f32_var, HEED_ERR_DTYPE, "gaussian_nll_loss: the tensors are f64 (2, 3)"},
                                 {"var (4)", other_var, HEED_ERR_SHAPE,
                                  "gaussian_nll_loss: var (4) does not broadcast to input (2, 3)"},
                                 {"var (2, 2, 3)", larger_var, HEED_ERR_SHAPE, "gaussian_nll_loss: var (2, 2, 3) does"},
                                 {"var -2", negative_var, HEED_ERR_ARGUMENT,
                                  "gaussian_nll_loss: element 2 of var (3) is -2: must not be negative"},
                                 {"eps -1", negative_eps, HEED_ERR_ARGUMENT, "gaussian_nll_loss: eps is -1"},
                                 {0}},
};
