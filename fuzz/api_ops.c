/* fuzz/api_ops.c - commands that give a tensor: every op, and every way of making one. */

#include "api.h"

/* -- Making ----------------------------------------------------------------------------------------------------- */

static heed_tensor *make_from_values(program *p)
{
    double values[64];
    heed_dtype dtype = any_dtype(&p->in);
    heed_shape shape = any_shape(&p->in);
    int64_t n = heed_shape_numel(shape);
    n = n < 0 || n > 64 ? fuzz_pick(&p->in, -1, 64) : n;
    for (int64_t i = 0; i < n; i++)
        values[i] = dtype == HEED_F32 || dtype == HEED_F64 ? fuzz_double(&p->in) : (double)fuzz_pick(&p->in, 0, 3);
    return heed_from_values(dtype, shape, values, n);
}

static heed_tensor *make_filled(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_dtype dtype = any_dtype(&p->in);
    heed_shape shape = any_shape(&p->in);
    double value = fuzz_double(&p->in);
    return way % 3 == 0   ? heed_zeros(dtype, shape)
           : way % 3 == 1 ? heed_ones(dtype, shape)
                          : heed_full(dtype, shape, value);
}

static heed_tensor *make_range(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_dtype dtype = any_dtype(&p->in);
    double a = fuzz_double(&p->in), b = fuzz_double(&p->in), c = fuzz_double(&p->in);
    int64_t n = fuzz_int(&p->in), m = fuzz_int(&p->in);
    return way % 3 == 0   ? heed_arange(dtype, a, b, c)
           : way % 3 == 1 ? heed_linspace(dtype, a, b, n)
                          : heed_eye(dtype, n, m);
}

static heed_tensor *make_random(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_dtype dtype = any_dtype(&p->in);
    heed_shape shape = any_shape(&p->in);
    int64_t low = fuzz_int(&p->in), high = fuzz_int(&p->in);
    switch (way % 5) {
    case 0:
        return heed_rand(dtype, shape);
    case 1:
        return heed_randn(dtype, shape);
    case 2:
        return heed_randint(low, high, shape);
    case 3:
        return heed_permutation(low);
    default:
        return heed_bernoulli(fuzz_double(&p->in), shape);
    }
}

/* -- Elementwise ------------------------------------------------------------------------------------------------ */

static heed_tensor *unary(program *p)
{
    static heed_tensor *(*const ops[])(heed_tensor *) = {
        heed_neg,     heed_square, heed_sqrt, heed_exp,  heed_log,  heed_sin,    heed_cos,    heed_tanh,
        heed_sigmoid, heed_relu,   heed_abs,  heed_sign, heed_erf,  heed_gelu,   heed_clone,  heed_contiguous,
        heed_sum,     heed_mean,   heed_max,  heed_min,  heed_sort, heed_argmax, heed_detach,
    };
    uint8_t op = fuzz_byte(&p->in);
    return ops[op % (sizeof ops / sizeof ops[0])](any_tensor(p));
}

static heed_tensor *binary(program *p)
{
    static heed_tensor *(*const ops[])(heed_tensor *, heed_tensor *) = {
        heed_add,     heed_sub, heed_mul,    heed_div,       heed_maximum,
        heed_minimum, heed_bmm, heed_matmul, heed_embedding, heed_masked_softmax,
    };
    uint8_t op = fuzz_byte(&p->in);
    heed_tensor *a = any_tensor(p), *b = any_tensor(p);
    return ops[op % (sizeof ops / sizeof ops[0])](a, b);
}

static heed_tensor *with_number(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_tensor *x = any_tensor(p);
    double c = fuzz_double(&p->in), d = fuzz_double(&p->in);
    switch (way % 7) {
    case 0:
        return heed_scale(x, c);
    case 1:
        return heed_add_scalar(x, c);
    case 2:
        return heed_rsub(c, x);
    case 3:
        return heed_pow_scalar(x, c);
    case 4:
        return heed_clamp(x, c, d);
    case 5:
        return heed_dropout(x, c, way & 128);
    default:
        return heed_to_dtype(x, any_dtype(&p->in));
    }
}

