/* ops/conv/run.c - convolutions of plain arrays, by several threads. See conv.h. Positions are cut into blocks of
 * HEED_CONV_COLUMNS, and rows of w where these are few; no element depends on the cuts. */

#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "ops/conv/conv.h"

enum {
    RANGE_WORK = 1 << 17,     /* multiplications that are done in one go */
    OPERATIONS = 16,          /* multiplications that take as long as an operation of other work */
    LEAST_ROWS = 32,          /* of w, that are not cut once more */
    PATCH_ROWS = 6,           /* of w, whose multiplications take as long as the packing of patches */
    PATCH_RUN = 16,           /* positions, whose packing takes as long as to begin a run of them */
    BAND_ELEMENTS = 48 << 10, /* of a band's copy and results */
    BAND_POSITIONS = 4096,
    PACK_PARTS = 8,        /* of a large w, packed each by one thread */
    PACK_SIZE = 1 << 16,   /* elements of w from which on it is large */
    WEIGHT_UNITS = 16,     /* parts of a gradient by w, at least, where that has enough positions */
    WEIGHT_NUMBERS = 4096, /* of dw, at most, that bands are summed to */
    WEIGHT_DEPTHS = 8,     /* times HEED_CONV_DEPTH positions, that a part sums at least */
};

/* A product for each group, whose arrays begin so many elements apart. */
typedef struct conv_job {
    const heed__kernel_table *kernels;
    heed__conv_args args;
    heed__conv_pack_args pack;
    int64_t size; /* of an element, in bytes */
    int64_t x_group, w_group, packed_group, y_group;
    int64_t blocks, parts; /* of positions and of rows */
    int64_t height;        /* of bands; 0: by patches */
} conv_job;

static const void *at(const void *array, int64_t elements, int64_t size)
{
    return array ? (const char *)array + elements * size : NULL;
}

