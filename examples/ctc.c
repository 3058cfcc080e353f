/* examples/ctc.c - connectionist temporal classification with an LSTM.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ctc.h"

#include <stdio.h>

#include "training.h"

enum { EMBED = 64, HIDDENS = 128, LAYERS = 2 };
enum { FRAMES = 2 };          /* per source code: the letter x has two sounds */
enum { BLANK = SEQ2SEQ_PAD }; /* a frame with this code writes no code */

typedef struct ctc {
    seq2seq base;
    heed_nn_embedding *embedding;
    heed_nn_lstm *lstm;
    heed_nn_linear *dense;
} ctc;

/* ln p(code) of every frame, (FRAMES S, B, codes), for sources (B, S) with `lengths` (B), or NULL for all S. */
static heed_tensor *forward(ctc *net, heed_tensor *source, heed_tensor *lengths)
{
    heed_tensor *embedded = heed_nn_embedding_forward(net->embedding, heed_transpose(source, 0, 1)); /* steps first */
    heed_tensor *states = heed_nn_lstm_forward(net->lstm, embedded, lengths, NULL, NULL); /* (S, B, 2 HIDDENS) */
    heed_tensor *logits = heed_nn_linear_forward(net->dense, states);                     /* (S, B, FRAMES codes) */
    int64_t steps = heed_dim(logits, 0), n = heed_dim(logits, 1), codes = heed_dim(logits, 2) / FRAMES;
    /* -> (S, FRAMES, B, codes): the frames of a source code follow each other. */
    logits = heed_transpose(heed_reshape(logits, HEED_SHAPE(steps, n, FRAMES, codes)), 1, 2);
    return heed_log_softmax(heed_flatten(logits, 0, 1), -1);
}

/* A target with too few frames, such as the sounds of the word "w", is not learned: its loss counts as 0. */
static heed_tensor *loss(seq2seq *s, const seq2seq_pairs *batch)
{
    heed_tensor *log_probs = forward((ctc *)s, batch->source, batch->source_length);
    heed_tensor *frames = heed_mul_scalar(batch->source_length, FRAMES);
    heed_tensor *codes = heed_slice(batch->target, 1, 1, HEED_END, 1);  /* without SEQ2SEQ_BEGIN */
    heed_tensor *lengths = heed_add_scalar(batch->target_length, -1.0); /* without SEQ2SEQ_END */
    return heed_ctc_loss(log_probs, codes, frames, lengths,
                         &(heed_ctc_loss_options){.blank = BLANK, .zero_infinity = true});
}

/* -- Prediction --------------------------------------------------------------------------------------------------- */

/* Decodes `n` frames that are `stride` apart: one code per run of equal codes; blanks write no code. */
static void collapse(const int64_t *frames, int64_t n, int64_t stride, int64_t *codes, int64_t most)
{
    int64_t before = BLANK, count = 0;
    for (int64_t t = 0; t < n && count < most; t++) {
        int64_t now = frames[t * stride];
        if (now != before && now != BLANK)
            codes[count++] = now;
        before = now;
    }
}

static heed_tensor *predict(seq2seq *s, const seq2seq_pairs *batch, int64_t steps)
{
    heed_tensor *log_probs = forward((ctc *)s, batch->source, batch->source_length);
    int64_t n = heed_dim(log_probs, 1);
    heed_tensor *made = heed_full(HEED_I64, HEED_SHAPE(n, steps), SEQ2SEQ_END);
    const int64_t *likeliest = heed_data_i64(heed_argmax(log_probs, -1, false)); /* (frames, B) */
    const int64_t *lengths = heed_data_i64(batch->source_length);
    int64_t *codes = heed_mutable_i64(made);
    for (int64_t i = 0; i < n; i++)
        collapse(likeliest + i, FRAMES * lengths[i], n, codes + i * steps, steps);
    return made;
}

/* -- Pictures ----------------------------------------------------------------------------------------------------- */

static bool among(const int64_t *codes, int64_t n, int64_t code)
{
    for (int64_t i = 0; i < n; i++)
        if (codes[i] == code)
            return true;
    return false;
}

/* The distinct codes of `made` (1, n) in the order of their first occurrence, then BLANK; and their names. */
static heed_tensor *different(heed_tensor *made, const char *const *made_names, const char **names)
{
    int64_t n = heed_dim(made, 1), count = 0;
    heed_tensor *all = heed_full(HEED_I64, HEED_SHAPE(n + 1), BLANK);
    const int64_t *code = heed_data_i64(made);
    int64_t *codes = heed_mutable_i64(all);
    for (int64_t i = 0; i < n; i++)
        if (!among(codes, count, code[i])) {
            names[count] = made_names[i];
            codes[count++] = code[i];
        }
    names[count] = "nothing";
    return heed_slice(all, 0, 0, count + 1, 1);
}

static void draw(seq2seq *s, heed_tensor *source, heed_tensor *made, seq2seq_names from, seq2seq_names to)
{
    size_t frames = (size_t)(FRAMES * heed_dim(source, 1)), most = (size_t)heed_dim(made, 1) + 1;
    const char **columns = heed_calloc(frames, sizeof *columns), **rows = heed_calloc(most, sizeof *rows);
    char axis[64];
    snprintf(axis, sizeof axis, "%s, %d frames each", from.axis, FRAMES);
    for (size_t t = 0; t < frames; t++)
        columns[t] = t % FRAMES == 0 ? from.codes[t / FRAMES] : "";
    heed_tensor *chances = heed_exp(heed_select(forward((ctc *)s, source, NULL), 1, 0)); /* (frames, codes) */
    heed_tensor *shown = heed_index_select(chances, 1, different(made, to.codes + 1, rows));
    const char *title = "Probability";
    heed_plot_heatmap_options o = {.xlabel = axis,
                                   .ylabel = to.axis,
                                   .titles = &title,
                                   .title_count = 1,
                                   .xticks = columns,
                                   .xtick_count = (int)frames,
                                   .yticks = rows,
                                   .ytick_count = (int)heed_dim(shown, 1),
                                   .vmax = 1.0,
                                   .panel_width = 560,
                                   .panel_height = 340};
    heed_plot_heatmap(heed_transpose(shown, 0, 1), training_picture("alignment.png"), &o);
    heed_free(columns, frames * sizeof *columns);
    heed_free(rows, most * sizeof *rows);
}

/* -- The model ---------------------------------------------------------------------------------------------------- */

seq2seq *ctc_new(int64_t source_codes, int64_t target_codes)
{
    ctc *net = heed_module_new("ctc", sizeof *net);
    net->base.loss = loss;
    net->base.predict = predict;
    net->base.draw = draw;
    net->embedding = heed_nn_embedding_new(source_codes, EMBED, NULL);
    net->lstm = heed_nn_lstm_new(EMBED, HIDDENS,
                                 &(heed_nn_lstm_options){.num_layers = LAYERS, .dropout = 0.1, .bidirectional = true});
    /* One output per code, although no target has SEQ2SEQ_BEGIN or SEQ2SEQ_END: their probabilities soon become
     * small. */
    net->dense = heed_nn_linear_new(2 * HIDDENS, FRAMES * target_codes, NULL);
    heed_module_child(&net->base.base, "embedding", &net->embedding->base);
    heed_module_child(&net->base.base, "lstm", &net->lstm->base);
    heed_module_child(&net->base.base, "dense", &net->dense->base);
    return &net->base;
}
