/* examples/char_transformer.c - a decoder-only Transformer learns a text byte by byte, and then writes one.
 * The whole Bible from Debian's bible-kjv is long enough to train without dropout:
 *     bible -f Gen1:1-Rev22:21 | sed 's/^[^ ]* //' > bible.txt && char_transformer --text bible.txt --dropout 0
 * Shares training.c (command line, reading text, pictures), saving.c (stopping and resuming) and team.c (running
 * under mpirun) with other examples.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include "team.h"

enum { T = 64, D = 128, BATCH = 16 }; /* bytes of context, model width, sequences per step */
#define MAX_NORM 1.0                  /* of the gradients */
static const char *file = "examples/data/genesis.txt";
static int64_t layers = 2, epochs = 10, steps = 200, length = 500;
static double dropout = 0.1, temperature = 0.8;

static const training_option options[] = {
    {"text", "FILE", "text to learn; its last tenth is for validation", .text = &file},
    {"layers", "N", "Transformer blocks", .count = &layers, .least = 1},
    {"epochs", "N", "number of epochs; every epoch ends with a validation", .count = &epochs, .least = 1},
    {"steps", "N", "steps per epoch, with 16 pieces of 64 bytes", .count = &steps, .least = 1},
    {"dropout", "P", "dropout probability", .number = &dropout},
    {"length", "N", "bytes to write at the end", .count = &length},
    {"temperature", "R", "temperature of sampling; 0: the most probable byte", .number = &temperature},
    TEAM_OPTIONS,
    SAVING_OPTIONS,
};

/* Positions are encoded by rotation (RoPE) and a block attends to T bytes, so a text of any length can be continued. */
static heed_nn_decoder *make_net(int64_t vocabulary)
{
    const heed_nn_decoder_options net = {.rope = true, .window = T, .dropout = dropout};
    return heed_nn_decoder_new(vocabulary, D, 4, 4 * D, layers, &net);
}

/* Cuts the text from `start` on into rows of T bytes and returns the reduced -ln p(next byte) of those at `rows`
 * (B). */
static heed_tensor *loss_of(heed_nn_decoder *net, heed_tensor *text, int64_t start, heed_tensor *rows,
                            heed_reduction reduction)
{
    int64_t size = (heed_numel(text) - 1 - start) / T * T;
    heed_tensor *x = heed_reshape(heed_slice(text, 0, start, start + size, 1), HEED_SHAPE(-1, T));
    heed_tensor *next = heed_reshape(heed_slice(text, 0, start + 1, start + 1 + size, 1), HEED_SHAPE(-1, T));
    heed_tensor *logits = heed_nn_decoder_forward(net, heed_index_select(x, 0, rows), NULL);
    return heed_cross_entropy(logits, heed_index_select(next, 0, rows),
                              &(heed_class_loss_options){.reduction = reduction});
}

/* The loss over 200 evenly spaced rows. */
static double validate(heed_nn_decoder *net, heed_tensor *text)
{
    heed_scope *scope = heed_no_grad_begin();
    heed_module_eval(&net->base);
    heed_tensor *rows = heed_linspace(HEED_F64, 0.0, (double)((heed_numel(text) - 1) / T - 1), 200);
    double nats = heed_item(loss_of(net, text, 0, heed_to_dtype(rows, HEED_I64), HEED_REDUCTION_MEAN));
    printf("validation loss %.4f nats, %.4f bits per byte\n", nats, nats / log(2.0));
    heed_module_train(&net->base);
    heed_scope_end(scope);
    return nats;
}

/* For training the text is cut from a random first byte, drawn anew every time. */
static heed_tensor *training_loss(heed_nn_decoder *net, heed_tensor *text, heed_tensor *rows, heed_reduction reduction)
{
    return loss_of(net, text, heed_item_i64(heed_randint(0, T, HEED_SHAPE(1))), rows, reduction);
}

/* One step on one batch of rows; returns the mean loss. */
static double step_alone(heed_nn_decoder *net, heed_tensor *text, heed_loader *loader, heed_optimizer *adamw)
{
    heed_tensor *rows;
    heed_loader_next(loader, &rows);
    heed_tensor *loss = training_loss(net, text, rows, HEED_REDUCTION_MEAN);
    heed_optimizer_zero_grad(adamw);
    heed_backward(loss);
    heed_optim_clip_grad_norm_(&net->base, MAX_NORM, NULL);
    heed_optimizer_step(adamw);
    return heed_item(loss);
}

