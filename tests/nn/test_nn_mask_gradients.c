/* tests/nn/test_nn_mask_gradients.c - tests derivatives of both orders with lengths, masks and biases, for multi-head
 * attention, the Transformer, whole and in halves, and decoder-only models: by inputs, biases and parameters. The
 * blocks are tested in test_nn_masks.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "layers.h"
#include "parameter_fields.h"

enum { MULTI_HEAD, ENCODER, DECODER, WHOLE, MODEL };
enum { STEPS = 4, H = 2, VOCAB = 3, MAX_LEAVES = 64, MAX_WEIGHTS = 3 };

/* The layer's inputs, followed by its parameters, which the check replaces. */
typedef struct checked {
    int layer;
    void *net;
    heed_tensor *lens, *mask, *tokens;
    heed_tensor *leaves[MAX_LEAVES];
    heed_tensor **fields[MAX_LEAVES];
    int n_in, n;
    bool requested; /* whether the weights are requested */
} checked;

/* Inputs come first, then biases. */
static heed_tensor *masked(const checked *c, heed_tensor *const *in, heed_tensor **weights)
{
    heed_tensor **first = c->requested ? weights : NULL, **second = first ? first + 1 : NULL,
                **third = first ? first + 2 : NULL;
    heed_nn_attention_call call = {.valid_lens = c->lens, .mask = c->mask, .weights = first};
    switch (c->layer) {
    case MULTI_HEAD:
        call.bias = in[2];
        return heed_nn_multi_head_attention_forward_with(c->net, in[0], in[1], in[1], &call);
    case ENCODER:
        call.bias = in[1];
        return heed_nn_transformer_encoder_forward_with(c->net, in[0], &call);
    case DECODER:
        call.memory_lens = c->lens;
        call.memory_mask = c->mask;
        call.bias = in[2];
        call.memory_bias = in[3];
        call.memory_weights = second;
        return heed_nn_transformer_decoder_forward_with(c->net, in[0], in[1], &call);
    case MODEL:
        call.bias = in[0];
        return heed_nn_decoder_forward_with(c->net, c->tokens, &call);
    default:
        call.memory_lens = c->lens;
        call.encoder_mask = call.memory_mask = c->mask;
        call.encoder_bias = in[2];
        call.bias = in[3];
        call.memory_bias = in[4];
        call.encoder_weights = first;
        call.weights = second;
        call.memory_weights = third;
        return heed_nn_transformer_forward_with(c->net, in[0], in[1], &call);
    }
}

/* Returns the result and the weights, concatenated. */
static heed_tensor *run_replaced(heed_tensor *const *in, void *user)
{
    const checked *c = user;
    heed_tensor *parts[1 + MAX_WEIGHTS] = {NULL};
    for (int i = c->n_in; i < c->n; i++)
        *c->fields[i] = in[i];
    parts[0] = masked(c, in, parts + 1);
    for (int i = c->n_in; i < c->n; i++)
        *c->fields[i] = c->leaves[i];
    int n = 0;
    for (; n <= MAX_WEIGHTS && parts[n]; n++)
        parts[n] = heed_reshape(parts[n], HEED_SHAPE(-1));
    return n > 0 ? heed_concat(parts, n, 0) : NULL;
}

static heed_status add_parameter(const heed_module_visit *visit, void *user)
{
    checked *c = user;
    heed_scope *scope = heed_no_grad_begin();
    ck_assert_int_eq(heed_copy_(visit->tensor, made(HEED_F64, heed_shape_of(visit->tensor), 10 + c->n, 0.7)), HEED_OK);
    heed_scope_end(scope);
    ck_assert_int_lt(c->n, MAX_LEAVES);
    c->fields[c->n] = parameter_field(visit);
    ck_assert_msg(c->fields[c->n] != NULL, "%s is in no field", visit->name);
    c->leaves[c->n++] = visit->tensor;
    return HEED_OK;
}

/* The last query sees no key, since the mask allows only a key past the length. Other queries see at least two keys,
 * also in causal attention. Biases are (T, T) and (T) in turn. */
