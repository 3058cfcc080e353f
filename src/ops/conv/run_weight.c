/* ops/conv/run_weight.c - the gradient of a convolution with respect to its weights, computed by several threads. See
 * run.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/memory.h"
#include "ops/conv/run.h"

/* Measured as the constants of path.c: half and twice the value are up to 4 % faster in one case (half of WEIGHT_UNITS
 * for 6x14x14 to 16, twice WEIGHT_DEPTHS for 1x1 with stride 2), and up to 4 % slower in others. The bits depend on
 * both. */
enum {
    WEIGHT_UNITS = 16, /* minimum units of work of a gradient, if there are enough positions */
    WEIGHT_DEPTHS = 4, /* approximate minimum positions per unit, in HEED_CONV_DEPTH */
};

/* The work is split into groups and into blocks of positions, rows and terms (channels, with Winograd's algorithm).
 * Every block of positions has its own dw. */
typedef struct weight_job {
    heed__conv_job job;
    int64_t blocks, rows, terms;
    char *dw;
    int64_t numel;
    heed__scratch_fn *add;
    int64_t scratch;
    atomic_bool nonfinite; /* Winograd's algorithm only: some number is NaN or infinite */
} weight_job;

/* A unit of the work: its range of positions (tiles, with Winograd's algorithm), rows and terms, and the dw that it
 * adds to. */
typedef struct weight_unit {
    heed__conv_args args;
    heed__conv_weight_range part;
    void *dw;
} weight_unit;

static weight_unit weight_unit_of(const weight_job *p, int64_t i, int64_t positions, int64_t terms)
{
    const int64_t row = i % p->rows, term = i / p->rows % p->terms, block = i / p->rows / p->terms % p->blocks;
    const int64_t group = i / p->rows / p->terms / p->blocks;
    weight_unit u = {.args = heed__conv_args_of_group(&p->job, group)};
    const int64_t panel = HEED_MATMUL_COLUMNS;
    const int64_t height = heed__ceil_div(heed__ceil_div(u.args.rows, p->rows), panel) * panel;
    u.part = (heed__conv_weight_range){.q_begin = positions * block / p->blocks,
                                       .q_end = positions * (block + 1) / p->blocks,
                                       .row_begin = row * height,
                                       .row_end = heed__conv_least((row + 1) * height, u.args.rows),
                                       .k_begin = terms * term / p->terms,
                                       .k_end = terms * (term + 1) / p->terms};
    u.dw = p->dw + (block * p->numel + group * u.args.rows * heed__conv_terms(&u.args)) * p->job.size;
    return u;
}

static void add_units(int64_t begin, int64_t end, char *scratch, void *context)
{
    const weight_job *p = context;
    const heed__conv_args *a = &p->job.args;
    for (int64_t i = begin; i < end; i++) {
        const weight_unit u = weight_unit_of(p, i, heed__conv_positions(a), heed__conv_terms(a));
        HEED__RUN(conv_weight, p->job.dtype, &u.args, &u.part, u.dw, scratch);
    }
}

static void add_tiles(int64_t begin, int64_t end, char *scratch, void *context)
{
    weight_job *p = context;
    const heed__conv_args *a = &p->job.args;
    for (int64_t i = begin; i < end; i++) {
        const weight_unit u = weight_unit_of(p, i, heed__winograd_tiles(a, p->job.form), a->channels);
        HEED__RUN(winograd_weight, p->job.dtype, &u.args, p->job.form, &u.part, u.dw, &p->nonfinite, scratch);
    }
}

/* Runs units begin .. end - 1 by bands. If every group has a single block, these units are consecutive groups, and one
 * call of the kernel computes all of them. */
static void add_weight_bands(int64_t begin, int64_t end, char *scratch, void *context)
{
    const weight_job *p = context;
    const heed__conv_args *a = &p->job.args;
    const int64_t bands = a->images * heed__ceil_div(a->axis[0].positions, p->job.height);
    for (int64_t i = begin, here; i < end; i += here) {
        here = p->blocks == 1 ? end - begin : 1;
        const int64_t group = i / p->blocks, block = i % p->blocks;
        const heed__conv_args args = heed__conv_args_of_group(&p->job, group);
        HEED__RUN(conv_weight_band, p->job.dtype, &args,
                  &(heed__conv_bands){bands * block / p->blocks, bands * (block + 1) / p->blocks, p->job.height},
                  &(heed__conv_groups){here, p->job.x_group, p->job.y_group},
                  p->dw + (block * p->numel + group * a->rows * heed__conv_terms(a)) * p->job.size, scratch);
    }
}

