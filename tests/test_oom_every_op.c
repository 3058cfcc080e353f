/* tests/test_oom_every_op.c - each function of heed/ops.h without memory: recorded, with each allocation failing in turn.
 * test_oom_ops.c does the same to the gradients. */

#include "oom_inputs.h"

OOM_TENSOR(add, heed_add(oom.w, oom.row))
OOM_TENSOR(sub, heed_sub(oom.w, oom.row))
OOM_TENSOR(mul, heed_mul(oom.w, oom.row))
OOM_TENSOR(div_, heed_div(oom.w, oom.row))
OOM_TENSOR(maximum, heed_maximum(oom.w, oom.plain))
OOM_TENSOR(minimum, heed_minimum(oom.w, oom.plain))
OOM_TENSOR(where, heed_where(oom.mask, oom.w, oom.plain))
OOM_TENSOR(compare, heed_compare(oom.w, HEED_LE, heed_transpose(oom.plain, 0, 1)))
OOM_TENSOR(neg, heed_neg(oom.w))
OOM_TENSOR(scale, heed_scale(oom.w, 2))
OOM_TENSOR(add_scalar, heed_add_scalar(oom.w, 2))
OOM_TENSOR(rsub, heed_rsub(2, oom.w))
OOM_TENSOR(pow_scalar, heed_pow_scalar(oom.w, 2))
OOM_TENSOR(square, heed_square(oom.w))
OOM_TENSOR(sqrt_, heed_sqrt(oom.w))
OOM_TENSOR(exp_, heed_exp(oom.w))
OOM_TENSOR(log_, heed_log(oom.w))
OOM_TENSOR(sin_, heed_sin(oom.w))
OOM_TENSOR(cos_, heed_cos(oom.w))
OOM_TENSOR(tanh_, heed_tanh(oom.w))
OOM_TENSOR(sigmoid, heed_sigmoid(oom.w))
OOM_TENSOR(relu, heed_relu(oom.w))
OOM_TENSOR(abs_, heed_abs(oom.w))
OOM_TENSOR(sign, heed_sign(oom.w))
OOM_TENSOR(erf_, heed_erf(oom.w))
OOM_TENSOR(gelu, heed_gelu(oom.w))
OOM_TENSOR(clamp, heed_clamp(oom.w, 0.2, 0.8))
OOM_TENSOR(clone, heed_clone(oom.wide))
OOM_TENSOR(contiguous, heed_contiguous(oom.wide))
OOM_TENSOR(to_dtype, heed_to_dtype(oom.w, HEED_F32))
OOM_TENSOR(sum, heed_sum(oom.w))
OOM_TENSOR(sum_axes, heed_sum_axes(oom.batch, HEED_AXES(0, 2), false))
OOM_TENSOR(mean, heed_mean(oom.w))
OOM_TENSOR(mean_axes, heed_mean_axes(oom.batch, HEED_AXES(1), true))
OOM_TENSOR(max, heed_max(oom.w))
OOM_TENSOR(max_axes, heed_max_axes(oom.batch, HEED_AXES(0, 2), false))
OOM_TENSOR(min, heed_min(oom.w))
OOM_TENSOR(min_axes, heed_min_axes(oom.batch, HEED_AXES(0, 2), false))
OOM_TENSOR(argmax, heed_argmax(oom.w))
OOM_TENSOR(argmax_axis, heed_argmax_axis(oom.wide, 0, true))
OOM_TENSOR(sum_to, heed_sum_to(oom.batch, HEED_SHAPE(3, 1)))
OOM_TENSOR(reshape, heed_reshape(oom.wide, HEED_SHAPE(2, -1)))
OOM_TENSOR(transpose, heed_transpose(oom.w, 0, 1))
OOM_TENSOR(permute, heed_permute(oom.batch, HEED_AXES(2, 0, 1)))
OOM_TENSOR(squeeze, heed_squeeze(oom.row, 0))
OOM_TENSOR(unsqueeze, heed_unsqueeze(oom.w, 0))
OOM_TENSOR(expand, heed_expand(oom.v, HEED_SHAPE(2, 3)))
OOM_TENSOR(slice, heed_slice(oom.w, 0, 0, 3, 2))
OOM_TENSOR(unslice, heed_unslice(oom.w, 0, 1, 2, 7))
OOM_TENSOR(select_, heed_select(oom.w, 0, 1))
OOM_TENSOR(concat, heed_concat((heed_tensor *[]){oom.w, oom.plain}, 2, 1))
OOM_TENSOR(stack, heed_stack((heed_tensor *[]){oom.w, oom.plain}, 2, 1))
OOM_TENSOR(repeat_interleave, heed_repeat_interleave(oom.w, 2, 1))
OOM_TENSOR(tile, heed_tile(oom.w, HEED_SHAPE(2, 2)))
OOM_TENSOR(flip, heed_flip(oom.w, HEED_ALL_AXES))
OOM_TENSOR(sort, heed_sort(oom.w))
OOM_TENSOR(gather, heed_gather(oom.w, 0, oom.places))
OOM_TENSOR(scatter_add, heed_scatter_add(heed_slice(oom.w, 0, 0, 2, 1), 0, oom.places, HEED_SHAPE(3, 3)))
OOM_TENSOR(index_select, heed_index_select(oom.w, 0, oom.index))
OOM_TENSOR(index_add, heed_index_add(heed_slice(oom.w, 0, 0, 2, 1), 0, oom.index, 4))
OOM_TENSOR(embedding, heed_embedding(oom.places, oom.w))
OOM_TENSOR(one_hot, heed_one_hot(oom.places, 4, HEED_F32))
OOM_TENSOR(bmm, heed_bmm(oom.batch, heed_expand(oom.w, HEED_SHAPE(2, 3, 3))))
OOM_TENSOR(bmm_t, heed_bmm_t(oom.batch, true, oom.batch, false))
OOM_TENSOR(matmul, heed_matmul(oom.batch, oom.v))
OOM_TENSOR(linear, heed_linear(oom.batch, oom.w, oom.v))
OOM_TENSOR(linear_activated, heed_linear_activated(oom.batch, oom.w, oom.v, HEED_GELU))
OOM_TENSOR(softmax, heed_softmax(oom.w, 0))
OOM_TENSOR(log_softmax, heed_log_softmax(oom.w, 0))
OOM_TENSOR(logsumexp, heed_logsumexp(oom.w, 0, false))
OOM_TENSOR(masked_softmax, heed_masked_softmax(oom.batch, oom.lengths))
OOM_TENSOR(sequence_mask, heed_sequence_mask(oom.batch, oom.lengths, 0.5))
OOM_TENSOR(layer_norm, heed_layer_norm(oom.batch, HEED_SHAPE(3), oom.v, oom.v, 1e-5))
OOM_TENSOR(mse_loss, heed_mse_loss(oom.w, oom.plain, HEED_MEAN))
OOM_TENSOR(l1_loss, heed_l1_loss(oom.w, oom.plain, HEED_SUM))
OOM_TENSOR(smooth_l1_loss, heed_smooth_l1_loss(oom.w, oom.plain, 0.5, HEED_MEAN))
OOM_TENSOR(binary_cross_entropy, heed_binary_cross_entropy_with_logits(oom.w, oom.plain, HEED_MEAN))
OOM_TENSOR(nll_loss, heed_nll_loss(heed_slice(oom.w, 0, 0, 2, 1), oom.index, NULL))
OOM_TENSOR(cross_entropy, heed_cross_entropy(heed_slice(oom.w, 0, 0, 2, 1), oom.index,
                                             &(heed_class_loss_options){.label_smoothing = 0.25}))
