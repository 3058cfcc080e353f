/* ops/attention/flash_run.c - dot-product attention as one op: runs the kernels of kernels/attention over all batch
 * elements. See flash_attention.h.
 *
 * Forward is split into blocks of queries. Backward is split into batch elements and, if these are few, into chunks of
 * keys. The split depends on sizes alone. A chunk has its own rows of dk and dv; dq is the sum of the chunks'
 * contributions in order. The gradient of a relative bias is summed in totals, one number per distance; a head has
 * several arrays of totals. Batch elements that add to the same gradient of a bias, or to the same totals, run one
 * after the other. In addition to its arguments, forward needs scratch memory of a fixed size per thread; backward also
 * needs the dq of all chunks but one, and the totals. */

#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "kernels/bf16.h"
#include "ops/attention/flash_attention.h"

static const char where[] = "dot_product_attention";

enum { Q = HEED_FLASH_Q, K = HEED_FLASH_K, V = HEED_FLASH_V };

/* -- All batch elements -------------------------------------------------------------------------------------------- */

/* One pass over all batch elements, forward or backward. */
typedef struct flash {
    heed_dtype dtype;
    heed__attention_kernel *attend;
    heed__attention_grad_kernel *differentiate;
    heed__attention_args of_one; /* the first batch element, but with all lengths */
    int64_t n, heads, size;      /* n: batch size times heads; size: bytes per element */
    int64_t group;               /* number of heads of q that share a head of k and v */
    int row_axis, head_axis;     /* without heads, head_axis has no effect, because the head is 0 */
    const heed_tensor *q, *k, *v, *y;
    heed__visibility visibility;
    const heed_tensor *g, *dq, *dk, *dv, *dbias, *drelative_bias; /* backward only; NULL if not requested */
    /* batch elements whose batch (head) numbers differ by a multiple of share_batches (share_heads) add to the same
     * sums */
    int64_t share_batches, share_heads;
    char *partial; /* (chunks - 1, N, queries, d): dq of all chunks except the first */
    char *totals;  /* (chunks, share_batches, H, 2, Q + K - 1): sums by distance and their rounding errors */
    int64_t parts; /* blocks or chunks per batch element */
} flash;

static bool has_terms(const heed__visibility *s)
{
    return s->mask || s->bias || s->relative_bias || s->window > 0;
}

static heed__attention_terms terms_of(const heed__visibility *s)
{
    heed__attention_terms terms = {.any = has_terms(s)};
    if (s->mask) {
        terms.mask_row = heed__visibility_stride(s->mask, 2);
        terms.mask_key = heed__visibility_stride(s->mask, 1);
    }
    if (s->bias) {
        terms.bias_row = heed__visibility_stride(s->bias, 2);
        terms.bias_key = heed__visibility_stride(s->bias, 1);
    }
    return terms;
}

static heed__lengths lengths_of(const heed__visibility *s, int64_t n, int64_t keys)
{
    heed__lengths lengths = heed__lengths_of(s->lens, n, keys, s->causal);
    lengths.window = s->window;
    lengths.offset = s->offset;
    return lengths;
}

/* Selects the bf16 kernels, which pack pairs, if the packing pays off. */
static void choose_kernels(flash *f, heed_precision precision)
{
    heed__attention_args *s = &f->of_one;
    s->pairs = precision == HEED_PRECISION_MEDIUM && f->dtype == HEED_F32 && s->queries >= HEED_ATTENTION_PAIRS_ROWS &&
               s->keys >= HEED_ATTENTION_PAIRS_ROWS && s->d + s->e >= HEED_ATTENTION_PAIRS_COLUMNS &&
               heed__attention_bf16();
    f->attend = s->pairs ? heed__attention_bf16() : HEED__KERNEL(attention, f->dtype);
    f->differentiate = s->pairs ? heed__attention_grad_bf16() : HEED__KERNEL(attention_grad, f->dtype);
}

/* q, k, v and g have contiguous rows; g and dx are for backward. The initialiser names every field: if one is omitted,
 * compilers first clear the whole struct, which is measurable in a small attention. */
