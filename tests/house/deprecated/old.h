/* heed/old.h - deprecated functions, as a public header would declare them: the input of test_deprecated.py.
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OLD_H
#define HEED_OLD_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* Multiplies elementwise: y = a b.  da = g b, db = g a.
 * Errors: NULL for NULL, and with HEED_ERR_SHAPE.
 * torch: torch.mul */
HEED_DEPRECATED("use heed_mul")
HEED_API heed_tensor *heed_times(heed_tensor *the_first_factor_of_the_product,
                                 heed_tensor *the_second_factor_of_the_product);

/* Creates a layer whose result must be used.
 * Errors: NULL with HEED_ERR_NOMEM. */
HEED_DEPRECATED("use heed_nn_linear_new")
HEED_API HEED_NODISCARD heed_tensor *heed_nn_dense(heed_tensor *x);

/* Multiplies, and is not deprecated.
 * Errors: NULL for NULL. */
HEED_API heed_tensor *heed_current(heed_tensor *a, heed_tensor *b);

HEED_END_DECLS

#endif
