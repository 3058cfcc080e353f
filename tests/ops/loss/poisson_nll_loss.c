/* tests/ops/loss/poisson_nll_loss.c - cases of heed_poisson_nll_loss. */

#include "losses.h"

/* i: reduction, no_log_input, full; p: eps */
static heed_poisson_nll_loss_options options_of(const op_case *c)
{
    return (heed_poisson_nll_loss_options){
        .reduction = (heed_reduction)c->i[0], .no_log_input = c->i[1], .full = c->i[2], .eps = c->p[0]};
}
static heed_tensor *run(heed_tensor *const *in, const op_case *c)
{
    heed_poisson_nll_loss_options options = options_of(c);
    return heed_poisson_nll_loss(in[0], in[1], &options);
}

#define SAMPLE(name_, dims, least, eps, ...)                                                                           \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 2,                                                                      \
        .in = {{.shape = dims, .low = least, .high = 2}, {.shape = dims, .low = 0.1, .high = 5.03, .distinct = true}}, \
        .i = {__VA_ARGS__}, .p = {                                                                                     \
            eps                                                                                                        \
        }                                                                                                              \
    }

/* With `full`: a count of 3 adds ln 3! by Stirling, counts up to 1 add 0. */
static heed_tensor *full(heed_tensor *t)
{
    return heed_poisson_nll_loss(heed_zeros_like(t), t,
                                 &(heed_poisson_nll_loss_options){HEED_REDUCTION_NONE, .full = true});
}
GIVES(counts, full(HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, 1, 3)))
GIVES(count_slope, gradient(full, HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0, 1, 3)))

BAD_PAIRS(heed_poisson_nll_loss(a, b, &(heed_poisson_nll_loss_options){.reduction = reduction}))
static heed_tensor *with_eps(double eps, bool no_log_input)
{
    return heed_poisson_nll_loss(ONES(HEED_F64, 2), ONES(HEED_F64, 2),
                                 &(heed_poisson_nll_loss_options){.no_log_input = no_log_input, .eps = eps});
}
GIVES(negative, with_eps(-1, true))
GIVES(no_number, with_eps(NAN, true))
GIVES(unused, with_eps(0.5, false))

const op_cases heed_cases_poisson_nll_loss = {
    .cases = (const op_case[]){SAMPLE("() mean", NO_DIMS, -2, 0, HEED_REDUCTION_MEAN),
                               SAMPLE("(5) mean", DIMS(5), -2, 0, HEED_REDUCTION_MEAN),
                               SAMPLE("(2, 3) sum, full", DIMS(2, 3), -2, 0, HEED_REDUCTION_SUM, false, true),
                               SAMPLE("(2, 3) none, rates", DIMS(2, 3), 0.2, 0, HEED_REDUCTION_NONE, true),
                               SAMPLE("(5) rates, eps, full", DIMS(5), 0.2, 0.5, HEED_REDUCTION_MEAN, true, true),
                               SAMPLE("(0, 3) sum", DIMS(0, 3), -2, 0, HEED_REDUCTION_SUM),
                               {0}},
    .values = (const op_value[]){{"ln t!", counts, DIMS(3), 1e-14, (const double[]){1, 1, 2.764081543543057}},
                                 {"its slope", count_slope, DIMS(3), 1e-14, (const double[]){0, 0, 1.265278955334776}},
                                 {"mean of nothing", mean_of_nothing, NO_DIMS, 0, (const double[]){NAN}},
                                 {0}},
    .errors =
        (const op_error[]){BAD_PAIRS_ERRORS("poisson_nll_loss"),
                           {"eps -1", negative, HEED_ERR_ARGUMENT, "poisson_nll_loss: eps is -1: must be"},
                           {"eps NaN", no_number, HEED_ERR_ARGUMENT, "poisson_nll_loss: eps is nan"},
                           {"eps of logarithms", unused, HEED_ERR_ARGUMENT, "poisson_nll_loss: eps is 0.5: must be 0"},
                           {0}},
};
