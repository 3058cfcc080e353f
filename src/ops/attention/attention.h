/* ops/attention/attention.h - a map of the attentions, and what their calls have in common.
 *
 *     dot_product_attention.c   heed_dot_product_attention: one of two ways,
 *         flash_attention.c         as one op, which never has the weights  -> kernels/attention/forward.h, backward.h
 *         masked_bmm.c              of several ops, where the weights are wanted
 *     additive_attention.c      heed_additive_attention: scores, softmax, product
 *         additive_scores.c         the scores as one op                        -> kernels/attention/additive_*.h
 *         masked_bmm.c
 *     sight.c                   of both: which keys a query sees, and what is added to its scores
 *     by_distance.c                 for the distance of the key
 *     kernel_regression.c       heed_kernel_regression: one of two ways,
 *         gaussian_regression.c     the Gaussian as one op                      -> kernels/regression
 *         composed_regression.c     of several ops: other kernels, weights, derivatives of higher order
 *     rope.c                    heed_rope                                      -> kernels/rows/rope.h
 *
 * attention.c has the beginning and the end of a call: options, dropout's place in the generator, the weights. heads.c
 * knows the sizes, ops/valid_lens.c which keys a row sees.
 */
#ifndef HEED_OPS_ATTENTION_ATTENTION_H
#define HEED_OPS_ATTENTION_ATTENTION_H

#include "core/generator.h"
#include "ops/attention/heads.h"
#include "ops/attention/sight.h"

/* One call. Heads are folded into the batch: N = B or B H. */
typedef struct heed__attention {
    const char *where;
    const heed_attention_options *options;
    heed_tensor **wanted; /* where the user wants the weights; NULL: nowhere */
    heed__heads q;
    int64_t keys, kv_heads;
    heed__sight sight;
    heed_tensor *weights; /* (N, Q, K), before dropout; made by heed__attention_pool */

    heed__dropout_numbers dropout; /* where options.dropout is not 0 */
    heed_generator *drawn_from;    /* of dropout, once a position is taken; else NULL */
    heed__place place;             /* this one, which a call that fails gives back */
} heed__attention;

/* Without sizes yet. options may be NULL, for the defaults; *weights becomes NULL. */
void heed__attention_of(heed__attention *at, const char *where, const heed_attention_options *options,
                        heed_tensor **weights);

/* -- Checks: false after heed_fail -------------------------------------------------------------------------------- */

/* That q, k and v are of one floating-point dtype, and the options' numbers in range. */
bool heed__attention_check(const heed__attention *at, const heed_tensor *q, const heed_tensor *k, const heed_tensor *v);

/* Whether q (B, Q, .), k (B, K, .) and v (B, K, .), or the same with heads, of which those of q are a multiple, fit but
 * for their last axes; sets the sizes. */
bool heed__attention_fits(heed__attention *at, const heed_tensor *q, const heed_tensor *k, const heed_tensor *v);

/* -- The work ------------------------------------------------------------------------------------------------------ */

/* Checks what is seen, opens a scope, and takes a position of the generator for dropout. NULL after heed_fail. */
heed_scope *heed__attention_begin(heed__attention *at, heed_dtype dtype);

/* Closes the scope; hands the result, and the weights where they are wanted, to the one around it. After
 * a call that failed, gives the generator's position back. */
heed_tensor *heed__attention_end(heed__attention *at, heed_scope *scope, heed_tensor *result);

/* q . k scale and terms, for those that see each other, else 0: (N, Q, K) of q (N, Q, d), k (N, K, d). NULL for NULL,
 * here and below. */
heed_tensor *heed__dot_product_scores(heed_tensor *q, heed_tensor *k, double scale, const heed__seen *seen);

/* What dropout leaves of the weights; all where it is NULL. */
heed_tensor *heed__drop_weights(heed_tensor *weights, const heed__dropout_numbers *dropout);

/* dropout(softmax(scores)) v, with scores (N, Q, K) and v (N, K, e): (N, Q, e), heads unfolded. */
heed_tensor *heed__attention_pool(heed__attention *at, heed_tensor *scores, heed_tensor *v, const heed__seen *seen);

/* Closes the scope; hands the result to the one around it and, unless `wanted` is NULL, the weights, to *wanted. NULL,
 * and nothing written, where one of them is missing. */
heed_tensor *heed__return_with_weights(const char *where, heed_scope *scope, heed_tensor *result, heed_tensor *weights,
                                       heed_tensor **wanted);

#endif
