/* examples/seq2seq.c - the models of pronunciation.c and translate.c, and how they are trained. */

#include "seq2seq.h"

#include <string.h>

#include "saving.h"

enum { BATCH = 64, EMBED = 64, HIDDENS = 128, HEADS = 4, LAYERS = 2 };

/* -- Pairs -------------------------------------------------------------------------------------------------------- */

seq2seq_pairs seq2seq_pairs_new(int64_t n, int64_t source, int64_t target)
{
    return (seq2seq_pairs){
        heed_zeros(HEED_I64, HEED_SHAPE(n, source)),
        heed_zeros(HEED_I64, HEED_SHAPE(n)),
        heed_zeros(HEED_I64, HEED_SHAPE(n, target + 2)),
        heed_zeros(HEED_I64, HEED_SHAPE(n)),
    };
}

int seq2seq_length(const int64_t *codes, int64_t most)
{
    int n = 0;
    while (n < most && codes[n] != SEQ2SEQ_END)
        n++;
    return n;
}

static heed_tensor *first_columns(heed_tensor *table, heed_tensor *rows, heed_tensor *lengths, int64_t more)
{
    int64_t longest = (int64_t)heed_item(heed_max(heed_to_dtype(lengths, HEED_F64)));
    return heed_slice(heed_index_select(table, 0, rows), 1, 0, longest + more, 1);
}

/* Those at `rows`, as wide as the longest of them. */
static seq2seq_pairs pick(const seq2seq_pairs *all, heed_tensor *rows)
{
    heed_tensor *source = heed_index_select(all->source_length, 0, rows);
    heed_tensor *target = heed_index_select(all->target_length, 0, rows);
    return (seq2seq_pairs){first_columns(all->source, rows, source, 0), source,
                           first_columns(all->target, rows, target, 1), target};
}

/* -- Models ------------------------------------------------------------------------------------------------------- */

seq2seq *seq2seq_new(const char *model, int64_t source_codes, int64_t target_codes)
{
    seq2seq *s = heed_module_new("seq2seq", sizeof *s);
    if (strcmp(model, "gru") == 0) {
        const heed_nn_seq2seq_options o = {.dropout = 0.1};
        s->encoder = heed_nn_seq2seq_encoder_new(source_codes, EMBED, HIDDENS, &o);
        s->decoder = heed_nn_bahdanau_decoder_new(target_codes, EMBED, HIDDENS, &o);
        heed_module_child(&s->base, "encoder", &s->encoder->base);
        heed_module_child(&s->base, "decoder", &s->decoder->base);
    } else if (strcmp(model, "transformer") == 0) {
        s->transformer =
            heed_nn_transformer_new(source_codes, target_codes, HIDDENS, HEADS, 2 * HIDDENS, LAYERS,
                                    &(heed_nn_transformer_options){.dropout = 0.1, .pre_norm = true, .max_len = 64});
        heed_module_child(&s->base, "transformer", &s->transformer->base);
    } else
        training_refuse("--model %s: wants gru or transformer", model);
    return s;
}

/* Each (layers, B, heads, steps, steps); of the GRUs there is only `cross`. */
typedef struct attention {
    heed_tensor *source, *target, *cross;
} attention;

/* Logits of what follows each of the target codes (B, T), given the source. NULL: nobody asks where it looked. */
static heed_tensor *forward(seq2seq *s, heed_tensor *source, heed_tensor *lengths, heed_tensor *codes, attention *looks)
{
    if (s->transformer)
        return heed_nn_transformer_forward(s->transformer, source, codes, lengths, NULL, looks ? &looks->source : NULL,
                                           looks ? &looks->target : NULL, looks ? &looks->cross : NULL);
    heed_tensor *state = NULL, *memory = heed_nn_seq2seq_encoder_forward(s->encoder, source, &state);
    heed_tensor *logits =
        heed_nn_bahdanau_decoder_forward(s->decoder, codes, memory, lengths, &state, looks ? &looks->cross : NULL);
    if (looks)
        looks->cross = heed_unsqueeze(heed_unsqueeze(looks->cross, 1), 0);
    return logits;
}

static heed_tensor *loss_of(seq2seq *s, const seq2seq_pairs *batch)
{
    heed_tensor *before = heed_slice(batch->target, 1, 0, -1, 1), *next = heed_slice(batch->target, 1, 1, HEED_END, 1);
    heed_tensor *logits = forward(s, batch->source, batch->source_length, before, NULL);
    heed_tensor *losses =
        heed_cross_entropy(logits, next, &(heed_class_loss_options){.reduction = HEED_REDUCTION_NONE});
    return heed_sequence_loss(losses, batch->target_length, HEED_REDUCTION_MEAN);
}

void seq2seq_train(seq2seq *s, const seq2seq_pairs *pairs, heed_tensor *rows, int64_t epochs, const char *unit)
{
    int64_t n = heed_numel(rows), steps = (n + BATCH - 1) / BATCH;
    heed_optimizer *adam = heed_optim_adam(&s->base, &(heed_optim_adam_options){.lr = 2e-3});
    heed_schedule *schedule = heed_schedule_new_cosine(adam, epochs * steps, 0.0);
    heed_progress_options o = {.epochs = epochs, .steps = steps, .unit = unit};
    heed_progress *progress = heed_progress_new(stdout, &o);
    heed_checkpoint run = {.module = &s->base, .optimizer = adam, .progress = progress};
    saving_extra(&run, "rows", rows);
    for (saving_begin(&run); saving_goes_on(&run, epochs * steps); run.step++) {
        heed_scope *scope = heed_scope_begin();
        if (run.step % steps == 0)
            heed_copy_(rows, heed_index_select(rows, 0, heed_permutation(n)));
        heed_tensor *some = heed_slice(rows, 0, run.step % steps * BATCH, (run.step % steps + 1) * BATCH, 1);
        seq2seq_pairs batch = pick(pairs, some);
        heed_tensor *loss = loss_of(s, &batch);
        heed_optimizer_zero_grad(adam);
        heed_backward(loss);
        heed_optim_clip_grad_norm_(&s->base, 1.0, NULL);
        heed_optimizer_step(adam);
        heed_schedule_step(schedule);
        heed_progress_step(progress, heed_item(loss), heed_numel(some));
        heed_scope_end(scope);
    }
    heed_schedule_free(schedule);
    saving_end(&run);
}

