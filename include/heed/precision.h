/* heed/precision.h - the precision of products of f32 matrices, with PyTorch's names.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PRECISION_H
#define HEED_PRECISION_H

#include <heed/error.h>

HEED_BEGIN_DECLS

/* HIGHEST multiplies in f32. MEDIUM allows the factors to be rounded to bf16 (8 bits). HIGH allows every factor to be
 * rounded to the sum of two bf16 numbers (16 bits). Sums are f32. The lower precision is used only where it is faster.
 * For matrix products this requires at least 32 terms per sum and a result (M, N) with M N >= 24 (M + N), such as (48,
 * 48), or with HIGH M N >= 96 (M + N), such as (192, 192). For dot-product attention it requires at least 24 queries
 * and 24 keys, and at least 48 columns of q and v together. These processors support it:
 *
 *                MEDIUM                 HIGH
 *   AMX          products               products   Intel's Xeons from Sapphire Rapids on, with Linux 5.16 or newer
 *   AVX512_BF16  products, attention    nothing    AMD's from Zen 4 on, Intel's Cooper Lake
 *
 * All other products are computed as with HIGHEST. A process needs Linux's permission to use AMX, which the first
 * product of these sizes requests; from then on alternate signal stacks (sigaltstack) of the process's threads must
 * have space for AMX's registers, 12 KB in all. If a thread already has a smaller signal stack, AMX is not used. */
typedef enum heed_precision {
    HEED_PRECISION_HIGHEST, /* f32 */
    HEED_PRECISION_HIGH,    /* at least 16 bits per factor */
    HEED_PRECISION_MEDIUM,  /* at least 8 bits per factor */
} heed_precision;

/* Sets the precision of bmm, matmul, linear and dot_product_attention of f32, and of the products in their gradients.
 * It applies to later calls of this thread until the innermost open scope ends, or permanently without an open scope.
 * The gradients of attention use the precision of its forward pass. Attention that masks keys and returns its weights
 * stays in f32, as do the other fused ops. A thread begins with HIGHEST.
 *
 *     heed_scope *step = heed_scope_begin();
 *     heed_set_matmul_precision(HEED_PRECISION_MEDIUM);
 *     ...
 *     heed_scope_end(step);    // as before the scope
 *
 * The error of an element, with S = sum |a b|, the sum of the magnitudes of its K terms:
 *
 *              at most     typically about       plus, per term, because denormal numbers become 0
 *     MEDIUM   2^-7 S      2^-8 S / sqrt(K)      2^-126
 *     HIGH     2^-14 S     2^-17 S / sqrt(K)     3 * 2^-126
 *
 * Factors are rounded to nearest, whatever the thread's rounding mode. bf16 cannot represent NaN, infinity, magnitudes
 * above 2^126 and denormal numbers, and HIGH also excludes magnitudes below 2^-100 except 0. A group of 16 rows of A or
 * of 32 columns of B with such a number is multiplied in f32; if the sums have more than 4,096 terms, only the block of
 * at most 2,048 terms that contains the number. NaN and infinity therefore appear in the same elements as with HIGHEST
 * unless a sum overflows, and the bits are the same for any number of threads.
 *
 * Attention rounds these factors: q times the scale, k, v, and the weights before the division by their sum; for the
 * gradients also g, the weights, and the gradients of the scores. A tile of 32 queries with such a number is multiplied
 * in f32, and so is a block of 112 keys with such a number if any of 128 neighbouring queries sees the block.
 *
 * Errors: HEED_ERR_ARGUMENT for an unknown precision.
 * Reference: Henry, Tang, Heinecke (2019), "Leveraging the bfloat16 artificial intelligence datatype for
 * higher-precision computations".
 * torch: torch.set_float32_matmul_precision */
HEED_API heed_status heed_set_matmul_precision(heed_precision precision);

/* Returns the current precision of the calling thread.
 * torch: torch.get_float32_matmul_precision */
HEED_API heed_precision heed_matmul_precision(void);

HEED_END_DECLS

#endif
