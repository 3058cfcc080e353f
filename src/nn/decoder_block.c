/* nn/decoder_block.c - pre-norm self-attention and feed-forward with residual connections. */

#include "nn/decoder_block.h"
#include "nn/transformer_components.h"

typedef heed__decoder_block block;
typedef heed_nn_decoder_options decoder_options;

/* -- Creation ------------------------------------------------------------------------------------------------------ */

heed_module *heed__decoder_norm(heed_module *m, const char *name, int64_t hidden_size, const decoder_options *o)
{
    const heed_shape shape = HEED_SHAPE(hidden_size);
    if (o->rms_norm)
        return heed__layer_child(
            m, name, heed_nn_rms_norm_new(shape, &(heed_nn_rms_norm_options){.eps = o->eps, .dtype = o->dtype}));
    const heed_nn_layer_norm_options options = {.eps = o->eps, .no_bias = o->no_bias, .dtype = o->dtype};
    return heed__layer_child(m, name, heed_nn_layer_norm_new(shape, &options));
}

static bool add_attention(block *net, int64_t hidden_size, int64_t num_heads, const decoder_options *o)
{
    const heed_nn_multi_head_attention_options options = {.dropout = o->dropout,
                                                          .causal = true,
                                                          .no_bias = o->no_bias && !o->qkv_bias,
                                                          .no_out_bias = o->no_bias,
                                                          .rope = o->rope,
                                                          .alibi = o->alibi,
                                                          .rope_base = o->rope_base,
                                                          .kv_heads = o->kv_heads,
                                                          .window = o->window,
                                                          .dtype = o->dtype,
                                                          .head_dim = o->head_dim,
                                                          .qk_norm = o->qk_norm,
                                                          .qk_norm_eps = o->eps,
                                                          .rope_factor = o->rope_factor,
                                                          .rope_original_len = o->rope_original_len,
                                                          .rope_low_freq_factor = o->rope_low_freq_factor,
                                                          .rope_high_freq_factor = o->rope_high_freq_factor};
    net->self_attn =
        heed__layer_child(&net->base, "self_attn", heed_nn_multi_head_attention_new(hidden_size, num_heads, &options));
    return net->self_attn != NULL;
}

static bool add_feed_forward(block *net, int64_t hidden_size, int64_t ffn_size, const decoder_options *o)
{
    const heed__transformer_settings settings = {
        .hidden_size = hidden_size, .ffn_size = ffn_size, .no_bias = o->no_bias, .gated = o->gated, .dtype = o->dtype};
    return heed__transformer_linears(&net->base, &settings, &net->gate, &net->linear1, &net->linear2);
}

block *heed__decoder_block_new(int64_t hidden_size, int64_t num_heads, int64_t ffn_size, const decoder_options *options)
{
    block *net = heed_module_new("decoder_block", sizeof *net);
    if (!net)
        return NULL;
    net->activation = options->activation;
    net->dropout = options->dropout;
    return heed__layer_finish(net, (net->norm1 = heed__decoder_norm(&net->base, "norm1", hidden_size, options)) &&
                                       add_attention(net, hidden_size, num_heads, options) &&
                                       (net->norm2 = heed__decoder_norm(&net->base, "norm2", hidden_size, options)) &&
                                       add_feed_forward(net, hidden_size, ffn_size, options));
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

static heed_tensor *attend(block *net, heed_tensor *x, const heed__decoder_block_args *args, heed_tensor **weights)
{
    if (args->cache)
        return heed_nn_multi_head_attention_cached(net->self_attn, x, x, x, NULL, args->cache, weights);
    return heed_nn_multi_head_attention_masked(net->self_attn, x, x, x, NULL, args->mask, args->bias, weights);
}

static heed_tensor *feed_forward(block *net, heed_tensor *x)
{
    return heed__transformer_feed_forward(net->gate, net->linear1, net->linear2, net->activation, 0.0, false, x);
}

heed_tensor *heed__decoder_block_run(block *net, heed_tensor *x, const heed__decoder_block_args *args,
                                     heed_tensor **weights)
{
    HEED_ENTER_FORWARD("nn_decoder_forward", net);
    x = heed__transformer_residual(&net->base, net->dropout, x,
                                   attend(net, heed_module_forward(net->norm1, x), args, weights));
    heed_tensor *normed = x ? heed_module_forward(net->norm2, x) : NULL;
    return normed ? heed__transformer_residual(&net->base, net->dropout, x, feed_forward(net, normed)) : NULL;
}
