/* nn/generate.c - generates tokens after a prompt, one at a time. */

#include <inttypes.h>

#include <heed/graph.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "nn/generation.h"
#include "nn/layer.h"

static const char where[] = "generate";

bool heed__generation_check(const char *name, heed_generation_step step, const heed_tensor *prompt, int64_t max_steps)
{
    if (!step)
        return heed_fail_false(HEED_ERR_ARGUMENT, name, "the step is NULL");
    if (!heed__layer_check_tensor(name, "the prompt", prompt, HEED_I64, HEED_SHAPE(-1, -1)))
        return false;
    if (heed_dim(prompt, 1) == 0)
        return heed_fail_false(HEED_ERR_SHAPE, name, "the prompt is %s: must have at least one token",
                               heed_shape_text(heed_shape_of(prompt)).s);
    return heed__layer_check_size(name, "max_steps", max_steps);
}

heed_tensor *heed__generation_call(const char *name, heed_generation_step step, void *user, heed_tensor *tokens,
                                   heed_tensor *rows)
{
    heed_callback call = heed_callback_begin("the step");
    heed_tensor *logits = step(tokens, rows, user);
    if (!heed_callback_end(&call))
        return NULL;
    if (!logits)
        return heed_fail_null(HEED_ERR_STATE, name, "the step returned NULL");
    const int64_t N = heed_dim(tokens, 0);
    const heed_shape shape = heed_shape_of(logits);
    if (shape.rank != 2 || shape.dims[0] != N || shape.dims[1] == 0)
        return heed_fail_null(HEED_ERR_SHAPE, name,
                              "the step returned %s for tokens of %" PRId64 " sequences: must be (%" PRId64 ", V)",
                              heed_shape_text(shape).s, N, N);
    return heed_dtype_is_float(heed_dtype_of(logits))
               ? logits
               : heed_fail_null(HEED_ERR_DTYPE, name, "the step returned %s: must be f32 or f64",
                                heed_dtype_name(heed_dtype_of(logits)));
}

heed_tensor *heed__generation_reserve(heed_tensor *tokens, int64_t t, int64_t max_steps)
{
    const int64_t capacity = heed_dim(tokens, 1);
    if (t < capacity)
        return tokens;
    heed_tensor *grown =
        heed_zeros(HEED_I64, HEED_SHAPE(heed_dim(tokens, 0), capacity < max_steps / 2 ? 2 * capacity : max_steps));
    return grown && heed_copy_(heed_slice(grown, 1, 0, capacity, 1), tokens) == HEED_OK ? grown : NULL;
}

/* Writes column t of `out` (B, steps): the chosen tokens (B), or `end` in sequences that have ended before. Returns
 * true if all sequences have ended. */
static bool write_column(heed_tensor *out, int64_t t, const heed_tensor *chosen, int64_t end)
{
    const int64_t B = heed_dim(out, 0), steps = heed_dim(out, 1), *from = heed_data_i64(chosen);
    int64_t *to = heed_mutable_i64(out), n_ended = 0;
    for (int64_t b = 0; b < B && from && to; b++) {
        int64_t *row = to + b * steps;
        const bool over = end >= 0 && t > 0 && row[t - 1] == end;
        row[t] = over ? end : from[b];
        n_ended += end >= 0 && row[t] == end;
    }
    return end >= 0 && n_ended == B;
}

heed_tensor *heed_generate(heed_generation_step step, void *user, heed_tensor *prompt, int64_t max_steps, int64_t end,
                           const heed_sample_options *options)
{
    HEED_ENTER(where);
    if (!heed__generation_check(where, step, prompt, max_steps))
        return NULL;
    const int64_t first = max_steps < HEED__GENERATION_CAPACITY ? max_steps : HEED__GENERATION_CAPACITY;
    heed_scope *scope = heed_no_grad_begin();
    heed_tensor *out = scope ? heed_zeros(HEED_I64, HEED_SHAPE(heed_dim(prompt, 0), first)) : NULL;
    int64_t t = 0;
    for (bool over = false; out && t < max_steps && !over; t++) {
        if (!(out = heed__generation_reserve(out, t, max_steps)))
            break;
        heed_scope *inner = heed_scope_begin();
        heed_tensor *tokens = t == 0 ? prompt : heed_slice(out, 1, t - 1, t, 1);
        heed_tensor *logits = inner && tokens ? heed__generation_call(where, step, user, tokens, NULL) : NULL;
        heed_tensor *chosen = logits ? heed_sample(logits, options) : NULL;
        over = chosen && write_column(out, t, chosen, end);
        out = chosen ? out : NULL;
        if (inner)
            heed_scope_end(inner);
    }
    heed_tensor *done = out ? heed_contiguous(heed_slice(out, 1, 0, t, 1)) : NULL;
    return scope ? heed_scope_return(scope, done) : NULL;
}
