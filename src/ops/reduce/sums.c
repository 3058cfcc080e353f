/* ops/reduce/sums.c - sums, means, products and integrals.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/parallel.h"
#include "kernels/simd/compiler.h"
#include "ops/reduce/reduce.h"

/* -- sum ----------------------------------------------------------------------------------------------------------- */

/* y = sum of x over some axes; i64 modulo 2^64; for bool, the number of true elements.
 *
 * dx = g, expanded */

static bool sum_infer(const heed_call *call, heed_meta *out)
{
    const heed__reduce_params *params = call->params;
    const heed_tensor *x = call->inputs[0];
    out->dtype = heed_dtype_is_float(x->dtype) ? x->dtype : HEED_I64;
    out->shape = heed__reduced_shape(&x->shape, params->mask, params->keepdim);
    return true;
}

/* Counts bools as the integers 0 and 1. */
static bool count_true(const heed_tensor *x, unsigned mask, heed_tensor *out)
{
    heed_tensor *numbers = heed__tensor_alloc("sum", HEED_I64, &x->shape);
    if (!numbers)
        return false;
    heed__copy(x, numbers);
    bool done = heed__reduce("sum", heed__sum_i64, numbers, mask, out);
    heed_release(numbers);
    return done;
}

static bool sum_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__reduce_params *params = call->params;
    const heed_tensor *x = call->inputs[0];
    if (x->dtype == HEED_BOOL)
        return count_true(x, params->mask, out[0]);
    heed__reduce_kernel *kernel = x->dtype == HEED_I64 ? heed__sum_i64 : HEED__KERNEL(sum, x->dtype);
    return heed__reduce("sum", kernel, x, params->mask, out[0]);
}

static void sum_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__reduce_params *params = call->params;
    heed_shape shape = heed_call_shape(call, 0);
    heed_tensor *kept = g[0];
    bool leading = (params->mask & (params->mask + 1)) == 0; /* broadcasting restores leading axes */
    if (!params->keepdim && !leading)
        kept = heed_reshape(g[0], heed__reduced_shape(&shape, params->mask, true));
    dx[0] = heed_expand(kept, shape);
}

const heed_op heed_op_sum = {HEED__REDUCTION("sum"), .infer = sum_infer, .forward = sum_forward,
                             .backward = sum_backward};

heed_tensor *heed_sum_axes(heed_tensor *x, heed_shape axes, bool keepdim)
{
    HEED_ENTER("sum_axes");
    return heed__apply_reduction("sum_axes", &heed_op_sum, x, axes, keepdim);
}

heed_tensor *heed_sum(heed_tensor *x)
{
    return heed__apply_reduction("sum", &heed_op_sum, x, HEED_ALL_AXES, false);
}

/* -- sum_to -------------------------------------------------------------------------------------------------------- */

/* y = x summed down to a shape that broadcasts to x's.    dx = g, expanded */
static bool sum_to_infer(const heed_call *call, heed_meta *out)
{
    const heed_shape *shape = call->params;
    const heed_tensor *x = call->inputs[0];
    heed_shape both;
    if (!heed__check_float("sum_to", x))
        return false;
    if (!heed_shape_broadcast(*shape, x->shape, &both) || !heed_shape_equal(both, x->shape))
        return heed_fail_false(HEED_ERR_SHAPE, "sum_to", "%s does not broadcast to %s", heed_shape_text(*shape).s,
                               heed_shape_text(x->shape).s);
    out->dtype = x->dtype;
    out->shape = *shape;
    return true;
}

/* Returns the axes of x to sum over, one bit per axis: the axes that `shape` lacks, and the axes that have size 1 only
 * in `shape`. */
static unsigned summed_axes(const heed_tensor *x, const heed_shape *shape)
{
    unsigned mask = 0;
    int lead = x->shape.rank - shape->rank;
    for (int axis = 0; axis < x->shape.rank; axis++)
        if (axis < lead || (shape->dims[axis - lead] == 1 && x->shape.dims[axis] != 1))
            mask |= 1U << axis;
    return mask;
}

static bool sum_to_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *x = call->inputs[0];
    return heed__reduce("sum_to", HEED__KERNEL(sum, x->dtype), x, summed_axes(x, call->params), out[0]);
}

static void sum_to_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed_expand(g[0], heed_call_shape(call, 0));
}

