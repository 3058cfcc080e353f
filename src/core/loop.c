/* core/loop.c - elementwise loops: merges axes into as few as the layouts allow and calls kernels for the innermost
 * axis.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/loop.h"

#include "core/parallel.h"

#include <string.h>

#define MAX_OPERANDS 4
#define GRAIN 16384 /* elements per range of a parallel loop */

enum {
    TILE = 256,        /* columns processed in every row before the next ones, if elements lie far apart */
    SHORT_ROW = 64,    /* processing a shorter row costs less than calling its kernel, */
    SHORT_BLOCK = 128, /* so rows are gathered into blocks of at most this many elements */
    LINE_BYTES = 64,
};

/* Processes n elements of the innermost axis. Operand 0 is the output. */
typedef void inner_fn(int64_t n, char *const *data, const int64_t *strides, const void *context);

typedef struct loop {
    int operands;
    bool maps; /* runs a kernel that does more than copy */
    int rank;  /* number of merged axes; the last one is the innermost */
    int64_t dims[HEED_MAX_RANK];
    int64_t strides[HEED_MAX_RANK][MAX_OPERANDS];
    size_t sizes[MAX_OPERANDS]; /* bytes per element */
    char *data[MAX_OPERANDS];
    int64_t rows; /* product of all dims except the last */
    inner_fn *inner;
    const void *context;
} loop;

/* Returns true if an axis with these strides continues the last merged axis: one step on the merged axis equals `dim`
 * steps on this axis. */
static bool continues(const loop *l, const int64_t *strides, int64_t dim)
{
    for (int k = 0; k < l->operands; k++)
        if (l->strides[l->rank - 1][k] != strides[k] * dim)
            return false;
    return true;
}

static void add_axis(loop *l, const int64_t *strides, int64_t dim)
{
    if (dim == 1)
        return;
    if (l->rank > 0 && continues(l, strides, dim)) {
        l->dims[l->rank - 1] *= dim;
    } else {
        l->dims[l->rank++] = dim;
    }
    for (int k = 0; k < l->operands; k++)
        l->strides[l->rank - 1][k] = strides[k];
}

static void build_loop(loop *l, const heed_tensor *const *operands)
{
    const heed_shape *shape = &operands[0]->shape;
    l->rank = 0;
    for (int k = 0; k < l->operands; k++) {
        l->sizes[k] = heed_dtype_size(operands[k]->dtype);
        l->data[k] = operands[k]->data;
    }
    for (int i = 0; i < shape->rank; i++) {
        int64_t strides[MAX_OPERANDS];
        for (int k = 0; k < l->operands; k++) {
            const heed_tensor *t = operands[k];
            const int axis = i - (shape->rank - t->shape.rank);
            strides[k] = axis < 0 || t->shape.dims[axis] == 1 ? 0 : t->strides[axis]; /* 0 if t is broadcast on it */
        }
        add_axis(l, strides, shape->dims[i]);
    }
    if (l->rank == 0) {
        l->rank = 1;
        l->dims[0] = 1;
        for (int k = 0; k < l->operands; k++)
            l->strides[0][k] = 1;
    }
    l->rows = 1;
    for (int i = 0; i < l->rank - 1; i++)
        l->rows *= l->dims[i];
}

static void advance_index(const loop *l, char **data, int axis, int64_t steps)
{
    for (int k = 0; k < l->operands; k++)
        data[k] += steps * l->strides[axis][k] * (int64_t)l->sizes[k];
}

/* Processes a range of the only axis. */
static void run_loop_range(int64_t begin, int64_t end, void *context)
{
    const loop *l = context;
    char *data[MAX_OPERANDS];
    for (int k = 0; k < l->operands; k++)
        data[k] = l->data[k];
    advance_index(l, data, 0, begin);
    l->inner(end - begin, data, l->strides[0], l->context);
}

/* A row, counted over all axes except the last: its index on every axis, and the address of its first element in every
 * operand. */
typedef struct cursor {
    int64_t at[HEED_MAX_RANK];
    char *data[MAX_OPERANDS];
} cursor;

static cursor cursor_at(const loop *l, int64_t row)
{
    cursor c = {{0}, {NULL}};
    for (int k = 0; k < l->operands; k++)
        c.data[k] = l->data[k];
    for (int i = l->rank - 2; i >= 0; i--) {
        c.at[i] = row % l->dims[i];
        row /= l->dims[i];
        advance_index(l, c.data, i, c.at[i]);
    }
    return c;
}

static void next_row(const loop *l, cursor *c)
{
    for (int i = l->rank - 2; i >= 0; i--) {
        advance_index(l, c->data, i, 1);
        if (++c->at[i] < l->dims[i])
            break;
        advance_index(l, c->data, i, -l->dims[i]);
        c->at[i] = 0;
    }
}

