/* heed/ops.h - the operations, each recorded and differentiable.
 *
 * Everywhere: x, y, a, b are tensors; g is the gradient that arrives at the result. Elementwise ops take f32 and f64,
 * never a mix (HEED_ERR_DTYPE), and any layout. Two tensors of different shapes are broadcast as NumPy does, and
 * their gradients summed back. A negative axis counts from the end; HEED_ERR_SHAPE for one that is not there. Empty
 * tensors are legal. All return NULL on failure (HEED_ERR_ARGUMENT for a NULL tensor, HEED_ERR_NOMEM).
 *
 * The first op of a process chooses the best instruction set of the CPU, or that of the environment variable HEED_ISA:
 * scalar, avx2 or avx512. Last bits may differ between them, so where HEED_ISA names another one, or one that this CPU
 * or build lacks, every op fails with HEED_ERR_ARGUMENT. An empty value counts as none.
 *
 * Sums of millions of f32 keep their digits, forward and backward: over axes, rows, inner indices, keys, queries, or what
 * indices send to one place. Beyond 4096 terms they are made of blocks, which are added up with what rounding loses; the
 * relative error of a million positive terms, equal ones too, is below 2e-6. Only features of attention, of which there
 * are not so many (d, and h of additive attention), are summed as they come.
 */
#ifndef HEED_OPS_H
#define HEED_OPS_H

#include <heed/random.h>

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

/* -- Reductions ------------------------------------------------------------------------------------------------
 * Over the axes given, HEED_ALL_AXES for all; each axis at most once. keepdim leaves them as size 1. The short forms
 * reduce everything to a scalar. */

/* Sums in fixed blocks: the same bits for any number of threads. dx = g, expanded. The sum of nothing is 0. */
HEED_API heed_tensor *heed_sum(heed_tensor *x);
HEED_API heed_tensor *heed_sum_axes(heed_tensor *x, heed_shape axes, bool keepdim);

/* sum / n; of nothing NaN.  dx = g / n */
HEED_API heed_tensor *heed_mean(heed_tensor *x);
HEED_API heed_tensor *heed_mean_axes(heed_tensor *x, heed_shape axes, bool keepdim);

/* The largest and smallest element; NaN if there is one. dx = g, shared evenly by equal largest elements.
 * HEED_ERR_SHAPE for the max of nothing. */
HEED_API heed_tensor *heed_max(heed_tensor *x);
HEED_API heed_tensor *heed_max_axes(heed_tensor *x, heed_shape axes, bool keepdim);
HEED_API heed_tensor *heed_min(heed_tensor *x);
HEED_API heed_tensor *heed_min_axes(heed_tensor *x, heed_shape axes, bool keepdim);

/* i64: the index of the first largest element (of the first NaN, if any); heed_argmax in the flattened tensor. No
 * gradient. Takes i64 too. HEED_ERR_SHAPE for the argmax of nothing. */
HEED_API heed_tensor *heed_argmax(heed_tensor *x);
HEED_API heed_tensor *heed_argmax_axis(heed_tensor *x, int axis, bool keepdim);

/* Sums x down to a shape that broadcasts to x's: the adjoint of heed_expand, and the other way round. x itself when it
 * has that shape. */
HEED_API heed_tensor *heed_sum_to(heed_tensor *x, heed_shape shape);

/* -- Shapes: views unless said otherwise; any dtype --------------------------------------------------------- */

/* The same elements, row-major, as another shape; one dim may be -1 and is worked out. A copy when x's layout does not
 * allow a view. HEED_ERR_SHAPE when the number of elements differs. */
HEED_API heed_tensor *heed_reshape(heed_tensor *x, heed_shape shape);

/* Swaps two axes. */
HEED_API heed_tensor *heed_transpose(heed_tensor *x, int axis_a, int axis_b);

/* Axis i of the result is axis order.dims[i] of x; order names each axis once. */
HEED_API heed_tensor *heed_permute(heed_tensor *x, heed_shape order);

