/* examples/char_transformer.c - a decoder-only, pre-norm Transformer learns a text byte by byte, and then writes.
 * With all of the Bible from Debian's bible-kjv, which is long enough to do without dropout:
 *     bible -f Gen1:1-Rev22:21 | sed 's/^[^ ]* //' > bible.txt && char_transformer --text bible.txt --dropout 0
 * Shares training.c (command line, reading text, pictures) and saving.c (stopping and resuming) with other examples. */
#include <math.h>
#include <stdio.h>

#include "saving.h"

enum { T = 64, D = 128, BATCH = 16 }; /* bytes that the net sees, size of its states, pieces of text in a step */
static const char *file = "examples/data/genesis.txt";
static int64_t layers = 2, epochs = 10, steps = 200, length = 500;
static double dropout = 0.1, temperature = 0.8;

static const training_option options[] = {
    {"text", "FILE", "what to learn; its last tenth is for validation", .text = &file},
    {"layers", "N", "Transformer blocks", .count = &layers, .least = 1},
    {"epochs", "N", "validations", .count = &epochs, .least = 1},
    {"steps", "N", "updates before each, of 16 pieces of 64 bytes", .count = &steps, .least = 1},
    {"dropout", "P", "probability", .number = &dropout},
    {"length", "N", "bytes to write at the end", .count = &length},
    {"temperature", "R", "of writing: 0 the likeliest byte, 1 as learned", .number = &temperature},
    SAVING_OPTIONS,
};

/* i64 (B, T) -> logits (B, T, vocabulary) */
static heed_nn_sequential *make_net(int64_t vocabulary)
{
    const heed_nn_transformer_encoder_block_options block = {.pre_norm = true, .causal = true, .dropout = dropout};
    heed_nn_sequential *net = heed_nn_sequential_new(
        HEED_MODULES(heed_nn_embedding_new(vocabulary, D, NULL), heed_nn_positional_encoding_new(D, NULL)));
    for (int64_t i = 0; i < layers; i++)
        heed_nn_sequential_add(net, heed_nn_transformer_encoder_block_new(D, 4, 4 * D, &block));
    heed_nn_sequential_add(net, heed_nn_layer_norm_new(HEED_SHAPE(D), NULL));
    heed_nn_sequential_add(net, heed_nn_linear_new(D, vocabulary, NULL));
    return net;
}

/* From `start` on the text is cut into rows of T bytes; the mean of -ln p(next byte) over those in `rows` (B). */
static heed_tensor *loss_of(heed_nn_sequential *net, heed_tensor *text, int64_t start, heed_tensor *rows)
{
    int64_t size = (heed_numel(text) - 1 - start) / T * T;
    heed_tensor *x = heed_reshape(heed_slice(text, 0, start, start + size, 1), HEED_SHAPE(-1, T));
    heed_tensor *next = heed_reshape(heed_slice(text, 0, start + 1, start + 1 + size, 1), HEED_SHAPE(-1, T));
    heed_tensor *logits = heed_nn_sequential_forward(net, heed_index_select(x, 0, rows));
    return heed_cross_entropy(logits, heed_index_select(next, 0, rows), NULL);
}

/* Over 200 rows, spread evenly. */
static double validate(heed_nn_sequential *net, heed_tensor *text)
{
    heed_scope *scope = heed_no_grad_begin();
    heed_module_eval(&net->base);
    heed_tensor *rows = heed_linspace(HEED_F64, 0.0, (double)((heed_numel(text) - 1) / T - 1), 200);
    double nats = heed_item(loss_of(net, text, 0, heed_to_dtype(rows, HEED_I64)));
    printf("validation loss %.4f nats, %.4f bits per byte\n", nats, nats / log(2.0));
    heed_module_train(&net->base);
    heed_scope_end(scope);
    return nats;
}

static void train(heed_nn_sequential *net, heed_tensor *text, heed_tensor *held_out)
{
    int64_t total = epochs * steps, warm_up = (total + 9) / 10;
    heed_tensor *losses = heed_zeros(HEED_F64, HEED_SHAPE(2, epochs)); /* of training, of validation */
    heed_optimizer *adamw = heed_optim_adamw(&net->base, &(heed_optim_adam_options){.lr = 4e-3, .weight_decay = 0.01});
    heed_schedule *parts[] = {heed_schedule_new_linear(NULL, 0.1, 1.0, warm_up),
                              heed_schedule_new_cosine(NULL, total, 0.0)};
    heed_schedule *schedule = heed_schedule_new_chained(adamw, parts, 2);
    heed_progress *progress = heed_progress_new(stdout, &(heed_progress_options){epochs, steps, .unit = "bytes"});
    heed_checkpoint run = {.module = &net->base, .optimizer = adamw, .progress = progress};
    saving_extra(&run, "losses", losses);
    for (saving_begin(&run); saving_goes_on(&run, total); run.step++) {
        heed_scope *step = heed_scope_begin();
        int64_t start = heed_item_i64(heed_randint(0, T, HEED_SHAPE(1)));
        heed_tensor *rows = heed_randint(0, (heed_numel(text) - 1 - start) / T, HEED_SHAPE(BATCH));
        heed_tensor *loss = loss_of(net, text, start, rows);
        heed_optimizer_zero_grad(adamw);
        heed_backward(loss);
        heed_optim_clip_grad_norm_(&net->base, 1.0, NULL);
        heed_optimizer_step(adamw);
        heed_schedule_step(schedule);
        heed_progress_step(progress, heed_item(loss), BATCH * T);
        heed_scope_end(step);
        heed_set_(losses, HEED_INDEX(0, run.step / steps), heed_progress_loss(progress));
        if (run.step % steps == steps - 1)
            heed_set_(losses, HEED_INDEX(1, run.step / steps), validate(net, held_out));
    }
    training_plot_losses(heed_select(losses, 0, 0), heed_select(losses, 0, 1));
    heed_schedule_free(schedule);
    saving_end(&run);
}

/* Each byte is drawn from softmax(logits / temperature): the largest of logits + temperature (Gumbel noise). */
static void write_text(heed_nn_sequential *net, const unsigned char *bytes)
{
    heed_tensor *seen = heed_zeros(HEED_I64, HEED_SHAPE(length + 1));
    heed_module_eval(&net->base);
    for (int64_t i = 0; i < length; i++) {
        heed_scope *step = heed_no_grad_begin();
        heed_tensor *x = heed_unsqueeze(heed_slice(seen, 0, i < T ? 0 : i + 1 - T, i + 1, 1), 0);
        heed_tensor *logits = heed_select(heed_nn_sequential_forward(net, x), 1, -1);
        heed_tensor *u = heed_clamp(heed_rand(HEED_F32, heed_shape_of(logits)), 1e-9, 1.0);
        heed_tensor *next =
            heed_argmax(heed_add(logits, heed_mul_scalar(heed_log(heed_neg(heed_log(u))), -temperature)));
        heed_copy_(heed_slice(seen, 0, i + 1, i + 2, 1), next);
        putchar(bytes[heed_item_i64(next)]);
        heed_scope_end(step);
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    training_begin(argc, argv, "Learns a text byte by byte, and then writes.", TRAINING_OPTIONS(options));
    training_text text = training_read_text(file, 20 * T);
    heed_nn_sequential *net = make_net(text.vocabulary);
    train(net, text.train, text.held_out);
    write_text(net, text.bytes);
    heed_module_free(&net->base);
    return 0;
}
