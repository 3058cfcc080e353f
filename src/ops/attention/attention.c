/* ops/attention/attention.c - see attention.h. Every mask here is a prefix of the keys: a length for each row. */

#include "ops/attention/attention.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "core/generator.h"
#include "ops/attention/masked_bmm.h"

heed_attention heed__attention_of(const char *where, const heed_attention_options *options, heed_tensor **weights)
{
    heed_attention at = {.where = where, .wanted = weights};
    if (options)
        at.options = *options;
    if (weights)
        *weights = NULL;
    return at;
}

/* -- Checks -------------------------------------------------------------------------------------------------------- */

bool heed__attention_check(const heed_attention *at, const heed_tensor *q, const heed_tensor *k, const heed_tensor *v)
{
    const heed_attention_options *o = &at->options;
    if (!heed__check_tensor(at->where, q) || !heed__check_tensor(at->where, k) || !heed__check_tensor(at->where, v) ||
        !heed__check_pair(at->where, q, k) || !heed__check_pair(at->where, q, v))
        return false;
    if (!isfinite(o->scale))
        return heed_fail_false(HEED_ERR_ARGUMENT, at->where, "scale %g: wants a finite number", o->scale);
    if (!(o->dropout >= 0.0 && o->dropout <= 1.0))
        return heed_fail_false(HEED_ERR_ARGUMENT, at->where, "dropout %g: wants a probability, 0 to 1", o->dropout);
    return true;
}

bool heed__attention_fits(heed_attention *at, const heed_tensor *q, const heed_tensor *k, const heed_tensor *v)
{
    int rank = q->shape.rank;
    bool inner = at->options.heads_inner;
    int rows = inner ? 1 : rank - 2;
    bool fits = rank >= 3 && (rank == 4 || !inner) && k->shape.rank == rank && v->shape.rank == rank;
    for (int axis = 0; fits && axis < rank - 1; axis++)
        fits =
            v->shape.dims[axis] == k->shape.dims[axis] && (axis == rows || q->shape.dims[axis] == k->shape.dims[axis]);
    if (!fits)
        return false;
    at->has_heads = rank == 4;
    at->batch = q->shape.dims[0];
    at->heads = at->has_heads ? q->shape.dims[inner ? 2 : 1] : 1;
    at->queries = q->shape.dims[rows];
    at->keys = k->shape.dims[rows];
    return true;
}

/* -- Lengths ------------------------------------------------------------------------------------------------------- */

bool heed__attention_valid(const heed_attention *at, heed_tensor **valid)
{
    heed_tensor *lens = at->options.valid_lens;
    *valid = NULL;
    if (!lens)
        return true;
    const heed_shape *shape = &lens->shape;
    if (lens->dtype != HEED_I64)
        return heed_fail_false(HEED_ERR_DTYPE, at->where, "valid_lens %s is %s: wants i64", heed_shape_text(*shape).s,
                               heed_dtype_name(lens->dtype));
    if (shape->rank < 1 || shape->rank > 2 || shape->dims[0] != at->batch ||
        (shape->rank == 2 && shape->dims[1] != at->queries))
        return heed_fail_false(HEED_ERR_SHAPE, at->where,
                               "valid_lens %s: wants (%" PRId64 ") or (%" PRId64 ", %" PRId64 ")",
                               heed_shape_text(*shape).s, at->batch, at->batch, at->queries);
    *valid = heed_contiguous(lens);
    return *valid && heed__check_lengths(at->where, *valid, at->keys);
}

bool heed__attention_rows(heed_tensor *valid, const heed_attention_rows *rows, heed_tensor **lens)
{
    *lens = NULL;
    if (!valid && !rows->causal)
        return true;
    bool valid_by_row = valid && valid->shape.rank == 2, by_row = rows->causal || valid_by_row;
    int64_t n = rows->batch * rows->heads, count = by_row ? rows->queries : 1;
    heed_tensor *made = heed_empty(HEED_I64, by_row ? HEED_SHAPE(n, count) : HEED_SHAPE(n));
    int64_t *out = made ? heed_mutable_i64(made) : NULL;
    if (!out)
        return false;
    const int64_t *from = valid ? (const void *)valid->data : NULL;
    for (int64_t i = 0; i < n && count > 0; i++)
        for (int64_t row = 0; row < count; row++) {
            int64_t b = i / rows->heads;
            int64_t length = from ? from[valid_by_row ? b * count + row : b] : rows->keys;
            *out++ = rows->causal && row + 1 < length ? row + 1 : length;
        }
    *lens = made;
    return true;
}

