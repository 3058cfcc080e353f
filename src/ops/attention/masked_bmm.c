/* ops/attention/masked_bmm.c - the products of attention, see attention.h.
 *
 * Weights w and incoming gradients of scores must be 0 for hidden pairs; heed__masked_softmax ensures both. For finite
 * numbers, plain products would give the same results. Here masked elements are skipped, not multiplied by 0, so that
 * NaN and infinity in them do not reach the result. This also holds for gradients of any order, because the three
 * products are closed under differentiation:
 *
 *     scores(q, k):   dq = pool(g, k)      dk = spread(g, q)
 *     pool(w, v):     dw = scores(g, v)    dv = spread(w, g)
 *     spread(w, x):   dw = scores(x, g)    dx = pool(w, g)
 *
 * pool and spread are plain products with zeros for masked pairs. A vector with NaN or infinity that some row does
 * not see is replaced by zeros in the product, and its products are then added to the results of its visible pairs. The
 * bits of all other results do not depend on the vector.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <math.h>
#include <string.h>

#include "ops/attention/attention.h"
#include "ops/product/bmm.h"

enum { SCORES, POOL, SPREAD };
enum { A, B, VALID_LENS, MOST_INPUTS };

typedef struct masked_params {
    int product;
    bool causal;
} masked_params;

/* -- Visibility ---------------------------------------------------------------------------------------------------- */

typedef struct masked_shape {
    heed__visibility visibility;
    int64_t batch, rows;
} masked_shape;

static heed_tensor *valid_lens_of(const heed_call *call)
{
    return call->n_inputs > VALID_LENS ? call->inputs[VALID_LENS] : NULL;
}

static masked_shape shape_of(const heed_call *call)
{
    const masked_params *p = call->params;
    const int64_t *a = call->inputs[A]->shape.dims, *b = call->inputs[B]->shape.dims;
    const int64_t keys = p->product == SCORES ? b[1] : a[2];
    return (masked_shape){.visibility = heed__visibility_of_lengths(valid_lens_of(call), a[0], keys, p->causal),
                          .batch = a[0],
                          .rows = a[1]};
}

/* Returns the number of leading keys that every row sees. */
static int64_t shortest(const masked_shape *s, const heed__visibility *own)
{
    int64_t least = own->mask ? 0 : own->keys;
    for (int64_t i = 0; i < (heed__differs_by_query(own) ? s->rows : 1); i++)
        if (heed__visible_range(own, i).end < least)
            least = heed__visible_range(own, i).end;
    return least;
}

/* Sets the scores of masked keys to 0. */
static void clear_masked(const masked_shape *s, heed_tensor *y)
{
    const int64_t size = (int64_t)heed_dtype_size(y->dtype), keys = s->visibility.keys;
    heed__visibility own = s->visibility;
    for (int64_t batch = 0; batch < s->batch; batch++) {
        heed__visibility_move(&s->visibility, batch, &own);
        for (int64_t i = 0; i < s->rows; i++) {
            int64_t length = heed__visible_range(&own, i).end;
            char *row = y->data + (batch * s->rows + i) * keys * size;
            memset(row + length * size, 0, (size_t)((keys - length) * size));
            for (int64_t j = 0; own.mask && j < keys; j++)
                if (!heed__is_visible(&own, i, j))
                    memset(row + j * size, 0, (size_t)size);
        }
    }
}

/* -- Vectors that are not finite ----------------------------------------------------------------------------------- */

bool heed__all_finite(heed_dtype dtype, int64_t n, const void *values)
{
    const float *f32 = values;
    const double *f64 = values;
    bool finite = true;
    if (dtype == HEED_F32)
        for (int64_t i = 0; i < n; i++)
            finite &= fabsf(f32[i]) <= FLT_MAX;
    else
        for (int64_t i = 0; i < n; i++)
            finite &= fabs(f64[i]) <= DBL_MAX;
    return finite;
}

