/* ops/attention/flash_run.c - dot-product attention as one op: runs the kernels of kernels/attention over all batch
 * elements. See flash_attention.h.
 *
 * Forward is split into blocks of queries. Backward is split into batch elements and, if these are few, into chunks of
 * keys. The split depends on sizes alone. A chunk has its own rows of dk and dv; dq is the sum of the chunks'
 * contributions in order. The gradient of a relative bias is summed in totals, one number per distance; a head has
 * several arrays of totals. Batch elements that add to the same gradient of a bias, or to the same totals, run one
 * after the other. In addition to its arguments, forward needs scratch memory of a fixed size per thread; backward also
 * needs the dq of all chunks but one, and the totals.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "ops/attention/flash_attention.h"

static const char where[] = "dot_product_attention";

enum { Q = HEED_FLASH_Q, K = HEED_FLASH_K, V = HEED_FLASH_V };

/* -- All batch elements -------------------------------------------------------------------------------------------- */

/* One pass over all batch elements, forward or backward. */
typedef struct flash {
    heed_dtype dtype;
    heed__attention_kernel *attend;
    heed__attention_grad_kernel *differentiate;
    heed__attention_args one; /* the first batch element, but with the visibility of all */
    int64_t n, heads, size;   /* n: batch size times heads; size: bytes per element */
    int64_t group;            /* number of heads of q that share a head of k and v */
    int row_axis, head_axis;  /* without heads, head_axis has no effect, because the head is 0 */
    heed_tensor *const *in;   /* q, k, v */
    const heed_tensor *y, *g; /* g: backward only */
    heed_tensor *const *dx;   /* backward only; NULL if not requested */
    int64_t parts;            /* blocks or chunks per batch element */
    /* batch elements whose batch (head) numbers differ by a multiple of share_batches (share_heads) add to the same
     * sums */
    int64_t share_batches, share_heads;
    char *partial; /* (chunks - 1, N, queries, d): dq of all chunks except the first */
    char *totals;  /* (chunks, share_batches, H, 2, Q + K - 1): sums by distance and their rounding errors */
} flash;

/* Sets f->one, except for the choice of kernels. */
static void set_args(flash *f, const heed_call *call, const heed_tensor *statistics, const heed__heads *q)
{
    const heed__flash_params *p = call->params;
    const heed_attention_options options = heed__visibility_options(call, &p->visibility);
    const heed_tensor *k = f->in[K], *v = f->in[V];
    heed__attention_args *s = &f->one;
    s->queries = q->rows;
    s->keys = k->shape.dims[f->row_axis];
    s->d = q->width;
    s->e = v->shape.dims[v->shape.rank - 1];
    s->q = f->in[Q]->data;
    s->k = k->data;
    s->v = v->data;
    s->q_row = f->in[Q]->strides[f->row_axis];
    s->k_row = k->strides[f->row_axis];
    s->v_row = v->strides[f->row_axis];
    s->y = f->y->data;
    s->y_row = f->y->strides[f->row_axis];
    s->statistics = statistics->data;
    s->scale = p->scale;
    s->dropout = p->drops ? &p->dropout : NULL;
    s->first = 0;
    heed__visibility_of(&options, heed__visibility_input(call, &p->visibility, HEED_RELATIVE_BIAS), q, s->keys,
                        &s->visibility);
}

/* Selects the bf16 kernels, which pack pairs, if the packing pays off. */
static void choose_kernels(flash *f, heed_precision precision)
{
    heed__attention_args *s = &f->one;
    s->by_query = heed__attention_by_query(s);
    s->pairs = precision == HEED_PRECISION_MEDIUM && f->dtype == HEED_F32 && s->queries >= HEED_ATTENTION_PAIRS_ROWS &&
               s->keys >= HEED_ATTENTION_PAIRS_ROWS && s->d + s->e >= HEED_ATTENTION_PAIRS_COLUMNS &&
               heed__attention_bf16();
    f->attend = s->pairs ? heed__attention_bf16() : HEED__KERNEL(attention, f->dtype);
    f->differentiate = s->pairs ? heed__attention_grad_bf16() : HEED__KERNEL(attention_grad, f->dtype);
}

