/* heed/precision.h - the precision of products of f32 matrices, with PyTorch's names. */
#ifndef HEED_PRECISION_H
#define HEED_PRECISION_H

#include <heed/error.h>

HEED_BEGIN_DECLS

/* HIGHEST multiplies in f32. MEDIUM allows factors rounded to bf16 (8 bits), HIGH factors that are the sum of two bf16
 * (16 bits); sums are f32. The lower precision is used only if it is faster: for products of at least 32 terms whose
 * result (M, N) has M N >= 24 (M + N), such as (48, 48), and with HIGH >= 96 (M + N), such as (192, 192); and for
 * dot-product attention with at least 24 queries and 24 keys, if q and v together have at least 48 columns:
 *
 *                MEDIUM                 HIGH
 *   AMX          products               products   Intel's Xeons from Sapphire Rapids on, with Linux 5.16 or newer
 *   AVX512_BF16  products, attention    nothing    AMD's from Zen 4 on, Intel's Cooper Lake
 *
 * All other products are computed as with HIGHEST. A process needs Linux's permission to use AMX, which the first
 * product of these sizes requests; from then on alternate signal stacks (sigaltstack) of its threads must have space
 * for AMX's registers, 12 KB in all. If a thread already has a smaller one, AMX is not used. */
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
 * With MEDIUM the error of an element is at most 2^-7 of sum |a b|, the sum of its terms' magnitudes, typically about
 * 2^-8 / sqrt(K) of it, plus 2^-126 per term, because denormal numbers become 0. With HIGH these are 2^-14, 2^-17 /
 * sqrt(K) and 3 * 2^-126. Factors are rounded to nearest, whatever the thread's rounding mode. Groups of 16 rows of A,
 * and of 32 columns of B, with a number that bf16 cannot represent (NaN, infinity, above 2^126, denormal; with HIGH,
 * not 0 and below 2^-100) are multiplied in f32; of sums over more than 4,096 terms, the block of at most 2,048 that
 * has it. NaN and infinity therefore appear in the same elements as with HIGHEST unless a sum overflows, and the bits
 * are the same for any number of threads. Attention rounds q times the scale, k, v, and the weights before they are
 * divided by their sum; in gradients also g, the weights, and the gradients of the scores. In attention, tiles of 32
 * queries, and blocks of 112 keys visible to any of 128 neighbouring queries, are multiplied in f32 if they contain
 * such a number.
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
