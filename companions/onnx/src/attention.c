/* onnx/src/attention.c - ONNX forms of the ops in src/ops/attention, except kernel regression.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "visibility.h"

#include <math.h>

enum { Q, K, V };

/* -- Dot-product attention ----------------------------------------------------------------------------------------- */

/* Indices of the parameter visibility.at: at[i] is the index of an optional input in step->inputs, or -1 if it is
 * absent. The order is defined in src/ops/attention/visibility.h. */
enum { LENS, MASK, BIAS, RELATIVE_BIAS };

static int optional(heed__onnx_graph *g, const heed__onnx_step *step, int which)
{
    return (int)heed__onnx_param_at(g, step, "visibility.at", which);
}

/* If `inner`, permutes a tensor (B, rows, H, width) to (B, H, rows, width), or back. */
static heed__onnx_value heads_first(heed__onnx_graph *g, heed__onnx_value x, bool inner)
{
    return inner ? heed__onnx_permute(g, x, INT64S(0, 2, 1, 3)) : x;
}

/* Repeats the keys or values of G heads H / G times, to match the H heads of the queries. */
static heed__onnx_value shared_heads(heed__onnx_graph *g, const heed__onnx_step *step, int input, int64_t heads)
{
    const bool inner = heed__onnx_param(g, step, "heads_inner");
    const heed_shape x = heed__onnx_shape_in(step, input);
    heed__onnx_value y = heads_first(g, heed__onnx_in(g, step, input), inner);
    if (x.rank < 4 || x.dims[inner ? 2 : 1] == heads)
        return y;
    const int64_t b = x.dims[0], own = x.dims[inner ? 2 : 1], rows = x.dims[inner ? 1 : 2], width = x.dims[3];
    y = heed__onnx_reshape(g, y, HEED_SHAPE(b, own, 1, rows, width));
    y = heed__onnx_expand(g, y, HEED_SHAPE(1, 1, heads / own, 1, 1));
    return heed__onnx_reshape(g, y, HEED_SHAPE(b, heads, rows, width));
}

/* The visibility in scores of the shape `pairs`, (B, Q, K) or (B, H, Q, K). */
static heed__onnx_visibility visibility_of(heed__onnx_graph *g, const heed__onnx_step *step, heed_shape pairs)
{
    return (heed__onnx_visibility){.batch = pairs.dims[0],
                                   .heads = pairs.rank == 4 ? pairs.dims[1] : 1,
                                   .rows = pairs.dims[pairs.rank - 2],
                                   .keys = pairs.dims[pairs.rank - 1],
                                   .rank = pairs.rank,
                                   .causal = heed__onnx_param(g, step, "visibility.causal"),
                                   .window = heed__onnx_param(g, step, "visibility.window"),
                                   .offset = heed__onnx_param(g, step, "visibility.offset")};
}

/* The shape of the scores of dot-product attention. */
static heed_shape scores_shape(heed__onnx_graph *g, const heed__onnx_step *step)
{
    const heed_shape q = heed__onnx_shape_in(step, Q), k = heed__onnx_shape_in(step, K);
    if (q.rank == 3)
        return HEED_SHAPE(q.dims[0], q.dims[1], k.dims[1]);
    const bool inner = heed__onnx_param(g, step, "heads_inner");
    return HEED_SHAPE(q.dims[0], q.dims[inner ? 2 : 1], q.dims[inner ? 1 : 2], k.dims[inner ? 1 : 2]);
}

/* Expands rows (H, Q + K - 1), whose element Q - 1 + j - i belongs to query i and key j, to (H, Q, K). */
static heed__onnx_value spread(heed__onnx_graph *g, const heed__onnx_step *step, const heed__onnx_visibility *s,
                               int input)
{
    heed__onnx_value keys = heed__onnx_range(g, 0, s->keys, false);
    heed__onnx_value positions = heed__onnx_2(g, "Sub", keys, heed__onnx_range(g, 1 - s->rows, s->rows, true));
    return heed__onnx_node(g, "Gather", INPUTS(heed__onnx_in(g, step, input), positions), ATTRIBUTES(INT("axis", 1)));
}

enum { BIASES = 2 };

static void find_biases(heed__onnx_graph *g, const heed__onnx_step *step, const heed__onnx_visibility *s,
                        heed__onnx_value biases[BIASES])
{
    const int bias = optional(g, step, BIAS), relative_bias = optional(g, step, RELATIVE_BIAS);
    biases[0] = bias >= 0 ? heed__onnx_in(g, step, bias) : NONE;
    biases[1] = relative_bias >= 0 ? spread(g, step, s, relative_bias) : NONE;
}

static bool is_none(heed__onnx_value value)
{
    return value && !*value;
}

