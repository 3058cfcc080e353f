/* ops/attention/attention.h - overview of the attention functions, and helpers that their calls share.
 *
 *     dot_product_attention.c   heed_dot_product_attention: one of two paths
 *         flash_attention.c         one op, which never stores the weights  -> kernels/attention/forward.h, backward.h
 *         masked_bmm.c              several ops, if the weights are requested
 *     additive_attention.c      heed_additive_attention: scores, softmax, product
 *         additive_scores.c         the scores as one op                        -> kernels/attention/additive_*.h
 *         masked_bmm.c
 *     visibility.c              for both: which keys a query sees, and the score bias
 *     visible_keys.c            heed_attention_visible_keys
 *     kernel_regression.c       heed_kernel_regression: one of two paths
 *         gaussian_regression.c     the Gaussian as one op                      -> kernels/regression
 *         composed_regression.c     several ops: other kernels, weights, derivatives of higher order
 *     rope.c                    heed_rope                                      -> kernels/rows/rope.h
 *
 * attention.c begins and ends a call: options, the generator position for dropout, the weights. heads.c computes the
 * sizes.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_ATTENTION_ATTENTION_H
#define HEED_OPS_ATTENTION_ATTENTION_H

#include "core/generator.h"
#include "ops/attention/heads.h"
#include "ops/attention/visibility.h"

/* One call of an attention function. The heads are folded into the batch: N = B H with H heads, and N = B without
 * heads. */
typedef struct heed__attention {
    const char *where;
    const heed_attention_options *options;
    heed_tensor **requested; /* where to store the requested weights; NULL if not requested */
    heed__heads q;
    int64_t keys, kv_heads;
    heed_tensor *relative_bias; /* the rows of heed__relative_bias_rows; NULL without such a bias */
    heed_tensor *weights;       /* (N, Q, K), before dropout; set by heed__attention_pool */

    heed__dropout_numbers dropout;  /* valid if options.dropout is not 0 */
    heed_generator *drawn_from;     /* the generator of dropout, once a position is reserved; else NULL */
    heed__stream_position reserved; /* the position taken from drawn_from; given back if the call fails */
} heed__attention;

/* Initialises `at` except for the sizes. options may be NULL for the defaults; *weights becomes NULL. */
void heed__attention_of(heed__attention *at, const char *where, const heed_attention_options *options,
                        heed_tensor **weights);

/* -- Checks: they return false after heed_fail --------------------------------------------------------------------- */

/* Checks that q, k and v have the same floating-point dtype and that the options' numbers are in range. */
bool heed__attention_check(const heed__attention *at, const heed_tensor *q, const heed_tensor *k, const heed_tensor *v);

/* Sets the sizes in `at`. Returns true if q (B, Q, .), k (B, K, .) and v (B, K, .) fit except for their last axes. With
 * heads, k and v must have the same number of heads, and it must divide the number of heads of q. Returns false without
 * heed_fail. */
bool heed__attention_fits(heed__attention *at, const heed_tensor *q, const heed_tensor *k, const heed_tensor *v);

/* -- Computation --------------------------------------------------------------------------------------------------- */

/* Checks the options of visibility, opens a scope, computes relative_bias, and reserves a generator position for
 * dropout. Returns NULL after heed_fail. */
heed_scope *heed__attention_begin(heed__attention *at, heed_dtype dtype);

/* Closes the scope and moves the result, and the weights if requested, to the enclosing scope. If the call failed,
 * returns the reserved position to the generator. */
heed_tensor *heed__attention_end(heed__attention *at, heed_scope *scope, heed_tensor *result);

/* Returns q . k scale plus the score bias for visible pairs and 0 for hidden ones: q (N, Q, d), k (N, K, d) -> (N, Q,
 * K). This and the following functions return NULL for NULL. */
heed_tensor *heed__dot_product_scores(heed_tensor *q, heed_tensor *k, double scale, const heed__visible_pairs *pairs);

/* Applies dropout to the weights; returns them unchanged if dropout is NULL. */
heed_tensor *heed__drop_weights(heed_tensor *weights, const heed__dropout_numbers *dropout);

/* Returns dropout(softmax(scores)) v for scores (N, Q, K) and v (N, K, e): (N, Q, e), heads unfolded. */
heed_tensor *heed__attention_pool(heed__attention *at, heed_tensor *scores, heed_tensor *v,
                                  const heed__visible_pairs *pairs);

/* masked_bmm.c: products in which a row i sees only some of the keys j. valid_lens must be checked, or bool (N, Q, K).
 *
 *     scores   y_ij = q_i . k_j if row i sees key j, else 0            (N, Q, d), (N, K, d) -> (N, Q, K)
 *     pool     y_i  = sum of w_ij v_j over the keys that row i sees     (N, Q, K), (N, K, e) -> (N, Q, e)
 *     spread   y_j  = sum of w_ij x_i over the rows that see key j      (N, Q, K), (N, Q, d) -> (N, K, d) */
heed_tensor *heed__masked_scores(heed_tensor *q, heed_tensor *k, heed_tensor *valid_lens, bool causal);
heed_tensor *heed__masked_pool(heed_tensor *w, heed_tensor *v, heed_tensor *valid_lens, bool causal);
heed_tensor *heed__masked_spread(heed_tensor *w, heed_tensor *x, heed_tensor *valid_lens, bool causal);

/* Returns true if n floating-point numbers are all finite. */
bool heed__all_finite(heed_dtype dtype, int64_t n, const void *values);

/* additive_scores.c: the scores of additive attention for projected queries and keys, (N, Q, h), (N, K, h), (h) -> (N,
 * Q, K):
 *
 *     y_ij = sum over h of w_h tanh(a_ih + b_jh) if row i sees key j, else 0
 *
 * w is (h) or (1, h); valid_lens must be checked, or NULL. */
heed_tensor *heed__additive_scores(heed_tensor *a, heed_tensor *b, heed_tensor *w, heed_tensor *valid_lens,
                                   bool causal);

/* Closes the scope and moves the result to the enclosing scope. If `requested` is not NULL, also moves the weights
 * there and stores them in *requested. Returns NULL and stores nothing if the result or the requested weights are
 * NULL. */
heed_tensor *heed__return_with_weights(const char *where, heed_scope *scope, heed_tensor *result, heed_tensor *weights,
                                       heed_tensor **requested);

#endif
