/* ops/loss/cdist.c - the distances between all rows of two tensors.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "core/parallel.h"
#include "kernels/simd/compiler.h"
#include "ops/support.h"

/* y[n, i, j] = (sum over m of |d|^p)^(1/p), d = a[n, i, m] - b[n, j, m].
 *
 *     da[n, i, m] = sum over j of g sign(d) (|d| / y)^(p - 1), and 0 for pairs with y = 0 or d = 0
 *
 * and db likewise, with a and b exchanged. Differences are rounded to the dtype, so that |d| = y holds exactly for the
 * largest of them; sums are computed in f64, in the order of the index. */

typedef enum distance_kind { COUNT, ABSOLUTE, SQUARE, LARGEST, POWER } distance_kind; /* p = 0, 1, 2, inf, others */

static distance_kind kind_of(double p)
{
    return p == 0 ? COUNT : p == 1 ? ABSOLUTE : p == 2 ? SQUARE : isinf(p) ? LARGEST : POWER;
}

static ALWAYS_INLINE double element(heed_dtype dtype, const void *x, int64_t i)
{
    return dtype == HEED_F32 ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

/* a - b, rounded to the dtype. */
static ALWAYS_INLINE double difference(heed_dtype dtype, double a, double b)
{
    return dtype == HEED_F32 ? (double)((float)a - (float)b) : a - b;
}

static ALWAYS_INLINE void store(heed_dtype dtype, void *y, int64_t i, double value)
{
    if (dtype == HEED_F32)
        ((float *)y)[i] = (float)value;
    else
        ((double *)y)[i] = value;
}

/* Calls f(dtype, kind, ...) with constants, so that the compiler makes a loop without branches for every pair. */
#define FOR_KIND(f, dtype_, kind_, ...)                                                                                \
    switch (kind_) {                                                                                                   \
    case COUNT:                                                                                                        \
        f(dtype_, COUNT, __VA_ARGS__);                                                                                 \
        break;                                                                                                         \
    case ABSOLUTE:                                                                                                     \
        f(dtype_, ABSOLUTE, __VA_ARGS__);                                                                              \
        break;                                                                                                         \
    case SQUARE:                                                                                                       \
        f(dtype_, SQUARE, __VA_ARGS__);                                                                                \
        break;                                                                                                         \
    case LARGEST:                                                                                                      \
        f(dtype_, LARGEST, __VA_ARGS__);                                                                               \
        break;                                                                                                         \
    case POWER:                                                                                                        \
        f(dtype_, POWER, __VA_ARGS__);                                                                                 \
        break;                                                                                                         \
    }
#define FOR_TYPE(f, dtype, kind, ...)                                                                                  \
    do {                                                                                                               \
        if (dtype == HEED_F32)                                                                                         \
            FOR_KIND(f, HEED_F32, kind, __VA_ARGS__)                                                                   \
        else                                                                                                           \
            FOR_KIND(f, HEED_F64, kind, __VA_ARGS__)                                                                   \
    } while (0)

/* -- Distances ----------------------------------------------------------------------------------------------------- */

enum { TILE = 32, TERMS = 128 }; /* rows of a and of b in a tile of distances; terms added at a time */

typedef struct cdist_job {
    heed_dtype dtype;
    distance_kind kind;
    double p;
    int64_t p_rows, r_rows, size; /* rows of a and b in an image, and their length */
    const void *a, *b;
    void *y;
} cdist_job;

/* The tile of a job at which a range of the loop works, and its memory. */
typedef struct cdist_tile {
    int64_t batch, i, j;     /* the first rows */
    int64_t rows, columns;   /* numbers of rows of a and b */
    double *sums, *b_turned; /* (TILE, TILE) and (TERMS, TILE) */
} cdist_tile;

static ALWAYS_INLINE double with_term(distance_kind kind, double p, double sum, double d)
{
    const double size = fabs(d);
    if (kind == LARGEST)
        return size > sum || size != size ? size : sum;
    if (kind == COUNT)
        return sum + (d != d ? d : d != 0);
    return sum + (kind == ABSOLUTE ? size : kind == SQUARE ? d * d : pow(size, p));
}

/* Copies `count` terms from index m on of the tile's rows of b, transposed. Missing rows repeat the last one. */
static void turn_b(const cdist_job *job, const cdist_tile *t, int64_t m, int64_t count)
{
    for (int64_t j = 0; j < TILE; j++) {
        const int64_t row = t->batch * job->r_rows + t->j + (j < t->columns ? j : t->columns - 1);
        for (int64_t k = 0; k < count; k++)
            t->b_turned[k * TILE + j] = element(job->dtype, job->b, row * job->size + m + k);
    }
}

/* Adds `count` terms from index m on to the sums of the tile. */
static ALWAYS_INLINE void add_terms(heed_dtype dtype, distance_kind kind, const cdist_job *job, const cdist_tile *t,
                                    int64_t m, int64_t count)
{
    for (int64_t i = 0; i < t->rows; i++) {
        const int64_t from = (t->batch * job->p_rows + t->i + i) * job->size + m;
        double *restrict sums = t->sums + i * TILE;
        for (int64_t k = 0; k < count; k++) {
            const double a = element(dtype, job->a, from + k), *restrict b = t->b_turned + k * TILE;
            for (int64_t j = 0; j < TILE; j++)
                sums[j] = with_term(kind, job->p, sums[j], difference(dtype, a, b[j]));
        }
    }
}

static double root(const cdist_job *job, double sum)
{
    return job->kind == SQUARE ? sqrt(sum) : job->kind == POWER ? pow(sum, 1 / job->p) : sum;
}

/* Returns the distance of row i of all rows of a and row j of b, whose powers overflow or underflow: from differences
 * divided by the largest one. */
static double scaled_distance(const cdist_job *job, int64_t i, int64_t j, double sum)
{
    double largest = 0, scaled = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t m = 0; m < job->size; m++) {
            const double a = element(job->dtype, job->a, i * job->size + m);
            const double d = difference(job->dtype, a, element(job->dtype, job->b, j * job->size + m));
            if (pass == 0)
                largest = with_term(LARGEST, job->p, largest, d);
            else if (largest > 0 && !isinf(largest))
                scaled = with_term(job->kind, job->p, scaled, d / largest);
        }
    return largest > 0 && !isinf(largest) ? largest * root(job, scaled) : root(job, sum);
}

