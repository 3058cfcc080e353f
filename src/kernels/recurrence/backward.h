/* kernels/recurrence/backward.h - gradients of recurrences, in one backward pass over the steps.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_RECURRENCE_BACKWARD_H
#define HEED_KERNELS_RECURRENCE_BACKWARD_H

#include "kernels/recurrence/products.h"

/* One row at one step: g, the gradient of its output; its output y; the previous states h and c; and the values that
 * forward saved. dh and dc are the gradients of the states after the step. They become the gradients of the previous
 * states, without the part that comes through W. ds receives the gradient of W h + b. dx differs from ds only in the
 * third gate of the GRU. */
typedef struct cell_grad_row {
    int64_t n;
    const T *g, *y, *h, *c, *saved;
    T *dh, *dc, *ds, *dx;
} cell_grad_row;

static ALWAYS_INLINE vec arriving(const cell_grad_row *r, int64_t i)
{
    const vec dh = load_at(r->dh, i, r->n);
    return r->g ? dh + load_at(r->g, i, r->n) : dh;
}

static ALWAYS_INLINE vec saved_slot(const cell_grad_row *r, int slot, int64_t i)
{
    return load_at(r->saved + slot * r->n, i, r->n);
}

/* y' = 1 - y^2 */
static void tanh_cell_grad(const cell_grad_row *r)
{
    for (int64_t i = 0; i < r->n; i += WIDTH) {
        const vec y = load_at(r->y, i, r->n);
        store_at(r->ds, i, r->n, arriving(r, i) * (1 - y * y));
        store_at(r->dh, i, r->n, (vec){0});
    }
}

static void relu_cell_grad(const cell_grad_row *r)
{
    for (int64_t i = 0; i < r->n; i += WIDTH) {
        const vec y = load_at(r->y, i, r->n);
        store_at(r->ds, i, r->n, select_vec(y > (vec){0}, arriving(r, i), (vec){0}));
        store_at(r->dh, i, r->n, (vec){0});
    }
}

/* h' = n + z (h - n), n = tanh(x + r m) */
static void gru_cell_grad(const cell_grad_row *row)
{
    const int64_t H = row->n;
    for (int64_t i = 0; i < H; i += WIDTH) {
        const vec dh = arriving(row, i), h = load_at(row->h, i, H);
        const vec r = saved_slot(row, 0, i), z = saved_slot(row, 1, i), n = saved_slot(row, 2, i),
                  m = saved_slot(row, 3, i);
        const vec dn = dh * (1 - z) * (1 - n * n);
        store_at(row->ds, i, H, dn * m * r * (1 - r));
        store_at(row->ds + H, i, H, dh * (h - n) * z * (1 - z));
        store_at(row->ds + 2 * H, i, H, dn * r);
        store_at(row->dx + 2 * H, i, H, dn);
        store_at(row->dh, i, H, dh * z);
    }
}

/* c' = f c + i g, h' = o tanh(c') */
static void lstm_cell_grad(const cell_grad_row *row)
{
    const int64_t H = row->n;
    for (int64_t j = 0; j < H; j += WIDTH) {
        const vec i = saved_slot(row, 0, j), f = saved_slot(row, 1, j), g = saved_slot(row, 2, j),
                  o = saved_slot(row, 3, j);
        const vec dh = arriving(row, j), y = tanh_vec(saved_slot(row, 4, j));
        const vec dc = load_at(row->dc, j, H) + dh * o * (1 - y * y);
        store_at(row->ds, j, H, dc * g * i * (1 - i));
        store_at(row->ds + H, j, H, dc * load_at(row->c, j, H) * f * (1 - f));
        store_at(row->ds + 2 * H, j, H, dc * i * (1 - g * g));
        store_at(row->ds + 3 * H, j, H, dh * y * o * (1 - o));
        store_at(row->dc, j, H, dc * f);
        store_at(row->dh, j, H, (vec){0});
    }
}

typedef struct backward_call {
    const heed__recurrence_args *args;
    const heed__recurrence_grads *grads;
    rows_of_call rows;
    T *dh, *dc, *ds;      /* (rows, hidden), and (rows, gates hidden) */
    T *product, *scratch; /* ds W, (rows, hidden), and scratch for it, if W is not packed */
} backward_call;

static backward_call backward_call_of(const heed__recurrence_args *args, int64_t rows, arena *a)
{
    const int64_t H = args->hidden, gates = heed__cell_sizes_of(args->cell).gates;
    backward_call b = {.args = args};
    b.dh = take_array(a, rows * H, sizeof(T));
    b.dc = take_array(a, rows * H, sizeof(T));
    b.ds = take_array(a, rows * gates * H, sizeof(T));
    if (!args->packed) {
        b.product = take_array(a, rows * H, sizeof(T));
        b.scratch = take_array(a, product_bytes(gates * H, rows, H), 1);
    }
    return b;
}

