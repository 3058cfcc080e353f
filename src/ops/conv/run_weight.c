/* ops/conv/run_weight.c - the gradient of a convolution with respect to its weights, computed by several threads. See
 * conv.h. */

#include "core/memory.h"
#include "ops/conv/run.h"

enum {
    WEIGHT_UNITS = 16,     /* minimum units of work of a gradient, if there are enough positions */
    WEIGHT_NUMBERS = 4096, /* maximum elements of dw if it is summed by bands */
    WEIGHT_DEPTHS = 4,     /* approximate minimum positions per unit, in HEED_CONV_DEPTH */
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
    heed__winograd_form form; /* Winograd's algorithm only */
    atomic_bool nonfinite;    /* Winograd's algorithm only: some number is NaN or infinite */
} weight_job;

/* A unit of the work: its range of positions (tiles, with Winograd's algorithm), rows and terms, and the dw that it
 * adds to. */
typedef struct weight_unit {
    heed__conv_args args;
    heed__conv_weight_range part;
    void *dw;
} weight_unit;

static weight_unit unit_of(const weight_job *p, int64_t i, int64_t positions, int64_t terms)
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
        const weight_unit u = unit_of(p, i, heed__conv_positions(a), heed__conv_terms(a));
        HEED__RUN(conv_weight, p->job.dtype, &u.args, &u.part, u.dw, scratch);
    }
}

static void add_tiles(int64_t begin, int64_t end, char *scratch, void *context)
{
    weight_job *p = context;
    const heed__conv_args *a = &p->job.args;
    for (int64_t i = begin; i < end; i++) {
        const weight_unit u = unit_of(p, i, heed__winograd_tiles(a, p->form), a->channels);
        HEED__RUN(winograd_weight, p->job.dtype, &u.args, p->form, &u.part, u.dw, &p->nonfinite, scratch);
    }
}

/* Runs units begin .. end - 1 by bands. If every group has a single block, these units are consecutive groups, and one
 * call of the kernel computes all of them. */
static void add_bands(int64_t begin, int64_t end, char *scratch, void *context)
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

/* Returns the height of bands, or 0 if patches are faster. Patches always multiply HEED_MATMUL_COLUMNS rows of g at a
 * time, and bands that number of positions of a row, even if there are fewer. */
static int64_t weight_height(const heed__conv_args *a)
{
    if (!heed__conv_fits_band(a))
        return 0;
    const int64_t copied = heed__conv_band_copy(a, 0), columns = a->axis[1].positions;
    const int64_t capacity = (HEED_CONV_BAND_ELEMENTS - copied) / (heed__conv_band_copy(a, 1) - copied);
    const int64_t height = heed__conv_least(capacity, a->axis[0].positions), vector = HEED_MATMUL_COLUMNS / 2;
    if (a->rows > vector || a->rows * heed__conv_terms(a) > WEIGHT_NUMBERS || height < 1)
        return 0;
    return a->rows * heed__ceil_div(columns, vector) * vector <= vector * columns ? height : 0;
}

/* Chooses Winograd's algorithm, bands or patches, and how to split the work. */
static void plan(weight_job *p, int64_t groups, bool winograd)
{
    const heed__conv_args *a = &p->job.args;
    const heed_dtype dtype = p->job.dtype;
    const int64_t terms = heed__conv_terms(a);
    p->rows = p->terms = 1;
    if (winograd) {
        const heed__conv_weight_range most = {.q_end = heed__winograd_tiles(a, p->form),
                                              .row_end = heed__conv_least(a->rows, HEED_WINOGRAD_ROWS),
                                              .k_end = heed__conv_least(a->channels, HEED_WINOGRAD_CHANNELS)};
        p->rows = heed__ceil_div(a->rows, HEED_WINOGRAD_ROWS);
        p->terms = heed__ceil_div(a->channels, HEED_WINOGRAD_CHANNELS);
        p->scratch = HEED__RUN(winograd_weight, dtype, a, p->form, &most, NULL, NULL, NULL);
        p->add = add_tiles;
    } else if ((p->job.height = weight_height(a)) > 0) {
        const heed__conv_bands bands = {.height = p->job.height};
        p->scratch = HEED__RUN(conv_weight_band, dtype, a, &bands, NULL, NULL, NULL);
        p->add = add_bands;
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

static bool run(const char *where, weight_job *p, int64_t groups)
{
    const heed__conv_args *a = &p->job.args;
    const int64_t work =
        1 + heed__conv_positions(a) / p->blocks * (heed__conv_terms(a) / p->terms) * (a->rows / p->rows);
    return heed__parallel_for_scratch(where, groups * p->rows * p->terms * p->blocks, 1 + HEED_CONV_RANGE_WORK / work,
                                      1 + work / HEED_CONV_OPERATIONS, p->scratch, p->add, p);
}

/* Computes one dw per block of positions and their sum in `dw`. Returns false after heed_fail. */
static bool run_blocks(const char *where, weight_job *p, int64_t groups, heed_tensor *dw)
{
    const size_t bytes = p->blocks > 1 ? (size_t)(p->blocks * p->numel * p->job.size) : 0;
    p->dw = bytes > 0 ? heed__alloc(where, bytes) : dw->data;
    if (!p->dw)
        return false;
    const bool done = run(where, p, groups);
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
    heed__conv_forward_axes(c, p.job.args.axis);
    if (dw->numel == 0)
        return true;
    if (heed__conv_weight_is_product(c, x, dw))
        return heed__conv_weight_run_product(where, c, x, g, dw);
    plan(&p, c->groups, heed__conv_weight_suits_winograd(&p.job.args, &p.form));
    bool done = run_blocks(where, &p, c->groups, dw);
    if (done && p.nonfinite) {
        plan(&p, c->groups, false);
        done = run_blocks(where, &p, c->groups, dw);
    }
    return done;
}
