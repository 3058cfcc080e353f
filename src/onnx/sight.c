/* onnx/sight.c - masks of visible keys, and the ONNX forms of masked_softmax and sequence_mask. */

#include "onnx/sight.h"

#include <math.h>

/* -- Visible keys -------------------------------------------------------------------------------------------------- */

heed__onnx_value heed__onnx_both(heed__onnx_graph *g, heed__onnx_value a, heed__onnx_value b)
{
    if (!a || !b || !*a || !*b)
        return a && b && !*a ? b : b ? a : NULL;
    return heed__onnx_2(g, "And", a, b);
}

/* Compares lengths (B) or (B, Q) with key positions: (B, 1, Q or 1, K), which the heads share. */
static heed__onnx_value below_lengths(heed__onnx_graph *g, const heed__onnx_step *step, const heed__onnx_sight *s,
                                      int input)
{
    const heed_shape lens = heed__onnx_shape_in(step, input);
    const int64_t batch = lens.dims[0], rows = lens.rank == 2 ? lens.dims[1] : 1;
    const bool folded = s->rank == 3 && batch != s->batch;
    const heed_shape column = s->rank == 4 || folded ? HEED_SHAPE(batch, 1, rows, 1) : HEED_SHAPE(batch, rows, 1);
    heed__onnx_value seen = heed__onnx_2(g, "Less", heed__onnx_range(g, 0, s->keys, false),
                                         heed__onnx_reshape(g, heed__onnx_in(g, step, input), column));
    if (!folded)
        return seen;
    const int64_t heads = batch > 0 ? s->batch / batch : 1;
    seen = heed__onnx_expand(g, seen, HEED_SHAPE(1, heads, 1, 1));
    return heed__onnx_reshape(g, seen, HEED_SHAPE(s->batch, rows, s->keys));
}

/* Key j is visible from query i if j <= i + offset (causal) and |i + offset - j| < window. */
static heed__onnx_value near(heed__onnx_graph *g, const heed__onnx_sight *s)
{
    heed__onnx_value places = heed__onnx_range(g, s->offset, s->rows, true);
    heed__onnx_value keys = heed__onnx_range(g, 0, s->keys, false);
    heed__onnx_value seen = s->causal ? heed__onnx_2(g, "LessOrEqual", keys, places) : NONE;
    if (s->window == 0)
        return seen;
    heed__onnx_value far = heed__onnx_1(g, "Abs", heed__onnx_2(g, "Sub", places, keys));
    return heed__onnx_both(g, seen, heed__onnx_2(g, "Less", far, heed__onnx_whole(g, s->window)));
}

heed__onnx_value heed__onnx_seen(heed__onnx_graph *g, const heed__onnx_step *step, const heed__onnx_sight *sight,
                                 int input)
{
    heed__onnx_value seen = NONE;
    if (input > 0)
        seen = heed_dtype_of(step->inputs[input]) == HEED_BOOL ? heed__onnx_in(g, step, input)
                                                               : below_lengths(g, step, sight, input);
    return sight->causal || sight->window > 0 ? heed__onnx_both(g, seen, near(g, sight)) : seen;
}

heed__onnx_value heed__onnx_where_seen(heed__onnx_graph *g, heed__onnx_value seen, heed__onnx_value x, heed_dtype dtype,
                                       double other)
{
    if (!seen || !*seen)
        return seen ? x : NULL;
    return heed__onnx_3(g, "Where", seen, x, heed__onnx_number(g, dtype, other));
}

/* A row without visible keys is NaN after the Softmax, and 0 at the end. */
heed__onnx_value heed__onnx_seen_softmax(heed__onnx_graph *g, heed__onnx_value seen, heed__onnx_value x,
                                         heed_dtype dtype)
{
    heed__onnx_value y = heed__onnx_node(
        g, "Softmax", INPUTS(heed__onnx_where_seen(g, seen, x, dtype, -(double)INFINITY)), ATTRIBUTES(INT("axis", -1)));
    return heed__onnx_where_seen(g, seen, y, dtype, 0);
}

/* -- Forms --------------------------------------------------------------------------------------------------------- */

heed__onnx_value heed__onnx_form_masked_softmax(heed__onnx_graph *g, heed__onnx_step *step)
{
    const heed_shape x = heed__onnx_shape_in(step, 0);
    const heed__onnx_sight sight = {.batch = x.dims[0],
                                    .heads = 1,
                                    .rows = x.dims[1],
                                    .keys = x.dims[2],
                                    .rank = 3,
                                    .causal = heed__onnx_param(g, step, "causal")};
    heed__onnx_value seen = heed__onnx_seen(g, step, &sight, step->n_inputs > 1 ? 1 : 0);
    return heed__onnx_seen_softmax(g, seen, heed__onnx_in(g, step, 0), heed__onnx_dtype_in(step));
}

/* The number of visible steps per row, (n), or for all rows: the longest of its queries. A causal query sees no key
 * after itself. */
static heed__onnx_value longest(heed__onnx_graph *g, heed__onnx_step *step)
{
    const int64_t last = 1;
    const bool causal = heed__onnx_param(g, step, "causal");
    const int64_t queries = heed__onnx_param(g, step, "queries");
    if (step->n_inputs < 2)
        return heed__onnx_whole(g, queries);
    heed__onnx_value lens = heed__onnx_in(g, step, 1);
    if (heed__onnx_shape_in(step, 1).rank < 2)
        return causal ? heed__onnx_2(g, "Min", lens, heed__onnx_whole(g, queries)) : lens;
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
    heed__onnx_value places = heed__onnx_reshape(g, heed__onnx_range(g, 0, x.dims[1], false), steps);
    heed__onnx_value seen = heed__onnx_2(g, "Less", places, heed__onnx_reshape(g, longest(g, step), column));
    return heed__onnx_where_seen(g, seen, heed__onnx_in(g, step, 0), heed__onnx_dtype_in(step),
                                 heed__onnx_real_param(g, step, "value"));
}
