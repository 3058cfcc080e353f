/* ops/pool/avg_pool2d.c    y = the mean of every window.    dx = the adjoint applied to g: this op with `adjoint`
 * inverted */

#include "core/parallel.h"
#include "ops/pool/pool.h"

typedef struct avg_job {
    heed__avg_pool_kernel *kernel;
    heed__pool_args args;
    const char *from;
    char *to;
} avg_job;

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed__pool *pool = call->params;
    const heed_tensor *x = call->inputs[0];
    if (!heed__check_pool(call, pool->adjoint ? pool->out : pool->size))
        return false;
    *out = (heed_meta){x->dtype, heed__pool_shape(pool, &x->shape, pool->adjoint ? pool->size : pool->out)};
    return heed__check_shape(call->op->name, &out->shape);
}

static void run_planes(int64_t begin, int64_t end, char *scratch, void *context)
{
    const avg_job *job = context;
    job->kernel(&job->args, begin, end, job->from, job->to, (double *)(void *)scratch);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__pool *pool = call->params;
    const heed_tensor *x = call->inputs[0];
    avg_job job = {.kernel = pool->adjoint ? HEED__KERNEL(avg_pool_grad, x->dtype) : HEED__KERNEL(avg_pool, x->dtype),
                   .from = x->data,
                   .to = out[0]->data};
    if (x->numel == 0)
        return true;
    heed__windows windows;
    if (!heed__windows_begin("avg_pool2d", pool, &windows))
        return false;
    job.args = windows.args;
    const heed__planes planes = heed__planes_of(&job.args, x->numel, pool->adjoint ? pool->out : pool->size);
    const bool done = heed__parallel_for_scratch("avg_pool2d", planes.count, planes.grain, planes.cost,
                                                 pool->size[1] * (int64_t)sizeof(double), run_planes, &job);
    heed__windows_end(&windows);
    return done;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed__pool pool = *(const heed__pool *)call->params;
    pool.adjoint = !pool.adjoint;
    dx[0] = heed__avg_pool(g[0], &pool);
}

const heed_op heed_op_avg_pool2d = {
    .name = "avg_pool2d",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(heed__pool),
    .fields = HEED__POOL_FIELDS,
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed__avg_pool(heed_tensor *x, const heed__pool *pool)
{
    return heed__apply1(&heed_op_avg_pool2d, x, pool);
}

heed_tensor *heed_avg_pool2d(heed_tensor *x, heed_shape kernel, const heed_avg_pool_options *options)
{
    heed__pool pool;
    return heed__avg_pool_of("avg_pool2d", 2, x, &kernel, options, &pool) ? heed__avg_pool(x, &pool) : NULL;
}
