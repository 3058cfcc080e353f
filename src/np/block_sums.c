/* np/block_sums.c - sums over all keys within reach of a query, for columns of any kind.
 *
 * Keys are stored in blocks of neighbours. A block whose bounding box is out of reach of a query is skipped; the others
 * go through the kernel `moments`. That kernel computes distances only for continuous columns. A column of labels is
 * passed to it as a factor of every key's weight and as an array of slopes.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "core/parallel.h"
#include "kernels/kernels.h"
#include "np/local.h"

static const char where[] = "np_fit";

enum { D = HEED_NP_MAX_COLUMNS, QUERIES = 32 /* number of queries that find their blocks together */ };

typedef struct blocks_run {
    const heed__np_smoother *smoother;
    const heed__np_requested *requested;
    const double *x;
    int64_t n, blocks;
    const heed__np_locals *out;
    /* squares: arguments for the sums V, with K^2 instead of K and w^2 v instead of w */
    heed__moments_args args, squares;
    const void *columns[D];
    int smooth[D], slope_columns[D]; /* smooth[c]: index of continuous column c; slope_columns[i]: column of slope i */
    int parents[HEED_MOMENTS_POWERS], multiplied[HEED_MOMENTS_POWERS], degrees[HEED_MOMENTS_POWERS];
    double h[D], w[D], wide[D]; /* per continuous column: h, 1 / h, 1 / (bandwidth of K^2) */
    double *boxes;              /* (blocks, smooth, 2) */
    double *wwv;
} blocks_run;

bool heed__np_blocks_supported(const heed__np_smoother *s)
{
    return s->data->columns <= HEED_MOMENTS_COLUMNS &&
           heed__np_powers(s->data->smooth, s->degree) <= HEED_MOMENTS_POWERS;
}

/* -- Shared by all queries ----------------------------------------------------------------------------------------- */

/* Lists the powers, which are products of columns. A power of degree d + 1 is a power of degree d times one more
 * column, whose index is not below the index of that power's last column, so that every product occurs once. */
static void list_powers(blocks_run *run)
{
    const int smooth = run->smoother->data->smooth;
    int last[HEED_MOMENTS_POWERS] = {0}, count = 1;
    for (int first = 0, degree = 0; degree < run->smoother->degree; degree++) {
        const int end = count;
        for (int k = first; k < end; k++)
            for (int c = last[k]; c < smooth; c++) {
                run->parents[count] = k;
                run->degrees[count] = degree + 1;
                run->multiplied[count] = c;
                last[count++] = c;
            }
        first = end;
    }
    run->args.powers = count;
}

static void list_columns(blocks_run *run)
{
    const heed__np_data *data = run->smoother->data;
    int n = 0;
    for (int c = 0; c < data->columns; c++)
        if (data->kinds[c] == HEED_NP_CONTINUOUS) {
            run->columns[n] = data->x + c * data->keys;
            run->h[n] = run->smoother->h[c];
            run->w[n] = 1 / run->h[n];
            run->wide[n] = run->smoother->kernel == HEED_NW_GAUSSIAN ? run->w[n] * sqrt(2) : run->w[n];
            run->smooth[n] = run->slope_columns[n] = c;
            n++;
        }
    for (int c = 0, slopes = n; c < data->columns; c++)
        if (data->kinds[c] != HEED_NP_CONTINUOUS)
            run->slope_columns[slopes++] = c;
}

static void list_all(blocks_run *run)
{
    const heed__np_data *data = run->smoother->data;
    list_columns(run);
    list_powers(run);
    run->args.columns = data->smooth;
    run->args.slopes = run->requested->derivatives ? data->columns : 0;
    run->args.x = run->columns;
    run->args.y = data->y;
    run->args.parents = run->parents;
    run->args.column = run->multiplied;
    heed__np_shape(run->smoother->kernel, &run->args.power, &run->args.times);
    run->squares = run->args;
    run->squares.slopes = 0;
    run->squares.times *= 2;
}

static void find_boxes(blocks_run *run)
{
    const heed__np_data *data = run->smoother->data;
    const int smooth = data->smooth;
    for (int64_t b = 0; b < run->blocks; b++)
        for (int c = 0; c < smooth; c++) {
            const double *x = run->columns[c];
            double *box = run->boxes + (b * smooth + c) * 2;
            box[0] = (double)INFINITY;
            box[1] = -(double)INFINITY;
            for (int64_t k = b * HEED__NP_BLOCK; k < data->keys && k < (b + 1) * HEED__NP_BLOCK; k++) {
                box[0] = fmin(box[0], x[k]);
                box[1] = fmax(box[1], x[k]);
            }
        }
}

