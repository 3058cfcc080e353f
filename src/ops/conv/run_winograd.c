/* ops/conv/run_winograd.c - convolutions of 3 x 3 taps by Winograd's algorithm, by several threads:
 * kernels/conv/winograd.h. If its intermediate sums are not finite, the convolution itself may still be finite. Such
 * images are therefore computed again by matrix products. */

#include "core/memory.h"
#include "ops/conv/run.h"

enum {
    LEAST_CHANNELS = 16, /* minimum channels of x and of y, among which the cost of the transforms is shared */
    LEAST_POSITIONS = 6, /* minimum positions of every axis of y */
    PACK_PARTS = 8,      /* parts of w; a thread packs one at a time */

    /* With a stride of 2 the algorithm saves less and needs larger inputs to pay off. The result for an image must not
     * depend on other images of the batch. Therefore only the gradient of w, which is a sum over all images, may depend
     * on the number of tiles in all images. */
    LEAST_STRIDED = 14, /* forward: minimum positions of an axis of y */
    /* gradient of x: minimum positions of g; small, because the alternative is a product per remainder of the stride */
    LEAST_SPREAD = 3,
    LEAST_TILES = 64, /* gradient of w: minimum tiles */
};

static bool has_channels(const heed__conv_args *a)
{
    return a->channels >= LEAST_CHANNELS && a->rows >= LEAST_CHANNELS && !heed__is_long(a->channels);
}

static bool suits(const heed__conv_args *a, heed__winograd_form form, int64_t least)
{
    const int64_t step = form == HEED_WINOGRAD_PLAIN ? 1 : 2, apart = a->axis[0].apart;
    bool good = has_channels(a) && heed__conv_fan(a) == 1 && (apart == 1 || (apart == -1 && step == 1));
    for (int i = 0; i < 2; i++) {
        const heed__conv_axis *axis = &a->axis[i];
        good = good && axis->taps == 3 && axis->step == step && axis->apart == apart && axis->out_step == 1 &&
               axis->positions >= least;
    }
    return good;
}

static heed__winograd_form form_of(const heed__conv_args *a)
{
    return a->axis[0].step == 1 ? HEED_WINOGRAD_PLAIN : HEED_WINOGRAD_STRIDED;
}

bool heed__conv_suits_winograd(const heed__conv_args *a, heed__winograd_form *form)
{
    *form = form_of(a);
    return suits(a, *form, *form == HEED_WINOGRAD_PLAIN ? LEAST_POSITIONS : LEAST_STRIDED);
}

bool heed__conv_weight_suits_winograd(const heed__conv_args *a, heed__winograd_form *form)
{
    *form = form_of(a);
    return suits(a, *form, LEAST_POSITIONS) &&
           (*form == HEED_WINOGRAD_PLAIN || heed__winograd_tiles(a, *form) >= LEAST_TILES);
}

bool heed__conv_by_x_suits_winograd(const heed__conv *c, heed__conv_job *job)
{
    bool good = has_channels(&job->args);
    for (int i = 0; i < 2; i++) {
        good = good && c->w[i] == 3 && c->stride[i] == 2 && c->before[i] == 1 && c->dilation[i] == 1 &&
               c->y[i] >= LEAST_SPREAD;
        job->args.axis[i] = (heed__conv_axis){.size = c->y[i],
                                              .out_size = c->x[i],
                                              .taps = 3,
                                              .positions = c->x[i],
                                              .step = 1,
                                              .apart = 1,
                                              .out_step = 1};
    }
    job->pack.w_row = 9;
    job->pack.w_channel = 9 * job->pack.rows;
    return good;
}

typedef struct winograd_job {
    heed__conv_job job;
    heed__winograd_form form;
    atomic_bool *nonfinite; /* one per image: true if a result is NaN or infinite */
} winograd_job;

static void pack_parts(int64_t begin, int64_t end, void *context)
{
    const winograd_job *p = context;
    const heed__conv_job *job = &p->job;
    for (int64_t i = begin; i < end; i++) {
        heed__conv_pack_args pack = job->pack;
        pack.w = (const char *)pack.w + i / PACK_PARTS * job->w_group * job->size;
        pack.to = (char *)pack.to + i / PACK_PARTS * job->packed_group * job->size;
        HEED__RUN(winograd_pack, job->dtype, &pack, p->form, i % PACK_PARTS, PACK_PARTS);
    }
}

