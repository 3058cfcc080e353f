/* ops/conv/run.c - convolutions of plain arrays, by several threads. See conv.h. The work is split into blocks of
 * HEED_CONV_COLUMNS positions, and if there are few blocks, also into parts of the rows of w; or it is split into
 * bands. No element of the result depends on the split. */

#include <string.h>

#include "core/memory.h"
#include "ops/conv/run.h"

enum {
    LEAST_ROWS = 32,     /* minimum rows of w per part */
    PATCH_ROWS = 6,      /* packing the patches takes the time of multiplying this number of rows of w */
    PATCH_ROW_COST = 16, /* starting a row of positions takes the time of packing this number of positions */
    BAND_POSITIONS = 4096,
    CHANNEL_C = 1 << 16,      /* elements of C per block */
    CHANNEL_POSITIONS = 512,  /* about the maximum number of positions in a block of bands */
    CHANNEL_COLUMNS = 5,      /* minimum positions of a line */
    PACK_PARTS = 8,           /* parts of a large w; a thread packs one at a time */
    PACK_SIZE = 1 << 16,      /* elements from which on w is large */
    CACHE_ELEMENTS = 1 << 16, /* elements that fit into a second-level cache */
};

static const void *at(const void *array, int64_t elements, int64_t size)
{
    return array ? (const char *)array + elements * size : NULL;
}

heed__conv_args heed__conv_args_of_group(const heed__conv_job *job, int64_t group)
{
    heed__conv_args args = job->args;
    args.x = at(args.x, group * job->x_group, job->size);
    args.w = at(args.w, group * job->packed_group, job->size);
    args.bias = at(args.bias, group * (args.rows / heed__conv_fan(&args)), job->size);
    args.y = (char *)args.y + group * job->y_group * job->size;
    return args;
}

/* -- Forward and gradient by x ------------------------------------------------------------------------------------- */

static void pack_parts(int64_t begin, int64_t end, void *context)
{
    const heed__conv_job *job = context;
    for (int64_t i = begin; i < end; i++) {
        heed__conv_pack_args pack = job->pack;
        pack.w = at(pack.w, i / PACK_PARTS * job->w_group, job->size);
        pack.to = (char *)pack.to + i / PACK_PARTS * job->packed_group * job->size;
        HEED__RUN(conv_pack, job->dtype, &pack, i % PACK_PARTS, PACK_PARTS);
    }
}

/* Returns the first position of a block. Blocks consist of whole tiles, except for the last. */
static int64_t block_begin(const heed__conv_job *job, int64_t block)
{
    const int64_t positions = heed__conv_positions(&job->args);
    const int64_t tiles = heed__ceil_div(positions, HEED_MATMUL_COLUMNS);
    return heed__conv_least(tiles * block / job->blocks * HEED_MATMUL_COLUMNS, positions);
}

static void run_units(int64_t begin, int64_t end, char *scratch, void *context)
{
    const heed__conv_job *job = context;
    for (int64_t i = begin; i < end; i++) {
        const int64_t block = i / job->parts % job->blocks;
        const heed__conv_args args = heed__conv_args_of_group(job, i / job->parts / job->blocks);
        HEED__RUN(conv, job->dtype, &args,
                  &(heed__conv_range){.q_begin = block_begin(job, block),
                                      .q_end = block_begin(job, block + 1),
                                      .chunk = i % job->parts,
                                      .chunks = job->parts},
                  scratch);
    }
}

int64_t heed__conv_parts_of_rows(const heed__conv_job *job, int64_t groups)
{
    const int64_t threads = heed_num_threads(), units = threads > 1 ? 2 * threads : 1;
    return heed__conv_least(heed__ceil_div(units, groups * job->blocks), heed__ceil_div(job->args.rows, LEAST_ROWS));
}

