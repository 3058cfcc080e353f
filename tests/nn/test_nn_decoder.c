/* tests/nn/test_nn_decoder.c - tests the visibility of steps in a decoder-only model: masks, biases, ALiBi, and several
 * texts in a row. Its derivatives are in test_nn_mask_gradients.c, its values in tests/parity, its caches in
 * test_kv_padding.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "layers.h"

enum { VOCAB = 7, H = 8, FIRST = 3, SECOND = 4, T = FIRST + SECOND };

/* Models whose positions depend on distances only. */
static const heed_nn_decoder_options models[] = {
    {.rope = true, .rms_norm = true, .gated = true, .no_bias = true, .kv_heads = 1},
    {.alibi = true},
    {.alibi = true, .rope = true, .window = 2},
    {.alibi = true, .kv_heads = 1, .head_dim = 3, .qk_norm = true, .tied = true},
};

enum { MODELS = sizeof models / sizeof models[0] };

/* Makes the weights as large as a trained model's, so that wrong visibility is noticed. */
static heed_status enlarge(const heed_module_visit *visit, void *user)
{
    (void)user;
    return heed_rank(visit->tensor) == 2 ? heed_nn_init_normal_(visit->tensor, 0.0, 0.5) : HEED_OK;
}

static heed_nn_decoder *make(heed_nn_decoder_options o)
{
    o.dtype = HEED_F64;
    heed_manual_seed(2);
    heed_nn_decoder *net = heed_nn_decoder_new(VOCAB, H, 2, 12, 2, &o);
    ck_assert_msg(net && heed_module_walk(&net->base, enlarge, NULL) == HEED_OK, "%s", heed_error_message());
    return net;
}

static heed_tensor *some_tokens(void)
{
    heed_manual_seed(5);
    return heed_randint(0, VOCAB, HEED_SHAPE(2, T));
}

static double difference(heed_tensor *a, heed_tensor *b)
{
    ck_assert_msg(a && b, "%s", heed_error_message());
    ck_assert(heed_shape_equal(heed_shape_of(a), heed_shape_of(b)));
    return heed_item(heed_max(heed_abs(heed_sub(heed_detach(a), heed_detach(b)))));
}

/* Returns bool (T, T): two texts in one row, of FIRST and of SECOND steps. */
static heed_tensor *texts(void)
{
    heed_tensor *mask = heed_empty(HEED_BOOL, HEED_SHAPE(T, T));
    for (int64_t i = 0; i < T * T; i++)
        heed_set_(mask, HEED_INDEX(i / T, i % T), (i / T < FIRST) == (i % T < FIRST));
    return mask;
}

static heed_tensor *hidden_by(heed_tensor *mask)
{
    return heed_masked_fill(heed_zeros(HEED_F64, heed_shape_of(mask)), heed_logical_not(mask), (double)-INFINITY);
}

/* Separates the texts by a mask, by a bias, and by one mask per sequence. */
START_TEST(concatenated_texts_equal_single_texts)
{
    for (int i = 0; i < MODELS; i++) {
        heed_nn_decoder *net = make(models[i]);
        heed_tensor *tokens = some_tokens(), *mask = texts(), *weights[3], *y[3];
        heed_tensor *each = heed_expand(mask, HEED_SHAPE(2, 1, T, T)), *head = heed_slice(tokens, 1, 0, FIRST, 1);
        heed_tensor *tail = heed_slice(tokens, 1, FIRST, T, 1);
        y[0] =
            heed_nn_decoder_forward_with(net, tokens, &(heed_nn_attention_call){.mask = mask, .weights = &weights[0]});
        y[1] = heed_nn_decoder_forward_with(net, tokens,
                                            &(heed_nn_attention_call){.bias = hidden_by(mask), .weights = &weights[1]});
        y[2] = heed_nn_decoder_forward_with(
            net, tokens, &(heed_nn_attention_call){.mask = each, .bias = hidden_by(mask), .weights = &weights[2]});
        for (int j = 0; j < 3; j++) {
            ck_assert(difference(heed_slice(y[j], 1, 0, FIRST, 1), heed_nn_decoder_forward(net, head, NULL)) <= 1e-12);
            ck_assert(difference(heed_slice(y[j], 1, FIRST, T, 1), heed_nn_decoder_forward(net, tail, NULL)) <= 1e-12);
            ck_assert(difference(weights[j], weights[0]) <= 1e-12);
        }
        ck_assert(difference(y[0], heed_nn_decoder_forward(net, tokens, NULL)) > 1e-3);
        heed_module_free(&net->base);
    }
}
END_TEST

