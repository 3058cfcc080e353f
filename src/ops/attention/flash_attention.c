/* ops/attention/flash_attention.c - see flash_attention.h. The work is done by the kernels of kernels/attention.
 *
 * The second output is statistics (N, 2, queries): what backward makes the weights of again, block by block. The
 * composed rule, for higher derivatives, makes them all.
 *
 * Forward is cut into blocks of queries. Backward is cut into batch elements and, where these are few, each into chunks
 * of keys, by sizes alone: a chunk has its own rows of dk and dv, and dq is the sum of what the chunks give, in their
 * order. Besides what it is given, forward needs scratch of a fixed size per thread, and backward also the dq of all
 * chunks but one.
 */

#include "ops/attention/flash_attention.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "ops/attention/attention.h"
#include "ops/attention/masked_bmm.h"

static const char where[] = "dot_product_attention";

enum { Q, K, V, LENS, MOST_INPUTS };

/* -- All batch elements -------------------------------------------------------------------------------------------- */

/* One pass over all batch elements, forward or backward. */
typedef struct flash {
    const heed__kernel_table *kernels;
    heed__attention_args of_one; /* the first one, but with the lengths of all */
    int64_t n, heads, size;      /* n: B heads; size: bytes of an element */
    int row_axis, head_axis;     /* without heads head_axis is any: it takes no steps */
    const heed_tensor *q, *k, *v, *y;
    const heed_tensor *g, *dq, *dk, *dv; /* in backward; NULL for those that are not wanted */
    char *partial;                       /* (chunks - 1, N, queries, d): dq of the chunks but the first */
    int64_t parts;                       /* of one batch element */
} flash;

static heed_tensor *lens_of(const heed_call *call)
{
    return call->n_inputs > LENS ? call->inputs[LENS] : NULL;
}

/* q, k, v and g with contiguous rows; g and dx are for backward. Every field is named: for one that is not a compiler
 * clears them all first, which shows in a small attention. */
static void flash_of(flash *f, const heed_call *call, heed_tensor *const in[3], heed_tensor *const out[2],
                     const heed_tensor *g, heed_tensor *const dx[3])
{
    const heed__flash_params *p = call->params;
    const heed_tensor *q = in[Q], *k = in[K], *v = in[V], *y = out[0];
    const int last = q->shape.rank - 1, row = p->heads_inner ? 1 : last - 1, head = p->heads_inner ? 2 : 1;
    const int64_t heads = last == 3 ? q->shape.dims[head] : 1, n = q->shape.dims[0] * heads;
    *f = (flash){.kernels = heed__kernels(y->dtype),
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
                            .lengths = heed__lengths_of(lens_of(call), n, k->shape.dims[row], p->causal),
                            .dropout = p->drops ? &p->dropout : NULL,
                            .first = 0},
                 .n = n,
                 .heads = heads,
                 .size = (int64_t)heed_dtype_size(y->dtype),
                 .row_axis = row,
                 .head_axis = head,
                 .q = q,
                 .k = k,
                 .v = v,
                 .y = y,
                 .g = g,
                 .dq = dx[Q],
                 .dk = dx[K],
                 .dv = dx[V],
                 .partial = NULL,
                 .parts = 1};
}

/* The rows of t of batch element n of N; NULL for NULL. */
static char *at(const flash *f, const heed_tensor *t, int64_t n)
{
    const int64_t batch = n / f->heads, head = n % f->heads;
    return t ? t->data + (batch * t->strides[0] + head * t->strides[f->head_axis]) * f->size : NULL;
}

/* What the args of batch element n, a copy of f->of_one, have of their own. */
static void find_element(const flash *f, int64_t n, heed__attention_args *args)
{
    args->q = at(f, f->q, n);
    args->k = at(f, f->k, n);
    args->v = at(f, f->v, n);
    args->y = at(f, f->y, n);
    args->statistics = (char *)f->of_one.statistics + n * 2 * args->queries * f->size;
    args->lengths = heed__lengths_in(&f->of_one.lengths, n);
    args->first = n * args->queries * args->keys;
}

