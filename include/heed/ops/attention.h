/* heed/ops/attention.h - attention, rotary embedding and kernel regression. The rules in heed/ops.h hold here too.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_ATTENTION_H
#define HEED_OPS_ATTENTION_H

#include <heed/random.h>

HEED_BEGIN_DECLS

/* -- Attention --------------------------------------------------------------------------------------------------------
 * weights = softmax of the scores over the keys, result = dropout(weights) values. Differentiable in all tensors, to
 * any order.
 *
 * A key is hidden from a query if it is past the valid length, later in causal attention, outside the window, or if the
 * mask is false or a bias is -inf. A hidden key does not exist for that query: its weight is exactly 0, and the numbers
 * stored in the key and its value, even NaN or infinity, do not change a bit of the query's gradient or of its rows in
 * the result and the weights. The query contributes exactly 0 to the gradients of that key and value, even if the
 * query, or the gradient that arrives at its row of the result, is NaN. A key hidden from all queries therefore has
 * gradient 0. A query without visible keys returns zeros, has gradient 0 and adds 0 to other gradients. NaN in a
 * visible key or value makes the query's row NaN. All this holds for derivatives of any order. In additive attention it
 * also holds for the gradients of W_q, W_k and w_v, which are sums over the visible pairs of query and key.
 *
 * *weights receives the weights before dropout, (B, Q, K) or (B, H, Q, K), differentiable like the result, and NULL on
 * failure. If `weights` is NULL, the weights are not returned, and if possible they are never all in memory at once. */

/* Options of heed_dot_product_attention, heed_additive_attention and heed_attention_visible_keys; NULL: every key is
 * visible, without biases and dropout.
 *
 * A query sees a key only if valid_lens, causal, window, mask and biases all allow it. Masks and biases broadcast to
 * the shape of the weights, as in heed_add. With heads, a mask (B, 1, Q, K) is one mask per batch element, (H, Q, K)
 * one per head, and (Q, K) one for all.
 *
 * slopes and relative_bias add a score that depends on the distance c = j - i - query_offset of key j from query i. For
 * head h they add
 *
 *     -slopes[h] |c|     and     relative_bias[h, R + min(max(c, -R), R)].
 *
 * The term with slopes is always finite; a relative_bias of -inf hides the key. Distances beyond R count as R. If
 * several distances share a number, as in T5's buckets, compute relative_bias as heed_index_select(w, 1, bucket), where
 * w (H, buckets) has a number per bucket, and bucket, i64 (2 R + 1), is the bucket of every distance. */
typedef struct heed_attention_options {
    heed_tensor *valid_lens;    /* i64 (B) or (B, Q), as heed_masked_softmax; NULL: all keys are valid */
    bool causal;                /* query i sees the valid keys among 0 .. query_offset + i */
    bool heads_inner;           /* dot product only: q (B, Q, H, d), k, v (B, K, H, .) -> (B, Q, H, e) */
    double scale;               /* dot product only; 0: 1 / sqrt(d) */
    double dropout;             /* probability that a weight is dropped, as in heed_dropout; 0: no dropout */
    heed_generator *generator;  /* draws the dropout; not advanced if dropout is 0 or the call fails; NULL: the one in
                                   use */
    heed_tensor *mask;          /* bool, broadcasts to the weights: true if a query sees a key; NULL: all true */
    heed_tensor *bias;          /* of q's dtype, broadcasts to the weights and is added to the scores after the scale;
                                   -inf hides a key; NULL: none. Its gradient has full axes Q and K, and size 1 for B or
                                   H if the bias has size 1 there */
    heed_tensor *slopes;        /* (H), or (1) without heads, of q's dtype (ALiBi); NULL: none */
    int64_t window;             /* if causal, query i sees the `window` keys up to and including key query_offset + i;
                                   otherwise the keys j with |i + query_offset - j| < window. 0: no window */
    int64_t query_offset;       /* the position of query 0 among the keys: the number of keys in a cache before it */
    heed_tensor *relative_bias; /* (H, 2 R + 1), or (1, 2 R + 1) without heads, of q's dtype; NULL: none */
    HEED_RESERVED;
} heed_attention_options;

