/* ops/valid_lens.h - valid lengths of rows, an input of attention, softmax and sequence losses.
 *
 * valid_lens is i64: (B), one length per batch element, or (B, Q), one length per row of a batch element. The public
 * function that receives it checks it and passes it to the ops unchanged, with `causal`. (Cross-attention checks it a
 * second time, in heed_sequence_mask, which clears hidden keys.) Every op reads it in place through a heed__lengths
 * (kernels/kernels.h), so lengths are not copied for every head, and the lengths of causal attention are not stored. A
 * NULL valid_lens shows all keys to every row. If lengths cannot express the visibility, a contiguous bool tensor (N,
 * Q, K), true for visible keys, replaces them (ops/attention/visibility.h). */
#ifndef HEED_OPS_VALID_LENS_H
#define HEED_OPS_VALID_LENS_H

#include "ops/support.h"

enum { HEED_ANY_ROWS = -1 };

/* Checks that lens is i64 (batch) or (batch, rows) and that every length is in 0 .. keys. `rows` may be HEED_ANY_ROWS.
 * Returns false after heed_fail. */
bool heed__check_lengths(const char *where, const heed_tensor *lens, int64_t batch, int64_t rows, int64_t keys);

/* Returns the lengths of `batch` batch elements, from a checked lens or NULL. If lens has B rows and batch is B H,
 * every row of lens applies to H consecutive batch elements, the heads. A bool lens has one mask per batch element;
 * `causal` must then be false. */
heed__lengths heed__lengths_of(const heed_tensor *lens, int64_t batch, int64_t keys, bool causal);

/* Returns x (batch, rows, keys) or (batch, rows, keys, .) with hidden elements replaced by `other`; x itself if every
 * row sees all keys; NULL for NULL. Built from public ops. */
heed_tensor *heed__where_visible(heed_tensor *x, const heed__lengths *lengths, double other);

/* Like heed_masked_softmax and heed_sequence_mask, but the caller must have checked the lengths. */
heed_tensor *heed__masked_softmax(heed_tensor *x, heed_tensor *lens, bool causal);
heed_tensor *heed__sequence_mask(heed_tensor *x, heed_tensor *lens, double value);

/* Returns x (batch, keys, .) with zeros for keys that are hidden from all `rows` rows of their batch element. */
heed_tensor *heed__mask_hidden(heed_tensor *x, heed_tensor *lens, bool causal, int64_t rows);

/* Returns dx = y (g - sum(g y)) for y = softmax over the visible keys, built from public ops. Hidden elements are 0,
 * and their g is not read. Returns NULL after heed_fail, or for NULL. */
heed_tensor *heed__masked_softmax_grad(heed_tensor *y, const heed__lengths *lengths, heed_tensor *g);

#endif
