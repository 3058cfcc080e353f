/* ops/attention/flash_passes.c - see flash_passes.h. The work is done by kernels/attention/forward.h and backward.h. */

#include "ops/attention/flash_passes.h"

#include "core/memory.h"
#include "core/parallel.h"

static const char where[] = "dot_product_attention";

enum { Q, K, V };

/* -- Where rows lie ------------------------------------------------------------------------------------------------ */

/* Of q, k, v and what is like them, in bytes but for `row`, in elements. */
typedef struct layout {
    char *data;
    int64_t batch, head, row;
} layout;

static layout layout_of(const heed_tensor *t, bool heads_inner)
{
    int rank = t->shape.rank, rows = heads_inner ? 1 : rank - 2;
    int64_t size = (int64_t)heed_dtype_size(t->dtype);
    return (layout){.data = t->data,
                    .batch = t->strides[0] * size,
                    .head = rank == 4 ? t->strides[heads_inner ? 2 : 1] * size : 0,
                    .row = t->strides[rows]};
}

/* One pass over all batch elements, forward or backward; `of_one` and `grads` lack what differs between them. */
typedef struct flash {
    const heed_kernels *kernels;
    heed_attention_args of_one;
    int64_t batch, heads, size; /* size: bytes of an element */
    layout q, k, v, y;
    const int64_t *lens;
    int64_t lens_batch;
    char *statistics;

    heed_attention_grads grads;
    layout g, dq, dk, dv; /* data NULL where it is not wanted */
    char *partial;        /* (chunks - 1, N, queries, d): dq of the chunks but the first */

    int64_t parts; /* of one batch element */
    char *scratch;
    int64_t scratch_bytes; /* of one thread */
} flash;

/* All but what backward alone needs. statistics has (N, 2, queries). */
static void fill(flash *f, const heed_flash_params *p, heed_tensor *const in[3], const heed_tensor *lens,
                 const heed_tensor *y, const heed_tensor *statistics)
{
    const int64_t *q = in[Q]->shape.dims, *k = in[K]->shape.dims;
    int rank = in[Q]->shape.rank, rows = p->heads_inner ? 1 : rank - 2;
    bool by_row = lens && lens->shape.rank == 2;
    f->kernels = heed__kernels(y->dtype);
    f->batch = q[0];
    f->heads = rank == 4 ? q[p->heads_inner ? 2 : 1] : 1;
    f->size = (int64_t)heed_dtype_size(y->dtype);
    f->q = layout_of(in[Q], p->heads_inner);
    f->k = layout_of(in[K], p->heads_inner);
    f->v = layout_of(in[V], p->heads_inner);
    f->y = layout_of(y, p->heads_inner);
    f->lens = lens ? (const void *)lens->data : NULL;
    f->lens_batch = by_row ? q[rows] : 1;
    f->statistics = statistics->data;
    f->of_one = (heed_attention_args){.queries = q[rows],
                                      .keys = k[rows],
                                      .d = q[rank - 1],
                                      .e = in[V]->shape.dims[rank - 1],
                                      .q_row = f->q.row,
                                      .k_row = f->k.row,
                                      .v_row = f->v.row,
                                      .y_row = f->y.row,
                                      .scale = p->scale,
                                      .causal = p->causal,
                                      .lens_step = by_row,
                                      .dropout = p->drops ? &p->dropout : NULL};
}

static char *at(const layout *l, int64_t batch, int64_t head)
{
    return l->data ? l->data + batch * l->batch + head * l->head : NULL;
}

/* Where batch element n (of N = B H) lies: what its args, which are a copy of f->of_one, do not have yet. */
static void find_element(const flash *f, int64_t n, heed_attention_args *args)
{
    int64_t batch = n / f->heads, head = n % f->heads;
    args->q = at(&f->q, batch, head);
    args->k = at(&f->k, batch, head);
    args->v = at(&f->v, batch, head);
    args->y = at(&f->y, batch, head);
    args->statistics = f->statistics + n * 2 * args->queries * f->size;
    args->lens = f->lens ? f->lens + batch * f->lens_batch : NULL;
    args->first = n * args->queries * args->keys;
}

static int64_t parts_of(int64_t n, int64_t size)
{
    return n / size + (n % size != 0);
}

/* Work below which a range of the parallel loop, and a chunk, do not pay. */
enum { RANGE_WORK = 32768, CHUNK_WORK = 1 << 20 };

/* Runs fn over the parts of all batch elements, with scratch for parts of `chunk` keys, or for forward. False after
 * heed_fail. */
