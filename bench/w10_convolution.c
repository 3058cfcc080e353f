/* bench/w10_convolution.c - W10: convolutions of ResNet-18's blocks, and LeNet on images of 28 x 28. N10 has odd
 * sizes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "function.h"
#include "networks.h"
#include "workloads.h"

typedef struct convolution {
    heed_tensor *x, *w;
    heed_conv_options options;
} convolution;

static heed_tensor *output(void *context)
{
    const convolution *c = context;
    return heed_conv(c->x, c->w, NULL, &c->options);
}

/* sizes: batch, channels, channels of the result, side of the plane, of the kernel, stride, padding, groups. */
static void run(const bench_case *c)
{
    const int64_t *s = c->sizes, side = (s[3] + 2 * s[6] - s[4]) / s[5] + 1;
    convolution job = {.x = bench_leaf(HEED_SHAPE(s[0], s[1], s[3], s[3])),
                       .w = bench_leaf(HEED_SHAPE(s[2], s[1] / s[7], s[4], s[4])),
                       .options = {.stride = HEED_SHAPE(s[5]), .padding = HEED_SHAPE(s[6]), .groups = s[7]}};
    bench_function f = {.output = output,
                        .context = &job,
                        .leaves = {job.x, job.w},
                        .g = heed_randn(HEED_F32, HEED_SHAPE(s[0], s[2], side, side))};
    bench_function_rates(c, &f, 2.0 * (double)(s[0] * s[2] * side * side * (s[1] / s[7]) * s[4] * s[4]));
}

/* -- The book's LeNet on images of 28 x 28 ------------------------------------------------------------------------- */

enum { IMAGES = 6000 };

typedef struct lenet {
    heed_nn_sequential *net;
    heed_optimizer *sgd;
    heed_tensor *images, *labels;
    int64_t batch, at;
} lenet;

static void step(void *context)
{
    lenet *t = context;
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
static void train(const bench_case *c)
{
    const int64_t count = c->quick ? c->sizes[0] : IMAGES;
    lenet t = {
        .net = bench_lenet_new(),
        .images = heed_rand(HEED_F32, HEED_SHAPE(count, 1, IMAGE_SIDE, IMAGE_SIDE)),
        .labels = heed_randint(0, IMAGE_CLASSES, HEED_SHAPE(count)),
        .batch = c->sizes[0],
    };
    t.sgd = heed_optim_sgd(&t.net->base, &(heed_optim_sgd_options){.lr = 0.1});
    bench_time(c, &(bench_metric){"train samples/s", .work = (double)t.batch}, step, &t);
    heed_optimizer_free(t.sgd);
    heed_module_free(&t.net->base);
}

const bench_entry bench_w10[] = {
    {"W10", "lenet batch64", train, SIZES(64)},
    {"W10", "lenet batch256", train, SIZES(256)},
    {"W10", "b16 64x56x56 to 64 3x3", run, SIZES(16, 64, 64, 56, 3, 1, 1, 1)},
    {"W10", "b16 128x28x28 to 128 3x3", run, SIZES(16, 128, 128, 28, 3, 1, 1, 1)},
    {"W10", "b16 256x14x14 to 256 3x3", run, SIZES(16, 256, 256, 14, 3, 1, 1, 1)},
    {"W10", "b16 512x7x7 to 512 3x3", run, SIZES(16, 512, 512, 7, 3, 1, 1, 1)},
    {"W10", "b16 64x56x56 to 128 3x3 stride 2", run, SIZES(16, 64, 128, 56, 3, 2, 1, 1)},
    {"W10", "b16 64x56x56 to 128 1x1 stride 2", run, SIZES(16, 64, 128, 56, 1, 2, 0, 1)},
    {"W10", "b16 64x56x56 to 256 1x1", run, SIZES(16, 64, 256, 56, 1, 1, 0, 1)},
    {"W10", "b64 1x28x28 to 6 5x5", run, SIZES(64, 1, 6, 28, 5, 1, 2, 1)},
    {"W10", "b64 6x14x14 to 16 5x5", run, SIZES(64, 6, 16, 14, 5, 1, 0, 1)},
    {"N10", "b16 3x224x224 to 64 7x7 stride 2", run, SIZES(16, 3, 64, 224, 7, 2, 3, 1)},
    {"N10", "b16 96x28x28 depthwise 3x3", run, SIZES(16, 96, 96, 28, 3, 1, 1, 96)},
    {"N10", "b16 96x28x28 depthwise 3x3 stride 2", run, SIZES(16, 96, 96, 28, 3, 2, 1, 96)},
    {"N10", "b16 128x28x28 to 128 3x3 groups 32", run, SIZES(16, 128, 128, 28, 3, 1, 1, 32)},
    {"N10", "b7 37x29x29 to 53 3x3", run, SIZES(7, 37, 53, 29, 3, 1, 1, 1)},
    {"N10", "b1 256x14x14 to 256 3x3", run, SIZES(1, 256, 256, 14, 3, 1, 1, 1)},
    {"N10", "b3 1x127x127 to 1 11x11", run, SIZES(3, 1, 1, 127, 11, 1, 5, 1)},
    {0},
};
