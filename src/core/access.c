/* core/access.c - reads properties and elements of tensors, and writes them in place: permission, single elements, data
 * pointers, filling, copying.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <heed/ops.h>

#include "core/loop.h"

/* -- Properties ---------------------------------------------------------------------------------------------------- */

heed_dtype heed_dtype_of(const heed_tensor *t)
{
    return heed__check_tensor("dtype_of", t) ? t->dtype : HEED_F32;
}

heed_shape heed_shape_of(const heed_tensor *t)
{
    return heed__check_tensor("shape_of", t) ? t->shape : HEED_SCALAR;
}

int heed_rank(const heed_tensor *t)
{
    return heed__check_tensor("rank", t) ? t->shape.rank : 0;
}

int64_t heed_numel(const heed_tensor *t)
{
    return heed__check_tensor("numel", t) ? t->numel : 0;
}

int64_t heed_dim(const heed_tensor *t, int axis)
{
    int i = heed__check_tensor("dim", t) ? heed__axis_of("dim", axis, t->shape.rank) : -1;
    return i < 0 ? 0 : t->shape.dims[i];
}

int64_t heed_stride(const heed_tensor *t, int axis)
{
    int i = heed__check_tensor("stride", t) ? heed__axis_of("stride", axis, t->shape.rank) : -1;
    return i < 0 ? 0 : t->strides[i];
}

bool heed_is_contiguous(const heed_tensor *t)
{
    return heed__check_tensor("is_contiguous", t) && t->contiguous;
}

bool heed_shares_storage(const heed_tensor *a, const heed_tensor *b)
{
    return heed__check_tensor("shares_storage", a) && heed__check_tensor("shares_storage", b) &&
           a->storage == b->storage;
}

/* -- Permission to write ------------------------------------------------------------------------------------------- */

/* Returns true if two indices may address the same element, as on an expanded axis (stride 0). Returns false if every
 * stride exceeds the reach of all axes with smaller strides. */
bool heed__overlaps_itself(const heed_tensor *t)
{
    bool done[HEED_MAX_RANK] = {false};
    int64_t reach = 0; /* of the axes done */
    for (int n = 0; n < t->shape.rank && t->numel > 1 && !t->contiguous; n++) {
        int next = -1;
        for (int i = 0; i < t->shape.rank; i++)
            if (!done[i] && (next < 0 || llabs(t->strides[i]) < llabs(t->strides[next])))
                next = i;
        done[next] = true;
        if (t->shape.dims[next] > 1 && llabs(t->strides[next]) <= reach)
            return true;
        reach += (t->shape.dims[next] - 1) * llabs(t->strides[next]);
    }
    return false;
}

bool heed__begin_write(const char *where, heed_tensor *t)
{
    if (t->requires_grad && heed_grad_enabled())
        return heed_fail_false(
            HEED_ERR_STATE, where,
            "a tensor of shape %s that requires a gradient is written while recording is on: write inside "
            "heed_no_grad_begin()",
            heed_shape_text(t->shape).s);
    if (heed__overlaps_itself(t))
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where, "the elements of a view of shape %s overlap",
                               heed_shape_text(t->shape).s);
    atomic_fetch_add_explicit(&t->storage->version, 1, memory_order_relaxed);
    return true;
}

/* -- Single elements ----------------------------------------------------------------------------------------------- */

double heed__load(heed_dtype dtype, const char *element)
{
    const void *p = element;
    switch (dtype) {
    case HEED_F32:
        return (double)*(const float *)p;
    case HEED_F64:
        return *(const double *)p;
    case HEED_I64:
        return (double)*(const int64_t *)p;
    case HEED_BOOL:
        break;
    }
    return *(const bool *)p ? 1.0 : 0.0;
}

bool heed__store(const char *where, heed_dtype dtype, char *element, double value)
{
    void *p = element;
    switch (dtype) {
    case HEED_F32:
        *(float *)p = (float)value;
        break;
    case HEED_F64:
        *(double *)p = value;
        break;
    case HEED_I64:
        if (!(value >= -0x1p63 && value < 0x1p63 && value == trunc(value)))
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "%g is not a whole number in the range of i64", value);
        *(int64_t *)p = (int64_t)value;
        break;
    case HEED_BOOL:
        *(bool *)p = value != 0.0;
        break;
    }
    return true;
}

/* Returns the address of the element at index, or NULL after heed_fail. */
static char *locate(const char *where, const heed_tensor *t, heed_shape index)
{
    if (!heed__check_elements(where, t))
        return NULL;
    if (index.rank != t->shape.rank)
        return heed_fail_null(HEED_ERR_SHAPE, where, "the index has rank %d, but the tensor has shape %s", index.rank,
                              heed_shape_text(t->shape).s);
    int64_t offset = 0;
    for (int i = 0; i < index.rank; i++) {
        int64_t n = t->shape.dims[i], at = index.dims[i];
        if (at < -n || at >= n)
            return heed_fail_null(HEED_ERR_INDEX, where, "index %" PRId64 " is outside axis %d of shape %s", at, i,
                                  heed_shape_text(t->shape).s);
        offset += (at < 0 ? at + n : at) * t->strides[i];
    }
    return t->data + offset * (int64_t)heed_dtype_size(t->dtype);
}

/* Returns the address of the only element, or NULL after heed_fail. */
static const char *only(const char *where, const heed_tensor *t)
{
    if (!heed__check_elements(where, t))
        return NULL;
    if (t->numel == 1)
        return t->data;
    return heed_fail_null(HEED_ERR_SHAPE, where, "a tensor of shape %s has %" PRId64 " elements, not one",
                          heed_shape_text(t->shape).s, t->numel);
}

