/* ops/norm/layer_norm.c    y = h weight + bias, h = (x - mean) f, f = 1 / sqrt(variance + eps), over the last axes of x.
 *
 * With a = g weight:  dx = f (a - mean(a) - h mean(a h)),  dweight = sum of g h,  dbias = sum of g  over the other axes
 */

#include <float.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "ops/support.h"

typedef struct norm_params {
    heed_shape shape; /* of what is normalised */
    double eps;
} norm_params;

/* The inputs: WEIGHT and BIAS may be left out, from the end. */
enum { X, WEIGHT, BIAS, MAX_INPUTS };

/* -- Rows ---------------------------------------------------------------------------------------------------------- */

/* Rows whose share of dweight and dbias is one sum; element operations of a range of the parallel loop, at least. */
enum { BLOCK_ROWS = 32, RANGE_WORK = 32768, ELEMENT_WORK = 8 };

typedef struct norm_job {
    const heed__kernel_table *kernels;
    heed__layer_norm_args args;
    int64_t rows, blocks;
    int64_t row_bytes;
    const char *x, *g; /* g NULL: forward */
    char *y;           /* or dx */
    char *dweight;     /* (blocks, n) each, or NULL */
    char *dbias;
} norm_job;

static void run_blocks(int64_t begin, int64_t end, void *context)
{
    const norm_job *job = context;
    for (int64_t block = begin; block < end; block++) {
        int64_t first = block * BLOCK_ROWS, at = first * job->row_bytes, sums = block * job->row_bytes;
        int64_t rows = job->rows - first < BLOCK_ROWS ? job->rows - first : BLOCK_ROWS;
        if (job->g)
            job->kernels->layer_norm_grad(&job->args, rows, job->x + at, job->g + at, job->y + at,
                                          job->dweight ? job->dweight + sums : NULL,
                                          job->dbias ? job->dbias + sums : NULL);
        else
            job->kernels->layer_norm(&job->args, rows, job->x + at, job->y + at);
    }
}

/* `blocks` and `row_bytes` stay 0 where x is empty. x contiguous; weight NULL where there is none. */
static norm_job run_of(const norm_params *params, const heed_tensor *x, const heed_tensor *weight)
{
    norm_job job = {
        .kernels = heed__kernels(x->dtype),
        .args = {.n = heed_shape_numel(params->shape), .eps = params->eps, .weight = weight ? weight->data : NULL},
        .rows = 1,
        .x = x->data};
    for (int axis = 0; axis < x->shape.rank - params->shape.rank; axis++)
        job.rows *= x->shape.dims[axis];
    if (x->numel > 0) {
        job.blocks = (job.rows - 1) / BLOCK_ROWS + 1;
        job.row_bytes = job.args.n * (int64_t)heed_dtype_size(x->dtype);
    }
    return job;
}

static void run_all(norm_job *job)
{
    if (job->blocks == 0)
        return;
    int64_t work = job->args.n * BLOCK_ROWS * ELEMENT_WORK;
    heed__parallel_for(job->blocks, work < RANGE_WORK ? RANGE_WORK / work : 1, work, run_blocks, job);
}

/* -- The op -------------------------------------------------------------------------------------------------------- */

static heed_tensor *given(const heed_call *call, int input)
{
    return input < call->n_inputs ? call->inputs[input] : NULL;
}

static bool needs(const heed_call *call, int input)
{
    return input < call->n_inputs && heed_call_needs(call, input);
}

/* True for NULL. */
static bool check_parameter(const char *name, const heed_tensor *t, const norm_params *params, heed_dtype dtype)
{
    if (!t)
        return true;
    if (t->dtype != dtype)
        return heed_fail_false(HEED_ERR_DTYPE, "layer_norm", "x is %s, the %s is %s", heed_dtype_name(dtype), name,
                               heed_dtype_name(t->dtype));
    if (!heed__same_shape(&t->shape, &params->shape))
        return heed_fail_false(HEED_ERR_SHAPE, "layer_norm", "the %s has shape %s, what is normalised has %s", name,
                               heed_shape_text(t->shape).s, heed_shape_text(params->shape).s);
    return true;
}

static bool infer(const heed_call *call, heed_meta *out)
{
    const norm_params *params = call->params;
    const heed_tensor *x = call->inputs[X];
    int rank = params->shape.rank, leading = x->shape.rank - rank;
    bool fits = rank >= 1 && leading >= 0;
    for (int axis = 0; fits && axis < rank; axis++)
        fits = x->shape.dims[leading + axis] == params->shape.dims[axis];
    if (!fits)
        return heed_fail_false(HEED_ERR_SHAPE, "layer_norm", "x %s does not end in the axes %s",
                               heed_shape_text(x->shape).s, heed_shape_text(params->shape).s);
    return heed_infer_same(call, out) && check_parameter("weight", given(call, WEIGHT), params, x->dtype) &&
           check_parameter("bias", given(call, BIAS), params, x->dtype);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *bias = given(call, BIAS);
    norm_job job = run_of(call->params, call->inputs[X], given(call, WEIGHT));
    job.args.bias = bias ? bias->data : NULL;
    job.y = out[0]->data;
    run_all(&job);
    return true;
}

