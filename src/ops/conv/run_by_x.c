/* ops/conv/run_by_x.c - transposed convolution, which is the gradient with respect to x: one product per remainder of
 * the stride, or Winograd tiles of all remainders. See conv.h. */

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

/* Returns true if at most one tap contributes to an element of x: there is no padding before x, and the kernel is not
 * wider than the stride. */
static bool is_apart(const heed__conv *c)
{
    bool apart = true;
    for (int i = 0; i < 2; i++)
        apart = apart && c->before[i] == 0 && (c->w[i] - 1) * c->dilation[i] < c->stride[i];
    return apart;
}

/* Fills x with the bias, or zeros, for the elements to which no tap contributes. Returns false after heed_fail. */
static bool fill(const char *where, const heed__conv *c, const heed__conv_job *all)
{
    heed__conv_job job = *all;
    for (int i = 0; i < 2; i++)
        job.args.axis[i] = (heed__conv_axis){.out_size = c->x[i], .positions = c->x[i], .step = 1, .out_step = 1};
    return heed__conv_run_products(where, &job, 1, c->groups);
}

/* Computes x if is_apart() is true. Every tap then acts as separate rows of w, and one product computes all of x.
 * Returns false after heed_fail. */
static bool run_fan(const char *where, const heed__conv *c, const heed__conv_job *all)
{
    heed__conv_job job = *all;
    const int64_t taps = c->w[0] * c->w[1];
    bool whole = true;
    for (int i = 0; i < 2; i++) {
        job.args.axis[i] = (heed__conv_axis){.size = c->y[i],
                                             .out_size = c->x[i],
                                             .taps = 1,
                                             .positions = c->y[i],
                                             .step = 1,
                                             .out_step = c->stride[i],
                                             .fan = c->w[i],
                                             .fan_apart = c->dilation[i]};
        job.pack.taps[i] = 1;
        whole = whole && c->w[i] * c->y[i] == c->x[i];
    }
    if (whole && taps == 1)
        heed__conv_forward_axes(c, job.args.axis);
    job.args.rows *= taps;
    job.pack.w_row = 1;
    job.pack.w_channel = job.pack.rows = job.args.rows;
    return (whole || fill(where, c, all)) && heed__conv_run_products(where, &job, 1, c->groups);
}

bool heed__conv_transpose_run(const char *where, const heed__conv *c, const heed_tensor *g, const heed_tensor *w,
                              const heed_tensor *bias, heed_tensor *x)
{
    if (heed__conv_is_product(c))
        return heed__conv_run_product(where, c, g, w, true, bias, x);
    heed__conv_job job = heed__conv_job_of(c, g, w, x);
    job.args.bias = bias ? bias->data : NULL;
    if (is_apart(c))
        return run_fan(where, c, &job);
    heed__conv_job tiles = job;
    const bool in_tiles = heed__conv_by_x_suits_winograd(c, &tiles);
    const int64_t height = heed__conv_least(c->stride[0], c->x[0]), width = heed__conv_least(c->stride[1], c->x[1]);
    for (int64_t r = 0, n; r < height * width; r += n) {
        heed__conv_job jobs[HEED_CONV_REMAINDERS];
        n = heed__conv_least(HEED_CONV_REMAINDERS, height * width - r);
        for (int64_t i = 0; i < n; i++) {
            const remainder_axis both[2] = {remainder_of(c, 0, (r + i) / width), remainder_of(c, 1, (r + i) % width)};
            jobs[i] = remainder_job(c, &job, both);
        }
        /* Winograd's algorithm needs a stride of 2, so `jobs` then holds all remainders, and the outer loop runs
         * once. */
        if (!(in_tiles ? heed__conv_run_winograd(where, &tiles, HEED_WINOGRAD_SPREAD, jobs, n, c->groups)
                       : heed__conv_run_products(where, jobs, n, c->groups)))
            return false;
    }
    return true;
}
