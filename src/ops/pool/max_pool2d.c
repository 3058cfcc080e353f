/* ops/pool/max_pool2d.c    y, indices = the largest element of every window and its index.    dx = scatter_sum(g,
 * indices) */

#include "core/memory.h"
#include "core/parallel.h"
#include "ops/pool/pool.h"

enum { Y, INDEX, OUTPUTS };

typedef struct max_job {
    heed_dtype dtype;
    heed__pool_args args;
    const char *from; /* x or g */
    char *to;         /* y or dx */
    int64_t *index;
} max_job;

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed__pool *pool = call->params;
    const heed_tensor *x = call->inputs[0];
    if (!heed__check_pool(call, pool->size))
        return false;
    out[Y] = (heed_meta){x->dtype, heed__pool_shape(pool, &x->shape, pool->out)};
    out[INDEX] = (heed_meta){HEED_I64, out[Y].shape};
    return heed__check_shape(call->op->name, &out[Y].shape);
}

static void run_planes(int64_t begin, int64_t end, void *context)
{
    const max_job *job = context;
    HEED__RUN(max_pool, job->dtype, &job->args, begin, end, job->from, job->to, job->index);
}

static void run_grad_planes(int64_t begin, int64_t end, void *context)
{
    const max_job *job = context;
    HEED__RUN(max_pool_grad, job->dtype, &job->args, begin, end, job->index, job->from, job->to);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__pool *pool = call->params;
    const heed_tensor *x = call->inputs[0];
    max_job job = {.dtype = x->dtype, .from = x->data, .to = out[Y]->data, .index = (void *)out[INDEX]->data};
    if (x->numel == 0)
        return true;
    heed__windows windows;
    if (!heed__windows_begin("max_pool2d", pool, &windows))
        return false;
    job.args = windows.args;
    const heed__planes planes = heed__planes_of(&job.args, x->numel, pool->size);
    heed__parallel_for(planes.count, planes.grain, planes.cost, run_planes, &job);
    heed__windows_end(&windows);
    return true;
}

static heed_tensor *rows(heed_tensor *t, int64_t size)
{
    return heed_reshape(t, HEED_SHAPE(heed_numel(t) / size, size));
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__pool *pool = call->params;
    const heed_shape shape = heed_call_shape(call, 0);
    const int64_t size = pool->size[0] * pool->size[1], out = pool->out[0] * pool->out[1];
    heed_tensor *index = rows(call->outputs[INDEX], out);
    const heed_shape planes = HEED_SHAPE(heed_shape_numel(shape) / size, size);
    dx[0] = heed_reshape(heed_scatter_sum(rows(g[0], out), 1, index, planes), shape);
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__pool *pool = call->params;
    const heed_shape shape = heed_call_shape(call, 0);
    const heed_tensor *dense = heed_contiguous(g[0]);
    heed_tensor *found = dense ? heed__tensor_new("max_pool2d", dense->dtype, &shape) : NULL;
    if (!found)
        return;
    max_job job = {.dtype = found->dtype,
                   .args = {.size = {pool->size[0], pool->size[1]}, .out = {pool->out[0], pool->out[1]}},
                   .from = dense->data,
                   .to = found->data,
                   .index = (void *)call->outputs[INDEX]->data};
    const heed__planes planes = heed__planes_of(&job.args, found->numel, pool->size);
    heed__parallel_for(planes.count, planes.grain, planes.cost, run_grad_planes, &job);
    dx[0] = found;
}

const heed_op heed_op_max_pool2d = {
    .name = "max_pool2d",
    .n_inputs = 1,
    .n_outputs = OUTPUTS,
    .params_size = sizeof(heed__pool),
    .fields = HEED__POOL_FIELDS,
    .saved = HEED_SAVE_OUTPUTS,
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed__max_pool(heed_tensor *x, const heed__pool *pool, heed_tensor **indices)
{
    heed_tensor *out[OUTPUTS] = {NULL};
    (void)heed_apply_all(&heed_op_max_pool2d, &x, 1, pool, out);
    if (indices)
        *indices = out[INDEX];
    return out[Y];
}

heed_tensor *heed_max_pool2d(heed_tensor *x, heed_shape kernel, const heed_max_pool_options *options,
                             heed_tensor **indices)
{
    heed__pool pool;
    if (indices)
        *indices = NULL;
    return heed__pool_of("max_pool2d", 2, x, &kernel, options, &pool) ? heed__max_pool(x, &pool, indices) : NULL;
}