/* Sets the fields of both passes; q, k and v have contiguous rows. The other fields stay as they are, because to clear
 * the whole struct would be measurable in a small attention. */
static void flash_of(flash *f, const heed_call *call, heed_tensor *const in[3], heed_tensor *const out[2])
{
    const heed__flash_params *p = call->params;
    const heed__heads q = heed__heads_of(in[Q], p->heads_inner);
    f->dtype = out[0]->dtype;
    f->size = (int64_t)heed_dtype_size(f->dtype);
    f->heads = f->share_heads = q.heads;
    f->share_batches = q.batch;
    f->n = q.batch * q.heads;
    f->group = q.heads / heed__heads_of(in[K], p->heads_inner).heads;
    f->row_axis = p->heads_inner ? 1 : in[Q]->shape.rank - 2;
    f->head_axis = p->heads_inner ? 2 : 1;
    f->in = in;
    f->y = out[0];
    set_args(f, call, out[1], &q);
    choose_kernels(f, p->precision);
}

/* The rows of t for batch element n; NULL for NULL. `group` successive heads share a head of t. */
static char *at(const flash *f, const heed_tensor *t, int64_t n, int64_t group)
{
    const int64_t batch = n / f->heads, head = n % f->heads / group;
    return t ? t->data + (batch * t->strides[0] + head * t->strides[f->head_axis]) * f->size : NULL;
}

/* Sets the fields of args that depend on batch element n. args must be a copy of f->one. */
static void find_element(const flash *f, int64_t n, heed__attention_args *args)
{
    args->q = at(f, f->in[Q], n, 1);
    args->k = at(f, f->in[K], n, f->group);
    args->v = at(f, f->in[V], n, f->group);
    args->y = at(f, f->y, n, 1);
    args->statistics = (char *)f->one.statistics + n * 2 * args->queries * f->size;
    args->first = n * args->queries * args->keys;
    heed__visibility_move(&f->one.visibility, n, &args->visibility);
}

/* Minimum work of a range of the parallel loop, and of a chunk. */
enum { RANGE_WORK = 32768, CHUNK_WORK = 1 << 20 };

/* Returns the number of shares. A share is a set of batch elements that add to the same sums, or a single batch
 * element. */
static int64_t shares_of(const flash *f)
{
    return f->share_batches * f->share_heads;
}

