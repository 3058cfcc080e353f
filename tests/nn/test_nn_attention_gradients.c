/* tests/nn/test_nn_attention_gradients.c - tests masked NaN in multi-head attention. Derivatives are tested in
 * test_nn_cases.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "layers.h"

typedef heed_nn_multi_head_attention multi_head;
typedef heed_nn_multi_head_attention_options multi_head_options;

static void *require(void *net)
{
    ck_assert_msg(net != NULL, "%s", heed_error_message());
    return net;
}

/* The visibility of five keys to three queries in two sequences: `seen` keys of the first sequence and one more of the
 * second. */
typedef struct mask {
    bool causal;
    heed_tensor *lens;
    int64_t seen;
} mask;

/* Returns the result and the gradients of the parameters, queries, keys and values, concatenated; `bad` is written to
 * the keys and values that no query sees. */
static heed_tensor *all_numbers(multi_head *net, double bad, const mask *m)
{
    heed_tensor *in[3],
        *leaves[7] = {net->in_proj_weight, net->in_proj_bias, net->out_proj->weight, net->out_proj->bias};
    for (int i = 0; i < 3; i++) {
        in[i] = made(HEED_F64, HEED_SHAPE(2, i ? 5 : 3, 4), i, 1.0);
        if (i)
            for (int64_t b = 0; b < 2; b++)
                ck_assert_int_eq(heed_fill_(heed_slice(heed_select(in[i], 0, b), 0, m->seen + b, HEED_END, 1), bad),
                                 HEED_OK);
        leaves[4 + i] = heed_set_requires_grad(in[i], true);
    }
    heed_tensor *y = heed_nn_multi_head_attention_forward(net, in[0], in[1], in[2], m->lens, NULL);
    heed_tensor *loss = heed_sum(heed_square(y)), *parts[8];
    ck_assert_msg(heed_grad(&loss, 1, leaves, 7, parts, NULL) == HEED_OK, "%s", heed_error_message());
    parts[7] = y;
    for (int i = 0; i < 8; i++)
        parts[i] = heed_reshape(parts[i], HEED_SHAPE(-1));
    return heed_detach(heed_concat(parts, 8, 0));
}

START_TEST(hidden_keys_have_no_effect)
{
    multi_head *net = require(heed_nn_multi_head_attention_new(4, 2, &(multi_head_options){.dtype = HEED_F64}));
    const mask masks[] = {
        {false, HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 3), 2},
        {true, NULL, 3},
        {true, HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 2, 5), 2},
        {true, HEED_TENSOR(HEED_I64, HEED_SHAPE(2, 3), 5, 1, 1, 5, 5, 2), 1}, /* the first causal row has length 1 */
    };
    for (int i = 0; i < (int)(sizeof masks / sizeof masks[0]); i++) {
        net->causal = masks[i].causal;
        heed_tensor *clean = all_numbers(net, 1.0, &masks[i]), *bad = all_numbers(net, (double)NAN, &masks[i]);
        for (int64_t k = 0; k < heed_numel(clean); k++)
            ck_assert_same(heed_get(bad, HEED_INDEX(k)), heed_get(clean, HEED_INDEX(k)));
        ck_assert(isfinite(heed_item(heed_sum(clean))));
    }
    heed_module_free(&net->base);
}
END_TEST

HEED_TEST_MAIN("nn attention gradients", hidden_keys_have_no_effect)
