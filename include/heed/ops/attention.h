/* heed/ops/attention.h - attention, rotary embedding and kernel regression. What heed/ops.h says of all ops holds here.
 */
#ifndef HEED_OPS_ATTENTION_H
#define HEED_OPS_ATTENTION_H

#include <heed/random.h>

HEED_BEGIN_DECLS

/* -- Attention --------------------------------------------------------------------------------------------------------
 * weights = softmax over the keys of the scores, result = dropout(weights) values. Differentiable in all tensors, to
 * any order.
 *
 * A key that a query does not see, past its valid length, later in causal attention, outside the window, where the mask
 * is false or a bias is -inf, does not exist for that query: the weight is exactly 0, and nothing stored in the key or
 * its value (NaN, infinity) changes a bit of the query's row of the result and of the weights, or of its gradient. What
 * such a row sends to the gradients of that key and value is exactly 0, also where the query, or the gradient that
 * arrives at its row, is NaN. So a key that nobody sees has gradient 0, and a query that sees nothing gives zeros, has
 * gradient 0 and adds nothing to others. What a query does see it shows: NaN in a key or value makes its row NaN. All
 * this holds for derivatives of any order, and in additive attention for the gradients of W_q, W_k and w_v, sums over
 * the pairs that see each other.
 *
 * *weights receives the weights before dropout, (B, Q, K) or (B, H, Q, K), differentiable like the result, and NULL on
 * failure. With `weights` NULL they are not wanted, and never made where that can be helped. */

/* Options of both; NULL: every key is seen, the weights as they are. What is seen must be so by all of valid_lens,
 * causal, window, mask and biases. Masks and biases broadcast to the weights from the last axis on, as in heed_add:
 * with heads (B, 1, Q, K) is one for each batch element, (H, Q, K) one for each head, (Q, K) one for all.
 *
 * By the distance c = j - i - query_offset of key j from query i the score of head h gets, with slopes and a relative
 * bias,
 *
 *     -slopes[h] |c|     and     relative_bias[h, R + min(max(c, -R), R)],
 *
 * the first a finite number always, the second not seen where it is -inf; what is further away than R counts as R away.
 * Where distances share a number, as T5's buckets do, relative_bias is heed_index_select(w, 1, bucket) of w (H,
 * buckets) and the bucket of each distance, i64 (2 R + 1). */
typedef struct heed_attention_options {
    heed_tensor *valid_lens;    /* i64 (B) or (B, Q), as heed_masked_softmax; NULL: all keys are valid */
    bool causal;                /* query i sees keys 0 .. query_offset + i, of those that are valid */
    bool heads_inner;           /* dot product only: q (B, Q, H, d), k, v (B, K, H, .) -> (B, Q, H, e) */
    double scale;               /* dot product only; 0: 1 / sqrt(d) */
    double dropout;             /* probability with which a weight is dropped, as heed_dropout; 0: none */
    heed_generator *generator;  /* of dropout, which neither 0 nor a failure moves; NULL: the default one */
    heed_tensor *mask;          /* bool, broadcasts to the weights: true where a query sees a key; NULL: all */
    heed_tensor *bias;          /* of q's dtype, broadcasts to them: added to the scores after the scale, -inf:
                                 * not seen; NULL: none. Its gradient has Q and K, and 1 for B or H if it has 1 */
    heed_tensor *slopes;        /* (H), or (1) without heads, of q's dtype (ALiBi); NULL: none */
    int64_t window;             /* causal: query i sees `window` keys up to key query_offset + i, that included;
                                 * else keys j with |i + query_offset - j| < window. 0: no window */
    int64_t query_offset;       /* the place of query 0 among the keys: how many keys a cache had before it */
    heed_tensor *relative_bias; /* (H, 2 R + 1), or (1, 2 R + 1) without heads, of q's dtype; NULL: none */
    HEED_RESERVED;
} heed_attention_options;

