/* bench/language_model.h - W8's character Transformer: pre-norm blocks, learned positions, the last layer tied to the
 * embedding.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef LANGUAGE_MODEL_H
#define LANGUAGE_MODEL_H

#include <heed/heed.h>

enum { LANGUAGE_VOCABULARY = 65, LANGUAGE_HEADS = 4, LANGUAGE_LAYERS = 8 /* at most */ };

typedef struct language_model {
    heed_module base;
    heed_nn_embedding *tokens, *positions;
    heed_nn_transformer_encoder_block *blocks[LANGUAGE_LAYERS];
    heed_nn_layer_norm *norm;
    int64_t layers;
} language_model;

/* For texts of `steps` tokens, in `layers` blocks of width d. */
language_model *language_model_new(int64_t steps, int64_t d, int64_t layers);

/* i64 (B, steps) -> (B, steps, LANGUAGE_VOCABULARY) */
heed_tensor *language_model_forward(language_model *m, heed_tensor *text);

#endif
