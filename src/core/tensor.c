/* core/tensor.c - dtypes and shapes; creates and frees tensors, storages and views, and checks arguments.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/tensor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <heed/debug.h>

#include "core/instrumentation.h"
#include "core/memory.h"

enum { HEADER = HEED__TENSOR_HEADER };

/* -- Dtypes and shapes --------------------------------------------------------------------------------------------- */

static const size_t dtype_sizes[HEED_DTYPE_COUNT] = {sizeof(float), sizeof(double), sizeof(int64_t), sizeof(bool)};

size_t heed_dtype_size(heed_dtype dtype)
{
    return (unsigned)dtype < HEED_DTYPE_COUNT ? dtype_sizes[dtype] : 0;
}

const char *heed_dtype_name(heed_dtype dtype)
{
    static const char *const names[HEED_DTYPE_COUNT] = {"f32", "f64", "i64", "bool"};
    return (unsigned)dtype < HEED_DTYPE_COUNT ? names[dtype] : "unknown";
}

int64_t heed_shape_numel(heed_shape shape)
{
    return heed__numel(&shape);
}

bool heed_shape_equal(heed_shape a, heed_shape b)
{
    return a.rank >= 0 && a.rank <= HEED_MAX_RANK && heed__same_shape(&a, &b);
}

heed_text heed_shape_text(heed_shape shape)
{
    int rank = shape.rank < 0 ? 0 : shape.rank > HEED_MAX_RANK ? HEED_MAX_RANK : shape.rank;
    char whole[24 * HEED_MAX_RANK + 16];
    size_t used = 0;
    whole[used++] = '(';
    for (int i = 0; i < rank; i++)
        used += (size_t)snprintf(whole + used, sizeof whole - used, i ? ", %" PRId64 : "%" PRId64, shape.dims[i]);
    if (shape.rank != rank)
        used += (size_t)snprintf(whole + used, sizeof whole - used, "; rank %d", shape.rank);
    whole[used++] = ')';
    heed_text text;
    used = used < sizeof text.s ? used : sizeof text.s - 1; /* longer only for an invalid rank */
    memcpy(text.s, whole, used);
    text.s[used] = '\0';
    return text;
}

bool heed_shape_broadcast(heed_shape a, heed_shape b, heed_shape *out)
{
    if (heed_shape_numel(a) < 0 || heed_shape_numel(b) < 0 || !out)
        return false;
    heed_shape result = {.rank = a.rank > b.rank ? a.rank : b.rank};
    for (int i = 1; i <= result.rank; i++) {
        int64_t da = i <= a.rank ? a.dims[a.rank - i] : 1;
        int64_t db = i <= b.rank ? b.dims[b.rank - i] : 1;
        if (da != db && da != 1 && db != 1)
            return false;
        result.dims[result.rank - i] = da == 1 ? db : da;
    }
    *out = result;
    return heed_shape_numel(result) >= 0;
}

/* -- Checks of arguments ------------------------------------------------------------------------------------------- */

bool heed__fail_tensor(const char *where, const char *what, const heed_tensor *t)
{
    if (!t)
        heed__fail_null(where, what);
    else if (heed__debugger_if_on())
        (void)heed_fail_freed(where, what, t);
    else
        heed_fail(HEED_ERR_STATE, where,
                  "%s was freed: its scope has ended, or its last owner has released it (HEED_DEBUG=1 reports where)",
                  what);
    return false;
}

bool heed__check_tensor(const char *where, const heed_tensor *t)
{
    return heed__is_live(t) || heed__fail_tensor(where, "the tensor", t);
}

bool heed__check_dtype(const char *where, heed_dtype dtype)
{
    if ((unsigned)dtype < HEED_DTYPE_COUNT)
        return true;
    return heed_fail_false(HEED_ERR_DTYPE, where, "dtype is %d: must be a heed_dtype", (int)dtype);
}

bool heed__check_shape(const char *where, const heed_shape *shape)
{
    if (heed__numel(shape) >= 0)
        return true;
    return heed_fail_false(HEED_ERR_SHAPE, where, "%s is not a valid shape", heed_shape_text(*shape).s);
}

int heed__axis_of(const char *where, int axis, int rank)
{
    if (axis >= -rank && axis < rank)
        return axis < 0 ? axis + rank : axis;
    heed_fail(HEED_ERR_SHAPE, where, "there is no axis %d in a tensor of rank %d", axis, rank);
    return -1;
}

