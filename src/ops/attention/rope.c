/* ops/attention/rope.c - y = x with pairs of elements rotated by position times frequency    dx = g rotated back
 *
 * The op's second input holds the scaled cosines and sines, (P, T, 2, pairs) with P = 1 or B, computed in double and
 * rounded.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>

#include "core/parallel.h"
#include "ops/attention/heads.h"

static const char where[] = "rope";

enum { X, TABLE, INPUTS };

typedef struct rope_params {
    bool interleaved, inner, back;
} rope_params;

/* -- The op -------------------------------------------------------------------------------------------------------- */

/* Minimum work of a range of the parallel loop. */
enum { RANGE_WORK = 32768 };

/* A block of rows is all heads of one position, or all positions of one head. */
typedef struct rope_job {
    heed__rope_kernel *kernel;
    heed__rope_args args;
    int64_t rows;                    /* rows per block */
    int64_t blocks, tables, columns; /* blocks per batch element; strides of `table` per batch element and per block */
    int64_t size;
    const char *table, *x;
    char *y;
} rope_job;

static void rotate_blocks(int64_t begin, int64_t end, void *context)
{
    const rope_job *job = context;
    const int64_t bytes = job->rows * job->args.n * job->size;
    for (int64_t i = begin; i < end; i++) {
        const int64_t table = i / job->blocks * job->tables + i % job->blocks * job->columns;
        job->kernel(&job->args, job->rows, job->table + table * job->size, job->x + i * bytes, job->y + i * bytes);
    }
}

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *x = call->inputs[X], *table = call->inputs[TABLE];
    const bool inner = ((const rope_params *)call->params)->inner;
    if (!heed_infer_same(call, out))
        return false;
    if (table->dtype == x->dtype && table->shape.rank == 4 && (x->shape.rank == 4 || (x->shape.rank == 3 && !inner))) {
        const heed__heads of = heed__heads_of(x, inner);
        const int64_t *t = table->shape.dims;
        if ((t[0] == 1 || t[0] == of.batch) && t[1] == of.rows && t[2] == 2 && t[3] <= of.width / 2)
            return true;
    }
    return heed_fail_false(HEED_ERR_SHAPE, where, "a table %s does not fit x %s", heed_shape_text(table->shape).s,
                           heed_shape_text(x->shape).s);
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const rope_params *p = call->params;
    const heed_tensor *x = call->inputs[X], *table = call->inputs[TABLE];
    const heed__heads of = heed__heads_of(x, p->inner);
    const int64_t pairs = table->shape.dims[3], row = 2 * pairs;
    const rope_job job = {.kernel = HEED__KERNEL(rope, x->dtype),
                          .args = {.n = of.width,
                                   .pairs = pairs,
                                   .table_row = p->inner ? 0 : row,
                                   .interleaved = p->interleaved,
                                   .back = p->back},
                          .rows = p->inner ? of.heads : of.rows,
                          .blocks = p->inner ? of.rows : of.heads,
                          .tables = table->shape.dims[0] == 1 ? 0 : of.rows * row,
                          .columns = p->inner ? row : 0,
                          .size = (int64_t)heed_dtype_size(x->dtype),
                          .table = table->data,
                          .x = x->data,
                          .y = out[0]->data};
    const int64_t work = job.rows * of.width;
    if (x->numel > 0)
        heed__parallel_for(of.batch * job.blocks, work < RANGE_WORK ? RANGE_WORK / work : 1, work, rotate_blocks,
                           (void *)(uintptr_t)&job);
    return true;
}

static heed_tensor *apply(heed_tensor *x, heed_tensor *table, const rope_params *params)
{
    return heed_apply(&heed_op_rope, (heed_tensor *[]){x, table}, INPUTS, params);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    rope_params back = *(const rope_params *)call->params;
    back.back = !back.back;
    dx[X] = apply(g[0], call->inputs[TABLE], &back);
}

/* Two multiplications per rotated element. */
static int64_t multiply_adds(const heed_call *call)
{
    const heed_shape x = heed_call_shape(call, X), table = heed_call_shape(call, TABLE);
    const int64_t d = x.dims[x.rank - 1];
    return d > 0 ? heed__numel(&x) / d * 4 * table.dims[3] : 0;
}

const heed_op heed_op_rope = {
    .name = "rope",
    .n_inputs = INPUTS,
    .n_outputs = 1,
    .params_size = sizeof(rope_params),
    .fields = HEED_FIELDS(HEED_FIELD(rope_params, interleaved), HEED_FIELD(rope_params, inner),
                          HEED_FIELD(rope_params, back)),
    .saved = HEED_SAVE_INPUT(TABLE),
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .multiply_adds = multiply_adds,
};

/* -- The table ----------------------------------------------------------------------------------------------------- */

typedef struct table_job {
    heed_rope_options o;
    const heed_tensor *positions; /* NULL means 0, 1, 2 ... */
    int64_t rows;                 /* positions per batch element */
    int64_t pairs;
    heed_dtype dtype;
    char *table;
} table_job;

static double position_of(const table_job *job, int64_t row)
{
    const heed_tensor *p = job->positions;
    if (!p)
        return (double)row + (double)job->o.offset;
    const int last = p->shape.rank - 1;
    const int64_t batch = last > 0 ? row / job->rows * p->strides[0] : 0;
    const int64_t *at = (const void *)p->data;
    return (double)at[batch + row % job->rows * p->strides[last]] + (double)job->o.offset;
}

