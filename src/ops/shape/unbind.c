/* ops/shape/unbind.c - the views x[0], x[1], ... along an axis, without that axis. */

#include "ops/shape/parts.h"

heed_status heed_unbind(heed_tensor *x, int axis, heed_tensor **parts, int n)
{
    HEED_ENTER("unbind");
    if (!heed__check_parts("unbind", x, &axis, parts, n) ||
        !heed__check_count("unbind", x, axis, x->shape.dims[axis], n))
        return heed_error_code();
    for (int i = 0; i < n; i++)
        parts[i] = heed_select(x, axis, i);
    return heed__parts_status(parts, n);
}
