/* tests/check/square_op.h - a leaf of random numbers, and ops that square it with a planted backward rule.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef SQUARE_OP_H
#define SQUARE_OP_H

#include "check_heed.h"
#include "from.h"

static heed_tensor *leaf(heed_shape shape, uint64_t seed)
{
    heed_generator *g = heed_generator_new(seed);
    heed_tensor *x = heed_add_scalar(FROM(g, heed_rand(HEED_F64, shape)), 0.5);
    heed_generator_free(g);
    return heed_set_requires_grad(x, true);
}

/* y = x^2 in one input; backward varies. */
static bool square_forward(const heed_call *call, heed_tensor *const *out)
{
    const double *x = heed_data_f64(call->inputs[0]);
    double *y = heed_mutable_f64(out[0]);
    for (int64_t i = 0; i < heed_numel(out[0]); i++)
        y[i] = x[i] * x[i];
    return true;
}

#define SQUARE_OP(name_, backward_)                                                                                    \
    static const heed_op name_ = {.name = #name_,                                                                      \
                                  .n_inputs = 1,                                                                       \
                                  .n_outputs = 1,                                                                      \
                                  .saved = HEED_SAVE_INPUTS,                                                           \
                                  .contiguous = true,                                                                  \
                                  .infer = heed_infer_same,                                                            \
                                  .forward = square_forward,                                                           \
                                  .backward = backward_};

#endif
