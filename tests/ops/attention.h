/* tests/ops/attention.h - shared by the cases of the attention ops.
 *
 * In a case, i[] is: whether the last input is the lengths, causal, the tested output, which of mask, bias, slopes
 * and relative bias are the inputs before that, window, query_offset; p[] is the scale and the probability of
 * dropout, whose generator restarts in every run.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_OPS_ATTENTION_H
#define HEED_TESTS_OPS_ATTENTION_H

#include "functions.h"

enum { RESULT, WEIGHTS, BOTH };
enum { MASK = 1, BIAS = 2, SLOPES = 4, RELATIVE = 8 };

typedef heed_tensor *attention_fn(heed_tensor *const *in, const heed_attention_options *options, heed_tensor **weights);

static inline heed_tensor *run_attention(attention_fn *attention, heed_tensor *const *in, const op_case *c)
{
    heed_tensor *weights = NULL;
    heed_generator *g = c->p[1] > 0 ? heed_generator_new(7) : NULL;
    if (c->p[1] > 0 && !g)
        return NULL;
    heed_tensor *const *next = in + c->n_inputs;
    heed_attention_options options = {.valid_lens = c->i[0] ? *--next : NULL,
                                      .causal = c->i[1],
                                      .scale = c->p[0],
                                      .dropout = c->p[1],
                                      .generator = g,
                                      .window = c->i[4],
                                      .query_offset = c->i[5]};
    options.relative_bias = c->i[3] & RELATIVE ? *--next : NULL;
    options.slopes = c->i[3] & SLOPES ? *--next : NULL;
    options.bias = c->i[3] & BIAS ? *--next : NULL;
    options.mask = c->i[3] & MASK ? *--next : NULL;
    heed_tensor *y = attention(in, &options, c->i[2] == RESULT ? NULL : &weights);
    heed_generator_free(g);
    if (!y || c->i[2] == RESULT)
        return y;
    return c->i[2] == WEIGHTS ? weights : heed_add(y, heed_sum(heed_square(weights)));
}

/* An input of a case; its dims come last because they contain commas. Lengths are 0 .. keys. */
#define FLOATS(...)                                                                                                    \
    {                                                                                                                  \
        .shape = __VA_ARGS__, .low = -1.5, .high = 1.5                                                                 \
    }
#define CONSTANTS(...)                                                                                                 \
    {                                                                                                                  \
        .shape = __VA_ARGS__, .kind = OP_CONSTANT                                                                      \
    }
#define MASKS(...)                                                                                                     \
    {                                                                                                                  \
        .shape = __VA_ARGS__, .kind = OP_MASK                                                                          \
    }
#define LENGTHS(keys, ...)                                                                                             \
    {                                                                                                                  \
        .shape = __VA_ARGS__, .kind = OP_INDEX, .high = (keys) + 1                                                     \
    }

#define ONES(...) heed_ones(HEED_F64, HEED_SHAPE(__VA_ARGS__))
#define OPTIONS(...) (&(heed_attention_options){__VA_ARGS__})
#define LENS(...) HEED_TENSOR(HEED_I64, __VA_ARGS__)

#endif