static heed_tensor *chosen(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_tensor *a = any_tensor(p), *b = any_tensor(p);
    return way & 1 ? heed_where(any_tensor(p), a, b) : heed_compare(a, (heed_comparison)(way / 2 % 7), b);
}

/* -- Axes ------------------------------------------------------------------------------------------------------- */

static heed_tensor *reduced(program *p)
{
    static heed_tensor *(*const ops[])(heed_tensor *, heed_shape, bool) = {
        heed_sum_axes,
        heed_mean_axes,
        heed_max_axes,
        heed_min_axes,
    };
    uint8_t op = fuzz_byte(&p->in);
    heed_tensor *x = any_tensor(p);
    return ops[op % 4](x, any_axes(&p->in), op & 128);
}

static heed_tensor *along_axis(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_tensor *x = any_tensor(p), *indices = NULL;
    int axis = any_axis(&p->in);
    heed_tensor *y;
    switch (way % 7) {
    case 0:
        return heed_softmax(x, axis);
    case 1:
        return heed_log_softmax(x, axis);
    case 2:
        return heed_logsumexp(x, axis, way & 128);
    case 3:
        return heed_argmax_axis(x, axis, way & 128);
    case 4:
        return heed_squeeze(x, axis);
    case 5:
        return heed_unsqueeze(x, axis);
    default:
        y = heed_sort_axis(x, axis, way & 128, &indices);
        FUZZ_CHECK((y != NULL) == (indices != NULL));
        return way & 64 && y ? indices : y;
    }
}

static heed_tensor *with_shape(program *p)
{
    static heed_tensor *(*const ops[])(heed_tensor *, heed_shape) = {
        heed_reshape, heed_expand, heed_sum_to, heed_tile, heed_permute, heed_flip,
    };
    uint8_t op = fuzz_byte(&p->in);
    heed_tensor *x = any_tensor(p);
    return ops[op % 6](x, op % 6 < 4 ? any_shape(&p->in) : any_axes(&p->in));
}

static heed_tensor *part(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_tensor *x = any_tensor(p);
    int axis = any_axis(&p->in);
    int64_t a = fuzz_int(&p->in), b = fuzz_int(&p->in), c = fuzz_int(&p->in);
    switch (way % 5) {
    case 0:
        return heed_slice(x, axis, a, b, c);
    case 1:
        return heed_select(x, axis, a);
    case 2:
        return heed_unslice(x, axis, a, b, c);
    case 3:
        return heed_repeat_interleave(x, a, axis);
    default:
        return heed_transpose(x, axis, (int)a);
    }
}

static heed_tensor *joined(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_tensor *x[3] = {any_tensor(p), any_tensor(p), any_tensor(p)};
    int n = (int)fuzz_pick(&p->in, 0, 3), axis = any_axis(&p->in);
    return way & 1 ? heed_concat(x, n, axis) : heed_stack(x, n, axis);
}

static heed_tensor *indexed(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_tensor *x = any_tensor(p), *index = any_tensor(p);
    int axis = any_axis(&p->in);
    switch (way % 6) {
    case 0:
        return heed_gather(x, axis, index);
    case 1:
        return heed_scatter_add(x, axis, index, any_shape(&p->in));
    case 2:
        return heed_index_select(x, axis, index);
    case 3:
        return heed_index_add(x, axis, index, fuzz_int(&p->in));
    case 4:
        return heed_one_hot(x, fuzz_int(&p->in), any_dtype(&p->in));
    default:
        return heed_sequence_mask(x, index, fuzz_double(&p->in));
    }
}

/* -- Layers and losses ------------------------------------------------------------------------------------------ */

