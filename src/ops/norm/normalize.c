/* ops/norm/normalize.c - normalisation of rows, y = h weight + bias, h = (x - mean) f, f = 1 / sqrt(variance + eps);
 * see normalize.h.
 *
 * With a = g weight:  dx = f (a - mean(a) - h mean(a h)),  dweight = sum of g h,  dbias = sum of g  over all rows.
 * Without centring, mean and mean(a) are omitted, and the variance is the mean square. */

#include <float.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "ops/norm/normalize.h"
#include "ops/rescale.h"

/* The inputs; BIAS, or WEIGHT and BIAS, may be omitted. */
enum { X, WEIGHT, BIAS };

/* -- Rows ---------------------------------------------------------------------------------------------------------- */

/* BLOCK_ROWS: rows per partial sum of dweight and dbias. RANGE_WORK: minimum element operations of a range of the
 * parallel loop. ELEMENT_WORK: operations per element. */
enum { BLOCK_ROWS = 32, RANGE_WORK = 32768, ELEMENT_WORK = 8 };

typedef struct norm_job {
    heed_dtype dtype;
    heed__layer_norm_args args;
    int64_t rows, blocks;
    int64_t row_bytes;
    const char *x, *g; /* g is NULL in forward */
    char *y;           /* y or dx */
    char *dweight;     /* dweight and dbias: (blocks, n), or NULL */
    char *dbias;
} norm_job;

static void run_blocks(int64_t begin, int64_t end, void *context)
{
    const norm_job *job = context;
    for (int64_t block = begin; block < end; block++) {
        int64_t first = block * BLOCK_ROWS, at = first * job->row_bytes, sums = block * job->row_bytes;
        int64_t rows = job->rows - first < BLOCK_ROWS ? job->rows - first : BLOCK_ROWS;
        if (job->g)
            HEED__RUN(layer_norm_grad, job->dtype, &job->args, rows, job->x + at, job->g + at, job->y + at,
                      job->dweight ? job->dweight + sums : NULL, job->dbias ? job->dbias + sums : NULL);
        else
            HEED__RUN(layer_norm, job->dtype, &job->args, rows, job->x + at, job->y + at);
    }
}

/* `blocks` and `row_bytes` stay 0 if x is empty. x must be contiguous; weight may be NULL. */
static norm_job new_job(const heed__norm_params *params, const heed_tensor *x, const heed_tensor *weight)
{
    norm_job job = {.dtype = x->dtype,
                    .args = {.n = heed_shape_numel(params->shape),
                             .eps = params->eps,
                             .uncentred = params->uncentred,
                             .weight = weight ? weight->data : NULL},
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

heed_tensor *heed__norm_given(const heed_call *call, int input)
{
    return input < call->n_inputs ? call->inputs[input] : NULL;
}

bool heed__norm_needs(const heed_call *call, int input)
{
    return input < call->n_inputs && heed_call_needs(call, input);
}

/* Checks the weight or bias. Returns true if the call lacks it, and false after heed_fail. */
static bool check_parameter(const heed_call *call, int input, const char *name)
{
    const heed__norm_params *params = call->params;
    const heed_tensor *x = call->inputs[X], *t = heed__norm_given(call, input);
    if (!t)
        return true;
    if (t->dtype != x->dtype)
        return heed_fail_false(HEED_ERR_DTYPE, call->op->name, "x is %s, the %s is %s: must have the same dtype",
                               heed_dtype_name(x->dtype), name, heed_dtype_name(t->dtype));
    if (!heed__same_shape(&t->shape, &params->shape))
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "the %s has shape %s: must be %s, the normalised axes",
                               name, heed_shape_text(t->shape).s, heed_shape_text(params->shape).s);
    return true;
}

bool heed__norm_infer(const heed_call *call, heed_meta *out)
{
    const heed__norm_params *params = call->params;
    const heed_tensor *x = call->inputs[X];
    int rank = params->shape.rank, leading = x->shape.rank - rank;
    bool fits = rank >= 1 && leading >= 0;
    for (int axis = 0; fits && axis < rank; axis++)
        fits = x->shape.dims[leading + axis] == params->shape.dims[axis];
    if (!fits)
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "x %s does not end in the axes %s",
                               heed_shape_text(x->shape).s, heed_shape_text(params->shape).s);
    return heed_infer_same(call, out) && check_parameter(call, WEIGHT, "weight") && check_parameter(call, BIAS, "bias");
}