static void run_tiles(int64_t begin, int64_t end, char *scratch, void *context)
{
    const winograd_job *p = context;
    const heed__conv_job *job = &p->job;
    const int64_t tiles = heed__winograd_tiles(&job->args, p->form);
    for (int64_t i = begin; i < end; i++) {
        const int64_t q = i / job->parts % job->blocks * HEED_WINOGRAD_TILES;
        const heed__conv_args args = heed__conv_args_of_group(job, i / job->parts / job->blocks);
        HEED__RUN(winograd, job->dtype, &args, p->form,
                  &(heed__conv_range){.q_begin = q,
                                      .q_end = heed__conv_least(q + HEED_WINOGRAD_TILES, tiles),
                                      .chunk = i % job->parts,
                                      .chunks = job->parts},
                  p->nonfinite, scratch);
    }
}

static bool run(const char *where, winograd_job *p, int64_t groups)
{
    heed__conv_job *job = &p->job;
    const heed__conv_args *a = &job->args;
    const int64_t products = heed__winograd_counts_of(p->form).products;
    heed__parallel_for(groups * PACK_PARTS, 1, HEED_WINOGRAD_WEIGHTS * a->rows * a->channels / PACK_PARTS, pack_parts,
                       p);
    job->blocks = heed__ceil_div(heed__winograd_tiles(a, p->form), HEED_WINOGRAD_TILES);
    job->parts = heed__conv_parts_of_rows(job, groups);
    const int64_t work =
        heed__ceil_div(a->rows, job->parts) * HEED_WINOGRAD_TILES * products * products * (a->channels + 1);
    const int64_t scratch = HEED__RUN(winograd, job->dtype, a, p->form, &(heed__conv_range){.chunks = 1}, NULL, NULL);
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

/* Computes the images marked in `nonfinite` again by the n jobs. Neighbouring images are computed together. */
static bool run_nonfinite_images(const char *where, const heed__conv_job *jobs, int64_t n, int64_t groups,
                                 const atomic_bool *nonfinite)
{
    const int64_t images = jobs->args.images;
    bool good = true;
    for (int64_t i = 0, end; i < images && good; i = end + 1) {
        for (end = i; end < images && nonfinite[end];)
            end++;
        heed__conv_job some[HEED_CONV_REMAINDERS];
        for (int64_t j = 0; j < n; j++)
            some[j] = job_of_images(&jobs[j], i, end - i);
        good = end == i || heed__conv_run_directly(where, some, n, groups);
    }
    return good;
}

bool heed__conv_run_winograd(const char *where, const heed__conv_job *job, heed__winograd_form form,
                             const heed__conv_job *directly, int64_t n, int64_t groups)
{
    winograd_job p = {.job = *job, .form = form};
    const int64_t images = job->args.images, packed = heed__winograd_packed(&job->args);
    const size_t packed_bytes = (size_t)(groups * packed * job->size),
                 nonfinite_bytes = (size_t)images * sizeof *p.nonfinite;
    if (images == 0)
        return true;
    p.job.packed_group = packed;
    p.job.pack.flipped = form == HEED_WINOGRAD_SPREAD || job->args.axis[0].apart < 0;
    p.job.args.w = p.job.pack.to = heed__alloc(where, packed_bytes);
    p.nonfinite = p.job.pack.to ? heed__alloc(where, nonfinite_bytes) : NULL;
    for (int64_t i = 0; p.nonfinite && i < images; i++)
        atomic_init(&p.nonfinite[i], false);
    const bool good =
        p.nonfinite && run(where, &p, groups) && run_nonfinite_images(where, directly, n, groups, p.nonfinite);
    if (p.job.pack.to)
        heed_free(p.job.pack.to, packed_bytes);
    if (p.nonfinite)
        heed_free(p.nonfinite, nonfinite_bytes);
    return good;
}