/* y += w x, where w is element `at` of `weights`. */
static void add_scaled(heed_dtype dtype, int64_t n, void *y, const void *weights, int64_t at, const void *x)
{
    if (dtype == HEED_F32)
        for (int64_t i = 0; i < n; i++)
            ((float *)y)[i] += ((const float *)weights)[at] * ((const float *)x)[i];
    else
        for (int64_t i = 0; i < n; i++)
            ((double *)y)[i] += ((const double *)weights)[at] * ((const double *)x)[i];
}

/* The vectors that pool (v_j) or spread (x_i) multiplies by weights: the rows of the second input. */
typedef struct vectors {
    masked_shape s;
    int product;
    heed_dtype dtype;
    int64_t count, width; /* per batch element */
    size_t bytes;         /* of one vector */
    const char *data;
} vectors;

static vectors vectors_of(const heed_call *call)
{
    const masked_params *p = call->params;
    const heed_tensor *b = call->inputs[B];
    return (vectors){.s = shape_of(call),
                     .product = p->product,
                     .dtype = b->dtype,
                     .count = b->shape.dims[1],
                     .width = b->shape.dims[2],
                     .bytes = (size_t)b->shape.dims[2] * heed_dtype_size(b->dtype),
                     .data = b->data};
}

static const char *vector(const vectors *v, int64_t batch, int64_t i)
{
    return v->data + (size_t)(batch * v->count + i) * v->bytes;
}

typedef void vector_fn(const vectors *v, const heed__visibility *own, int64_t batch, int64_t i, char *into,
                       const heed_tensor *w);

/* Calls fn, unless it is NULL, for the vectors with NaN or infinity that some row does not see: the plain product must
 * not read them. Returns true if there are such vectors. */
static bool each_nonfinite(const vectors *v, vector_fn *fn, char *into, const heed_tensor *w)
{
    bool any = false;
    heed__visibility own = v->s.visibility;
    for (int64_t batch = 0; batch < v->s.batch && (!any || fn); batch++) {
        heed__visibility_move(&v->s.visibility, batch, &own);
        for (int64_t i = v->product == POOL ? shortest(&v->s, &own) : 0; i < v->count && (!any || fn); i++) {
            const bool masked = own.mask || v->product == POOL || heed__visible_range(&own, i).end < own.keys;
            if (!masked || heed__all_finite(v->dtype, v->width, vector(v, batch, i)))
                continue;
            any = true;
            if (fn)
                fn(v, &own, batch, i, into, w);
        }
    }
    return any;
}

static void clear(const vectors *v, const heed__visibility *own, int64_t batch, int64_t i, char *into,
                  const heed_tensor *w)
{
    (void)own;
    (void)w;
    memset(into + (size_t)(batch * v->count + i) * v->bytes, 0, v->bytes);
}

/* Adds vector i times its weights to the results of the rows that see key i (pool), or of the keys that row i sees
 * (spread). */
static void add_where_visible(const vectors *v, const heed__visibility *own, int64_t batch, int64_t i, char *into,
                              const heed_tensor *w)
{
    bool pool = v->product == POOL;
    int64_t others = pool ? v->s.rows : own->keys;
    for (int64_t other = 0; other < others; other++) {
        int64_t row = pool ? other : i, key = pool ? i : other;
        if (heed__is_visible(own, row, key))
            add_scaled(v->dtype, v->width, into + (size_t)(batch * others + other) * v->bytes, w->data,
                       (batch * v->s.rows + row) * own->keys + key, vector(v, batch, i));
    }
}

/* -- The op -------------------------------------------------------------------------------------------------------- */

