/* heed/precision.h - how exact products of f32 matrices have to be, by the names that PyTorch has for it. */
#ifndef HEED_PRECISION_H
#define HEED_PRECISION_H

#include <heed/error.h>

HEED_BEGIN_DECLS

/* HIGHEST multiplies in f32. MEDIUM allows factors rounded to bf16, which keeps 8 bits of each, and HIGH factors that
 * are the sum of two bf16, which keeps 16 of each; sums are f32. This is a permission, used where it is faster: for
 * products of 32 terms or more whose result (M, N) has M N >= 24 (M + N), such as (48, 48), and with HIGH >= 96 (M +
 * N), such as (192, 192); and for dot-product attention with 24 queries and 24 keys or more, whose columns of q and v
 * are 48 or more together:
 *
 *                MEDIUM                 HIGH
 *   AMX          products               products   Intel's Xeons from Sapphire Rapids on, with Linux 5.16 or newer
 *   AVX512_BF16  products, attention    nothing    AMD's from Zen 4 on, Intel's Cooper Lake
 *
 * Everywhere else the numbers are HIGHEST's. A process may use AMX once it has asked Linux, as the first product of
 * these sizes does; from then on alternate signal stacks (sigaltstack) of its threads must have room for AMX's
 * registers, 12 KB in all, and where a thread has a smaller one already, AMX is not used. */
typedef enum heed_precision {
    HEED_PRECISION_HIGHEST, /* f32 */
    HEED_PRECISION_HIGH,    /* 16 bits of each factor or more */
    HEED_PRECISION_MEDIUM,  /* 8 bits of each factor or more */
} heed_precision;

/* Sets the precision of bmm, matmul, linear and dot_product_attention of f32, and of the products in gradients; those
 * of attention have the precision with which it was computed. It holds for what is computed from now on in the calling
 * thread, until the innermost open scope ends; with none open, for good. Attention that masks keys and gives its
 * weights stays in f32, as do the other fused ops. A thread begins with HIGHEST. HEED_ERR_ARGUMENT for a number that is
 * no precision.
 *
 *     heed_scope *step = heed_scope_begin();
 *     heed_set_matmul_precision(HEED_PRECISION_MEDIUM);
 *     ...
 *     heed_scope_end(step);    // as before the scope
 *
 * With MEDIUM an element is off by at most 2^-7 of sum |a b|, the sum of its terms' sizes, as a rule by about 2^-8 /
 * sqrt(K) of it, and by 2^-126 for each term: what would be denormal becomes 0. With HIGH these are 2^-14, 2^-17 /
 * sqrt(K) and 3 * 2^-126. Factors are rounded to nearest, whatever the thread's rounding mode. Groups of 16 rows of A,
 * and of 32 columns of B, with a number that bf16 cannot represent (NaN, infinity, above 2^126, denormal; with HIGH,
 * not 0 and below 2^-100) are multiplied in f32; of sums over more than 4,096 terms, the block of at most 2,048 that
 * has it. So NaN and infinity go where they go with HIGHEST as long as no sum overflows, and the bits are the same for
 * any number of threads. Attention rounds q times the scale, k, v, and the weights before they are divided by their
 * sum; in gradients also g, the weights, and those of the scores. There it is tiles of 32 queries, and blocks of 112
 * keys as far as one of 128 neighbouring queries sees any, that are multiplied in f32 if they have such a number.
 *
 * Source: Henry, Tang, Heinecke (2019), "Leveraging the bfloat16 artificial intelligence datatype for higher-precision
 * computations".
 * torch: torch.set_float32_matmul_precision */
HEED_API heed_status heed_set_matmul_precision(heed_precision precision);

/* The precision in force in the calling thread.
 * torch: torch.get_float32_matmul_precision */
HEED_API heed_precision heed_matmul_precision(void);

HEED_END_DECLS

#endif
