/* ops/shape/parts.c - see parts.h. */

#include "ops/shape/parts.h"

#include <inttypes.h>

#include "core/parallel.h"

bool heed__check_parts(const char *where, const heed_tensor *x, int *axis, heed_tensor **parts, int n)
{
    if (!heed__check_tensor(where, x) || (*axis = heed__axis_of(where, *axis, x->shape.rank)) < 0)
        return false;
    if (!parts)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "parts is NULL");
    if (n < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "n is %d: must be at least 0", n);
    return true;
}

bool heed__check_count(const char *where, const heed_tensor *x, int axis, int64_t count, int n)
{
    if (count == n)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "n is %d, but axis %d of %s makes %" PRId64 " parts", n, axis,
                           heed_shape_text(x->shape).s, count);
}

/* An empty axis makes one empty part. */
heed_status heed__equal_parts(const char *where, heed_tensor *x, int axis, int64_t size, heed_tensor **parts, int n)
{
    int64_t whole = x->shape.dims[axis];
    if (!heed__check_count(where, x, axis, whole > 0 ? heed__ceil_div(whole, size) : 1, n))
        return heed_error_code();
    for (int64_t i = 0; i < n; i++)
        parts[i] = heed_slice(x, axis, i * size, i < n - 1 ? (i + 1) * size : whole, 1);
    return heed__parts_status(parts, n);
}

heed_status heed__parts_status(heed_tensor **parts, int n)
{
    bool all = true;
    for (int i = 0; i < n; i++)
        all = all && parts[i];
    for (int i = 0; i < n && !all; i++)
        parts[i] = NULL;
    return all ? HEED_OK : heed_error_code();
}