bool heed__norm_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *bias = heed__norm_given(call, BIAS);
    norm_job job = new_job(call->params, call->inputs[X], heed__norm_given(call, WEIGHT));
    job.args.bias = bias ? bias->data : NULL;
    job.y = out[0]->data;
    run_all(&job);
    return true;
}

/* -- Gradients ----------------------------------------------------------------------------------------------------- */

/* Returns x - mean, or x if `uncentred`, and sets *square to the mean of the result's square. Subtracts the mean twice,
 * as the kernels do. */
static heed_tensor *centre(heed_tensor *x, heed_shape axes, bool uncentred, heed_tensor **square)
{
    for (int i = 0; !uncentred && i < 2; i++)
        x = heed_sub(x, heed_mean_axes(x, axes, true));
    *square = heed_mean_axes(heed_square(x), axes, true);
    return x;
}

heed__normalized heed__normalize(heed_tensor *x, heed_shape axes, double eps, bool uncentred)
{
    heed_tensor *square, *centred = centre(x, axes, uncentred, &square);
    heed_tensor *spread = heed_add_scalar(square, eps);
    heed__powers powers = {.p = 2.0, .centred = !uncentred, .by_sum = true, .terms = 1.0};
    heed__rescaled r = {.rows = NULL};
    if (x && heed__axis_mask("normalize", axes, x->shape.rank, &powers.mask) && heed__rescale(x, &powers, spread, &r)) {
        centred = centre(r.x, axes, uncentred, &square);
        spread = r.by ? heed_add(square, heed_mul(heed_mul_scalar(r.by, eps), r.by)) : heed_add_scalar(square, eps);
    }
    heed_tensor *factor = heed_pow_scalar(spread, -0.5);
    return (heed__normalized){.h = heed_mul(centred, factor), .factor = factor, .by = r.by};
}

heed_tensor *heed__normalized_product(const heed__normalized *of, heed_tensor *a)
{
    if (!a || !of->h)
        return NULL;
    return heed_to_dtype(heed_mul(heed_to_dtype(a, of->h->dtype), of->h), a->dtype);
}

heed_tensor *heed__normalize_gradient(const heed__normalized *of, heed_tensor *a, heed_shape axes, bool uncentred)
{
    if (!a || !of->h)
        return NULL;
    const heed_dtype dtype = a->dtype;
    a = heed_to_dtype(a, of->h->dtype);
    heed_tensor *slope = heed_mul(of->h, heed_mean_axes(heed_mul(a, of->h), axes, true));
    heed_tensor *centred = uncentred ? a : heed_sub(a, heed_mean_axes(a, axes, true));
    heed_tensor *dx = heed_mul(of->factor, heed_sub(centred, slope));
    return heed_to_dtype(of->by ? heed_mul(dx, of->by) : dx, dtype);
}

/* Computes with x as (rows, n). */
void heed__norm_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__norm_params *params = call->params;
    heed_tensor *x = call->inputs[X], *weight = heed__norm_given(call, WEIGHT);
    norm_job job = new_job(params, x, NULL);
    const heed_shape matrix = HEED_SHAPE(job.rows, job.args.n), rows = HEED_AXES(1);
    heed_tensor *a = heed_reshape(g[0], matrix);
    const heed__normalized of = heed__normalize(heed_reshape(x, matrix), rows, params->eps, params->uncentred);
    if (heed__norm_needs(call, WEIGHT))
        dx[WEIGHT] = heed_reshape(heed__normalized_product(&of, a), x->shape);
    if (heed__norm_needs(call, BIAS))
        dx[BIAS] = g[0];
    if (!heed__norm_needs(call, X))
        return;
    if (weight)
        a = heed_mul(a, heed_reshape(weight, HEED_SHAPE(job.args.n)));
    dx[X] = heed_reshape(heed__normalize_gradient(&of, a, rows, params->uncentred), x->shape);
}

