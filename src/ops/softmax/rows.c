/* ops/softmax/rows.c - ops along the last axis, on contiguous rows. See ops/softmax/rows.h. */

#include "ops/softmax/rows.h"

bool heed__infer_rows(const heed_call *call, heed_meta *out)
{
    if (call->inputs[0]->shape.rank < 1)
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "x is a scalar: must have at least one axis");
    return heed_infer_same(call, out);
}

typedef struct rows_job {
    heed__rows_kernel *kernel;
    heed__rows_grad_kernel *grad_kernel;
    int64_t n;
    int64_t in_bytes, out_bytes; /* bytes per row */
    const char *x, *g;
    char *y;
} rows_job;

static void run_rows(int64_t begin, int64_t end, void *context)
{
    const rows_job *job = context;
    const char *x = job->x + begin * job->in_bytes;
    char *y = job->y + begin * job->out_bytes;
    if (job->kernel)
        job->kernel(end - begin, job->n, x, y);
    else
        job->grad_kernel(end - begin, job->n, x, job->g + begin * job->in_bytes, y);
}

/* RANGE_WORK: minimum element operations of a range of the parallel loop. EXP_WORK: element operations that one exp
 * counts as. */
enum { RANGE_WORK = 32768, EXP_WORK = 8 };

void heed__for_rows(int64_t rows, int64_t n, heed__range_fn *fn, void *context)
{
    int64_t work = n > 0 ? n * EXP_WORK : 1;
    heed__parallel_for(rows, work < RANGE_WORK ? RANGE_WORK / work : 1, work, fn, context);
}

static void run_all(rows_job *job, const heed_tensor *x, heed_tensor *y)
{
    int last = x->shape.rank - 1;
    int64_t rows = 1, size = (int64_t)heed_dtype_size(x->dtype);
    for (int axis = 0; axis < last; axis++)
        rows *= x->shape.dims[axis];
    if (y->numel == 0)
        return;
    job->n = x->shape.dims[last];
    job->x = x->data;
    job->y = y->data;
    job->in_bytes = job->n * size;
    job->out_bytes = y->numel / rows * size;
    heed__for_rows(rows, job->n, run_rows, job);
}

void heed__rows(heed__rows_kernel *kernel, const heed_tensor *x, heed_tensor *y)
{
    run_all(&(rows_job){.kernel = kernel}, x, y);
}

heed_tensor *heed__new_rows_grad(const char *where, heed__rows_grad_kernel *kernel, heed_tensor *y, heed_tensor *g)
{
    heed_tensor *dense = heed_contiguous(g);
    heed_tensor *dx = dense ? heed__tensor_new(where, y->dtype, &y->shape) : NULL;
    if (dx)
        run_all(&(rows_job){.grad_kernel = kernel, .g = dense->data}, y, dx);
    return dx;
}

heed_tensor *heed__apply_along(const heed_op *op, heed_tensor *x, int axis, const void *params)
{
    int last = x->shape.rank - 1;
    if (axis == last)
        return heed__apply1(op, x, params);
    HEED_ENTER(op->name);
    return heed_transpose(heed__apply1(op, heed_transpose(x, axis, last), params), axis, last);
}
