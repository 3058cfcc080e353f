/* ops/product/bmm.h - the batched product itself, for ops that are made of it. */
#ifndef HEED_OPS_PRODUCT_BMM_H
#define HEED_OPS_PRODUCT_BMM_H

#include "ops/support.h"

/* c = a b for each batch element, or of matrices, a and b transposed on demand, of any layout; c is new and contiguous.
 * Shapes and dtypes fit. False after heed_fail (HEED_ERR_NOMEM). */
bool heed__bmm(const heed_tensor *a, bool transpose_a, const heed_tensor *b, bool transpose_b, heed_tensor *c);

#endif
