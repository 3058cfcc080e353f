/* core/dlpack.c - DLPack: shares memory with other libraries in both directions. All fields of an incoming
 * DLManagedTensor are checked before an element is read. Its addresses must be valid; they cannot be checked.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/dlpack.h>

#include <inttypes.h>
#include <string.h>

#include <heed/debug.h>

#include "core/dlpack_abi.h"
#include "core/memory.h"
#include "core/tensor.h"

/* Indexed by heed_dtype. */
static const struct {
    uint8_t code, bits;
} types[HEED_DTYPE_COUNT] = {[HEED_F32] = {HEED_DL_FLOAT, 32},
                             [HEED_F64] = {HEED_DL_FLOAT, 64},
                             [HEED_I64] = {HEED_DL_INT, 64},
                             [HEED_BOOL] = {HEED_DL_BOOL, 8}};

/* -- Import ------------------------------------------------------------------------------------------------------- */

static const char from[] = "from_dlpack";

static bool find_dtype(const heed__dl_tensor *dl, heed_dtype *dtype)
{
    for (int i = 0; i < HEED_DTYPE_COUNT; i++)
        if (dl->code == types[i].code && dl->bits == types[i].bits && dl->lanes == 1) {
            *dtype = (heed_dtype)i;
            return true;
        }
    return heed_fail_false(
        HEED_ERR_DTYPE, from,
        "the elements have code %d, %d bits and %d lanes: must be float of 32 or 64 bits (2), int of 64 (0) "
        "or bool (6), of 1 lane",
        dl->code, dl->bits, dl->lanes);
}

static bool read_dl_shape(const heed__dl_tensor *dl, heed_shape *shape)
{
    if (dl->ndim > HEED_MAX_RANK)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, from, "%" PRId32 " dims: must be at most %d", dl->ndim,
                               HEED_MAX_RANK);
    if (dl->ndim < 0 || (dl->ndim > 0 && !dl->shape))
        return heed_fail_false(HEED_ERR_ARGUMENT, from, "ndim is %" PRId32 " and shape is %sNULL", dl->ndim,
                               dl->shape ? "not " : "");
    *shape = (heed_shape){.rank = dl->ndim};
    for (int i = 0; i < shape->rank; i++)
        shape->dims[i] = dl->shape[i];
    return heed__check_shape(from, shape);
}

/* Strides of axes of size 1 are never used and may have any value. */
static void read_strides(const heed__dl_tensor *dl, heed_layout *layout)
{
    int64_t row_major = 1;
    for (int i = layout->shape.rank - 1; i >= 0; i--) {
        const int64_t size = layout->shape.dims[i];
        layout->strides[i] = size == 1 ? 0 : dl->strides ? dl->strides[i] : row_major;
        row_major *= size;
    }
}

/* Finds the memory that holds the elements, and the offset of the first element in it. */
static bool find_elements(const heed__dl_tensor *dl, heed_dtype dtype, heed_layout *layout, heed__foreign *elements)
{
    const size_t size = heed_dtype_size(dtype);
    int64_t low = 0, high = 0, span;
    uintptr_t at, end;
    if (!dl->data)
        return heed_fail_false(HEED_ERR_ARGUMENT, from, "data is NULL, for a shape %s",
                               heed_shape_text(layout->shape).s);
    if (!heed__layout_bounds(layout, size, &low, &high) || __builtin_sub_overflow(high, low, &span) ||
        __builtin_add_overflow(span, 1, &span) || __builtin_mul_overflow(span, size, &elements->bytes) ||
        elements->bytes > PTRDIFF_MAX / 2 || __builtin_add_overflow((uintptr_t)dl->data, dl->byte_offset, &at) ||
        __builtin_sub_overflow(at, (uintptr_t)-low * size, &at) || __builtin_add_overflow(at, elements->bytes, &end))
        return heed_fail_false(HEED_ERR_ARGUMENT, from,
                               "the strides or byte_offset of shape %s exceed the address range",
                               heed_shape_text(layout->shape).s);
    if (at % size != 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, from, "the address of the elements is not a multiple of %zu bytes",
                               size);
    elements->first = (char *)dl->data + (ptrdiff_t)(at - (uintptr_t)dl->data);
    layout->offset = -low;
    return true;
}

