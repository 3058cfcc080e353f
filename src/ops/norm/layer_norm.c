/* ops/norm/layer_norm.c - normalisation of rows (layer_norm, rms_norm) and of groups of channels (group_norm,
 * instance_norm): y = h weight + bias, h = (x - mean) f, f = 1 / sqrt(variance + eps).
 *
 * With a = g weight:  dx = f (a - mean(a) - h mean(a h)),  dweight = sum of g h,  dbias = sum of g  over all rows.
 * Without centring, mean and mean(a) are omitted, and the variance is the mean square.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <inttypes.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "ops/norm/norm.h"
#include "ops/rescale.h"

/* The params of layer_norm and rms_norm. */
typedef struct norm_params {
    heed_shape shape; /* shape of the normalised axes */
    double eps;
    bool uncentred; /* true: the mean is taken as 0 */
} norm_params;

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
        const heed__norm_grads grads = {job->x + at, job->g ? job->g + at : NULL, job->y + at,
                                        job->dweight ? job->dweight + sums : NULL,
                                        job->dbias ? job->dbias + sums : NULL};
        if (job->g)
            HEED__RUN(layer_norm_grad, job->dtype, &job->args, rows, &grads);
        else
            HEED__RUN(layer_norm, job->dtype, &job->args, rows, job->x + at, job->y + at);
    }
}

/* `blocks` and `row_bytes` stay 0 if x is empty. x must be contiguous; weight may be NULL. */
static norm_job new_job(const norm_params *params, const heed_tensor *x, const heed_tensor *weight)
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

static void run_norm(norm_job *job)
{
    if (job->blocks == 0)
        return;
    int64_t work = job->args.n * BLOCK_ROWS * ELEMENT_WORK;
    heed__parallel_for(job->blocks, work < RANGE_WORK ? RANGE_WORK / work : 1, work, run_blocks, job);
}

/* -- Checks -------------------------------------------------------------------------------------------------------- */

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
static bool check_row_parameter(const heed_call *call, int input, const char *name)
{
    const norm_params *params = call->params;
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

static bool norm_infer(const heed_call *call, heed_meta *out)
{
    const norm_params *params = call->params;
    const heed_tensor *x = call->inputs[X];
    int rank = params->shape.rank, leading = x->shape.rank - rank;
    bool fits = rank >= 1 && leading >= 0;
    for (int axis = 0; fits && axis < rank; axis++)
        fits = x->shape.dims[leading + axis] == params->shape.dims[axis];
    if (!fits)
        return heed_fail_false(HEED_ERR_SHAPE, call->op->name, "x %s does not end in the axes %s",
                               heed_shape_text(x->shape).s, heed_shape_text(params->shape).s);
    return heed_infer_same(call, out) && check_row_parameter(call, WEIGHT, "weight") &&
           check_row_parameter(call, BIAS, "bias");
}

static bool norm_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *bias = heed__norm_given(call, BIAS);
    norm_job job = new_job(call->params, call->inputs[X], heed__norm_given(call, WEIGHT));
    job.args.bias = bias ? bias->data : NULL;
    job.y = out[0]->data;
    run_norm(&job);
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
static void norm_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const norm_params *params = call->params;
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
    const norm_params *params = call->params;
    heed_tensor *sum = heed__tensor_new(call->op->name, call->inputs[X]->dtype, &params->shape);
    if (sum)
        HEED__RUN(sum, job->dtype, 1, job->blocks, job->args.n, parts, sum->data);
    return sum;
}

static void norm_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const norm_params *params = call->params;
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
    const bool sums_weight = heed__norm_needs(call, WEIGHT), sums_bias = heed__norm_needs(call, BIAS);
    job.dweight = sums_weight ? heed__alloc(call->op->name, bytes) : NULL;
    job.dbias = sums_bias ? heed__alloc(call->op->name, bytes) : NULL;
    if ((job.dweight || !sums_weight) && (job.dbias || !sums_bias)) {
        run_norm(&job);
        dx[X] = found;
        if (job.dweight)
            dx[WEIGHT] = total(call, &job, job.dweight);
        if (job.dbias)
            dx[BIAS] = total(call, &job, job.dbias);
    }
    heed_free(job.dweight, bytes);
    heed_free(job.dbias, bytes);
}

/* -- layer_norm and rms_norm --------------------------------------------------------------------------------------- */

/* The fields that the two ops' records (heed_op) have in common. */
#define NORM_RULES                                                                                                     \
    .n_inputs = 1, .n_outputs = 1, .params_size = sizeof(norm_params),                                                 \
    .fields = HEED_FIELDS(HEED_FIELD(norm_params, shape), HEED_FIELD(norm_params, eps)),                               \
    .saved = HEED_SAVE_INPUT(0) | HEED_SAVE_INPUT(1), .contiguous = true, .infer = norm_infer,                         \
    .forward = norm_forward, .backward = norm_backward, .backward_fused = norm_backward_fused

/* Checks `params` and applies the op. weight and bias may be NULL; a bias needs a weight. Returns NULL after
 * heed_fail. */
