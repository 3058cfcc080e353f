/* tests/test_misuse_ops.c - every op on every tensor of the zoo, with hostile axes, shapes, counts and numbers. */

#include "misuse.h"

#define DRAWS 12       /* of the other arguments, for each pair of tensors */
#define READABLE 10000 /* elements of a result that are read */

typedef struct args {
    heed_tensor *a, *b, *c;
    heed_tensor *list[3];
    heed_shape shape;
    int64_t i, j, k;
    int axis, other_axis, number;
    double low, high;
    bool flag, other_flag;
} args;

typedef struct misused_op {
    const char *name;
    heed_tensor *(*call)(const args *x);
    int tensors; /* that it takes; 3: a list is given */
} misused_op;

#define CALL(name, expression)                                                                                         \
    static heed_tensor *call_##name(const args *x)                                                                     \
    {                                                                                                                  \
        return expression;                                                                                             \
    }

static const heed_class_loss_options *class_options(const args *x)
{
    static heed_class_loss_options options;
    options.reduction = (heed_reduction)x->number;
    options.has_ignore_index = x->flag;
    options.ignore_index = x->i;
    options.label_smoothing = x->low;
    return x->other_flag ? &options : NULL;
}

CALL(add, heed_add(x->a, x->b))
CALL(sub, heed_sub(x->a, x->b))
CALL(mul, heed_mul(x->a, x->b))
CALL(div, heed_div(x->a, x->b))
CALL(maximum, heed_maximum(x->a, x->b))
CALL(minimum, heed_minimum(x->a, x->b))
CALL(where, heed_where(x->a, x->b, x->c))
CALL(compare, heed_compare(x->a, (heed_comparison)x->number, x->b))
CALL(neg, heed_neg(x->a))
CALL(scale, heed_scale(x->a, x->low))
CALL(add_scalar, heed_add_scalar(x->a, x->low))
CALL(rsub, heed_rsub(x->low, x->a))
CALL(pow_scalar, heed_pow_scalar(x->a, x->low))
CALL(square, heed_square(x->a))
CALL(sqrt, heed_sqrt(x->a))
CALL(exp, heed_exp(x->a))
CALL(log, heed_log(x->a))
CALL(sin, heed_sin(x->a))
CALL(cos, heed_cos(x->a))
CALL(tanh, heed_tanh(x->a))
CALL(sigmoid, heed_sigmoid(x->a))
CALL(relu, heed_relu(x->a))
CALL(abs, heed_abs(x->a))
CALL(sign, heed_sign(x->a))
CALL(erf, heed_erf(x->a))
CALL(gelu, heed_gelu(x->a))
CALL(clamp, heed_clamp(x->a, x->low, x->high))
CALL(clone, heed_clone(x->a))
CALL(contiguous, heed_contiguous(x->a))
CALL(to_dtype, heed_to_dtype(x->a, (heed_dtype)x->number))
CALL(sum, heed_sum(x->a))
CALL(sum_axes, heed_sum_axes(x->a, x->shape, x->flag))
CALL(mean, heed_mean(x->a))
CALL(mean_axes, heed_mean_axes(x->a, x->shape, x->flag))
CALL(max, heed_max(x->a))
CALL(max_axes, heed_max_axes(x->a, x->shape, x->flag))
CALL(min, heed_min(x->a))
CALL(min_axes, heed_min_axes(x->a, x->shape, x->flag))
CALL(argmax, heed_argmax(x->a))
CALL(argmax_axis, heed_argmax_axis(x->a, x->axis, x->flag))
CALL(sum_to, heed_sum_to(x->a, x->shape))
CALL(reshape, heed_reshape(x->a, x->shape))
CALL(transpose, heed_transpose(x->a, x->axis, x->other_axis))
CALL(permute, heed_permute(x->a, x->shape))
CALL(squeeze, heed_squeeze(x->a, x->axis))
CALL(unsqueeze, heed_unsqueeze(x->a, x->axis))
CALL(expand, heed_expand(x->a, x->shape))
CALL(slice, heed_slice(x->a, x->axis, x->i, x->j, x->k))
CALL(unslice, heed_unslice(x->a, x->axis, x->i, x->j, x->k))
CALL(select, heed_select(x->a, x->axis, x->i))
CALL(concat, heed_concat(x->list, x->number > 3 ? 3 : x->number, x->axis))
CALL(stack, heed_stack(x->list, x->number > 3 ? 3 : x->number, x->axis))
CALL(repeat_interleave, heed_repeat_interleave(x->a, x->i, x->axis))
CALL(tile, heed_tile(x->a, x->shape))
CALL(flip, heed_flip(x->a, x->shape))
CALL(sort, heed_sort(x->a))
CALL(gather, heed_gather(x->a, x->axis, x->b))
CALL(scatter_add, heed_scatter_add(x->a, x->axis, x->b, x->shape))
CALL(index_select, heed_index_select(x->a, x->axis, x->b))
CALL(index_add, heed_index_add(x->a, x->axis, x->b, x->i))
CALL(embedding, heed_embedding(x->a, x->b))
CALL(one_hot, heed_one_hot(x->a, x->i, (heed_dtype)x->number))
CALL(bmm, heed_bmm(x->a, x->b))
CALL(bmm_t, heed_bmm_t(x->a, x->flag, x->b, x->other_flag))
CALL(matmul, heed_matmul(x->a, x->b))
CALL(linear, heed_linear(x->a, x->b, x->c))
CALL(linear_activated, heed_linear_activated(x->a, x->b, x->c, (heed_activation)x->number))
CALL(softmax, heed_softmax(x->a, x->axis))
CALL(log_softmax, heed_log_softmax(x->a, x->axis))
CALL(logsumexp, heed_logsumexp(x->a, x->axis, x->flag))
CALL(masked_softmax, heed_masked_softmax(x->a, x->b))
CALL(sequence_mask, heed_sequence_mask(x->a, x->b, x->low))
CALL(layer_norm, heed_layer_norm(x->a, x->shape, x->b, x->c, x->low))
CALL(sequence_loss, heed_sequence_loss(x->a, x->b, (heed_reduction)x->number))
CALL(mse_loss, heed_mse_loss(x->a, x->b, (heed_reduction)x->number))
CALL(l1_loss, heed_l1_loss(x->a, x->b, (heed_reduction)x->number))
CALL(smooth_l1_loss, heed_smooth_l1_loss(x->a, x->b, x->low, (heed_reduction)x->number))
CALL(binary_cross_entropy_with_logits, heed_binary_cross_entropy_with_logits(x->a, x->b, (heed_reduction)x->number))
CALL(dropout, heed_dropout(x->a, x->low, x->flag))
CALL(generator_dropout, heed_generator_dropout(x->other_flag ? heed_generator_default() : NULL, x->a, x->low, x->flag))
CALL(nll_loss, heed_nll_loss(x->a, x->b, class_options(x)))
CALL(cross_entropy, heed_cross_entropy(x->a, x->b, class_options(x)))