bool heed__attention_lengths(heed_attention *at)
{
    heed_tensor *valid;
    const heed_attention_rows rows = {at->batch, at->heads, at->queries, at->keys, at->options.causal};
    return heed__attention_valid(at, &valid) && heed__attention_rows(valid, &rows, &at->lens);
}

/* -- After the scores ---------------------------------------------------------------------------------------------- */

heed_tensor *heed__attention_fold(const heed_attention *at, heed_tensor *x)
{
    if (!at->has_heads)
        return x;
    x = at->options.heads_inner ? heed_transpose(x, 1, 2) : x;
    return x ? heed_reshape(x, HEED_SHAPE(at->batch * at->heads, x->shape.dims[2], x->shape.dims[3])) : NULL;
}

static heed_tensor *unfold(const heed_attention *at, heed_tensor *x)
{
    if (!at->has_heads || !x)
        return x;
    return heed_reshape(x, HEED_SHAPE(at->batch, at->heads, x->shape.dims[1], x->shape.dims[2]));
}

heed_dropout_args heed__attention_draw(heed_attention *at)
{
    const heed_attention_options *o = &at->options;
    heed_generator *generator = o->generator ? o->generator : heed_generator_default();
    at->position = atomic_fetch_add(&generator->position, 1);
    at->drawn_from = generator;
    return heed__dropout_args(atomic_load(&generator->seed), at->position, o->dropout);
}

static heed_tensor *dropped(heed_attention *at, heed_tensor *weights)
{
    if (at->options.dropout == 0.0 || !weights)
        return weights;
    const heed_dropout_args args = heed__attention_draw(at);
    return heed__apply1(&heed_op_dropout, weights, &args);
}

/* Unless another thread has moved on from there. */
static void give_position_back(heed_attention *at)
{
    uint64_t next = at->position + 1;
    if (at->drawn_from)
        (void)atomic_compare_exchange_strong(&at->drawn_from->position, &next, at->position);
}

heed_tensor *heed__attention_stretch(heed_tensor *scores, heed_tensor *lens, double scale)
{
    if (!scores || scores->numel == 0)
        return scores;
    heed_tensor *seen = heed_detach(scores);
    if (lens) {
        int64_t keys = scores->shape.dims[2], rows = lens->shape.rank == 2 ? lens->shape.dims[1] : 1;
        double lowest = scores->dtype == HEED_F32 ? -(double)FLT_MAX : -DBL_MAX;
        heed_tensor *length = heed_reshape(lens, HEED_SHAPE(lens->shape.dims[0], rows, 1));
        heed_tensor *sees = heed_compare(heed_arange(HEED_I64, 0, (double)keys, 1), HEED_COMPARE_LT, length);
        seen = heed_where(sees, seen, heed_full(scores->dtype, HEED_SCALAR, lowest));
    }
    return heed_mul_scalar(heed_sub(scores, heed_max_axes(seen, HEED_AXES(2), true)), scale);
}

heed_tensor *heed__attention_pool(heed_attention *at, heed_tensor *scores, heed_tensor *v)
{
    at->weights = heed_masked_softmax(scores, at->lens);
    heed_tensor *y = unfold(at, heed__masked_pool(dropped(at, at->weights), v, at->lens));
    return y && at->options.heads_inner ? heed_contiguous(heed_transpose(y, 1, 2)) : y;
}

heed_tensor *heed__attention_return(heed_attention *at, heed_scope *scope, heed_tensor *result)
{
    heed_tensor *weights = result && at->wanted ? unfold(at, at->weights) : NULL;
    result = heed__return_with_weights(at->where, scope, result, weights, at->wanted);
    if (!result)
        give_position_back(at);
    return result;
}

heed_tensor *heed__return_with_weights(const char *where, heed_scope *scope, heed_tensor *result, heed_tensor *weights,
                                       heed_tensor **wanted)
{
    weights = wanted && result ? heed_retain(weights) : NULL;
    result = heed_scope_return(scope, wanted && !weights ? NULL : result);
    weights = heed__borrow(where, weights);
    if (!result || (wanted && !weights))
        return NULL;
    if (wanted)
        *wanted = weights;
    return result;
}
