/* examples/seq2seq.c - trains the models of pronunciation.c and translate.c, and runs them.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "seq2seq.h"

#include "saving.h"

enum { BATCH = 64 };

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

/* The pairs at `rows`, as wide as the longest of them. */
static seq2seq_pairs pick(const seq2seq_pairs *all, heed_tensor *rows)
{
    heed_tensor *source = heed_index_select(all->source_length, 0, rows);
    heed_tensor *target = heed_index_select(all->target_length, 0, rows);
    return (seq2seq_pairs){first_columns(all->source, rows, source, 0), source,
                           first_columns(all->target, rows, target, 1), target};
}

/* -- Training and prediction -------------------------------------------------------------------------------------- */

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
        heed_tensor *loss = s->loss(s, &batch);
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

heed_tensor *seq2seq_predict(seq2seq *s, const seq2seq_pairs *pairs, heed_tensor *rows)
{
    int64_t n = heed_numel(rows), steps = heed_dim(pairs->target, 1) - 1;
    heed_tensor *all = heed_full(HEED_I64, HEED_SHAPE(n, steps), SEQ2SEQ_END);
    heed_module_eval(&s->base);
    for (int64_t i = 0; i < n; i += BATCH) {
        heed_scope *scope = heed_no_grad_begin();
        seq2seq_pairs batch = pick(pairs, heed_slice(rows, 0, i, i + BATCH, 1));
        heed_tensor *made = s->predict(s, &batch, steps);
        heed_copy_(heed_slice(heed_slice(all, 0, i, i + BATCH, 1), 1, 0, heed_dim(made, 1), 1), made);
        heed_scope_end(scope);
    }
    heed_module_train(&s->base);
    return all;
}

void seq2seq_draw(seq2seq *s, heed_tensor *source, heed_tensor *made, seq2seq_names from, seq2seq_names to)
{
    heed_scope *scope = heed_no_grad_begin();
    heed_module_eval(&s->base);
    s->draw(s, source, made, from, to);
    heed_module_train(&s->base);
    heed_scope_end(scope);
}
