/* ops/attention.c - see attention.h. Every mask here is a prefix of the keys: a length for each row. */

#include "ops/attention.h"

#include <inttypes.h>
#include <math.h>

#include "core/generator.h"
#include "ops/masked_bmm.h"
#include "ops/pair.h"

heed_attention heed__attention_of(const char *where, const heed_attention_options *options)
{
    heed_attention at = {.where = where};
    if (options)
        at.options = *options;
    if (at.options.weights)
        *at.options.weights = NULL;
    return at;
}

/* -- Checks -------------------------------------------------------------------------------------------------------- */

bool heed__attention_check(const heed_attention *at, const heed_tensor *q, const heed_tensor *k, const heed_tensor *v)
{
    const heed_attention_options *o = &at->options;
    if (!heed__check_tensor(at->where, q) || !heed__check_tensor(at->where, k) || !heed__check_tensor(at->where, v) ||
        !heed__check_pair(at->where, q, k) || !heed__check_pair(at->where, q, v))
        return false;
    if (!isfinite(o->scale)) {
        heed_fail(HEED_ERR_ARGUMENT, at->where, "scale %g: wants a finite number", o->scale);
        return false;
    }
    if (!(o->dropout >= 0.0 && o->dropout <= 1.0)) {
        heed_fail(HEED_ERR_ARGUMENT, at->where, "dropout %g: wants a probability, 0 to 1", o->dropout);
        return false;
    }
    return true;
}

bool heed__attention_fits(heed_attention *at, const heed_tensor *q, const heed_tensor *k, const heed_tensor *v)
{
    int rank = q->shape.rank;
    bool fits = rank >= 3 && k->shape.rank == rank && v->shape.rank == rank;
    for (int axis = 0; fits && axis < rank - 2; axis++)
        fits = k->shape.dims[axis] == q->shape.dims[axis] && v->shape.dims[axis] == q->shape.dims[axis];
    if (!fits || v->shape.dims[rank - 2] != k->shape.dims[rank - 2])
        return false;
    at->has_heads = rank == 4;
    at->batch = q->shape.dims[0];
    at->heads = at->has_heads ? q->shape.dims[1] : 1;
    at->queries = q->shape.dims[rank - 2];
    at->keys = k->shape.dims[rank - 2];
    return true;
}

/* -- Lengths ------------------------------------------------------------------------------------------------------- */

/* valid_lens, contiguous. NULL after heed_fail. */
static heed_tensor *checked_lens(const heed_attention *at)
{
    heed_tensor *lens = at->options.valid_lens;
    const heed_shape *shape = &lens->shape;
    if (lens->dtype != HEED_I64) {
        heed_fail(HEED_ERR_DTYPE, at->where, "valid_lens %s is %s: wants i64", heed__text(shape).s,
                  heed_dtype_name(lens->dtype));
        return NULL;
    }
    if (shape->rank < 1 || shape->rank > 2 || shape->dims[0] != at->batch ||
        (shape->rank == 2 && shape->dims[1] != at->queries)) {
        heed_fail(HEED_ERR_SHAPE, at->where, "valid_lens %s: wants (%" PRId64 ") or (%" PRId64 ", %" PRId64 ")",
                  heed__text(shape).s, at->batch, at->batch, at->queries);
        return NULL;
    }
    lens = heed_contiguous(lens);
    return lens && heed__check_lengths(at->where, lens, at->keys) ? lens : NULL;
}

bool heed__attention_lengths(heed_attention *at)
{
    const heed_attention_options *o = &at->options;
    if (!o->valid_lens && !o->causal)
        return true;
    heed_tensor *valid = o->valid_lens ? checked_lens(at) : NULL;
    if (o->valid_lens && !valid)
        return false;
    bool valid_by_row = valid && valid->shape.rank == 2, by_row = o->causal || valid_by_row;
    int64_t n = at->batch * at->heads, rows = by_row ? at->queries : 1;
    at->lens = heed_empty(HEED_I64, by_row ? HEED_SHAPE(n, rows) : HEED_SHAPE(n));
    int64_t *lens = at->lens ? heed_mutable_i64(at->lens) : NULL;
    if (!lens)
        return false;
    const int64_t *from = valid ? (const void *)valid->data : NULL;
    for (int64_t i = 0; i < n && rows > 0; i++)
        for (int64_t row = 0; row < rows; row++) {
            int64_t b = i / at->heads;
            int64_t length = from ? from[valid_by_row ? b * rows + row : b] : at->keys;
            *lens++ = o->causal && row + 1 < length ? row + 1 : length;
        }
    return true;
}

/* -- After the scores ---------------------------------------------------------------------------------------------- */

heed_tensor *heed__attention_fold(const heed_attention *at, heed_tensor *x)
{
    int rank = x->shape.rank;
    if (!at->has_heads)
        return x;
    return heed_reshape(x, HEED_SHAPE(at->batch * at->heads, x->shape.dims[rank - 2], x->shape.dims[rank - 1]));
}

static heed_tensor *unfold(const heed_attention *at, heed_tensor *x)
{
    if (!at->has_heads || !x)
        return x;
    return heed_reshape(x, HEED_SHAPE(at->batch, at->heads, x->shape.dims[1], x->shape.dims[2]));
}

/* Notes where the generator was, so that a call that fails can give the position back. */
static heed_tensor *dropped(heed_attention *at, heed_tensor *weights)
{
    const heed_attention_options *o = &at->options;
    if (o->dropout == 0.0)
        return weights;
    heed_generator *generator = o->generator ? o->generator : heed_generator_default();
    at->position = atomic_load(&generator->position);
    weights = heed_generator_dropout(generator, weights, o->dropout, true);
    at->drawn_from = weights ? generator : NULL;
    return weights;
}

/* Unless another thread has moved on from there. */
static void give_position_back(heed_attention *at)
{
    uint64_t next = at->position + 1;
    if (at->drawn_from)
        (void)atomic_compare_exchange_strong(&at->drawn_from->position, &next, at->position);
}

heed_tensor *heed__attention_pool(heed_attention *at, heed_tensor *scores, heed_tensor *v)
{
    at->weights = heed_masked_softmax(scores, at->lens);
    return unfold(at, heed__masked_pool(dropped(at, at->weights), v, at->lens));
}

heed_tensor *heed__attention_return(heed_attention *at, heed_scope *scope, heed_tensor *result)
{
    heed_tensor **wanted = at->options.weights;
    heed_tensor *weights = result && wanted ? heed_retain(unfold(at, at->weights)) : NULL;
    result = heed_scope_return(scope, wanted && !weights ? NULL : result);
    weights = heed__borrow(weights);
    if (!result || (wanted && !weights)) {
        give_position_back(at);
        return NULL;
    }
    if (wanted)
        *wanted = weights;
    return result;
}
