/* ops/reduce/reduce.c - sums and extremes of tensors along any axes, for any layout. Axes are sorted by their order in
 * memory, so that a permuted tensor, too, is read sequentially.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/reduce/reduce.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "kernels/simd/compiler.h"

/* -- Along one axis ----------------------------------------------------------------------------------------------- */

/* Reduces (outer, r, inner) to (outer, inner). A long r is split into chunks, whose results are reduced again. Chunks
 * depend only on the sizes, so the result does not depend on the number of threads. */
typedef struct reduction {
    heed__reduce_kernel *kernel;
    const char *x;
    char *y;
    int64_t outer, r, inner;
    int64_t chunk, chunks;
    int64_t row_bytes; /* bytes of `inner` elements */
} reduction;

enum { CHUNK_ELEMENTS = 65536, CHUNK_MIN = 256 };

static int64_t at_least_one(int64_t n)
{
    return n > 1 ? n : 1;
}

static void reduce_items(int64_t begin, int64_t end, void *context)
{
    const reduction *c = context;
    if (c->chunks == 1) {
        c->kernel(end - begin, c->r, c->inner, c->x + begin * c->r * c->row_bytes, c->y + begin * c->row_bytes);
        return;
    }
    for (int64_t item = begin; item < end; item++) {
        int64_t first = item % c->chunks * c->chunk;
        int64_t rows = c->r - first < c->chunk ? c->r - first : c->chunk;
        const char *x = c->x + (item / c->chunks * c->r + first) * c->row_bytes;
        c->kernel(1, rows, c->inner, x, c->y + item * c->row_bytes);
    }
}

static bool reduce_axis(const char *where, reduction *c)
{
    char *y = c->y;
    size_t bytes = 0;
    c->chunk = CHUNK_ELEMENTS / at_least_one(c->inner);
    if (c->chunk < CHUNK_MIN)
        c->chunk = CHUNK_MIN;
    c->chunks = c->r <= c->chunk ? 1 : (c->r - 1) / c->chunk + 1;
    if (c->chunks > 1) {
        bytes = (size_t)(c->outer * c->chunks * c->row_bytes); /* smaller than x */
        c->y = heed__alloc(where, bytes);
        if (!c->y)
            return false;
    }
    int64_t cost = at_least_one((c->r < c->chunk ? c->r : c->chunk) * c->inner);
    heed__parallel_for(c->outer * c->chunks, at_least_one(CHUNK_ELEMENTS / cost), cost, reduce_items, c);
    if (c->chunks > 1) {
        c->kernel(c->outer, c->chunks, c->inner, c->y, y);
        heed_free(c->y, bytes);
    }
    return true;
}

/* -- Axes ---------------------------------------------------------------------------------------------------------- */

typedef struct axis {
    int64_t dim, stride;
    bool reduced;
} axis;

/* Axes of more than one element, in descending order of stride. */
typedef struct axis_list {
    int count;
    axis at[HEED_MAX_RANK];
} axis_list;

static axis_list axes_in_memory(const heed_tensor *x, unsigned mask)
{
    axis_list a = {.count = 0};
    for (int i = 0; i < x->shape.rank; i++) {
        const axis next = {x->shape.dims[i], x->strides[i], mask >> i & 1};
        if (next.dim == 1)
            continue;
        int position = a.count++;
        for (; position > 0 && a.at[position - 1].stride < next.stride; position--)
            a.at[position] = a.at[position - 1];
        a.at[position] = next;
    }
    return a;
}

/* Returns true if the axes cover a block of memory without gaps. */
static bool is_dense(const axis_list *a)
{
    int64_t size = 1;
    for (int i = a->count - 1; i >= 0; i--) {
        if (a->at[i].stride != size)
            return false;
        size *= a->at[i].dim;
    }
    return true;
}

/* Merges adjacent axes if both are reduced or both are kept. */
static void merge_axes(axis_list *a)
{
    int count = 0;
    for (int i = 0; i < a->count; i++) {
        if (count > 0 && a->at[count - 1].reduced == a->at[i].reduced)
            a->at[count - 1].dim *= a->at[i].dim;
        else
            a->at[count++] = a->at[i];
    }
    a->count = count;
}

/* Returns the index of the longest reduced axis, or -1 if no axis is reduced. */
static int longest_reduced(const axis_list *a)
{
    int found = -1;
    for (int i = 0; i < a->count; i++)
        if (a->at[i].reduced && (found < 0 || a->at[i].dim > a->at[found].dim))
            found = i;
    return found;
}

/* -- All axes ------------------------------------------------------------------------------------------------------ */

static reduction reduction_along(const axis_list *a, int reduced, heed__reduce_kernel *kernel, int64_t size)
{
    reduction c = {.kernel = kernel, .outer = 1, .r = 1, .inner = 1};
    for (int i = 0; i < a->count; i++) {
        int64_t *along = i < reduced ? &c.outer : i == reduced ? &c.r : &c.inner;
        *along *= a->at[i].dim;
    }
    c.row_bytes = c.inner * size;
    return c;
}

/* Reduces one axis after the other and writes the last result to y. Returns false after heed_fail. */
static bool reduce_dense(const char *where, heed__reduce_kernel *kernel, axis_list a, const char *x, char *y,
                         int64_t size)
{
    /* the previous axis's result, which x then points to; NULL before the first axis is reduced */
    char *partial = NULL;
    size_t partial_bytes = 0;
    bool done = true;
    merge_axes(&a);
    do {
        const int along = longest_reduced(&a);
        reduction c = reduction_along(&a, along, kernel, size);
        if (along >= 0)
            a.at[along] = (axis){.dim = 1};
        const bool last = longest_reduced(&a) < 0;
        const size_t bytes = last ? 0 : (size_t)(c.outer * c.row_bytes);
        char *next = last ? y : heed__alloc(where, bytes);
        c.x = x;
        c.y = next;
        done = next && reduce_axis(where, &c);
        heed_free(partial, partial_bytes);
        partial = last ? NULL : next;
        partial_bytes = bytes;
        x = next;
    } while (done && longest_reduced(&a) >= 0);
    heed_free(partial, partial_bytes);
    return done;
}

