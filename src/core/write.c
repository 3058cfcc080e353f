/* core/write.c - writes in place: permission, filling, copying. */

#include <stdlib.h>

#include <heed/ops.h>

#include "core/loop.h"

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

heed_status heed_fill_(heed_tensor *t, double value)
{
    if (!heed__check_tensor("fill_", t))
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
    if (!heed__check_tensor("copy_", dst) || !heed__check_tensor("copy_", src))
        return heed_error_code();
    heed_status status = check_copy(dst, src);
    if (status != HEED_OK)
        return status;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_tensor *from = heed_to_dtype(src, dst->dtype);
    if (from && from->storage == dst->storage)
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