/* Computes dot-product attention: softmax(q k^T scale + biases) v.
 *
 * q (B, Q, d), k (B, K, d), v (B, K, e) -> (B, Q, e). H heads at once are q (B, H, Q, d) and so on, or with heads_inner
 * q (B, Q, H, d), the layout that a linear map returns; the heads share the lengths. With heads, k and v may have fewer
 * heads than q, G of them, if H is a multiple of G. Every head of k and v then serves H / G consecutive heads of q
 * (grouped queries). The results and gradients have the same bits as with keys and values repeated by
 * heed_repeat_interleave, without the copies. *weights, unless NULL, receives the weights, (B, Q, K) or (B, H, Q, K),
 * and NULL on failure. Differentiable in q, k, v, bias, slopes and relative_bias, to any order.
 *
 * If `weights` is NULL, the following holds. The forward pass and first derivatives need additional memory for only O(Q
 * d) numbers, and for O(Q + K) per head with slopes or a relative bias. A block of 112 keys takes no time for a group
 * of 16 queries from which all its keys are hidden; with a window the time is O(Q window). A weight that is too small
 * for a normal number relative to the largest weight of its row is 0. Tensors whose rows are not adjacent, such as the
 * rows of a head, are not copied.
 *
 * Errors: HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. K; HEED_ERR_ARGUMENT for a
 * non-finite scale or slope, a dropout outside [0, 1], a negative window, a query_offset outside 0 .. 2^53.
 * Reference: Ainslie et al.: GQA (2023). Jiang et al.: Mistral 7B (2023). Press et al.: Train Short, Test Long (2022),
 * ALiBi. Shaw et al.: Self-Attention with Relative Position Representations (2018). Raffel et al.: T5 (2020).
 * torch: torch.nn.functional.scaled_dot_product_attention */
HEED_API heed_tensor *heed_dot_product_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v,
                                                 const heed_attention_options *options, heed_tensor **weights);

/* Computes additive attention: softmax(w_v^T tanh(W_q q + W_k k) + biases) v.
 *
 * q (B, Q, dq), k (B, K, dk), v (B, K, e), W_q (h, dq), W_k (h, dk), w_v (h) or (1, h) -> (B, Q, e). *weights, unless
 * NULL, receives the weights (B, Q, K), and NULL on failure. Differentiable in all six tensors, and in bias, slopes and
 * relative_bias, to any order.
 *
 * It takes memory for (B, Q, K) numbers and for W_q q and W_k k, but not for the features tanh(...), (B, Q, K, h). Only
 * second and higher derivatives compute all features at once.
 *
 * Errors: HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. K; HEED_ERR_ARGUMENT if a scale is
 * given, for a non-finite slope, a dropout outside [0, 1], a negative window, a query_offset outside 0 .. 2^53.
 * Reference: D. Bahdanau, K. Cho, Y. Bengio: Neural Machine Translation by Jointly Learning to Align and Translate
 * (2014). */
HEED_API heed_tensor *heed_additive_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v, heed_tensor *W_q,
                                              heed_tensor *W_k, heed_tensor *w_v, const heed_attention_options *options,
                                              heed_tensor **weights);

/* Finds the keys that at least one query sees.
 *
 * pairs is the shape of the weights, (B, Q, K) or (B, H, Q, K). Returns bool (B, K): true for a key that at least one
 * query sees in at least one head, by valid_lens, causal, window, query_offset, mask, bias and relative_bias. The other
 * options are ignored. bias and relative_bias are f32 or f64, both of the same dtype. Not differentiable.
 *
 * Numbers in hidden keys do not affect attention itself. If a linear map computes the keys and values, replace its
 * hidden inputs by zeros with heed_masked_fill: NaN in them would make the gradient of the map NaN.
 * heed_nn_multi_head_attention_forward does this.
 *
 * Errors: HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a length outside 0 .. K; HEED_ERR_ARGUMENT for a negative
 * window, a query_offset outside 0 .. 2^53. */
HEED_API heed_tensor *heed_attention_visible_keys(heed_shape pairs, const heed_attention_options *options);

/* -- Rotary embedding ---------------------------------------------------------------------------------------------- */

/* Options of heed_rope; NULL: all d numbers of a vector are rotated, in pairs i and i + d / 2, with base 10000. */
typedef struct heed_rope_options {
    double base;              /* 0: 10000 */
    int64_t offset;           /* added to every position; for instance the number of keys already in a cache */
    int64_t dims;             /* only the first `dims` of d numbers are rotated; must be even; 0: all */
    bool interleaved;         /* pairs are 2i and 2i + 1, as in the paper and GPT-J; else i and i + dims / 2, as
                               * in GPT-NeoX and Llama */
    bool heads_inner;         /* x is (B, T, H, d), the layout that a linear map returns */
    heed_tensor *frequencies; /* f64 (dims / 2): frequencies to use instead of base^(-2i / dims), such as scaled ones;
                                 NULL: not used */
    double scale;             /* rotated numbers are multiplied by it, as YaRN does; 0: 1 */
    HEED_RESERVED;
} heed_rope_options;

/* Applies rotary position embedding to queries or keys x.
 *
 * At position p, pair i of dims / 2 pairs (a, b) of numbers in x is rotated by the angle p base^(-2i / dims) to (a cos
 * - b sin, b cos + a sin), times options.scale. The product q . k of a rotated query and key then depends on their
 * positions only through the distance.
 * dx = g rotated back, times the scale, differentiable to any order.
 *
 * x is f32 or f64 (HEED_ERR_DTYPE), (B, T, d) or (B, H, T, d) or, with heads_inner, (B, T, H, d). Positions are i64
 * (T), or (B, T) if the sequences start at different positions; NULL: 0 .. T - 1. The offset is added to the positions.
 * Cosines and sines are computed in f64 and rounded to the dtype of x.
 *
 * Errors: HEED_ERR_SHAPE, also if the number of rotated dims is odd or above d; HEED_ERR_ARGUMENT for a negative or
 * non-finite base and a non-finite scale; HEED_ERR_DTYPE.
 * Reference: J. Su et al.: RoFormer: Enhanced Transformer with Rotary Position Embedding (2021). */