/* The same step by a team, in which this process has some shards of the batch. */
static double step_together(heed_nn_decoder *net, heed_tensor *text, heed_loader *loader, heed_data_parallel *team)
{
    heed_tensor *rows;
    while (heed_data_parallel_next(team, loader, &rows)) {
        heed_scope *shard = heed_scope_begin();
        heed_tensor *loss = training_loss(net, text, rows, HEED_REDUCTION_SUM);
        heed_data_parallel_backward(team, loss, (double)(heed_numel(rows) * T));
        heed_scope_end(shard);
    }
    heed_data_parallel_step(team);
    return heed_data_parallel_loss(team);
}

static heed_data_parallel *make_team(heed_comm *world, heed_optimizer *adamw, int64_t step)
{
    const heed_data_parallel_options o = {.shards = team_shards, .max_norm = MAX_NORM};
    heed_data_parallel *team = team_shards > 0 ? heed_data_parallel_new(world, adamw, &o) : NULL;
    if (team)
        heed_data_parallel_set_steps(team, step);
    return team;
}

static void train(heed_comm *world, heed_nn_decoder *net, heed_tensor *text, heed_tensor *held_out)
{
    int64_t total = epochs * steps, warm_up = (total + 9) / 10;
    heed_tensor *losses = heed_zeros(HEED_F64, HEED_SHAPE(2, epochs)); /* of training, of validation */
    heed_dataset *rows =
        heed_dataset_new(HEED_TENSORS(heed_arange(HEED_I64, 0.0, (double)(heed_numel(text) / T - 1), 1.0)));
    heed_loader_options batches = {.batch_size = BATCH, .shuffle = true, .drop_last = true};
    heed_loader *loader = heed_loader_new(rows, &batches);
    heed_optimizer *adamw = heed_optim_adamw(&net->base, &(heed_optim_adam_options){.lr = 4e-3, .weight_decay = 0.01});
    heed_schedule *parts[] = {heed_schedule_new_linear(NULL, 0.1, 1.0, warm_up),
                              heed_schedule_new_cosine(NULL, total, 0.0)};
    heed_schedule *schedule = heed_schedule_new_chained(adamw, parts, 2);
    heed_progress *progress = heed_progress_new(stdout, &(heed_progress_options){epochs, steps, .unit = "bytes"});
    heed_checkpoint run = {.module = &net->base, .optimizer = adamw, .loader = loader, .progress = progress};
    saving_extra(&run, "losses", losses);
    saving_begin(&run);
    heed_data_parallel *team = make_team(world, adamw, run.step);
    for (; saving_goes_on(&run, total); run.step++) {
        heed_scope *step = heed_scope_begin();
        double loss = team ? step_together(net, text, loader, team) : step_alone(net, text, loader, adamw);
        heed_schedule_step(schedule);
        heed_progress_step(progress, loss, BATCH * T);
        heed_scope_end(step);
        heed_set_(losses, HEED_INDEX(0, run.step / steps), heed_progress_loss(progress));
        if (run.step % steps == steps - 1 && heed_comm_rank(world) == 0)
            heed_set_(losses, HEED_INDEX(1, run.step / steps), validate(net, held_out));
    }
    if (heed_comm_rank(world) == 0)
        training_plot_losses(heed_select(losses, 0, 0), heed_select(losses, 0, 1));
    heed_data_parallel_free(team);
    heed_schedule_free(schedule);
    saving_end(&run);
    heed_dataset_free(rows);
}

static void write_text(heed_nn_decoder *net, const unsigned char *bytes)
{
    heed_module_eval(&net->base);
    heed_nn_decoder_context context = {net, heed_kv_cache_new(NULL)};
    heed_tensor *first = heed_zeros(HEED_I64, HEED_SHAPE(1, 1)), *written = NULL;
    if (length > 0)
        written = heed_generate(heed_nn_decoder_step, &context, first, length, -1,
                                &(heed_sample_options){.temperature = temperature});
    for (int64_t i = 0; i < length; i++)
        putchar(bytes[heed_data_i64(written)[i]]);
    putchar('\n');
    heed_kv_cache_free(context.cache);
}

int main(int argc, char **argv)
{
    training_begin(argc, argv, "Learns a text byte by byte, and then generates text.", TRAINING_OPTIONS(options));
    training_text text = training_read_text(file, 20 * T);
    heed_comm *world = team_join();
    heed_nn_decoder *net = make_net(text.vocabulary);
    train(world, net, text.train, text.held_out);
    if (heed_comm_rank(world) == 0)
        write_text(net, text.bytes);
    team_leave(world);
    heed_module_free(&net->base);
    return 0;
}
