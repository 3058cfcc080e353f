/* ops/product/multiply.h - a batched product of plain arrays, by several threads. */
#ifndef HEED_OPS_PRODUCT_MULTIPLY_H
#define HEED_OPS_PRODUCT_MULTIPLY_H

#include "ops/support.h"

/* What `args` describe, of a floating-point dtype, as exactly as the calling thread's precision wants it, or with all
 * digits. False after heed_fail (HEED_ERR_NOMEM). */
bool heed__multiply(const char *where, heed_dtype dtype, const heed__matmul_args *args);
bool heed__multiply_in_full(const char *where, heed_dtype dtype, const heed__matmul_args *args);

#endif