static heed_tensor *call_dot_product_attention(const args *x)
{
    heed_tensor *weights = x->a;
    heed_attention_options options = {.valid_lens = x->c,
                                      .causal = x->flag,
                                      .dropout = x->low,
                                      .scale = x->other_flag ? x->high : 0,
                                      .weights = &weights};
    heed_tensor *y = heed_dot_product_attention(x->a, x->b, x->number > 1 ? x->a : x->b, x->axis ? &options : NULL);
    ck_assert(!x->axis || (y == NULL) == (weights == NULL));
    return y;
}

static heed_tensor *call_additive_attention(const args *x)
{
    heed_attention_options options = {.valid_lens = x->c, .causal = x->flag, .scale = x->other_flag ? x->high : 0};
    heed_tensor *map = heed_ones(HEED_F64, HEED_SHAPE(1, 2)), *row = heed_ones(HEED_F64, HEED_SHAPE(1));
    return heed_additive_attention(x->a, x->b, x->b, map, x->number > 1 ? map : x->c, row, x->axis ? &options : NULL);
}

static heed_tensor *call_kernel_regression(const args *x)
{
    heed_tensor *weights = x->a, *width = heed_ones(HEED_F64, HEED_SHAPE(x->flag ? 1 : 2));
    heed_kernel_regression_options options = {(heed_nw_kernel)(x->number % 8), x->flag, x->other_flag,
                                              x->i > 0 ? &weights : NULL};
    heed_tensor *y = heed_kernel_regression(x->a, x->b, x->axis ? x->c : x->b, width, x->j ? &options : NULL);
    ck_assert(!x->j || x->i <= 0 || (y == NULL) == (weights == NULL));
    return y;
}

static heed_tensor *call_sort_axis(const args *x)
{
    heed_tensor *indices = x->a, *y = heed_sort_axis(x->a, x->axis, x->flag, &indices);
    ck_assert((y == NULL) == (indices == NULL));
    return y;
}

