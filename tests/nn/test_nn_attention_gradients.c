/* tests/nn/test_nn_attention_gradients.c - the attention modules and the positional encoding: first and second
 * derivatives through parameters and inputs, and masked NaN. */

#include "layers.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

typedef heed_nn_multi_head_attention multi_head;
typedef heed_nn_multi_head_attention_options multi_head_options;
typedef heed_nn_additive_attention additive;
typedef heed_nn_dot_product_attention dot_product;
typedef heed_nn_positional_encoding positional;

static void *not_null(void *net)
{
    ck_assert_msg(net != NULL, "%s", heed_error_message());
    return net;
}

/* Lengths of two sequences, 2 and 3. */
static heed_tensor *two_lens(void)
{
    return HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 3);
}

/* -- Derivatives --------------------------------------------------------------------------------------------------- */

static heed_tensor *run_additive(void *net, heed_tensor *const *in)
{
    heed_manual_seed(5);
    return heed_nn_additive_attention_forward(net, in[0], in[1], in[2], two_lens());
}

static heed_tensor *run_dot_product(void *net, heed_tensor *const *in)
{
    heed_manual_seed(5);
    return heed_nn_dot_product_attention_forward(net, in[0], in[1], in[2], two_lens());
}

static heed_tensor *run_multi_head(void *net, heed_tensor *const *in)
{
    heed_manual_seed(5);
    return heed_nn_multi_head_attention_forward(net, in[0], in[1], in[2], two_lens());
}

static heed_tensor *run_self_attention(void *net, heed_tensor *const *in)
{
    return heed_nn_multi_head_attention_forward(net, in[0], in[0], in[0], NULL);
}

static heed_tensor *run_positional(void *net, heed_tensor *const *in)
{
    heed_manual_seed(5);
    return heed_nn_positional_encoding_forward(net, in[0]);
}

static void check_three(lent *l, heed_shape q, heed_shape k, heed_shape v)
{
    heed_tensor *in[] = {made_leaf(HEED_F64, q, 1), made_leaf(HEED_F64, k, 2), made_leaf(HEED_F64, v, 3)};
    check_gradients(l, in, 3, true);
}

START_TEST(additive_derivatives)
{
    additive *net = not_null(heed_nn_additive_attention_new(
        3, 2, 2, &(heed_nn_additive_attention_options){.dropout = 0.3, .need_weights = true, .dtype = HEED_F64}));
    lent l = {.net = net, .run = run_additive};
    lend_linear(&l, net->W_k);
    lend_linear(&l, net->W_q);
    lend_linear(&l, net->w_v);
    check_three(&l, HEED_SHAPE(2, 2, 2), HEED_SHAPE(2, 3, 3), HEED_SHAPE(2, 3, 1));
    heed_module_free(&net->base);
}
END_TEST

START_TEST(dot_product_derivatives)
{
    dot_product *net = not_null(heed_nn_dot_product_attention_new(
        &(heed_nn_dot_product_attention_options){.dropout = 0.3, .causal = true, .need_weights = true}));
    lent l = {.net = net, .run = run_dot_product};
    check_three(&l, HEED_SHAPE(2, 2, 2), HEED_SHAPE(2, 3, 2), HEED_SHAPE(2, 3, 1));
    check_three(&l, HEED_SHAPE(2, 2, 2, 1), HEED_SHAPE(2, 2, 3, 1), HEED_SHAPE(2, 2, 3, 2));
    heed_module_free(&net->base);
}
END_TEST

static void lend_multi_head(lent *l, multi_head *net)
{
    lend(l, &net->in_proj_weight);
    lend(l, &net->q_proj_weight);
    lend(l, &net->k_proj_weight);
    lend(l, &net->v_proj_weight);
    lend(l, &net->in_proj_bias);
    lend_linear(l, net->out_proj);
}

