/* ops/attention/visibility.h - which keys a query sees, and the score bias, from the options of an attention.
 *
 * The kernels of dot-product attention take the options directly. Ops that compute the scores (N, Q, K) anyway take a
 * heed__visible_pairs, which describes all pairs: if lengths do not determine the visibility, a mask of all pairs
 * replaces valid_lens, and the score bias has an element per pair. */
#ifndef HEED_OPS_ATTENTION_VISIBILITY_H
#define HEED_OPS_ATTENTION_VISIBILITY_H

#include "ops/attention/heads.h"
#include "ops/valid_lens.h"

/* Every tensor may be NULL. mask and bias broadcast to (B, Q, K) or, with heads, (B, H, Q, K); relative_bias.h
 * describes relative_bias. */
typedef struct heed__visibility {
    heed_tensor *lens, *mask, *bias, *relative_bias;
    bool causal;
    int64_t window, offset; /* 0 .. HEED_FAR */
} heed__visibility;

/* Returns the visibility from the options, except for relative_bias, which stays NULL. */
heed__visibility heed__visibility_of(const heed_attention_options *options);

/* Checks the options for queries and keys of dtype `dtype`. Returns false after heed_fail. */
bool heed__visibility_check(const char *where, const heed_attention_options *options, heed_dtype dtype,
                            const heed__heads *q, int64_t keys);

/* Checks that t, called `name` in errors, has dtype `dtype`. Returns false after heed_fail. */
bool heed__visibility_check_tensor(const char *where, const char *name, const heed_tensor *t, heed_dtype dtype);

/* The floating-point element at offset `at`. */
double heed__visibility_number(const heed_tensor *t, int64_t at);

/* The stride of t along the axis `from_end` axes from the end (1 is the last), and its size there. An axis of size 1,
 * or one that t lacks, has stride 0 and size 1. */
int64_t heed__visibility_stride(const heed_tensor *t, int from_end);
int64_t heed__visibility_size(const heed_tensor *t, int from_end);

/* The visibility and score bias of all pairs. */
typedef struct heed__visible_pairs {
    heed_tensor *lens;       /* i64 (B) or (B, Q), or bool (N, Q, K), or NULL, see ops/valid_lens.h */
    bool causal;             /* used with lens */
    heed_tensor *score_bias; /* (N, Q, K), 0 for hidden pairs; NULL without a score bias */
} heed__visible_pairs;

/* Computes *visible. Returns false after heed_fail. */
bool heed__visibility_resolve(const heed__visibility *visibility, heed_dtype dtype, const heed__heads *q, int64_t keys,
                              heed__visible_pairs *visible);

/* Returns the lengths that `visible` describes. */
heed__lengths heed__visible_lengths(const heed__visible_pairs *visible, const heed__heads *q, int64_t keys);

#endif