/* Removes an axis of size 1; HEED_ERR_SHAPE when its size is not 1. */
HEED_API heed_tensor *heed_squeeze(heed_tensor *x, int axis);

/* Inserts an axis of size 1 before `axis`; -1 appends. HEED_ERR_SHAPE at rank 8. */
HEED_API heed_tensor *heed_unsqueeze(heed_tensor *x, int axis);

/* Broadcasts to `shape` without copying (stride 0).  dx = sum_to(g) */
HEED_API heed_tensor *heed_expand(heed_tensor *x, heed_shape shape);

/* x[start:stop:step] on one axis, by Python's rules: negative start and stop count from the end, both are clipped.
 * HEED_ERR_ARGUMENT unless step >= 1. Up to the end: HEED_END. */
#define HEED_END INT64_MAX
HEED_API heed_tensor *heed_slice(heed_tensor *x, int axis, int64_t start, int64_t stop, int64_t step);

/* Zeros of size `size` on `axis`, with x at start, start + step, ...: the adjoint of heed_slice; a copy.
 * HEED_ERR_INDEX when x does not fit. */
HEED_API heed_tensor *heed_unslice(heed_tensor *x, int axis, int64_t start, int64_t step, int64_t size);

/* x[..., index, ...] without the axis; -1 is the last. HEED_ERR_INDEX for an index outside. */
HEED_API heed_tensor *heed_select(heed_tensor *x, int axis, int64_t index);

/* The tensors one behind the other on an existing axis, or on a new one; copies. All of one dtype, and of one shape but
 * for the axis. HEED_ERR_ARGUMENT unless n >= 1. */
HEED_API heed_tensor *heed_concat(heed_tensor *const *tensors, int n, int axis);
HEED_API heed_tensor *heed_stack(heed_tensor *const *tensors, int n, int axis);

/* Each element of the axis `repeats` times in a row: [a b] -> [a a b b]; a copy. HEED_ERR_ARGUMENT for repeats < 0. */
HEED_API heed_tensor *heed_repeat_interleave(heed_tensor *x, int axis, int64_t repeats);

/* The whole tensor repeats.dims[i] times on axis i, as NumPy's tile: [a b] -> [a b a b]; a copy. Shorter of the two
 * ranks is filled with ones in front. HEED_ERR_ARGUMENT for a number of times below 0. */
HEED_API heed_tensor *heed_tile(heed_tensor *x, heed_shape repeats);

/* Reverses the axes given, HEED_ALL_AXES for all. */
HEED_API heed_tensor *heed_flip(heed_tensor *x, heed_shape axes);

/* -- Order and indices --------------------------------------------------------------------------------------- */

/* Ascending along the last axis, stable, NaN last (descending: first).  The gradient goes back to where each value came
 * from. heed_sort_axis also gives the indices (i64), unless `indices` is NULL. HEED_ERR_DTYPE for bool, HEED_ERR_SHAPE
 * for a scalar. */
HEED_API heed_tensor *heed_sort(heed_tensor *x);
HEED_API heed_tensor *heed_sort_axis(heed_tensor *x, int axis, bool descending, heed_tensor **indices);

/* y[i, j] = x[index[i, j], j] for axis 0, x[i, index[i, j]] for axis 1, and so on. index is i64 of x's rank and is no
 * larger than x on the other axes. HEED_ERR_INDEX for an index outside; negative ones are outside.
 * HEED_ERR_SHAPE when the shapes do not fit. */
HEED_API heed_tensor *heed_gather(heed_tensor *x, int axis, heed_tensor *index);

/* Zeros of that shape, to which src is added at index: the adjoint of heed_gather. index is shaped like src. */
HEED_API heed_tensor *heed_scatter_sum(heed_tensor *src, int axis, heed_tensor *index, heed_shape shape);

/* The slices of x at index (i64, rank 1) along axis.  Repeats are legal. */
HEED_API heed_tensor *heed_index_select(heed_tensor *x, int axis, heed_tensor *index);