const heed_op heed_op_sum_to = {
    .name = "sum_to",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed_shape),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(heed_shape, "shape")),
    .infer = sum_to_infer,
    .forward = sum_to_forward,
    .backward = sum_to_backward,
};

heed_tensor *heed_sum_to(heed_tensor *x, heed_shape shape)
{
    if (!heed__check_tensor("sum_to", x) || !heed__check_float("sum_to", x) || !heed__check_shape("sum_to", &shape))
        return NULL;
    if (heed_shape_equal(x->shape, shape))
        return heed__borrow("sum_to", heed_retain(x));
    return heed__apply1(&heed_op_sum_to, x, &shape);
}

/* y = sum(x) / n over some axes.    dx = g / n */

/* Divides by n, because multiplying by 1 / n would round twice: the mean of 49 ones is 1. */
static heed_tensor *mean(const char *where, heed_tensor *x, heed_shape axes, bool keepdim)
{
    HEED_ENTER(where);
    unsigned mask = 0;
    if (!heed__check_reduced(where, x, axes, &mask))
        return NULL;
    double n = 1.0;
    for (int axis = 0; axis < x->shape.rank; axis++)
        if (mask >> axis & 1)
            n *= (double)x->shape.dims[axis];
    return heed_div(heed_sum_axes(x, axes, keepdim), heed_full(x->dtype, HEED_SCALAR, n));
}

heed_tensor *heed_mean_axes(heed_tensor *x, heed_shape axes, bool keepdim)
{
    return mean("mean_axes", x, axes, keepdim);
}

heed_tensor *heed_mean(heed_tensor *x)
{
    return mean("mean", x, HEED_ALL_AXES, false);
}

/* -- nansum and nanmean -------------------------------------------------------------------------------------------- */

/* y = sum of the elements other than NaN.    dx = g, 0 at NaN */
static heed_tensor *sum_without_nan(heed_tensor *x, heed_shape axes, bool keepdim)
{
    return heed_sum_axes(heed_masked_fill(x, heed_isnan(x), 0), axes, keepdim);
}

heed_tensor *heed_nansum(heed_tensor *x, heed_shape axes, bool keepdim)
{
    HEED_ENTER("nansum");
    unsigned mask;
    if (!heed__check_tensor("nansum", x) || !heed__axis_mask("nansum", axes, x->shape.rank, &mask))
        return NULL;
    if (!heed_dtype_is_float(x->dtype))
        return heed_sum_axes(x, axes, keepdim);
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, sum_without_nan(x, axes, keepdim)) : NULL;
}

/* y = nansum / n, n elements other than NaN.    dx = g / n, 0 at NaN */
heed_tensor *heed_nanmean(heed_tensor *x, heed_shape axes, bool keepdim)
{
    HEED_ENTER("nanmean");
    unsigned mask;
    if (!heed__check_reduced("nanmean", x, axes, &mask))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *n = heed_to_dtype(heed_sum_axes(heed_logical_not(heed_isnan(x)), axes, keepdim), x->dtype);
    return heed_scope_return(scope, heed_div(sum_without_nan(x, axes, keepdim), n));
}

/* -- prod ---------------------------------------------------------------------------------------------------------- */

/* y = product of x over some axes.    dx = g times the product of the other elements
 *
 * Multiplies the first half of the elements by the second half until one element remains. Thus no gradient divides by
 * an element of x, which may be 0. */

/* Reduces x (n, ...) to (...); n must be at least 1. */
static heed_tensor *fold_product(heed_tensor *x, int64_t n)
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
        return heed_reshape(fold_product(rows, n), shape);
    heed_tensor *zeros = heed_sum_axes(rows, HEED_AXES(0), false); /* empty sums, to keep x in the graph */
    return heed_reshape(heed_add(zeros, heed_ones(x->dtype, HEED_SCALAR)), shape);
}

heed_tensor *heed_prod(heed_tensor *x, heed_shape axes, bool keepdim)
{
    HEED_ENTER("prod");
    unsigned mask = 0;
    if (!heed__check_tensor("prod", x) || !heed__axis_mask("prod", axes, x->shape.rank, &mask))
        return NULL;
    if (!heed__check_number_dtype("prod", x))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    return scope ? heed_scope_return(scope, product(x, mask, keepdim)) : NULL;
}

