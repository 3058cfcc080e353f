/* tests/promises/misuse/test_misuse_attention.c - the attention modules and the positional encoding with hostile
 * arguments. test_nn_attention_faults.c tests their messages.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "misuse.h"

enum { ROUNDS = 3000 };

static int64_t any_size(void)
{
    return misuse_random() % 4 ? 1 + (int64_t)(misuse_random() % 2) : ANY_OF(hostile_counts);
}

static double any_number(void)
{
    return misuse_random() % 2 ? 0.0 : ANY_OF(hostile_doubles);
}

static heed_dtype any_dtype(void)
{
    return (heed_dtype)(misuse_random() % 8 ? misuse_random() % 2 : misuse_random() % 7);
}

/* One of the four, or NULL after an error. */
static heed_module *any_module(uint64_t kind)
{
    if (kind == 0) {
        heed_nn_additive_attention_options o = {any_number(), any_dtype(), {0}};
        return (heed_module *)heed_nn_additive_attention_new(any_size(), any_size(), any_size(), &o);
    }
    if (kind == 1) {
        heed_nn_dot_product_attention_options o = {any_number(), any_number(), misuse_random() % 2, {0}};
        return (heed_module *)heed_nn_dot_product_attention_new(&o);
    }
    if (kind == 2) {
        bool same = misuse_random() % 2;
        heed_nn_multi_head_attention_options o = {.query_size = same ? 0 : any_size(),
                                                  .key_size = same ? 0 : any_size(),
                                                  .value_size = same ? 0 : any_size(),
                                                  .dropout = any_number(),
                                                  .causal = misuse_random() % 2,
                                                  .no_bias = misuse_random() % 2,
                                                  .dtype = any_dtype()};
        return (heed_module *)heed_nn_multi_head_attention_new(any_size(), any_size(), &o);
    }
    heed_nn_positional_encoding_options o = {any_number(), any_size(), any_dtype(), {0}};
    return (heed_module *)heed_nn_positional_encoding_new(any_size(), &o);
}

static heed_tensor *run(uint64_t kind, heed_module *m, heed_tensor *const *in)
{
    heed_tensor *weights;
    switch (kind) {
    case 0:
        return heed_nn_additive_attention_forward((void *)m, in[0], in[1], in[2], in[3],
                                                  misuse_random() % 2 ? NULL : &weights);
    case 1:
        return heed_nn_dot_product_attention_forward((void *)m, in[0], in[1], in[2], in[3],
                                                     misuse_random() % 2 ? NULL : &weights);
    case 2:
        return heed_nn_multi_head_attention_forward((void *)m, in[0], in[1], in[2], in[3],
                                                    misuse_random() % 2 ? NULL : &weights);
    default:
        return heed_nn_positional_encoding_forward((void *)m, in[0]);
    }
}

/* A tensor that the module may take, or one of the zoo. */
static heed_tensor *any_input(const zoo *z)
{
    if (misuse_random() % 3 == 0)
        return ANY_OF(z->animals);
    int64_t steps = (int64_t)(misuse_random() % 3), size = 1 + (int64_t)(misuse_random() % 2);
    return heed_rand(misuse_random() % 2 ? HEED_F32 : HEED_F64, HEED_SHAPE(2, steps, size));
}

START_TEST(modules)
{
    static int made[4], ran[4];
    zoo z;
    zoo_open(&z);
    for (int round = 0; round < ROUNDS; round++) {
        heed_scope *scope = heed_scope_begin();
        uint64_t kind = misuse_random() % 4;
        heed_module *m = any_module(kind);
        ck_assert((m == NULL) == (heed_error_code() != HEED_OK));
        heed_error_clear();
        made[kind] += m != NULL;
        for (int i = 0; i < 5; i++) {
            heed_tensor *q = any_input(&z), *k = misuse_random() % 2 ? q : any_input(&z);
            heed_tensor *in[] = {q, k, misuse_random() % 2 ? k : any_input(&z),
                                 misuse_random() % 2 ? NULL : ANY_OF(z.animals)};
            heed_tensor *y = run(kind, m, in);
            ck_assert((y == NULL) == (heed_error_code() != HEED_OK));
            heed_error_clear();
            ran[kind] += y != NULL;
        }
        ck_assert_int_eq(heed_module_free(m), HEED_OK);
        ck_assert_int_eq(heed_scope_end(scope), HEED_OK);
    }
    for (int kind = 0; kind < 4; kind++)
        ck_assert_msg(made[kind] > ROUNDS / 40 && ran[kind] > 10, "kind %d: made %d, ran %d", kind, made[kind],
                      ran[kind]);
}
END_TEST

MISUSE_MAIN("misuse of attention", modules)
