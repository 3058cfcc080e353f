/* heed/ops/recurrence.h - states over the steps of a sequence, of which recurrent layers are made. What heed/ops.h says
 * of all ops holds here.
 */
#ifndef HEED_OPS_RECURRENCE_H
#define HEED_OPS_RECURRENCE_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* How a state goes on by one step, from x and s = w h + b, each in as many parts of h numbers as the cell has gates:
 *     tanh    h = tanh(x + s)
 *     relu    h = max(0, x + s)
 *     gru     r = sigmoid(x_r + s_r)    z = sigmoid(x_z + s_z)    n = tanh(x_n + r s_n)    h = (1 - z) n + z h
 *     lstm    i, f, o = sigmoid(x + s)    g = tanh(x_g + s_g)    c = f c + i g    h = o tanh(c)
 * Three gates in the order r, z, n, and four in the order i, f, g, o. */
typedef enum heed_cell {
    HEED_CELL_TANH,
    HEED_CELL_RELU,
    HEED_CELL_GRU,
    HEED_CELL_LSTM,
} heed_cell;

/* y_t = the state h after step t, for all T steps in one op. x (T, B, gates h), mostly W_i x + b_i of a layer; w
 * (gates h, h); b (gates h) or NULL for 0; before (1, B, h) is the state before the first step, (2, B, h) of the LSTM:
 * h, then c; NULL: zeros. y is (T, B, h); *after becomes the state after the last step, shaped like before, and NULL on
 * failure; NULL: not wanted.
 *
 * valid_lens, i64 (B) in any order, are the steps that each sequence has, NULL: T. What x holds past a length is not
 * read, y is 0 there, and the last step is that before the length. With `reverse` steps are taken from the last to the
 * first, which stays y's order.
 *
 * Backward needs one walk back through the steps, and two products for w. Recording keeps 5 h numbers of each step of
 * the LSTM, 4 of the GRU. NULL on failure: HEED_ERR_ARGUMENT for NULL x or w, or another cell; HEED_ERR_SHAPE,
 * HEED_ERR_DTYPE, HEED_ERR_INDEX for a length outside 0 .. T, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_recurrence(heed_cell cell, heed_tensor *x, heed_tensor *w, heed_tensor *b,
                                      heed_tensor *before, heed_tensor *valid_lens, bool reverse, heed_tensor **after);

HEED_END_DECLS

#endif