/* A mask of all true and a bias of 0 change nothing: later steps stay hidden. */
START_TEST(masks_keep_later_steps_hidden)
{
    const heed_nn_decoder_options learned = {.max_len = T};
    for (int i = 0; i <= MODELS; i++) {
        heed_nn_decoder *net = make(i < MODELS ? models[i] : learned);
        heed_tensor *tokens = some_tokens(), *own, *all;
        heed_tensor *mask = heed_full(HEED_BOOL, HEED_SHAPE(2, T, T), 1.0), *bias = heed_zeros(HEED_F64, HEED_SHAPE(T));
        heed_tensor *y = heed_nn_decoder_forward(net, tokens, &own);
        ck_assert(difference(heed_nn_decoder_forward_with(net, tokens, NULL),
                             heed_nn_decoder_forward(net, tokens, NULL)) == 0.0);
        ck_assert(difference(heed_nn_decoder_forward_with(
                                 net, tokens, &(heed_nn_attention_call){.mask = mask, .bias = bias, .weights = &all}),
                             y) <= 1e-14);
        ck_assert(difference(all, own) <= 1e-14);
        heed_module_free(&net->base);
    }
}
END_TEST

/* Without its bias the scores of step 2 are equal, and its weights fall with the distance according to the slopes. */
START_TEST(alibi_by_distance)
{
    heed_nn_decoder *net = make((heed_nn_decoder_options){.alibi = true});
    heed_tensor *weights, *tokens = HEED_TENSOR(HEED_I64, HEED_SHAPE(1, 3), 4, 4, 4);
    ck_assert_ptr_nonnull(heed_nn_decoder_forward(net, tokens, &weights));
    for (int64_t head = 0; head < 2; head++)
        for (int64_t key = 0; key < 2; key++) {
            const double fall = heed_get(weights, HEED_INDEX(0, 0, head, 2, key + 1)) /
                                heed_get(weights, HEED_INDEX(0, 0, head, 2, key));
            ck_assert_double_eq_tol(fall, exp(head == 0 ? 0x1p-4 : 0x1p-8), 1e-14);
        }
    heed_module_free(&net->base);
}
END_TEST

/* With rope or ALiBi, max_len is ignored. */
START_TEST(positions_are_learned_without_rope_and_alibi)
{
    static const struct {
        heed_nn_decoder_options options;
        bool learned;
    } all[] = {{{.max_len = 2}, true},
               {{.max_len = 2, .rope = true}, false},
               {{.max_len = 2, .alibi = true}, false},
               {{.max_len = 2, .rope = true, .alibi = true}, false}};
    for (int i = 0; i < 4; i++) {
        heed_nn_decoder *net = make(all[i].options);
        heed_dict *state = heed_module_state(&net->base);
        ck_assert((net->positions != NULL) == all[i].learned);
        ck_assert(heed_dict_has(state, "positions.weight") == all[i].learned);
        ck_assert((net->attention->slopes != NULL) == all[i].options.alibi);
        ck_assert((heed_nn_decoder_forward(net, some_tokens(), NULL) != NULL) != all[i].learned);
        if (all[i].learned)
            ck_assert_error(HEED_ERR_SHAPE,
                            "nn_decoder_forward: tokens is (2, 7), after 0 cached steps: must be at most 2");
        heed_dict_free(state);
        heed_module_free(&net->base);
    }
}
END_TEST

START_TEST(masks_that_do_not_fit)
{
    heed_nn_decoder *net = make((heed_nn_decoder_options){.max_len = T});
    heed_tensor *tokens = some_tokens(), *weights = tokens, *mask = heed_full(HEED_BOOL, HEED_SHAPE(T, T + 1), 1.0);
    ck_assert_ptr_null(
        heed_nn_decoder_forward_with(net, tokens, &(heed_nn_attention_call){.mask = mask, .weights = &weights}));
    ck_assert_error(HEED_ERR_SHAPE, "nn_decoder_forward_with: ");
    ck_assert_ptr_null(weights);
    ck_assert_ptr_null(heed_nn_decoder_forward_with(
        net, tokens, &(heed_nn_attention_call){.bias = heed_zeros(HEED_F32, HEED_SHAPE(T, T))}));
    ck_assert_error(HEED_ERR_DTYPE, "nn_decoder_forward_with: ");
    ck_assert_ptr_null(heed_nn_decoder_forward_with(
        net, tokens, &(heed_nn_attention_call){.mask = heed_zeros(HEED_F64, HEED_SHAPE(T, T))}));
    ck_assert_error(HEED_ERR_DTYPE, "nn_decoder_forward_with: ");
    ck_assert_ptr_null(heed_nn_decoder_forward_with(net, NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "nn_decoder_forward_with: tokens is NULL");
    ck_assert_ptr_null(heed_nn_decoder_forward_with(NULL, tokens, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "nn_decoder_forward_with: the module is NULL");
    ck_assert_ptr_null(heed_nn_decoder_forward_with(net, heed_concat(HEED_TENSORS(tokens, tokens), 1), NULL));
    ck_assert_error(HEED_ERR_SHAPE,
                    "nn_decoder_forward_with: tokens is (2, 14), after 0 cached steps: must be at most 7");
    heed_module_free(&net->base);
}
END_TEST

HEED_TEST_MAIN("decoder-only models", concatenated_texts_equal_single_texts, masks_keep_later_steps_hidden,
               alibi_by_distance, positions_are_learned_without_rope_and_alibi, masks_that_do_not_fit)