/* -- Tensors and storages ------------------------------------------------------------------------------------------ */

/* Sets row-major strides. */
static inline void set_row_major(heed_tensor *t)
{
    int64_t stride = 1;
    for (int i = t->shape.rank - 1; i >= 0; i--) {
        t->strides[i] = stride;
        if (t->shape.dims[i] > 1)
            stride *= t->shape.dims[i];
    }
    t->contiguous = true;
}

static heed_tensor *tensor_of_storage(heed__storage *storage)
{
    return (heed_tensor *)(void *)((char *)storage - offsetof(heed_tensor, own));
}

static heed__foreign *foreign_of(heed__storage *storage)
{
    return (heed__foreign *)(void *)((char *)tensor_of_storage(storage) + HEADER);
}

char *heed__storage_elements(heed__storage *storage, size_t *bytes)
{
    *bytes = storage->foreign ? foreign_of(storage)->bytes : storage->block - HEADER;
    return storage->foreign ? foreign_of(storage)->first : (char *)tensor_of_storage(storage) + HEADER;
}

/* Returns the program's memory last, when no object refers to it any more. */
HEED_COLD static void free_foreign(heed__storage *storage)
{
    const heed__foreign elements = *foreign_of(storage);
    heed_free(tensor_of_storage(storage), storage->block);
    if (!elements.release)
        return;
    heed__thread_state *self = heed__thread();
    const heed_callback call = heed__callback_begin(self, "the release function of a tensor's memory");
    elements.release(elements.user);
    heed__release_end(self, call);
}

static inline void free_storage(heed__storage *storage)
{
    if (storage->foreign)
        free_foreign(storage);
    else
        heed_free(tensor_of_storage(storage), storage->block);
}

void heed__storage_release(heed__storage *storage)
{
    if (heed__last_owner(&storage->refs))
        free_storage(storage);
}

void heed__tensor_free(heed_tensor *t)
{
    heed__storage *storage = t->storage;
    t->dtype = (heed_dtype)((unsigned)t->dtype | HEED_FREED);
    if (storage != &t->own) {
        heed_free(t, sizeof *t);
        heed__storage_release(storage);
    } else if (heed__count_owners(&storage->refs) == 1) {
        free_storage(storage);
    } else { /* other tensors or nodes use the elements: the block stays */
        atomic_store_explicit(&t->refs, 0, memory_order_relaxed);
        const heed__debugger *debugger = heed__debugger_if_on();
        if (debugger)
            debugger->tensor_freed(t);
        heed__storage_release(storage);
    }
}

static inline heed_tensor *tensor_header(const char *where, size_t block, heed_dtype dtype, const heed_shape *shape,
                                         int64_t numel)
{
    heed_tensor *t = heed__alloc_tensor(where, block);
    if (!t)
        return NULL;
    atomic_init(&t->refs, 1);
    t->dtype = dtype;
    t->requires_grad = false;
    t->computed = false;
    t->output_index = 0;
    t->producer = NULL;
    t->grad = NULL;
    t->hooks = NULL;
    t->shape = *shape;
    t->numel = numel;
    set_row_major(t);
    return t;
}

HEED_COLD static heed_tensor *fail_alloc(const char *where, heed_dtype dtype, const heed_shape *shape)
{
    return heed__check_dtype(where, dtype)
               ? heed_fail_null(HEED_ERR_SHAPE, where, "%s is not a valid shape", heed_shape_text(*shape).s)
               : NULL;
}

/* Returns a tensor with capacity for `bytes` bytes of elements after the header. */
static heed_tensor *tensor_with_elements(const char *where, size_t bytes, heed_dtype dtype, const heed_shape *shape,
                                         int64_t numel)
{
    heed_tensor *t = tensor_header(where, HEADER + bytes, dtype, shape, numel);
    if (!t)
        return NULL;
    atomic_init(&t->own.refs, 1);
    atomic_init(&t->own.version, 0);
    t->own.foreign = false;
    t->own.block = HEADER + bytes;
    t->storage = &t->own;
    t->data = (char *)t + HEADER;
    return t;
}

