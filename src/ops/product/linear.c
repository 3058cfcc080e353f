/* ops/product/linear.c - linear, y = x w^T + b, and linear_activated. The rows of x, over all leading axes, form one
 * matrix.
 *
 *     dx = g w    dw = g^T x    db = the sum of g's rows
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "ops/product/multiply.h"

enum { X, W, B };

/* -- Shapes -------------------------------------------------------------------------------------------------------- */

static bool linear_infer(const heed_call *call, heed_meta *out)
{
    const char *name = call->op->name;
    const heed_tensor *x = call->inputs[X], *w = call->inputs[W], *b = call->n_inputs > B ? call->inputs[B] : NULL;
    if (!heed__check_pair(name, x, w) || (b && !heed__check_pair(name, w, b)))
        return false;
    if (x->shape.rank < 1 || w->shape.rank != 2)
        return heed_fail_false(HEED_ERR_SHAPE, name, "x %s and w %s: must be (..., in) and (out, in)",
                               heed_shape_text(x->shape).s, heed_shape_text(w->shape).s);
    if (x->shape.dims[x->shape.rank - 1] != w->shape.dims[1])
        return heed_fail_false(HEED_ERR_SHAPE, name, "x %s has %" PRId64 " features, w %s takes %" PRId64,
                               heed_shape_text(x->shape).s, x->shape.dims[x->shape.rank - 1],
                               heed_shape_text(w->shape).s, w->shape.dims[1]);
    if (b && (b->shape.rank != 1 || b->shape.dims[0] != w->shape.dims[0]))
        return heed_fail_false(HEED_ERR_SHAPE, name, "the bias has shape %s: must be (out) for w %s",
                               heed_shape_text(b->shape).s, heed_shape_text(w->shape).s);
    out->dtype = x->dtype;
    out->shape = x->shape;
    out->shape.dims[x->shape.rank - 1] = w->shape.dims[0];
    return true;
}

static int64_t rows_of(const heed_shape *shape)
{
    int64_t rows = 1;
    for (int axis = 0; axis < shape->rank - 1; axis++)
        rows *= shape->dims[axis];
    return rows;
}

/* -- Matrices ------------------------------------------------------------------------------------------------------ */

/* A matrix with arbitrary strides. */
typedef struct matrix {
    const void *data;
    int64_t rows, columns, row, column; /* row and column are strides */
    heed_tensor *held;                  /* the owner of `data`; NULL if it is borrowed */
} matrix;

static matrix transposed(matrix m)
{
    return (matrix){m.data, m.columns, m.rows, m.column, m.row, m.held};
}

static matrix matrix_of(const heed_tensor *w)
{
    return (matrix){w->data, w->shape.dims[0], w->shape.dims[1], w->strides[0], w->strides[1], NULL};
}

/* c = a b */
static heed__matmul_args product(matrix a, matrix b, const heed_tensor *c)
{
    return (heed__matmul_args){
        .m = a.rows,
        .n = b.columns,
        .k = a.columns,
        .a = a.data,
        .a_row = a.row,
        .a_col = a.column,
        .b = b.data,
        .b_row = b.row,
        .b_col = b.column,
        .c = c->data,
        .batches = 1,
    };
}

/* Returns true if the leading axes can be merged into one; *row becomes the stride of the merged axis. */
static bool is_even(const heed_tensor *t, int64_t *row)
{
    int64_t next = 0; /* the stride that the next axis must have */
    bool any = false;
    *row = 0;
    for (int axis = t->shape.rank - 2; axis >= 0; axis--) {
        int64_t size = t->shape.dims[axis], stride = t->strides[axis];
        if (size == 1)
            continue;
        if (any && stride != next)
            return false;
        if (!any)
            *row = stride;
        any = true;
        next = stride * size;
    }
    return true;
}