static bool infer(const heed_call *call, heed_meta *out)
{
    const masked_params *p = call->params;
    const int64_t *a = call->inputs[A]->shape.dims, *b = call->inputs[B]->shape.dims;
    out->dtype = call->inputs[A]->dtype;
    out->shape = HEED_SHAPE(a[0], p->product == SPREAD ? a[2] : a[1], p->product == SCORES ? b[1] : b[2]);
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const masked_params *p = call->params;
    heed_tensor *a = call->inputs[A], *b = call->inputs[B];
    if (out[0]->numel == 0)
        return true;
    if (p->product == SCORES) {
        masked_shape s = shape_of(call);
        if (!heed__bmm(a, false, b, true, out[0]))
            return false;
        clear_masked(&s, out[0]);
        return true;
    }
    vectors v = vectors_of(call);
    if (!heed__bmm(a, p->product == SPREAD, b, false, out[0]))
        return false;
    /* In pool, a non-finite v_j makes results non-finite even with weight 0, because 0 times it is NaN. So it suffices
     * to check the results y_i, of which there may be far fewer than of the v_j. */
    bool clean = p->product == POOL && heed__all_finite(out[0]->dtype, out[0]->numel, out[0]->data);
    if (clean || !each_nonfinite(&v, NULL, NULL, NULL))
        return true;
    heed_tensor *finite = heed__tensor_alloc("masked_bmm", b->dtype, &b->shape);
    if (!finite)
        return false;
    memcpy(finite->data, b->data, (size_t)b->numel * heed_dtype_size(b->dtype));
    (void)each_nonfinite(&v, clear, finite->data, NULL);
    bool done = heed__bmm(a, p->product == SPREAD, finite, false, out[0]);
    if (done)
        (void)each_nonfinite(&v, add_where_visible, out[0]->data, a);
    heed_release(finite);
    return done;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const masked_params *p = call->params;
    const bool causal = p->causal, needs_a = heed_call_needs(call, A), needs_b = heed_call_needs(call, B);
    heed_tensor *a = call->inputs[A], *b = call->inputs[B], *valid_lens = valid_lens_of(call);
    switch (p->product) {
    case SCORES:
        dx[A] = needs_a ? heed__masked_pool(g[0], b, valid_lens, causal) : NULL;
        dx[B] = needs_b ? heed__masked_spread(g[0], a, valid_lens, causal) : NULL;
        break;
    case POOL:
        dx[A] = needs_a ? heed__masked_scores(g[0], b, valid_lens, causal) : NULL;
        dx[B] = needs_b ? heed__masked_spread(a, g[0], valid_lens, causal) : NULL;
        break;
    default:
        dx[A] = needs_a ? heed__masked_scores(b, g[0], valid_lens, causal) : NULL;
        dx[B] = needs_b ? heed__masked_pool(a, g[0], valid_lens, causal) : NULL;
    }
}

static int64_t multiply_adds(const heed_call *call)
{
    const heed_shape a = heed_call_shape(call, A), b = heed_call_shape(call, B);
    return heed__numel(&a) * b.dims[((const masked_params *)call->params)->product == SCORES ? 1 : 2];
}

static const heed_op masked_bmm = {
    .name = "masked_bmm",
    .n_inputs = VALID_LENS,
    .max_inputs = MOST_INPUTS,
    .n_outputs = 1,
    .params_size = sizeof(masked_params),
    .fields = HEED_FIELDS(HEED_FIELD(masked_params, product), HEED_FIELD(masked_params, causal)),
    .saved = HEED_SAVE_INPUTS,
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
    .multiply_adds = multiply_adds,
};

static heed_tensor *apply(int product, heed_tensor *a, heed_tensor *b, heed_tensor *valid_lens, bool causal)
{
    const masked_params params = {product, causal};
    if (valid_lens || causal)
        return heed_apply(&masked_bmm, (heed_tensor *[]){a, b, valid_lens}, valid_lens ? MOST_INPUTS : VALID_LENS,
                          &params);
    return heed_bmm_t(a, product == SPREAD, b, product == SCORES);
}

heed_tensor *heed__masked_scores(heed_tensor *q, heed_tensor *k, heed_tensor *valid_lens, bool causal)
{
    return apply(SCORES, q, k, valid_lens, causal);
}

heed_tensor *heed__masked_pool(heed_tensor *w, heed_tensor *v, heed_tensor *valid_lens, bool causal)
{
    return apply(POOL, w, v, valid_lens, causal);
}

heed_tensor *heed__masked_spread(heed_tensor *w, heed_tensor *x, heed_tensor *valid_lens, bool causal)
{
    return apply(SPREAD, w, x, valid_lens, causal);
}
