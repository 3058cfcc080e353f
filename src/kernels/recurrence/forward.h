/* kernels/recurrence/forward.h - recurrences, step by step. For a group of hidden units, computes the product of W with
 * the state and then, while the product is in the first-level cache, the cell.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_RECURRENCE_FORWARD_H
#define HEED_KERNELS_RECURRENCE_FORWARD_H

#include "kernels/recurrence/products.h"

/* n hidden units of a row. All pointers point to the first of these units: x to the contribution of the inputs, s to W
 * h, b to the bias or NULL, h to the previous state, y to the output, next to the next state, c to the cell state of an
 * LSTM, which is replaced, and saved to the saved values or NULL. The units of the next gate or saved value are
 * `hidden` elements further; in s, they are s_gate elements further. */
typedef struct cell_row {
    int64_t n, hidden, s_gate;
    const T *x, *s, *b, *h;
    T *y, *next, *c, *saved;
} cell_row;

/* The contribution of the state to gate `gate`: b + W h. */
static ALWAYS_INLINE vec from_state(const cell_row *r, int gate, int64_t i)
{
    const vec s = load_at(r->s + gate * r->s_gate, i, r->n);
    return r->b ? s + load_at(r->b + gate * r->hidden, i, r->n) : s;
}

static ALWAYS_INLINE vec sum_of_gate(const cell_row *r, int gate, int64_t i)
{
    return load_at(r->x + gate * r->hidden, i, r->n) + from_state(r, gate, i);
}

static ALWAYS_INLINE void save_slot(const cell_row *r, int slot, int64_t i, vec v)
{
    if (r->saved)
        store_at(r->saved + slot * r->hidden, i, r->n, v);
}

static ALWAYS_INLINE void store_output(const cell_row *r, int64_t i, vec h)
{
    store_at(r->y, i, r->n, h);
    store_at(r->next, i, r->n, h);
}

static void tanh_cell(const cell_row *r)
{
    for (int64_t i = 0; i < r->n; i += WIDTH)
        store_output(r, i, tanh_vec(sum_of_gate(r, 0, i)));
}

static void relu_cell(const cell_row *r)
{
    for (int64_t i = 0; i < r->n; i += WIDTH) {
        const vec x = sum_of_gate(r, 0, i);
        store_output(r, i, select_vec(x <= (vec){0}, (vec){0}, x));
    }
}

/* n = tanh(x_n + r m) with m = W_n h + b_n,  h = n + z (h - n) */
static void gru_cell(const cell_row *row)
{
    for (int64_t i = 0; i < row->n; i += WIDTH) {
        const vec r = sigmoid_vec(sum_of_gate(row, 0, i)), z = sigmoid_vec(sum_of_gate(row, 1, i));
        const vec m = from_state(row, 2, i), h = load_at(row->h, i, row->n);
        const vec n = tanh_vec(load_at(row->x + 2 * row->hidden, i, row->n) + r * m);
        save_slot(row, 0, i, r);
        save_slot(row, 1, i, z);
        save_slot(row, 2, i, n);
        save_slot(row, 3, i, m);
        store_output(row, i, n + z * (h - n));
    }
}

/* c = f c + i g,  h = o tanh(c) */
static void lstm_cell(const cell_row *row)
{
    for (int64_t j = 0; j < row->n; j += WIDTH) {
        const vec i = sigmoid_vec(sum_of_gate(row, 0, j)), f = sigmoid_vec(sum_of_gate(row, 1, j));
        const vec g = tanh_vec(sum_of_gate(row, 2, j)), o = sigmoid_vec(sum_of_gate(row, 3, j));
        const vec c = f * load_at(row->c, j, row->n) + i * g;
        save_slot(row, 0, j, i);
        save_slot(row, 1, j, f);
        save_slot(row, 2, j, g);
        save_slot(row, 3, j, o);
        save_slot(row, 4, j, c);
        store_at(row->c, j, row->n, c);
        store_output(row, j, o * tanh_vec(c));
    }
}

/* The states h and c of the rows of a call before a step, and h after the step (next). c is computed in place. */
typedef struct forward_call {
    const heed__recurrence_args *args;
    rows_of_call rows;
    T *h, *next, *c;             /* (rows, hidden) */
    T *sums;                     /* W h of all gates, for a panel of hidden units or for all of them */
    int64_t sums_row, sums_gate; /* elements from one row of sums to the next, and from one gate to the next */
    T *product;                  /* scratch of the product with W if it is not packed */
} forward_call;

static forward_call forward_call_of(const heed__recurrence_args *args, int64_t rows, arena *a)
{
    const int64_t H = args->hidden, gates = heed__cell_sizes_of(args->cell).gates;
    forward_call f = {.args = args};
    f.h = take_array(a, rows * H, sizeof(T));
    f.next = take_array(a, rows * H, sizeof(T));
    f.c = take_array(a, rows * H, sizeof(T));
    f.sums = take_array(a, gates * rows * (args->packed ? TILE_COLUMNS : H), sizeof(T));
    f.sums_row = args->packed ? TILE_COLUMNS : gates * H;
    f.sums_gate = args->packed ? rows * TILE_COLUMNS : H;
    if (!args->packed)
        f.product = take_array(a, product_bytes(H, rows, gates * H), 1);
    return f;
}