/* -- Gradients ----------------------------------------------------------------------------------------------------- */

static heed_tensor *mean_of_rows(heed_tensor *x)
{
    return heed_mean_axes(x, HEED_AXES(1), true);
}

/* All as (rows, n). Centred twice, as the kernel does it. */
static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const norm_params *params = call->params;
    heed_tensor *x = call->inputs[X], *weight = given(call, WEIGHT);
    norm_job job = run_of(params, x, NULL);
    heed_shape matrix = HEED_SHAPE(job.rows, job.args.n), row = HEED_SHAPE(job.args.n);
    heed_tensor *rows = heed_reshape(x, matrix), *a = heed_reshape(g[0], matrix);
    heed_tensor *centred = heed_sub(rows, mean_of_rows(rows));
    centred = heed_sub(centred, mean_of_rows(centred));
    heed_tensor *variance = mean_of_rows(heed_square(centred));
    heed_tensor *factor = heed_pow_scalar(heed_add_scalar(variance, params->eps), -0.5);
    heed_tensor *h = heed_mul(centred, factor);
    if (needs(call, WEIGHT))
        dx[WEIGHT] = heed_reshape(heed_mul(a, h), x->shape);
    if (needs(call, BIAS))
        dx[BIAS] = g[0];
    if (!needs(call, X))
        return;
    if (weight)
        a = heed_mul(a, heed_reshape(weight, row));
    heed_tensor *spread = heed_sub(heed_sub(a, mean_of_rows(a)), heed_mul(h, mean_of_rows(heed_mul(a, h))));
    dx[X] = heed_reshape(heed_mul(factor, spread), x->shape);
}

/* Sums `parts` (blocks, n) in the order of the blocks. */
static heed_tensor *total(const norm_job *job, const char *parts, heed_dtype dtype, const heed_shape *shape)
{
    heed_tensor *sum = heed__tensor_new("layer_norm", dtype, shape);
    if (sum)
        job->kernels->sum(1, job->blocks, job->args.n, parts, sum->data);
    return sum;
}

/* Room for the sums of each block that are wanted; false after heed_fail. */
static bool get_room(const heed_call *call, norm_job *job, size_t bytes)
{
    bool weight = needs(call, WEIGHT), bias = needs(call, BIAS);
    job->dweight = weight ? heed__alloc("layer_norm", bytes) : NULL;
    job->dbias = bias ? heed__alloc("layer_norm", bytes) : NULL;
    return (job->dweight || !weight) && (job->dbias || !bias);
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const norm_params *params = call->params;
    heed_tensor *x = heed_contiguous(call->inputs[X]), *dense = heed_contiguous(g[0]);
    heed_tensor *kept = given(call, WEIGHT), *weight = kept ? heed_contiguous(kept) : NULL;
    bool ready = x && dense && (weight || !kept);
    heed_tensor *found = ready ? heed__tensor_new("layer_norm", x->dtype, &x->shape) : NULL;
    if (!found)
        return;
    norm_job job = run_of(params, x, weight);
    size_t bytes = (size_t)(job.blocks * job.row_bytes);
    job.g = dense->data;
    job.y = found->data;
    if (get_room(call, &job, bytes)) {
        run_all(&job);
        dx[X] = found;
        if (job.dweight)
            dx[WEIGHT] = total(&job, job.dweight, x->dtype, &params->shape);
        if (job.dbias)
            dx[BIAS] = total(&job, job.dbias, x->dtype, &params->shape);
    }
    heed_free(job.dweight, bytes);
    heed_free(job.dbias, bytes);
}

const heed_op heed_op_layer_norm = {
    .name = "layer_norm",
    .n_inputs = 1,
    .max_inputs = MAX_INPUTS,
    .n_outputs = 1,
    .params_size = sizeof(norm_params),
    .keeps = HEED_KEEP_INPUT(0) | HEED_KEEP_INPUT(1),
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed_layer_norm(heed_tensor *x, heed_shape shape, heed_tensor *weight, heed_tensor *bias, double eps)
{
    if (!heed__check_shape("layer_norm", &shape))
        return NULL;
    if (!(eps >= 0 && eps <= DBL_MAX))
        return heed_fail_null(HEED_ERR_ARGUMENT, "layer_norm", "eps is %g: must be finite and not negative", eps);
    if (x && bias && !weight) {
        HEED_ENTER("layer_norm");
        weight = heed_expand(heed_ones(x->dtype, HEED_SCALAR), shape);
        if (!weight)
            return NULL;
    }
    const double least = x && x->dtype == HEED_F32 ? (double)FLT_MIN : DBL_MIN; /* 0 / 0 is NaN */
    eps = eps > 0 && eps < least ? least : eps;
    int n = !weight ? 1 : !bias ? 2 : MAX_INPUTS;
    return heed_apply(&heed_op_layer_norm, (heed_tensor *[]){x, weight, bias}, n,
                      &(norm_params){.shape = shape, .eps = eps});
}
