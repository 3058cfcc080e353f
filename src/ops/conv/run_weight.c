/* ops/conv/run_weight.c - the gradient of a convolution by its weights, by several threads. See conv.h. */

#include "core/memory.h"
#include "ops/conv/run.h"

enum {
    WEIGHT_UNITS = 16,     /* parts of a gradient by w, at least, where that has enough positions */
    WEIGHT_NUMBERS = 4096, /* of dw, at most, that bands are summed to */
    WEIGHT_DEPTHS = 8,     /* times HEED_CONV_DEPTH positions, that a part sums at least */
};

/* Groups, blocks of positions, of rows and of terms; each block of positions has a dw of its own. */
typedef struct weight_job {
    heed__conv_job job;
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
        const heed__conv_args args = heed__conv_args_of_group(&p->job, group);
        const int64_t positions = heed__conv_positions(&args), terms = heed__conv_terms(&args);
        const heed__conv_weight_part part = {.q_begin = positions * block / p->blocks,
                                             .q_end = positions * (block + 1) / p->blocks,
                                             .row_begin = row * HEED_CONV_ROWS,
                                             .row_end = heed__conv_least((row + 1) * HEED_CONV_ROWS, args.rows),
                                             .k_begin = terms * term / p->terms,
                                             .k_end = terms * (term + 1) / p->terms};
        HEED__RUN(conv_weight, p->job.dtype, &args, &part,
                  p->dw + (block * p->numel + group * args.rows * terms) * p->job.size, scratch);
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
        const heed__conv_args args = heed__conv_args_of_group(&p->job, group);
        HEED__RUN(conv_weight_band, p->job.dtype, &args,
                  &(heed__conv_bands){bands * block / p->blocks, bands * (block + 1) / p->blocks, p->job.height},
                  p->dw + (block * p->numel + group * a->rows * heed__conv_terms(a)) * p->job.size, scratch);
    }
}

/* The height of bands; 0 where patches are better: HEED_MATMUL_COLUMNS rows of g are one multiplication there, if not all of
 * them are needed, and as many positions of a row are here. */
static int64_t weight_height(const heed__conv_args *a)
{
    if (!heed__conv_fits_band(a))
        return 0;
    const int64_t copied = heed__conv_band_copy(a, 0), columns = a->axis[1].positions;
    const int64_t room = (HEED_CONV_BAND_ELEMENTS - copied) / (heed__conv_band_copy(a, 1) - copied);
    const int64_t height = heed__conv_least(room, a->axis[0].positions), vector = HEED_MATMUL_COLUMNS / 2;
    if (a->rows > vector || a->rows * heed__conv_terms(a) > WEIGHT_NUMBERS || height < 1)
        return 0;
    return a->rows * heed__ceil_div(columns, vector) * vector <= vector * columns ? height : 0;
}

/* dw is the sum over blocks, in their order. */
static void add_blocks(const weight_job *p, heed_tensor *dw)
{
    if (p->blocks > 1)
        HEED__RUN(sum, p->job.dtype, 1, p->blocks, p->numel, p->dw, dw->data);
}

bool heed__conv_weight_run(const char *where, const heed__conv *c, const heed_tensor *x, const heed_tensor *g,
                           heed_tensor *dw)
{
    weight_job p = {.job = heed__conv_job_of(c, x, NULL, g), .dw = dw->data, .numel = dw->numel};
    const heed__conv_args *a = &p.job.args;
    heed__conv_forward_axes(c, p.job.args.axis);
    const int64_t positions = heed__conv_positions(a), terms = heed__conv_terms(a);
    if (dw->numel == 0)
        return true;
    p.job.height = weight_height(a);
    p.rows = p.job.height > 0 ? 1 : heed__ceil_div(a->rows, HEED_CONV_ROWS);
    p.terms = p.job.height > 0 ? 1 : heed__ceil_div(terms, HEED_CONV_TERMS);
    const int64_t units = c->groups * p.rows * p.terms;
    p.blocks = heed__conv_least(heed__ceil_div(WEIGHT_UNITS, units), 1 + positions / (WEIGHT_DEPTHS * HEED_CONV_DEPTH));
    const size_t bytes = p.blocks > 1 ? (size_t)(p.blocks * p.numel * p.job.size) : 0;
    if (bytes > 0 && !(p.dw = heed__alloc(where, bytes)))
        return false;
    const int64_t work = 1 + positions / p.blocks * (terms / p.terms) * (a->rows / p.rows);
    const int64_t scratch =
        p.job.height > 0 ? heed__conv_weight_band_scratch(a, p.job.height) : heed__conv_weight_scratch();
    const bool done = heed__parallel_for_scratch(where, units * p.blocks, 1 + HEED_CONV_RANGE_WORK / work,
                                                 1 + work / HEED_CONV_OPERATIONS, scratch * p.job.size,
                                                 p.job.height > 0 ? add_bands : add_units, &p);
    if (done)
        add_blocks(&p, dw);
    if (bytes > 0)
        heed_free(p.dw, bytes);
    return done;
}