/* Decides how to split the work. */
static void plan_units(weight_job *p, int64_t groups)
{
    const heed__conv_args *a = &p->job.args;
    const heed_dtype dtype = p->job.dtype;
    const int64_t terms = heed__conv_terms(a);
    p->rows = p->terms = 1;
    if (p->job.path == HEED_CONV_WINOGRAD) {
        const heed__conv_weight_range most = {.q_end = heed__winograd_tiles(a, p->job.form),
                                              .row_end = heed__conv_least(a->rows, HEED_WINOGRAD_ROWS),
                                              .k_end = heed__conv_least(a->channels, HEED_WINOGRAD_CHANNELS)};
        p->rows = heed__ceil_div(a->rows, HEED_WINOGRAD_ROWS);
        p->terms = heed__ceil_div(a->channels, HEED_WINOGRAD_CHANNELS);
        p->scratch = HEED__RUN(winograd_weight, dtype, a, p->job.form, &most, NULL, NULL, NULL);
        p->add = add_tiles;
    } else if (p->job.path == HEED_CONV_BANDS) {
        const heed__conv_bands bands = {.height = p->job.height};
        p->scratch = HEED__RUN(conv_weight_band, dtype, a, &bands, NULL, NULL, NULL);
        p->add = add_weight_bands;
    } else {
        const heed__conv_weight_range most = {.row_end = heed__conv_least(a->rows, HEED_CONV_ROWS),
                                              .k_end = heed__conv_least(terms, HEED_CONV_TERMS)};
        p->rows = heed__ceil_div(a->rows, HEED_CONV_ROWS);
        p->terms = heed__ceil_div(terms, HEED_CONV_TERMS);
        p->scratch = HEED__RUN(conv_weight, dtype, a, &most, NULL, NULL);
        p->add = add_units;
    }
    p->blocks = heed__conv_least(heed__ceil_div(WEIGHT_UNITS, groups * p->rows * p->terms),
                                 1 + heed__conv_positions(a) / (WEIGHT_DEPTHS * HEED_CONV_DEPTH));
}

static bool run_units(const char *where, weight_job *p, int64_t groups)
{
    const heed__conv_args *a = &p->job.args;
    const int64_t work =
        1 + heed__conv_positions(a) / p->blocks * (heed__conv_terms(a) / p->terms) * (a->rows / p->rows);
    return heed__parallel_for_scratch(where, groups * p->rows * p->terms * p->blocks, 1 + HEED_CONV_RANGE_WORK / work,
                                      1 + work / HEED_CONV_OPERATIONS, p->scratch, p->add, p);
}

/* Computes one dw per block of positions and their sum in `dw`. Returns false after heed_fail. */
static bool run_weight_blocks(const char *where, weight_job *p, int64_t groups, heed_tensor *dw)
{
    const size_t bytes = p->blocks > 1 ? (size_t)(p->blocks * p->numel * p->job.size) : 0;
    p->dw = bytes > 0 ? heed__alloc(where, bytes) : dw->data;
    if (!p->dw)
        return false;
    const bool done = run_units(where, p, groups);
    if (done && bytes > 0)
        HEED__RUN(sum, p->job.dtype, 1, p->blocks, p->numel, p->dw, dw->data);
    if (bytes > 0)
        heed_free(p->dw, bytes);
    return done;
}

bool heed__conv_weight_run(const char *where, const heed__conv *c, const heed_tensor *x, const heed_tensor *g,
                           heed_tensor *dw)
{
    weight_job p = {.job = heed__conv_job_of(c, x, NULL, g), .numel = dw->numel};
    heed__conv_set_forward(c, &p.job);
    if (dw->numel == 0)
        return true;
    heed__conv_choose(c, HEED_CONV_W, &p.job, 1, true);
    if (p.job.path == HEED_CONV_PRODUCT)
        return heed__conv_run_product_by_w(where, c, x, g, dw);
    plan_units(&p, c->groups);
    bool done = run_weight_blocks(where, &p, c->groups, dw);
    if (done && p.nonfinite) {
        heed__conv_choose(c, HEED_CONV_W, &p.job, 1, false);
        plan_units(&p, c->groups);
        done = run_weight_blocks(where, &p, c->groups, dw);
    }
    return done;
}