static const misused_op ops[] = {
    {"add", call_add, 2},
    {"sub", call_sub, 2},
    {"mul", call_mul, 2},
    {"div", call_div, 2},
    {"maximum", call_maximum, 2},
    {"minimum", call_minimum, 2},
    {"where", call_where, 3},
    {"compare", call_compare, 2},
    {"neg", call_neg, 1},
    {"scale", call_scale, 1},
    {"add_scalar", call_add_scalar, 1},
    {"rsub", call_rsub, 1},
    {"pow_scalar", call_pow_scalar, 1},
    {"square", call_square, 1},
    {"sqrt", call_sqrt, 1},
    {"exp", call_exp, 1},
    {"log", call_log, 1},
    {"sin", call_sin, 1},
    {"cos", call_cos, 1},
    {"tanh", call_tanh, 1},
    {"sigmoid", call_sigmoid, 1},
    {"relu", call_relu, 1},
    {"abs", call_abs, 1},
    {"sign", call_sign, 1},
    {"erf", call_erf, 1},
    {"gelu", call_gelu, 1},
    {"clamp", call_clamp, 1},
    {"clone", call_clone, 1},
    {"contiguous", call_contiguous, 1},
    {"to_dtype", call_to_dtype, 1},
    {"sum", call_sum, 1},
    {"sum_axes", call_sum_axes, 1},
    {"mean", call_mean, 1},
    {"mean_axes", call_mean_axes, 1},
    {"max", call_max, 1},
    {"max_axes", call_max_axes, 1},
    {"min", call_min, 1},
    {"min_axes", call_min_axes, 1},
    {"argmax", call_argmax, 1},
    {"argmax_axis", call_argmax_axis, 1},
    {"sum_to", call_sum_to, 1},
    {"reshape", call_reshape, 1},
    {"transpose", call_transpose, 1},
    {"permute", call_permute, 1},
    {"squeeze", call_squeeze, 1},
    {"unsqueeze", call_unsqueeze, 1},
    {"expand", call_expand, 1},
    {"slice", call_slice, 1},
    {"unslice", call_unslice, 1},
    {"select", call_select, 1},
    {"concat", call_concat, 3},
    {"stack", call_stack, 3},
    {"repeat_interleave", call_repeat_interleave, 1},
    {"tile", call_tile, 1},
    {"flip", call_flip, 1},
    {"sort", call_sort, 1},
    {"sort_axis", call_sort_axis, 1},
    {"gather", call_gather, 2},
    {"scatter_add", call_scatter_add, 2},
    {"index_select", call_index_select, 2},
    {"index_add", call_index_add, 2},
    {"embedding", call_embedding, 2},
    {"one_hot", call_one_hot, 1},
    {"bmm", call_bmm, 2},
    {"bmm_t", call_bmm_t, 2},
    {"matmul", call_matmul, 2},
    {"linear", call_linear, 3},
    {"linear_activated", call_linear_activated, 3},
    {"softmax", call_softmax, 1},
    {"log_softmax", call_log_softmax, 1},
    {"logsumexp", call_logsumexp, 1},
    {"masked_softmax", call_masked_softmax, 2},
    {"sequence_mask", call_sequence_mask, 2},
    {"layer_norm", call_layer_norm, 3},
    {"sequence_loss", call_sequence_loss, 2},
    {"dot_product_attention", call_dot_product_attention, 2},
    {"additive_attention", call_additive_attention, 2},
    {"kernel_regression", call_kernel_regression, 2},
    {"mse_loss", call_mse_loss, 2},
    {"l1_loss", call_l1_loss, 2},
    {"smooth_l1_loss", call_smooth_l1_loss, 2},
    {"binary_cross_entropy_with_logits", call_binary_cross_entropy_with_logits, 2},
    {"dropout", call_dropout, 1},
    {"generator_dropout", call_generator_dropout, 1},
    {"nll_loss", call_nll_loss, 2},
    {"cross_entropy", call_cross_entropy, 2},
};

/* -- The driver ------------------------------------------------------------------------------------------------- */

