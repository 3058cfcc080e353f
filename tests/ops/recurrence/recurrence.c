/* tests/ops/recurrence/recurrence.c - cases of heed_recurrence.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "lengths.h"

/* Inputs: x, w, before, b, lengths; the last of these may be missing. c->i: the cell, reverse. Returns y followed by
 * the states. */
static heed_tensor *run(heed_tensor *const *in, const op_case *c)
{
    const int n = c->n_inputs;
    heed_tensor *after = NULL;
    heed_tensor *y = heed_recurrence((heed_cell)c->i[0], in[0], in[1], n > 3 ? in[3] : NULL, n > 2 ? in[2] : NULL,
                                     n > 4 ? in[4] : NULL, c->i[1] != 0, &after);
    return y ? heed_concat(HEED_TENSORS(y, after), 0) : NULL;
}

static heed_tensor *y_alone(heed_tensor *const *in, const op_case *c)
{
    return heed_recurrence((heed_cell)c->i[0], in[0], in[1], NULL, in[2], NULL, c->i[1] != 0, NULL);
}

static heed_tensor *after_alone(heed_tensor *const *in, const op_case *c)
{
    heed_tensor *after = NULL;
    heed_tensor *y = heed_recurrence((heed_cell)c->i[0], in[0], in[1], NULL, in[2], NULL, c->i[1] != 0, &after);
    return y ? after : NULL;
}

/* The lower end of the range, then the cell's gates and states, T, B and h. */
#define RANGE(from) .low = from, .high = 0.7
#define FIRST(from, gates, T, B, h)                                                                                    \
    {.shape = DIMS(T, B, (gates) * (h)), RANGE(from)},                                                                 \
    {                                                                                                                  \
        .shape = DIMS((gates) * (h), h), RANGE(from)                                                                   \
    }
#define BEFORE(from, states, B, h)                                                                                     \
    {                                                                                                                  \
        .shape = DIMS(states, B, h), RANGE(from)                                                                       \
    }
#define B_OF(from, gates, h)                                                                                           \
    {                                                                                                                  \
        .shape = DIMS((gates) * (h)), RANGE(from)                                                                      \
    }

/* CELL lists the cases of every cell: in reverse, with unsorted lengths, and with both. GATED_CELL adds cases for
 * properties that all cells have in common. */
#define CELL(name_, cell, gates, states, from)                                                                         \
    {.name = name_ " reversed, before",                                                                                \
     .run = run,                                                                                                       \
     .n_inputs = 3,                                                                                                    \
     .in = {FIRST(from, gates, 2, 1, 2), BEFORE(from, states, 1, 2)},                                                  \
     .i = {cell, 1}},                                                                                                  \
        {.name = name_ " b, lengths",                                                                                  \
         .run = run,                                                                                                   \
         .n_inputs = 5,                                                                                                \
         .in = {FIRST(from, gates, 2, 3, 1),                                                                           \
                BEFORE(from, states, 3, 1),                                                                            \
                B_OF(from, gates, 1),                                                                                  \
                {.shape = DIMS(3), LENGTHS(1, 2, 0)}},                                                                 \
         .i = {cell},                                                                                                  \
         .max_order = 1},                                                                                              \
    {                                                                                                                  \
        .name = name_ " b, lengths, reversed", .run = run, .n_inputs = 5,                                              \
        .in = {FIRST(from, gates, 2, 2, 1),                                                                            \
               BEFORE(from, states, 2, 1),                                                                             \
               B_OF(from, gates, 1),                                                                                   \
               {.shape = DIMS(2), LENGTHS(1, 2)}},                                                                     \
        .i = {                                                                                                         \
            cell,                                                                                                      \
            1                                                                                                          \
        }                                                                                                              \
    }
