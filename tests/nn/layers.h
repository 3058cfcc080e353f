/* tests/nn/layers.h - tensors made by a formula, for the tests of layers.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef LAYERS_H
#define LAYERS_H

#include "check_heed.h"

/* Makes tensor number k. */
static inline heed_tensor *made(heed_dtype dtype, heed_shape shape, int k, double scale)
{
    heed_tensor *t = heed_empty(HEED_F64, shape);
    double *at = heed_mutable_f64(t);
    ck_assert_msg(at != NULL, "%s", heed_error_message());
    for (int64_t i = 0; i < heed_numel(t); i++)
        at[i] = sin(1.3 * (double)i + 0.9 * k + 0.4) * scale;
    return heed_to_dtype(t, dtype);
}

static inline heed_tensor *made_leaf(heed_dtype dtype, heed_shape shape, int k)
{
    return heed_set_requires_grad(made(dtype, shape, k, 1.0), true);
}

#endif
