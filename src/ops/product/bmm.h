/* ops/product/bmm.h - the batched product itself, for ops that use it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_PRODUCT_BMM_H
#define HEED_OPS_PRODUCT_BMM_H

#include "ops/support.h"

/* c = a b per batch element, or for two matrices, with a and b transposed on request. a and b may have any layout; c
 * must be new and contiguous. Shapes and dtypes must fit. Returns false after heed_fail (HEED_ERR_NOMEM). */
bool heed__bmm(const heed_tensor *a, bool transpose_a, const heed_tensor *b, bool transpose_b, heed_tensor *c);

#endif
