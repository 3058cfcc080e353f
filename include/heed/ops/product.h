/* heed/ops/product.h - matrix products. The rules in heed/ops.h hold here too.
 *
 * Sums over K are computed in f32 or f64, with fma if the CPU has it. Let U = 2^-24 (f32) or 2^-53 (f64), and S = sum
 * |a b|, the sum of the magnitudes of an element's terms. For K <= 4096 the error of an element is at most K U S, and
 * usually a few U S, because partial sums have at most 320 terms. For larger K the sum is computed in blocks, each with
 * about 100 roundings, and the blocks are added with compensation for rounding. The error is then below 120 U S (f32:
 * 7.2e-6 S) for any K. Measured errors are below 2e-6 S, even for equal terms. All products in this file keep these
 * bounds, forward and backward, also in dw of heed_linear, which is a sum over all rows. Lower precision for more
 * speed: heed/precision.h.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_PRODUCT_H
#define HEED_OPS_PRODUCT_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* Multiplies matrices or vectors by NumPy's rules: a (..., M, K) x b (..., K, N) -> (..., M, N).
 * da = g b^T, db = a^T g. Leading axes broadcast. A vector (K) counts as a row on the left and as a column on the
 * right; the result lacks the axis of size 1.
 * Errors: HEED_ERR_SHAPE for a scalar, and unless the sizes K agree and the leading axes broadcast; HEED_ERR_DTYPE
 * unless both are f32 or both f64.
 * torch: torch.matmul   numpy: numpy.matmul */
HEED_API heed_tensor *heed_matmul(heed_tensor *a, heed_tensor *b);

/* Multiplies matrices, one product per batch element: a (B, M, K) x b (B, K, N) -> (B, M, N), or (M, K) x (K, N) ->
 * (M, N).
 * da = g b^T, db = a^T g. K = 0 gives zeros.
 * Errors: HEED_ERR_SHAPE unless both have rank 3 or both rank 2, and B and K agree; HEED_ERR_DTYPE unless both are f32
 * or both f64.
 * torch: torch.bmm, torch.mm   numpy: numpy.matmul */
HEED_API heed_tensor *heed_bmm(heed_tensor *a, heed_tensor *b);

/* Applies a linear map to the last axis: y = x w^T + b, with x (..., in), w (out, in), b (out) or NULL -> (..., out).
 * dx = g w, dw = g^T x, db = the sum of the rows of g.
 * Errors: HEED_ERR_SHAPE unless the sizes agree; HEED_ERR_DTYPE unless all are f32 or all f64.
 * torch: torch.nn.functional.linear */
HEED_API heed_tensor *heed_linear(heed_tensor *x, heed_tensor *w, heed_tensor *b);

/* Computes sums of products in Einstein notation: heed_einsum("bqd,bkd->bqk", HEED_TENSORS(q, k)).
 *
 * Letters name the axes of every operand. Axes of the same letter are matched; a letter that occurs twice in an operand
 * takes its diagonal, and a letter that is missing in the output is summed over. "..." stands for any axes, which
 * broadcast, as do axes of size 1. Without an arrow the output is "..." followed by the letters that occur once, A to Z
 * and then a to z. The products are computed by heed_bmm, from left to right. If only axes are rearranged, the result
 * is a view. Differentiable in every operand.
 *
 * Errors: HEED_ERR_ARGUMENT if `equation` is invalid or does not describe n operands; HEED_ERR_SHAPE if ranks or the
 * sizes of a letter differ; HEED_ERR_DTYPE unless all are f32 or all f64.
 * torch: torch.einsum   numpy: numpy.einsum */
HEED_API heed_tensor *heed_einsum(const char *equation, heed_tensor *const *operands, int n);

/* -- Expert calls: products without copies ------------------------------------------------------------------------- */

/* Multiplies matrices that may be stored transposed: heed_bmm with a given as (B, K, M) if transpose_a, and b as
 * (B, N, K) if transpose_b. The numbers are the same as with heed_transpose before heed_bmm, and nothing is copied.
 * Errors: as heed_bmm. */
HEED_API heed_tensor *heed_bmm_t(heed_tensor *a, bool transpose_a, heed_tensor *b, bool transpose_b);

/* A function of one tensor whose result has the same shape: heed_relu, heed_gelu, or your own function made of ops. */
typedef heed_tensor *(*heed_activation)(heed_tensor *x);

/* Applies a linear map and an activation: y = activation(x w^T + b), with x (..., in), w (out, in), b (out) or NULL.
 * The numbers and gradients are the same as of activation(heed_linear(x, w, b)). With heed_relu, heed_tanh and
 * heed_sigmoid it saves one pass over memory, and the value before the activation needs no memory. A NULL activation
 * applies only the map. Your own function runs as heed/scope.h describes.
 * Errors: as heed_linear, and HEED_ERR_STATE if the activation returns NULL without an error. */
HEED_API heed_tensor *heed_linear_activated(heed_tensor *x, heed_tensor *w, heed_tensor *b, heed_activation activation);

HEED_END_DECLS

#endif
