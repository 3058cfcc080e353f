/* nn_decoder.c - examples of heed/nn/decoder.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>

static void example_new(void)
{
    /* [heed_nn_decoder_new heed_nn_decoder_forward] */
    heed_nn_decoder *net = heed_nn_decoder_new(
        65, 64, 4, 172, 2, &(heed_nn_decoder_options){.rope = true, .rms_norm = true, .gated = true, .no_bias = true});
    heed_tensor *tokens = heed_randint(0, 65, HEED_SHAPE(8, 33));
    heed_tensor *logits = heed_nn_decoder_forward(net, heed_slice(tokens, 1, 0, 32, 1), NULL);
    heed_tensor *loss = heed_cross_entropy(logits, heed_slice(tokens, 1, 1, 33, 1), NULL);
    heed_backward(loss);
    printf("%.1f nats\n", heed_item(loss)); /* -> 4.2 nats */
    heed_module_free(&net->base);
    /* [] */
}

static void example_forward_with(void)
{
    /* [heed_nn_decoder_forward_with] */
    heed_nn_decoder *net = heed_nn_decoder_new(7, 4, 2, 6, 1, &(heed_nn_decoder_options){.alibi = true});
    heed_tensor *tokens = HEED_TENSOR(HEED_I64, HEED_SHAPE(1, 5), 3, 1, 4, 1, 5);
    heed_tensor *text = HEED_TENSOR(HEED_F32, HEED_SHAPE(5), 0, 0, 1, 1, 1); /* the text of every step */
    heed_tensor *same = heed_compare(text, HEED_COMPARE_EQ, heed_unsqueeze(text, 1));
    heed_tensor *logits = heed_nn_decoder_forward_with(net, tokens, &(heed_nn_attention_call){.mask = same});
    heed_tensor *alone = heed_nn_decoder_forward(net, heed_slice(tokens, 1, 2, 5, 1), NULL);
    printf("%d\n", heed_allclose(heed_slice(logits, 1, 2, 5, 1), alone, 1e-5, 1e-6, false)); /* -> 1 */
    heed_module_free(&net->base);
    /* [] */
}

/* A checkpoint with the names of a file of the Hub. */
static heed_dict *tiny_checkpoint(void)
{
    static const struct {
        const char *name;
        int64_t rows, columns;
    } matrices[] = {{"model.embed_tokens.weight", 7, 4},
                    {"model.layers.0.self_attn.q_proj.weight", 4, 4},
                    {"model.layers.0.self_attn.k_proj.weight", 2, 4},
                    {"model.layers.0.self_attn.v_proj.weight", 2, 4},
                    {"model.layers.0.self_attn.o_proj.weight", 4, 4},
                    {"model.layers.0.mlp.gate_proj.weight", 6, 4},
                    {"model.layers.0.mlp.up_proj.weight", 6, 4},
                    {"model.layers.0.mlp.down_proj.weight", 4, 6},
                    {"lm_head.weight", 7, 4}};
    static const char *const norms[] = {"model.layers.0.input_layernorm.weight",
                                        "model.layers.0.post_attention_layernorm.weight", "model.norm.weight"};
    heed_dict *dict = heed_dict_new();
    for (int i = 0; i < 9; i++)
        heed_dict_set(dict, matrices[i].name, heed_randn(HEED_F32, HEED_SHAPE(matrices[i].rows, matrices[i].columns)));
    for (int i = 0; i < 3; i++)
        heed_dict_set(dict, norms[i], heed_ones(HEED_F32, HEED_SHAPE(4)));
    return dict;
}

static void example_load(const char *path)
{
    /* [heed_nn_decoder_load] */
    heed_nn_decoder *net = heed_nn_decoder_new(
        7, 4, 2, 6, 1,
        &(heed_nn_decoder_options){.rope = true, .rms_norm = true, .gated = true, .no_bias = true, .kv_heads = 1});
    heed_dict *weights = heed_io_safetensors_read(path, NULL); /* "model.safetensors" */
    if (heed_nn_decoder_load(net, weights) == HEED_OK)
        printf("%lld tensors\n", (long long)heed_dict_size(weights)); /* -> 12 tensors */
    heed_dict_free(weights);
    heed_module_eval(&net->base);
    heed_module_free(&net->base);
    /* [] */
}

