/* heed/ops/recurrence.h - states over the steps of a sequence, the basis of recurrent layers. The rules in heed/ops.h
 * hold here too.
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OPS_RECURRENCE_H
#define HEED_OPS_RECURRENCE_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* The rule by which a cell computes the next state h from x and s = w h + b. x and s contain hidden_size numbers per
 * gate:
 *     tanh    h = tanh(x + s)
 *     relu    h = max(0, x + s)
 *     gru     r = sigmoid(x_r + s_r)    z = sigmoid(x_z + s_z)    n = tanh(x_n + r s_n)    h = (1 - z) n + z h
 *     lstm    i, f, o = sigmoid(x + s)    g = tanh(x_g + s_g)    c = f c + i g    h = o tanh(c)
 * Three gates are in the order r, z, n, and four in the order i, f, g, o. */
typedef enum heed_cell {
    HEED_CELL_TANH,
    HEED_CELL_RELU,
    HEED_CELL_GRU,
    HEED_CELL_LSTM,
} heed_cell;

/* Computes the states y_t = h after every step t, for all T steps in one op.
 *
 * Here gates is the number of gates of the cell and h the size of the state. x (T, B, gates h) is usually W_i x + b_i
 * of a layer's input; w is (gates h, h); b is (gates h) or NULL for 0. `state`
 * (1, B, h), for the LSTM (2, B, h) with h followed by c, is the state before the first step; NULL: zeros. y is
 * (T, B, h). *final_state, unless `final_state` is NULL, becomes the state after the last step, shaped like `state`,
 * and NULL on failure. Differentiable in x, w, b and state.
 *
 * valid_lens, i64 (B) in any order, are the lengths of the sequences; NULL: T. Elements of x past a length are not
 * read, and y is 0 there. The last step of a sequence is its last valid step. With `reverse`, the steps run from the
 * last to the first; y[t] still belongs to x[t].
 *
 * Backward takes one pass back through the steps, and two matrix products for w. The graph keeps 5 h numbers per step
 * and sequence for the LSTM, and 4 h for the GRU.
 *
 * Returns NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL x or w, or an unknown cell; HEED_ERR_SHAPE; HEED_ERR_DTYPE; HEED_ERR_INDEX for a
 * length outside 0 .. T; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_recurrence(heed_cell cell, heed_tensor *x, heed_tensor *w, heed_tensor *b,
                                      heed_tensor *state, heed_tensor *valid_lens, bool reverse,
                                      heed_tensor **final_state);

HEED_END_DECLS

#endif