/* Zeros of size `size` on `axis`, to which the slices of x are added at index: the adjoint of heed_index_select. */
HEED_API heed_tensor *heed_index_sum(heed_tensor *x, int axis, heed_tensor *index, int64_t size);

/* Rows of weight (V, d) for indices i64 of any shape (...): (..., d). */
HEED_API heed_tensor *heed_embedding(heed_tensor *indices, heed_tensor *weight);

/* i64 (...) -> dtype (..., classes), 1 at the index and 0 elsewhere. No gradient. */
HEED_API heed_tensor *heed_one_hot(heed_tensor *indices, int64_t classes, heed_dtype dtype);

/* -- Matrix products -----------------------------------------------------------------------------------------------
 * Sums over K are made in f32 or f64, with fma where the CPU has it. For K <= 4096 nothing more is done: with U = 2^-24
 * (f32) or 2^-53, an element is off by K U of the sum of its terms' sizes, sum |a b|, at the worst, and by a few U as a
 * rule. Beyond that sums are made of blocks, each rounded about 100 times, which are added up with what rounding loses:
 * the error is below 120 U of sum |a b| (f32: 7.2e-6) for any K, and measured below 2e-6, of equal terms too. All products
 * here keep to this, forward and backward: dw of linear is a sum over all rows. */

/* (B, M, K) x (B, K, N) -> (B, M, N), one product per batch element. K = 0 gives zeros.
 * da = g b^T, db = a^T g. HEED_ERR_SHAPE unless both have rank 3 and B and K agree. */
HEED_API heed_tensor *heed_bmm(heed_tensor *a, heed_tensor *b);

/* The same with a given as (B, K, M) when transpose_a, b as (B, N, K) when transpose_b. */
HEED_API heed_tensor *heed_bmm_t(heed_tensor *a, bool transpose_a, heed_tensor *b, bool transpose_b);

/* NumPy's matmul: (K) is a row on the left and a column on the right, and goes from the result; leading axes
 * broadcast. */
HEED_API heed_tensor *heed_matmul(heed_tensor *a, heed_tensor *b);

/* x w^T + b: x (..., in), w (out, in), b (out) or NULL -> (..., out).
 * dx = g w, dw = g^T x, db = the sum of g's rows. HEED_ERR_SHAPE unless the sizes agree; HEED_ERR_DTYPE. */
HEED_API heed_tensor *heed_linear(heed_tensor *x, heed_tensor *w, heed_tensor *b);

/* What may follow a linear map: relu, tanh, sigmoid, gelu. */
typedef enum heed_activation { HEED_NO_ACTIVATION, HEED_RELU, HEED_TANH, HEED_SIGMOID, HEED_GELU } heed_activation;

/* activation(x w^T + b): the same numbers as heed_relu(heed_linear(x, w, b)), with one pass over memory less and without
 * keeping what is before the activation (but for gelu, whose gradient needs it).
 * HEED_ERR_ARGUMENT for another number; and as heed_linear. */
HEED_API heed_tensor *heed_linear_activated(heed_tensor *x, heed_tensor *w, heed_tensor *b, heed_activation activation);

/* -- Softmax ----------------------------------------------------------------------------------------------------
 * Along one axis, with the maximum subtracted. NaN or +inf in a row makes that row NaN; -inf gives weight 0, and a row
 * of only -inf gives NaN. */

/* y = exp(x - max) / sum       dx = y (g - sum(g y)) */
HEED_API heed_tensor *heed_softmax(heed_tensor *x, int axis);

/* y = x - logsumexp(x)         dx = g - exp(y) sum(g) */
HEED_API heed_tensor *heed_log_softmax(heed_tensor *x, int axis);

/* y = ln sum exp(x)            dx = g exp(x - y).  Of nothing, or of only -inf: -inf, whose
 * gradient is NaN. +inf gives +inf. */
HEED_API heed_tensor *heed_logsumexp(heed_tensor *x, int axis, bool keepdim);

