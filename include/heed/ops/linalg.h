/* heed/ops/linalg.h - linear algebra: factors, solutions of linear systems, determinants. The rules in heed/ops.h hold
 * here too.
 *
 * Matrices are the last two axes of f32 or f64 tensors; the axes before them are batch axes, which broadcast. All
 * functions have gradients of every order. The work is done in blocks by matrix products in full precision, so that
 * results do not depend on the number of threads. A matrix without a factor or solution is an error that names the
 * matrix, counted over the batch axes, and the pivot, counted from 0. So is NaN in a matrix.
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_LINALG_H
#define HEED_OPS_LINALG_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* Factors symmetric positive definite matrices: a (..., n, n) = L L^T, with L (..., n, n) a lower triangle, 0 above.
 *
 *     da = (S + S^T) / 2, with S = L^-T p(L^T g) L^-1, and p(X) the lower triangle of X with half its diagonal
 *
 * If `upper`, the result is the transposed factor: a = U^T U with U = L^T. Reads only the lower triangle of a, or with
 * `upper` only the upper one; the gradient is symmetric nevertheless, as in PyTorch.
 *
 * Errors: HEED_ERR_SHAPE unless the matrices are square; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT if a matrix is not positive
 * definite.
 * torch: torch.linalg.cholesky   numpy: numpy.linalg.cholesky */
HEED_API heed_tensor *heed_cholesky(heed_tensor *a, bool upper);

/* Options of heed_solve_triangular. */
typedef struct heed_triangular_options {
    bool upper;         /* a is an upper triangle; default: lower */
    bool transpose;     /* a^T takes the place of a */
    bool right;         /* a is on the right: x a = b; default: a x = b */
    bool unit_diagonal; /* the diagonal of a counts as 1 and stays unread */
    HEED_RESERVED;
} heed_triangular_options;

/* Solves a x = b for a triangle a (..., n, n) and right-hand sides b (..., n, k) -> x (..., n, k).
 *
 *     db = a^-T g    da = -db x^T, in the triangle of a
 *
 * With `options->right` it solves x a = b for b (..., k, n). Reads only the named triangle of a. NULL options solve for
 * a lower triangle. PyTorch returns infinities and NaN if the diagonal contains 0.
 *
 * Errors: HEED_ERR_SHAPE unless a is square and its size fits b, and unless the batch axes broadcast; HEED_ERR_DTYPE
 * unless both are f32 or both f64; HEED_ERR_ARGUMENT if the diagonal contains 0, or the triangle NaN.
 * torch: torch.linalg.solve_triangular */
HEED_API heed_tensor *heed_solve_triangular(heed_tensor *a, heed_tensor *b, const heed_triangular_options *options);

/* Solves a x = b for square matrices a (..., n, n) and right-hand sides b (..., n, k) -> x (..., n, k), by LU factors
 * with partial pivoting.
 *
 *     db = a^-T g    da = -db x^T
 *
 * A b of shape (n), or of the shape of a without its last axis, is a vector per matrix, and so is x.
 *
 * Errors: HEED_ERR_SHAPE, HEED_ERR_DTYPE as in heed_solve_triangular; HEED_ERR_ARGUMENT if a matrix is singular.
 * torch: torch.linalg.solve   numpy: numpy.linalg.solve */
HEED_API heed_tensor *heed_solve(heed_tensor *a, heed_tensor *b);

/* Inverts square matrices: a (..., n, n) -> x (..., n, n) with a x = 1.
 *
 *     da = -x^T g x^T
 *
 * heed_solve is faster and more accurate if only the product of the inverse with a matrix is needed.
 *
 * Errors: HEED_ERR_SHAPE, HEED_ERR_DTYPE, HEED_ERR_ARGUMENT as in heed_solve.
 * torch: torch.linalg.inv   numpy: numpy.linalg.inv */
HEED_API heed_tensor *heed_inverse(heed_tensor *a);

/* Returns the logarithm of the determinant of square matrices: a (..., n, n) -> y (...), y = ln det a.
 *
 *     da = g a^-T
 *
 * a need not be positive definite: y is NaN if det a < 0, and -infinity if det a = 0, as in PyTorch. There the gradient
 * is 0 and NaN. If a is known to be positive definite, twice the sum of the logarithms of the diagonal of heed_cholesky
 * takes half the time.
 *
 * Errors: HEED_ERR_SHAPE unless the matrices are square; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for NaN.
 * torch: torch.logdet */
HEED_API heed_tensor *heed_logdet(heed_tensor *a);

/* Returns the logarithm of the magnitude of the determinant of square matrices: a (..., n, n) -> y (...), y = ln |det
 * a|.
 *
 *     da = g a^-T
 *
 * *sign, unless NULL, receives the sign of the determinant, 1, 0 or -1 in the dtype of a, and NULL on failure. If
 * det a = 0, y is -infinity and its gradient NaN.
 *
 * Errors: as heed_logdet.
 * torch: torch.linalg.slogdet   numpy: numpy.linalg.slogdet */
HEED_API heed_tensor *heed_slogdet(heed_tensor *a, heed_tensor **sign);

HEED_END_DECLS

#endif
