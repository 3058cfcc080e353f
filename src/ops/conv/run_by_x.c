/* ops/conv/run_by_x.c - transposed convolution, which is the gradient with respect to x: one product per remainder of
 * the stride, or Winograd tiles of all remainders. See run.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/conv/run.h"

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Element i of x, with i = j stride + remainder, is a sum over the taps t for which t dilation = remainder + before
 * modulo stride. Tap t uses position (i + before - t dilation) / stride of g. `tap` is the first such tap, and `apart`
 * the distance from one such tap to the next. */
typedef struct remainder_axis {
    heed__conv_axis axis;
    int64_t tap, apart;
} remainder_axis;

static remainder_axis remainder_of(const heed__conv *c, int i, int64_t remainder)
{
    const int64_t stride = c->stride[i], dilation = c->dilation[i], divisor = common_divisor(stride, dilation);
    const int64_t apart = stride / divisor, target = remainder + c->before[i];
    remainder_axis r = {.tap = 0, .apart = apart};
    while (r.tap < c->w[i] && r.tap < apart && (target - r.tap * dilation) % stride != 0)
        r.tap++;
    const bool any = r.tap < c->w[i] && r.tap < apart;
    r.axis = (heed__conv_axis){.size = c->y[i],
                               .out_size = c->x[i],
                               .taps = any ? (c->w[i] - 1 - r.tap) / apart + 1 : 0,
                               .positions = (c->x[i] - 1 - remainder) / stride + 1,
                               .step = 1,
                               .first = any ? (target - r.tap * dilation) / stride : 0,
                               .apart = -(dilation / divisor),
                               .out_first = remainder,
                               .out_step = stride};
    return r;
}

static heed__conv_job remainder_job(const heed__conv *c, const heed__conv_job *all, const remainder_axis r[2])
{
    heed__conv_job job = *all;
    for (int i = 0; i < 2; i++) {
        job.args.axis[i] = r[i].axis;
        job.pack.taps[i] = r[i].axis.taps;
    }
    job.pack.w = (const char *)all->pack.w + (r[0].tap * c->w[1] + r[1].tap) * all->size;
    job.pack.w_row = c->w[0] * c->w[1];
    job.pack.w_channel = all->pack.rows * c->w[0] * c->w[1];
    job.pack.w_tap[0] = r[0].apart * c->w[1];
    job.pack.w_tap[1] = r[1].apart;
    return job;
}

int64_t heed__conv_remainders(const heed__conv *c, const heed__conv_job *all, int64_t *next,
                              heed__conv_job jobs[HEED_CONV_REMAINDERS])
{
    const int64_t height = heed__conv_least(c->stride[0], c->x[0]), width = heed__conv_least(c->stride[1], c->x[1]);
    int64_t n = 0;
    for (; *next < height * width && n < HEED_CONV_REMAINDERS; ++*next) {
        const remainder_axis both[2] = {remainder_of(c, 0, *next / width), remainder_of(c, 1, *next % width)};
        if (both[0].axis.taps > 0 && both[1].axis.taps > 0)
            jobs[n++] = remainder_job(c, all, both);
    }
    return n;
}

/* Returns true if no tap contributes to some elements of x along axis i. */
static bool has_gaps(const heed__conv *c, int i)
{
    bool gaps = false;
    for (int64_t r = 0; r < heed__conv_least(c->stride[i], c->x[i]) && !gaps; r++)
        gaps = remainder_of(c, i, r).axis.taps == 0;
    return gaps;
}

/* Fills x with the bias, or zeros. Returns false after heed_fail. */
static bool fill_with_bias(const char *where, const heed__conv *c, const heed__conv_job *all)
{
    heed__conv_job job = *all;
    for (int i = 0; i < 2; i++)
        job.args.axis[i] = (heed__conv_axis){.out_size = c->x[i], .positions = c->x[i], .step = 1, .out_step = 1};
    return heed__conv_run_jobs(where, c, HEED_CONV_X, &job, 1);
}

bool heed__conv_transpose_run(const char *where, const heed__conv *c, const heed_tensor *g, const heed_tensor *w,
                              const heed_tensor *bias, heed_tensor *x)
{
    heed__conv_job all = heed__conv_job_of(c, g, w, x), jobs[HEED_CONV_REMAINDERS];
    all.args.bias = bias ? bias->data : NULL;
    int64_t next = 0, n = heed__conv_remainders(c, &all, &next, jobs);
    if (n > 0)
        heed__conv_choose(c, HEED_CONV_X, jobs, n, true);
    if (n > 0 && jobs->path == HEED_CONV_PRODUCT)
        return heed__conv_run_product_by_x(where, c, g, w, bias, x);
    bool good = !(has_gaps(c, 0) || has_gaps(c, 1)) || fill_with_bias(where, c, &all);
    while (good && n > 0) {
        good = heed__conv_run_jobs(where, c, HEED_CONV_X, jobs, n);
        n = heed__conv_remainders(c, &all, &next, jobs);
        if (n > 0)
            heed__conv_choose(c, HEED_CONV_X, jobs, n, true);
    }
    return good;
}
