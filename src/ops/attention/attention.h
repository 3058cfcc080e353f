/* ops/attention/attention.h - what the attentions share: checks, the lengths of rows, and what comes after the scores. */
#ifndef HEED_OPS_ATTENTION_ATTENTION_H
#define HEED_OPS_ATTENTION_ATTENTION_H

#include "ops/support.h"

/* One call. Heads are folded into the batch: N = B or B H. */
typedef struct heed_attention {
    const char *where;
    heed_attention_options options;
    bool has_heads;
    int64_t batch, heads; /* heads is 1 where there are none */
    int64_t queries, keys;
    heed_tensor *lens;    /* the keys that a row sees, i64 (N) or (N, Q); NULL: every row sees all */
    heed_tensor *weights; /* (N, Q, K), before dropout; made by heed__attention_pool */
    heed_tensor **wanted; /* where the user wants them; NULL: nowhere */

    heed_generator *drawn_from; /* of dropout, once a position is taken; else NULL */
    uint64_t position;          /* this one, which a call that fails gives back */
} heed_attention;

/* Takes over the options, NULL for the defaults, and sets *weights to NULL. */
heed_attention heed__attention_of(const char *where, const heed_attention_options *options, heed_tensor **weights);

/* -- Checks: false after heed_fail -------------------------------------------------------------------------------- */

/* That q, k and v are of one floating-point dtype, and the options' numbers in their ranges. */
bool heed__attention_check(const heed_attention *at, const heed_tensor *q, const heed_tensor *k, const heed_tensor *v);

/* Whether q (..., Q, .), k (..., K, .) and v (..., K, .), or with heads_inner (B, Q, H, .) and so on, have the same
 * leading axes and number of keys; sets the sizes. */
bool heed__attention_fits(heed_attention *at, const heed_tensor *q, const heed_tensor *k, const heed_tensor *v);

/* -- The work: in a scope of the caller's. NULL after heed_fail, or for NULL -------------------------------------- */

/* options.valid_lens, contiguous and checked, to *valid; NULL where there are none. False after heed_fail. */
bool heed__attention_valid(const heed_attention *at, heed_tensor **valid);

/* Lengths (N) or (N, Q), of valid lengths (B) or (B, Q), which may be NULL: row i sees min(valid length, i + 1) keys if
 * it is causal. NULL where every row sees all. False after heed_fail. */
typedef struct heed_attention_rows {
    int64_t batch, heads, queries, keys;
    bool causal;
} heed_attention_rows;
bool heed__attention_rows(heed_tensor *valid, const heed_attention_rows *rows, heed_tensor **lens);

/* Makes at->lens of options.valid_lens and options.causal by the two above. False after heed_fail. */
bool heed__attention_lengths(heed_attention *at);

/* The parameters of dropout, for which it takes a position of the generator. */
heed_dropout_args heed__attention_draw(heed_attention *at);

/* (B, H, rows, columns), or with heads_inner (B, rows, H, columns), -> (N, rows, columns). */
/* (s - the largest s that its row sees) scale, for scores s (N, Q, K), lengths that may be NULL, and a scale above 1: the
 * softmax of s scale, but scores that are far apart do not overflow. */
heed_tensor *heed__attention_stretch(heed_tensor *scores, heed_tensor *lens, double scale);

heed_tensor *heed__attention_fold(const heed_attention *at, heed_tensor *x);

/* dropout(softmax(scores)) v, with scores (N, Q, K) and v (N, K, e): (N, Q, e), heads unfolded. */
heed_tensor *heed__attention_pool(heed_attention *at, heed_tensor *scores, heed_tensor *v);

/* Closes the scope; hands the result, and the weights where they are wanted, to the one around it. Of a call that
 * failed, gives the generator's position back. */
heed_tensor *heed__attention_return(heed_attention *at, heed_scope *scope, heed_tensor *result);

/* Closes the scope; hands the result to the one around it and, unless `wanted` is NULL, the weights, to *wanted. NULL, and
 * nothing written, where one of them is missing. */
heed_tensor *heed__return_with_weights(const char *where, heed_scope *scope, heed_tensor *result, heed_tensor *weights,
                                       heed_tensor **wanted);

#endif
