/* nn/transformer_stack.h - shared by a Transformer's encoder and decoder: the list of blocks, embedding and
 * positions. */
#ifndef HEED_NN_TRANSFORMER_STACK_H
#define HEED_NN_TRANSFORMER_STACK_H

#include "nn/layer.h"

/* The arguments for creating a stack of blocks. */
typedef struct heed__transformer_stack {
    int64_t vocab_size, hidden_size, num_heads, ffn_size, num_layers;
    heed_nn_transformer_options options;
    heed_module_visitor draw; /* initialises a block's parameters; NULL selects Glorot-uniform matrices */
} heed__transformer_stack;

/* Checks the sizes, the other numbers and the dtype for the constructor `where`. Returns false after heed_fail. */
bool heed__transformer_stack_check(const char *where, const heed__transformer_stack *stack);

/* Creates the blocks as children of "layers" and initialises their parameters. `make` creates block `index` and stores
 * it in the list of `net`. Returns false after heed_fail. */
typedef heed_module *(*heed__transformer_block_constructor)(heed_module *net, const heed__transformer_stack *stack,
                                                            int64_t index);
bool heed__transformer_blocks(heed_module *net, const heed__transformer_stack *stack,
                              heed__transformer_block_constructor make);

/* Adds the children "norm", "embedding" and "pos_encoding" that the options request, and stores them in the pointers.
 * "pos_encoding" is created without dropout. Returns false after heed_fail. */
bool heed__transformer_embedding_and_norm(heed_module *m, const heed__transformer_stack *stack,
                                          heed_nn_layer_norm **norm, heed_nn_embedding **embedding,
                                          heed_nn_positional_encoding **positions);

/* Checks tokens (B, T), or (B, T, hidden_size) if the embedding is NULL. Returns false after heed_fail. */
bool heed__transformer_check_tokens(const char *where, const heed_tensor *tokens, const heed_nn_embedding *embedding,
                                    heed_dtype dtype, int64_t hidden_size);

/* Returns dropout(embedding(tokens) sqrt(h) + P[first : first + T]). Adds P[step_positions] instead if step_positions,
 * i64 (B, T), is not NULL. Adds no P if `positions` is NULL. Returns `tokens` if the embedding is NULL. */
heed_tensor *heed__transformer_embed(heed_nn_embedding *embedding, heed_nn_positional_encoding *positions,
                                     double dropout, heed_tensor *tokens, int64_t first, heed_tensor *step_positions);

/* Runs block `index` on x. `call` contains the arguments of the forward. weights[i] is NULL if the weights of kind i
 * are not requested. */
typedef heed_tensor *(*heed__transformer_block_fn)(const void *call, int64_t index, heed_tensor *x,
                                                   heed_tensor **weights[2]);

/* Runs x through all blocks and returns the result. Sets *weights[i], unless weights[i] is NULL, to the stacked weights
 * of all blocks, (num_layers, ...). Returns NULL after heed_fail. */
heed_tensor *heed__transformer_run_blocks(heed__transformer_block_fn run, const void *call, int64_t num_layers,
                                          heed_tensor *x, heed_tensor **weights[2]);

#endif