/* Work below which a range of the parallel loop, and a chunk, do not pay. */
enum { RANGE_WORK = 32768, CHUNK_WORK = 1 << 20 };

/* Runs fn over the parts of all batch elements, with scratch for chunks of `chunk` keys; 0 for forward. False after
 * heed_fail. */
static bool run_parts(flash *f, int64_t work, int64_t chunk, heed__scratch_fn *fn)
{
    int64_t n = f->n * f->parts, grain = work < RANGE_WORK ? RANGE_WORK / (work + 1) + 1 : 1;
    return heed__parallel_for_scratch(where, n, grain, work, heed__attention_scratch(&f->of_one, chunk) * f->size, fn,
                                      f);
}

/* -- Forward ------------------------------------------------------------------------------------------------------- */

/* The last queries first: in causal attention they are the longest work. */
static void forward_parts(int64_t begin, int64_t end, char *scratch, void *context)
{
    const flash *f = context;
    int64_t size = heed__attention_queries(&f->of_one);
    heed__attention_args args = f->of_one;
    for (int64_t i = begin; i < end; i++) {
        find_element(f, i / f->parts, &args);
        int64_t first = (f->parts - 1 - i % f->parts) * size, rest = args.queries - first;
        f->kernels->attention(&args, first, rest < size ? args.queries : first + size, scratch);
    }
}

static bool run_forward(const heed_call *call, heed_tensor *const in[3], heed_tensor *const out[2])
{
    static heed_tensor *const none[3] = {NULL};
    flash f;
    flash_of(&f, call, in, out, NULL, none);
    const heed__attention_args *one = &f.of_one;
    int64_t size = heed__attention_queries(one), rows = one->queries < size ? one->queries : size;
    f.parts = heed__ceil_div(one->queries, size);
    return run_parts(&f, rows * one->keys * (one->d + one->e), 0, forward_parts);
}

/* -- Backward ------------------------------------------------------------------------------------------------------ */

/* Chunks that are wanted of all batch elements together, and the most of one. */
enum { WANTED_CHUNKS = 16, MOST_CHUNKS = 8 };