/* Merges the leading axes of t into one, without a copy if their strides allow it. Returns false after heed_fail. */
static bool open_matrix(const char *where, heed_tensor *t, matrix *m)
{
    int64_t row;
    int last = t->shape.rank - 1;
    m->held = t->numel > 0 && is_even(t, &row) ? heed_retain(t) : heed__dense(where, t);
    if (!m->held)
        return false;
    m->data = m->held->data;
    m->rows = rows_of(&t->shape);
    m->columns = t->shape.dims[last];
    m->column = m->held->strides[last];
    m->row = t->numel > 0 && is_even(m->held, &row) ? row : 0;
    return true;
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

/* out = activation(x w^T + b); the activation may be NULL. */
static bool product_forward(const heed_call *call, heed__unary_kernel *activation, heed_tensor *out)
{
    const char *name = call->op->name;
    matrix x;
    if (!open_matrix(name, call->inputs[X], &x))
        return false;
    heed_tensor *b = call->n_inputs > B ? heed__dense(name, call->inputs[B]) : NULL;
    heed__matmul_args args = product(x, transposed(matrix_of(call->inputs[W])), out);
    args.bias = b ? b->data : NULL;
    args.activation = activation;
    bool done = (b || call->n_inputs <= B) && heed__multiply(name, out->dtype, &args);
    heed_release(b);
    heed_release(x.held);
    return done;
}

static bool linear_forward(const heed_call *call, heed_tensor *const *out)
{
    return product_forward(call, NULL, out[0]);
}

/* -- Gradients ----------------------------------------------------------------------------------------------------- */

/* Set the gradients of the inputs, given the gradient g of x w^T + b: composed of ops, and by kernels (fused). */
static void product_backward(const heed_call *call, heed_tensor *g, heed_tensor **dx)
{
    heed_tensor *x = call->inputs[X], *w = call->inputs[W];
    int64_t rows = rows_of(&x->shape), out = w->shape.dims[0], in = w->shape.dims[1];
    heed_tensor *matrix_g = heed_reshape(g, HEED_SHAPE(1, rows, out));
    if (heed_call_needs(call, X))
        dx[X] = heed_reshape(heed_bmm(matrix_g, heed_reshape(w, HEED_SHAPE(1, out, in))), x->shape);
    if (heed_call_needs(call, W))
        dx[W] = heed_reshape(heed_bmm_t(matrix_g, true, heed_reshape(x, HEED_SHAPE(1, rows, in)), false), w->shape);
    if (call->n_inputs > B && heed_call_needs(call, B))
        dx[B] = g;
}

static heed_tensor *new_product(const char *name, matrix a, matrix b, const heed_tensor *like)
{
    heed_tensor *c = heed__tensor_new(name, like->dtype, &like->shape);
    if (!c)
        return NULL;
    const heed__matmul_args args = product(a, b, c);
    return heed__multiply(name, c->dtype, &args) ? c : NULL;
}

static heed_tensor *gradient_of_w(const heed_call *call, matrix g)
{
    matrix x;
    if (!open_matrix(call->op->name, call->inputs[X], &x))
        return NULL;
    heed_tensor *dw = new_product(call->op->name, transposed(g), x, call->inputs[W]);
    heed_release(x.held);
    return dw;
}

static heed_tensor *gradient_of_b(const heed_call *call, const heed_tensor *g)
{
    int leading = g->shape.rank - 1;
    heed_shape shape = HEED_SHAPE(g->shape.dims[leading]);
    heed_tensor *db = heed__tensor_new(call->op->name, g->dtype, &shape);
    bool done = db && heed__reduce(call->op->name, HEED__KERNEL(sum, g->dtype), g, (1u << leading) - 1, db);
    return done ? db : NULL;
}

static void product_backward_fused(const heed_call *call, heed_tensor *g, heed_tensor **dx)
{
    matrix m;
    if (!g || !open_matrix(call->op->name, g, &m))
        return;
    if (heed_call_needs(call, X))
        dx[X] = new_product(call->op->name, m, matrix_of(call->inputs[W]), call->inputs[X]);
    if (heed_call_needs(call, W))
        dx[W] = gradient_of_w(call, m);
    if (call->n_inputs > B && heed_call_needs(call, B))
        dx[B] = gradient_of_b(call, m.held);
    heed_release(m.held);
}

static void linear_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    product_backward(call, g[0], dx);
}

static void linear_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    product_backward_fused(call, g[0], dx);
}

static int64_t linear_multiply_adds(const heed_call *call)
{
    const heed_shape x = heed_call_shape(call, X), w = heed_call_shape(call, W);
    const int64_t one = heed__numel(&x) * w.dims[0];
    return call->outputs ? one * (heed_call_needs(call, X) + heed_call_needs(call, W)) : one;
}

/* -- linear -------------------------------------------------------------------------------------------------------- */

const heed_op heed_op_linear = {
    .name = "linear",
    .n_inputs = B,
    .max_inputs = B + 1,
    .n_outputs = 1,
    .saved = HEED_SAVE_INPUT(0) | HEED_SAVE_INPUT(1),
    .infer = linear_infer,
    .forward = linear_forward,
    .backward = linear_backward,
    .backward_fused = linear_backward_fused,
    .multiply_adds = linear_multiply_adds,
};