static args draw(const zoo *z, int a, int b)
{
    args x = {.a = z->animals[a], .b = z->animals[b], .c = ANY_OF(z->animals)};
    x.list[0] = x.a;
    x.list[1] = x.b;
    x.list[2] = x.c;
    x.shape = ANY_OF(hostile_shapes);
    for (int i = 0; misuse_random() % 2 && i < x.shape.rank && i < HEED_MAX_RANK; i++)
        x.shape.dims[i] = (int64_t)(misuse_random() % 4) - 1; /* a list of axes */
    x.i = ANY_OF(hostile_counts);
    x.j = ANY_OF(hostile_counts);
    x.k = ANY_OF(hostile_counts);
    x.axis = misuse_random() % 2 ? ANY_OF(hostile_ints) : 0;
    x.other_axis = ANY_OF(hostile_ints);
    x.number = ANY_OF(hostile_ints);
    x.low = ANY_OF(hostile_doubles);
    x.high = ANY_OF(hostile_doubles);
    x.flag = misuse_random() % 2;
    x.other_flag = misuse_random() % 2;
    return x;
}

/* Reads a result and sends a gradient back through it: that may fail for want of memory, but cleanly. */
static void use(const char *name, heed_tensor *y)
{
    int64_t n = heed_numel(y);
    ck_assert_msg(n >= 0, "%s gave %lld elements", name, (long long)n);
    heed_tensor *copy = n <= READABLE ? heed_clone(heed_to_dtype(y, HEED_BOOL)) : NULL;
    ck_assert(n > READABLE || copy != NULL);
    if (!heed_requires_grad(y) || n > READABLE)
        return;
    heed_tensor *g = heed_ones(heed_dtype_of(y), heed_shape_of(y));
    heed_status status = heed_backward_with(y, &(heed_backward_options){.grad_output = g, .retain_graph = true});
    ck_assert_msg(status == HEED_OK, "%s: backward: %s", name, heed_error_message());
}

/* The product of two expanded views of 2^61 numbers is legal, and nobody waits for it. */
static bool is_endless(const misused_op *op, const args *x)
{
    bool product =
        strncmp(op->name, "bmm", 3) == 0 || strcmp(op->name, "matmul") == 0 || strncmp(op->name, "linear", 6) == 0;
    return product && x->a && x->b && heed_numel(x->a) > TWO31 && heed_numel(x->b) > TWO31;
}

static void misuse(const misused_op *op, const args *x)
{
    if (is_endless(op, x))
        return;
    heed_scope *scope = heed_scope_begin();
    heed_tensor *y = op->call(x);
    if (y) {
        ck_assert_msg(heed_error_code() == HEED_OK, "%s gave a result and \"%s\"", op->name, heed_error_message());
        use(op->name, y);
    } else {
        misuse_failed(op->name);
    }
    ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
}

static void drop_gradients(const zoo *z)
{
    for (int i = 1; i < ZOO_SIZE; i++)
        if (heed_is_leaf(z->animals[i]))
            (void)heed_set_grad(z->animals[i], NULL);
}

START_TEST(every_op_on_every_animal)
{
    zoo z;
    zoo_open(&z);
    for (int i = 0; i < COUNT_OF(ops); i++)
        for (int a = 0; a < ZOO_SIZE; a++) {
            for (int b = 0; b < (ops[i].tensors > 1 ? ZOO_SIZE : 1); b++)
                for (int d = 0; d < (ops[i].tensors > 1 ? DRAWS : 4 * DRAWS); d++) {
                    args x = draw(&z, a, b);
                    misuse(&ops[i], &x);
                }
            drop_gradients(&z);
        }
}
END_TEST

/* No op of the library is forgotten above. */
START_TEST(every_op_is_here)
{
    for (int i = 0; heed_op_at(i); i++) {
        bool found = false;
        for (int k = 0; k < COUNT_OF(ops); k++)
            found = found || strcmp(ops[k].name, heed_op_at(i)->name) == 0;
        ck_assert_msg(found, "%s is not misused", heed_op_at(i)->name);
    }
    ck_assert_ptr_null(heed_op_at(-1));
    ck_assert_ptr_null(heed_op_at(INT_MIN));
    ck_assert_ptr_null(heed_op_at(INT_MAX));
}
END_TEST

/* For so many results a caller of heed_apply_all has room. */
START_TEST(few_ops_have_two_results)
{
    for (int i = 0; heed_op_at(i); i++) {
        const heed_op *op = heed_op_at(i);
        bool two = strcmp(op->name, "sort") == 0 || strcmp(op->name, "kernel_regression") == 0;
        ck_assert_msg(op->n_outputs == (two ? 2 : 1), "%s has %d", op->name, op->n_outputs);
    }
}
END_TEST

MISUSE_MAIN("misuse of ops", every_op_on_every_animal, every_op_is_here, few_ops_have_two_results)