#define GATED_CELL(name_, cell, gates, states)                                                                         \
    CELL(name_, cell, gates, states, -1),                                                                              \
        {.name = name_ " one step",                                                                                    \
         .run = y_alone,                                                                                               \
         .n_inputs = 3,                                                                                                \
         .in = {FIRST(-1, gates, 1, 2, 1), BEFORE(-1, states, 2, 1)},                                                  \
         .i = {cell},                                                                                                  \
         .max_order = 1},                                                                                              \
        {.name = name_ " states alone",                                                                                \
         .run = after_alone,                                                                                           \
         .n_inputs = 3,                                                                                                \
         .in = {FIRST(-1, gates, 2, 2, 1), BEFORE(-1, states, 2, 1)},                                                  \
         .i = {cell},                                                                                                  \
         .max_order = 1},                                                                                              \
        {.name = name_ " no steps",                                                                                    \
         .run = run,                                                                                                   \
         .n_inputs = 3,                                                                                                \
         .in = {FIRST(-1, gates, 0, 2, 1), BEFORE(-1, states, 2, 1)},                                                  \
         .i = {cell},                                                                                                  \
         .max_order = 1},                                                                                              \
    {                                                                                                                  \
        .name = name_ " no sequences", .run = run, .n_inputs = 3,                                                      \
        .in = {FIRST(-1, gates, 3, 0, 2), BEFORE(-1, states, 0, 2)}, .i = {                                            \
            cell,                                                                                                      \
            1                                                                                                          \
        }                                                                                                              \
    }

/* -- Values -------------------------------------------------------------------------------------------------------- */

#define F64(shape, ...) HEED_TENSOR(HEED_F64, shape, __VA_ARGS__)
#define ZEROS(...) heed_zeros(HEED_F64, HEED_SHAPE(__VA_ARGS__))
#define SUMS(lens, reverse) /* of 1, 2, 3 and of 4, 5, 6 */                                                            \
    heed_recurrence(HEED_CELL_RELU, F64(HEED_SHAPE(3, 2, 1), 1, 4, 2, 5, 3, 6), F64(HEED_SHAPE(1, 1), 1), NULL, NULL,  \
                    lens, reverse, NULL)
GIVES(sums, SUMS(NULL, false))
GIVES(sums_back, SUMS(NULL, true))
GIVES(sums_of_few, SUMS(LENS(HEED_SHAPE(2), 2, 0), false))
GIVES(sums_of_few_back, SUMS(LENS(HEED_SHAPE(2), 2, 3), true))

/* Gates of 1/2, and a candidate of 0: states are halved. */
static heed_tensor *halved(heed_cell cell, heed_tensor *before, int64_t gates)
{
    heed_tensor *after = NULL;
    (void)heed_recurrence(cell, ZEROS(2, 1, gates), ZEROS(gates, 1), NULL, before, NULL, false, &after);
    return after;
}
GIVES(gru_halves, halved(HEED_CELL_GRU, F64(HEED_SHAPE(1, 1, 1), 4), 3))
GIVES(lstm_halves, halved(HEED_CELL_LSTM, F64(HEED_SHAPE(2, 1, 1), 7, 4), 4))

/* Elements past a length, of x and of the gradient of y, are not read: gradients of w, b and x are finite. */
static heed_tensor *past_lengths(heed_cell cell, int64_t gates, bool reverse, bool create_graph)
{
    heed_tensor *lens = LENS(HEED_SHAPE(2), 1, 2);
    heed_tensor *x = heed_full(HEED_F64, HEED_SHAPE(2, 2, gates), 0.5), *g = heed_ones(HEED_F64, HEED_SHAPE(2, 2, 1));
    for (int64_t i = 0; i < gates; i++)
        heed_set_(x, HEED_INDEX(1, 0, i), i % 2 ? (double)NAN : (double)INFINITY);
    heed_set_(g, HEED_INDEX(1, 0, 0), (double)NAN);
    heed_tensor *leaves[] = {x, heed_full(HEED_F64, HEED_SHAPE(gates, 1), 0.5), ZEROS(gates)}, *grads[3];
    for (int i = 0; i < 3; i++)
        heed_set_requires_grad(leaves[i], true);
    heed_tensor *y = heed_recurrence(cell, x, leaves[1], leaves[2], NULL, lens, reverse, NULL);
    const heed_grad_options options = {.grad_outputs = &g, .create_graph = create_graph};
    if (heed_grad(&y, 1, leaves, 3, grads, &options) != HEED_OK)
        return NULL;
    heed_tensor *all = heed_zeros(HEED_F64, HEED_SCALAR);
    for (int i = 0; i < 3; i++)
        all = heed_add(all, heed_sum(heed_to_dtype(heed_isfinite(grads[i]), HEED_F64)));
    return heed_concat(
        HEED_TENSORS(heed_reshape(heed_select(heed_select(y, 0, 1), 0, 0), HEED_SHAPE(1)),
                     heed_reshape(all, HEED_SHAPE(1)),
                     heed_reshape(heed_sum(heed_select(heed_select(grads[0], 0, 1), 0, 0)), HEED_SHAPE(1))),
        0);
}
GIVES(tanh_past, past_lengths(HEED_CELL_TANH, 1, false, false))
GIVES(gru_past, past_lengths(HEED_CELL_GRU, 3, true, false))
GIVES(lstm_past, past_lengths(HEED_CELL_LSTM, 4, true, false))
GIVES(relu_past_composed, past_lengths(HEED_CELL_RELU, 1, true, true))
GIVES(gru_past_composed, past_lengths(HEED_CELL_GRU, 3, false, true))
GIVES(lstm_past_composed, past_lengths(HEED_CELL_LSTM, 4, true, true))

