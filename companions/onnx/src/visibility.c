/* onnx/src/visibility.c - masks of visible keys, and the ONNX forms of masked_softmax and sequence_mask.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "visibility.h"

#include <math.h>

/* -- Visible keys -------------------------------------------------------------------------------------------------- */

heed__onnx_value heed__onnx_both(heed__onnx_graph *g, heed__onnx_value a, heed__onnx_value b)
{
    if (!a || !b || !*a || !*b)
        return a && b && !*a ? b : b ? a : NULL;
    return heed__onnx_2(g, "And", a, b);
}

/* The mask of the keys below lengths (B) or (B, Q). At rank 4 it is (B, 1, Q or 1, K), which the heads share. At rank 3
 * it is (B, Q or 1, K); if the batch of the scores includes heads, every row is repeated for its heads. */
static heed__onnx_value below_lengths(heed__onnx_graph *g, const heed__onnx_step *step, const heed__onnx_visibility *s,
                                      int input)
{
    const heed_shape lens = heed__onnx_shape_in(step, input);
    const int64_t batch = lens.dims[0], rows = lens.rank == 2 ? lens.dims[1] : 1;
    const bool folded = s->rank == 3 && batch != s->batch;
    const heed_shape column = s->rank == 4 || folded ? HEED_SHAPE(batch, 1, rows, 1) : HEED_SHAPE(batch, rows, 1);
    heed__onnx_value visible = heed__onnx_2(g, "Less", heed__onnx_range(g, 0, s->keys, false),
                                            heed__onnx_reshape(g, heed__onnx_in(g, step, input), column));
    if (!folded)
        return visible;
    const int64_t heads = batch > 0 ? s->batch / batch : 1;
    visible = heed__onnx_expand(g, visible, HEED_SHAPE(1, heads, 1, 1));
    return heed__onnx_reshape(g, visible, HEED_SHAPE(s->batch, rows, s->keys));
}

/* Key j is visible from query i if j <= i + offset (causal) and |i + offset - j| < window. */
static heed__onnx_value near(heed__onnx_graph *g, const heed__onnx_visibility *s)
{
    heed__onnx_value positions = heed__onnx_range(g, s->offset, s->rows, true);
    heed__onnx_value keys = heed__onnx_range(g, 0, s->keys, false);
    heed__onnx_value visible = s->causal ? heed__onnx_2(g, "LessOrEqual", keys, positions) : NONE;
    if (s->window == 0)
        return visible;
    heed__onnx_value far = heed__onnx_1(g, "Abs", heed__onnx_2(g, "Sub", positions, keys));
    return heed__onnx_both(g, visible, heed__onnx_2(g, "Less", far, heed__onnx_int64(g, s->window)));
}

heed__onnx_value heed__onnx_visible(heed__onnx_graph *g, const heed__onnx_step *step,
                                    const heed__onnx_visibility *visibility, int input)
{
    heed__onnx_value visible = NONE;
    if (input >= 0)
        visible = heed_dtype_of(step->inputs[input]) == HEED_BOOL ? heed__onnx_in(g, step, input)
                                                                  : below_lengths(g, step, visibility, input);
    return visibility->causal || visibility->window > 0 ? heed__onnx_both(g, visible, near(g, visibility)) : visible;
}

heed__onnx_value heed__onnx_where_visible(heed__onnx_graph *g, heed__onnx_value visible, heed__onnx_value x,
                                          heed_dtype dtype, double other)
{
    if (!visible || !*visible)
        return visible ? x : NULL;
    return heed__onnx_3(g, "Where", visible, x, heed__onnx_number(g, dtype, other));
}

/* After the Softmax, a row without visible keys is NaN; the Where replaces it by 0. */
heed__onnx_value heed__onnx_visible_softmax(heed__onnx_graph *g, heed__onnx_value visible, heed__onnx_value x,
                                            heed_dtype dtype)
{
    heed__onnx_value y =
        heed__onnx_node(g, "Softmax", INPUTS(heed__onnx_where_visible(g, visible, x, dtype, -(double)INFINITY)),
                        ATTRIBUTES(INT("axis", -1)));
    return heed__onnx_where_visible(g, visible, y, dtype, 0);
}

/* -- Forms --------------------------------------------------------------------------------------------------------- */

heed__onnx_value heed__onnx_form_masked_softmax(heed__onnx_graph *g, heed__onnx_step *step)
{
    const heed_shape x = heed__onnx_shape_in(step, 0);
    const heed__onnx_visibility visibility = {.batch = x.dims[0],
                                              .heads = 1,
                                              .rows = x.dims[1],
                                              .keys = x.dims[2],
                                              .rank = 3,
                                              .causal = heed__onnx_param(g, step, "causal")};
    heed__onnx_value visible = heed__onnx_visible(g, step, &visibility, step->n_inputs > 1 ? 1 : -1);
    return heed__onnx_visible_softmax(g, visible, heed__onnx_in(g, step, 0), heed__onnx_dtype_in(step));
}

/* The number of leading steps that at least one query of a row sees: (n), or a scalar for all rows. A causal query sees
 * no key after itself. */
static heed__onnx_value longest(heed__onnx_graph *g, heed__onnx_step *step)
{
    const int64_t last = 1;
    const bool causal = heed__onnx_param(g, step, "causal");
    const int64_t queries = heed__onnx_param(g, step, "queries");
    if (step->n_inputs < 2)
        return heed__onnx_int64(g, queries);
    heed__onnx_value lens = heed__onnx_in(g, step, 1);
    if (heed__onnx_shape_in(step, 1).rank < 2)
        return causal ? heed__onnx_2(g, "Min", lens, heed__onnx_int64(g, queries)) : lens;
    if (causal)
        lens = heed__onnx_2(g, "Min", lens, heed__onnx_range(g, 1, queries, false));
    return heed__onnx_node(g, "ReduceMax", INPUTS(lens), ATTRIBUTES(INTS("axes", &last, 1), INT("keepdims", 0)));
}

heed__onnx_value heed__onnx_form_sequence_mask(heed__onnx_graph *g, heed__onnx_step *step)
{
    const heed_shape x = heed__onnx_shape_in(step, 0);
    heed_shape column = {.rank = x.rank}, steps = {.rank = x.rank};
    for (int axis = 0; axis < x.rank; axis++) {
        column.dims[axis] = axis == 0 && step->n_inputs > 1 ? x.dims[0] : 1;
        steps.dims[axis] = axis == 1 ? x.dims[1] : 1;
    }
    heed__onnx_value positions = heed__onnx_reshape(g, heed__onnx_range(g, 0, x.dims[1], false), steps);
    heed__onnx_value visible = heed__onnx_2(g, "Less", positions, heed__onnx_reshape(g, longest(g, step), column));
    return heed__onnx_where_visible(g, visible, heed__onnx_in(g, step, 0), heed__onnx_dtype_in(step),
                                    heed__onnx_real_param(g, step, "value"));
}