/* -- A query ------------------------------------------------------------------------------------------------------- */

/* Memory of one thread. */
typedef struct blocks_work {
    double *factors, *square_factors; /* (keys) */
    double *slopes;                   /* (columns of labels, keys) */
    double *sums;
    void *scratch;             /* of the kernel */
    int64_t *ranges;           /* (blocks, 2) */
    int64_t *near, near_count; /* (blocks) */
} blocks_work;

static blocks_work blocks_work_in(const blocks_run *run, arena *a)
{
    const heed__np_data *data = run->smoother->data;
    const int64_t labels = data->columns - data->smooth;
    blocks_work work = {.factors = data->w, .square_factors = run->wwv};
    work.ranges = take_array(a, 2 * run->blocks, sizeof *work.ranges);
    work.near = take_array(a, run->blocks, sizeof *work.near);
    work.sums = take_array(a, 2 * heed__moments_count(&run->args), sizeof *work.sums);
    work.scratch = take_array(a, HEED__RUN(moments, HEED_F64, &run->args, NULL, NULL, NULL), 1);
    if (labels > 0) {
        work.factors = take_array(a, data->keys, sizeof *work.factors);
        work.square_factors = take_array(a, data->keys, sizeof *work.square_factors);
        work.slopes = take_array(a, labels * data->keys, sizeof *work.slopes);
    }
    return work;
}

/* Returns true if all keys of a block have negligible weights for every query in the box low .. high. */
static bool is_far(const blocks_run *run, const double *low, const double *high, int64_t block)
{
    const int smooth = run->args.columns;
    double squares = 0;
    for (int c = 0; c < smooth; c++) {
        const double *box = run->boxes + (block * smooth + c) * 2;
        const double below = box[0] - high[c], above = low[c] - box[1], gap = below > above ? below : above;
        if (!(gap > 0))
            continue;
        const double u = gap * run->w[c];
        if (run->args.power > 0 && u > 1)
            return true;
        squares += u * u;
    }
    return run->args.power == 0 && squares > 2 * HEED__NP_FAR;
}

/* Finds the blocks with keys that queries begin .. end - 1 may see, and stores their indices in work->near. */
static void find_near(const blocks_run *run, int64_t begin, int64_t end, blocks_work *work)
{
    double low[D], high[D];
    for (int c = 0; c < run->args.columns; c++) {
        low[c] = (double)INFINITY;
        high[c] = -(double)INFINITY;
    }
    for (int64_t i = begin; i < end; i++)
        for (int c = 0; c < run->args.columns; c++) {
            const double q = run->x ? run->x[run->smooth[c] * run->n + i] : ((const double *)run->columns[c])[i];
            low[c] = fmin(low[c], q);
            high[c] = fmax(high[c], q);
        }
    work->near_count = 0;
    for (int64_t b = 0; b < run->blocks; b++)
        if (!is_far(run, low, high, b))
            work->near[work->near_count++] = b;
}

/* Among the blocks in work->near, finds those with keys that query q may see. Stores their keys as ranges in
 * work->ranges and returns the number of ranges. */
static int64_t find_ranges(const blocks_run *run, const double *q, const blocks_work *work)
{
    const int64_t keys = run->smoother->data->keys;
    int64_t n = 0, *ranges = work->ranges;
    for (int64_t i = 0; i < work->near_count; i++) {
        const int64_t begin = work->near[i] * HEED__NP_BLOCK;
        if (is_far(run, q, q, work->near[i]))
            continue;
        if (n == 0 || ranges[2 * n - 1] != begin)
            ranges[2 * n++] = begin;
        ranges[2 * n - 1] = begin + HEED__NP_BLOCK < keys ? begin + HEED__NP_BLOCK : keys;
    }
    return n;
}