static int64_t chunks_of(const flash *f)
{
    const heed__attention_args *one = &f->of_one;
    int64_t blocks = heed__ceil_div(one->keys, HEED_ATTENTION_KEYS);
    int64_t wanted = heed__ceil_div(WANTED_CHUNKS, f->n),
            work = one->queries * one->keys * (one->d + one->e) / CHUNK_WORK;
    wanted = wanted < MOST_CHUNKS ? wanted : MOST_CHUNKS;
    wanted = wanted < work ? wanted : work;
    wanted = wanted < blocks ? wanted : blocks;
    return wanted > 1 ? wanted : 1;
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

static void backward_parts(int64_t begin, int64_t end, char *scratch, void *context)
{
    const flash *f = context;
    heed__attention_args args = f->of_one;
    heed__attention_grads grads = {
        .g_row = row_step(f, f->g), .dk_row = row_step(f, f->dk), .dv_row = row_step(f, f->dv)};
    int64_t blocks = heed__ceil_div(args.keys, HEED_ATTENTION_KEYS);
    for (int64_t i = begin; i < end; i++) {
        int64_t n = i / f->parts, chunk = i % f->parts;
        bool shares = f->dq && chunk > 0;
        find_element(f, n, &args);
        grads.g = at(f, f->g, n);
        grads.dq = shares ? partial_of(f, chunk, n) : at(f, f->dq, n);
        grads.dq_row = shares ? args.d : row_step(f, f->dq);
        grads.dk = at(f, f->dk, n);
        grads.dv = at(f, f->dv, n);
        int64_t from = chunk * blocks / f->parts * HEED_ATTENTION_KEYS;
        int64_t to = (chunk + 1) * blocks / f->parts * HEED_ATTENTION_KEYS;
        f->kernels->attention_grad(&args, &grads, from, to < args.keys ? to : args.keys, scratch);
    }
}

/* Of rows begin .. end - 1 of all batch elements' dq. */
static void add_partials(int64_t begin, int64_t end, void *context)
{
    const flash *f = context;
    int64_t queries = f->of_one.queries, d = f->of_one.d;
    for (int64_t i = begin; i < end; i++) {
        int64_t n = i / queries, row = i % queries;
        char *dq = at(f, f->dq, n) + row * row_step(f, f->dq) * f->size;
        for (int64_t chunk = 1; chunk < f->parts; chunk++)
            f->kernels->add(d, dq, 1, partial_of(f, chunk, n) + row * d * f->size, 1, dq, NULL);
    }
}

static bool differentiate(flash *f)
{
    const heed__attention_args *one = &f->of_one;
    int64_t rows = f->n * one->queries;
    f->parts = chunks_of(f);
    size_t bytes = f->dq && f->parts > 1 ? (size_t)((f->parts - 1) * rows * one->d * f->size) : 0;
    f->partial = bytes > 0 ? heed__alloc(where, bytes) : NULL;
    if (bytes > 0 && !f->partial)
        return false;
    int64_t chunk = heed__ceil_div(heed__ceil_div(one->keys, HEED_ATTENTION_KEYS), f->parts) * HEED_ATTENTION_KEYS;
    bool ok = run_parts(f, one->queries * one->keys * (one->d + one->e) / f->parts * 3, chunk, backward_parts);
    if (ok && bytes > 0)
        heed__parallel_for(rows, RANGE_WORK / (one->d + 1) + 1, one->d * f->parts, add_partials, f);
    heed_free(f->partial, bytes);
    return ok;
}

/* g with contiguous rows -> dx, contiguous; NULL for those that are not wanted. */
static bool run_backward(const heed_call *call, heed_tensor *const in[3], const heed_tensor *g,
                         heed_tensor *const dx[3])
{
    flash f;
    flash_of(&f, call, in, call->outputs, g, dx);
    return differentiate(&f);
}

/* -- The op -------------------------------------------------------------------------------------------------------- */

/* x, or a copy where its rows are not contiguous; owned by the caller. */
static heed_tensor *with_rows(heed_tensor *x)
{
    int last = x->shape.rank - 1;
    if (x->strides[last] == 1 || x->shape.dims[last] <= 1)
        return heed_retain(x);
    return heed__dense_copy(where, x);
}

static bool drops_all(const heed__flash_params *p)
{
    return p->drops && p->dropout.threshold > UINT32_MAX;
}

static void clear(heed_tensor *t)
{
    memset(t->data, 0, (size_t)t->numel * heed_dtype_size(t->dtype));
}

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed__flash_params *p = call->params;
    const heed_tensor *q = call->inputs[Q], *v = call->inputs[V];
    const heed__heads heads = heed__heads_of(q, p->heads_inner);
    out[0] = (heed_meta){q->dtype, q->shape};
    out[0].shape.dims[q->shape.rank - 1] = v->shape.dims[q->shape.rank - 1];
    out[1] = (heed_meta){q->dtype, {.rank = 3, .dims = {heed__heads_count(&heads), 2, heads.rows}}};
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed__flash_params *p = call->params;
    if (out[0]->numel == 0 || drops_all(p)) {
        clear(out[0]);
        return true;
    }
    heed_tensor *in[3] = {NULL};
    bool ok = true;
    for (int i = 0; i < 3 && ok; i++)
        ok = (in[i] = with_rows(call->inputs[i])) != NULL;
    ok = ok && run_forward(call, in, out);
    for (int i = 0; i < 3; i++)
        heed_release(in[i]);
    return ok;
}