/* Differentiates the cell of row p at step t. */
static void differentiate_row(const backward_call *b, int64_t t, int64_t p)
{
    static void (*const cells[HEED__CELLS])(const cell_grad_row *) = {tanh_cell_grad, relu_cell_grad, gru_cell_grad,
                                                                      lstm_cell_grad};
    const heed__recurrence_args *args = b->args;
    const heed__recurrence_grads *grads = b->grads;
    const heed__cell_sizes sizes = heed__cell_sizes_of(args->cell);
    const int64_t H = args->hidden, at = b->rows.at[p], i = t * args->batch + at, width = sizes.gates * H;
    const bool first = t == (args->reverse ? b->rows.lens[p] - 1 : 0);
    const int64_t before = i + (args->reverse ? args->batch : -args->batch);
    const T *h = first ? row_or_null(args->before, at, H) : row_or_null(args->y, before, H), *c = NULL;
    if (sizes.states > 1)
        c = first ? row_or_null(args->before, args->batch + at, H)
                  : row_or_null(args->saved, before, sizes.saved * H) + 4 * H;
    T *ds = b->ds + p * width, *dx = writable_row_or_null(grads->dx, i, width),
      *to = writable_row_or_null(grads->ds, i, width);
    cells[args->cell](&(cell_grad_row){.n = H,
                                       .g = row_or_null(grads->g, i, H),
                                       .y = row_or_null(args->y, i, H),
                                       .h = h,
                                       .c = c,
                                       .saved = row_or_null(args->saved, i, sizes.saved * H),
                                       .dh = b->dh + p * H,
                                       .dc = b->dc + p * H,
                                       .ds = ds,
                                       .dx = dx});
    memcpy(to, ds, (size_t)width * sizeof(T));
    if (dx != to)
        memcpy(dx, ds, (size_t)(width - H) * sizeof(T));
    memcpy(writable_row_or_null(grads->h_before, i, H), h, (size_t)H * sizeof(T));
}

/* dh += ds W, for the first `active` rows. */
static void back_by_panels(const backward_call *b, int64_t active)
{
    const int64_t H = b->args->hidden, depth = heed__cell_sizes_of(b->args->cell).gates * H;
    for (int64_t unit = 0; unit < H; unit += TILE_COLUMNS) {
        tile_args product = {
            .k = depth, .a = b->ds, .b = panels_at(b->args, unit), .c = b->dh + unit, .c_row = H, .add = true};
        const int vectors = registers_for(min_i64(H - unit, TILE_COLUMNS), &product.last);
        multiply_by_panel(product, active, vectors);
    }
}

static void back_unpacked(const backward_call *b, int64_t active)
{
    const int64_t H = b->args->hidden, depth = heed__cell_sizes_of(b->args->cell).gates * H;
    const heed__matmul_args args = {.m = active,
                                    .n = H,
                                    .k = depth,
                                    .a = b->ds,
                                    .a_row = depth,
                                    .a_col = 1,
                                    .b = b->args->w,
                                    .b_row = H,
                                    .b_col = 1,
                                    .c = b->product,
                                    .batches = 1};
    matmul_kernel(&args, &(heed__matmul_range){0, active, 0, H}, b->scratch);
    add_kernel(active * H, b->dh, 1, b->product, 1, b->dh, NULL);
}

static void start_backward(const backward_call *b)
{
    const heed__recurrence_args *args = b->args;
    T *const state[2] = {b->dh, b->dc};
    for (int s = 0; s < heed__cell_sizes_of(args->cell).states; s++)
        if (b->grads->g_after)
            load_state(args, &b->rows, b->grads->g_after, s, state[s]);
        else
            memset(state[s], 0, (size_t)(b->rows.count * args->hidden) * sizeof(T));
}

/* Sets the results of step t to zero for the rows that do not reach it, which follow the first `active` rows. */
static void clear_missing_rows(const backward_call *b, int64_t t, int64_t active)
{
    const int64_t H = b->args->hidden, width = heed__cell_sizes_of(b->args->cell).gates * H;
    for (int64_t p = active; p < b->rows.count; p++) {
        const int64_t i = t * b->args->batch + b->rows.at[p];
        clear_row(writable_row_or_null(b->grads->dx, i, width), width);
        clear_row(writable_row_or_null(b->grads->ds, i, width), width);
        clear_row(writable_row_or_null(b->grads->h_before, i, H), H);
    }
}

static int64_t recurrence_grad_kernel(const heed__recurrence_args *args, const heed__recurrence_grads *grads,
                                      int64_t begin, int64_t end, void *scratch)
{
    arena a = {.base = scratch};
    backward_call b = backward_call_of(args, end - begin, &a);
    if (!scratch)
        return a.bytes;
    b.grads = grads;
    sort_rows_by_length(args, begin, end, &b.rows);
    start_backward(&b);
    int64_t active = 0;
    for (int64_t s = 0; s < args->steps; s++) {
        const int64_t t = args->reverse ? s : args->steps - 1 - s;
        active = rows_with_step(&b.rows, t, active);
        for (int64_t p = 0; p < active; p++)
            differentiate_row(&b, t, p);
        clear_missing_rows(&b, t, active);
        if (active > 0 && args->packed)
            back_by_panels(&b, active);
        else if (active > 0)
            back_unpacked(&b, active);
    }
    store_state(args, &b.rows, b.dh, 0, grads->d_before);
    if (heed__cell_sizes_of(args->cell).states > 1)
        store_state(args, &b.rows, b.dc, 1, grads->d_before);
    return a.bytes;
}

#endif
