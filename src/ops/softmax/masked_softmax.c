/* ops/softmax/masked_softmax.c    y = softmax of the first valid_lens entries of each row of x (B, Q, K), 0 behind them.
 *
 * dx = y (g - sum(g y)), 0 behind them. What is masked is skipped, in x and in g: neither is read there.
 */

#include "ops/softmax/rows.h"

typedef struct masked_run {
    const heed_kernels *kernels;
    heed_masked_args args;
    const void *x; /* or the result y, when there is a g */
    const void *g;
    void *out;
} masked_run;

static void run_rows(int64_t begin, int64_t end, void *context)
{
    const masked_run *run = context;
    if (run->g)
        run->kernels->masked_softmax_grad(&run->args, begin, end, run->x, run->g, run->out);
    else
        run->kernels->masked_softmax(&run->args, begin, end, run->x, run->out);
}

/* All of them contiguous; g may be NULL. False after heed_fail. */
static bool run_all(const heed_tensor *x, const heed_tensor *lens, const heed_tensor *g, const heed_tensor *out)
{
    int64_t queries = x->shape.dims[1], keys = x->shape.dims[2];
    if (!heed__check_lengths("masked_softmax", lens, keys))
        return false;
    if (x->numel == 0)
        return true;
    masked_run run = {
        .kernels = heed__kernels(x->dtype),
        .args = {.n = keys, .share = lens->shape.rank == 1 ? queries : 1, .lens = (const void *)lens->data},
        .x = x->data,
        .g = g ? g->data : NULL,
        .out = out->data};
    heed__for_rows(x->shape.dims[0] * queries, keys, run_rows, &run);
    return true;
}

static bool check_scores(const heed_tensor *x)
{
    if (!heed__check_float("masked_softmax", x))
        return false;
    if (x->shape.rank != 3)
        return heed_fail_false(HEED_ERR_SHAPE, "masked_softmax", "takes x (B, Q, K), not %s",
                               heed_shape_text(x->shape).s);
    return true;
}

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *x = call->inputs[0], *lens = call->inputs[1];
    const heed_shape *shape = &lens->shape;
    if (!check_scores(x))
        return false;
    if (shape->rank < 1 || shape->rank > 2 || shape->dims[0] != x->shape.dims[0] ||
        (shape->rank == 2 && shape->dims[1] != x->shape.dims[1]))
        return heed_fail_false(HEED_ERR_SHAPE, "masked_softmax",
                               "valid_lens %s do not fit x %s, (B, Q, K): they are (B) or (B, Q)",
                               heed_shape_text(*shape).s, heed_shape_text(x->shape).s);
    return heed_infer_same(call, out);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    return run_all(call->inputs[0], call->inputs[1], NULL, out[0]);
}

/* bool (B, Q or 1, K): what is not masked. */
static heed_tensor *valid_places(heed_tensor *lens, int64_t keys)
{
    heed_shape by_row = HEED_SHAPE(lens->shape.dims[0], lens->shape.rank == 2 ? lens->shape.dims[1] : 1, 1);
    return heed_compare(heed_arange(HEED_I64, 0, (double)keys, 1), HEED_COMPARE_LT, heed_reshape(lens, by_row));
}

/* g is masked on its way in and dx on its way out: the sum may be NaN, and 0 times NaN is NaN. When this is
 * differentiated again, NaN can reach masked places of y's gradient only, which is the g of this op. */
heed_tensor *heed__masked_softmax_grad(heed_tensor *y, heed_tensor *lens, heed_tensor *g)
{
    if (!y || !g)
        return NULL;
    if (!lens)
        return heed_mul(y, heed_sub(g, heed_sum_axes(heed_mul(g, y), HEED_AXES(-1), true)));
    heed_tensor *zero = heed_zeros(y->dtype, HEED_SCALAR), *valid = valid_places(lens, y->shape.dims[2]);
    heed_tensor *seen = heed_where(valid, g, zero);
    heed_tensor *mean = heed_sum_axes(heed_mul(seen, y), HEED_AXES(-1), true);
    return heed_where(valid, heed_mul(y, heed_sub(seen, mean)), zero);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    dx[0] = heed__masked_softmax_grad(call->outputs[0], call->inputs[1], g[0]);
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    heed_tensor *y = call->outputs[0], *lens = heed_contiguous(call->inputs[1]), *dense = heed_contiguous(g[0]);
    heed_tensor *found = lens && dense ? heed__tensor_new("masked_softmax", y->dtype, &y->shape) : NULL;
    if (found && run_all(y, lens, dense, found))
        dx[0] = found;
}

const heed_op heed_op_masked_softmax = {
    .name = "masked_softmax",
    .n_inputs = 2,
    .n_outputs = 1,
    .keeps = HEED_KEEP_OUTPUTS | HEED_KEEP_INPUT(1),
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
};

heed_tensor *heed_masked_softmax(heed_tensor *x, heed_tensor *valid_lens)
{
    if (valid_lens)
        return heed__apply2(&heed_op_masked_softmax, x, valid_lens, NULL);
    HEED_ENTER("masked_softmax");
    return heed__check_tensor("masked_softmax", x) && check_scores(x) ? heed_softmax(x, -1) : NULL;
}