/* softmax(q k^T scale + biases) v: q (B, Q, d), k (B, K, d), v (B, K, e) -> (B, Q, e). Also of H heads at once, q (B,
 * H, Q, d) and so on, or with heads_inner q (B, Q, H, d), as a map leaves them, with the lengths shared by the heads.
 * Then k and v may have fewer heads G, of which H is a multiple, each for H / G heads of q, one after another (grouped
 * queries): the same bits as of keys and values repeated by heed_repeat_interleave, and of their gradients, without the
 * copies. *weights, unless NULL, receives the weights, (B, Q, K) or (B, H, Q, K), and NULL on failure. Differentiable
 * in q, k, v, bias, slopes and relative_bias, to any order.
 *
 * Unless the weights are wanted, forward and first derivatives take memory for O(Q d) numbers besides, and for O(Q + K)
 * each head with slopes or a relative bias. Masked keys take no time, where all of a block of 112 is masked for some 16
 * queries; a window makes time O(Q window). A weight too small for a normal number beside the row's largest is then 0,
 * and rows that lie apart, as those of a head do, are not copied.
 * HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. K; HEED_ERR_ARGUMENT for a scale or slope
 * that is not finite, a dropout outside [0, 1], a negative window, a query_offset outside 0 .. 2^53.
 * Ainslie et al.: GQA (2023). Jiang et al.: Mistral 7B (2023). Press et al.: Train Short, Test Long (2022), ALiBi.
 * Shaw et al.: Self-Attention with Relative Position Representations (2018). Raffel et al.: T5 (2020).
 * torch: torch.nn.functional.scaled_dot_product_attention */
HEED_API heed_tensor *heed_dot_product_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v,
                                                 const heed_attention_options *options, heed_tensor **weights);

/* softmax(w_v^T tanh(W_q q + W_k k) + biases) v: q (B, Q, dq), k (B, K, dk), v (B, K, e), W_q (h, dq), W_k (h, dk), w_v
 * (h) or (1, h) -> (B, Q, e). *weights, unless NULL, receives the weights (B, Q, K), and NULL on failure.
 * Differentiable in all six, bias, slopes and relative_bias, to any order.
 *
 * Takes memory for (B, Q, K) and for the maps, but not for the features tanh(...), (B, Q, K, h), which only a gradient
 * that is to be differentiated again builds. HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside
 * 0 .. K; HEED_ERR_ARGUMENT for a scale, a slope that is not finite, a dropout outside [0, 1], a negative window, a
 * query_offset outside 0 .. 2^53.
 * D. Bahdanau, K. Cho, Y. Bengio: Neural Machine Translation by Jointly Learning to Align and Translate (2014). */
HEED_API heed_tensor *heed_additive_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v, heed_tensor *W_q,
                                              heed_tensor *W_k, heed_tensor *w_v, const heed_attention_options *options,
                                              heed_tensor **weights);

/* -- Rotary embedding ---------------------------------------------------------------------------------------------- */

/* Options of heed_rope; NULL: all of d, in halves, frequencies of base 10000. */
typedef struct heed_rope_options {
    double base;      /* 0: 10000 */
    int64_t offset;   /* added to each position: how many keys a cache had before */
    int64_t dims;     /* only the first `dims` of d numbers are turned, an even number; 0: all */
    bool interleaved; /* pairs are 2i and 2i + 1, as in the paper and GPT-J; else i and i + dims / 2, as in GPT-NeoX
                               * and Llama */
    bool heads_inner; /* x is (B, T, H, d), as a map leaves it */
    heed_tensor
        *frequencies; /* f64 (dims / 2): used in place of base^(-2i / dims), for what stretches them; NULL: none */
    HEED_RESERVED;
} heed_rope_options;

/* Rotary position embedding of queries or keys x: at position p each pair (a, b) of its numbers, pair i of dims / 2,
 * turns by the angle p base^(-2i / dims) to (a cos - b sin, b cos + a sin), so that q . k depends on the distance of
 * their positions alone.  dx = g turned back. x is f32 or f64 (HEED_ERR_DTYPE), (B, T, d) or (B, H, T, d) or, with
 * heads_inner, (B, T, H, d). Positions are i64 (T), or (B, T) for texts that begin elsewhere; NULL: 0 .. T - 1; the
 * offset is added. Cosines and sines are computed in f64 and rounded to x's dtype. Differentiable in x, to any order.
 *
 * HEED_ERR_SHAPE, also where an odd number, or more than d, would be turned; HEED_ERR_ARGUMENT for a base that is
 * negative or not finite; HEED_ERR_DTYPE.
 * J. Su et al.: RoFormer: Enhanced Transformer with Rotary Position Embedding (2021). */
HEED_API heed_tensor *heed_rope(heed_tensor *x, heed_tensor *positions, const heed_rope_options *options);

