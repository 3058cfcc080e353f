/* heed/ops/product.h - matrix products. What heed/ops.h says of all ops holds here.
 *
 * Sums over K are made in f32 or f64, with fma where the CPU has it. For K <= 4096 they are made of chains of up to 320
 * terms: with U = 2^-24 (f32) or 2^-53, an element is off by K U of the sum of its terms' sizes, sum |a b|, at the
 * worst, and by a few U as a rule. Beyond that sums are made of blocks, each rounded about 100 times, which are added
 * up with what rounding loses: the error is below 120 U of sum |a b| (f32: 7.2e-6) for any K, and measured below 2e-6,
 * of equal terms too. All products here keep to this, forward and backward: dw of linear is a sum over all rows.
 * heed/precision.h trades digits for time.
 */
#ifndef HEED_OPS_PRODUCT_H
#define HEED_OPS_PRODUCT_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* a (B, M, K) x b (B, K, N) -> (B, M, N), one product for each batch element, or (M, K) x (K, N) -> (M, N); K = 0 gives
 * zeros.  da = g b^T, db = a^T g. HEED_ERR_SHAPE unless both have rank 3 or both rank 2, and B and K agree;
 * HEED_ERR_DTYPE unless both are f32 or both f64.
 * torch: torch.bmm, torch.mm   numpy: numpy.matmul */
HEED_API heed_tensor *heed_bmm(heed_tensor *a, heed_tensor *b);

/* heed_bmm with a given as (B, K, M) when transpose_a, and b as (B, N, K) when transpose_b: the same numbers as of
 * heed_transpose before it, and nothing is copied. Fails as heed_bmm does. */
HEED_API heed_tensor *heed_bmm_t(heed_tensor *a, bool transpose_a, heed_tensor *b, bool transpose_b);

/* a (..., M, K) x b (..., K, N) -> (..., M, N), by NumPy's rules: leading axes broadcast; (K) is a row on the left and
 * a column on the right, and its axis goes from the result.  da = g b^T, db = a^T g. HEED_ERR_SHAPE for a scalar, and
 * unless the sizes K agree and the leading axes broadcast; HEED_ERR_DTYPE unless both are f32 or both f64.
 * torch: torch.matmul   numpy: numpy.matmul */
HEED_API heed_tensor *heed_matmul(heed_tensor *a, heed_tensor *b);

/* a (n), b (m) -> (n, m), y[i, j] = a[i] b[j].  da = g b, db = a g. HEED_ERR_SHAPE unless both have rank 1;
 * HEED_ERR_DTYPE unless both are f32 or both f64.
 * torch: torch.outer   numpy: numpy.outer */
HEED_API heed_tensor *heed_outer(heed_tensor *a, heed_tensor *b);

/* Sums of products, as the equation says: heed_einsum("bqd,bkd->bqk", HEED_TENSORS(q, k)). Each operand's axes are
 * named by letters; axes of one letter go together, twice in one operand they are its diagonal, and a letter that is
 * not in the output is summed over. "..." stands for any axes, which broadcast, as do axes of size 1. Without an arrow
 * the output is "..." and the letters that come once, A to Z and then a to z. The products are heed_bmm's, from the
 * left; a view where nothing is computed.  Differentiable in every operand. HEED_ERR_ARGUMENT for what is no equation,
 * or not for n operands; HEED_ERR_SHAPE where ranks or the sizes of a letter differ; HEED_ERR_DTYPE unless all are f32
 * or all f64.
 * torch: torch.einsum   numpy: numpy.einsum */
HEED_API heed_tensor *heed_einsum(const char *equation, heed_tensor *const *operands, int n);

/* y = x w^T + b: x (..., in), w (out, in), b (out) or NULL -> (..., out).  dx = g w, dw = g^T x, db = the sum of g's
 * rows. HEED_ERR_SHAPE unless the sizes agree; HEED_ERR_DTYPE unless all are f32 or all f64.
 * torch: torch.nn.functional.linear */
HEED_API heed_tensor *heed_linear(heed_tensor *x, heed_tensor *w, heed_tensor *b);

/* A function of one tensor that keeps its shape: heed_relu, heed_gelu, or one of yours, made of ops. */
typedef heed_tensor *(*heed_activation)(heed_tensor *x);

/* y = activation(x w^T + b), for x (..., in), w (out, in), b (out) or NULL: the same numbers as
 * heed_relu(heed_linear(x, w, b)). With heed_relu, heed_tanh and heed_sigmoid it takes one pass over memory less, and
 * nothing before the activation is kept. NULL: none. A function of yours runs as heed/scope.h says; HEED_ERR_STATE when
 * it returns NULL without an error. Otherwise as heed_linear. */
HEED_API heed_tensor *heed_linear_activated(heed_tensor *x, heed_tensor *w, heed_tensor *b, heed_activation activation);

HEED_END_DECLS

#endif