/* Returns true if every byte is 0 or 1. Skips axes of stride 0, which repeat the same elements. */
static bool are_bools(const char *element, const heed_layout *layout)
{
    int64_t index[HEED_MAX_RANK] = {0};
    int axis;
    do {
        if (*element != 0 && *element != 1)
            return false;
        for (axis = layout->shape.rank - 1; axis >= 0; axis--) {
            const int64_t last = layout->shape.dims[axis] - 1, stride = layout->strides[axis];
            if (stride != 0 && index[axis] < last) {
                index[axis]++;
                element += stride;
                break;
            }
            element -= index[axis] * stride;
            index[axis] = 0;
        }
    } while (axis >= 0);
    return true;
}

/* Rejects overlapping elements: checking all of them could take arbitrarily long for a hostile shape. */
static bool check_bools(const heed_layout *layout, const heed__foreign *elements)
{
    int64_t count = 1;
    for (int i = 0; i < layout->shape.rank; i++)
        count *= layout->strides[i] != 0 ? layout->shape.dims[i] : 1;
    if ((uint64_t)count > elements->bytes)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, from, "the bools of a shape %s overlap",
                               heed_shape_text(layout->shape).s);
    return are_bools(elements->first + layout->offset, layout) ||
           heed_fail_false(HEED_ERR_ARGUMENT, from, "a bool is neither 0 nor 1");
}

static void call_deleter(void *user)
{
    struct DLManagedTensor *managed = user;
    if (managed->deleter)
        managed->deleter(managed);
}

heed_tensor *heed_from_dlpack(struct DLManagedTensor *managed)
{
    HEED_ENTER(from);
    if (!managed)
        return heed_fail_null(HEED_ERR_ARGUMENT, from, "the DLManagedTensor is NULL");
    const heed__dl_tensor *dl = &managed->tensor;
    heed_dtype dtype = HEED_F32;
    heed_layout layout = {.offset = 0};
    heed__foreign elements = {.release = call_deleter, .user = managed};
    if (dl->device != HEED_DL_CPU)
        return heed_fail_null(HEED_ERR_UNSUPPORTED, from, "device %" PRId32 ": must be the CPU, %d", dl->device,
                              HEED_DL_CPU);
    if (!find_dtype(dl, &dtype) || !read_dl_shape(dl, &layout.shape))
        return NULL;
    if (heed__numel(&layout.shape) == 0)
        return heed__tensor_foreign(from, dtype, &layout.shape, &elements);
    read_strides(dl, &layout);
    if (!find_elements(dl, dtype, &layout, &elements) || (dtype == HEED_BOOL && !check_bools(&layout, &elements)))
        return NULL;
    heed_tensor *t = heed__tensor_foreign(from, dtype, &layout.shape, &elements);
    if (t)
        heed__tensor_set_layout(t, &layout);
    return t;
}

/* -- Export ------------------------------------------------------------------------------------------------------- */

/* `managed` and the arrays that it points to. */
typedef struct exported {
    struct DLManagedTensor managed;
    int64_t shape[HEED_MAX_RANK], strides[HEED_MAX_RANK];
} exported;

static void free_exported(struct DLManagedTensor *managed)
{
    heed__storage *storage = managed->manager;
    if (!storage) {
        heed_fail_freed("dlpack_deleter", "the DLManagedTensor", managed);
        return;
    }
    managed->manager = NULL; /* lets a second call detect that it is the second */
    heed_free(managed, sizeof(exported));
    heed__storage_release(storage);
}

struct DLManagedTensor *heed_to_dlpack(heed_tensor *t)
{
    static const char where[] = "to_dlpack";
    if (!heed__check_tensor(where, t))
        return NULL;
    if (t->requires_grad)
        return heed_fail_null(HEED_ERR_STATE, where, "a tensor of shape %s requires a gradient: call heed_detach first",
                              heed_shape_text(t->shape).s);
    exported *e = heed__alloc(where, sizeof *e);
    if (!e)
        return NULL;
    memcpy(e->shape, t->shape.dims, sizeof e->shape);
    memcpy(e->strides, t->strides, sizeof e->strides);
    heed__add_owner(&t->storage->refs);
    e->managed = (struct DLManagedTensor){.tensor = {.data = t->numel > 0 ? t->data : NULL,
                                                     .device = HEED_DL_CPU,
                                                     .ndim = t->shape.rank,
                                                     .code = types[t->dtype].code,
                                                     .bits = types[t->dtype].bits,
                                                     .lanes = 1,
                                                     .shape = e->shape,
                                                     .strides = e->strides},
                                          .manager = t->storage,
                                          .deleter = free_exported};
    return &e->managed;
}