static heed__onnx_value scores_of(heed__onnx_graph *g, const heed__onnx_step *step, const heed__onnx_visibility *s,
                                  const heed__onnx_value biases[BIASES])
{
    const bool inner = heed__onnx_param(g, step, "heads_inner");
    heed__onnx_value scale = heed__onnx_number(g, heed__onnx_dtype_in(step), heed__onnx_real_param(g, step, "scale"));
    heed__onnx_value q = heed__onnx_2(g, "Mul", heads_first(g, heed__onnx_in(g, step, Q), inner), scale);
    heed__onnx_value k = heed__onnx_swap(g, shared_heads(g, step, K, s->heads), s->rank);
    heed__onnx_value scores = heed__onnx_2(g, "MatMul", q, k);
    for (int i = 0; i < BIASES; i++)
        scores = is_none(biases[i]) ? scores : heed__onnx_2(g, "Add", scores, biases[i]);
    return scores;
}

/* A bias of -inf hides a key like a mask. */
static heed__onnx_value visible_of(heed__onnx_graph *g, const heed__onnx_step *step, const heed__onnx_visibility *s,
                                   const heed__onnx_value biases[BIASES])
{
    const int mask = optional(g, step, MASK);
    heed__onnx_value visible = heed__onnx_visible(g, step, s, optional(g, step, LENS));
    if (mask >= 0)
        visible = heed__onnx_both(g, visible, heed__onnx_in(g, step, mask));
    for (int i = 0; i < BIASES; i++) {
        if (is_none(biases[i]))
            continue;
        heed__onnx_value hidden = heed__onnx_node(g, "IsInf", INPUTS(biases[i]), ATTRIBUTES(INT("detect_positive", 0)));
        visible = heed__onnx_both(g, visible, heed__onnx_1(g, "Not", hidden));
    }
    return visible;
}

heed__onnx_value heed__onnx_form_dot_product_attention(heed__onnx_graph *g, heed__onnx_step *step)
{
    if (heed__onnx_param(g, step, "drops"))
        return heed__onnx_no_form(g, step, "dropout is random; call heed_module_eval first");
    const bool inner = heed__onnx_param(g, step, "heads_inner");
    const heed__onnx_visibility visibility = visibility_of(g, step, scores_shape(g, step));
    heed__onnx_value biases[BIASES];
    find_biases(g, step, &visibility, biases);
    heed__onnx_value scores = scores_of(g, step, &visibility, biases),
                     visible = visible_of(g, step, &visibility, biases);
    heed__onnx_value weights = heed__onnx_visible_softmax(g, visible, scores, heed__onnx_dtype_in(step));
    return heads_first(g, heed__onnx_2(g, "MatMul", weights, shared_heads(g, step, V, visibility.heads)), inner);
}

/* Reduces i64 instead of bool, because ReduceMax refuses bool. If the batch is dynamic, expands only the other axes: a
 * batch size of 1, from a mask that all batch elements share, broadcasts. */
heed__onnx_value heed__onnx_form_attention_visible_keys(heed__onnx_graph *g, heed__onnx_step *step)
{
    heed_shape pairs = heed__onnx_shape_param(g, step, "pairs");
    const heed__onnx_visibility visibility = visibility_of(g, step, pairs);
    const int64_t axes[] = {1, 2};
    heed__onnx_value biases[BIASES];
    find_biases(g, step, &visibility, biases);
    heed__onnx_value visible = visible_of(g, step, &visibility, biases);
    visible = is_none(visible) ? heed__onnx_number(g, HEED_BOOL, 1) : visible;
    pairs.dims[0] = g->batch > 0 ? 1 : pairs.dims[0];
    visible = heed__onnx_expand(g, heed__onnx_cast(g, visible, HEED_I64), pairs);
    visible = heed__onnx_node(g, "ReduceMax", INPUTS(visible),
                              ATTRIBUTES(INTS("axes", axes, pairs.rank - 2), INT("keepdims", 0)));
    return heed__onnx_cast(g, visible, HEED_BOOL);
}

/* -- Ops of attentions that return their weights ------------------------------------------------------------------- */

/* w . tanh(a_i + b_j): a (N, Q, h), b (N, K, h), w (h) */
heed__onnx_value heed__onnx_form_additive_scores(heed__onnx_graph *g, heed__onnx_step *step)
{
    const int64_t units = heed__onnx_shape_in(step, 0).dims[2];
    heed__onnx_value a = heed__onnx_2(g, "Unsqueeze", heed__onnx_in(g, step, 0), heed__onnx_int64s(g, INT64S(2)));
    heed__onnx_value b = heed__onnx_2(g, "Unsqueeze", heed__onnx_in(g, step, 1), heed__onnx_int64s(g, INT64S(1)));
    heed__onnx_value features = heed__onnx_1(g, "Tanh", heed__onnx_2(g, "Add", a, b));
    heed__onnx_value w = heed__onnx_reshape(g, heed__onnx_in(g, step, 2), HEED_SHAPE(units, 1));
    return heed__onnx_reshape(g, heed__onnx_2(g, "MatMul", features, w), heed_shape_of(step->outputs[0]));
}

/* SCORES are scores, with 0 for hidden pairs of a row and a key. POOL multiplies weights, which are 0 for hidden keys,
 * by values. */