/* -- cumsum and cumprod -------------------------------------------------------------------------------------------- */

enum { STRIP = 64, GRAIN = 16384 }; /* STRIP: columns scanned together. GRAIN: minimum elements of a range */

typedef struct scan {
    heed__axis_split split;
    heed_dtype dtype;
    bool product; /* or a sum */
    const void *x;
    void *y;
} scan;

static int64_t strips_of(const heed__axis_split *split)
{
    return (split->inner + STRIP - 1) / STRIP;
}

/* Sums or multiplies along `width` columns from element `start`. f32 is computed in f64, i64 modulo 2^64. dtype and
 * product are constants. */
static ALWAYS_INLINE void scan_columns(heed_dtype dtype, bool product, const scan *c, int64_t start, int64_t width)
{
    const float *x32 = (const float *)c->x + start;
    const double *x64 = (const double *)c->x + start;
    const uint64_t *x = (const uint64_t *)c->x + start;
    float *restrict y32 = (float *)c->y + start;
    double *restrict y64 = (double *)c->y + start;
    uint64_t *restrict y = (uint64_t *)c->y + start, integers[STRIP];
    double total[STRIP];
    for (int64_t i = 0; i < width; i++)
        total[i] = (double)(integers[i] = product);
    for (int64_t j = 0, row = 0; j < c->split.size; j++, row += c->split.inner)
        for (int64_t i = 0; i < width; i++) {
            const double value = dtype == HEED_F32 ? (double)x32[row + i] : dtype == HEED_F64 ? x64[row + i] : 0;
            total[i] = product ? total[i] * value : total[i] + value;
            if (dtype == HEED_F32)
                y32[row + i] = (float)total[i];
            else if (dtype == HEED_F64)
                y64[row + i] = total[i];
            else
                y[row + i] = integers[i] = product ? integers[i] * x[row + i] : integers[i] + x[row + i];
        }
}

static ALWAYS_INLINE void scan_strips(heed_dtype dtype, bool product, const scan *c, int64_t begin, int64_t end)
{
    const int64_t strips = strips_of(&c->split), inner = c->split.inner;
    for (int64_t item = begin; item < end; item++) {
        const int64_t first = item % strips * STRIP, start = item / strips * c->split.size * inner + first;
        const int64_t width = inner - first < STRIP ? inner - first : STRIP;
        if (width == 1)
            scan_columns(dtype, product, c, start, 1);
        else
            scan_columns(dtype, product, c, start, width);
    }
}

static ALWAYS_INLINE void scan_dtypes(bool product, const scan *c, int64_t begin, int64_t end)
{
    if (c->dtype == HEED_F32)
        scan_strips(HEED_F32, product, c, begin, end);
    else if (c->dtype == HEED_F64)
        scan_strips(HEED_F64, product, c, begin, end);
    else
        scan_strips(HEED_I64, product, c, begin, end);
}

static void scan_range(int64_t begin, int64_t end, void *context)
{
    const scan *c = context;
    if (c->product)
        scan_dtypes(true, c, begin, end);
    else
        scan_dtypes(false, c, begin, end);
}

static bool scan_infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *x = call->inputs[0];
    *out = (heed_meta){.dtype = x->dtype, .shape = x->shape};
    return heed__axis_of(call->op->name, *(const int *)call->params, x->shape.rank) >= 0 &&
           heed__check_number_dtype(call->op->name, x);
}

static bool scan_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *x = call->inputs[0];
    scan c = {heed__split_at(&x->shape, *(const int *)call->params), x->dtype, call->op == &heed_op_cumprod, x->data,
              out[0]->data};
    const int64_t cost = c.split.size * (c.split.inner < STRIP ? c.split.inner : STRIP);
    if (x->numel > 0)
        heed__parallel_for(c.split.outer * strips_of(&c.split), cost < GRAIN ? GRAIN / cost : 1, cost, scan_range, &c);
    return true;
}

/* The fields that the records (heed_op) have in common. */
#define SCAN(name_)                                                                                                    \
    .name = (name_), .n_inputs = 1, .n_outputs = 1, .params_size = sizeof(int),                                        \
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(int, "axis")), .contiguous = true, .infer = scan_infer,                     \
    .forward = scan_forward