OOM_TENSOR(sequence_loss, heed_sequence_loss(heed_slice(oom.w, 0, 0, 2, 1), oom.lengths, HEED_NONE))

/* The default generator stands where it stood after a failure. */
static bool dropout(double *value)
{
    heed_manual_seed(5);
    bool ok = oom_take(heed_dropout(oom.w, 0.5, true), value);
    uint64_t seed, position;
    ck_assert(heed_generator_get_state(heed_generator_default(), &seed, &position) == HEED_OK || !ok);
    ck_assert(ok || position == 0);
    return ok;
}

static bool generator_dropout(double *value)
{
    heed_generator *g = heed_generator_new(5);
    bool ok = g && oom_take(heed_generator_dropout(g, oom.w, 0.5, true), value);
    heed_generator_free(g);
    return ok;
}

static bool sort_axis(double *value)
{
    heed_tensor *indices = oom.w, *y = heed_sort_axis(oom.w, 0, true, &indices);
    ck_assert((y == NULL) == (indices == NULL));
    return oom_take(y, value) && oom_take(indices, value);
}

static bool dot_product_attention(double *value)
{
    heed_tensor *weights = oom.w;
    heed_attention_options options = {.valid_lens = oom.lengths, .causal = true, .weights = &weights};
    heed_tensor *y = heed_dot_product_attention(oom.batch, oom.batch, oom.batch, &options);
    ck_assert((y == NULL) == (weights == NULL));
    return oom_take(y, value) && oom_take(weights, value) &&
           oom_take(heed_dot_product_attention(oom.batch, oom.batch, oom.batch, NULL), value);
}

