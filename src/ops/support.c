/* ops/support.c - what ops share. See ops/support.h. */

#include "ops/support.h"

#include <inttypes.h>

#include "core/parallel.h"

heed_tensor *heed__apply1(const heed_op *op, heed_tensor *x, const void *params)
{
    return heed_apply(op, &x, 1, params);
}

heed_tensor *heed__apply2(const heed_op *op, heed_tensor *a, heed_tensor *b, const void *params)
{
    return heed_apply(op, (heed_tensor *[]){a, b}, 2, params);
}

heed_tensor *heed__apply3(const heed_op *op, heed_tensor *a, heed_tensor *b, heed_tensor *c, const void *params)
{
    return heed_apply(op, (heed_tensor *[]){a, b, c}, 3, params);
}

/* -- Checks -------------------------------------------------------------------------------------------------------- */

bool heed__check_float(const char *where, const heed_tensor *x)
{
    if (heed__is_float(x->dtype))
        return true;
    heed_fail(HEED_ERR_DTYPE, where, "takes f32 or f64, not %s %s", heed_dtype_name(x->dtype), heed__text(&x->shape).s);
    return false;
}

bool heed__check_i64(const char *where, const heed_tensor *index)
{
    if (index->dtype == HEED_I64)
        return true;
    heed_fail(HEED_ERR_DTYPE, where, "indices are i64, not %s %s", heed_dtype_name(index->dtype),
              heed__text(&index->shape).s);
    return false;
}

bool heed__check_list(const char *where, heed_tensor *const *tensors, int n)
{
    if (!tensors || n < 1) {
        heed_fail(HEED_ERR_ARGUMENT, where, "takes at least one tensor: n = %d%s", n, tensors ? "" : ", no list");
        return false;
    }
    for (int i = 0; i < n; i++)
        if (!heed__check_tensor(where, tensors[i]))
            return false;
    return true;
}

/* -- Layouts ------------------------------------------------------------------------------------------------------- */

heed_layout heed__layout_of(const heed_tensor *t)
{
    heed_layout layout = {.shape = t->shape};
    for (int axis = 0; axis < t->shape.rank; axis++)
        layout.strides[axis] = t->strides[axis];
    return layout;
}

heed_layout heed__slice_layout(const heed_tensor *t, int axis, int64_t start, int64_t step, int64_t size)
{
    heed_layout layout = heed__layout_of(t);
    layout.shape.dims[axis] = size;
    if (size > 0)
        layout.offset = start * t->strides[axis];
    if (size > 1)
        layout.strides[axis] *= step;
    return layout;
}

bool heed__copy_into(const heed_tensor *x, const heed_tensor *t, const heed_layout *layout)
{
    heed_tensor *part = heed__tensor_view(t, layout);
    if (!part)
        return false;
    heed__copy(x, part);
    heed_release(part);
    return true;
}

heed_axis_split heed__split(const heed_shape *shape, int axis)
{
    heed_axis_split split = {.outer = 1, .size = shape->dims[axis], .inner = 1};
    for (int i = 0; i < axis; i++)
        split.outer *= shape->dims[i];
    for (int i = axis + 1; i < shape->rank; i++)
        split.inner *= shape->dims[i];
    return split;
}

/* -- Reductions ---------------------------------------------------------------------------------------------------- */

bool heed__axis_mask(const char *where, heed_shape axes, int rank, unsigned *mask)
{
    *mask = (1U << rank) - 1;
    if (axes.rank == 0)
        return true;
    if (axes.rank < 0 || axes.rank > HEED_MAX_RANK) {
        heed_fail(HEED_ERR_SHAPE, where, "a list of %d axes", axes.rank);
        return false;
    }
    *mask = 0;
    for (int i = 0; i < axes.rank; i++) {
        int64_t axis = axes.dims[i];
        if (axis < -rank || axis >= rank) {
            heed_fail(HEED_ERR_SHAPE, where, "axis %" PRId64 " is outside a tensor of rank %d", axis, rank);
            return false;
        }
        unsigned bit = 1U << (axis < 0 ? axis + rank : axis);
        if (*mask & bit) {
            heed_fail(HEED_ERR_SHAPE, where, "axis %" PRId64 " is given twice in %s", axis, heed__text(&axes).s);
            return false;
        }
        *mask |= bit;
    }
    return true;
}

heed_shape heed__reduced_shape(const heed_shape *shape, unsigned mask, bool keepdim)
{
    heed_shape reduced = {.rank = 0};
    for (int axis = 0; axis < shape->rank; axis++) {
        if (!(mask >> axis & 1))
            reduced.dims[reduced.rank++] = shape->dims[axis];
        else if (keepdim)
            reduced.dims[reduced.rank++] = 1;
    }
    return reduced;
}

