/* nn/transformer_stack.h - what a Transformer's encoder and decoder share: a list of blocks, embedding and
 * positions. */
#ifndef HEED_NN_TRANSFORMER_STACK_H
#define HEED_NN_TRANSFORMER_STACK_H

#include "nn/layer.h"

/* What is made. */
typedef struct heed__transformer_stack {
    int64_t vocab_size, hidden_size, num_heads, ffn_size, num_layers;
    heed_nn_transformer_options options;
    heed_module_visitor draw; /* of a block's parameters; NULL: matrices Glorot-uniform */
} heed__transformer_stack;

/* Sizes, numbers and dtype, for the constructor `where`. False after heed_fail. */
bool heed__transformer_stack_check(const char *where, const heed__transformer_stack *stack);

/* Makes the blocks, children of "layers", and draws their parameters. `make` makes the one of that index, and puts it
 * into the list of `net`. False after heed_fail. */
typedef heed_module *(*heed__transformer_block_maker)(heed_module *net, const heed__transformer_stack *stack,
                                                      int64_t index);
bool heed__transformer_blocks(heed_module *net, const heed__transformer_stack *stack,
                              heed__transformer_block_maker make);

/* "norm", "embedding" and "pos_encoding", which drops nothing itself, as far as they are wanted. False after
 * heed_fail. */
bool heed__transformer_ends(heed_module *m, const heed__transformer_stack *stack, heed_nn_layer_norm **norm,
                            heed_nn_embedding **embedding, heed_nn_positional_encoding **positions);

/* Tokens (B, T), or (B, T, hidden_size) for a NULL embedding. False after heed_fail. */
bool heed__transformer_check_tokens(const char *where, const heed_tensor *tokens, const heed_nn_embedding *embedding,
                                    heed_dtype dtype, int64_t hidden_size);

/* dropout(embedding(tokens) sqrt(h) + P[first:first+T]), or + P[places], i64 (B, T), unless that is NULL, or without P
 * for NULL positions; `tokens` for a NULL embedding. */
heed_tensor *heed__transformer_embed(heed_nn_embedding *embedding, heed_nn_positional_encoding *positions,
                                     double dropout, heed_tensor *tokens, int64_t first, heed_tensor *places);

/* What the block of that index makes of x in one call; NULL weights are not wanted. */
typedef heed_tensor *(*heed__transformer_block_runner)(const void *call, int64_t index, heed_tensor *x,
                                                       heed_tensor **weights[2]);

/* x through all blocks. weights[i], unless NULL, receive the blocks' stacked: (num_layers, ...). */
heed_tensor *heed__transformer_run(heed__transformer_block_runner run, const void *call, int64_t num_layers,
                                   heed_tensor *x, heed_tensor **weights[2]);

#endif