static heed_tensor *linear(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_tensor *x = any_tensor(p), *w = any_tensor(p), *b = way & 64 ? any_tensor(p) : NULL;
    switch (way % 4) {
    case 0:
        return heed_linear(x, w, b);
    case 1:
        return heed_linear_activated(x, w, b, (heed_activation)(way / 4 % 6));
    case 2:
        return heed_bmm_t(x, way & 8, w, way & 16);
    default:
        return heed_layer_norm(x, any_shape(&p->in), way & 32 ? w : NULL, b, fuzz_double(&p->in));
    }
}

static heed_tensor *attention(program *p)
{
    uint8_t way = fuzz_byte(&p->in), chance = fuzz_byte(&p->in);
    heed_tensor *q = any_tensor(p), *k = any_tensor(p), *v = any_tensor(p), *weights = NULL;
    heed_attention_options options = {
        .valid_lens = way & 1 ? any_tensor(p) : NULL,
        .causal = way & 2,
        .heads_inner = way & 4,
        .scale = way & 8 ? fuzz_double(&p->in) : 0,
        .dropout = chance < 200 ? 0 : fuzz_double(&p->in),
        .weights = way & 16 ? &weights : NULL,
    };
    heed_tensor *y;
    if (way & 32) {
        heed_tensor *W_q = any_tensor(p), *W_k = any_tensor(p), *w_v = any_tensor(p);
        y = heed_additive_attention(q, k, v, W_q, W_k, w_v, &options);
    } else {
        y = heed_dot_product_attention(q, k, v, way & 64 ? NULL : &options);
    }
    FUZZ_CHECK(!weights || y);
    return weights && way & 128 ? weights : y;
}

static heed_tensor *regression(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_tensor *q = any_tensor(p), *k = any_tensor(p), *v = any_tensor(p), *width = any_tensor(p), *weights = NULL;
    heed_kernel_regression_options options = {
        .kernel = (heed_nw_kernel)(way % 6),
        .log_width = way & 8,
        .leave_one_out = way & 16,
        .weights = way & 32 ? &weights : NULL,
    };
    heed_tensor *y = heed_kernel_regression(q, k, v, width, way & 64 ? NULL : &options);
    FUZZ_CHECK(!weights || y);
    return weights && way & 128 ? weights : y;
}

static heed_tensor *loss(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_reduction reduction = (heed_reduction)(way / 8 % 4);
    heed_tensor *x = any_tensor(p), *y = any_tensor(p);
    heed_class_loss_options classes = {
        .reduction = reduction,
        .has_ignore_index = way & 64,
        .ignore_index = way & 64 ? fuzz_int(&p->in) : 0,
        .label_smoothing = way & 128 ? fuzz_double(&p->in) : 0,
    };
    switch (way % 7) {
    case 0:
        return heed_mse_loss(x, y, reduction);
    case 1:
        return heed_l1_loss(x, y, reduction);
    case 2:
        return heed_smooth_l1_loss(x, y, fuzz_double(&p->in), reduction);
    case 3:
        return heed_binary_cross_entropy_with_logits(x, y, reduction);
    case 4:
        return heed_nll_loss(x, y, way & 32 ? &classes : NULL);
    case 5:
        return heed_cross_entropy(x, y, &classes);
    default:
        return heed_sequence_loss(x, y, reduction);
    }
}

void run_op(program *p)
{
    static heed_tensor *(*const kinds[])(program *) = {
        make_from_values, make_filled, make_range, make_random, unary,  unary,   binary, binary,    with_number, chosen,
        reduced,          along_axis,  with_shape, part,        joined, indexed, linear, attention, regression,  loss,
    };
    uint8_t kind = fuzz_byte(&p->in);
    heed_tensor *t = kinds[kind % (sizeof kinds / sizeof kinds[0])](p);
    if (fuzz_outcome(t != NULL))
        keep(p, t);
}