/* A sequence among others of different lengths has the same bits as alone: 40 sequences of 37 units, more than are
 * processed together. */
static heed_tensor *among_others(heed_cell cell, int64_t gates)
{
    enum { B = 40, T = 9, UNITS = 37 };
    heed_tensor *lens = heed_empty(HEED_I64, HEED_SHAPE(B)), *same = heed_zeros(HEED_F64, HEED_SHAPE(1));
    for (int64_t i = 0; i < B; i++)
        heed_set_(lens, HEED_INDEX(i), (double)(i * 7 % (T + 1)));
    heed_tensor *x = heed_randn(HEED_F64, HEED_SHAPE(T, B, gates * UNITS));
    heed_tensor *w = heed_mul_scalar(heed_randn(HEED_F64, HEED_SHAPE(gates * UNITS, UNITS)), 0.2);
    heed_tensor *all = heed_recurrence(cell, x, w, NULL, NULL, lens, true, NULL);
    for (int64_t i = 0; i < B; i++) {
        int64_t length = i * 7 % (T + 1);
        heed_tensor *own = heed_slice(heed_slice(x, 1, i, i + 1, 1), 0, 0, length, 1);
        heed_tensor *y = heed_recurrence(cell, own, w, NULL, NULL, NULL, true, NULL);
        heed_tensor *off = heed_sub(y, heed_slice(heed_slice(all, 1, i, i + 1, 1), 0, 0, length, 1));
        same = heed_add(same, heed_sum(heed_abs(off)));
    }
    return same;
}
GIVES(gru_among_others, among_others(HEED_CELL_GRU, 3))
GIVES(lstm_among_others, among_others(HEED_CELL_LSTM, 4))

/* -- Errors -------------------------------------------------------------------------------------------------------- */

#define GRU(x, w, b, before, lens) heed_recurrence(HEED_CELL_GRU, x, w, b, before, lens, false, NULL)
#define ONES(dtype, ...) heed_ones(dtype, HEED_SHAPE(__VA_ARGS__))
#define X ZEROS(4, 2, 9)
#define W ZEROS(9, 3)
GIVES(of_null, GRU(NULL, W, NULL, NULL, NULL))
GIVES(by_null, GRU(X, NULL, NULL, NULL, NULL))
GIVES(another_cell, heed_recurrence((heed_cell)7, X, W, NULL, NULL, NULL, false, NULL))
GIVES(matrix, GRU(ZEROS(2, 9), W, NULL, NULL, NULL))
GIVES(gates_of_lstm, GRU(ZEROS(4, 2, 12), ZEROS(12, 3), NULL, NULL, NULL))
GIVES(other_gates, GRU(ZEROS(4, 2, 12), W, NULL, NULL, NULL))
GIVES(one_state, heed_recurrence(HEED_CELL_LSTM, ZEROS(4, 2, 4), ZEROS(4, 1), NULL, ZEROS(1, 2, 1), NULL, false, NULL))
GIVES(b_size, GRU(X, W, ZEROS(3), NULL, NULL))
GIVES(mixed, GRU(X, ONES(HEED_F32, 9, 3), NULL, NULL, NULL))
GIVES(whole, GRU(ONES(HEED_I64, 4, 2, 9), ONES(HEED_I64, 9, 3), NULL, ONES(HEED_I64, 1, 2, 3), NULL))
GIVES(lens_by_row, GRU(X, W, NULL, NULL, ONES(HEED_I64, 2, 1)))
GIVES(few_lens, GRU(X, W, NULL, NULL, ONES(HEED_I64, 1)))
GIVES(real_lens, GRU(X, W, NULL, NULL, ZEROS(2)))
GIVES(too_long, GRU(X, W, NULL, NULL, LENS(HEED_SHAPE(2), 4, 5)))

