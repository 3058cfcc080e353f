/* bench/w1_kernel_regression.c - W1: one epoch of the book's kernel regression, and the whole program.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include <heed/heed.h>

#include "workloads.h"

typedef struct regression {
    heed_tensor *x, *y;
    heed_tensor *own; /* bool (n, n), the diagonal: a query's own key; NULL for the fused op */
    heed_nn_nw_kernel_regression *net;
    heed_optimizer *sgd;
    int epochs;
} regression;

static heed_tensor *truth(heed_tensor *x)
{
    return heed_add(heed_mul_scalar(heed_sin(x), 2.0), heed_pow_scalar(x, 0.8));
}

/* The layer's own formula, softmax(-((q - k) w)^2 / 2) y without the pair of a query and itself. */
static heed_tensor *predict_by_ops(const regression *r)
{
    heed_tensor *distances = heed_mul(heed_sub(heed_unsqueeze(r->x, 1), r->x), r->net->width);
    heed_tensor *scores = heed_mul_scalar(heed_square(distances), -0.5);
    return heed_matmul(heed_softmax(heed_masked_fill(scores, r->own, -HUGE_VAL), 1), r->y);
}

static heed_tensor *predict(const regression *r)
{
    return r->own ? predict_by_ops(r) : heed_nn_nw_kernel_regression_forward(r->net, r->x, r->x, r->y, NULL);
}

/* The book trains 5 epochs: every fifth epoch starts again from the same w. */
static void epoch(void *context)
{
    regression *r = context;
    if (r->epochs++ % 5 == 0) {
        heed_scope *quiet = heed_no_grad_begin();
        heed_fill_(r->net->width, 0.7);
        heed_scope_end(quiet);
    }
    heed_scope *step = heed_scope_begin();
    heed_optimizer_zero_grad(r->sgd);
    heed_tensor *y_hat = predict(r);
    heed_tensor *loss = heed_mul_scalar(heed_mse_loss(y_hat, r->y, HEED_REDUCTION_SUM), 0.5);
    heed_backward(loss);
    heed_optimizer_step(r->sgd);
    heed_scope_end(step);
}

static void regression_begin(regression *r, int64_t n, bool by_ops)
{
    r->own = by_ops ? heed_eye(HEED_BOOL, n, n) : NULL;
    r->x = heed_sort(heed_mul_scalar(heed_rand(HEED_F32, HEED_SHAPE(n)), 5.0));
    r->y = heed_add(truth(r->x), heed_mul_scalar(heed_randn(HEED_F32, HEED_SHAPE(n)), 0.5));
    r->net = heed_nn_nw_kernel_regression_new(&(heed_nn_nw_kernel_regression_options){.leave_one_out = true});
    r->sgd = heed_optim_sgd(&r->net->base, &(heed_optim_sgd_options){.lr = 0.5});
    r->epochs = 0;
}

static void regression_end(regression *r)
{
    heed_optimizer_free(r->sgd);
    heed_module_free(&r->net->base);
}

static void n50(const bench_case *c)
{
    regression r;
    regression_begin(&r, 50, c->by_ops);
    bench_time(c, &(bench_metric){"epoch us", .unit = 1e6}, epoch, &r);
    regression_end(&r);
}

static void large(const bench_case *c)
{
    regression r;
    regression_begin(&r, c->sizes[0], c->by_ops);
    bench_peak(c, "epoch", bench_resident_mb(), epoch, &r);
    bench_time(c, &(bench_metric){"epoch ms", .unit = 1e3}, epoch, &r);
    regression_end(&r);
}

static void process(const bench_case *c)
{
    bench_process(c, "nw_process");
}

const bench_entry bench_w1[] = {
    {"W1", "n50", .run = n50, .has_chain = true},         {"W1", "n2000", large, SIZES(2000), .has_chain = true},
    {"W1", "process_n50_5epochs", .run = process},        {"N1", "n51", large, SIZES(51), .has_chain = true},
    {"N1", "n997", large, SIZES(997), .has_chain = true}, {0},
};