heed_tensor *heed__tensor_alloc(const char *where, heed_dtype dtype, const heed_shape *shape)
{
    int64_t numel = heed__numel(shape);
    size_t bytes;
    if ((unsigned)dtype >= HEED_DTYPE_COUNT || numel < 0 || __builtin_mul_overflow(numel, dtype_sizes[dtype], &bytes) ||
        bytes > PTRDIFF_MAX / 2)
        return fail_alloc(where, dtype, shape);
    return tensor_with_elements(where, bytes, dtype, shape, numel);
}

heed_tensor *heed__tensor_foreign(const char *where, heed_dtype dtype, const heed_shape *shape,
                                  const heed__foreign *elements)
{
    heed_tensor *t =
        heed__borrow(where, tensor_with_elements(where, sizeof *elements, dtype, shape, heed__numel(shape)));
    if (!t)
        return NULL;
    heed__foreign *own = foreign_of(&t->own);
    *own = *elements;
    if (own->bytes == 0) /* without elements any address will do */
        own->first = (char *)own;
    t->own.foreign = true;
    t->data = own->first;
    return t;
}

heed_tensor *heed__tensor_new(const char *where, heed_dtype dtype, const heed_shape *shape)
{
    return heed__borrow(where, heed__tensor_alloc(where, dtype, shape));
}

heed_tensor *heed__tensor_on(const char *where, heed__storage *storage, char *data, heed_dtype dtype,
                             const heed_shape *shape, int64_t numel)
{
    heed_tensor *t = tensor_header(where, sizeof(heed_tensor), dtype, shape, numel);
    if (!t)
        return NULL;
    heed__add_owner(&storage->refs);
    t->storage = storage;
    t->data = data;
    return t;
}

/* -- Views --------------------------------------------------------------------------------------------------------- */

/* Returns true if the strides are row-major. Strides of axes of size 1 are ignored. */
static bool has_row_major_strides(const heed_shape *shape, const int64_t *strides)
{
    int64_t expected = 1;
    for (int i = shape->rank - 1; i >= 0; i--) {
        if (shape->dims[i] == 1)
            continue;
        if (strides[i] != expected)
            return false;
        expected *= shape->dims[i];
    }
    return true;
}

bool heed__layout_bounds(const heed_layout *layout, size_t size, int64_t *low, int64_t *high)
{
    for (int i = 0; i < layout->shape.rank; i++) {
        int64_t reach, bytes; /* a stride may be negated and converted to bytes, even on an axis of size 1 */
        if (__builtin_mul_overflow(layout->shape.dims[i] - 1, layout->strides[i], &reach) ||
            __builtin_mul_overflow(2 * (int64_t)size, layout->strides[i], &bytes))
            return false;
        int64_t *end = reach < 0 ? low : high;
        if (__builtin_add_overflow(*end, reach, end))
            return false;
    }
    return true;
}

/* Returns true if every element of `layout` lies inside t's storage. */
static bool inside_storage(const heed_tensor *t, const heed_layout *layout, int64_t numel)
{
    const size_t size = heed_dtype_size(t->dtype);
    size_t elements;
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): every dtype has a size */
    int64_t first = (t->data - heed__storage_elements(t->storage, &elements)) / (int64_t)size;
    int64_t low, high;
    if (__builtin_add_overflow(first, layout->offset, &low))
        return false;
    if (numel == 0)
        return true;
    high = low;
    return heed__layout_bounds(layout, size, &low, &high) && low >= 0 && high < (int64_t)(elements / size);
}

void heed__tensor_set_layout(heed_tensor *t, const heed_layout *layout)
{
    t->data += layout->offset * (int64_t)heed_dtype_size(t->dtype);
    if (!has_row_major_strides(&layout->shape, layout->strides)) {
        memcpy(t->strides, layout->strides, sizeof t->strides);
        t->contiguous = false;
    }
}

heed_tensor *heed__tensor_view(const char *where, const heed_tensor *t, const heed_layout *layout)
{
    int64_t numel = heed__numel(&layout->shape);
    if (numel < 0 || !inside_storage(t, layout, numel))
        return heed_fail_null(HEED_ERR_INDEX, where,
                              "a view of shape %s at offset %" PRId64 " leaves the storage of a tensor of shape %s",
                              heed_shape_text(layout->shape).s, layout->offset, heed_shape_text(t->shape).s);
    heed_tensor *view = heed__tensor_on(where, t->storage, t->data, t->dtype, &layout->shape, numel);
    if (view && numel > 0)
        heed__tensor_set_layout(view, layout);
    return view;
}