/* Softmax along the last axis of x (B, Q, K) over the first entries of each row only: valid_lens is i64 (B), one length
 * for all rows of a batch element, or (B, Q), one per row; NULL is all of K. What lies past the length is not read: its
 * weight is exactly 0, its gradient exactly 0, and NaN there harms nothing. A row of length 0 is zeros. Otherwise as
 * heed_softmax.
 * HEED_ERR_SHAPE unless x has rank 3 and valid_lens fits; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. K.
 *     dx = y (g - sum(g y)) */
HEED_API heed_tensor *heed_masked_softmax(heed_tensor *x, heed_tensor *valid_lens);

/* x (n, T, ...) with `value` at t >= valid_lens[i] of row i; valid_lens i64 (n). A new tensor: the book's function
 * writes to x. HEED_ERR_SHAPE below rank 2 or unless valid_lens is (n); HEED_ERR_INDEX for a length outside 0 .. T;
 * HEED_ERR_DTYPE unless x is f32 or f64.  dx = g, 0 where masked */
HEED_API heed_tensor *heed_sequence_mask(heed_tensor *x, heed_tensor *valid_lens, double value);

/* -- Normalisation and dropout ----------------------------------------------------------------------------------- */

/* Over the last axes of x, which must be `shape` (rank 1 at least):  y = (x - mean) / sqrt(variance + eps) weight +
 * bias with the variance by n. weight and bias have that shape, or are NULL. HEED_ERR_SHAPE; HEED_ERR_ARGUMENT unless
 * eps is finite and not negative; between 0 and the smallest normal number of the dtype it counts as that.
 * J. L. Ba, J. R. Kiros, G. E. Hinton: Layer Normalization (2016). */
HEED_API heed_tensor *heed_layer_norm(heed_tensor *x, heed_shape shape, heed_tensor *weight, heed_tensor *bias,
                                      double eps);

/* While training, each element is 0 with probability p and x / (1 - p) otherwise: x times 1 / (1 - p), which is rounded
 * to x's dtype. The choice is a function of the generator's seed, its position and the element's row-major index:
 * backward makes it again instead of storing it, and it is the same for any number of threads. p = 1 gives zeros,
 * exactly, forward and backward, also where x is NaN. A call moves the generator (the default one) by one position; one
 * that fails does not. Not training, or p = 0: x itself, and the generator stays. Probabilities are multiples of 2^-32.
 * HEED_ERR_ARGUMENT unless 0 <= p <= 1, training or not; HEED_ERR_DTYPE.  dx = g, dropped alike */
HEED_API heed_tensor *heed_dropout(heed_tensor *x, double p, bool training);
HEED_API heed_tensor *heed_generator_dropout(heed_generator *generator, heed_tensor *x, double p, bool training);

/* -- Attention -----------------------------------------------------------------------------------------------------
 * weights = softmax over the keys of the scores, result = dropout(weights) values. Differentiable in all tensors, to
 * any order.
 *
 * A key that a query does not see, past its valid length or later in causal attention, does not exist for that query:
 * the weight is exactly 0, and nothing stored in the key or its value (NaN, infinity) changes a bit of the query's row
 * of the result and of the weights, or of its gradient. What such a row sends to the gradients of that key and value is
 * exactly 0, also where the query, or the gradient that arrives at its row, is NaN. So a key that nobody sees has
 * gradient 0, and a query that sees nothing gives zeros, has gradient 0 and adds nothing to others. What a query does
 * see it shows: NaN in a key or value makes its row NaN. All this holds for derivatives of any order, and in additive
 * attention for the gradients of W_q, W_k and w_v, sums over the pairs that see each other. */