/* The layout of a tensor of this shape that holds the kept axes of x in the memory order of x. */
static heed_layout layout_like(const heed_tensor *x, unsigned mask, const heed_shape *shape)
{
    heed_layout layout = {.shape = *shape};
    int kept = 0;
    for (int i = 0; i < x->shape.rank; i++) {
        if ((mask >> i & 1) || x->shape.dims[i] == 1)
            continue;
        while (shape->dims[kept] == 1)
            layout.strides[kept++] = 1;
        layout.strides[kept] = 1;
        for (int j = 0; j < x->shape.rank; j++)
            if (!(mask >> j & 1) && x->shape.dims[j] > 1 && x->strides[j] < x->strides[i])
                layout.strides[kept] *= x->shape.dims[j];
        kept++;
    }
    return layout;
}

/* Reduces x if its kept axes have a different order in memory than in `out`. Reduces x to a temporary tensor, which is
 * then copied to `out`. Returns false after heed_fail. */
static bool reduce_permuted(const char *where, heed__reduce_kernel *kernel, const heed_tensor *x, const axis_list *a,
                            unsigned mask, heed_tensor *out)
{
    heed_tensor *found = heed__tensor_alloc(where, x->dtype, &out->shape);
    if (!found)
        return false;
    const heed_layout layout = layout_like(x, mask, &out->shape);
    bool done = reduce_dense(where, kernel, *a, x->data, found->data, (int64_t)heed_dtype_size(x->dtype));
    heed_tensor *view = done ? heed__tensor_view(where, found, &layout) : NULL;
    if (view)
        heed__copy(view, out);
    heed_release(view);
    heed_release(found);
    return view;
}

/* Returns true if the kept axes of x are in row-major order. */
static bool in_order(const heed_tensor *x, unsigned mask)
{
    int64_t last = INT64_MAX;
    for (int i = 0; i < x->shape.rank; i++) {
        if ((mask >> i & 1) || x->shape.dims[i] == 1)
            continue;
        if (x->strides[i] > last)
            return false;
        last = x->strides[i];
    }
    return true;
}

bool heed__reduce(const char *where, heed__reduce_kernel *kernel, const heed_tensor *x, unsigned mask, heed_tensor *out)
{
    if (out->numel == 0)
        return true;
    if (x->numel == 0) {
        kernel(out->numel, 0, 1, x->data, out->data);
        return true;
    }
    heed_tensor *copy = NULL;
    axis_list a = axes_in_memory(x, mask);
    if (!is_dense(&a)) {
        copy = heed__dense_copy(where, x);
        if (!copy)
            return false;
        x = copy;
        a = axes_in_memory(x, mask);
    }
    bool done = in_order(x, mask)
                    ? reduce_dense(where, kernel, a, x->data, out->data, (int64_t)heed_dtype_size(x->dtype))
                    : reduce_permuted(where, kernel, x, &a, mask, out);
    heed_release(copy);
    return done;
}

/* -- Ops ----------------------------------------------------------------------------------------------------------- */

typedef enum join { SUM, MAX, MIN } join;

/* Joins a result and the next element. uint64_t wraps around. */
static ALWAYS_INLINE uint64_t join_i64(join by, uint64_t a, uint64_t b)
{
    if (by == SUM)
        return a + b;
    return (by == MAX ? (int64_t)a > (int64_t)b : (int64_t)a < (int64_t)b) ? a : b;
}

/* `by` is a constant, and every result starts as `first`. */
static ALWAYS_INLINE void reduce_i64(join by, int64_t first, heed__axis_split s, const uint64_t *x,
                                     uint64_t *restrict y)
{
    for (int64_t o = 0; o < s.outer; o++, x += s.size * s.inner, y += s.inner) {
        for (int64_t i = 0; i < s.inner; i++)
            y[i] = (uint64_t)first;
        for (int64_t j = 0; s.inner > 1 && j < s.size; j++)
            for (int64_t i = 0; i < s.inner; i++)
                y[i] = join_i64(by, y[i], x[j * s.inner + i]);
        uint64_t a = (uint64_t)first;
        for (int64_t j = 0; s.inner == 1 && j < s.size; j++)
            a = join_i64(by, a, x[j]);
        if (s.inner == 1)
            y[0] = a;
    }
}

void heed__sum_i64(int64_t outer, int64_t r, int64_t inner, const void *x, void *y)
{
    reduce_i64(SUM, 0, (heed__axis_split){outer, r, inner}, x, y);
}

void heed__max_i64(int64_t outer, int64_t r, int64_t inner, const void *x, void *y)
{
    reduce_i64(MAX, INT64_MIN, (heed__axis_split){outer, r, inner}, x, y);
}

void heed__min_i64(int64_t outer, int64_t r, int64_t inner, const void *x, void *y)
{
    reduce_i64(MIN, INT64_MAX, (heed__axis_split){outer, r, inner}, x, y);
}

heed_tensor *heed__apply_reduction(const char *where, const heed_op *op, heed_tensor *x, heed_shape axes, bool keepdim)
{
    heed__reduce_params params = {.keepdim = keepdim};
    if (!heed__check_tensor(where, x) || !heed__axis_mask(where, axes, x->shape.rank, &params.mask))
        return NULL;
    return heed__apply1(op, x, &params);
}
