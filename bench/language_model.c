/* bench/language_model.c - W8's character Transformer.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "language_model.h"

static heed_status draw_small(const heed_module_visit *visit, void *user)
{
    (void)user;
    return heed_rank(visit->tensor) > 1 ? heed_nn_init_normal_(visit->tensor, 0.0, 0.02) : HEED_OK;
}

language_model *language_model_new(int64_t steps, int64_t d, int64_t layers)
{
    static const char *const names[LANGUAGE_LAYERS] = {"0", "1", "2", "3", "4", "5", "6", "7"};
    const heed_nn_transformer_options options = {.pre_norm = true, .causal = true, .activation = heed_gelu};
    language_model *m = heed_module_new("language_model", sizeof *m);
    m->tokens = heed_nn_embedding_new(LANGUAGE_VOCABULARY, d, NULL);
    m->positions = heed_nn_embedding_new(steps, d, NULL);
    m->norm = heed_nn_layer_norm_new(HEED_SHAPE(d), NULL);
    m->layers = layers;
    heed_module_child(&m->base, "tokens", &m->tokens->base);
    heed_module_child(&m->base, "positions", &m->positions->base);
    heed_module_child(&m->base, "norm", &m->norm->base);
    for (int64_t i = 0; i < layers; i++) {
        m->blocks[i] = heed_nn_transformer_encoder_block_new(d, LANGUAGE_HEADS, 4 * d, &options);
        heed_module_child(&m->base, names[i], &m->blocks[i]->base);
    }
    heed_module_walk(&m->base, draw_small, NULL);
    return m;
}

heed_tensor *language_model_forward(language_model *m, heed_tensor *text)
{
    heed_tensor *x = heed_add(heed_nn_embedding_forward(m->tokens, text), m->positions->weight);
    for (int64_t i = 0; i < m->layers; i++)
        x = heed_nn_transformer_encoder_block_forward(m->blocks[i], x, NULL, NULL);
    return heed_linear(heed_nn_layer_norm_forward(m->norm, x), m->tokens->weight, NULL);
}