static heed__conv_args args_of_group(const conv_job *job, int64_t group)
{
    heed__conv_args args = job->args;
    args.x = at(args.x, group * job->x_group, job->size);
    args.w = at(args.w, group * job->packed_group, job->size);
    args.bias = at(args.bias, group * args.rows, job->size);
    args.y = (char *)args.y + group * job->y_group * job->size;
    return args;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* -- Forward, and by x --------------------------------------------------------------------------------------------- */

static void pack_parts(int64_t begin, int64_t end, void *context)
{
    const conv_job *job = context;
    for (int64_t i = begin; i < end; i++) {
        heed__conv_pack_args pack = job->pack;
        pack.w = at(pack.w, i / PACK_PARTS * job->w_group, job->size);
        pack.to = (char *)pack.to + i / PACK_PARTS * job->packed_group * job->size;
        job->kernels->conv_pack(&pack, i % PACK_PARTS, PACK_PARTS);
    }
}

/* Where a block of positions begins: whole tiles, but for the last. */
static int64_t block_begin(const conv_job *job, int64_t block)
{
    const int64_t positions = heed__conv_positions(&job->args);
    const int64_t tiles = heed__ceil_div(positions, HEED_MATMUL_COLUMNS);
    return least(tiles * block / job->blocks * HEED_MATMUL_COLUMNS, positions);
}

static void run_units(int64_t begin, int64_t end, char *scratch, void *context)
{
    const conv_job *job = context;
    for (int64_t i = begin; i < end; i++) {
        const int64_t block = i / job->parts % job->blocks;
        const heed__conv_args args = args_of_group(job, i / job->parts / job->blocks);
        job->kernels->conv(&args,
                           &(heed__conv_part){.q_begin = block_begin(job, block),
                                              .q_end = block_begin(job, block + 1),
                                              .part = i % job->parts,
                                              .parts = job->parts},
                           scratch);
    }
}

static bool by_patches(const char *where, conv_job *job, int64_t groups)
{
    const heed__conv_args *a = &job->args;
    const int64_t positions = heed__conv_positions(a);
    job->blocks = heed__ceil_div(positions, HEED_CONV_COLUMNS);
    job->parts =
        least(heed__ceil_div(2 * heed_num_threads(), groups * job->blocks), heed__ceil_div(a->rows, LEAST_ROWS));
    const int64_t units = groups * job->blocks * job->parts;
    const int64_t work =
        heed__ceil_div(a->rows, job->parts) * least(positions, HEED_CONV_COLUMNS) * (heed__conv_terms(a) + 1);
    return heed__parallel_for_scratch(where, units, 1 + RANGE_WORK / work, 1 + work / OPERATIONS,
                                      heed__conv_scratch(a) * job->size, run_units, job);
}

/* -- By bands: of few rows of w, for which patches do not pay ------------------------------------------------------ */

/* The positions of the first axis that a band has; 0 where patches are better, which are worth PATCH_ROWS rows of w: where
 * rows are many, planes narrow, or not even one row of positions has room. */
static int64_t band_height(const heed__conv_args *a)
{
    const int64_t width = heed__conv_band_width(a), copied = heed__conv_band_copy(a, 0), columns = a->axis[1].positions;
    const int64_t row = heed__conv_band_copy(a, 1) - copied + a->rows * width;
    const int64_t room = (BAND_ELEMENTS - copied) / row, most = heed__ceil_div(BAND_POSITIONS, width);
    const int64_t height = least(least(room, most), a->axis[0].positions);
    if (heed__conv_terms(a) == 0 || heed__is_long(heed__conv_terms(a)) || height < 1)
        return 0;
    const int64_t idle = heed__conv_band_row(a, height) - height * columns;
    return a->rows * idle <= PATCH_ROWS * height * (columns + PATCH_RUN) ? height : 0;
}

static void run_bands(int64_t begin, int64_t end, char *scratch, void *context)
{
    const conv_job *job = context;
    for (int64_t i = begin; i < end; i++) {
        const heed__conv_args args = args_of_group(job, i / job->blocks);
        const int64_t band = i % job->blocks;
        job->kernels->conv_band(&args, &(heed__conv_bands){band, band + 1, job->height}, scratch);
    }
}

static bool by_bands(const char *where, conv_job *job, int64_t groups)
{
    const heed__conv_args *a = &job->args;
    job->blocks = a->images * heed__ceil_div(a->axis[0].positions, job->height);
    const int64_t work = a->rows * job->height * a->axis[1].positions * (heed__conv_terms(a) + 1);
    return heed__parallel_for_scratch(where, groups * job->blocks, 1 + RANGE_WORK / work, 1 + work / OPERATIONS,
                                      heed__conv_band_scratch(a, job->height) * job->size, run_bands, job);
}

/* The product of one set of taps, which is all of w, or what a remainder of the stride sees of it. */
static bool run_product(const char *where, conv_job *job, int64_t groups)
{
    const heed__conv_args *a = &job->args;
    const int64_t positions = heed__conv_positions(a), terms = heed__conv_terms(a);
    if (positions == 0 || a->rows == 0)
        return true;
    job->packed_group = heed__conv_packed(a->rows, terms);
    const size_t bytes = (size_t)(groups * job->packed_group * job->size);
    job->pack.to = heed__alloc(where, bytes);
    if (!job->pack.to)
        return false;
    job->args.w = job->pack.to;
    heed__parallel_for(groups * PACK_PARTS, a->rows * terms < PACK_SIZE ? PACK_PARTS : 1, a->rows * terms / PACK_PARTS,
                       pack_parts, job);
    job->height = band_height(a);
    const bool done = job->height > 0 ? by_bands(where, job, groups) : by_patches(where, job, groups);
    heed_free(job->pack.to, bytes);
    return done;
}

/* What x and y have besides planes. Of conv_transpose `x` is what is read, too. */
static conv_job job_of(const heed__conv *c, const heed_tensor *x, const heed_tensor *w, const heed_tensor *y)
{
    const int64_t x_plane = x->shape.dims[2] * x->shape.dims[3], y_plane = y->shape.dims[2] * y->shape.dims[3];
    const int64_t channels = x->shape.dims[1] / c->groups, rows = y->shape.dims[1] / c->groups;
    return (conv_job){
        .kernels = heed__kernels(x->dtype),
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

/* Planes that are read and written as they lie are one row. */
static void forward_axes(const heed__conv *c, heed__conv_axis axis[2])
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
    conv_job job = job_of(c, x, w, y);
    forward_axes(c, job.args.axis);
    job.args.bias = bias ? bias->data : NULL;
    job.pack.taps[0] = c->w[0];
    job.pack.taps[1] = c->w[1];
    job.pack.w_row = job.pack.channels * c->w[0] * c->w[1];
    job.pack.w_channel = c->w[0] * c->w[1];
    job.pack.w_tap[0] = c->w[1];
    job.pack.w_tap[1] = 1;
    return run_product(where, &job, c->groups);
}

/* -- By x: one product for each remainder of the stride ------------------------------------------------------------- */

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* What x has at i = j stride + remainder comes from the taps t with t dilation = remainder + before (mod stride), and from
 * (i + before - t dilation) / stride: the first such tap, and the distance to the next. */
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

static bool run_remainder(const char *where, const heed__conv *c, const conv_job *all, const remainder_axis r[2])
{
    conv_job job = *all;
    for (int i = 0; i < 2; i++) {
        job.args.axis[i] = r[i].axis;
        job.pack.taps[i] = r[i].axis.taps;
    }
    job.pack.w = at(all->pack.w, r[0].tap * c->w[1] + r[1].tap, all->size);
    job.pack.w_row = c->w[0] * c->w[1];
    job.pack.w_channel = all->pack.rows * c->w[0] * c->w[1];
    job.pack.w_tap[0] = r[0].apart * c->w[1];
    job.pack.w_tap[1] = r[1].apart;
    return run_product(where, &job, c->groups);
}

bool heed__conv_transpose_run(const char *where, const heed__conv *c, const heed_tensor *g, const heed_tensor *w,
                              const heed_tensor *bias, heed_tensor *x)
{
    conv_job job = job_of(c, g, w, x);
    job.args.bias = bias ? bias->data : NULL;
    for (int64_t down = 0; down < least(c->stride[0], c->x[0]); down++) {
        const remainder_axis rows = remainder_of(c, 0, down);
        for (int64_t across = 0; across < least(c->stride[1], c->x[1]); across++) {
            const remainder_axis both[2] = {rows, remainder_of(c, 1, across)};
            if (!run_remainder(where, c, &job, both))
                return false;
        }
    }
    return true;
}

/* -- By w ---------------------------------------------------------------------------------------------------------- */

/* Groups, blocks of positions, of rows and of terms; each block of positions has a dw of its own. */
typedef struct weight_job {
    conv_job job;
    int64_t blocks, rows, terms;
    char *dw;
    int64_t numel;
} weight_job;

static void add_units(int64_t begin, int64_t end, char *scratch, void *context)
{
    const weight_job *p = context;
    for (int64_t i = begin; i < end; i++) {
        const int64_t row = i % p->rows, term = i / p->rows % p->terms, block = i / p->rows / p->terms % p->blocks;
        const int64_t group = i / p->rows / p->terms / p->blocks;
        const heed__conv_args args = args_of_group(&p->job, group);
        const int64_t positions = heed__conv_positions(&args), terms = heed__conv_terms(&args);
        const heed__conv_weight_part part = {.q_begin = positions * block / p->blocks,
                                             .q_end = positions * (block + 1) / p->blocks,
                                             .row_begin = row * HEED_CONV_ROWS,
                                             .row_end = least((row + 1) * HEED_CONV_ROWS, args.rows),
                                             .k_begin = terms * term / p->terms,
                                             .k_end = terms * (term + 1) / p->terms};
        p->job.kernels->conv_weight(&args, &part, p->dw + (block * p->numel + group * args.rows * terms) * p->job.size,
                                    scratch);
    }
}

/* By bands, whose rows of positions are summed a register at a time. */
static void add_bands(int64_t begin, int64_t end, char *scratch, void *context)
{
    const weight_job *p = context;
    const heed__conv_args *a = &p->job.args;
    const int64_t bands = a->images * heed__ceil_div(a->axis[0].positions, p->job.height);
    for (int64_t i = begin; i < end; i++) {
        const int64_t group = i / p->blocks, block = i % p->blocks;
        const heed__conv_args args = args_of_group(&p->job, group);
        p->job.kernels->conv_weight_band(
            &args, &(heed__conv_bands){bands * block / p->blocks, bands * (block + 1) / p->blocks, p->job.height},
            p->dw + (block * p->numel + group * a->rows * heed__conv_terms(a)) * p->job.size, scratch);
    }
}

/* The height of bands; 0 where patches are better: HEED_MATMUL_COLUMNS rows of g are one multiplication there, if not all of
 * them are needed, and as many positions of a row are here. */
static int64_t weight_height(const heed__conv_args *a)
{
    const int64_t copied = heed__conv_band_copy(a, 0), columns = a->axis[1].positions;
    const int64_t room = (BAND_ELEMENTS - copied) / (heed__conv_band_copy(a, 1) - copied);
    const int64_t height = least(room, a->axis[0].positions), vector = HEED_MATMUL_COLUMNS / 2;
    if (a->rows > vector || a->rows * heed__conv_terms(a) > WEIGHT_NUMBERS || height < 1)
        return 0;
    return a->rows * heed__ceil_div(columns, vector) * vector <= vector * columns ? height : 0;
}

/* dw is the sum over blocks, in their order. */
static void add_blocks(const weight_job *p, heed_tensor *dw)
{
    if (p->blocks > 1)
        p->job.kernels->sum(1, p->blocks, p->numel, p->dw, dw->data);
}

bool heed__conv_weight_run(const char *where, const heed__conv *c, const heed_tensor *x, const heed_tensor *g,
                           heed_tensor *dw)
{
    weight_job p = {.job = job_of(c, x, NULL, g), .dw = dw->data, .numel = dw->numel};
    const heed__conv_args *a = &p.job.args;
    forward_axes(c, p.job.args.axis);
    const int64_t positions = heed__conv_positions(a), terms = heed__conv_terms(a);
    if (dw->numel == 0)
        return true;
    p.job.height = weight_height(a);
    p.rows = p.job.height > 0 ? 1 : heed__ceil_div(a->rows, HEED_CONV_ROWS);
    p.terms = p.job.height > 0 ? 1 : heed__ceil_div(terms, HEED_CONV_TERMS);
    const int64_t units = c->groups * p.rows * p.terms;
    p.blocks = least(heed__ceil_div(WEIGHT_UNITS, units), 1 + positions / (WEIGHT_DEPTHS * HEED_CONV_DEPTH));
    const size_t bytes = p.blocks > 1 ? (size_t)(p.blocks * p.numel * p.job.size) : 0;
    if (bytes > 0 && !(p.dw = heed__alloc(where, bytes)))
        return false;
    const int64_t work = 1 + positions / p.blocks * (terms / p.terms) * (a->rows / p.rows);
    const int64_t scratch =
        p.job.height > 0 ? heed__conv_weight_band_scratch(a, p.job.height) : heed__conv_weight_scratch();
    const bool done = heed__parallel_for_scratch(where, units * p.blocks, 1 + RANGE_WORK / work, 1 + work / OPERATIONS,
                                                 scratch * p.job.size, p.job.height > 0 ? add_bands : add_units, &p);
    if (done)
        add_blocks(&p, dw);
    if (bytes > 0)
        heed_free(p.dw, bytes);
    return done;
}
