/* examples/attention.c - attention learns to look things up. Each sample is a list of up to 8 pairs (key, value) in
 * random order, and a question, which is one of the keys. The answer is the value paired with that key. The file
 * needs only heed: copy it to start a model of your own.
 *
 * A model without attention would have to memorize every list; this one learns to compare. attention.png shows its
 * weights: row i is the question for key i, and the dark cell is the pair it reads.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdio.h>

#define HEED_SITES /* makes errors name the line */
#include <heed/heed.h>

enum { SYMBOLS = 16, PAIRS = 8, BATCH = 64, STEPS = 300, WIDTH = 32 };

/* A model is a module: a struct that begins with its base. Registered parameters and children are trained, saved and
 * freed with it. */
typedef struct lookup {
    heed_module base;
    heed_nn_embedding *keys, *questions;
    heed_nn_additive_attention *attention;
} lookup;

static lookup *lookup_new(void)
{
    lookup *net = heed_module_new("lookup", sizeof *net);
    net->keys = heed_nn_embedding_new(SYMBOLS, WIDTH, NULL);
    net->questions = heed_nn_embedding_new(SYMBOLS, WIDTH, NULL);
    net->attention = heed_nn_additive_attention_new(WIDTH, WIDTH, WIDTH, NULL);
    heed_module_child(&net->base, "keys", &net->keys->base);
    heed_module_child(&net->base, "questions", &net->questions->base);
    heed_module_child(&net->base, "attention", &net->attention->base);
    return net;
}

/* Returns the probability of every answer, (B, Q, SYMBOLS), for keys and values (B, K), questions (B, Q), and
 * lengths (B) or NULL for all K. The values are one-hot, so their mean, weighted by attention, is this probability. */
static heed_tensor *lookup_forward(lookup *net, heed_tensor *keys, heed_tensor *values, heed_tensor *questions,
                                   heed_tensor *lengths, heed_tensor **weights)
{
    heed_tensor *q = heed_nn_embedding_forward(net->questions, questions);
    heed_tensor *k = heed_nn_embedding_forward(net->keys, keys);
    heed_tensor *v = heed_one_hot(values, SYMBOLS, HEED_F32);
    return heed_nn_additive_attention_forward(net->attention, q, k, v, lengths, weights);
}

/* A batch of lists: distinct keys (B, K), values (B, K), lengths (B), and one question with its answer (B, 1). */
typedef struct batch {
    heed_tensor *keys, *values, *lengths, *question, *answer;
} batch;

static batch draw(void)
{
    batch b;
    heed_tensor *order; /* of random numbers: every row is a shuffle of all symbols */
    heed_sort_axis(heed_rand(HEED_F32, HEED_SHAPE(BATCH, SYMBOLS)), 1, false, &order);
    b.keys = heed_slice(order, 1, 0, PAIRS, 1);
    b.values = heed_randint(0, SYMBOLS, HEED_SHAPE(BATCH, PAIRS));
    b.lengths = heed_randint(1, PAIRS + 1, HEED_SHAPE(BATCH));
    heed_tensor *asked = heed_mul(heed_rand(HEED_F32, HEED_SHAPE(BATCH)), heed_to_dtype(b.lengths, HEED_F32));
    heed_tensor *pair = heed_unsqueeze(heed_to_dtype(asked, HEED_I64), 1);
    b.question = heed_gather(b.keys, 1, pair);
    b.answer = heed_gather(b.values, 1, pair);
    return b;
}

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL); /* prints the first error and ends the script */
    heed_manual_seed(1);
    lookup *net = lookup_new();
    heed_optimizer *adam = heed_optim_adam(&net->base, &(heed_optim_adam_options){.lr = 3e-3});

    for (int step = 1; step <= STEPS; step++) {
        heed_scope *scope = heed_scope_begin(); /* frees the tensors of the step */
        batch b = draw();
        heed_tensor *p = lookup_forward(net, b.keys, b.values, b.question, b.lengths, NULL);
        heed_tensor *loss = heed_nll_loss(heed_log(heed_add_scalar(p, 1e-6)), b.answer, NULL);
        heed_optimizer_zero_grad(adam);
        heed_backward(loss);
        heed_optimizer_step(adam);
        if (step % 50 == 0)
            printf("step %3d, loss %.4f\n", step, heed_item(loss));
        heed_scope_end(scope);
    }

    batch b = draw(); /* asks the first list for all of its keys */
    heed_tensor *keys = heed_slice(b.keys, 0, 0, 1, 1), *values = heed_slice(b.values, 0, 0, 1, 1);
    heed_tensor *weights;
    lookup_forward(net, keys, values, keys, NULL, &weights);
    heed_plot_heatmap(weights, "attention.png", &(heed_plot_heatmap_options){.xlabel = "Pairs", .ylabel = "Questions"});
    heed_optimizer_free(adam);
    heed_module_free(&net->base);
    return 0;
}