/* Reads an i64 or bool element without loss. */
static int64_t load_i64(const char *where, const heed_tensor *t, const char *element)
{
    const void *p = element;
    if (!p)
        return 0;
    if (t->dtype == HEED_I64)
        return *(const int64_t *)p;
    if (t->dtype == HEED_BOOL)
        return *(const bool *)p;
    heed_fail(HEED_ERR_DTYPE, where, "the tensor is %s, not i64 or bool", heed_dtype_name(t->dtype));
    return 0;
}

double heed_item(const heed_tensor *t)
{
    const char *element = only("item", t);
    return element ? heed__load(t->dtype, element) : (double)NAN;
}

int64_t heed_item_i64(const heed_tensor *t)
{
    return load_i64("item_i64", t, only("item_i64", t));
}

double heed_get(const heed_tensor *t, heed_shape index)
{
    const char *element = locate("get", t, index);
    return element ? heed__load(t->dtype, element) : (double)NAN;
}

int64_t heed_get_i64(const heed_tensor *t, heed_shape index)
{
    return load_i64("get_i64", t, locate("get_i64", t, index));
}

heed_status heed_set_(heed_tensor *t, heed_shape index, double value)
{
    char *element = locate("set_", t, index);
    double converted = 0.0; /* holds an element of any dtype, so that a value that does not fit leaves t unchanged */
    if (!element || !heed__store("set_", t->dtype, (char *)&converted, value) || !heed__begin_write("set_", t))
        return heed_error_code();
    memcpy(element, &converted, heed_dtype_size(t->dtype));
    return HEED_OK;
}

/* -- Data pointers ------------------------------------------------------------------------------------------------- */

enum { ANY = HEED_DTYPE_COUNT };

/* Returns the elements of a contiguous tensor, or NULL after heed_fail. Unless dtype is ANY, t must have that dtype. */
static void *data(const char *where, const heed_tensor *t, int dtype)
{
    if (!heed__check_elements(where, t))
        return NULL;
    if (dtype != ANY && (int)t->dtype != dtype)
        return heed_fail_null(HEED_ERR_DTYPE, where, "the tensor is %s, not %s", heed_dtype_name(t->dtype),
                              heed_dtype_name((heed_dtype)dtype));
    if (!t->contiguous)
        return heed_fail_null(HEED_ERR_UNSUPPORTED, where,
                              "a view of shape %s is not contiguous: call heed_contiguous first",
                              heed_shape_text(t->shape).s);
    return t->data;
}

static void *mutable_data(const char *where, heed_tensor *t, int dtype)
{
    void *elements = data(where, t, dtype);
    return elements && heed__begin_write(where, t) ? elements : NULL;
}

const float *heed_data_f32(const heed_tensor *t)
{
    return data("data_f32", t, HEED_F32);
}

const double *heed_data_f64(const heed_tensor *t)
{
    return data("data_f64", t, HEED_F64);
}

const int64_t *heed_data_i64(const heed_tensor *t)
{
    return data("data_i64", t, HEED_I64);
}

const bool *heed_data_bool(const heed_tensor *t)
{
    return data("data_bool", t, HEED_BOOL);
}

const void *heed_data_bytes(const heed_tensor *t)
{
    return data("data_bytes", t, ANY);
}

float *heed_mutable_f32(heed_tensor *t)
{
    return mutable_data("mutable_f32", t, HEED_F32);
}

double *heed_mutable_f64(heed_tensor *t)
{
    return mutable_data("mutable_f64", t, HEED_F64);
}

int64_t *heed_mutable_i64(heed_tensor *t)
{
    return mutable_data("mutable_i64", t, HEED_I64);
}

bool *heed_mutable_bool(heed_tensor *t)
{
    return mutable_data("mutable_bool", t, HEED_BOOL);
}

void *heed_mutable_bytes(heed_tensor *t)
{
    return mutable_data("mutable_bytes", t, ANY);
}

/* -- Filling and copying ------------------------------------------------------------------------------------------- */

heed_status heed_fill_(heed_tensor *t, double value)
{
    if (!heed__check_elements("fill_", t))
        return heed_error_code();
    heed_tensor one = {.dtype = t->dtype, .numel = 1, .contiguous = true};
    double element = 0.0;
    one.data = (char *)&element;
    if (!heed__store("fill_", t->dtype, one.data, value))
        return HEED_ERR_ARGUMENT;
    if (!heed__begin_write("fill_", t))
        return heed_error_code();
    heed__copy(&one, t);
    return HEED_OK;
}

static heed_status check_copy(const heed_tensor *dst, const heed_tensor *src)
{
    heed_shape shape;
    if (!heed_shape_broadcast(src->shape, dst->shape, &shape) || !heed_shape_equal(shape, dst->shape))
        return heed_fail(HEED_ERR_SHAPE, "copy_", "shape %s does not broadcast to %s", heed_shape_text(src->shape).s,
                         heed_shape_text(dst->shape).s);
    return HEED_OK;
}

heed_status heed_copy_(heed_tensor *dst, heed_tensor *src)
{
    HEED_ENTER("copy_");
    if (!heed__check_elements("copy_", dst) || !heed__check_tensor("copy_", src))
        return heed_error_code();
    heed_status status = check_copy(dst, src);
    if (status != HEED_OK)
        return status;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_tensor *from = heed_to_dtype(src, dst->dtype);
    if (from && (from->computed || from->storage == dst->storage))
        from = heed_clone(from);
    heed_retain(from);
    heed_scope_end(scope);
    if (!from)
        return heed_error_code();
    bool allowed = heed__begin_write("copy_", dst);
    if (allowed)
        heed__copy(from, dst);
    heed_release(from);
    return allowed ? HEED_OK : heed_error_code();
}