/* Runs fn over the parts of all shares. Returns false after heed_fail. */
static bool run_parts(flash *f, int64_t work, int64_t scratch, heed__scratch_fn *fn)
{
    int64_t n = shares_of(f) * f->parts, grain = work < RANGE_WORK ? RANGE_WORK / (work + 1) + 1 : 1;
    return heed__parallel_for_scratch(where, n, grain, work, scratch, fn, f);
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

/* Starts with the last queries, because they take longest in causal attention. */
static void forward_parts(int64_t begin, int64_t end, char *scratch, void *context)
{
    const flash *f = context;
    int64_t size = heed__attention_queries(&f->one);
    heed__attention_args args = f->one;
    for (int64_t i = begin; i < end; i++) {
        find_element(f, i / f->parts, &args);
        int64_t first = (f->parts - 1 - i % f->parts) * size, rest = args.queries - first;
        f->attend(&args, first, rest < size ? args.queries : first + size, scratch);
    }
}

bool heed__flash_forward(const heed_call *call, heed_tensor *const in[3], heed_tensor *const out[2])
{
    flash f;
    flash_of(&f, call, in, out);
    const heed__attention_args *one = &f.one;
    int64_t size = heed__attention_queries(one), rows = one->queries < size ? one->queries : size;
    f.parts = heed__ceil_div(one->queries, size);
    return run_parts(&f, rows * one->keys * (one->d + one->e), f.attend(one, 0, one->queries, NULL), forward_parts);
}

/* -- Backward ------------------------------------------------------------------------------------------------------ */

/* Number of chunks to aim for in all shares together, and the maximum per share. */
enum { TARGET_CHUNKS = 16, MAX_CHUNKS = 8 };

static int64_t chunks_of(const flash *f)
{
    const heed__attention_args *one = &f->one;
    int64_t blocks = heed__ceil_div(one->keys, HEED_ATTENTION_KEYS);
    int64_t desired = heed__ceil_div(TARGET_CHUNKS, shares_of(f)),
            work = one->queries * one->keys * (one->d + one->e) / CHUNK_WORK;
    desired = desired < MAX_CHUNKS ? desired : MAX_CHUNKS;
    desired = desired < work ? desired : work;
    desired = desired < blocks ? desired : blocks;
    return desired > 1 ? desired : 1;
}

static char *partial_of(const flash *f, int64_t chunk, int64_t n)
{
    const heed__attention_args *one = &f->one;
    return f->partial + ((chunk - 1) * f->n + n) * one->queries * one->d * f->size;
}

static int64_t row_step(const flash *f, const heed_tensor *t)
{
    return t ? t->strides[f->row_axis] : 0;
}

/* Sets the pointers in `grads` to the sums that batch element n adds to: the element's dbias and, for a relative bias,
 * the chunk's totals, at distance 0. */
static void find_sums(const flash *f, int64_t n, int64_t chunk, heed__attention_grads *grads)
{
    const heed__attention_args *one = &f->one;
    const int64_t batch = n / f->heads, head = n % f->heads;
    const heed_tensor *dbias = f->dx[HEED_FLASH_DBIAS];
    if (dbias) {
        const int64_t row = batch % dbias->shape.dims[0] * f->share_heads + head % f->share_heads;
        grads->dbias = dbias->data + row * one->queries * one->keys * f->size;
    }
    if (f->totals) {
        const int64_t length = f->dx[HEED_FLASH_DRELATIVE_BIAS]->shape.dims[1];
        const int64_t row = (chunk * f->share_batches + batch % f->share_batches) * f->heads + head;
        char *sum = f->totals + (row * 2 * length + one->queries - 1) * f->size;
        grads->distance_sum = sum;
        grads->distance_lost = sum + length * f->size;
    }
}

/* Computes the gradients for chunk number `chunk` of the keys of batch element n. */
static void differentiate_chunk(const flash *f, int64_t n, int64_t chunk, heed__attention_args *args,
                                heed__attention_grads *grads, char *scratch)
{
    const int64_t blocks = heed__ceil_div(args->keys, HEED_ATTENTION_KEYS);
    const bool is_partial = f->dx[Q] && chunk > 0;
    find_element(f, n, args);
    grads->g = at(f, f->g, n, 1);
    grads->dq = is_partial ? partial_of(f, chunk, n) : at(f, f->dx[Q], n, 1);
    grads->dq_row = is_partial ? args->d : row_step(f, f->dx[Q]);
    grads->dk = at(f, f->dx[K], n, 1);
    grads->dv = at(f, f->dx[V], n, 1);
    find_sums(f, n, chunk, grads);
    int64_t from = chunk * blocks / f->parts * HEED_ATTENTION_KEYS;
    int64_t to = (chunk + 1) * blocks / f->parts * HEED_ATTENTION_KEYS;
    f->differentiate(args, grads, from, to < args->keys ? to : args->keys, scratch);
}

static void backward_parts(int64_t begin, int64_t end, char *scratch, void *context)
{
    const flash *f = context;
    heed__attention_args args = f->one;
    heed__attention_grads grads = {
        .g_row = row_step(f, f->g), .dk_row = row_step(f, f->dx[K]), .dv_row = row_step(f, f->dx[V])};
    const int64_t batches = f->n / f->heads;
    for (int64_t i = begin; i < end; i++) {
        const int64_t share = i / f->parts, batch = share / f->share_heads, head = share % f->share_heads;
        for (int64_t b = batch; b < batches; b += f->share_batches)
            for (int64_t h = head; h < f->heads; h += f->share_heads)
                differentiate_chunk(f, b * f->heads + h, i % f->parts, &args, &grads, scratch);
    }
}

/* Adds the chunks' dq for rows begin .. end - 1 of all batch elements. */
static void add_partials(int64_t begin, int64_t end, void *context)
{
    const flash *f = context;
    int64_t queries = f->one.queries, d = f->one.d;
    for (int64_t i = begin; i < end; i++) {
        int64_t n = i / queries, row = i % queries;
        char *dq = at(f, f->dx[Q], n, 1) + row * row_step(f, f->dx[Q]) * f->size;
        for (int64_t chunk = 1; chunk < f->parts; chunk++)
            HEED__RUN(add, f->dtype, d, dq, 1, partial_of(f, chunk, n) + row * d * f->size, 1, dq, NULL);
    }
}

/* A bias with size 1 for B or H has one sum for all batches or heads. Every share has its own totals by distance, so a
 * relative bias limits the number of shares to about TARGET_CHUNKS. */
static void choose_shares(flash *f)
{
    const heed_tensor *dbias = f->dx[HEED_FLASH_DBIAS];
    if (dbias) {
        f->share_batches = dbias->shape.dims[0];
        f->share_heads = dbias->shape.rank == 4 ? dbias->shape.dims[1] : 1;
    }
    const int64_t most = heed__ceil_div(TARGET_CHUNKS, f->share_heads);
    if (f->dx[HEED_FLASH_DRELATIVE_BIAS] && f->share_batches > most)
        f->share_batches = most;
}

/* Sums the totals of every head in order. Their rounding errors are below half a unit in the last place and are
 * dropped. */
static void add_totals(const flash *f)
{
    const heed_tensor *drelative_bias = f->dx[HEED_FLASH_DRELATIVE_BIAS];
    const int64_t length = drelative_bias->shape.dims[1], step = length * f->size;
    for (int64_t row = 0; row < f->parts * f->share_batches * f->heads; row++) {
        char *dx = drelative_bias->data + row % f->heads * step, *sum = f->totals + row * 2 * step;
        HEED__RUN(add, f->dtype, length, dx, 1, sum, 1, dx, NULL);
    }
}

/* Runs the chunks. f->partial and f->totals must be allocated. Returns false after heed_fail. */
static bool run_chunks(flash *f)
{
    const heed__attention_args *one = &f->one;
    const int64_t rows = f->n * one->queries;
    int64_t chunk = heed__ceil_div(heed__ceil_div(one->keys, HEED_ATTENTION_KEYS), f->parts) * HEED_ATTENTION_KEYS;
    bool ok = run_parts(f, one->queries * one->keys * (one->d + one->e) / f->parts * 3 * (f->n / shares_of(f)),
                        f->differentiate(one, NULL, 0, chunk, NULL), backward_parts);
    if (ok && f->partial)
        heed__parallel_for(rows, RANGE_WORK / (one->d + 1) + 1, one->d * f->parts, add_partials, f);
    if (ok && f->totals)
        add_totals(f);
    return ok;
}

/* Sets *memory to NULL for 0 bytes. Returns false after heed_fail. */
static bool alloc_optional(size_t bytes, char **memory)
{
    *memory = bytes > 0 ? heed__alloc(where, bytes) : NULL;
    return bytes == 0 || *memory;
}

bool heed__flash_backward(const heed_call *call, heed_tensor *const in[3], const heed_tensor *g,
                          heed_tensor *const dx[HEED_FLASH_GRADS])
{
    flash f;
    flash_of(&f, call, in, call->outputs);
    f.g = g;
    f.dx = dx;
    choose_shares(&f);
    f.parts = chunks_of(&f);
    const heed_tensor *drelative_bias = dx[HEED_FLASH_DRELATIVE_BIAS];
    const size_t partial = dx[Q] ? (size_t)((f.parts - 1) * f.n * f.one.queries * f.one.d * f.size) : 0;
    const size_t totals = drelative_bias ? (size_t)(f.parts * f.share_batches * drelative_bias->numel * 2 * f.size) : 0;
    f.partial = f.totals = NULL;
    bool ok = alloc_optional(partial, &f.partial) && alloc_optional(totals, &f.totals);
    if (ok && f.totals)
        memset(f.totals, 0, totals);
    ok = ok && run_chunks(&f);
    heed_free(f.totals, totals);
    heed_free(f.partial, partial);
    return ok;
}