static void flash_of(flash *f, const heed_call *call, heed_tensor *const in[3], heed_tensor *const out[2],
                     const heed_tensor *g, heed_tensor *const dx[HEED_FLASH_GRADS])
{
    const heed__flash_params *p = call->params;
    const heed__visibility visibility = heed__flash_visibility(call);
    const heed_tensor *q = in[Q], *k = in[K], *v = in[V], *y = out[0];
    const int last = q->shape.rank - 1, row = p->heads_inner ? 1 : last - 1, head = p->heads_inner ? 2 : 1;
    const int64_t heads = last == 3 ? q->shape.dims[head] : 1, n = q->shape.dims[0] * heads;
    const heed_tensor *dbias = dx[HEED_FLASH_DBIAS], *drelative_bias = dx[HEED_FLASH_DRELATIVE_BIAS];
    *f = (flash){.dtype = y->dtype,
                 .attend = NULL,
                 .differentiate = NULL,
                 .of_one = {.queries = q->shape.dims[row],
                            .keys = k->shape.dims[row],
                            .d = q->shape.dims[last],
                            .e = v->shape.dims[last],
                            .q = q->data,
                            .k = k->data,
                            .v = v->data,
                            .q_row = q->strides[row],
                            .k_row = k->strides[row],
                            .v_row = v->strides[row],
                            .y = y->data,
                            .y_row = y->strides[row],
                            .statistics = out[1]->data,
                            .scale = p->scale,
                            .lengths = lengths_of(&visibility, n, k->shape.dims[row]),
                            .dropout = p->drops ? &p->dropout : NULL,
                            .first = 0,
                            .terms = terms_of(&visibility),
                            .pairs = false},
                 .n = n,
                 .heads = heads,
                 .size = (int64_t)heed_dtype_size(y->dtype),
                 .group = last == 3 ? heads / k->shape.dims[head] : 1,
                 .row_axis = row,
                 .head_axis = head,
                 .q = q,
                 .k = k,
                 .v = v,
                 .y = y,
                 .visibility = visibility,
                 .g = g,
                 .dq = dx[Q],
                 .dk = dx[K],
                 .dv = dx[V],
                 .dbias = dbias,
                 .drelative_bias = drelative_bias,
                 .share_batches = dbias ? dbias->shape.dims[0] : q->shape.dims[0],
                 .share_heads = !dbias      ? heads
                                : last == 3 ? dbias->shape.dims[1]
                                            : 1,
                 .partial = NULL,
                 .totals = NULL,
                 .parts = 1};
    choose_kernels(f, p->precision);
}

/* The rows of t for batch element n of N; NULL for NULL. */
static char *at(const flash *f, const heed_tensor *t, int64_t n)
{
    const int64_t batch = n / f->heads, head = n % f->heads;
    return t ? t->data + (batch * t->strides[0] + head * t->strides[f->head_axis]) * f->size : NULL;
}

/* The rows of t, keys or values, for batch element n. Several heads of q share a head of t. */
static const char *at_shared(const flash *f, const heed_tensor *t, int64_t n)
{
    const int64_t batch = n / f->heads, head = n % f->heads / f->group;
    return t->data + (batch * t->strides[0] + head * t->strides[f->head_axis]) * f->size;
}

/* The mask or bias of batch element n. */
static const char *at_pairs(const flash *f, const heed_tensor *t, int64_t n)
{
    const bool split = f->q->shape.rank == 4;
    const int64_t batch = n / f->heads * heed__visibility_stride(t, split ? 4 : 3);
    const int64_t head = split ? n % f->heads * heed__visibility_stride(t, 3) : 0;
    return t->data + (batch + head) * (int64_t)heed_dtype_size(t->dtype);
}

static void find_terms(const flash *f, int64_t n, heed__attention_terms *terms)
{
    const heed__visibility *s = &f->visibility;
    terms->mask = s->mask ? (const void *)at_pairs(f, s->mask, n) : NULL;
    terms->bias = s->bias ? at_pairs(f, s->bias, n) : NULL;
    if (s->relative_bias)
        terms->by_distance =
            s->relative_bias->data + (n % f->heads * s->relative_bias->strides[0] + f->of_one.queries - 1) * f->size;
}

/* Sets the fields of args that depend on batch element n. args must be a copy of f->of_one. */
static void find_element(const flash *f, int64_t n, heed__attention_args *args)
{
    args->q = at(f, f->q, n);
    args->k = at_shared(f, f->k, n);
    args->v = at_shared(f, f->v, n);
    if (args->terms.any)
        find_terms(f, n, &args->terms);
    args->y = at(f, f->y, n);
    args->statistics = (char *)f->of_one.statistics + n * 2 * args->queries * f->size;
    args->lengths = heed__lengths_in(&f->of_one.lengths, n);
    args->first = n * args->queries * args->keys;
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
    int64_t size = heed__attention_queries(&f->of_one);
    heed__attention_args args = f->of_one;
    for (int64_t i = begin; i < end; i++) {
        find_element(f, i / f->parts, &args);
        int64_t first = (f->parts - 1 - i % f->parts) * size, rest = args.queries - first;
        f->attend(&args, first, rest < size ? args.queries : first + size, scratch);
    }
}

bool heed__flash_forward(const heed_call *call, heed_tensor *const in[3], heed_tensor *const out[2])
{
    static heed_tensor *const none[HEED_FLASH_GRADS] = {NULL};
    flash f;
    flash_of(&f, call, in, out, NULL, none);
    const heed__attention_args *one = &f.of_one;
    int64_t size = heed__attention_queries(one), rows = one->queries < size ? one->queries : size;
    f.parts = heed__ceil_div(one->queries, size);
    return run_parts(&f, rows * one->keys * (one->d + one->e), f.attend(one, 0, one->queries, NULL), forward_parts);
}