static void store_distances(const cdist_job *job, const cdist_tile *t)
{
    const bool by_powers = job->kind == SQUARE || job->kind == POWER;
    for (int64_t i = 0; i < t->rows; i++)
        for (int64_t j = 0; j < t->columns; j++) {
            const double sum = t->sums[i * TILE + j];
            const int64_t row = t->batch * job->p_rows + t->i + i;
            double y = root(job, sum);
            if (by_powers && (sum < 0x1p-900 || isinf(sum)))
                y = scaled_distance(job, row, t->batch * job->r_rows + t->j + j, sum);
            store(job->dtype, job->y, row * job->r_rows + t->j + j, y);
        }
}

static void cdist_range(int64_t begin, int64_t end, char *scratch, void *context)
{
    const cdist_job *job = context;
    const int64_t down = heed__ceil_div(job->p_rows, TILE), across = heed__ceil_div(job->r_rows, TILE);
    for (int64_t item = begin; item < end; item++) {
        cdist_tile t = {.batch = item / across / down,
                        .i = item / across % down * TILE,
                        .j = item % across * TILE,
                        .sums = (double *)(void *)scratch,
                        .b_turned = (double *)(void *)scratch + TILE * TILE};
        t.rows = job->p_rows - t.i < TILE ? job->p_rows - t.i : TILE;
        t.columns = job->r_rows - t.j < TILE ? job->r_rows - t.j : TILE;
        for (int64_t i = 0; i < t.rows * TILE; i++)
            t.sums[i] = 0;
        for (int64_t m = 0; m < job->size; m += TERMS) {
            const int64_t count = job->size - m < TERMS ? job->size - m : TERMS;
            turn_b(job, &t, m, count);
            FOR_TYPE(add_terms, job->dtype, job->kind, job, &t, m, count);
        }
        store_distances(job, &t);
    }
}

