/* bench/w7_mlp.c - W7: training 784-256-10 with relu and cross entropy by SGD, batch after batch of 60,000 images.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

#include "networks.h"
#include "workloads.h"

enum { IMAGES = 60000 };

typedef struct training {
    heed_nn_sequential *net;
    heed_optimizer *sgd;
    heed_tensor *images, *labels;
    int64_t batch, at;
} training;

static void step(void *context)
{
    training *t = context;
    if (t->at + t->batch > heed_numel(t->labels))
        t->at = 0;
    heed_scope *step = heed_scope_begin();
    heed_optimizer_zero_grad(t->sgd);
    heed_tensor *images = heed_slice(t->images, 0, t->at, t->at + t->batch, 1);
    heed_tensor *labels = heed_slice(t->labels, 0, t->at, t->at + t->batch, 1);
    heed_backward(heed_cross_entropy(heed_nn_sequential_forward(t->net, images), labels, NULL));
    heed_optimizer_step(t->sgd);
    heed_scope_end(step);
    t->at += t->batch;
}

/* sizes: batch. */
static void run(const bench_case *c)
{
    int64_t count = c->quick ? c->sizes[0] : IMAGES;
    training t = {
        .net = bench_mlp_new(),
        .images = heed_rand(HEED_F32, HEED_SHAPE(count, IMAGE_PIXELS)),
        .labels = heed_randint(0, IMAGE_CLASSES, HEED_SHAPE(count)),
        .batch = c->sizes[0],
    };
    t.sgd = heed_optim_sgd(&t.net->base, &(heed_optim_sgd_options){.lr = 0.1});
    bench_time(c, &(bench_metric){"train samples/s", .work = (double)t.batch}, step, &t);
    heed_optimizer_free(t.sgd);
    heed_module_free(&t.net->base);
}

const bench_entry bench_w7[] = {
    {"W7", "mlp 784-256-10 batch64", run, SIZES(64)},     {"W7", "mlp 784-256-10 batch256", run, SIZES(256)},
    {"N7", "mlp 784-256-10 batch1", run, SIZES(1)},       {"N7", "mlp 784-256-10 batch97", run, SIZES(97)},
    {"N7", "mlp 784-256-10 batch2000", run, SIZES(2000)}, {0},
};
