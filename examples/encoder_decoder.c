/* examples/encoder_decoder.c - GRUs with Bahdanau attention, and a Transformer.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "encoder_decoder.h"

#include "training.h"

enum { EMBED = 64, HIDDENS = 128, HEADS = 4, LAYERS = 2 };

/* Either of the two models. */
typedef struct encoder_decoder {
    seq2seq base;
    heed_nn_seq2seq_encoder *encoder; /* of the GRUs */
    heed_nn_bahdanau_decoder *decoder;
    heed_nn_transformer *transformer; /* NULL for the GRUs */
    int64_t beams;
} encoder_decoder;

/* All weights are (layers, B, heads, steps, steps); the GRUs have only `cross`. */
typedef struct attention {
    heed_tensor *source, *target, *cross;
} attention;

/* Logits of the code after each of the target codes (B, T), given the source. With a NULL `attention` no weights are
 * kept. */
static heed_tensor *forward(encoder_decoder *net, heed_tensor *source, heed_tensor *lengths, heed_tensor *codes,
                            attention *looks)
{
    if (net->transformer)
        return heed_nn_transformer_forward(net->transformer, source, codes, lengths, NULL,
                                           looks ? &looks->source : NULL, looks ? &looks->target : NULL,
                                           looks ? &looks->cross : NULL);
    heed_tensor *state = NULL, *memory = heed_nn_seq2seq_encoder_forward(net->encoder, source, &state);
    heed_tensor *logits =
        heed_nn_bahdanau_decoder_forward(net->decoder, codes, memory, lengths, &state, looks ? &looks->cross : NULL);
    if (looks)
        looks->cross = heed_unsqueeze(heed_unsqueeze(looks->cross, 1), 0);
    return logits;
}

/* The mean over the target codes of -ln p(code | source, preceding codes). */
static heed_tensor *loss(seq2seq *s, const seq2seq_pairs *batch)
{
    heed_tensor *before = heed_slice(batch->target, 1, 0, -1, 1), *next = heed_slice(batch->target, 1, 1, HEED_END, 1);
    heed_tensor *logits = forward((encoder_decoder *)s, batch->source, batch->source_length, before, NULL);
    heed_tensor *losses =
        heed_cross_entropy(logits, next, &(heed_class_loss_options){.reduction = HEED_REDUCTION_NONE});
    return heed_sequence_loss(losses, batch->target_length, HEED_REDUCTION_MEAN);
}

/* -- Prediction --------------------------------------------------------------------------------------------------- */

/* Sequences being written. Tensors that change with a step are retained, because every step has its own scope. */
typedef struct prediction {
    encoder_decoder *net;
    heed_tensor *memory, *lengths, *state; /* encoder outputs, source lengths, decoder state */
    heed_kv_cache *cache;                  /* a Transformer's state */
} prediction;

static void keep(heed_tensor **slot, heed_tensor *t)
{
    heed_retain(t);
    heed_release(*slot);
    *slot = t;
}

static heed_tensor *step_gru(heed_tensor *codes, heed_tensor *rows, void *user)
{
    prediction *p = user;
    heed_tensor *state = p->state;
    if (rows) {
        keep(&p->memory, heed_index_select(p->memory, 0, rows));
        keep(&p->lengths, heed_index_select(p->lengths, 0, rows));
        state = heed_index_select(state, 1, rows);
    }
    heed_tensor *logits = heed_nn_bahdanau_decoder_forward(p->net->decoder, codes, p->memory, p->lengths, &state, NULL);
    keep(&p->state, state);
    return heed_select(logits, 1, -1);
}

static heed_tensor *step_transformer(heed_tensor *codes, heed_tensor *rows, void *user)
{
    prediction *p = user;
    if (rows)
        heed_kv_cache_select(p->cache, rows);
    heed_nn_attention_call call = {.memory_lens = p->lengths, .cache = p->cache};
    heed_tensor *logits =
        heed_nn_transformer_decoder_forward_with(p->net->transformer->decoder, codes, p->memory, &call);
    return heed_select(logits, 1, -1);
}