static bool by_patches(const char *where, heed__conv_job *job, int64_t groups)
{
    const heed__conv_args *a = &job->args;
    const int64_t positions = heed__conv_positions(a);
    job->blocks = heed__ceil_div(positions, HEED_CONV_COLUMNS);
    job->parts = heed__conv_parts_of_rows(job, groups);
    const int64_t units = groups * job->blocks * job->parts;
    const int64_t work = heed__ceil_div(a->rows, job->parts) * heed__conv_least(positions, HEED_CONV_COLUMNS) *
                         (heed__conv_terms(a) + 1);
    return heed__parallel_for_scratch(where, units, 1 + HEED_CONV_RANGE_WORK / work, 1 + work / HEED_CONV_OPERATIONS,
                                      HEED__RUN(conv, job->dtype, a, &(heed__conv_range){.chunks = 1}, NULL), run_units,
                                      job);
}

/* -- By bands: for few rows of w, for which patches do not pay off ------------------------------------------------- */

/* Returns the number of positions of the first axis per band, or 0 if patches are faster. Patches are faster if w has
 * many rows, because packing takes only the time of PATCH_ROWS rows; if planes are narrow; and if not even one row of
 * positions fits a band. */
static int64_t band_height(const heed__conv_args *a)
{
    if (heed__conv_terms(a) == 0 || heed__is_long(heed__conv_terms(a)) || !heed__conv_fits_band(a))
        return 0;
    const int64_t width = heed__conv_band_width(a), copied = heed__conv_band_copy(a, 0), columns = a->axis[1].positions;
    const int64_t row = heed__conv_band_copy(a, 1) - copied + a->rows * width;
    const int64_t capacity = (HEED_CONV_BAND_ELEMENTS - copied) / row, most = heed__ceil_div(BAND_POSITIONS, width);
    const int64_t height = heed__conv_least(heed__conv_least(capacity, most), a->axis[0].positions);
    if (height < 1)
        return 0;
    const int64_t idle = heed__conv_band_row(a, height) - height * columns;
    return a->rows * idle <= PATCH_ROWS * height * (columns + PATCH_ROW_COST) ? height : 0;
}

static void run_bands(int64_t begin, int64_t end, char *scratch, void *context)
{
    const heed__conv_job *job = context;
    for (int64_t i = begin, next; i < end; i = next) {
        const int64_t group = i / job->blocks, first = i % job->blocks;
        const heed__conv_args args = heed__conv_args_of_group(job, group);
        next = heed__conv_least(end, (group + 1) * job->blocks);
        HEED__RUN(conv_band, job->dtype, &args, &(heed__conv_bands){first, first + next - i, job->height}, scratch);
    }
}

static bool by_bands(const char *where, heed__conv_job *job, int64_t groups)
{
    const heed__conv_args *a = &job->args;
    job->blocks = a->images * heed__ceil_div(a->axis[0].positions, job->height);
    const int64_t work = a->rows * job->height * a->axis[1].positions * (heed__conv_terms(a) + 1);
    const int64_t scratch = HEED__RUN(conv_band, job->dtype, a, &(heed__conv_bands){.height = job->height}, NULL);
    return heed__parallel_for_scratch(where, groups * job->blocks, 1 + HEED_CONV_RANGE_WORK / work,
                                      1 + work / HEED_CONV_OPERATIONS, scratch, run_bands, job);
}

/* -- By channel: if the rows of w fill registers ------------------------------------------------------------------- */

/* Plans blocks of several bands. The bands of a block share a copy of x and a matrix C of about CHANNEL_C elements.
 * Returns false if lines are too narrow for tiles or too long for a block, or if there is only one tap, for which the
 * copy would equal the patches. A line is a row of positions. */
static bool plan_bands(heed__conv_job *job)
{
    const heed__conv_args *a = &job->args;
    const int64_t vector = HEED_MATMUL_COLUMNS / 2, columns = a->axis[1].positions, lines = a->axis[0].positions;
    const int64_t lanes = heed__ceil_div(a->rows, vector) * vector;
    if (a->axis[0].taps * a->axis[1].taps <= 1 || a->channels == 0 || heed__conv_fan(a) > 1 ||
        !heed__conv_fits_band(a) || columns < CHANNEL_COLUMNS || columns > CHANNEL_POSITIONS ||
        lanes > a->rows + a->rows / 8)
        return false;
    const int64_t most = heed__conv_least(CHANNEL_C / a->rows, CHANNEL_POSITIONS);
    const int64_t copied = heed__conv_channels_copy(a, 0), line = heed__conv_channels_copy(a, 1) - copied;
    job->height =
        heed__conv_least(heed__conv_least(1 + most / columns, lines), (HEED_CONV_BAND_ELEMENTS - copied) / line);
    if (job->height < 1)
        return false;
    job->bands = job->height < lines ? 1 : heed__conv_least(1 + most / (lines * columns), a->images);
    return true;
}

