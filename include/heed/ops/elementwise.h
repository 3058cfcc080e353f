/* heed/ops/elementwise.h - elementwise ops, and conversions. What heed/ops.h says of all ops holds here.
 */
#ifndef HEED_OPS_ELEMENTWISE_H
#define HEED_OPS_ELEMENTWISE_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* -- Arithmetic, elementwise with broadcasting -------------------------------------------------------------
 * HEED_ERR_SHAPE when the shapes do not broadcast. */

HEED_API heed_tensor *heed_add(heed_tensor *a, heed_tensor *b); /* a + b     da = g          db = g            */
HEED_API heed_tensor *heed_sub(heed_tensor *a, heed_tensor *b); /* a - b     da = g          db = -g           */
HEED_API heed_tensor *heed_mul(heed_tensor *a, heed_tensor *b); /* a b       da = g b        db = g a          */
HEED_API heed_tensor *heed_div(heed_tensor *a, heed_tensor *b); /* a / b     da = g / b      db = -g a / b^2   */

/* The larger and the smaller one; NaN when either is NaN. Where a = b, each gets half of g. */
HEED_API heed_tensor *heed_maximum(heed_tensor *a, heed_tensor *b);
HEED_API heed_tensor *heed_minimum(heed_tensor *a, heed_tensor *b);

/* condition ? a : b. condition is bool, broadcast too; da = g where true, db = g where false, else exactly 0. */
HEED_API heed_tensor *heed_where(heed_tensor *condition, heed_tensor *a, heed_tensor *b);

typedef enum heed_comparison {
    HEED_COMPARE_EQ,
    HEED_COMPARE_NE,
    HEED_COMPARE_LT,
    HEED_COMPARE_LE,
    HEED_COMPARE_GT,
    HEED_COMPARE_GE
} heed_comparison;

/* bool: a ? b elementwise, for two tensors of one dtype (any). Comparing with NaN is false but for HEED_COMPARE_NE. No
 * gradient. HEED_ERR_ARGUMENT for a number that is no comparison. */
HEED_API heed_tensor *heed_compare(heed_tensor *a, heed_comparison comparison, heed_tensor *b);

/* -- Elementwise, one tensor ------------------------------------------------------------------------------- */

HEED_API heed_tensor *heed_neg(heed_tensor *x);                   /* -x              dx = -g                    */
HEED_API heed_tensor *heed_mul_scalar(heed_tensor *x, double c);  /* c x             dx = c g                   */
HEED_API heed_tensor *heed_add_scalar(heed_tensor *x, double c);  /* x + c           dx = g                     */
HEED_API heed_tensor *heed_rsub_scalar(heed_tensor *x, double c); /* c - x           dx = -g                    */
HEED_API heed_tensor *heed_pow_scalar(heed_tensor *x, double p);  /* x^p             dx = g p x^(p-1); 0 if p=0 */
HEED_API heed_tensor *heed_square(heed_tensor *x);                /* x^2             dx = 2 g x                 */
HEED_API heed_tensor *heed_sqrt(heed_tensor *x);                  /* x^(1/2)         dx = g / (2 y)             */
HEED_API heed_tensor *heed_exp(heed_tensor *x);                   /* e^x             dx = g y                   */
HEED_API heed_tensor *heed_log(heed_tensor *x);                   /* ln x            dx = g / x                 */
HEED_API heed_tensor *heed_sin(heed_tensor *x);                   /* sin x           dx = g cos x               */
HEED_API heed_tensor *heed_cos(heed_tensor *x);                   /* cos x           dx = -g sin x              */
HEED_API heed_tensor *heed_tanh(heed_tensor *x);                  /* tanh x          dx = g (1 - y^2)           */
HEED_API heed_tensor *heed_sigmoid(heed_tensor *x);               /* 1 / (1 + e^-x)  dx = g y (1 - y)           */
HEED_API heed_tensor *heed_relu(heed_tensor *x);                  /* max(x, 0)       dx = g where x > 0         */
HEED_API heed_tensor *heed_abs(heed_tensor *x);                   /* |x|             dx = g sign x              */
HEED_API heed_tensor *heed_sign(heed_tensor *x);                  /* -1, 0, 1, NaN   dx = 0                     */

/* The error function, 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x.  dx = g 2 / sqrt(pi) e^(-x^2) */
HEED_API heed_tensor *heed_erf(heed_tensor *x);

/* x Phi(x) = x (1 + erf(x / sqrt 2)) / 2, the exact form.  dx = g (Phi(x) + x phi(x))
 * Hendrycks and Gimpel: Gaussian Error Linear Units (2016). */
HEED_API heed_tensor *heed_gelu(heed_tensor *x);

/* ln(1 + e^x), a smooth relu.  dx = g / (1 + e^-x)
 * Dugas et al.: Incorporating Second-Order Functional Knowledge (2001). */
HEED_API heed_tensor *heed_softplus(heed_tensor *x);

/* x sigmoid(x), also called swish.  dx = g s (1 + x (1 - s)), s = sigmoid(x).
 * Elfwing, Uchibe and Doya: Sigmoid-Weighted Linear Units (2018). */
HEED_API heed_tensor *heed_silu(heed_tensor *x);

/* min(max(x, low), high); dx = g where low <= x <= high. NaN stays NaN. Infinite limits are none.
 * HEED_ERR_ARGUMENT unless low <= high. */
HEED_API heed_tensor *heed_clamp(heed_tensor *x, double low, double high);

/* A contiguous copy.  dx = g */
HEED_API heed_tensor *heed_clone(heed_tensor *x);

/* x itself when it is contiguous, else a copy.  dx = g */
HEED_API heed_tensor *heed_contiguous(heed_tensor *x);

/* x itself when it has that dtype, else converted; dx = g, between f32 and f64. Floats become i64 by truncation,
 * HEED_ERR_ARGUMENT when one does not fit (NaN, infinite, 2^63 and beyond); anything becomes bool by x != 0. */
HEED_API heed_tensor *heed_to_dtype(heed_tensor *x, heed_dtype dtype);

HEED_END_DECLS

#endif