static heed_tensor *predict(seq2seq *s, const seq2seq_pairs *batch, int64_t steps)
{
    encoder_decoder *net = (encoder_decoder *)s;
    prediction p = {.net = net, .lengths = heed_retain(batch->source_length)};
    heed_tensor *memory, *state = NULL;
    if (net->transformer) {
        memory = heed_nn_transformer_encoder_forward(net->transformer->encoder, batch->source, p.lengths, NULL);
        p.cache = heed_kv_cache_new(NULL);
    } else
        memory = heed_nn_seq2seq_encoder_forward(net->encoder, batch->source, &state);
    keep(&p.memory, memory);
    keep(&p.state, state);
    heed_generation_step step = net->transformer ? step_transformer : step_gru;
    heed_tensor *begin = heed_full(HEED_I64, HEED_SHAPE(heed_dim(memory, 0), 1), SEQ2SEQ_BEGIN), *made;
    if (net->beams > 1)
        made = heed_select(heed_beam_search(step, &p, begin, steps, SEQ2SEQ_END,
                                            &(heed_beam_search_options){.beams = net->beams}, NULL),
                           1, 0);
    else
        made = heed_generate(step, &p, begin, steps, SEQ2SEQ_END, NULL);
    heed_kv_cache_free(p.cache);
    heed_release(p.memory);
    heed_release(p.lengths);
    heed_release(p.state);
    return made;
}

/* -- Pictures ----------------------------------------------------------------------------------------------------- */

static void draw_weights(heed_tensor *weights, const char *name, seq2seq_names columns, seq2seq_names rows)
{
    heed_plot_heatmap_options o = {.xlabel = columns.axis,
                                   .ylabel = rows.axis,
                                   .xticks = columns.codes,
                                   .xtick_count = (int)heed_dim(weights, -1),
                                   .yticks = rows.codes,
                                   .ytick_count = (int)heed_dim(weights, -2)};
    if (heed_dim(weights, 2) == 1)
        o.panel_width = o.panel_height = 400;
    heed_plot_heatmap(heed_select(weights, 1, 0), training_picture(name), &o);
}

static void draw(seq2seq *s, heed_tensor *source, heed_tensor *made, seq2seq_names from, seq2seq_names to)
{
    attention looks = {.cross = NULL};
    heed_tensor *begin = heed_full(HEED_I64, HEED_SHAPE(1, 1), SEQ2SEQ_BEGIN);
    const seq2seq_names after = {to.axis, to.codes + 1}; /* row i belongs to the step that made code i */
    forward((encoder_decoder *)s, source, NULL, heed_concat(HEED_TENSORS(begin, heed_slice(made, 1, 0, -1, 1)), 1),
            &looks);
    draw_weights(looks.cross, "alignment.png", from, after);
    if (looks.source)
        draw_weights(looks.source, "source.png", from, from);
    if (looks.target)
        draw_weights(looks.target, "target.png", to, after);
}

/* -- Models ------------------------------------------------------------------------------------------------------- */

static encoder_decoder *new_one(int64_t beams)
{
    encoder_decoder *net = heed_module_new("encoder_decoder", sizeof *net);
    net->base.loss = loss;
    net->base.predict = predict;
    net->base.draw = draw;
    net->beams = beams;
    return net;
}

seq2seq *encoder_decoder_new_gru(int64_t source_codes, int64_t target_codes, int64_t beams)
{
    const heed_nn_seq2seq_options o = {.dropout = 0.1};
    encoder_decoder *net = new_one(beams);
    net->encoder = heed_nn_seq2seq_encoder_new(source_codes, EMBED, HIDDENS, &o);
    net->decoder = heed_nn_bahdanau_decoder_new(target_codes, EMBED, HIDDENS, &o);
    heed_module_child(&net->base.base, "encoder", &net->encoder->base);
    heed_module_child(&net->base.base, "decoder", &net->decoder->base);
    return &net->base;
}

seq2seq *encoder_decoder_new_transformer(int64_t source_codes, int64_t target_codes, int64_t beams)
{
    encoder_decoder *net = new_one(beams);
    net->transformer =
        heed_nn_transformer_new(source_codes, target_codes, HIDDENS, HEADS, 2 * HIDDENS, LAYERS,
                                &(heed_nn_transformer_options){.dropout = 0.1, .pre_norm = true, .max_len = 64});
    heed_module_child(&net->base.base, "transformer", &net->transformer->base);
    return &net->base;
}