static void run_channels(int64_t begin, int64_t end, char *scratch, void *context)
{
    const heed__conv_job *job = context;
    const int64_t bands = job->args.images * heed__ceil_div(job->args.axis[0].positions, job->height);
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = i / job->parts % job->blocks * job->bands;
        const heed__conv_args args = heed__conv_args_of_group(job, i / job->parts / job->blocks);
        const heed__conv_bands part = {first, heed__conv_least(first + job->bands, bands), job->height};
        HEED__RUN(conv_by_channel, job->dtype, &args, &part, i % job->parts, job->parts, scratch);
    }
}

static bool by_channel(const char *where, heed__conv_job *job, int64_t groups)
{
    const heed__conv_args *a = &job->args;
    job->blocks = heed__ceil_div(a->images * heed__ceil_div(a->axis[0].positions, job->height), job->bands);
    job->parts = heed__conv_parts_of_rows(job, groups);
    const int64_t work = heed__ceil_div(a->rows, job->parts) * job->bands * job->height * a->axis[1].positions *
                         (heed__conv_terms(a) + 1);
    const heed__conv_bands block = {0, job->bands, job->height};
    return heed__parallel_for_scratch(where, groups * job->blocks * job->parts, 1 + HEED_CONV_RANGE_WORK / work,
                                      1 + work / HEED_CONV_OPERATIONS,
                                      HEED__RUN(conv_by_channel, job->dtype, a, &block, 0, 1, NULL), run_channels, job);
}

/* -- Products ------------------------------------------------------------------------------------------------------ */

static size_t packed_bytes(const heed__conv_job *job, int64_t groups)
{
    return (size_t)(groups * job->packed_group * job->size);
}

/* Chooses the algorithm and packs w for it. Does nothing if the result is empty. Returns false after heed_fail. */
static bool prepare(const char *where, heed__conv_job *job, int64_t groups)
{
    const heed__conv_args *a = &job->args;
    const int64_t terms = heed__conv_terms(a);
    if (heed__conv_positions(a) == 0 || a->rows == 0)
        return true;
    job->pack.panels = plan_bands(job);
    if (!job->pack.panels)
        job->height = band_height(a);
    job->packed_group = heed__conv_packed(a->rows, terms);
    job->pack.to = heed__alloc(where, packed_bytes(job, groups));
    if (!job->pack.to)
        return false;
    job->args.w = job->pack.to;
    heed__parallel_for(groups * PACK_PARTS, a->rows * terms < PACK_SIZE ? PACK_PARTS : 1, a->rows * terms / PACK_PARTS,
                       pack_parts, job);
    return true;
}

static bool run_images(const char *where, const heed__conv_job *all, int64_t groups, int64_t first, int64_t images)
{
    heed__conv_job job = *all;
    if (!job.pack.to)
        return true;
    job.args.images = images;
    job.args.x = at(job.args.x, first * job.args.x_image, job.size);
    job.args.y = (char *)job.args.y + first * job.args.y_image * job.size;
    return job.pack.panels  ? by_channel(where, &job, groups)
           : job.height > 0 ? by_bands(where, &job, groups)
                            : by_patches(where, &job, groups);
}

/* Returns the number of images to process at a time: few enough that the jobs' results stay in the cache, but enough
 * that w is not fetched too often. If there are several groups, all images are processed at once, because starting a
 * group again takes longer than this would save. */
static int64_t images_at_once(const heed__conv_job *jobs, int64_t n, int64_t groups)
{
    int64_t elements = CACHE_ELEMENTS;
    for (int64_t i = 0; i < n; i++)
        elements += 4 * jobs[i].args.rows * heed__conv_terms(&jobs[i].args);
    return n == 1 || groups > 1 ? jobs->args.images : 1 + elements / (1 + jobs->args.y_image);
}