static heed_tensor *scan_along(const heed_op *op, heed_tensor *x, int axis)
{
    if (!heed__check_tensor(op->name, x) || (axis = heed__axis_of(op->name, axis, x->shape.rank)) < 0)
        return NULL;
    return heed__apply1(op, x, &axis);
}

/* y[i] = x[0] + ... + x[i] along an axis.    dx[i] = g[i] + g[i + 1] + ... */
static void cumsum_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const int axis = *(const int *)call->params;
    dx[0] = heed_flip(heed_cumsum(heed_flip(g[0], HEED_AXES(axis)), axis), HEED_AXES(axis));
}

const heed_op heed_op_cumsum = {SCAN("cumsum"), .backward = cumsum_backward};

heed_tensor *heed_cumsum(heed_tensor *x, int axis)
{
    return scan_along(&heed_op_cumsum, x, axis);
}

/* y[i] = x[0] ... x[i] along an axis.    dx[i] = x[0] ... x[i - 1] s[i], s[i] = g[i] + x[i + 1] s[i + 1]
 *
 * No gradient divides by an element of x, which may be 0. */

/* Returns s, of n > 1 elements along the axis: first the sums of one term, then of 2, 4, ... terms. */
static heed_tensor *sums_of_products(heed_tensor *x, heed_tensor *g, int axis, int64_t n)
{
    heed_tensor *s = g, *factors = heed_slice(x, axis, 1, HEED_END, 1); /* factors[i] = x[i + 1] ... x[i + terms] */
    for (int64_t terms = 1; terms < n; terms *= 2) {
        heed_tensor *more = heed_mul(factors, heed_slice(s, axis, terms, HEED_END, 1));
        s = heed_add(s, heed_unslice(more, axis, 0, 1, n));
        if (2 * terms < n)
            factors =
                heed_mul(heed_slice(factors, axis, 0, n - 2 * terms, 1), heed_slice(factors, axis, terms, HEED_END, 1));
    }
    return s;
}

static void cumprod_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const int axis = *(const int *)call->params;
    heed_shape shape = heed_call_shape(call, 0);
    const int64_t n = shape.dims[axis];
    dx[0] = g[0];
    if (n < 2)
        return;
    shape.dims[axis] = 1;
    heed_tensor *before = heed_slice(call->outputs[0], axis, 0, n - 1, 1);
    before = heed_concat(HEED_TENSORS(heed_ones(g[0]->dtype, shape), before), axis);
    dx[0] = heed_mul(before, sums_of_products(call->inputs[0], g[0], axis, n));
}

const heed_op heed_op_cumprod = {SCAN("cumprod"), .saved = HEED_SAVE_INPUTS | HEED_SAVE_OUTPUTS,
                                 .backward = cumprod_backward};

heed_tensor *heed_cumprod(heed_tensor *x, int axis)
{
    return scan_along(&heed_op_cumprod, x, axis);
}

/* -- trapezoid ----------------------------------------------------------------------------------------------------- */

/* The integral of y over an axis, by the trapezoidal rule: sum of (y[i] + y[i - 1]) width[i] / 2 */

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

/* Checks y and x, and replaces a negative *axis by its index counted from the front. Returns false after heed_fail. */
static bool check_points(const heed_tensor *y, const heed_tensor *x, double dx, int *axis)
{
    if (!heed__check_tensor("trapezoid", y) || !heed__check_float("trapezoid", y) ||
        (x && !heed__check_pair("trapezoid", y, x)) || (*axis = heed__axis_of("trapezoid", *axis, y->shape.rank)) < 0)
        return false;
    if (!x == (dx == 0.0))
        return heed_fail_false(HEED_ERR_ARGUMENT, "trapezoid", "x is %s, dx is %g: give either x or a dx other than 0",
                               x ? "a tensor" : "NULL", dx);
    return true;
}

heed_tensor *heed_trapezoid(heed_tensor *y, heed_tensor *x, double dx, int axis)
{
    HEED_ENTER("trapezoid");
    if (!check_points(y, x, dx, &axis))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *areas = neighbours(heed_add, y, axis);
    if (x)
        areas = heed_mul(areas, widths(y, x, axis));
    const double width = x ? 1.0 : y->dtype == HEED_F32 ? (double)(float)dx : dx;
    return heed_scope_return(scope, heed_mul_scalar(heed_sum_axes(areas, HEED_AXES(axis), false), width / 2));
}
