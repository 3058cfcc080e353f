/* ops/attention/sight.h - which keys a query sees, and what is added to its scores, as the options of an attention say
 * it.
 *
 * The kernels of dot-product attention take that as it is. Ops that have scores (N, Q, K) anyway take it worked out:
 * where lengths do not say all of it, as a mask of all pairs, in place of valid_lens, and as terms for all of them.
 */
#ifndef HEED_OPS_ATTENTION_SIGHT_H
#define HEED_OPS_ATTENTION_SIGHT_H

#include "ops/attention/heads.h"
#include "ops/valid_lens.h"

/* Each tensor may be NULL. mask and bias broadcast to (B, Q, K) or, of heads, (B, H, Q, K); by_distance.h has the
 * last. */
typedef struct heed__sight {
    heed_tensor *lens, *mask, *bias, *by_distance;
    bool causal;
    int64_t window, offset; /* 0 .. HEED_FAR */
} heed__sight;

/* But for what is added by distance. */
heed__sight heed__sight_of(const heed_attention_options *options);

/* Of queries and keys of dtype `dtype`; false after heed_fail. */
bool heed__sight_check(const char *where, const heed_attention_options *options, heed_dtype dtype, const heed__heads *q,
                       int64_t keys);

/* That t, `name`, is of that dtype. False after heed_fail. */
bool heed__sight_check_tensor(const char *where, const char *name, const heed_tensor *t, heed_dtype dtype);

/* A floating-point number by its place. */
double heed__sight_number(const heed_tensor *t, int64_t at);

/* From an element of t to the next along the axis that is `from_end` axes from the end, 1 being the last: 0 where t has
 * size 1, or no such axis; and its size there, or 1. */
int64_t heed__sight_step(const heed_tensor *t, int from_end);
int64_t heed__sight_size(const heed_tensor *t, int from_end);

/* Worked out. */
typedef struct heed__seen {
    heed_tensor *lens;  /* i64 (B) or (B, Q), or bool (N, Q, K), or NULL, as ops/valid_lens.h has it, */
    bool causal;        /* and this */
    heed_tensor *terms; /* (N, Q, K), 0 where nothing is seen; NULL: none */
} heed__seen;

/* False after heed_fail. */
bool heed__sight_work_out(const heed__sight *sight, heed_dtype dtype, const heed__heads *q, int64_t keys,
                          heed__seen *seen);

/* Its lengths. */
heed__lengths heed__seen_lengths(const heed__seen *seen, const heed__heads *q, int64_t keys);

#endif
