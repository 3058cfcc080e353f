/* ops/product/multiply.h - a batched product of plain arrays, by several threads.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_PRODUCT_MULTIPLY_H
#define HEED_OPS_PRODUCT_MULTIPLY_H

#include "ops/support.h"

/* Compute the product described by `args`, for a floating-point dtype: with the calling thread's precision setting, or
 * with full precision. Return false after heed_fail (HEED_ERR_NOMEM). */
bool heed__multiply(const char *where, heed_dtype dtype, const heed__matmul_args *args);
bool heed__multiply_in_full(const char *where, heed_dtype dtype, const heed__matmul_args *args);

#endif