/* -- Gradients ----------------------------------------------------------------------------------------------------- */

/* dx of one of the inputs, x (batch, n, size), where `other` (batch, k, size) is the other one. g and y are at
 * batch n k + row g_row + column g_column for every row of x and of the other input. */
typedef struct cdist_grad_job {
    heed_dtype dtype;
    distance_kind kind;
    double p;
    int64_t n, k, size, g_row, g_column;
    const void *x, *other, *g, *y;
    void *dx;
} cdist_grad_job;

/* The contribution of a pair to dx at a difference d. */
static ALWAYS_INLINE double slope(distance_kind kind, double p, double d, double g, double y)
{
    const double signed_g = d > 0 ? g : d < 0 ? -g : d;
    if (kind == SQUARE)
        return d * (g / y);
    if (kind == COUNT || (kind == LARGEST && fabs(d) < y) || (kind == POWER && d == 0))
        return 0;
    return kind == POWER ? signed_g * pow(fabs(d) / y, p - 1) : signed_g;
}

/* Computes TILE elements, or the rest of the row, from element m on of row `row` of dx. */
static ALWAYS_INLINE void grad_tile(heed_dtype dtype, distance_kind kind, const cdist_grad_job *job, int64_t row,
                                    int64_t m)
{
    double sums[TILE] = {0};
    const int64_t batch = row / job->n, width = job->size - m < TILE ? job->size - m : TILE;
    for (int64_t k = 0; k < job->k; k++) {
        const int64_t at = batch * job->n * job->k + row % job->n * job->g_row + k * job->g_column;
        const double g = element(dtype, job->g, at), y = element(dtype, job->y, at);
        const int64_t x = row * job->size + m, other = (batch * job->k + k) * job->size + m;
        for (int64_t i = 0; y != 0 && i < width; i++) {
            const double d = difference(dtype, element(dtype, job->x, x + i), element(dtype, job->other, other + i));
            sums[i] += slope(kind, job->p, d, g, y);
        }
    }
    for (int64_t i = 0; i < width; i++)
        store(dtype, job->dx, row * job->size + m + i, sums[i]);
}

static void cdist_grad_range(int64_t begin, int64_t end, void *context)
{
    const cdist_grad_job *job = context;
    for (int64_t row = begin; row < end; row++)
        for (int64_t m = 0; m < job->size; m += TILE)
            FOR_TYPE(grad_tile, job->dtype, job->kind, job, row, m);
}

/* -- The op -------------------------------------------------------------------------------------------------------- */

/* The cost of a term of a sum, in element operations. */
static int64_t cost_of(distance_kind kind)
{
    return kind == POWER ? 32 : 2;
}

enum { RANGE_WORK = 32768 }; /* minimum element operations of a range */

static bool cdist_infer(const heed_call *call, heed_meta *out)
{
    const heed_shape *a = &call->inputs[0]->shape, *b = &call->inputs[1]->shape;
    if (!heed__check_pair("cdist", call->inputs[0], call->inputs[1]))
        return false;
    if (a->rank != 3 || b->rank != 3 || a->dims[0] != b->dims[0] || a->dims[2] != b->dims[2])
        return heed_fail_false(HEED_ERR_SHAPE, "cdist", "a is %s and b is %s: must be (B, P, M) and (B, R, M)",
                               heed_shape_text(*a).s, heed_shape_text(*b).s);
    *out = (heed_meta){call->inputs[0]->dtype, HEED_SHAPE(a->dims[0], a->dims[1], b->dims[1])};
    return heed__check_shape("cdist", &out->shape);
}

