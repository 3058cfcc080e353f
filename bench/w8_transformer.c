/* bench/w8_transformer.c - W8: a training step of a character Transformer, by AdamW.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "language_model.h"
#include "workloads.h"

typedef struct training {
    language_model *net;
    heed_optimizer *adamw;
    heed_tensor *text, *next; /* i64 (B, T) */
} training;

static void step(void *context)
{
    training *t = context;
    heed_scope *step = heed_scope_begin();
    heed_optimizer_zero_grad(t->adamw);
    heed_backward(heed_cross_entropy(language_model_forward(t->net, t->text), t->next, NULL));
    heed_optimizer_step(t->adamw);
    heed_scope_end(step);
}

/* sizes: B, T, d, layers. */
static void run(const bench_case *c)
{
    int64_t batch = c->sizes[0], steps = c->sizes[1];
    training t = {
        .net = language_model_new(steps, c->sizes[2], c->sizes[3]),
        .text = heed_randint(0, LANGUAGE_VOCABULARY, HEED_SHAPE(batch, steps)),
        .next = heed_randint(0, LANGUAGE_VOCABULARY, HEED_SHAPE(batch, steps)),
    };
    t.adamw = heed_optim_adamw(&t.net->base, &(heed_optim_adam_options){.lr = 3e-4, .weight_decay = 0.1});
    bench_peak(c, "train", bench_resident_mb(), step, &t);
    bench_time(c, &(bench_metric){"train tokens/s", .work = (double)(batch * steps)}, step, &t);
    heed_optimizer_free(t.adamw);
    heed_module_free(&t.net->base);
}

const bench_entry bench_w8[] = {
    {"W8", "charlm V65 T64 d128 h4 L4 B16", run, SIZES(16, 64, 128, 4), .heavy = true},
    {"N8", "charlm V65 T61 d52 h4 L2 B3", run, SIZES(3, 61, 52, 2)},
    {"N8", "charlm V65 T256 d128 h4 L1 B1", run, SIZES(1, 256, 128, 1)},
    {"N8", "charlm V65 T10 d32 h4 L2 B64", run, SIZES(64, 10, 32, 2)},
    {0},
};
