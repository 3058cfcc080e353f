/* ops/reduce/prod.c    y = product of x over some axes.    dx = g times the product of the other elements
 *
 * Multiplies the first half of the elements by the second half until one element remains. Thus no gradient divides by
 * an element of x, which may be 0. */

#include "ops/support.h"

/* Reduces x (n, ...) to (...); n must be at least 1. */
static heed_tensor *fold(heed_tensor *x, int64_t n)
{
    heed_tensor *odd = NULL; /* product of the elements left over from odd n */
    for (; x && n > 1; n /= 2) {
        if (n % 2 == 1) {
            heed_tensor *last = heed_select(x, 0, n - 1);
            odd = odd ? heed_mul(odd, last) : last;
            if (!odd)
                return NULL;
        }
        x = heed_mul(heed_slice(x, 0, 0, n / 2, 1), heed_slice(x, 0, n / 2, n / 2 * 2, 1));
    }
    heed_tensor *y = heed_select(x, 0, 0);
    return odd ? heed_mul(y, odd) : y;
}

/* Returns x with the axes in `mask`, at least one, moved to the front and merged into one axis, whose size is *n. */
static heed_tensor *in_front(heed_tensor *x, unsigned mask, int64_t *n)
{
    heed_shape order = {.rank = 0}, shape = {.rank = 1};
    *n = 1;
    for (int pass = 1; pass >= 0; pass--)
        for (int axis = 0; axis < x->shape.rank; axis++) {
            if ((mask >> axis & 1) != (unsigned)pass)
                continue;
            order.dims[order.rank++] = axis;
            if (pass == 1)
                *n *= x->shape.dims[axis];
            else
                shape.dims[shape.rank++] = x->shape.dims[axis];
        }
    shape.dims[0] = *n;
    return heed_reshape(heed_permute(x, order), shape);
}

static heed_tensor *product(heed_tensor *x, unsigned mask, bool keepdim)
{
    const heed_shape shape = heed__reduced_shape(&x->shape, mask, keepdim);
    if (mask == 0)
        return heed_clone(x);
    int64_t n;
    heed_tensor *rows = in_front(x, mask, &n);
    if (n > 0)
        return heed_reshape(fold(rows, n), shape);
    heed_tensor *zeros = heed_sum_axes(rows, HEED_AXES(0), false); /* empty sums, to keep x in the graph */
    return heed_reshape(heed_add(zeros, heed_ones(x->dtype, HEED_SCALAR)), shape);
}

static heed_tensor *prod(const char *where, heed_tensor *x, heed_shape axes, bool keepdim)
{
    HEED_ENTER(where);
    unsigned mask = 0;
    if (!heed__check_tensor(where, x) || !heed__axis_mask(where, axes, x->shape.rank, &mask))
        return NULL;
    if (x->dtype == HEED_BOOL)
        return heed_fail_null(HEED_ERR_DTYPE, where, "the tensor is bool %s: must be f32, f64 or i64",
                              heed_shape_text(x->shape).s);
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, product(x, mask, keepdim)) : NULL;
}

heed_tensor *heed_prod_axes(heed_tensor *x, heed_shape axes, bool keepdim)
{
    return prod("prod_axes", x, axes, keepdim);
}

heed_tensor *heed_prod(heed_tensor *x)
{
    return prod("prod", x, HEED_ALL_AXES, false);
}