static bool cdist_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *a = call->inputs[0], *b = call->inputs[1];
    const double p = *(const double *)call->params;
    cdist_job job = {.dtype = a->dtype,
                     .kind = kind_of(p),
                     .p = p,
                     .p_rows = a->shape.dims[1],
                     .r_rows = b->shape.dims[1],
                     .size = a->shape.dims[2],
                     .a = a->data,
                     .b = b->data,
                     .y = out[0]->data};
    if (out[0]->numel == 0)
        return true;
    const int64_t tiles = a->shape.dims[0] * heed__ceil_div(job.p_rows, TILE) * heed__ceil_div(job.r_rows, TILE);
    const int64_t pairs = (job.p_rows < TILE ? job.p_rows : TILE) * TILE, terms = job.size > 0 ? job.size : 1;
    const int64_t cost = pairs * cost_of(job.kind) * terms;
    return heed__parallel_for_scratch("cdist", tiles, 1 + RANGE_WORK / cost, cost,
                                      (TILE + TERMS) * TILE * (int64_t)sizeof(double), cdist_range, &job);
}

static void cdist_backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed_tensor *y = call->outputs[0], *dense = heed_contiguous(g[0]);
    const heed_tensor *in[2] = {heed_contiguous(call->inputs[0]), heed_contiguous(call->inputs[1])};
    const double p = *(const double *)call->params;
    if (!dense || !in[0] || !in[1])
        return;
    for (int i = 0; i < 2; i++) {
        heed_tensor *found = heed_call_needs(call, i) ? heed__tensor_new("cdist", y->dtype, &in[i]->shape) : NULL;
        if (!found)
            continue;
        const int64_t n = in[i]->shape.dims[1], k = in[1 - i]->shape.dims[1], size = in[i]->shape.dims[2];
        cdist_grad_job job = {.dtype = y->dtype,
                              .kind = kind_of(p),
                              .p = p,
                              .n = n,
                              .k = k,
                              .size = size,
                              .g_row = i == 0 ? k : 1,
                              .g_column = i == 0 ? 1 : n,
                              .x = in[i]->data,
                              .other = in[1 - i]->data,
                              .g = dense->data,
                              .y = y->data,
                              .dx = found->data};
        const int64_t cost = 1 + size * k * cost_of(job.kind);
        if (found->numel > 0)
            heed__parallel_for(in[i]->shape.dims[0] * n, 1 + RANGE_WORK / cost, cost, cdist_grad_range, &job);
        dx[i] = found;
    }
}

/* The slopes of all pairs, (B, N, K, M), for p other than 0, from d (B, N, K, M) and g, y (B, N, K, 1). */
static heed_tensor *slopes_of(double p, heed_tensor *d, heed_tensor *g, heed_tensor *y)
{
    const distance_kind kind = kind_of(p);
    const heed_dtype dtype = d ? d->dtype : HEED_F64;
    heed_tensor *one = heed_ones(dtype, HEED_SCALAR), *zero = heed_zeros(dtype, HEED_SCALAR);
    heed_tensor *equal = heed_compare_scalar(y, HEED_COMPARE_EQ, 0.0), *safe_y = heed_where(equal, one, y);
    if (kind == SQUARE)
        return heed_mul(d, heed_where(equal, zero, heed_div(g, safe_y)));
    heed_tensor *signed_g = heed_where(equal, zero, heed_mul(heed_sign(d), g)), *size = heed_abs(d);
    if (kind == ABSOLUTE)
        return signed_g;
    if (kind == LARGEST)
        return heed_where(heed_compare(size, HEED_COMPARE_LT, y), zero, signed_g);
    heed_tensor *none = heed_compare_scalar(size, HEED_COMPARE_EQ, 0.0);
    heed_tensor *ratio = heed_div(heed_where(none, one, size), safe_y);
    return heed_where(heed_logical_or(none, equal), zero, heed_mul(signed_g, heed_pow_scalar(ratio, p - 1)));
}