START_TEST(multi_head_derivatives)
{
    static const multi_head_options options[] = {
        {.dtype = HEED_F64, .dropout = 0.3, .need_weights = true},
        {.dtype = HEED_F64, .no_bias = true, .causal = true},
        {.dtype = HEED_F64, .query_size = 2, .key_size = 1, .value_size = 3},
    };
    for (int i = 0; i < COUNT(options); i++) {
        const multi_head_options *o = &options[i];
        multi_head *net = not_null(heed_nn_multi_head_attention_new(4, 2, o));
        lent l = {.net = net, .run = run_multi_head};
        lend_multi_head(&l, net);
        check_three(&l, HEED_SHAPE(2, 2, o->query_size ? o->query_size : 4),
                    HEED_SHAPE(2, 3, o->key_size ? o->key_size : 4),
                    HEED_SHAPE(2, 3, o->value_size ? o->value_size : 4));
        heed_module_free(&net->base);
    }
}
END_TEST

START_TEST(self_attention_derivatives)
{
    multi_head *net =
        not_null(heed_nn_multi_head_attention_new(2, 2, &(multi_head_options){.dtype = HEED_F64, .causal = true}));
    lent l = {.net = net, .run = run_self_attention};
    lend_multi_head(&l, net);
    heed_tensor *x = made_leaf(HEED_F64, HEED_SHAPE(1, 3, 2), 1);
    check_gradients(&l, &x, 1, true);
    heed_module_free(&net->base);
}
END_TEST

START_TEST(positional_derivatives)
{
    positional *net = not_null(
        heed_nn_positional_encoding_new(3, &(heed_nn_positional_encoding_options){.dropout = 0.4, .dtype = HEED_F64}));
    lent l = {.net = net, .run = run_positional};
    heed_tensor *x = made_leaf(HEED_F64, HEED_SHAPE(2, 4, 3), 1);
    check_gradients(&l, &x, 1, true);
    heed_module_free(&net->base);
}
END_TEST

/* -- Masked NaN ---------------------------------------------------------------------------------------------------- */

/* Result, gradients of the parameters, of queries, keys and values, one behind the other; with `bad` in the keys and
 * values that no query sees. */
static heed_tensor *all_numbers(multi_head *net, double bad, bool lens)
{
    heed_tensor *in[3],
        *leaves[7] = {net->in_proj_weight, net->in_proj_bias, net->out_proj->weight, net->out_proj->bias};
    for (int i = 0; i < 3; i++) {
        in[i] = made(HEED_F64, HEED_SHAPE(2, i ? 5 : 3, 4), i, 1.0);
        if (i)
            for (int64_t b = 0; b < 2; b++) /* two_lens; or the causal mask of three queries */
                ck_assert_int_eq(
                    heed_fill_(heed_slice(heed_select(in[i], 0, b), 0, lens ? 2 + b : 3, HEED_END, 1), bad), HEED_OK);
        leaves[4 + i] = heed_set_requires_grad(in[i], true);
    }
    heed_tensor *y = heed_nn_multi_head_attention_forward(net, in[0], in[1], in[2], lens ? two_lens() : NULL);
    heed_tensor *loss = heed_sum(heed_square(y)), *parts[8];
    ck_assert_msg(heed_grad(&loss, 1, leaves, 7, parts, NULL) == HEED_OK, "%s", heed_error_message());
    parts[7] = y;
    for (int i = 0; i < 8; i++)
        parts[i] = heed_reshape(parts[i], HEED_SHAPE(-1));
    return heed_detach(heed_concat(parts, 8, 0));
}

START_TEST(unseen_keys_do_not_exist)
{
    multi_head *net = not_null(heed_nn_multi_head_attention_new(4, 2, &(multi_head_options){.dtype = HEED_F64}));
    for (int causal = 0; causal < 2; causal++) {
        net->causal = causal;
        heed_tensor *clean = all_numbers(net, 1.0, !causal), *bad = all_numbers(net, (double)NAN, !causal);
        for (int64_t i = 0; i < heed_numel(clean); i++)
            ck_assert_same(heed_get(bad, HEED_INDEX(i)), heed_get(clean, HEED_INDEX(i)));
        ck_assert(isfinite(heed_item(heed_sum(clean))));
    }
    heed_module_free(&net->base);
}
END_TEST

HEED_TEST_MAIN("nn attention gradients", additive_derivatives, dot_product_derivatives, multi_head_derivatives,
               self_attention_derivatives, positional_derivatives, unseen_keys_do_not_exist)