heed__onnx_value heed__onnx_form_masked_bmm(heed__onnx_graph *g, heed__onnx_step *step)
{
    enum { SCORES, POOL, SPREAD }; /* the order in masked_bmm.c */
    const int64_t product = heed__onnx_param(g, step, "product");
    const heed_shape a = heed__onnx_shape_in(step, 0), b = heed__onnx_shape_in(step, 1);
    heed__onnx_value x = heed__onnx_in(g, step, 0), y = heed__onnx_in(g, step, 1);
    if (product == SPREAD)
        return heed__onnx_no_form(g, step, "it computes a gradient");
    if (product == POOL)
        return heed__onnx_2(g, "MatMul", x, y);
    const heed__onnx_visibility visibility = {.batch = a.dims[0],
                                              .heads = 1,
                                              .rows = a.dims[1],
                                              .keys = b.dims[1],
                                              .rank = 3,
                                              .causal = heed__onnx_param(g, step, "causal")};
    heed__onnx_value visible = heed__onnx_visible(g, step, &visibility, step->n_inputs > 2 ? 2 : -1);
    return heed__onnx_where_visible(g, visible, heed__onnx_2(g, "MatMul", x, heed__onnx_swap(g, y, 3)),
                                    heed__onnx_dtype_in(step), 0);
}

/* -- Rotary embedding ---------------------------------------------------------------------------------------------- */

/* The cosines (`which` is 0) or sines (1) of the table (P, T, 2, pairs), in a shape that broadcasts to the pairs of
 * x. */
static heed__onnx_value rotations(heed__onnx_graph *g, const heed__onnx_step *step, int which)
{
    const heed_shape x = heed__onnx_shape_in(step, 0), t = heed__onnx_shape_in(step, 1);
    const int64_t p = t.dims[0], rows = t.dims[1], pairs = t.dims[3];
    const bool inner = heed__onnx_param(g, step, "inner");
    heed__onnx_value half = heed__onnx_slice(g, heed__onnx_in(g, step, 1), 2, which, which + 1, 1);
    return heed__onnx_reshape(g, half,
                              x.rank == 3 ? HEED_SHAPE(p, rows, pairs)
                              : inner     ? HEED_SHAPE(p, rows, 1, pairs)
                                          : HEED_SHAPE(p, 1, rows, pairs));
}

/* Joins the first and second numbers of all pairs, interleaved or as two halves: (..., 2 pairs). */
static heed__onnx_value join(heed__onnx_graph *g, const heed__onnx_step *step, heed__onnx_value a, heed__onnx_value b,
                             int64_t pairs)
{
    if (!heed__onnx_param(g, step, "interleaved"))
        return heed__onnx_node(g, "Concat", INPUTS(a, b), ATTRIBUTES(INT("axis", -1)));
    heed_shape shape = heed__onnx_shape_in(step, 0);
    shape.dims[shape.rank - 1] = 2 * pairs;
    heed__onnx_value last = heed__onnx_int64s(g, INT64S(-1));
    heed__onnx_value both = heed__onnx_node(
        g, "Concat", INPUTS(heed__onnx_2(g, "Unsqueeze", a, last), heed__onnx_2(g, "Unsqueeze", b, last)),
        ATTRIBUTES(INT("axis", -1)));
    return heed__onnx_reshape(g, both, shape);
}

/* Rotates (a, b) to (a cos - b sin, b cos + a sin). */
heed__onnx_value heed__onnx_form_rope(heed__onnx_graph *g, heed__onnx_step *step)
{
    const heed_shape shape = heed__onnx_shape_in(step, 0);
    const int64_t pairs = heed__onnx_shape_in(step, 1).dims[3], width = shape.dims[shape.rank - 1];
    const bool apart = heed__onnx_param(g, step, "interleaved");
    if (heed__onnx_param(g, step, "back"))
        return heed__onnx_no_form(g, step, "it computes a gradient");
    heed__onnx_value x = heed__onnx_in(g, step, 0), cos = rotations(g, step, 0), sin = rotations(g, step, 1);
    heed__onnx_value a = heed__onnx_slice(g, x, -1, 0, apart ? 2 * pairs : pairs, apart ? 2 : 1);
    heed__onnx_value b = heed__onnx_slice(g, x, -1, apart ? 1 : pairs, 2 * pairs, apart ? 2 : 1);
    heed__onnx_value u = heed__onnx_2(g, "Sub", heed__onnx_2(g, "Mul", a, cos), heed__onnx_2(g, "Mul", b, sin));
    heed__onnx_value v = heed__onnx_2(g, "Add", heed__onnx_2(g, "Mul", b, cos), heed__onnx_2(g, "Mul", a, sin));
    heed__onnx_value turned = join(g, step, u, v, pairs);
    if (2 * pairs == width)
        return turned;
    return heed__onnx_node(g, "Concat", INPUTS(turned, heed__onnx_slice(g, x, -1, 2 * pairs, width, 1)),
                           ATTRIBUTES(INT("axis", -1)));
}
