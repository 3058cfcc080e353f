/* nn/transformer.c - the Transformer: encoder and decoder. */

#include "nn/layer.h"

static const char where_new[] = "nn_transformer_new";
static const char where_forward[] = "nn_transformer_forward";
static const char where_masked[] = "nn_transformer_masked";

heed_nn_transformer *heed_nn_transformer_new(int64_t src_vocab, int64_t tgt_vocab, int64_t hidden_size,
                                             int64_t num_heads, int64_t ffn_size, int64_t num_layers,
                                             const heed_nn_transformer_options *options)
{
    HEED_ENTER(where_new);
    const int64_t decoder_layers = options && options->decoder_layers != 0 ? options->decoder_layers : num_layers;
    heed_nn_transformer *net = heed_module_new("transformer", sizeof *net);
    if (!net)
        return NULL;
    net->encoder = heed__layer_child(
        &net->base, "encoder",
        heed_nn_transformer_encoder_new(src_vocab, hidden_size, num_heads, ffn_size, num_layers, options));
    if (net->encoder)
        net->decoder = heed__layer_child(
            &net->base, "decoder",
            heed_nn_transformer_decoder_new(tgt_vocab, hidden_size, num_heads, ffn_size, decoder_layers, options));
    return heed__layer_finish(net, net->decoder != NULL);
}

enum { ENCODER_WEIGHTS, SELF_WEIGHTS, WEIGHTS, ALL_WEIGHTS };

static bool check(const char *where, const heed_nn_transformer *net, const heed_tensor *src, const heed_tensor *tgt,
                  const heed_tensor *src_lens)
{
    return heed__layer_check_given(where, net, "src", src) && heed__layer_check_given(where, net, "tgt", tgt) &&
           (!src_lens || heed__layer_check_tensor(where, "src_lens", src_lens, HEED_I64, HEED_SHAPE(-1)));
}

static heed_tensor *forward(const char *where, heed_nn_transformer *net, heed_tensor *const in[2],
                            heed_tensor *const lens[2], const heed_nn_transformer_masks *m,
                            heed_tensor **requested[ALL_WEIGHTS])
{
    heed_tensor *computed[ALL_WEIGHTS] = {NULL};
    heed__clear_requested(requested, ALL_WEIGHTS);
    heed_scope *scope = check(where, net, in[0], in[1], lens[0]) ? heed_scope_begin() : NULL;
    if (!scope)
        return NULL;
    const heed_nn_transformer_decoder_masks masks = {
        .mask = m->tgt_mask, .bias = m->tgt_bias, .memory_mask = m->memory_mask, .memory_bias = m->memory_bias};
    heed_tensor *logits = NULL;
    heed_tensor *memory =
        heed_nn_transformer_encoder_masked(net->encoder, in[0], lens[0], m->src_mask, m->src_bias,
                                           requested[ENCODER_WEIGHTS] ? &computed[ENCODER_WEIGHTS] : NULL);
    if (memory)
        logits = heed_nn_transformer_decoder_masked(net->decoder, in[1], memory, lens[1], lens[0], &masks,
                                                    requested[SELF_WEIGHTS] ? &computed[SELF_WEIGHTS] : NULL,
                                                    requested[WEIGHTS] ? &computed[WEIGHTS] : NULL);
    return heed__scope_return_requested(scope, logits, computed, requested, ALL_WEIGHTS);
}

heed_tensor *heed_nn_transformer_forward(heed_nn_transformer *net, heed_tensor *src, heed_tensor *tgt,
                                         heed_tensor *src_lens, heed_tensor *tgt_lens, heed_tensor **encoder_weights,
                                         heed_tensor **self_weights, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_forward, net);
    heed_tensor *const in[] = {src, tgt}, *const lens[] = {src_lens, tgt_lens};
    heed_tensor **requested[ALL_WEIGHTS] = {encoder_weights, self_weights, weights};
    return forward(where_forward, net, in, lens, &(heed_nn_transformer_masks){0}, requested);
}

heed_tensor *heed_nn_transformer_masked(heed_nn_transformer *net, heed_tensor *src, heed_tensor *tgt,
                                        heed_tensor *src_lens, heed_tensor *tgt_lens,
                                        const heed_nn_transformer_masks *masks, heed_tensor **encoder_weights,
                                        heed_tensor **self_weights, heed_tensor **weights)
{
    HEED_ENTER_FORWARD(where_masked, net);
    heed_tensor *const in[] = {src, tgt}, *const lens[] = {src_lens, tgt_lens};
    heed_tensor **requested[ALL_WEIGHTS] = {encoder_weights, self_weights, weights};
    const heed_nn_transformer_masks none = {0};
    return forward(where_masked, net, in, lens, masks ? masks : &none, requested);
}
