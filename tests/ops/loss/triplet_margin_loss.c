/* tests/ops/loss/triplet_margin_loss.c - cases of heed_triplet_margin_loss. */

#include "losses.h"

/* i: reduction, swap; p: margin */
RUN(run, heed_triplet_margin_loss(in[0], in[1], in[2], c->p[0], c->i[1], (heed_reduction)c->i[0]))

#define SAMPLE(name_, dims, margin, ...)                                                                               \
    {                                                                                                                  \
        .name = name_, .run = run, .n_inputs = 3, .in = {{.shape = dims}, {.shape = dims}, {.shape = dims}},           \
        .i = {__VA_ARGS__}, .p = {                                                                                     \
            margin                                                                                                     \
        }                                                                                                              \
    }

#define ROWS(...) HEED_TENSOR(HEED_F64, HEED_SHAPE(2, 2), __VA_ARGS__)
static heed_tensor *of_anchors(heed_tensor *anchor)
{
    return heed_triplet_margin_loss(anchor, ROWS(3, 4, 0, 0), ROWS(0, 8, 0, 9), 4, false, HEED_REDUCTION_NONE);
}
GIVES(values, of_anchors(ROWS(0, 0, 0, 0)))
GIVES(slope, gradient(of_anchors, ROWS(0, 0, 0, 0)))
GIVES(swapped,
      heed_triplet_margin_loss(ROWS(0, 0, 0, 0), ROWS(3, 4, 0, 0), ROWS(0, 8, 0, 9), 4, true, HEED_REDUCTION_SUM))

BAD_PAIRS(heed_triplet_margin_loss(a, b, a, 1, false, reduction))
#define WITH(negative, margin)                                                                                         \
    heed_triplet_margin_loss(ONES(HEED_F64, 2, 3), ONES(HEED_F64, 2, 3), negative, margin, true, HEED_REDUCTION_MEAN)
GIVES(no_negative, WITH(NULL, 1))
GIVES(other_negative, WITH(ONES(HEED_F64, 3), 1))
GIVES(no_margin, WITH(ONES(HEED_F64, 2, 3), INFINITY))
GIVES(of_scalars, heed_triplet_margin_loss(heed_ones(HEED_F64, HEED_SCALAR), heed_ones(HEED_F64, HEED_SCALAR),
                                           heed_ones(HEED_F64, HEED_SCALAR), 1, false, HEED_REDUCTION_MEAN))
GIVES(no_rows, heed_triplet_margin_loss(ONES(HEED_F64, 0, 3), ONES(HEED_F64, 0, 3), ONES(HEED_F64, 0, 3), 1, false,
                                        HEED_REDUCTION_MEAN))

const op_cases heed_cases_triplet_margin_loss = {
    .cases = (const op_case[]){SAMPLE("(3) sum", DIMS(3), 5, HEED_REDUCTION_SUM),
                               SAMPLE("(4, 3) mean", DIMS(4, 3), 6, HEED_REDUCTION_MEAN),
                               SAMPLE("(4, 3) none, swapped", DIMS(4, 3), 6, HEED_REDUCTION_NONE, true),
                               SAMPLE("(2, 2, 3) none", DIMS(2, 2, 3), -9, HEED_REDUCTION_NONE),
                               SAMPLE("(0, 3) sum", DIMS(0, 3), 1, HEED_REDUCTION_SUM),
                               {0}},
    .values = (const op_value[]){{"values", values, DIMS(2), 1e-6, (const double[]){1, 0}},
                                 {"gradient", slope, DIMS(2, 2), 1e-6, (const double[]){-0.6, 0.2, 0, 0}},
                                 {"swapped", swapped, NO_DIMS, 1e-6, (const double[]){4}},
                                 {"rows of nothing", mean_of_nothing, NO_DIMS, 0, (const double[]){1}},
                                 {"mean of nothing", no_rows, NO_DIMS, 0, (const double[]){NAN}},
                                 {0}},
    .errors = (const op_error[]){BAD_PAIRS_ERRORS("triplet_margin_loss"),
                                 {"no negative", no_negative, HEED_ERR_ARGUMENT, "triplet_margin_loss:"},
                                 {"(3)", other_negative, HEED_ERR_SHAPE,
                                  "triplet_margin_loss: input (2, 3) and target (3) differ"},
                                 {"scalars", of_scalars, HEED_ERR_SHAPE, "triplet_margin_loss: the anchor is a scalar"},
                                 {"margin inf", no_margin, HEED_ERR_ARGUMENT, "triplet_margin_loss: margin is inf"},
                                 {0}},
};