/* Returns the sum of `parts` (blocks, n) over the blocks, added in their order. NULL after heed_fail. */
static heed_tensor *total(const heed_call *call, const norm_job *job, const char *parts)
{
    const heed__norm_params *params = call->params;
    heed_tensor *sum = heed__tensor_new(call->op->name, call->inputs[X]->dtype, &params->shape);
    if (sum)
        HEED__RUN(sum, job->dtype, 1, job->blocks, job->args.n, parts, sum->data);
    return sum;
}

/* Allocates the requested sums per block. Returns false after heed_fail. */
static bool alloc_sums(const heed_call *call, norm_job *job, size_t bytes)
{
    bool weight = heed__norm_needs(call, WEIGHT), bias = heed__norm_needs(call, BIAS);
    job->dweight = weight ? heed__alloc(call->op->name, bytes) : NULL;
    job->dbias = bias ? heed__alloc(call->op->name, bytes) : NULL;
    return (job->dweight || !weight) && (job->dbias || !bias);
}

void heed__norm_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__norm_params *params = call->params;
    heed_tensor *x = heed_contiguous(call->inputs[X]), *dense = heed_contiguous(g[0]);
    heed_tensor *kept = heed__norm_given(call, WEIGHT), *weight = kept ? heed_contiguous(kept) : NULL;
    bool ready = x && dense && (weight || !kept);
    heed_tensor *found = ready ? heed__tensor_new(call->op->name, x->dtype, &x->shape) : NULL;
    if (!found)
        return;
    norm_job job = new_job(params, x, weight);
    size_t bytes = (size_t)(job.blocks * job.row_bytes);
    job.g = dense->data;
    job.y = found->data;
    if (alloc_sums(call, &job, bytes)) {
        run_all(&job);
        dx[X] = found;
        if (job.dweight)
            dx[WEIGHT] = total(call, &job, job.dweight);
        if (job.dbias)
            dx[BIAS] = total(call, &job, job.dbias);
    }
    heed_free(job.dweight, bytes);
    heed_free(job.dbias, bytes);
}

/* -- Checks and the call of the op --------------------------------------------------------------------------------- */

bool heed__norm_check_eps(const char *where, const heed_tensor *x, double *eps)
{
    if (!(*eps >= 0 && *eps <= DBL_MAX))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "eps is %g: must be finite and not negative", *eps);
    const double least = x && x->dtype == HEED_F32 ? (double)FLT_MIN : DBL_MIN; /* below this, 0 / 0 could give NaN */
    *eps = *eps > 0 && *eps < least ? least : *eps;
    return true;
}

bool heed__norm_check_channels(const char *where, const heed_tensor *x)
{
    if (!heed__check_tensor(where, x) || !heed__check_float(where, x))
        return false;
    return x->shape.rank >= 2 ||
           heed_fail_false(HEED_ERR_SHAPE, where, "x is %s: must be (B, C, ...)", heed_shape_text(x->shape).s);
}

heed_tensor *heed__norm_apply(const heed_op *op, const heed__norm_params *params, heed_tensor *x, heed_tensor *weight,
                              heed_tensor *bias)
{
    heed__norm_params p = *params;
    if (!heed__check_shape(op->name, &p.shape) || !heed__norm_check_eps(op->name, x, &p.eps))
        return NULL;
    return heed_apply(op, (heed_tensor *[]){x, weight, bias}, !weight ? 1 : !bias ? 2 : 3, &p);
}
