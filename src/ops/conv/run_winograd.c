/* ops/conv/run_winograd.c - convolutions of 3 x 3 taps by Winograd's algorithm, by several threads: kernels/conv/winograd.h.
 * Where the sums on its way are not finite, those of the formula may be, so such images are done again by products. */

#include "core/memory.h"
#include "ops/conv/run.h"

enum {
    LEAST_CHANNELS = 16, /* of x and of y, which share what is done to tiles */
    LEAST_POSITIONS = 6, /* of an axis */
    PACK_PARTS = 8,      /* of w, packed each by one thread */
};

bool heed__conv_suits_winograd(const heed__conv_args *a)
{
    const int64_t apart = a->axis[0].apart;
    bool suits = a->channels >= LEAST_CHANNELS && a->rows >= LEAST_CHANNELS && !heed__is_long(a->channels) &&
                 heed__conv_fan(a) == 1 && (apart == 1 || apart == -1);
    for (int i = 0; i < 2; i++) {
        const heed__conv_axis *axis = &a->axis[i];
        suits = suits && axis->taps == 3 && axis->step == 1 && axis->apart == apart && axis->out_step == 1 &&
                axis->positions >= LEAST_POSITIONS;
    }
    return suits;
}

static void pack_parts(int64_t begin, int64_t end, void *context)
{
    const heed__conv_job *job = context;
    for (int64_t i = begin; i < end; i++) {
        heed__conv_pack_args pack = job->pack;
        pack.w = (const char *)pack.w + i / PACK_PARTS * job->w_group * job->size;
        pack.to = (char *)pack.to + i / PACK_PARTS * job->packed_group * job->size;
        HEED__RUN(winograd_pack, job->dtype, &pack, i % PACK_PARTS, PACK_PARTS);
    }
}

typedef struct winograd_job {
    heed__conv_job job;
    atomic_bool *odd; /* of each image: a result is not finite */
} winograd_job;

static void run_tiles(int64_t begin, int64_t end, char *scratch, void *context)
{
    const winograd_job *p = context;
    const heed__conv_job *job = &p->job;
    const int64_t tiles = heed__winograd_tiles(&job->args);
    for (int64_t i = begin; i < end; i++) {
        const int64_t q = i / job->parts % job->blocks * HEED_WINOGRAD_TILES;
        const heed__conv_args args = heed__conv_args_of_group(job, i / job->parts / job->blocks);
        HEED__RUN(winograd, job->dtype, &args,
                  &(heed__conv_part){.q_begin = q,
                                     .q_end = heed__conv_least(q + HEED_WINOGRAD_TILES, tiles),
                                     .part = i % job->parts,
                                     .parts = job->parts},
                  p->odd, scratch);
    }
}

static bool run(const char *where, winograd_job *p, int64_t groups)
{
    heed__conv_job *job = &p->job;
    const heed__conv_args *a = &job->args;
    heed__parallel_for(groups * PACK_PARTS, 1, HEED_WINOGRAD_POINTS * a->rows * a->channels / PACK_PARTS, pack_parts,
                       job);
    job->blocks = heed__ceil_div(heed__winograd_tiles(a), HEED_WINOGRAD_TILES);
    job->parts = heed__conv_parts_of_rows(job, groups);
    const int64_t work =
        heed__ceil_div(a->rows, job->parts) * HEED_WINOGRAD_TILES * HEED_WINOGRAD_POINTS * (a->channels + 1);
    return heed__parallel_for_scratch(where, groups * job->blocks * job->parts, 1 + HEED_CONV_RANGE_WORK / work,
                                      1 + work / HEED_CONV_OPERATIONS, heed__winograd_scratch(a) * job->size, run_tiles,
                                      p);
}

/* Neighbouring images together. */
static bool run_odd_images(const char *where, const heed__conv_job *all, int64_t groups, const atomic_bool *odd)
{
    bool good = true;
    for (int64_t i = 0, end; i < all->args.images && good; i = end + 1) {
        for (end = i; end < all->args.images && odd[end];)
            end++;
        heed__conv_job job = *all;
        job.args.images = end - i;
        job.args.x = (const char *)job.args.x + i * job.args.x_image * job.size;
        job.args.y = (char *)job.args.y + i * job.args.y_image * job.size;
        good = end == i || heed__conv_run_directly(where, &job, 1, groups);
    }
    return good;
}

bool heed__conv_run_winograd(const char *where, const heed__conv_job *all, int64_t groups)
{
    winograd_job p = {.job = *all};
    const int64_t images = all->args.images, packed = heed__winograd_packed(&all->args);
    const size_t packed_bytes = (size_t)(groups * packed * all->size), odd_bytes = (size_t)images * sizeof *p.odd;
    if (images == 0)
        return true;
    p.job.packed_group = packed;
    p.job.pack.flipped = all->args.axis[0].apart < 0;
    p.job.args.w = p.job.pack.to = heed__alloc(where, packed_bytes);
    p.odd = p.job.pack.to ? heed__alloc(where, odd_bytes) : NULL;
    for (int64_t i = 0; p.odd && i < images; i++)
        atomic_init(&p.odd[i], false);
    const bool good = p.odd && run(where, &p, groups) && run_odd_images(where, all, groups, p.odd);
    if (p.job.pack.to)
        heed_free(p.job.pack.to, packed_bytes);
    if (p.odd)
        heed_free(p.odd, odd_bytes);
    return good;
}