/* -- Backward ------------------------------------------------------------------------------------------------------ */

/* Number of chunks to aim for in all shares together, and the maximum per share. */
enum { TARGET_CHUNKS = 16, MAX_CHUNKS = 8 };

static int64_t chunks_of(const flash *f)
{
    const heed__attention_args *one = &f->of_one;
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
    const heed__attention_args *one = &f->of_one;
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
    const heed__attention_args *one = &f->of_one;
    const int64_t batch = n / f->heads, head = n % f->heads;
    if (f->dbias) {
        const int64_t batches = f->dbias->shape.dims[0], heads = f->share_heads;
        const int64_t at = batch % batches * heads + head % heads;
        grads->dbias = f->dbias->data + at * one->queries * one->keys * f->size;
    }
    if (f->totals) {
        const int64_t length = f->drelative_bias->shape.dims[1];
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
    const bool shares = f->dq && chunk > 0;
    find_element(f, n, args);
    grads->g = at(f, f->g, n);
    grads->dq = shares ? partial_of(f, chunk, n) : at(f, f->dq, n);
    grads->dq_row = shares ? args->d : row_step(f, f->dq);
    grads->dk = at(f, f->dk, n);
    grads->dv = at(f, f->dv, n);
    find_sums(f, n, chunk, grads);
    int64_t from = chunk * blocks / f->parts * HEED_ATTENTION_KEYS;
    int64_t to = (chunk + 1) * blocks / f->parts * HEED_ATTENTION_KEYS;
    f->differentiate(args, grads, from, to < args->keys ? to : args->keys, scratch);
}

static void backward_parts(int64_t begin, int64_t end, char *scratch, void *context)
{
    const flash *f = context;
    heed__attention_args args = f->of_one;
    heed__attention_grads grads = {
        .g_row = row_step(f, f->g), .dk_row = row_step(f, f->dk), .dv_row = row_step(f, f->dv)};
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
    int64_t queries = f->of_one.queries, d = f->of_one.d;
    for (int64_t i = begin; i < end; i++) {
        int64_t n = i / queries, row = i % queries;
        char *dq = at(f, f->dq, n) + row * row_step(f, f->dq) * f->size;
        for (int64_t chunk = 1; chunk < f->parts; chunk++)
            HEED__RUN(add, f->dtype, d, dq, 1, partial_of(f, chunk, n) + row * d * f->size, 1, dq, NULL);
    }
}

/* Every share has its own totals by distance, so this limits the number of shares to about TARGET_CHUNKS. */
static void choose_shares(flash *f)
{
    const int64_t most = heed__ceil_div(TARGET_CHUNKS, f->share_heads);
    if (f->drelative_bias && f->share_batches > most)
        f->share_batches = most;
}

/* Sums the totals of every head in order. Their rounding errors are below half a unit in the last place and are
 * dropped. */
static void add_totals(const flash *f)
{
    const int64_t length = f->drelative_bias->shape.dims[1], step = length * f->size;
    for (int64_t row = 0; row < f->parts * f->share_batches * f->heads; row++) {
        char *dx = f->drelative_bias->data + row % f->heads * step, *sum = f->totals + row * 2 * step;
        HEED__RUN(add, f->dtype, length, dx, 1, sum, 1, dx, NULL);
    }
}

/* Runs the chunks. f->partial and f->totals must be allocated. Returns false after heed_fail. */
static bool run_chunks(flash *f)
{
    const heed__attention_args *one = &f->of_one;
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

static bool differentiate(flash *f)
{
    const heed__attention_args *one = &f->of_one;
    choose_shares(f);
    f->parts = chunks_of(f);
    const size_t partial = f->dq ? (size_t)((f->parts - 1) * f->n * one->queries * one->d * f->size) : 0;
    const size_t totals =
        f->drelative_bias ? (size_t)(f->parts * f->share_batches * f->drelative_bias->numel * 2 * f->size) : 0;
    bool ok = alloc_optional(partial, &f->partial) && alloc_optional(totals, &f->totals);
    if (ok && f->totals)
        memset(f->totals, 0, totals);
    ok = ok && run_chunks(f);
    heed_free(f->totals, totals);
    heed_free(f->partial, partial);
    return ok;
}

bool heed__flash_backward(const heed_call *call, heed_tensor *const in[3], const heed_tensor *g,
                          heed_tensor *const dx[HEED_FLASH_GRADS])
{
    flash f;
    flash_of(&f, call, in, call->outputs, g, dx);
    return differentiate(&f);
}