static void put(heed_dtype dtype, char *table, int64_t at, double value)
{
    if (dtype == HEED_F32)
        ((float *)(void *)table)[at] = (float)value;
    else
        ((double *)(void *)table)[at] = value;
}

static void fill_columns(int64_t begin, int64_t end, void *context)
{
    const table_job *job = context;
    const int64_t rows =
        job->positions && job->positions->shape.rank == 2 ? job->positions->shape.dims[0] * job->rows : job->rows;
    const heed_tensor *given = job->o.frequencies;
    for (int64_t pair = begin; pair < end; pair++) {
        const double frequency = given ? ((const double *)(const void *)given->data)[pair * given->strides[0]]
                                       : pow(job->o.base, -(double)pair / (double)job->pairs);
        for (int64_t row = 0; row < rows; row++) {
            const double angle = position_of(job, row) * frequency;
            put(job->dtype, job->table, row * 2 * job->pairs + pair, job->o.scale * cos(angle));
            put(job->dtype, job->table, (row * 2 + 1) * job->pairs + pair, job->o.scale * sin(angle));
        }
    }
}

static heed_tensor *table_of(const heed_tensor *x, const heed_tensor *positions, const heed_rope_options *o)
{
    const bool each = positions && positions->shape.rank == 2;
    table_job job = {.o = *o,
                     .positions = positions,
                     .rows = heed__heads_of(x, o->heads_inner).rows,
                     .pairs = o->dims / 2,
                     .dtype = x->dtype};
    heed_tensor *table = heed_empty(x->dtype, HEED_SHAPE(each ? x->shape.dims[0] : 1, job.rows, 2, job.pairs));
    if (!table)
        return NULL;
    job.table = table->data;
    heed__parallel_for(job.pairs, 1, table->numel / (job.pairs + 1) * 20, fill_columns, &job);
    return table;
}

/* -- Checks -------------------------------------------------------------------------------------------------------- */

static bool check_x(const heed_tensor *x, const heed_rope_options *o)
{
    const int rank = x->shape.rank;
    if ((rank != 3 || o->heads_inner) && rank != 4)
        return heed_fail_false(HEED_ERR_SHAPE, where, "x is %s: must be %s", heed_shape_text(x->shape).s,
                               o->heads_inner ? "(B, T, H, d)" : "(B, T, d) or (B, H, T, d)");
    const int64_t d = x->shape.dims[rank - 1];
    if (o->dims < 0 || o->dims > d || (o->dims == 0 ? d : o->dims) % 2 != 0)
        return heed_fail_false(HEED_ERR_SHAPE, where,
                               "x is %s, dims %" PRId64 ": must rotate an even number of elements of the last axis",
                               heed_shape_text(x->shape).s, o->dims);
    return true;
}

static bool check_positions(const heed_tensor *x, const heed_tensor *positions, bool inner)
{
    if (!positions)
        return true;
    const heed__heads of = heed__heads_of(x, inner);
    const heed_shape *shape = &positions->shape;
    const bool fits = shape->rank == 1 || (shape->rank == 2 && shape->dims[0] == of.batch);
    if (!heed__check_i64(where, "the positions", positions))
        return false;
    return (fits && shape->dims[shape->rank - 1] == of.rows) ||
           heed_fail_false(HEED_ERR_SHAPE, where,
                           "positions are %s, x is %s: must be (%" PRId64 ") or (%" PRId64 ", %" PRId64 ")",
                           heed_shape_text(*shape).s, heed_shape_text(x->shape).s, of.rows, of.batch, of.rows);
}

static bool check_frequencies(const heed_rope_options *o, int64_t pairs)
{
    const heed_tensor *f = o->frequencies;
    if (!(o->base >= 0 && isfinite(o->base)))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "base %g: must be a positive number", o->base);
    if (!isfinite(o->scale))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "scale is %g: must be finite", o->scale);
    if (!f)
        return true;
    if (!heed__check_tensor(where, f))
        return false;
    return (f->dtype == HEED_F64 && f->shape.rank == 1 && f->shape.dims[0] == pairs) ||
           heed_fail_false(f->dtype == HEED_F64 ? HEED_ERR_SHAPE : HEED_ERR_DTYPE, where,
                           "frequencies are %s %s: must be f64 (%" PRId64 ")", heed_dtype_name(f->dtype),
                           heed_shape_text(f->shape).s, pairs);
}

heed_tensor *heed_rope(heed_tensor *x, heed_tensor *positions, const heed_rope_options *options)
{
    HEED_ENTER(where);
    heed_rope_options o = options ? *options : (heed_rope_options){0};
    if (!heed__check_tensor(where, x) || !heed__check_float(where, x) || !check_x(x, &o))
        return NULL;
    o.dims = o.dims == 0 ? x->shape.dims[x->shape.rank - 1] : o.dims;
    if (!check_positions(x, positions, o.heads_inner) || !check_frequencies(&o, o.dims / 2))
        return NULL;
    o.base = o.base == 0 ? 10000 : o.base;
    o.scale = o.scale == 0 ? 1 : o.scale;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *table = table_of(x, positions, &o);
    return heed_scope_return(scope,
                             table ? apply(x, table, &(rope_params){o.interleaved, o.heads_inner, false}) : NULL);
}
