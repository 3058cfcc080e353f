/* nn/transformer_stack.c - shared by a Transformer's encoder and decoder: the list of blocks, embedding and
 * positions. */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <heed/memory.h>
#include <heed/ops.h>

#include "nn/transformer_stack.h"

enum { MAX_LAYERS = 1 << 12 };

bool heed__transformer_stack_check(const char *where, const heed__transformer_stack *stack)
{
    if (stack->num_layers > MAX_LAYERS)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%" PRId64 " layers: must be at most %d", stack->num_layers,
                               MAX_LAYERS);
    if (stack->vocab_size < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "vocab_size is %" PRId64 ": must be 0 or more",
                               stack->vocab_size);
    return heed__layer_check_size(where, "hidden_size", stack->hidden_size) &&
           heed__layer_check_size(where, "num_layers", stack->num_layers);
}

/* -- Creation ------------------------------------------------------------------------------------------------------ */

static heed_status draw(const heed_module_visit *visit, void *user)
{
    (void)user;
    return heed_rank(visit->tensor) == 2 ? heed_nn_init_xavier_uniform_(visit->tensor) : HEED_OK;
}

bool heed__transformer_blocks(heed_module *net, const heed__transformer_stack *stack,
                              heed__transformer_block_constructor make)
{
    heed_module *list = heed__layer_child(net, "layers", heed_module_new("module_list", sizeof *list));
    for (int64_t i = 0; list && i < stack->num_layers; i++) {
        char name[24];
        (void)snprintf(name, sizeof name, "%" PRId64, i);
        heed_module *block = heed__layer_child(list, name, make(net, stack, i));
        if (!block || heed_module_walk(block, stack->draw ? stack->draw : draw, net) != HEED_OK)
            return false;
    }
    return list != NULL;
}

bool heed__transformer_embedding_and_norm(heed_module *m, const heed__transformer_stack *stack,
                                          heed_nn_layer_norm **norm, heed_nn_embedding **embedding,
                                          heed_nn_positional_encoding **positions)
{
    const heed_nn_transformer_options *o = &stack->options;
    const int64_t h = stack->hidden_size;
    const heed_nn_layer_norm_options norms = {.eps = o->eps, .no_bias = o->no_bias, .dtype = o->dtype};
    if (!o->no_final_norm && !(*norm = heed__layer_child(m, "norm", heed_nn_layer_norm_new(HEED_SHAPE(h), &norms))))
        return false;
    if (stack->vocab_size == 0)
        return true;
    const heed_nn_embedding_options embeddings = {.dtype = o->dtype};
    const heed_nn_positional_encoding_options encodings = {.max_len = o->max_len, .dtype = o->dtype};
    *embedding = heed__layer_child(m, "embedding", heed_nn_embedding_new(stack->vocab_size, h, &embeddings));
    if (!*embedding || heed_nn_init_normal_((*embedding)->weight, 0.0, 1.0 / sqrt((double)h)) != HEED_OK)
        return false;
    if (o->no_positions)
        return true;
    *positions = heed__layer_child(m, "pos_encoding", heed_nn_positional_encoding_new(h, &encodings));
    return *positions != NULL;
}

/* -- Forward passes ------------------------------------------------------------------------------------------------ */

bool heed__transformer_check_tokens(const char *where, const heed_tensor *tokens, const heed_nn_embedding *embedding,
                                    heed_dtype dtype, int64_t hidden_size)
{
    return embedding ? heed__layer_check_tensor(where, "tokens", tokens, HEED_I64, HEED_SHAPE(-1, -1))
                     : heed__layer_check_tensor(where, "tokens", tokens, dtype, HEED_SHAPE(-1, -1, hidden_size));
}

heed_tensor *heed__transformer_embed(heed_nn_embedding *embedding, heed_nn_positional_encoding *positions,
                                     double dropout, heed_tensor *tokens, int64_t first, heed_tensor *step_positions)
{
    if (!embedding)
        return tokens;
    heed_tensor *x = heed_nn_embedding_forward(embedding, tokens);
    const int64_t hidden_size = heed_dim(embedding->weight, 1);
    x = x ? heed_mul_scalar(x, sqrt((double)hidden_size)) : NULL;
    if (x && positions)
        x = step_positions ? heed_add(x, heed_embedding(step_positions, positions->P))
                           : heed_nn_positional_encoding_at(positions, x, first);
    return heed_dropout(x, dropout, true);
}

enum { LISTS = 2 };

heed_tensor *heed__transformer_run_blocks(heed__transformer_block_fn run, const void *call, int64_t num_layers,
                                          heed_tensor *x, heed_tensor **weights[2])
{
    const size_t n = (size_t)num_layers, bytes = LISTS * n * sizeof(heed_tensor *);
    heed_tensor **requested[LISTS], **lists = heed_calloc(LISTS * n, sizeof *lists); /* one list per kind of weights */
    if (!lists)
        return NULL;
    for (size_t i = 0; x && i < n; i++) {
        for (size_t j = 0; j < LISTS; j++)
            requested[j] = weights[j] ? &lists[j * n + i] : NULL;
        x = run(call, (int64_t)i, x, requested);
    }
    for (size_t j = 0; x && j < LISTS; j++)
        if (weights[j] && !(*weights[j] = heed_stack(lists + j * n, (int)n, 0)))
            x = NULL;
    heed_free(lists, bytes);
    return x;
}