/* (outer, r, inner) to (outer, inner); a long r is cut into chunks, whose results are reduced once more. Chunks depend
 * on the shape alone, so the result does not depend on the number of threads. */
typedef struct run {
    heed_reduce_kernel *kernel;
    const char *x;
    char *y;
    int64_t outer, r, inner;
    int64_t chunk, chunks;
    int64_t row_bytes; /* of `inner` elements */
} run;

enum { CHUNK_ELEMENTS = 65536, CHUNK_MIN = 256 };

static int64_t at_least_one(int64_t n)
{
    return n > 1 ? n : 1;
}

static void reduce_items(int64_t begin, int64_t end, void *context)
{
    const run *c = context;
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

static bool reduce_run(run *c)
{
    char *y = c->y;
    size_t bytes = 0;
    c->chunk = CHUNK_ELEMENTS / at_least_one(c->inner);
    if (c->chunk < CHUNK_MIN)
        c->chunk = CHUNK_MIN;
    c->chunks = c->r <= c->chunk ? 1 : (c->r - 1) / c->chunk + 1;
    if (c->chunks > 1) {
        bytes = (size_t)(c->outer * c->chunks * c->row_bytes); /* less than x has */
        c->y = heed_alloc(bytes);
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

/* Whether the axes in `mask` lie side by side; then writes (outer, r, inner). */
static bool find_run(const heed_shape *shape, unsigned mask, run *c)
{
    bool begun = false;
    c->outer = c->r = c->inner = 1;
    for (int axis = 0; axis < shape->rank; axis++) {
        bool reduced = mask >> axis & 1;
        int64_t dim = shape->dims[axis];
        if (dim == 1)
            continue;
        if (reduced && c->inner != 1)
            return false;
        begun = begun || reduced;
        *(reduced ? &c->r : begun ? &c->inner : &c->outer) *= dim;
    }
    return true;
}

/* x's elements in new memory, the axes in `mask` behind the others; owned by the caller. */
static heed_tensor *copy_reduced_last(const char *where, const heed_tensor *x, unsigned mask)
{
    heed_layout layout = {.shape = {.rank = 0}};
    for (unsigned reduced = 0; reduced < 2; reduced++)
        for (int axis = 0; axis < x->shape.rank; axis++)
            if ((mask >> axis & 1) == reduced) {
                layout.strides[layout.shape.rank] = x->strides[axis];
                layout.shape.dims[layout.shape.rank++] = x->shape.dims[axis];
            }
    heed_tensor *view = heed__tensor_view(x, &layout);
    heed_tensor *copy = view ? heed__tensor_alloc(where, x->dtype, &layout.shape) : NULL;
    if (copy)
        heed__copy(view, copy);
    heed_release(view);
    return copy;
}

bool heed__reduce(const char *where, heed_reduce_kernel *kernel, const heed_tensor *x, unsigned mask, heed_tensor *out)
{
    if (out->numel == 0)
        return true;
    int64_t size = (int64_t)heed_dtype_size(x->dtype);
    run c = {.kernel = kernel, .y = out->data};
    heed_tensor *copy = NULL;
    if (!find_run(&x->shape, mask, &c) || !x->contiguous) {
        copy = copy_reduced_last(where, x, mask);
        if (!copy)
            return false;
        c.outer = out->numel;
        c.r = x->numel / out->numel;
        c.inner = 1;
    }
    c.x = copy ? copy->data : x->data;
    c.row_bytes = c.inner * size;
    bool done = reduce_run(&c);
    heed_release(copy);
    return done;
}

heed_tensor *heed__apply_reduction(const heed_op *op, heed_tensor *x, heed_shape axes, bool keepdim)
{
    heed_reduce_params params = {.keepdim = keepdim};
    if (!heed__check_tensor(op->name, x) || !heed__axis_mask(op->name, axes, x->shape.rank, &params.mask))
        return NULL;
    return heed__apply1(op, x, &params);
}

bool heed__infer_reduction(const heed_call *call, heed_meta *out)
{
    const heed_reduce_params *params = call->params;
    const heed_tensor *x = call->inputs[0];
    if (!heed__check_float(call->op->name, x))
        return false;
    out->dtype = x->dtype;
    out->shape = heed__reduced_shape(&x->shape, params->mask, params->keepdim);
    return true;
}

bool heed__infer_extremum(const heed_call *call, heed_meta *out)
{
    const heed_reduce_params *params = call->params;
    const heed_shape *shape = &call->inputs[0]->shape;
    for (int axis = 0; axis < shape->rank; axis++)
        if ((params->mask >> axis & 1) && shape->dims[axis] == 0) {
            heed_fail(HEED_ERR_SHAPE, call->op->name, "axis %d of %s is empty", axis, heed__text(shape).s);
            return false;
        }
    return heed__infer_reduction(call, out);
}

void heed__extremum_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed_reduce_params *params = call->params;
    heed_tensor *x = call->inputs[0];
    heed_shape kept = heed__reduced_shape(&x->shape, params->mask, true);
    heed_tensor *y = heed_reshape(call->outputs[0], kept);
    heed_tensor *is_y = heed_compare(x, HEED_EQ, y);
    heed_tensor *share = heed_div(heed_reshape(g[0], kept), heed_sum_to(heed_to_dtype(is_y, x->dtype), kept));
    heed_tensor *is_nan = heed_compare(y, HEED_NE, y); /* then no x equals y, and the gradient is NaN too */
    dx[0] = heed_where(is_y, share, heed_where(is_nan, y, heed_zeros(x->dtype, HEED_SCALAR)));
}

static heed_tensor *share_of(heed_tensor *x, heed_tensor *other, heed_comparison loses, heed_tensor *g)
{
    heed_tensor *won = heed_where(heed_compare(x, HEED_EQ, other), heed_scale(g, 0.5), g);
    return heed_where(heed_compare(x, loses, other), heed_zeros(g->dtype, HEED_SCALAR), won);
}

void heed__extremum_of_two_backward(const heed_call *call, heed_comparison loses, heed_tensor *g, heed_tensor **dx)
{
    if (heed_call_needs(call, 0))
        dx[0] = share_of(call->inputs[0], call->inputs[1], loses, g);
    if (heed_call_needs(call, 1))
        dx[1] = share_of(call->inputs[1], call->inputs[0], loses, g);
}

/* -- Indices ------------------------------------------------------------------------------------------------------- */

/* The position of element i, counted in row-major order. */
static heed_shape position(const heed_shape *shape, int64_t i)
{
    heed_shape at = {.rank = shape->rank};
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        at.dims[axis] = i % shape->dims[axis];
        i /= shape->dims[axis];
    }
    return at;
}

bool heed__check_indices(const char *where, const heed_tensor *index, int64_t size)
{
    const int64_t *values = (const void *)index->data;
    for (int64_t i = 0; i < index->numel; i++)
        if (values[i] < 0 || values[i] >= size) {
            heed_shape at = position(&index->shape, i);
            heed_fail(HEED_ERR_INDEX, where, "index %" PRId64 " at %s is outside an axis of size %" PRId64, values[i],
                      heed__text(&at).s, size);
            return false;
        }
    return true;
}

bool heed__check_lengths(const char *where, const heed_tensor *lens, int64_t size)
{
    const int64_t *values = (const void *)lens->data;
    if (lens->dtype != HEED_I64) {
        heed_fail(HEED_ERR_DTYPE, where, "valid_lens are i64, not %s %s", heed_dtype_name(lens->dtype),
                  heed__text(&lens->shape).s);
        return false;
    }
    for (int64_t i = 0; i < lens->numel; i++)
        if (values[i] < 0 || values[i] > size) {
            heed_shape at = position(&lens->shape, i);
            heed_fail(HEED_ERR_INDEX, where, "valid length %" PRId64 " at %s is outside 0 .. %" PRId64, values[i],
                      heed__text(&at).s, size);
            return false;
        }
    return true;
}

bool heed__check_index_shape(const char *where, const heed_shape *index, const heed_shape *shape, int axis)
{
    bool fits = index->rank == shape->rank;
    for (int i = 0; fits && i < shape->rank; i++)
        fits = i == axis || index->dims[i] <= shape->dims[i];
    if (!fits)
        heed_fail(HEED_ERR_SHAPE, where, "indices %s do not fit %s along axis %d", heed__text(index).s,
                  heed__text(shape).s, axis);
    return fits;
}

heed_places heed__places(const heed_shape *shape, const heed_tensor *into, int axis)
{
    heed_places places = {.shape = *shape};
    for (int i = 0; i < shape->rank; i++)
        places.strides[i] = i == axis ? 0 : into->strides[i];
    return places;
}

void heed__places_next(heed_places *places)
{
    for (int axis = places->shape.rank - 1; axis >= 0; axis--) {
        places->offset += places->strides[axis];
        if (++places->at[axis] < places->shape.dims[axis])
            return;
        places->offset -= places->strides[axis] * places->shape.dims[axis];
        places->at[axis] = 0;
    }
}

#define ACCUMULATE(type)                                                                                               \
    do {                                                                                                               \
        type *to = y;                                                                                                  \
        const type *from = x;                                                                                          \
        for (int64_t i = 0; i < n; i++)                                                                                \
            to[i] += from[i];                                                                                          \
    } while (0)

void heed__accumulate(heed_dtype dtype, int64_t n, void *y, const void *x)
{
    if (dtype == HEED_F32)
        ACCUMULATE(float);
    else if (dtype == HEED_F64)
        ACCUMULATE(double);
    else
        ACCUMULATE(uint64_t);
}