HEED_API heed_tensor *heed_rope(heed_tensor *x, heed_tensor *positions, const heed_rope_options *options);

/* -- Kernel regression ------------------------------------------------------------------------------------------------
 *
 *     f(q) = sum_j a_j(q) v_j,     a_j(q) = K(u_j) / sum_l K(u_l),     u_j = |(q - k_j) w|,   w = 1 / h
 *
 * Reference: E. A. Nadaraya: On Estimating Regression (1964). G. S. Watson: Smooth Regression Analysis (1964). */

/* The kernel K(u): the weight of a key at distance u, in units of the width, before the weights of a query are
 * normalised to sum 1. */
typedef enum heed_nw_kernel {
    HEED_NW_GAUSSIAN = 0, /* exp(-u^2 / 2), computed as a softmax of -u^2 / 2, so that the result is finite even far
                             from every key */
    HEED_NW_BOXCAR,       /* 1 for u <= 1; its gradients are 0 */
    HEED_NW_TRIANGULAR,   /* max(0, 1 - u): the book calls it "Epanechikov" */
    HEED_NW_EPANECHNIKOV, /* 3/4 (1 - u^2) for u <= 1 */
    HEED_NW_BIWEIGHT,     /* 15/16 (1 - u^2)^2 for u <= 1: also called quartic */
    HEED_NW_TRIWEIGHT,    /* 35/32 (1 - u^2)^3 for u <= 1 */
    HEED_NW_TRICUBE,      /* 70/81 (1 - u^3)^3 for u <= 1 */
    HEED_NW_CONSTANT,     /* 1: the result is the average of the values, for any width */
} heed_nw_kernel;

/* Options of heed_kernel_regression; NULL: the Gaussian kernel, the width given as 1 / h, every key visible. */
typedef struct heed_kernel_regression_options {
    heed_nw_kernel kernel;
    bool log_width;     /* the width is passed as ln h, not as w = 1 / h */
    bool leave_one_out; /* key i is hidden from query i: it changes no bit of the result of query i */
    int degree;         /* of the polynomial fitted around every query, 0 (a constant) to 3 */
    HEED_RESERVED;
} heed_kernel_regression_options;

/* Computes kernel regression, the average of the values weighted by the distances of the keys.
 *
 *     f(q) = sum_j K(u_j) v_j / sum_l K(u_l), with u_j = |(q - k_j) w|
 *
 * queries (n) or (n, d); keys (m) or (m, d), shared by all queries, or (n, m) or (n, m, d), a set of keys per query;
 * values (m) or (m, v) with shared keys, (n, m) or (n, m, v) otherwise; width w (1), or (d), one width per component of
 * the keys. The result is (n) or (n, v). Differentiable in all four, to any order. *weights, unless `weights` is NULL,
 * receives the weights (n, m), which are also differentiable, and NULL on failure. A query without a key in its window
 * (every kernel except the Gaussian and the constant) has weights 0 and the result 0; if there are no keys at all,
 * every result is 0.
 *
 * With the Gaussian, the op takes memory for inputs, results and up to eight copies of gradients. It needs memory for
 * (n, m) numbers only if the weights are requested, and for second derivatives. Weights below the smallest normal
 * number count as 0. The other kernels need memory for (n, m, d) numbers.
 *
 * With a degree above 0, f(q) is the value at q of the polynomial of that total degree in k that fits the values best,
 * by least squares weighted by a_j(q): local linear, quadratic and cubic regression. The result is again linear in the
 * values; the returned weights are the factors of the values, sum to 1, and may be negative. A power is omitted if the
 * keys in a window do not distinguish it from lower powers (as the square, if there are two keys), or if only keys with
 * less than 1e-20 (f32) or 1e-160 (f64) of the total weight do. Every pair of powers needs memory for (n, m) numbers.
 *
 * Any finite width and any finite ln h are valid: if f is finite, the result and its gradients are finite, even if the
 * square of the width or of (q - k_j) w overflows. 1 / h beyond the largest number counts as the largest number.
 *
 * Errors: HEED_ERR_SHAPE, also for leave_one_out unless the keys are shared and their number equals the number of
 * queries; HEED_ERR_DTYPE unless all have one dtype; HEED_ERR_ARGUMENT for an unknown kernel or degree;
 * HEED_ERR_UNSUPPORTED for more than 1,000 powers.
 * Reference: W. S. Cleveland: Robust Locally Weighted Regression (1979). J. Fan, I. Gijbels: Local Polynomial Modelling
 * (1996). */
HEED_API heed_tensor *heed_kernel_regression(heed_tensor *queries, heed_tensor *keys, heed_tensor *values,
                                             heed_tensor *width, const heed_kernel_regression_options *options,
                                             heed_tensor **weights);

HEED_END_DECLS

#endif
