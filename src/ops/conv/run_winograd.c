/* ops/conv/run_winograd.c - convolutions of 3 x 3 taps by Winograd's algorithm, by several threads:
 * kernels/conv/winograd.h. If its intermediate sums are not finite, the convolution itself may still be finite. Such
 * images are therefore computed again by other paths.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/memory.h"
#include "ops/conv/run.h"

typedef struct winograd_job {
    heed__conv_job job;
    atomic_bool *nonfinite; /* one per image: true if a result is NaN or infinite */
} winograd_job;

static void run_tiles(int64_t begin, int64_t end, char *scratch, void *context)
{
    const winograd_job *p = context;
    const heed__conv_job *job = &p->job;
    const int64_t tiles = heed__winograd_tiles(&job->args, job->form);
    for (int64_t i = begin; i < end; i++) {
        const int64_t q = i / job->parts % job->blocks * HEED_WINOGRAD_TILES;
        const heed__conv_args args = heed__conv_args_of_group(job, i / job->parts / job->blocks);
        HEED__RUN(winograd, job->dtype, &args, job->form,
                  &(heed__conv_range){.q_begin = q,
                                      .q_end = heed__conv_least(q + HEED_WINOGRAD_TILES, tiles),
                                      .chunk = i % job->parts,
                                      .chunks = job->parts},
                  p->nonfinite, scratch);
    }
}

static bool run_all_tiles(const char *where, winograd_job *p, int64_t groups)
{
    heed__conv_job *job = &p->job;
    const heed__conv_args *a = &job->args;
    const int64_t products = heed__winograd_counts_of(job->form).products;
    job->blocks = heed__ceil_div(heed__winograd_tiles(a, job->form), HEED_WINOGRAD_TILES);
    job->parts = heed__conv_parts_of_rows(job, groups);
    const int64_t work =
        heed__ceil_div(a->rows, job->parts) * HEED_WINOGRAD_TILES * products * products * (a->channels + 1);
    const int64_t scratch = HEED__RUN(winograd, job->dtype, a, job->form, &(heed__conv_range){.chunks = 1}, NULL, NULL);
    return heed__parallel_for_scratch(where, groups * job->blocks * job->parts, 1 + HEED_CONV_RANGE_WORK / work,
                                      1 + work / HEED_CONV_OPERATIONS, scratch, run_tiles, p);
}

static heed__conv_job job_of_images(const heed__conv_job *all, int64_t first, int64_t images)
{
    heed__conv_job job = *all;
    job.args.images = images;
    job.args.x = (const char *)job.args.x + first * job.args.x_image * job.size;
    job.args.y = (char *)job.args.y + first * job.args.y_image * job.size;
    return job;
}

/* Computes the images marked in `nonfinite` again. Neighbouring images are computed together. */
static bool run_nonfinite_images(const char *where, const heed__conv *c, heed__conv_result result,
                                 const heed__conv_job *jobs, int64_t n, const atomic_bool *nonfinite)
{
    const int64_t images = jobs->args.images;
    bool good = true;
    for (int64_t i = 0, end; i < images && good; i = end + 1) {
        for (end = i; end < images && nonfinite[end];)
            end++;
        heed__conv_job some[HEED_CONV_REMAINDERS];
        for (int64_t j = 0; j < n; j++)
            some[j] = job_of_images(&jobs[j], i, end - i);
        heed__conv_choose(c, result, some, n, false);
        good = end == i || heed__conv_run_jobs(where, c, result, some, n);
    }
    return good;
}

/* The job that computes what the n jobs compute together. With the form SPREAD, positions cover all of x, and the last
 * job has the first tap of w. */
static heed__conv_job job_of_tiles(const heed__conv *c, const heed__conv_job *jobs, int64_t n)
{
    heed__conv_job job = jobs[n - 1];
    for (int i = 0; i < 2 && job.form == HEED_WINOGRAD_SPREAD; i++)
        job.args.axis[i] = (heed__conv_axis){.size = c->y[i],
                                             .out_size = c->x[i],
                                             .taps = 3,
                                             .positions = c->x[i],
                                             .step = 1,
                                             .apart = 1,
                                             .out_step = 1};
    job.pack.flipped = job.form == HEED_WINOGRAD_SPREAD || job.args.axis[0].apart < 0;
    return job;
}

bool heed__conv_run_winograd(const char *where, const heed__conv *c, heed__conv_result result,
                             const heed__conv_job *jobs, int64_t n)
{
    winograd_job p = {.job = job_of_tiles(c, jobs, n)};
    const int64_t images = jobs->args.images;
    if (images == 0)
        return true;
    const size_t marks = (size_t)images * sizeof *p.nonfinite;
    const size_t packed = heed__conv_pack_weights(where, &p.job, c->groups);
    p.nonfinite = packed > 0 ? heed__alloc(where, marks) : NULL;
    for (int64_t i = 0; p.nonfinite && i < images; i++)
        atomic_init(&p.nonfinite[i], false);
    const bool good = p.nonfinite && run_all_tiles(where, &p, c->groups) &&
                      run_nonfinite_images(where, c, result, jobs, n, p.nonfinite);
    if (packed > 0)
        heed_free(p.job.pack.to, packed);
    if (p.nonfinite)
        heed_free(p.nonfinite, marks);
    return good;
}
