/* ops/product/linear.c    y = x w^T + b: the rows of x, whatever its leading axes, as one matrix.
 *
 *     dx = g w    dw = g^T x    db = the sum of g's rows */

#include "ops/product/linear.h"

#include <inttypes.h>

#include "ops/elementwise/pair.h"
#include "ops/product/multiply.h"

enum { X, W, B };

/* -- Shapes -------------------------------------------------------------------------------------------------------- */

bool heed__linear_infer(const heed_call *call, heed_meta *out)
{
    const char *name = call->op->name;
    const heed_tensor *x = call->inputs[X], *w = call->inputs[W], *b = call->n_inputs > B ? call->inputs[B] : NULL;
    if (!heed__check_pair(name, x, w) || (b && !heed__check_pair(name, w, b)))
        return false;
    if (x->shape.rank < 1 || w->shape.rank != 2)
        return heed_fail_false(HEED_ERR_SHAPE, name, "takes x (..., in) and w (out, in), not %s and %s",
                               heed_shape_text(x->shape).s, heed_shape_text(w->shape).s);
    if (x->shape.dims[x->shape.rank - 1] != w->shape.dims[1])
        return heed_fail_false(HEED_ERR_SHAPE, name, "x %s has %" PRId64 " features, w %s takes %" PRId64,
                               heed_shape_text(x->shape).s, x->shape.dims[x->shape.rank - 1],
                               heed_shape_text(w->shape).s, w->shape.dims[1]);
    if (b && (b->shape.rank != 1 || b->shape.dims[0] != w->shape.dims[0]))
        return heed_fail_false(HEED_ERR_SHAPE, name, "the bias has shape %s, w %s", heed_shape_text(b->shape).s,
                               heed_shape_text(w->shape).s);
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

/* The leading axes of a tensor as one, without a copy where they lie evenly. */
typedef struct matrix {
    heed_tensor *held; /* what `data` is of */
    const void *data;
    int64_t rows, row, column; /* the last two are strides */
} matrix;

/* Whether all leading axes together are one axis with a stride, *row. */
static bool is_even(const heed_tensor *t, int64_t *row)
{
    int64_t next = 0; /* the stride that an axis has to have */
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

/* A contiguous t: itself or a copy; owned by the caller. */
static heed_tensor *dense(const char *where, heed_tensor *t)
{
    if (t->contiguous)
        return heed_retain(t);
    heed_tensor *copy = heed__tensor_alloc(where, t->dtype, &t->shape);
    if (copy)
        heed__copy(t, copy);
    return copy;
}

/* False after heed_fail. */
static bool open_matrix(const char *where, heed_tensor *t, matrix *m)
{
    int64_t row;
    m->held = t->numel > 0 && is_even(t, &row) ? heed_retain(t) : dense(where, t);
    if (!m->held)
        return false;
    m->data = m->held->data;
    m->rows = rows_of(&t->shape);
    m->column = m->held->strides[t->shape.rank - 1];
    m->row = t->numel > 0 && is_even(m->held, &row) ? row : 0;
    return true;
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

bool heed__linear_forward(const heed_call *call, heed_unary_kernel *activation, heed_tensor *out)
{
    const char *name = call->op->name;
    const heed_tensor *w = call->inputs[W];
    matrix x;
    if (!open_matrix(name, call->inputs[X], &x))
        return false;
    heed_tensor *b = call->n_inputs > B ? dense(name, call->inputs[B]) : NULL;
    bool done = (b || call->n_inputs <= B) && heed__multiply(name, out->dtype,
                                                             &(heed_matmul_args){.m = x.rows,
                                                                                 .n = w->shape.dims[0],
                                                                                 .k = w->shape.dims[1],
                                                                                 .a = x.data,
                                                                                 .a_row = x.row,
                                                                                 .a_col = x.column,
                                                                                 .b = w->data,
                                                                                 .b_row = w->strides[1],
                                                                                 .b_col = w->strides[0],
                                                                                 .c = out->data,
                                                                                 .batches = 1,
                                                                                 .bias = b ? b->data : NULL,
                                                                                 .activation = activation});
    heed_release(b);
    heed_release(x.held);
    return done;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    return heed__linear_forward(call, NULL, out[0]);
}

/* -- Gradients ----------------------------------------------------------------------------------------------------- */

void heed__linear_backward(const heed_call *call, heed_tensor *g, heed_tensor **dx)
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

static heed_tensor *gradient_of_x(const heed_call *call, const matrix *g)
{
    const heed_tensor *x = call->inputs[X], *w = call->inputs[W];
    heed_tensor *dx = heed__tensor_new(call->op->name, x->dtype, &x->shape);
    bool done = dx && heed__multiply(call->op->name, x->dtype,
                                     &(heed_matmul_args){.m = g->rows,
                                                         .n = w->shape.dims[1],
                                                         .k = w->shape.dims[0],
                                                         .a = g->data,
                                                         .a_row = g->row,
                                                         .a_col = g->column,
                                                         .b = w->data,
                                                         .b_row = w->strides[0],
                                                         .b_col = w->strides[1],
                                                         .c = dx->data,
                                                         .batches = 1});
    return done ? dx : NULL;
}

static heed_tensor *gradient_of_w(const heed_call *call, const matrix *g)
{
    const heed_tensor *w = call->inputs[W];
    matrix x;
    if (!open_matrix(call->op->name, call->inputs[X], &x))
        return NULL;
    heed_tensor *dw = heed__tensor_new(call->op->name, w->dtype, &w->shape);
    bool done = dw && heed__multiply(call->op->name, w->dtype,
                                     &(heed_matmul_args){.m = w->shape.dims[0],
                                                         .n = w->shape.dims[1],
                                                         .k = g->rows,
                                                         .a = g->data,
                                                         .a_row = g->column,
                                                         .a_col = g->row,
                                                         .b = x.data,
                                                         .b_row = x.row,
                                                         .b_col = x.column,
                                                         .c = dw->data,
                                                         .batches = 1});
    heed_release(x.held);
    return done ? dw : NULL;
}

static heed_tensor *gradient_of_b(const heed_call *call, const heed_tensor *g)
{
    int leading = g->shape.rank - 1;
    heed_shape shape = HEED_SHAPE(g->shape.dims[leading]);
    heed_tensor *db = heed__tensor_new(call->op->name, g->dtype, &shape);
    bool done = db && heed__reduce(call->op->name, heed__kernels(g->dtype)->sum, g, (1u << leading) - 1, db);
    return done ? db : NULL;
}

void heed__linear_backward_fused(const heed_call *call, heed_tensor *g, heed_tensor **dx)
{
    matrix m;
    if (!g || !open_matrix(call->op->name, g, &m))
        return;
    if (heed_call_needs(call, X))
        dx[X] = gradient_of_x(call, &m);
    if (heed_call_needs(call, W))
        dx[W] = gradient_of_w(call, &m);
    if (call->n_inputs > B && heed_call_needs(call, B))
        dx[B] = gradient_of_b(call, m.held);
    heed_release(m.held);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed__linear_backward(call, g[0], dx);
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed__linear_backward_fused(call, g[0], dx);
}

/* -- The op -------------------------------------------------------------------------------------------------------- */

const heed_op heed_op_linear = {
    .name = "linear",
    .n_inputs = B,
    .max_inputs = B + 1,
    .n_outputs = 1,
    .keeps = HEED_KEEP_INPUT(0) | HEED_KEEP_INPUT(1),
    .infer = heed__linear_infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed__apply_linear(const heed_op *op, heed_tensor *x, heed_tensor *w, heed_tensor *b, const void *params)
{
    return heed_apply(op, (heed_tensor *[]){x, w, b}, b ? 3 : 2, params);
}

heed_tensor *heed_linear(heed_tensor *x, heed_tensor *w, heed_tensor *b)
{
    return heed__apply_linear(&heed_op_linear, x, w, b, NULL);
}
