/* ops/attention/visibility.h - which keys a query sees, for attention, masked softmax and losses of sequences.
 *
 * The public function checks heed_attention_options, whose tensors become inputs of the op. When the op computes, it
 * makes a heed__visibility (kernels/attention/visibility.h), which points into these tensors: lengths are not copied
 * for every head, and no lengths are made for causal attention. valid_lens is i64: (B), one length per batch element,
 * or (B, Q), one length per query.
 *
 * Ops that compute the scores (N, Q, K) anyway take a heed__visible_pairs: if lengths do not determine the visibility,
 * a bool mask of all pairs replaces valid_lens, and the score bias has an element per pair.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_ATTENTION_VISIBILITY_H
#define HEED_OPS_ATTENTION_VISIBILITY_H

#include "ops/attention/heads.h"

/* -- Checks: they return false after heed_fail --------------------------------------------------------------------- */

/* Checks the options for queries and keys of dtype `dtype`. */
bool heed__visibility_check(const char *where, const heed_attention_options *options, heed_dtype dtype,
                            const heed__heads *q, int64_t keys);

enum { HEED_ANY_ROWS = -1 };

/* Checks that valid_lens is i64 (batch) or (batch, rows) and that every length is in 0 .. keys. `rows` may be
 * HEED_ANY_ROWS. */
bool heed__check_lengths(const char *where, const heed_tensor *valid_lens, int64_t batch, int64_t rows, int64_t keys);

/* -- Relative bias ------------------------------------------------------------------------------------------------- */

/* Computes the score bias by distance from query to key, from slopes and relative_bias of the options: a row per head,
 * whose element Q - 1 + j - i belongs to query i and key j. Sets *rows to (H, Q + K - 1), differentiable with respect
 * to the options' tensors, or to (H, 0) if there are no pairs; to NULL if the options add no such bias. Returns false
 * after heed_fail. */
bool heed__relative_bias_rows(const heed_attention_options *options, const heed__heads *q, int64_t keys,
                              heed_tensor **rows);

/* Sums `pairs` (N, Q, K) over the pairs of equal head and distance, and returns rows. Built from public ops; NULL for
 * NULL. */
heed_tensor *heed__relative_bias_sum(heed_tensor *pairs, const heed__heads *q);

/* -- Optional inputs ---------------------------------------------------------------------------------------------- */

enum { HEED_VALID_LENS, HEED_MASK, HEED_BIAS, HEED_RELATIVE_BIAS, HEED_VISIBILITY_INPUTS };

/* The parameters of an op whose last inputs are tensors of the options. */
typedef struct heed__visibility_params {
    int8_t at[HEED_VISIBILITY_INPUTS]; /* indices of the inputs; -1 if absent */
    bool causal;
    int64_t window, offset;
} heed__visibility_params;

#define HEED_VISIBILITY_FIELDS(record)                                                                                 \
    HEED_FIELD(record, visibility.at), HEED_FIELD(record, visibility.causal), HEED_FIELD(record, visibility.window),   \
        HEED_FIELD(record, visibility.offset)

/* Sets *p, and appends the tensors of the options, and the rows of heed__relative_bias_rows or NULL, to the n inputs
 * in[]. Returns the new number of inputs. */
int heed__visibility_params_of(heed__visibility_params *p, const heed_attention_options *options,
                               heed_tensor *relative_bias, heed_tensor **in, int n);

/* Returns an input; NULL if absent. */
static inline heed_tensor *heed__visibility_input(const heed_call *call, const heed__visibility_params *p, int which)
{
    return p->at[which] < 0 ? NULL : call->inputs[p->at[which]];
}

/* Returns the options of visibility, except for the relative bias. */
heed_attention_options heed__visibility_options(const heed_call *call, const heed__visibility_params *p);

/* -- Visibility ---------------------------------------------------------------------------------------------------- */

/* Sets *v to the visibility that checked options describe. relative_bias are the rows of heed__relative_bias_rows, or
 * NULL. */
void heed__visibility_of(const heed_attention_options *options, const heed_tensor *relative_bias, const heed__heads *q,
                         int64_t keys, heed__visibility *v);

/* Returns the visibility in `batch` batch elements by valid_lens and causality alone. valid_lens is checked, or NULL.
 * If it has B rows and batch is B H, every row applies to H consecutive batch elements, the heads. It may also be a
 * contiguous bool tensor (batch, Q, K), true for visible keys; `causal` must then be false. */
heed__visibility heed__visibility_of_lengths(const heed_tensor *valid_lens, int64_t batch, int64_t keys, bool causal);

/* The size of t along the axis `from_end` axes from the end (1 is the last); 1 for an axis that t lacks. */
int64_t heed__visibility_size(const heed_tensor *t, int from_end);

/* Returns whether mask and biases show key j to query i; j must be in heed__visible_range. */
bool heed__shows(const heed__visibility *own, int64_t i, int64_t j);

/* -- All pairs ----------------------------------------------------------------------------------------------------- */

typedef struct heed__visible_pairs {
    heed_tensor *valid_lens; /* for heed__visibility_of_lengths */
    bool causal;
    heed_tensor *score_bias; /* (N, Q, K), 0 for hidden pairs; NULL without a score bias */
} heed__visible_pairs;

/* Computes *pairs from the options. Returns false after heed_fail. */
bool heed__visibility_resolve(const heed_attention_options *options, heed_tensor *relative_bias, const heed__heads *q,
                              int64_t keys, heed__visible_pairs *pairs);

/* -- Ops that skip hidden keys; built from public ops, NULL for NULL ----------------------------------------------- */

/* Returns x (batch, rows, keys) or (batch, rows, keys, .) with hidden elements replaced by `other`; x itself if every
 * row sees all keys. */
heed_tensor *heed__where_visible(heed_tensor *x, const heed__visibility *visibility, double other);

/* Like heed_masked_softmax and heed_sequence_mask, but the caller must have checked the lengths. */
heed_tensor *heed__masked_softmax(heed_tensor *x, heed_tensor *valid_lens, bool causal);
heed_tensor *heed__sequence_mask(heed_tensor *x, heed_tensor *valid_lens, double value);

/* Returns x (batch, keys, .) with zeros for keys hidden from all `rows` rows of their batch element. */
heed_tensor *heed__mask_hidden(heed_tensor *x, heed_tensor *valid_lens, bool causal, int64_t rows);

/* Returns dx = y (g - sum(g y)) for y = softmax over the visible keys. Hidden elements are 0, and their g is not
 * read. */
heed_tensor *heed__masked_softmax_grad(heed_tensor *y, const heed__visibility *visibility, heed_tensor *g);

#endif
