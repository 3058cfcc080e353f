/* ops/valid_lens.h - the valid lengths of rows, which attention, softmax and losses over sequences are given.
 *
 * valid_lens, i64 (B) or (B, Q), is checked once, where the user hands it over, and goes down to the ops as it is, with
 * `causal`. Each op reads it where it lies, by a heed__lengths (kernels/kernels.h), which knows the heads, too: nobody
 * copies lengths, or writes down those of causal attention. NULL is the valid_lens with which every row sees all keys.
 * Where lengths cannot say what rows see, bool (N, Q, K), contiguous, takes their place (ops/attention/sight.h).
 */
#ifndef HEED_OPS_VALID_LENS_H
#define HEED_OPS_VALID_LENS_H

#include "ops/support.h"

enum { HEED_ANY_ROWS = -1 };

/* That lens is i64 (batch) or (batch, rows), and that every length is in 0 .. keys. `rows` may be HEED_ANY_ROWS. False
 * after heed_fail. */
bool heed__check_lengths(const char *where, const heed_tensor *lens, int64_t batch, int64_t rows, int64_t keys);

/* Of lens that is checked, or NULL, for `batch` batch elements: B, or B H where each of B has H heads. A bool lens has
 * one for each of them, and nothing besides: not causal. */
heed__lengths heed__lengths_of(const heed_tensor *lens, int64_t batch, int64_t keys, bool causal);

/* x (batch, rows, keys) or (batch, rows, keys, .) where the row sees the key, else `other`. In public ops, and x itself
 * where every row sees all. NULL for NULL. */
heed_tensor *heed__where_seen(heed_tensor *x, const heed__lengths *lengths, double other);

/* heed_masked_softmax and heed_sequence_mask, of lengths that are checked. */
heed_tensor *heed__masked_softmax(heed_tensor *x, heed_tensor *lens, bool causal);
heed_tensor *heed__sequence_mask(heed_tensor *x, heed_tensor *lens, double value);

/* x (batch, keys, .), but zeros where none of `rows` rows sees the key. */
heed_tensor *heed__mask_unseen(heed_tensor *x, heed_tensor *lens, bool causal, int64_t rows);

/* dx = y (g - sum(g y)) of y = softmax of what is seen, in public ops; 0 elsewhere, where g is not looked at. NULL
 * after heed_fail, or for NULL. */
heed_tensor *heed__masked_softmax_grad(heed_tensor *y, const heed__lengths *lengths, heed_tensor *g);

#endif