/* Processes columns first .. first + n - 1 of rows begin .. end - 1. */
static void run_columns(const loop *l, int64_t begin, int64_t end, int64_t first, int64_t n)
{
    int last = l->rank - 1;
    cursor c = cursor_at(l, begin);
    advance_index(l, c.data, last, first);
    for (int64_t row = begin; row < end; row++) {
        l->inner(n, c.data, l->strides[last], l->context);
        next_row(l, &c);
    }
}

/* Returns true if every step along a row leaves the cache line, which also holds elements of other rows. */
static bool leaves_cache_line(const loop *l)
{
    for (int k = 0; k < l->operands; k++) {
        int64_t bytes = l->strides[l->rank - 1][k] * (int64_t)l->sizes[k];
        if (bytes >= LINE_BYTES || bytes <= -LINE_BYTES)
            return true;
    }
    return false;
}

static void run_loop_rows(int64_t begin, int64_t end, void *context)
{
    const loop *l = context;
    int64_t n = l->dims[l->rank - 1], step = leaves_cache_line(l) ? TILE : n;
    for (int64_t first = 0; first < n; first += step)
        run_columns(l, begin, end, first, n - first < step ? n - first : step);
}

/* -- Short rows -- */

static bool is_packed(const loop *l, int k)
{
    return l->strides[1][k] == 1 && l->strides[0][k] == l->dims[1];
}

/* Copies a matrix of any strides to row-major order. */
#define GATHER(TYPE)                                                                                                   \
    for (int64_t j = 0; j < rows; j++, at += row_bytes)                                                                \
        for (int64_t i = 0; i < n; i++, to += sizeof(TYPE))                                                            \
            memcpy(to, at + i * step_bytes, sizeof(TYPE));

static void gather_block(int64_t rows, int64_t n, size_t size, const char *at, const int64_t *strides, char *to)
{
    const int64_t row_bytes = strides[0] * (int64_t)size, step_bytes = strides[1] * (int64_t)size;
    if (size == 1)
        GATHER(uint8_t)
    else if (size == 4)
        GATHER(uint32_t)
    else
        GATHER(uint64_t)
}

/* Processes rows begin .. end - 1 of two axes, in groups of rows that fit into SHORT_BLOCK. Inputs in other layouts are
 * gathered first; an input that repeats one row (stride 0) is gathered only once. */
static void run_short_rows(int64_t begin, int64_t end, void *context)
{
    const loop *l = context;
    static const int64_t ones[MAX_OPERANDS] = {1, 1, 1, 1};
    uint64_t buffer[MAX_OPERANDS - 1][SHORT_BLOCK];
    const int64_t n = l->dims[1], rows_per_block = SHORT_BLOCK / n;
    for (int64_t row = begin; row < end; row += rows_per_block) {
        const int64_t rows = end - row < rows_per_block ? end - row : rows_per_block;
        char *data[MAX_OPERANDS];
        for (int k = 0; k < l->operands; k++) {
            const int64_t strides[2] = {l->strides[0][k], l->strides[1][k]};
            char *from = l->data[k] + row * strides[0] * (int64_t)l->sizes[k];
            data[k] = is_packed(l, k) ? from : (char *)buffer[k - 1];
            if (data[k] != from && (strides[0] != 0 || row == begin))
                gather_block(rows, n, l->sizes[k], from, strides, data[k]);
        }
        l->inner(rows * n, data, ones, l->context);
    }
}

static void loop_over(inner_fn *inner, const void *context, int n_operands, const heed_tensor *const *operands)
{
    if (operands[0]->numel == 0)
        return;
    loop l = {.operands = n_operands, .maps = context != NULL, .inner = inner, .context = context};
    build_loop(&l, operands);
    int64_t n = l.dims[l.rank - 1];
    bool gathers = n < SHORT_ROW && n * l.rows > SHORT_BLOCK && l.maps && l.rank == 2 && is_packed(&l, 0);
    if (l.rank == 1)
        heed__parallel_for(n, GRAIN, 1, run_loop_range, &l);
    else
        heed__parallel_for(l.rows, n < GRAIN ? GRAIN / n : 1, n, gathers ? run_short_rows : run_loop_rows, &l);
}

/* -- Kernels -- */

typedef struct map_context {
    heed__unary_kernel *unary;
    heed__binary_kernel *binary;
    heed__ternary_kernel *ternary;
    const double *p;
} map_context;

static void run_unary(int64_t n, char *const *data, const int64_t *strides, const void *context)
{
    const map_context *map = context;
    map->unary(n, data[1], strides[1], data[0], map->p);
}