static heed_tensor *apply_norm(const heed_op *op, const norm_params *params, heed_tensor *x, heed_tensor *weight,
                               heed_tensor *bias)
{
    norm_params p = *params;
    if (!heed__check_shape(op->name, &p.shape) || !heed__norm_check_eps(op->name, x, &p.eps))
        return NULL;
    return heed_apply(op, (heed_tensor *[]){x, weight, bias}, !weight ? 1 : !bias ? 2 : 3, &p);
}

/* y = (x - mean) / sqrt(variance + eps) weight + bias, over the last axes of x. */
const heed_op heed_op_layer_norm = {.name = "layer_norm", .max_inputs = 3, NORM_RULES};

heed_tensor *heed_layer_norm(heed_tensor *x, heed_shape shape, heed_tensor *weight, heed_tensor *bias, double eps)
{
    if (x && bias && !weight && heed__check_shape("layer_norm", &shape)) {
        HEED_ENTER("layer_norm");
        weight = heed_expand(heed_ones(x->dtype, HEED_SCALAR), shape);
        if (!weight)
            return NULL;
    }
    return apply_norm(&heed_op_layer_norm, &(norm_params){.shape = shape, .eps = eps}, x, weight, bias);
}

/* y = x / sqrt(mean of x^2 + eps) weight, over the last axes of x. */
const heed_op heed_op_rms_norm = {.name = "rms_norm", .max_inputs = 2, NORM_RULES};

heed_tensor *heed_rms_norm(heed_tensor *x, heed_shape shape, heed_tensor *weight, double eps)
{
    const norm_params params = {.shape = shape, .eps = eps, .uncentred = true};
    return apply_norm(&heed_op_rms_norm, &params, x, weight, NULL);
}

/* -- group_norm ---------------------------------------------------------------------------------------------------- */

/* y = (x - mean) / sqrt(variance + eps) weight + bias, with mean and variance per group of channels.
 *
 * Composed of a layer norm whose rows are the groups, and of a multiplication and an addition per channel. */

/* Checks the shape and dtype of a weight or bias t, which may be NULL. Returns false after heed_fail. */
static bool check_channel_parameter(const char *where, const heed_tensor *x, const heed_tensor *t, const char *name)
{
    if (!t || (t->shape.rank == 1 && t->shape.dims[0] == x->shape.dims[1]))
        return !t || heed__check_pair(where, x, t);
    return heed_fail_false(HEED_ERR_SHAPE, where, "the %s has shape %s: must be (%" PRId64 "), one per channel of x %s",
                           name, heed_shape_text(t->shape).s, x->shape.dims[1], heed_shape_text(x->shape).s);
}

static heed_tensor *grouped_norm(const char *where, heed_tensor *x, int64_t groups, heed_tensor *weight,
                                 heed_tensor *bias, double eps)
{
    HEED_ENTER(where);
    if (!check_channel_parameter(where, x, weight, "weight") || !check_channel_parameter(where, x, bias, "bias"))
        return NULL;
    const heed__axis_split split = heed__split_at(&x->shape, 1);
    const heed_shape rows = x->numel == 0 ? HEED_SHAPE(0, 1) /* the number of groups of an empty x may overflow */
                                          : HEED_SHAPE(split.outer * groups, split.size / groups * split.inner);
    heed_shape column = HEED_SHAPE(split.size); /* followed by a 1 for every axis after the channels */
    while (column.rank < x->shape.rank - 1)
        column.dims[column.rank++] = 1;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *y = heed_layer_norm(heed_reshape(x, rows), HEED_SHAPE(rows.dims[1]), NULL, NULL, eps);
    y = heed_reshape(y, x->shape);
    if (weight)
        y = heed_mul(y, heed_reshape(weight, column));
    if (bias)
        y = heed_add(y, heed_reshape(bias, column));
    return heed_scope_return(scope, y);
}

heed_tensor *heed_group_norm(heed_tensor *x, int64_t groups, heed_tensor *weight, heed_tensor *bias, double eps)
{
    static const char where[] = "group_norm";
    if (!heed__norm_check_channels(where, x) || !heed__norm_check_eps(where, x, &eps))
        return NULL;
    if (groups < 1 || x->shape.dims[1] % groups != 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, where,
                              "groups is %" PRId64 ": must be 1 or more and divide the %" PRId64 " channels of x %s",
                              groups, x->shape.dims[1], heed_shape_text(x->shape).s);
    return grouped_norm(where, x, groups, weight, bias, eps);
}

/* y = (x - mean) / sqrt(variance + eps) weight + bias, with mean and variance per channel and example. */
heed_tensor *heed_instance_norm(heed_tensor *x, heed_tensor *weight, heed_tensor *bias, double eps)
{
    static const char where[] = "instance_norm";
    if (!heed__norm_check_channels(where, x) || !heed__norm_check_eps(where, x, &eps))
        return NULL;
    const heed__axis_split split = heed__split_at(&x->shape, 1);
    if (split.inner == 1)
        return heed_fail_null(HEED_ERR_SHAPE, where, "x %s has one element per channel: a variance needs at least two",
                              heed_shape_text(x->shape).s);
    return grouped_norm(where, x, split.size > 0 ? split.size : 1, weight, bias, eps);
}