typedef struct heed_attention_options {
    heed_tensor *valid_lens;   /* i64 (B) or (B, Q), as heed_masked_softmax; NULL: all keys are valid */
    bool causal;               /* query i sees keys 0 .. i, of those that are valid */
    bool heads_inner;          /* dot product only: q (B, Q, H, d), k (B, K, H, d), v (B, K, H, e) -> (B, Q, H, e) */
    double scale;              /* dot product only; 0: 1 / sqrt(d) */
    double dropout;            /* probability with which a weight is dropped, as heed_dropout; 0: none */
    heed_generator *generator; /* of dropout, which neither 0 nor a failure moves; NULL: the default one */

    /* Receives the weights before dropout, (B, Q, K) or (B, H, Q, K), and NULL on failure. NULL: they are not wanted,
     * and never made where that can be helped. */
    heed_tensor **weights;
} heed_attention_options;

/* Scores q^T k scale: q (B, Q, d), k (B, K, d), v (B, K, e) -> (B, Q, e); or H heads at once, q (B, H, Q, d) and so on,
 * or with heads_inner q (B, Q, H, d), as a map leaves them, with the lengths shared by the heads. Unless the weights are
 * wanted, forward and first derivatives take memory for O(Q d) numbers besides, and masked keys no time; a weight too
 * small for a normal number beside the row's largest is then 0, and rows that lie apart, as those of a head do, are not
 * copied. HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. K; HEED_ERR_ARGUMENT for a scale that
 * is not finite or a dropout outside [0, 1]. */
HEED_API heed_tensor *heed_dot_product_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v,
                                                 const heed_attention_options *options);

/* Scores w_v^T tanh(W_q q + W_k k): q (B, Q, dq), k (B, K, dk), v (B, K, e), W_q (h, dq), W_k (h, dk), w_v (h) or (1,
 * h) -> (B, Q, e). Takes memory for (B, Q, K) and for the maps, but not for the features tanh(...), (B, Q, K, h), which
 * only a gradient that is to be differentiated again builds. Errors as above; HEED_ERR_ARGUMENT for a scale. */
HEED_API heed_tensor *heed_additive_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v, heed_tensor *W_q,
                                              heed_tensor *W_k, heed_tensor *w_v,
                                              const heed_attention_options *options);

/* -- Kernel regression ---------------------------------------------------------------------------------------------
 *
 *     f(q) = sum_j a_j(q) v_j,     a_j(q) = K(u_j) / sum_l K(u_l),     u_j = |(q - k_j) w|,   w = 1 / h
 *
 * E. A. Nadaraya: On Estimating Regression (1964). G. S. Watson: Smooth Regression Analysis (1964). */

typedef enum heed_nw_kernel {
    HEED_NW_GAUSSIAN = 0, /* exp(-u^2 / 2), as a softmax of -u^2 / 2: a query far from every key stays finite */
    HEED_NW_BOXCAR,       /* 1 for u <= 1; its gradients are 0 */
    HEED_NW_TRIANGULAR,   /* max(0, 1 - u): what the book calls "Epanechikov" */
    HEED_NW_EPANECHNIKOV, /* 3/4 (1 - u^2) for u <= 1 */
    HEED_NW_CONSTANT,     /* 1: the average of the values; does not depend on the width */
} heed_nw_kernel;

typedef struct heed_kernel_regression_options {
    heed_nw_kernel kernel;
    bool log_width;     /* the width is given as ln h, not as w */
    bool leave_one_out; /* query i does not see key i: nothing there changes a bit of what comes of the query */

    /* Receives the weights (n, m), differentiable too, and NULL on failure. NULL: they are not wanted. */
    heed_tensor **weights;
} heed_kernel_regression_options;

/* queries (n) or (n, d); keys (m) or (m, d), shared by all queries, or (n, m) or (n, m, d), one set per query; values
 * (m) or (m, v) with shared keys, (n, m) or (n, m, v) otherwise; width (1), or (d), one for each component. Returns (n)
 * or (n, v). A query with no key in its window (boxcar, triangular, Epanechnikov) has weights 0 and gives 0; with no
 * keys at all every query gives 0. Differentiable in all four, to any order. NULL options are the defaults.
 *
 * The Gaussian takes memory for inputs and results only: nothing of the size (n, m) is made, forward or backward, but
 * for the weights when they are asked for, and for derivatives of the second order. Weights below the smallest normal
 * number count as 0. The other kernels make (n, m, d).
 *
 * Any finite width will do, and any finite ln h: where f is finite so are f and its gradients, though the square of the
 * width, or of distances times widths, may not be. 1 / h beyond the largest number counts as that.
 *
 * HEED_ERR_SHAPE, also for leave_one_out unless the keys are shared and as many as the queries; HEED_ERR_DTYPE unless
 * all have one dtype; HEED_ERR_ARGUMENT for an unknown kernel. */