const op_cases heed_cases_recurrence = {
    .cases = (const op_case[]){CELL("tanh", HEED_CELL_TANH, 1, 1, -1),
                               CELL("relu", HEED_CELL_RELU, 1, 1, 0.1),
                               GATED_CELL("gru", HEED_CELL_GRU, 3, 1),
                               GATED_CELL("lstm", HEED_CELL_LSTM, 4, 2),
                               {0}},
    .values =
        (const op_value[]){
            {"sums", sums, DIMS(3, 2, 1), 0, (const double[]){1, 4, 3, 9, 6, 15}},
            {"from behind", sums_back, DIMS(3, 2, 1), 0, (const double[]){6, 15, 5, 11, 3, 6}},
            {"lengths", sums_of_few, DIMS(3, 2, 1), 0, (const double[]){1, 0, 3, 0, 0, 0}},
            {"lengths, from behind", sums_of_few_back, DIMS(3, 2, 1), 0, (const double[]){3, 15, 2, 11, 0, 6}},
            {"half of h", gru_halves, DIMS(1, 1, 1), 0, (const double[]){1}},
            {"half of c", lstm_halves, DIMS(2, 1, 1), 1e-15, (const double[]){0.38079707797788244, 1}},
            {"tanh, NaN past lengths", tanh_past, DIMS(3), 0, (const double[]){0, 6, 0}},
            {"gru, NaN past lengths", gru_past, DIMS(3), 0, (const double[]){0, 18, 0}},
            {"lstm, NaN past lengths", lstm_past, DIMS(3), 0, (const double[]){0, 24, 0}},
            {"relu, composed", relu_past_composed, DIMS(3), 0, (const double[]){0, 6, 0}},
            {"gru, composed", gru_past_composed, DIMS(3), 0, (const double[]){0, 18, 0}},
            {"lstm, composed", lstm_past_composed, DIMS(3), 0, (const double[]){0, 24, 0}},
            {"gru among others", gru_among_others, DIMS(1), 1e-11, (const double[]){0}},
            {"lstm among others", lstm_among_others, DIMS(1), 1e-11, (const double[]){0}},
            {0}},
    .errors =
        (const op_error[]){
            {"NULL", of_null, HEED_ERR_ARGUMENT, "recurrence:"},
            {"w NULL", by_null, HEED_ERR_ARGUMENT, "recurrence:"},
            {"cell", another_cell, HEED_ERR_ARGUMENT, "recurrence: cell is 7: must be one of HEED_CELL_*"},
            {"rank 2", matrix, HEED_ERR_SHAPE, "recurrence: x (2, 9) and w (9, 3): must be (T, B, 3 h) and (3 h, h)"},
            {"gates", gates_of_lstm, HEED_ERR_SHAPE, "recurrence: x (4, 2, 12) and w (12, 3): must be (T, B, 3 h)"},
            {"other gates", other_gates, HEED_ERR_SHAPE, "recurrence: x (4, 2, 12) and w (9, 3): must be (T, B, 3 h)"},
            {"no c", one_state, HEED_ERR_SHAPE, "recurrence: state is (1, 2, 1): must be (2, 2, 1)"},
            {"b", b_size, HEED_ERR_SHAPE, "recurrence: b is (3): must be (9)"},
            {"f64 by f32", mixed, HEED_ERR_DTYPE, "recurrence: the tensors are "},
            {"i64", whole, HEED_ERR_DTYPE, "recurrence:"},
            {"lengths by row", lens_by_row, HEED_ERR_SHAPE, "recurrence: valid_lens is (2, 1): must be (2)"},
            {"too few", few_lens, HEED_ERR_SHAPE, "recurrence: valid_lens is (1): must be (2)"},
            {"lengths of f64", real_lens, HEED_ERR_DTYPE, "recurrence: valid_lens is f64 (2): must be i64"},
            {"too long", too_long, HEED_ERR_INDEX, "recurrence: valid length 5 at (1) is outside 0 .. 4"},
            {0}},
};