static bool additive_attention(double *value)
{
    heed_tensor *weights = oom.w;
    heed_attention_options options = {.valid_lens = oom.lengths, .weights = &weights};
    heed_tensor *y = heed_additive_attention(oom.batch, oom.batch, oom.batch, oom.w, oom.w, oom.v, &options);
    ck_assert((y == NULL) == (weights == NULL));
    return oom_take(y, value) && oom_take(weights, value);
}

static bool kernel_regression(double *value)
{
    heed_tensor *weights = oom.w;
    heed_kernel_regression_options options = {.kernel = HEED_NW_EPANECHNIKOV, .weights = &weights};
    heed_tensor *y = heed_kernel_regression(oom.v, oom.v, oom.v, oom.one, &options);
    ck_assert((y == NULL) == (weights == NULL));
    return oom_take(y, value) && oom_take(weights, value) &&
           oom_take(heed_kernel_regression(oom.v, oom.v, oom.v, oom.one, NULL), value);
}

OOM_MAIN("oom_every_op", OOM(add), OOM(sub), OOM(mul), OOM(div_), OOM(maximum), OOM(minimum), OOM(where), OOM(compare),
         OOM(neg), OOM(scale), OOM(add_scalar), OOM(rsub), OOM(pow_scalar), OOM(square), OOM(sqrt_), OOM(exp_),
         OOM(log_), OOM(sin_), OOM(cos_), OOM(tanh_), OOM(sigmoid), OOM(relu), OOM(abs_), OOM(sign), OOM(erf_),
         OOM(gelu), OOM(clamp), OOM(clone), OOM(contiguous), OOM(to_dtype), OOM(sum), OOM(sum_axes), OOM(mean),
         OOM(mean_axes), OOM(max), OOM(max_axes), OOM(min), OOM(min_axes), OOM(argmax), OOM(argmax_axis), OOM(sum_to),
         OOM(reshape), OOM(transpose), OOM(permute), OOM(squeeze), OOM(unsqueeze), OOM(expand), OOM(slice),
         OOM(unslice), OOM(select_), OOM(concat), OOM(stack), OOM(repeat_interleave), OOM(tile), OOM(flip), OOM(sort),
         OOM(gather), OOM(scatter_add), OOM(index_select), OOM(index_add), OOM(embedding), OOM(one_hot), OOM(bmm),
         OOM(bmm_t), OOM(matmul), OOM(linear), OOM(linear_activated), OOM(softmax), OOM(log_softmax), OOM(logsumexp),
         OOM(masked_softmax), OOM(sequence_mask), OOM(layer_norm), OOM(mse_loss), OOM(l1_loss), OOM(smooth_l1_loss),
         OOM(binary_cross_entropy), OOM(nll_loss), OOM(cross_entropy), OOM(sequence_loss), OOM(dropout),
         OOM(generator_dropout), OOM(sort_axis), OOM(dot_product_attention), OOM(additive_attention),
         OOM(kernel_regression))
