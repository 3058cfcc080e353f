/* ops/reduce/trapezoid.c    the integral of y over an axis, by the trapezoidal rule: sum of (y[i] + y[i - 1]) width[i]
 * / 2 */

#include "ops/support.h"

/* Returns join(t[i], t[i - 1]) for all neighbours on an axis. `join` is heed_add or heed_sub. */
static heed_tensor *neighbours(heed_tensor *(*join)(heed_tensor *, heed_tensor *), heed_tensor *t, int axis)
{
    return join(heed_slice(t, axis, 1, HEED_END, 1), heed_slice(t, axis, 0, -1, 1));
}

/* The widths of the intervals, shaped to broadcast with the sums of y. NULL after heed_fail. */
static heed_tensor *widths(const heed_tensor *y, heed_tensor *x, int axis)
{
    const int at = x->shape.rank == 1 ? 0 : axis;
    if ((x->shape.rank != 1 && x->shape.rank != y->shape.rank) || x->shape.dims[at] != y->shape.dims[axis])
        return heed_fail_null(HEED_ERR_SHAPE, "trapezoid", "x %s does not fit y %s along axis %d",
                              heed_shape_text(x->shape).s, heed_shape_text(y->shape).s, axis);
    heed_tensor *width = neighbours(heed_sub, x, at);
    if (!width || x->shape.rank > 1)
        return width;
    const heed_shape shape = {.rank = y->shape.rank - axis, .dims = {width->shape.dims[0], 1, 1, 1, 1, 1, 1, 1}};
    return heed_reshape(width, shape);
}

heed_tensor *heed_trapezoid(heed_tensor *y, heed_tensor *x, int axis)
{
    HEED_ENTER("trapezoid");
    if (!heed__check_tensor("trapezoid", y) || !heed__check_tensor("trapezoid", x) ||
        !heed__check_pair("trapezoid", y, x) || (axis = heed__axis_of("trapezoid", axis, y->shape.rank)) < 0)
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *areas = heed_mul(neighbours(heed_add, y, axis), widths(y, x, axis));
    return heed_scope_return(scope, heed_mul_scalar(heed_sum_axes(areas, HEED_AXES(axis), false), 0.5));
}

heed_tensor *heed_trapezoid_scalar(heed_tensor *y, double dx, int axis)
{
    HEED_ENTER("trapezoid_scalar");
    if (!heed__check_tensor("trapezoid_scalar", y) || !heed__check_float("trapezoid_scalar", y) ||
        (axis = heed__axis_of("trapezoid_scalar", axis, y->shape.rank)) < 0)
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *sum = heed_sum_axes(neighbours(heed_add, y, axis), HEED_AXES(axis), false);
    const double rounded = y->dtype == HEED_F32 ? (double)(float)dx : dx;
    return heed_scope_return(scope, heed_mul_scalar(sum, rounded / 2));
}