/* Computes the cells of `n` hidden units from `unit` on, for the first `active` rows. */
static void run_cells(const forward_call *f, int64_t t, int64_t active, int64_t unit, int64_t n)
{
    static void (*const cells[HEED__CELLS])(const cell_row *) = {tanh_cell, relu_cell, gru_cell, lstm_cell};
    const heed__recurrence_args *args = f->args;
    const heed__cell_sizes sizes = heed__cell_sizes_of(args->cell);
    const int64_t H = args->hidden;
    for (int64_t p = 0; p < active; p++) {
        const int64_t i = t * args->batch + f->rows.at[p];
        cells[args->cell](
            &(cell_row){.n = n,
                        .hidden = H,
                        .s_gate = f->sums_gate,
                        .x = row_or_null(args->x, i, sizes.gates * H) + unit,
                        .s = f->sums + p * f->sums_row,
                        .b = args->b ? (const T *)args->b + unit : NULL,
                        .h = f->h + p * H + unit,
                        .y = writable_row_or_null(args->y, i, H) + unit,
                        .next = f->next + p * H + unit,
                        .c = f->c + p * H + unit,
                        .saved = args->saved ? writable_row_or_null(args->saved, i, sizes.saved * H) + unit : NULL});
    }
}

/* Prefetches the elements of x that the cells need for gate `gate`, while the product of the gate is computed. They are
 * read only once. Inlined, because gcc would otherwise take it for a function without effects. */
static ALWAYS_INLINE void prefetch_x(const forward_call *f, int64_t t, int64_t active, int64_t unit, int64_t gate)
{
    const int64_t H = f->args->hidden, columns = heed__cell_sizes_of(f->args->cell).gates * H;
    const int64_t n = min_i64(H - unit, TILE_COLUMNS), line = CACHE_LINE_BYTES / (int64_t)sizeof(T);
    for (int64_t p = 0; p < active; p++) {
        const T *x = row_or_null(f->args->x, t * f->args->batch + f->rows.at[p], columns) + gate * H + unit;
        for (int64_t i = 0; i < n; i += line)
            __builtin_prefetch(x + i, 0, 2);
    }
}

static void step_by_panels(const forward_call *f, int64_t t, int64_t active)
{
    const int64_t H = f->args->hidden, gates = heed__cell_sizes_of(f->args->cell).gates;
    for (int64_t unit = 0; unit < H; unit += TILE_COLUMNS) {
        const int64_t n = min_i64(H - unit, TILE_COLUMNS);
        const T *panel = panels_at(f->args, unit);
        for (int64_t gate = 0; gate < gates; gate++) {
            const tile_args product = {.k = H,
                                       .a = f->h,
                                       .b = panel + gate * H * TILE_COLUMNS,
                                       .c = f->sums + gate * f->sums_gate,
                                       .c_row = f->sums_row,
                                       .last = WIDTH};
            prefetch_x(f, t, active, unit, gate);
            multiply_by_panel(product, active, n > WIDTH ? 2 : 1);
        }
        run_cells(f, t, active, unit, n);
    }
}

static void step_unpacked(const forward_call *f, int64_t t, int64_t active)
{
    const int64_t H = f->args->hidden, columns = heed__cell_sizes_of(f->args->cell).gates * H;
    const heed__matmul_args product = {.m = active,
                                       .n = columns,
                                       .k = H,
                                       .a = f->h,
                                       .a_row = H,
                                       .a_col = 1,
                                       .b = f->args->w,
                                       .b_row = 1,
                                       .b_col = H,
                                       .c = f->sums,
                                       .batches = 1};
    matmul_kernel(&product, &(heed__matmul_range){0, active, 0, columns}, f->product);
    run_cells(f, t, active, 0, H);
}

/* Makes f->next the current state. Rows that do not reach the step retain their state. */
static void advance_states(forward_call *f, int64_t active)
{
    const int64_t H = f->args->hidden;
    T *after = f->next;
    memcpy(after + active * H, f->h + active * H, (size_t)((f->rows.count - active) * H) * sizeof(T));
    f->next = f->h;
    f->h = after;
}

static int64_t recurrence_kernel(const heed__recurrence_args *args, int64_t begin, int64_t end, void *scratch)
{
    const int64_t H = args->hidden;
    const heed__cell_sizes sizes = heed__cell_sizes_of(args->cell);
    arena a = {.base = scratch};
    forward_call f = forward_call_of(args, end - begin, &a);
    if (!scratch)
        return a.bytes;
    sort_rows_by_length(args, begin, end, &f.rows);
    load_state(args, &f.rows, args->before, 0, f.h);
    if (sizes.states > 1)
        load_state(args, &f.rows, args->before, 1, f.c);
    int64_t active = 0;
    for (int64_t s = 0; s < args->steps; s++) {
        const int64_t t = args->reverse ? args->steps - 1 - s : s;
        active = rows_with_step(&f.rows, t, active);
        if (active > 0) {
            if (args->packed)
                step_by_panels(&f, t, active);
            else
                step_unpacked(&f, t, active);
            advance_states(&f, active);
        }
        for (int64_t p = active; p < f.rows.count; p++) {
            clear_row(writable_row_or_null(args->y, t * args->batch + f.rows.at[p], H), H);
            clear_row(writable_row_or_null(args->saved, t * args->batch + f.rows.at[p], sizes.saved * H),
                      sizes.saved * H);
        }
    }
    store_state(args, &f.rows, f.h, 0, args->after);
    if (sizes.states > 1)
        store_state(args, &f.rows, f.c, 1, args->after);
    return a.bytes;
}

#endif