/* The contents of a file for one layer of 4 numbers, one head and 7 tokens. */
static heed_dict *tiny_gguf(void)
{
    static const char *const keys[][2] = {{"general.architecture", "qwen3"},
                                          {"qwen3.embedding_length", "4"},
                                          {"qwen3.block_count", "1"},
                                          {"qwen3.attention.head_count", "1"},
                                          {"qwen3.feed_forward_length", "6"},
                                          {"qwen3.rope.freq_base", "1000000"},
                                          {"qwen3.attention.layer_norm_rms_epsilon", "1e-06"}};
    static const struct {
        const char *name;
        int64_t rows, columns;
    } matrices[] = {{"token_embd.weight", 7, 4},        {"blk.0.attn_q.weight", 4, 4},   {"blk.0.attn_k.weight", 4, 4},
                    {"blk.0.attn_v.weight", 4, 4},      {"blk.0.ffn_gate.weight", 6, 4}, {"blk.0.ffn_up.weight", 6, 4},
                    {"blk.0.attn_output.weight", 4, 4}, {"blk.0.ffn_down.weight", 4, 6}};
    static const char *const norms[] = {"output_norm.weight", "blk.0.attn_norm.weight", "blk.0.ffn_norm.weight",
                                        "blk.0.attn_q_norm.weight", "blk.0.attn_k_norm.weight"};
    heed_dict *dict = heed_dict_new();
    for (int i = 0; i < 7; i++)
        heed_dict_set_text(dict, keys[i][0], keys[i][1]);
    for (int i = 0; i < 8; i++)
        heed_dict_set(dict, matrices[i].name, heed_randn(HEED_F32, HEED_SHAPE(matrices[i].rows, matrices[i].columns)));
    for (int i = 0; i < 5; i++)
        heed_dict_set(dict, norms[i], heed_ones(HEED_F32, HEED_SHAPE(4)));
    return dict;
}

static void example_from_gguf(heed_dict *file)
{
    /* [heed_nn_decoder_from_gguf] */
    heed_nn_decoder *net = heed_nn_decoder_from_gguf(file, HEED_F32); /* file = heed_io_gguf_read("model.gguf", NULL) */
    printf("%s, %s\n", heed_dict_text(file, "general.architecture"),
           net->dense ? "untied" : "tied"); /* -> qwen3, tied */
    heed_module_free(&net->base);
    /* [] */
}

static void example_step(void)
{
    /* [heed_nn_decoder_step] */
    heed_nn_decoder *net = heed_nn_decoder_new(7, 4, 2, 6, 1, &(heed_nn_decoder_options){.rope = true});
    heed_nn_decoder_context context = {net, heed_kv_cache_new(NULL)};
    heed_tensor *prompt = HEED_TENSOR(HEED_I64, HEED_SHAPE(1, 2), 3, 1);
    heed_tensor *tokens = heed_generate(heed_nn_decoder_step, &context, prompt, 5, -1,
                                        &(heed_sample_options){.temperature = 0.8, .top_p = 0.95});
    printf("%s\n", heed_shape_text(heed_shape_of(tokens)).s); /* -> (1, 5) */
    heed_kv_cache_free(context.cache);
    heed_module_free(&net->base);
    /* [] */
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed(0);
    example_new();
    example_forward_with();
    heed_dict *tiny = tiny_checkpoint();
    heed_io_safetensors_write("heed-tiny.safetensors", tiny);
    heed_dict_free(tiny);
    example_load("heed-tiny.safetensors");
    remove("heed-tiny.safetensors");
    heed_dict *file = tiny_gguf();
    example_from_gguf(file);
    heed_dict_free(file);
    example_step();
    return 0;
}