static bool run_parts(flash *f, int64_t work, int64_t chunk, heed_slot_fn *fn)
{
    int64_t n = f->batch * f->heads * f->parts, grain = work < RANGE_WORK ? RANGE_WORK / (work + 1) + 1 : 1;
    f->scratch_bytes = (heed__attention_scratch(&f->of_one, chunk) * f->size + 63) / 64 * 64;
    size_t bytes = (size_t)(heed__parallel_slots(n, grain, work) * f->scratch_bytes);
    f->scratch = heed__alloc(where, bytes);
    if (!f->scratch)
        return false;
    heed__parallel_for_slots(n, grain, work, fn, f);
    heed_free(f->scratch, bytes);
    return true;
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

/* The last queries first: in causal attention they are the longest work. */
static void forward_parts(int64_t begin, int64_t end, int slot, void *context)
{
    const flash *f = context;
    int64_t size = heed__attention_queries(&f->of_one);
    heed_attention_args args = f->of_one;
    for (int64_t i = begin; i < end; i++) {
        find_element(f, i / f->parts, &args);
        int64_t first = (f->parts - 1 - i % f->parts) * size, rest = args.queries - first;
        f->kernels->attention(&args, first, rest < size ? args.queries : first + size,
                              f->scratch + slot * f->scratch_bytes);
    }
}

bool heed__flash_forward(const heed_flash_params *p, heed_tensor *const in[3], const heed_tensor *lens,
                         const heed_tensor *y, const heed_tensor *statistics)
{
    flash f;
    fill(&f, p, in, lens, y, statistics);
    const heed_attention_args *one = &f.of_one;
    int64_t size = heed__attention_queries(one), rows = one->queries < size ? one->queries : size;
    f.parts = parts_of(one->queries, size);
    return run_parts(&f, rows * one->keys * (one->d + one->e), 0, forward_parts);
}

/* -- Backward ------------------------------------------------------------------------------------------------------ */

/* Chunks that N batch elements are cut into together, at least, and one of them, at most. */
enum { WANTED_CHUNKS = 16, MOST_CHUNKS = 8 };

static int64_t chunks_of(const flash *f)
{
    const heed_attention_args *one = &f->of_one;
    int64_t n = f->batch * f->heads, blocks = parts_of(one->keys, HEED_ATTENTION_KEYS);
    int64_t wanted = parts_of(WANTED_CHUNKS, n), work = one->queries * one->keys * (one->d + one->e) / CHUNK_WORK;
    wanted = wanted < MOST_CHUNKS ? wanted : MOST_CHUNKS;
    wanted = wanted < work ? wanted : work;
    wanted = wanted < blocks ? wanted : blocks;
    return wanted > 1 ? wanted : 1;
}

static char *partial_of(const flash *f, int64_t chunk, int64_t n)
{
    const heed_attention_args *one = &f->of_one;
    return f->partial + ((chunk - 1) * f->batch * f->heads + n) * one->queries * one->d * f->size;
}

static void backward_parts(int64_t begin, int64_t end, int slot, void *context)
{
    const flash *f = context;
    heed_attention_args args = f->of_one;
    for (int64_t i = begin; i < end; i++) {
        int64_t n = i / f->parts, chunk = i % f->parts, batch = n / f->heads, head = n % f->heads;
        int64_t blocks = parts_of(f->of_one.keys, HEED_ATTENTION_KEYS);
        heed_attention_grads grads = f->grads;
        find_element(f, n, &args);
        grads.g = at(&f->g, batch, head);
        grads.dq = at(&f->dq, batch, head);
        grads.dk = at(&f->dk, batch, head);
        grads.dv = at(&f->dv, batch, head);
        if (grads.dq && chunk > 0) {
            grads.dq = partial_of(f, chunk, n);
            grads.dq_row = args.d;
        }
        int64_t from = chunk * blocks / f->parts * HEED_ATTENTION_KEYS;
        int64_t to = (chunk + 1) * blocks / f->parts * HEED_ATTENTION_KEYS;
        f->kernels->attention_grad(&args, &grads, from, to < args.keys ? to : args.keys,
                                   f->scratch + slot * f->scratch_bytes);
    }
}

/* Of rows begin .. end - 1 of all batch elements' dq. */
static void add_partials(int64_t begin, int64_t end, void *context)
{
    const flash *f = context;
    int64_t queries = f->of_one.queries, d = f->of_one.d;
    for (int64_t i = begin; i < end; i++) {
        int64_t n = i / queries, row = i % queries;
        char *dq = at(&f->dq, n / f->heads, n % f->heads) + row * f->dq.row * f->size;
        for (int64_t chunk = 1; chunk < f->parts; chunk++)
            f->kernels->add(d, dq, 1, partial_of(f, chunk, n) + row * d * f->size, 1, dq, NULL);
    }
}

static bool differentiate(flash *f)
{
    const heed_attention_args *one = &f->of_one;
    int64_t rows = f->batch * f->heads * one->queries;
    f->parts = chunks_of(f);
    size_t bytes = f->dq.data && f->parts > 1 ? (size_t)((f->parts - 1) * rows * one->d * f->size) : 0;
    f->partial = bytes > 0 ? heed__alloc(where, bytes) : NULL;
    if (bytes > 0 && !f->partial)
        return false;
    int64_t chunk = parts_of(parts_of(one->keys, HEED_ATTENTION_KEYS), f->parts) * HEED_ATTENTION_KEYS;
    bool ok = run_parts(f, one->queries * one->keys * (one->d + one->e) / f->parts * 3, chunk, backward_parts);
    if (ok && bytes > 0)
        heed__parallel_for(rows, RANGE_WORK / (one->d + 1) + 1, one->d * f->parts, add_partials, f);
    heed_free(f->partial, bytes);
    return ok;
}

bool heed__flash_backward(const heed_flash_params *p, heed_tensor *const in[3], const heed_tensor *lens,
                          const heed_tensor *y, const heed_tensor *statistics, const heed_tensor *g,
                          heed_tensor *const dx[3])
{
    flash f = {.scratch = NULL};
    fill(&f, p, in, lens, y, statistics);
    layout *const into[] = {&f.dq, &f.dk, &f.dv};
    for (int i = 0; i < 3; i++)
        *into[i] = dx[i] ? layout_of(dx[i], p->heads_inner) : (layout){.data = NULL};
    f.g = layout_of(g, p->heads_inner);
    f.grads = (heed_attention_grads){.g_row = f.g.row, .dq_row = f.dq.row, .dk_row = f.dk.row, .dv_row = f.dv.row};
    return differentiate(&f);
}