static void backward_fused(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__flash_params *p = call->params;
    heed_tensor *in[3] = {NULL}, *dense = with_rows(g[0]), *found[3] = {NULL};
    bool ok = dense != NULL;
    for (int i = 0; i < 3 && ok; i++) {
        in[i] = with_rows(call->inputs[i]);
        ok = in[i] != NULL;
        if (ok && heed_call_needs(call, i))
            ok = (found[i] = heed__tensor_new(where, in[i]->dtype, &in[i]->shape)) != NULL;
    }
    if (ok && (g[0]->numel == 0 || drops_all(p)))
        for (int i = 0; i < 3; i++) {
            if (found[i])
                clear(found[i]);
        }
    else
        ok = ok && run_backward(call, in, dense, found);
    for (int i = 0; i < 3; i++) {
        dx[i] = ok ? found[i] : NULL;
        heed_release(in[i]);
    }
    heed_release(dense);
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const heed__flash_params *p = call->params;
    const bool inner = p->heads_inner;
    const heed__dropout_numbers *dropout = p->drops ? &p->dropout : NULL;
    const double size = fabs(p->scale), before = size <= 1 ? p->scale : copysign(1, p->scale);
    heed_tensor *const *in = call->inputs, *lens = lens_of(call);
    const heed__heads of_q = heed__heads_of(in[Q], inner), of_k = heed__heads_of(in[K], inner);
    const heed__lengths lengths = heed__lengths_of(lens, heed__heads_count(&of_q), of_k.rows, p->causal);
    heed_tensor *q = heed__heads_fold(heed_mul_scalar(in[Q], before), inner), *k = heed__heads_fold(in[K], inner);
    heed_tensor *v = heed__heads_fold(in[V], inner), *dy = heed__heads_fold(g[0], inner);
    heed_tensor *scores = heed__masked_scores(q, k, lens, p->causal);
    scores = size <= 1 ? scores : heed__scale_scores(scores, &lengths, size);
    heed_tensor *weights = heed__masked_softmax(scores, lens, p->causal);
    if (heed_call_needs(call, V)) {
        heed_tensor *dv = heed__masked_spread(heed__drop_weights(weights, dropout), dy, lens, p->causal);
        dx[V] = heed__heads_unfold(dv, &of_k, inner);
    }
    if (!heed_call_needs(call, Q) && !heed_call_needs(call, K))
        return;
    heed_tensor *dw = heed__drop_weights(heed__masked_scores(dy, v, lens, p->causal), dropout);
    heed_tensor *ds = heed__masked_softmax_grad(weights, &lengths, dw);
    if (heed_call_needs(call, Q)) {
        heed_tensor *dq = heed_mul_scalar(heed__masked_pool(ds, k, lens, p->causal), p->scale);
        dx[Q] = heed__heads_unfold(dq, &of_q, inner);
    }
    if (heed_call_needs(call, K)) {
        heed_tensor *dk = heed__masked_spread(ds, q, lens, p->causal);
        dx[K] = heed__heads_unfold(size <= 1 ? dk : heed_mul_scalar(dk, size), &of_k, inner);
    }
}

/* Of width d: the scores, and in backward these again, dq and dk; of width e: the result, and in backward dv and the
 * gradient of the weights. */
static int64_t multiply_adds(const heed_call *call)
{
    const heed__flash_params *p = call->params;
    const heed_shape q = heed_call_shape(call, Q), k = heed_call_shape(call, K), v = heed_call_shape(call, V);
    const int64_t keys = k.dims[p->heads_inner ? 1 : k.rank - 2], d = q.dims[q.rank - 1], e = v.dims[v.rank - 1];
    const int64_t pairs = d > 0 ? heed__numel(&q) / d * keys : 0;
    if (!call->outputs)
        return pairs * (d + e);
    const bool dq = heed_call_needs(call, Q), dk = heed_call_needs(call, K), dv = heed_call_needs(call, V);
    return pairs * ((1 + dq + dk) * d + (dv + (dq || dk)) * e);
}

static const heed_op flash_attention = {
    .name = "dot_product_attention",
    .n_inputs = LENS,
    .max_inputs = MOST_INPUTS,
    .n_outputs = 2,
    .params_size = sizeof(heed__flash_params),
    .keeps = HEED_KEEP_INPUTS | HEED_KEEP_OUTPUTS,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .backward_fused = backward_fused,
    .multiply_adds = multiply_adds,
};

heed_tensor *heed__flash_attention(heed_tensor *q, heed_tensor *k, heed_tensor *v, heed_tensor *lens,
                                   const heed__flash_params *params)
{
    return heed_apply(&flash_attention, (heed_tensor *[]){q, k, v, lens}, lens ? MOST_INPUTS : LENS, params);
}