/* -- Kernel regression ------------------------------------------------------------------------------------------------
 *
 *     f(q) = sum_j a_j(q) v_j,     a_j(q) = K(u_j) / sum_l K(u_l),     u_j = |(q - k_j) w|,   w = 1 / h
 *
 * E. A. Nadaraya: On Estimating Regression (1964). G. S. Watson: Smooth Regression Analysis (1964). */

/* K(u), the weight of a key at the distance u in widths, before the weights of a query are made to sum to 1. */
typedef enum heed_nw_kernel {
    HEED_NW_GAUSSIAN = 0, /* exp(-u^2 / 2), as a softmax of -u^2 / 2: a query far from every key stays finite */
    HEED_NW_BOXCAR,       /* 1 for u <= 1; its gradients are 0 */
    HEED_NW_TRIANGULAR,   /* max(0, 1 - u): what the book calls "Epanechikov" */
    HEED_NW_EPANECHNIKOV, /* 3/4 (1 - u^2) for u <= 1 */
    HEED_NW_BIWEIGHT,     /* 15/16 (1 - u^2)^2 for u <= 1: also called quartic */
    HEED_NW_TRIWEIGHT,    /* 35/32 (1 - u^2)^3 for u <= 1 */
    HEED_NW_TRICUBE,      /* 70/81 (1 - u^3)^3 for u <= 1 */
    HEED_NW_CONSTANT,     /* 1: the average of the values; does not depend on the width */
} heed_nw_kernel;

/* Options of heed_kernel_regression; NULL: the Gaussian, the width as 1 / h, every key seen. */
typedef struct heed_kernel_regression_options {
    heed_nw_kernel kernel;
    bool log_width;     /* the width is given as ln h, not as w */
    bool leave_one_out; /* query i does not see key i: nothing there changes a bit of what comes of the query */
    int degree;         /* of the polynomial that is fitted around each query: 0, a constant, to 3 */
    HEED_RESERVED;
} heed_kernel_regression_options;

/* f(q) = sum_j K(u_j) v_j / sum_l K(u_l), with u_j = |(q - k_j) w|: queries (n) or (n, d); keys (m) or (m, d), shared
 * by all queries, or (n, m) or (n, m, d), one set for each query; values (m) or (m, v) with shared keys, (n, m) or (n,
 * m, v) otherwise; width w (1), or (d), one for each component. Returns (n) or (n, v). A query with no key in its
 * window (every kernel but the Gaussian and the constant) has weights 0 and gives 0; with no keys at all every query
 * gives 0. Differentiable in all four, to any order. *weights, unless NULL, receives the weights (n, m),
 * differentiable too, and NULL on failure.
 *
 * The Gaussian takes memory for inputs, results and up to eight copies of gradients: nothing of the size (n, m) is
 * made, forward or backward, but for the weights when they are asked for, and for derivatives of the second order.
 * Weights below the smallest normal number count as 0. The other kernels make (n, m, d).
 *
 * Of a degree above 0 f(q) is the value at q of the polynomial of k, of that degree in all components together, that
 * fits the values best in the sum of squares weighted by a_j(q): local linear, quadratic and cubic regression. It is
 * linear in the values too, and the weights returned are theirs; they sum to 1, and some may be negative. Powers that
 * the keys in a window do not tell from lower ones, as of two keys a square, or only keys with less than 1e-20 (f32) or
 * 1e-160 (f64) of the weight, are left out. (n, m) is made for each pair of powers.
 * W. S. Cleveland: Robust Locally Weighted Regression (1979). J. Fan, I. Gijbels: Local Polynomial Modelling (1996).
 *
 * Any finite width will do, and any finite ln h: where f is finite so are f and its gradients, though the square of
 * the width, or of distances times widths, may not be. 1 / h beyond the largest number counts as that.
 *
 * HEED_ERR_SHAPE, also for leave_one_out unless the keys are shared and as many as the queries; HEED_ERR_DTYPE
 * unless all have one dtype; HEED_ERR_ARGUMENT for an unknown kernel or degree; HEED_ERR_UNSUPPORTED for more than
 * 1,000 powers. */
HEED_API heed_tensor *heed_kernel_regression(heed_tensor *queries, heed_tensor *keys, heed_tensor *values,
                                             heed_tensor *width, const heed_kernel_regression_options *options,
                                             heed_tensor **weights);

HEED_END_DECLS

#endif