static void weigh_labels(const blocks_run *run, const heed__np_query *q, int64_t n, const blocks_work *work)
{
    const heed__np_data *data = run->smoother->data;
    const int labels = data->columns - data->smooth;
    for (int64_t r = 0; labels && r < n; r++) {
        const int64_t begin = work->ranges[2 * r], count = work->ranges[2 * r + 1] - begin;
        for (int64_t k = begin; k < begin + count; k++)
            work->factors[k] = 1;
        for (int l = 0; l < labels; l++)
            heed__np_weigh_labels(run->smoother, q, run->slope_columns[data->smooth + l],
                                  (heed__np_key_range){begin, begin + count}, work->factors + begin,
                                  work->slopes + l * data->keys + begin);
        for (int64_t k = begin; k < begin + count; k++) {
            work->square_factors[k] = run->wwv ? work->factors[k] * work->factors[k] * run->wwv[k] : 0;
            work->factors[k] *= data->w[k];
        }
    }
}

static void sum_query(const blocks_run *run, int64_t i, const blocks_work *work)
{
    const heed__np_data *data = run->smoother->data;
    const heed__np_query query = run->x ? heed__np_query_at(data, run->x, run->n, i) : heed__np_query_of_key(data, i);
    const void *given[D];
    double q[D];
    for (int c = 0; c < data->smooth; c++)
        q[c] = query.x[run->smooth[c]];
    for (int l = 0; l < data->columns - data->smooth; l++)
        given[l] = work->slopes + l * data->keys;
    const int64_t n = find_ranges(run, q, work);
    weigh_labels(run, &query, n, work);

    heed__moments_args args = run->args, squares = run->squares;
    args.factors = work->factors;
    args.given = given;
    squares.factors = work->square_factors;
    const int powers = args.powers, packed = powers * (powers + 1) / 2;
    double *v = work->sums + heed__moments_count(&args);
    HEED__RUN(moments, HEED_F64, &args, &(heed__moments_query){q, run->w, n, work->ranges}, work->sums, work->scratch);
    if (run->wwv) {
        HEED__RUN(moments, HEED_F64, &squares, &(heed__moments_query){q, run->wide, n, work->ranges}, v, work->scratch);
        /* From coordinates (x - q) * wide to coordinates (x - q) * w, which differ for the Gaussian. */
        double *narrowed = v;
        for (int j = 0; args.power == 0 && j < powers; j++)
            for (int k = 0; k <= j; k++)
                *narrowed++ *= pow(0.5, 0.5 * (run->degrees[j] + run->degrees[k]));
    }
    const heed__np_moments m = {.powers = powers,
                                .slopes = args.slopes,
                                .s = work->sums,
                                .t = work->sums + packed,
                                .changes = work->sums + packed + powers,
                                .columns = run->slope_columns,
                                .v = run->wwv ? v : NULL,
                                .units = run->h};
    heed__np_solve(&m, run->smoother, heed__np_local_at(run->out, i));
}

static void sum_queries(int64_t begin, int64_t end, char *memory, void *context)
{
    const blocks_run *run = context;
    blocks_work work = blocks_work_in(run, &(arena){.base = memory});
    find_near(run, begin, end, &work);
    for (int64_t i = begin; i < end; i++)
        sum_query(run, i, &work);
}

/* -- All queries --------------------------------------------------------------------------------------------------- */

bool heed__np_blocks_fit_at(const heed__np_smoother *s, const double *x, int64_t n, const heed__np_requested *requested,
                            const heed__np_locals *out)
{
    const heed__np_data *data = s->data;
    blocks_run run = {.smoother = s, .requested = requested, .x = x, .n = x ? n : data->keys, .out = out};
    run.blocks = heed__ceil_div(data->keys, HEED__NP_BLOCK);
    list_all(&run);
    const size_t boxes = (size_t)(run.blocks * data->smooth * 2),
                 squares = requested->variances ? (size_t)data->keys : 0;
    run.boxes = heed_alloc((boxes + squares + 1) * sizeof *run.boxes);
    if (!run.boxes)
        return false;
    find_boxes(&run);
    if (squares) {
        run.wwv = run.boxes + boxes;
        for (int64_t k = 0; k < data->keys; k++)
            run.wwv[k] = data->w[k] * data->w[k] * requested->variances[k];
    }
    const int64_t cost = data->keys * (1 + heed__moments_count(&run.args) / 8);
    arena counted = {.base = NULL};
    (void)blocks_work_in(&run, &counted);
    const bool good =
        heed__parallel_for_scratch(where, run.n, QUERIES, QUERIES * cost, counted.bytes, sum_queries, &run);
    heed_free(run.boxes, (boxes + squares + 1) * sizeof *run.boxes);
    return good;
}