/* dx for x (B, N, M), where other is (B, K, M), and g and y are (B, N, K). */
static heed_tensor *gradient_of(double p, heed_tensor *x, heed_tensor *other, heed_tensor *g, heed_tensor *y)
{
    if (p == 0)
        return x ? heed_zeros(x->dtype, x->shape) : NULL;
    heed_tensor *d = heed_sub(heed_unsqueeze(x, 2), heed_unsqueeze(other, 1));
    return heed_sum_axes(slopes_of(p, d, heed_unsqueeze(g, 3), heed_unsqueeze(y, 3)), HEED_AXES(2), false);
}

static void cdist_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const double p = *(const double *)call->params;
    heed_tensor *a = call->inputs[0], *b = call->inputs[1], *y = call->outputs[0];
    if (heed_call_needs(call, 0))
        dx[0] = gradient_of(p, a, b, g[0], y);
    if (heed_call_needs(call, 1))
        dx[1] = gradient_of(p, b, a, heed_transpose(g[0], 1, 2), heed_transpose(y, 1, 2));
}

const heed_op heed_op_cdist = {
    .name = "cdist",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(double),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(double, "p")),
    .saved = HEED_SAVE_INPUTS | HEED_SAVE_OUTPUTS,
    .contiguous = true,
    .infer = cdist_infer,
    .forward = cdist_forward,
    .backward = cdist_backward,
    .backward_fused = cdist_backward_fused,
};

/* Expands the leading axes of x as in `shape`, keeps its last two, and merges the leading axes into one of size
 * `count`. */
static heed_tensor *as_batch(heed_tensor *x, const heed_shape *shape, int64_t count)
{
    heed_shape whole = *shape;
    const int64_t *last = &x->shape.dims[x->shape.rank - 2];
    whole.dims[whole.rank - 2] = last[0];
    whole.dims[whole.rank - 1] = last[1];
    return heed_reshape(heed_expand(x, whole), HEED_SHAPE(count, last[0], last[1]));
}

/* Sets *shape to the shape of the result. Returns false after heed_fail. */
static bool check_cdist(const heed_tensor *a, const heed_tensor *b, double p, heed_shape *shape)
{
    if (!heed__check_tensor("cdist", a) || !heed__check_tensor("cdist", b) || !heed__check_pair("cdist", a, b))
        return false;
    heed_shape lead_a = a->shape, lead_b = b->shape;
    lead_a.rank -= 2;
    lead_b.rank -= 2;
    if (lead_a.rank < 0 || lead_b.rank < 0 || a->shape.dims[lead_a.rank + 1] != b->shape.dims[lead_b.rank + 1] ||
        !heed_shape_broadcast(lead_a, lead_b, shape))
        return heed_fail_false(HEED_ERR_SHAPE, "cdist", "a is %s and b is %s: must be (..., P, M) and (..., R, M)",
                               heed_shape_text(a->shape).s, heed_shape_text(b->shape).s);
    if (!(p >= 0))
        return heed_fail_false(HEED_ERR_ARGUMENT, "cdist", "p is %g: must be 0 or more", p);
    shape->dims[shape->rank++] = a->shape.dims[lead_a.rank];
    shape->dims[shape->rank++] = b->shape.dims[lead_b.rank];
    return heed__check_shape("cdist", shape);
}

heed_tensor *heed_cdist(heed_tensor *a, heed_tensor *b, double p)
{
    HEED_ENTER("cdist");
    heed_shape shape;
    if (!check_cdist(a, b, p, &shape))
        return NULL;
    int64_t count = 1;
    for (int axis = 0; axis < shape.rank - 2; axis++)
        count *= shape.dims[axis];
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *y = heed__apply2(&heed_op_cdist, as_batch(a, &shape, count), as_batch(b, &shape, count), &p);
    return heed_scope_return(scope, heed_reshape(y, shape));
}