HEED_API heed_tensor *heed_kernel_regression(heed_tensor *queries, heed_tensor *keys, heed_tensor *values,
                                             heed_tensor *width, const heed_kernel_regression_options *options);

/* -- Losses --------------------------------------------------------------------------------------------------------
 * All are averaged, summed, or as they are: HEED_ERR_ARGUMENT for another reduction. The mean of nothing is NaN. */

typedef enum heed_reduction { HEED_REDUCTION_MEAN = 0, HEED_REDUCTION_SUM, HEED_REDUCTION_NONE } heed_reduction;

/* Elementwise, of two tensors of one shape (HEED_ERR_SHAPE), d = input - target. */
HEED_API heed_tensor *heed_mse_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction); /* d^2 */
HEED_API heed_tensor *heed_l1_loss(heed_tensor *input, heed_tensor *target, heed_reduction reduction);  /* |d| */

/* d^2 / (2 beta) where |d| < beta, |d| - beta / 2 elsewhere; beta 0 is |d|. HEED_ERR_ARGUMENT unless beta is finite and
 * not negative. */
HEED_API heed_tensor *heed_smooth_l1_loss(heed_tensor *input, heed_tensor *target, double beta,
                                          heed_reduction reduction);

/* max(x, 0) - x t + ln(1 + e^-|x|): -ln of the probability that sigmoid(x) gives to a target t in 0 .. 1.
 * dx = g (sigmoid(x) - t), dt = -g x */
HEED_API heed_tensor *heed_binary_cross_entropy_with_logits(heed_tensor *input, heed_tensor *target,
                                                            heed_reduction reduction);

/* Classes along the last axis: input (..., C), targets i64 (...), HEED_REDUCTION_NONE gives (...). (PyTorch: on axis 1.) */
typedef struct heed_class_loss_options {
    heed_reduction reduction;
    bool has_ignore_index;  /* targets equal to ignore_index give 0 and gradient 0, whatever their rows hold, and do not
                               count in the mean */
    int64_t ignore_index;   /* any number, -100 or 0 */
    double label_smoothing; /* cross_entropy only: this much of the target is spread over all classes; 0 to 1 */
} heed_class_loss_options;

/* -input[target]; what is not a target's is not read. HEED_ERR_INDEX for a target outside 0 .. C - 1 that counts;
 * HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for a label smoothing. */
HEED_API heed_tensor *heed_nll_loss(heed_tensor *input, heed_tensor *targets, const heed_class_loss_options *options);

/* nll_loss of log_softmax, in one op: logsumexp(x) - sum_c t_c x_c, with t = (1 - s) onehot(target) + s / C.
 * dx = g (softmax(x) - t).  HEED_ERR_ARGUMENT for a smoothing outside 0 .. 1; else as heed_nll_loss. */
HEED_API heed_tensor *heed_cross_entropy(heed_tensor *input, heed_tensor *targets,
                                         const heed_class_loss_options *options);

/* Losses (B, T) of sequences of different length, i64 (B): what lies past a length does not count, whatever is there.
 * HEED_REDUCTION_SUM: the sum; HEED_REDUCTION_MEAN: the sum per valid step, NaN when there is none; HEED_REDUCTION_NONE: (B), each sequence's sum
 * divided by T, the book's masked loss. HEED_ERR_SHAPE; HEED_ERR_INDEX for a length outside 0 .. T. */
HEED_API heed_tensor *heed_sequence_loss(heed_tensor *losses, heed_tensor *valid_lens, heed_reduction reduction);

HEED_END_DECLS

#endif