static void run_binary(int64_t n, char *const *data, const int64_t *strides, const void *context)
{
    const map_context *map = context;
    map->binary(n, data[1], strides[1], data[2], strides[2], data[0], map->p);
}

static void run_ternary(int64_t n, char *const *data, const int64_t *strides, const void *context)
{
    const map_context *map = context;
    map->ternary(n, data[1], strides[1], data[2], strides[2], data[3], strides[3], data[0]);
}

/* Most tensors are small and dense and need no loop structure. */
static bool is_plain(const heed_tensor *x, const heed_tensor *out)
{
    return x->contiguous && x->numel == out->numel && out->numel <= GRAIN;
}

void heed__map1(heed__unary_kernel *kernel, const heed_tensor *x, heed_tensor *out, const double *p)
{
    if (is_plain(x, out)) {
        kernel(out->numel, x->data, 1, out->data, p);
        return;
    }
    loop_over(run_unary, &(map_context){.unary = kernel, .p = p}, 2, (const heed_tensor *[]){out, x});
}

void heed__map2(heed__binary_kernel *kernel, const heed_tensor *a, const heed_tensor *b, heed_tensor *out,
                const double *p)
{
    if (is_plain(a, out) && is_plain(b, out)) {
        kernel(out->numel, a->data, 1, b->data, 1, out->data, p);
        return;
    }
    loop_over(run_binary, &(map_context){.binary = kernel, .p = p}, 3, (const heed_tensor *[]){out, a, b});
}

void heed__map3(heed__ternary_kernel *kernel, const heed_tensor *a, const heed_tensor *b, const heed_tensor *c,
                heed_tensor *out)
{
    loop_over(run_ternary, &(map_context){.ternary = kernel}, 4, (const heed_tensor *[]){out, a, b, c});
}

heed_tensor *heed__new_map1(const char *where, heed__unary_kernel *kernel, const heed_tensor *x, const double *p)
{
    heed_tensor *out = heed__tensor_new(where, x->dtype, &x->shape);
    if (out)
        heed__map1(kernel, x, out, p);
    return out;
}

heed_tensor *heed__new_map2(const char *where, heed__binary_kernel *kernel, const heed_tensor *a, const heed_tensor *b,
                            const double *p)
{
    const heed_shape *shape = &a->shape;
    heed_shape joined;
    if (!heed__same_shape(&a->shape, &b->shape) && heed_shape_broadcast(a->shape, b->shape, &joined))
        shape = &joined;
    heed_tensor *out = heed__tensor_new(where, a->dtype, shape);
    if (out)
        heed__map2(kernel, a, b, out, p);
    return out;
}

/* -- Copies -- */

#define COPY(S, D, FROM, TO)                                                                                           \
    static void copy_##S##_##D(int64_t n, char *const *data, const int64_t *strides, const void *context)              \
    {                                                                                                                  \
        (void)context;                                                                                                 \
        TO *to = (void *)data[0];                                                                                      \
        const FROM *from = (const void *)data[1];                                                                      \
        for (int64_t i = 0; i < n; i++)                                                                                \
            to[i * strides[0]] = (TO)from[i * strides[1]];                                                             \
    }

#define COPIES_FROM(S, FROM)                                                                                           \
    COPY(S, f32, FROM, float)                                                                                          \
    COPY(S, f64, FROM, double)                                                                                         \
    COPY(S, i64, FROM, int64_t)                                                                                        \
    COPY(S, b8, FROM, bool)

COPIES_FROM(f32, float)
COPIES_FROM(f64, double)
COPIES_FROM(i64, int64_t)
COPIES_FROM(b8, bool)

void heed__copy(const heed_tensor *src, heed_tensor *dst)
{
    static inner_fn *const copies[HEED_DTYPE_COUNT][HEED_DTYPE_COUNT] = {
        {copy_f32_f32, copy_f32_f64, copy_f32_i64, copy_f32_b8},
        {copy_f64_f32, copy_f64_f64, copy_f64_i64, copy_f64_b8},
        {copy_i64_f32, copy_i64_f64, copy_i64_i64, copy_i64_b8},
        {copy_b8_f32, copy_b8_f64, copy_b8_i64, copy_b8_b8},
    };
    loop_over(copies[src->dtype][dst->dtype], NULL, 2, (const heed_tensor *[]){dst, src});
}

heed_tensor *heed__dense_copy(const char *where, const heed_tensor *t)
{
    heed_tensor *copy = heed__tensor_alloc(where, t->dtype, &t->shape);
    if (copy)
        heed__copy(t, copy);
    return copy;
}

heed_tensor *heed__dense(const char *where, heed_tensor *t)
{
    return t->contiguous ? heed_retain(t) : heed__dense_copy(where, t);
}