static heed_tensor *apply_linear(const heed_op *op, heed_tensor *x, heed_tensor *w, heed_tensor *b, const void *params)
{
    return heed_apply(op, (heed_tensor *[]){x, w, b}, b ? 3 : 2, params);
}

heed_tensor *heed_linear(heed_tensor *x, heed_tensor *w, heed_tensor *b)
{
    return apply_linear(&heed_op_linear, x, w, b, NULL);
}

/* -- linear_activated ---------------------------------------------------------------------------------------------- */

/* y = f(x w^T + b) with f = relu, tanh or sigmoid, applied while y is in the cache. The derivative of f can be computed
 * from y, so x w^T + b is not saved. This is not possible for gelu, which is therefore applied by a second op.
 *
 *     with s = g f':   dx = s w    dw = s^T x    db = the sum of s's rows */
typedef enum fused { RELU, TANH, SIGMOID } fused;

typedef struct activated_params {
    fused activation;
} activated_params;

static fused activation_of(const heed_call *call)
{
    const activated_params *params = call->params;
    return params->activation;
}

static bool activated_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_dtype dtype = out[0]->dtype;
    const fused f = activation_of(call);
    heed__unary_kernel *activation = f == RELU   ? HEED__KERNEL(relu, dtype)
                                     : f == TANH ? HEED__KERNEL(tanh, dtype)
                                                 : HEED__KERNEL(sigmoid, dtype);
    return product_forward(call, activation, out[0]);
}

/* Returns g f', computed from y as relu, tanh and sigmoid do. */
static heed_tensor *through(fused f, heed_tensor *y, heed_tensor *g)
{
    if (f == TANH)
        return heed_mul(g, heed_rsub_scalar(heed_square(y), 1.0));
    if (f == SIGMOID)
        return heed_mul(g, heed_mul(y, heed_rsub_scalar(y, 1.0)));
    heed_tensor *zero = heed_zeros(g->dtype, HEED_SCALAR);
    return heed_where(heed_compare(y, HEED_COMPARE_GT, zero), g, zero);
}

static void activated_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    product_backward(call, through(activation_of(call), call->outputs[0], g[0]), dx);
}

static void activated_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = call->outputs[0];
    const heed_dtype dtype = y->dtype;
    const fused f = activation_of(call);
    heed__binary_kernel *grad = f == RELU   ? HEED__KERNEL(relu_grad, dtype)
                                : f == TANH ? HEED__KERNEL(tanh_grad, dtype)
                                            : HEED__KERNEL(sigmoid_grad, dtype);
    product_backward_fused(call, heed__new_map2(call->op->name, grad, y, g[0], NULL), dx);
}

const heed_op heed_op_linear_activated = {
    .name = "linear_activated",
    .n_inputs = 2,
    .max_inputs = 3,
    .n_outputs = 1,
    .params_size = sizeof(activated_params),
    .fields = HEED_FIELDS(HEED_FIELD(activated_params, activation)),
    .saved = HEED_SAVE_INPUT(0) | HEED_SAVE_INPUT(1) | HEED_SAVE_OUTPUTS,
    .infer = linear_infer,
    .forward = activated_forward,
    .backward = activated_backward,
    .backward_fused = activated_backward_fused,
    .multiply_adds = linear_multiply_adds,
};

static heed_tensor *activate(heed_activation activation, heed_tensor *x)
{
    heed_callback call = heed_callback_begin("the activation");
    heed_tensor *y = activation(x);
    if (!heed_callback_end(&call))
        return NULL;
    return y ? y : heed_fail_null(HEED_ERR_STATE, "linear_activated", "the activation returned NULL");
}

heed_tensor *heed_linear_activated(heed_tensor *x, heed_tensor *w, heed_tensor *b, heed_activation activation)
{
    HEED_ENTER("linear_activated");
    bool is_relu = activation == heed_relu, is_tanh = activation == heed_tanh;
    if (is_relu || is_tanh || activation == heed_sigmoid) {
        activated_params params = {is_relu ? RELU : is_tanh ? TANH : SIGMOID};
        return apply_linear(&heed_op_linear_activated, x, w, b, &params);
    }
    heed_tensor *y = heed_linear(x, w, b);
    return y && activation ? activate(activation, y) : y;
}
