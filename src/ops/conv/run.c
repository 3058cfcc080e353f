/* ops/conv/run.c - convolutions of plain arrays, by several threads. See run.h. The work is split into blocks of
 * HEED_CONV_COLUMNS positions, and if there are few blocks, also into parts of the rows of w; or it is split into
 * bands. No element of the result depends on the split.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "ops/conv/run.h"
#include "core/memory.h"

enum {
    LEAST_ROWS = 32,     /* minimum rows of w per part */
    PACK_PARTS = 8,      /* parts of a large w; a thread packs one at a time */
    PACK_SIZE = 1 << 17, /* elements from which on packed w is large */
};

static const void *element_at(const void *array, int64_t elements, int64_t size)
{
    return array ? (const char *)array + elements * size : NULL;
}

heed__conv_args heed__conv_args_of_group(const heed__conv_job *job, int64_t group)
{
    heed__conv_args args = job->args;
    args.x = element_at(args.x, group * job->x_group, job->size);
    args.w = element_at(args.w, group * job->packed_group, job->size);
    args.bias = element_at(args.bias, group * args.rows, job->size);
    args.y = (char *)args.y + group * job->y_group * job->size;
    return args;
}

/* -- Packed weights ------------------------------------------------------------------------------------------------ */

static void pack_parts(int64_t begin, int64_t end, void *context)
{
    const heed__conv_job *job = context;
    for (int64_t i = begin; i < end; i++) {
        heed__conv_pack_args pack = job->pack;
        pack.w = element_at(pack.w, i / PACK_PARTS * job->w_group, job->size);
        pack.to = (char *)pack.to + i / PACK_PARTS * job->packed_group * job->size;
        if (job->path == HEED_CONV_WINOGRAD)
            HEED__RUN(winograd_pack, job->dtype, &pack, job->form, i % PACK_PARTS, PACK_PARTS);
        else
            HEED__RUN(conv_pack, job->dtype, &pack, i % PACK_PARTS, PACK_PARTS);
    }
}

size_t heed__conv_pack_weights(const char *where, heed__conv_job *job, int64_t groups)
{
    const heed__conv_args *a = &job->args;
    job->packed_group =
        job->path == HEED_CONV_WINOGRAD ? heed__winograd_packed(a) : heed__conv_packed(a->rows, heed__conv_terms(a));
    job->pack.panels = job->path == HEED_CONV_BY_CHANNEL;
    const size_t bytes = (size_t)(groups * job->packed_group * job->size);
    job->args.w = job->pack.to = heed__alloc(where, bytes);
    if (!job->pack.to)
        return 0;
    heed__parallel_for(groups * PACK_PARTS, job->packed_group < PACK_SIZE ? PACK_PARTS : 1,
                       job->packed_group / PACK_PARTS, pack_parts, job);
    return bytes;
}

/* -- By patches ---------------------------------------------------------------------------------------------------- */

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

/* -- By bands ------------------------------------------------------------------------------------------------------ */

static void run_band_blocks(int64_t begin, int64_t end, char *scratch, void *context)
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
                                      1 + work / HEED_CONV_OPERATIONS, scratch, run_band_blocks, job);
}

/* -- By channel ---------------------------------------------------------------------------------------------------- */

static void run_channel_blocks(int64_t begin, int64_t end, char *scratch, void *context)
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
    return heed__parallel_for_scratch(
        where, groups * job->blocks * job->parts, 1 + HEED_CONV_RANGE_WORK / work, 1 + work / HEED_CONV_OPERATIONS,
        HEED__RUN(conv_by_channel, job->dtype, a, &block, 0, 1, NULL), run_channel_blocks, job);
}

/* -- By lines: the planes of all groups in memory order ------------------------------------------------------------ */

static heed__conv_axis frame_axis(const heed__conv_job *jobs, int64_t n, int i)
{
    heed__conv_axis frame = jobs->args.axis[i];
    int64_t low = frame.first, high = frame.first;
    for (int64_t j = 0; j < n; j++) {
        const heed__conv_axis *a = &jobs[j].args.axis[i];
        const int64_t last = a->first + (a->taps - 1) * a->apart;
        low = heed__conv_least(low, heed__conv_least(a->first, last));
        high = heed__conv_most(high, heed__conv_most(a->first, last));
        frame.positions = heed__conv_most(frame.positions, a->positions);
    }
    frame.first = low;
    frame.taps = high - low + 1;
    frame.apart = 1;
    return frame;
}

heed__conv_args heed__conv_frame_of(const heed__conv_job *jobs, int64_t n)
{
    heed__conv_args frame = jobs->args;
    for (int i = 0; n > 1 && i < 2; i++)
        frame.axis[i] = frame_axis(jobs, n, i);
    return frame;
}