/* -- Prediction --------------------------------------------------------------------------------------------------- */

/* Sequences in the making. What changes with a step is retained, for each step has a scope of its own. */
typedef struct prediction {
    seq2seq *s;
    heed_tensor *memory, *lengths, *state; /* the encoder's results, the source's lengths, the decoder's state */
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
    heed_tensor *logits = heed_nn_bahdanau_decoder_forward(p->s->decoder, codes, p->memory, p->lengths, &state, NULL);
    keep(&p->state, state);
    return heed_select(logits, 1, -1);
}

static heed_tensor *step_transformer(heed_tensor *codes, heed_tensor *rows, void *user)
{
    prediction *p = user;
    if (rows)
        heed_kv_cache_select(p->cache, rows);
    heed_tensor *logits = heed_nn_transformer_decoder_cached(p->s->transformer->decoder, codes, p->memory, p->lengths,
                                                             p->cache, NULL, NULL);
    return heed_select(logits, 1, -1);
}

/* Up to `steps` codes for each source of a batch. */
static heed_tensor *predict(seq2seq *s, const seq2seq_pairs *batch, int64_t steps, int64_t beams)
{
    prediction p = {.s = s, .lengths = heed_retain(batch->source_length)};
    heed_tensor *memory, *state = NULL;
    if (s->transformer) {
        memory = heed_nn_transformer_encoder_forward(s->transformer->encoder, batch->source, p.lengths, NULL);
        p.cache = heed_kv_cache_new(NULL);
    } else
        memory = heed_nn_seq2seq_encoder_forward(s->encoder, batch->source, &state);
    keep(&p.memory, memory);
    keep(&p.state, state);
    heed_generation_step step = s->transformer ? step_transformer : step_gru;
    heed_tensor *begin = heed_full(HEED_I64, HEED_SHAPE(heed_dim(memory, 0), 1), SEQ2SEQ_BEGIN), *made;
    if (beams > 1)
        made = heed_select(
            heed_beam_search(step, &p, begin, steps, SEQ2SEQ_END, &(heed_beam_search_options){.beams = beams}, NULL), 1,
            0);
    else
        made = heed_generate(step, &p, begin, steps, SEQ2SEQ_END, NULL);
    heed_kv_cache_free(p.cache);
    heed_release(p.memory);
    heed_release(p.lengths);
    heed_release(p.state);
    return made;
}

heed_tensor *seq2seq_predict(seq2seq *s, const seq2seq_pairs *pairs, heed_tensor *rows, int64_t beams)
{
    int64_t n = heed_numel(rows), steps = heed_dim(pairs->target, 1) - 1;
    heed_tensor *all = heed_full(HEED_I64, HEED_SHAPE(n, steps), SEQ2SEQ_END);
    heed_module_eval(&s->base);
    for (int64_t i = 0; i < n; i += BATCH) {
        heed_scope *scope = heed_no_grad_begin();
        seq2seq_pairs batch = pick(pairs, heed_slice(rows, 0, i, i + BATCH, 1));
        heed_tensor *made = predict(s, &batch, steps, beams);
        heed_copy_(heed_slice(heed_slice(all, 0, i, i + BATCH, 1), 1, 0, heed_dim(made, 1), 1), made);
        heed_scope_end(scope);
    }
    heed_module_train(&s->base);
    return all;
}

/* -- Pictures ----------------------------------------------------------------------------------------------------- */

static void draw(heed_tensor *weights, const char *name, seq2seq_names columns, seq2seq_names rows)
{
    heed_plot_heatmap_options o = {columns.axis, rows.axis, .xticks = columns.codes, .yticks = rows.codes};
    if (heed_dim(weights, 2) == 1)
        o.panel_width = o.panel_height = 400;
    heed_plot_heatmap(heed_select(weights, 1, 0), training_picture(name), &o);
}

void seq2seq_draw(seq2seq *s, heed_tensor *source, heed_tensor *made, seq2seq_names from, seq2seq_names to)
{
    attention looks = {.cross = NULL};
    heed_scope *scope = heed_no_grad_begin();
    heed_tensor *begin = heed_full(HEED_I64, HEED_SHAPE(1, 1), SEQ2SEQ_BEGIN);
    const seq2seq_names after = {to.axis, to.codes + 1}; /* row i is of the step that made code i */
    heed_module_eval(&s->base);
    forward(s, source, NULL, heed_concat(HEED_TENSORS(begin, heed_slice(made, 1, 0, -1, 1)), 1), &looks);
    heed_module_train(&s->base);
    draw(looks.cross, "alignment.png", from, after);
    if (looks.source)
        draw(looks.source, "source.png", from, from);
    if (looks.target)
        draw(looks.target, "target.png", to, after);
    heed_scope_end(scope);
}