bool heed__conv_run_directly(const char *where, heed__conv_job *jobs, int64_t n, int64_t groups)
{
    const int64_t images = jobs->args.images;
    bool good = true;
    for (int64_t i = 0; i < n && good; i++)
        good = prepare(where, &jobs[i], groups);
    const int64_t at_once = images_at_once(jobs, n, groups);
    for (int64_t first = 0; first < images && good; first += at_once)
        for (int64_t i = 0; i < n && good; i++)
            good = run_images(where, &jobs[i], groups, first, heed__conv_least(at_once, images - first));
    for (int64_t i = 0; i < n; i++)
        if (jobs[i].pack.to)
            heed_free(jobs[i].pack.to, packed_bytes(&jobs[i], groups));
    return good;
}

bool heed__conv_run_products(const char *where, heed__conv_job *jobs, int64_t n, int64_t groups)
{
    heed__winograd_form form;
    if (n == 1 && heed__conv_suits_winograd(&jobs->args, &form))
        return heed__conv_run_winograd(where, jobs, form, jobs, 1, groups);
    return heed__conv_suits_lines(jobs, n) ? heed__conv_run_lines(where, jobs, n, groups)
                                           : heed__conv_run_directly(where, jobs, n, groups);
}

heed__conv_job heed__conv_job_of(const heed__conv *c, const heed_tensor *x, const heed_tensor *w, const heed_tensor *y)
{
    const int64_t x_plane = x->shape.dims[2] * x->shape.dims[3], y_plane = y->shape.dims[2] * y->shape.dims[3];
    const int64_t channels = x->shape.dims[1] / c->groups, rows = y->shape.dims[1] / c->groups;
    return (heed__conv_job){
        .dtype = x->dtype,
        .size = (int64_t)heed_dtype_size(x->dtype),
        .args = {.images = x->shape.dims[0],
                 .channels = channels,
                 .rows = rows,
                 .x = x->data,
                 .x_image = x->shape.dims[1] * x_plane,
                 .x_channel = x_plane,
                 .y = y->data,
                 .y_image = y->shape.dims[1] * y_plane,
                 .y_row = y_plane},
        .pack = {.rows = rows, .channels = channels, .w = w ? w->data : NULL},
        .x_group = channels * x_plane,
        .w_group = rows * channels * c->w[0] * c->w[1],
        .y_group = rows * y_plane,
    };
}

void heed__conv_forward_axes(const heed__conv *c, heed__conv_axis axis[2])
{
    bool plain = true;
    for (int i = 0; i < 2; i++) {
        axis[i] = (heed__conv_axis){.size = c->x[i],
                                    .out_size = c->y[i],
                                    .taps = c->w[i],
                                    .positions = c->y[i],
                                    .step = c->stride[i],
                                    .first = -c->before[i],
                                    .apart = c->dilation[i],
                                    .out_step = 1};
        plain = plain && c->w[i] == 1 && c->stride[i] == 1 && c->before[i] == 0 && c->x[i] == c->y[i];
    }
    if (plain) {
        axis[1].size = axis[1].out_size = axis[1].positions = c->x[0] * c->x[1];
        axis[0].size = axis[0].out_size = axis[0].positions = 1;
    }
}

bool heed__conv_run(const char *where, const heed__conv *c, const heed_tensor *x, const heed_tensor *w,
                    const heed_tensor *bias, heed_tensor *y)
{
    if (heed__conv_is_product(c))
        return heed__conv_run_product(where, c, x, w, false, bias, y);
    heed__conv_job job = heed__conv_job_of(c, x, w, y);
    heed__conv_forward_axes(c, job.args.axis);
    job.args.bias = bias ? bias->data : NULL;
    job.pack.taps[0] = c->w[0];
    job.pack.taps[1] = c->w[1];
    job.pack.w_row = job.pack.channels * c->w[0] * c->w[1];
    job.pack.w_channel = c->w[0] * c->w[1];
    job.pack.w_tap[0] = c->w[1];
    job.pack.w_tap[1] = 1;
    return heed__conv_run_products(where, &job, 1, c->groups);
}