typedef struct lines_job {
    heed__conv_lines_args lines;
    heed_dtype dtype;
} lines_job;

static void run_line_bands(int64_t begin, int64_t end, char *scratch, void *context)
{
    const lines_job *job = context;
    HEED__RUN(conv_lines, job->dtype, &job->lines, begin, end, scratch);
}

static bool by_lines(const char *where, const heed__conv_job *jobs, int64_t n, int64_t groups)
{
    lines_job job = {.dtype = jobs->dtype,
                     .lines = {.args = heed__conv_frame_of(jobs, n),
                               .groups = groups,
                               .x_group = jobs->x_group,
                               .w_group = jobs->w_group,
                               .y_group = jobs->y_group,
                               .w_channel = jobs->pack.w_channel,
                               .height = jobs->height,
                               .n = n}};
    heed__conv_lines_args *lines = &job.lines;
    const heed__conv_axis *axis = lines->args.axis;
    lines->args.w = jobs->pack.w;
    lines->bands = heed__ceil_div(axis[0].positions, lines->height);
    for (int64_t i = 0; i < n; i++) {
        const heed__conv_pack_args *pack = &jobs[i].pack;
        lines->terms += heed__conv_terms(&jobs[i].args);
        lines->subset[i] =
            (heed__conv_lines){.axis = {jobs[i].args.axis[0], jobs[i].args.axis[1]},
                               .w_first = ((const char *)pack->w - (const char *)jobs->pack.w) / jobs->size,
                               .w_tap = {pack->w_tap[0], pack->w_tap[1]}};
    }
    const int64_t work = lines->height * axis[1].positions * (lines->terms + 1);
    return heed__parallel_for_scratch(where, lines->args.images * groups * lines->bands,
                                      1 + HEED_CONV_RANGE_WORK / work, 1 + work / HEED_CONV_OPERATIONS,
                                      HEED__RUN(conv_lines, job.dtype, lines, 0, 0, NULL), run_line_bands, &job);
}

/* -- Jobs ---------------------------------------------------------------------------------------------------------- */

/* Runs a job with packed w. */
static bool run_one(const char *where, const heed__conv_job *planned, int64_t groups)
{
    heed__conv_job job = *planned;
    if (heed__conv_positions(&job.args) == 0 || job.args.rows == 0)
        return true;
    const size_t bytes = heed__conv_pack_weights(where, &job, groups);
    if (bytes == 0)
        return false;
    const bool good = job.path == HEED_CONV_BY_CHANNEL ? by_channel(where, &job, groups)
                      : job.path == HEED_CONV_BANDS    ? by_bands(where, &job, groups)
                                                       : by_patches(where, &job, groups);
    heed_free(job.pack.to, bytes);
    return good;
}

bool heed__conv_run_jobs(const char *where, const heed__conv *c, heed__conv_result result, const heed__conv_job *jobs,
                         int64_t n)
{
    if (jobs->path == HEED_CONV_WINOGRAD)
        return heed__conv_run_winograd(where, c, result, jobs, n);
    if (jobs->path == HEED_CONV_LINES)
        return by_lines(where, jobs, n, c->groups);
    bool good = true;
    for (int64_t i = 0; i < n && good; i++)
        good = run_one(where, &jobs[i], c->groups);
    return good;
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

void heed__conv_set_forward(const heed__conv *c, heed__conv_job *job)
{
    heed__conv_axis *axis = job->args.axis;
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
        job->pack.taps[i] = c->w[i];
        plain = plain && c->w[i] == 1 && c->stride[i] == 1 && c->before[i] == 0 && c->x[i] == c->y[i];
    }
    if (plain) {
        axis[1].size = axis[1].out_size = axis[1].positions = c->x[0] * c->x[1];
        axis[0].size = axis[0].out_size = axis[0].positions = 1;
    }
    job->pack.w_row = job->pack.channels * c->w[0] * c->w[1];
    job->pack.w_channel = c->w[0] * c->w[1];
    job->pack.w_tap[0] = c->w[1];
    job->pack.w_tap[1] = 1;
}

bool heed__conv_run(const char *where, const heed__conv *c, const heed_tensor *x, const heed_tensor *w,
                    const heed_tensor *bias, heed_tensor *y)
{
    heed__conv_job job = heed__conv_job_of(c, x, w, y);
    job.args.bias = bias ? bias->data : NULL;
    heed__conv_set_forward(c, &job);
    heed__conv_choose(c, HEED_CONV_Y, &job, 1, true);
    return job.path == HEED_CONV_PRODUCT ? heed__conv_run_product(where, c, x, w, bias, y)
                                         : heed__conv_run_jobs(where, c, HEED_CONV_Y, &job, 1);
}