static void check(int layer, void *net, int inputs, int biases)
{
    ck_assert_msg(net != NULL, "%s", heed_error_message());
    heed_scope *scope = heed_scope_begin();
    checked c = {.layer = layer, .net = net};
    c.lens = HEED_TENSOR(HEED_I64, HEED_SHAPE(1), 3);
    c.mask = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(STEPS, STEPS), 1, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 0, 0, 1);
    c.tokens = HEED_TENSOR(HEED_I64, HEED_SHAPE(1, STEPS), 2, 0, 1, 2);
    while (c.n < inputs + biases) {
        const heed_shape shape = c.n < inputs   ? HEED_SHAPE(1, STEPS, H)
                                 : c.n % 2 == 0 ? HEED_SHAPE(STEPS, STEPS)
                                                : HEED_SHAPE(STEPS);
        c.leaves[c.n] = made_leaf(HEED_F64, shape, c.n);
        c.n++;
    }
    c.n_in = c.n;
    ck_assert_int_eq(heed_module_walk(net, add_parameter, &c), HEED_OK);
    const heed_gradcheck_options o = {.atol = 1e-6, .seed = 3};
    heed_gradcheck_result r;
    for (int requested = 0; requested < 2; requested++) {
        c.requested = requested;
        ck_assert_msg(heed_gradcheck(run_replaced, &c, c.leaves, c.n, &o, &r) == HEED_OK, "%d: %s", layer, r.report);
        ck_assert_msg(heed_gradgradcheck(run_replaced, &c, c.leaves, c.n, &o, &r) == HEED_OK, "%d: %s", layer,
                      r.report);
    }
    heed_scope_end(scope);
    heed_module_free(net);
}

START_TEST(multi_head)
{
    static const heed_nn_multi_head_attention_options all[] = {
        {.dtype = HEED_F64},
        {.dtype = HEED_F64, .causal = true},
        {.dtype = HEED_F64, .kv_heads = 1, .head_dim = 2, .rope = true, .no_bias = true},
        {.dtype = HEED_F64, .alibi = true, .window = 2},
        {.dtype = HEED_F64, .relative_positions = 1},
    };
    check(MULTI_HEAD, heed_nn_multi_head_attention_new(H, 2, &all[_i]), 2, 1);
}
END_TEST

static heed_nn_transformer_options options_of(int i)
{
    static const heed_nn_multi_head_attention_options attention = {
        .rope = true, .alibi = true, .window = 3, .kv_heads = 1, .head_dim = 2};
    return (heed_nn_transformer_options){.pre_norm = i % 2,
                                         .eps = 1,
                                         .activation = heed_gelu,
                                         .dtype = HEED_F64,
                                         .attention = i < 2 ? NULL : &attention};
}

START_TEST(encoder)
{
    const heed_nn_transformer_options o = options_of(_i);
    check(ENCODER, heed_nn_transformer_encoder_new(0, H, 2, 1, 1, &o), 1, 1);
}
END_TEST

START_TEST(decoder)
{
    const heed_nn_transformer_options o = options_of(_i);
    check(DECODER, heed_nn_transformer_decoder_new(0, H, 1, 1, 1, &o), 2, 2);
}
END_TEST

START_TEST(whole)
{
    const heed_nn_transformer_options o = options_of(_i);
    check(WHOLE, heed_nn_transformer_new(0, 0, H, 1, 1, 1, &o), 2, 3);
}
END_TEST

START_TEST(model)
{
    static const heed_nn_decoder_options all[] = {
        {.dtype = HEED_F64, .eps = 1, .max_len = STEPS},
        {.dtype = HEED_F64, .eps = 1, .alibi = true, .kv_heads = 1, .tied = true},
        {.dtype = HEED_F64, .eps = 1, .rope = true, .head_dim = 2, .window = 3, .gated = true, .no_bias = true},
    };
    check(MODEL, heed_nn_decoder_new(VOCAB, H, 2, 1, 1, &all[_i]), 0, 1);
}
END_TEST

int main(void)
{
    TCase *tcase = heed_test_case("masks");
    tcase_add_loop_test(tcase, multi_head, 0, 4);
    tcase_add_loop_test(tcase, encoder, 0, 4);
    tcase_add_loop_test(tcase, decoder, 0, 4);
    tcase_add_loop_test(tcase, whole, 0, 3);
    tcase_add_loop_test(tcase, model, 0, 3);
    return heed_run_case("derivatives of layers under masks", tcase);
}
