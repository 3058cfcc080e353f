/* tests/fuzz/shape_rules.c - the views and copies of heed/ops.h, each with the rule that the library must follow.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "shapes.h"

#include <string.h>

/* -- Positions -------------------------------------------------------------------------------------------------- */

heed_shape position_of(int64_t i, heed_shape shape)
{
    heed_shape at = {.rank = shape.rank};
    for (int axis = shape.rank - 1; axis >= 0; axis--) {
        at.dims[axis] = i % shape.dims[axis];
        i /= shape.dims[axis];
    }
    return at;
}

int64_t index_of(heed_shape at, heed_shape shape)
{
    int64_t i = 0;
    for (int axis = 0; axis < shape.rank; axis++)
        i = i * shape.dims[axis] + at.dims[axis];
    return i;
}

heed_shape small_shape(fuzz_input *in)
{
    heed_shape shape = {.rank = (int)fuzz_pick(in, 0, 4)};
    for (int i = 0; i < shape.rank; i++)
        shape.dims[i] = fuzz_pick(in, 0, 15) * 5 / 16;
    return shape;
}

/* A shape that may be invalid. */
static heed_shape any_shape(fuzz_input *in)
{
    uint8_t kind = fuzz_byte(in);
    heed_shape shape = small_shape(in);
    if (kind >= 192)
        shape.rank = (int)fuzz_pick(in, -1, HEED_MAX_RANK + 1);
    if (kind >= 128)
        for (int i = 0; i < HEED_MAX_RANK; i++)
            shape.dims[i] = fuzz_byte(in) % 3 ? 1 : fuzz_int(in);
    return shape;
}

/* The axis that a number names; -1 if it is out of range. */
static int named_axis(int64_t axis, int rank)
{
    if (axis < -rank || axis >= rank)
        return -1;
    return (int)(axis < 0 ? axis + rank : axis);
}

/* An axis to pass to the library, possibly out of range: any int. */
static int any_axis(fuzz_input *in)
{
    return (int)fuzz_int(in);
}

static bool fits(heed_shape shape)
{
    return heed_shape_numel(shape) >= 0;
}

/* -- Reshape and the axes of size 1: the elements keep their order ------------------------------------------------- */

static heed_shape in_order(heed_shape at, heed_shape from, const plan *p)
{
    return position_of(index_of(at, p->shape), from);
}

/* Fills in the dim -1, and returns whether the shape has n elements. */
static bool complete(heed_shape *shape, int64_t n)
{
    int free_axis = -1;
    heed_shape rest = *shape;
    if (shape->rank < 0 || shape->rank > HEED_MAX_RANK)
        return false;
    for (int i = 0; i < shape->rank; i++)
        if (shape->dims[i] == -1) {
            if (free_axis >= 0)
                return false;
            free_axis = i;
            rest.dims[i] = 1;
        }
    int64_t known = heed_shape_numel(rest);
    if (free_axis < 0)
        return known == n;
    if (known <= 0 || n % known != 0)
        return false;
    shape->dims[free_axis] = n / known;
    return true;
}

static heed_tensor *reshape_step(fuzz_input *in, heed_tensor *x, heed_shape shape, plan *p)
{
    heed_shape wanted = any_shape(in);
    if (fuzz_byte(in) & 1 && wanted.rank > 0 && wanted.rank <= HEED_MAX_RANK)
        wanted.dims[fuzz_pick(in, 0, wanted.rank - 1)] = -1;
    p->shape = wanted;
    p->valid = complete(&p->shape, heed_shape_numel(shape));
    p->source = in_order;
    return heed_reshape(x, wanted);
}

static heed_tensor *squeeze_step(fuzz_input *in, heed_tensor *x, heed_shape shape, plan *p)
{
    int given = any_axis(in), axis = named_axis(given, shape.rank);
    *p = (plan){.valid = axis >= 0 && shape.dims[axis] == 1, .view = true, .shape = shape, .source = in_order};
    if (p->valid) {
        p->shape.rank--;
        memmove(p->shape.dims + axis, p->shape.dims + axis + 1, (size_t)(p->shape.rank - axis) * sizeof shape.dims[0]);
    }
    return heed_squeeze(x, given);
}

static heed_tensor *unsqueeze_step(fuzz_input *in, heed_tensor *x, heed_shape shape, plan *p)
{
    int given = any_axis(in), axis = named_axis(given, shape.rank + 1);
    *p = (plan){.valid = axis >= 0 && shape.rank < HEED_MAX_RANK, .view = true, .shape = shape, .source = in_order};
    if (p->valid) {
        memmove(p->shape.dims + axis + 1, p->shape.dims + axis, (size_t)(shape.rank - axis) * sizeof shape.dims[0]);
        p->shape.dims[axis] = 1;
        p->shape.rank++;
    }
    return heed_unsqueeze(x, given);
}

/* -- The order of axes ------------------------------------------------------------------------------------------ */

/* number[i]: the axis of the source that becomes axis i. */
static heed_shape permuted(heed_shape at, heed_shape from, const plan *p)
{
    heed_shape source = {.rank = from.rank};
    for (int i = 0; i < at.rank; i++)
        source.dims[p->number[i]] = at.dims[i];
    return source;
}

static heed_tensor *permute_step(fuzz_input *in, heed_tensor *x, heed_shape shape, plan *p)
{
    heed_shape order = {.rank = fuzz_byte(in) % 8 ? shape.rank : (int)fuzz_pick(in, -1, 9)};
    bool taken[HEED_MAX_RANK] = {false};
    *p = (plan){.valid = order.rank == shape.rank, .view = true, .shape = shape, .source = permuted};
    for (int i = 0; i < HEED_MAX_RANK; i++)
        order.dims[i] = fuzz_int(in);
    for (int i = 0; p->valid && i < order.rank; i++) {
        int axis = named_axis(order.dims[i], shape.rank);
        p->valid = axis >= 0 && !taken[axis];
        if (p->valid) {
            taken[axis] = true;
            p->number[i] = axis;
            p->shape.dims[i] = shape.dims[axis];
        }
    }
    return heed_permute(x, order);
}

static heed_tensor *transpose_step(fuzz_input *in, heed_tensor *x, heed_shape shape, plan *p)
{
    int given_a = any_axis(in), given_b = any_axis(in);
    int a = named_axis(given_a, shape.rank), b = named_axis(given_b, shape.rank);
    *p = (plan){.valid = a >= 0 && b >= 0, .view = true, .shape = shape, .source = permuted};
    for (int i = 0; i < shape.rank; i++)
        p->number[i] = i == a ? b : i == b ? a : i;
    for (int i = 0; p->valid && i < shape.rank; i++)
        p->shape.dims[i] = shape.dims[p->number[i]];
    return heed_transpose(x, given_a, given_b);
}

/* -- Parts of an axis ------------------------------------------------------------------------------------------- */

/* number: start, step */
static heed_shape sliced(heed_shape at, heed_shape from, const plan *p)
{
    (void)from;
    at.dims[p->axis] = p->number[0] + at.dims[p->axis] * p->number[1];
    return at;
}

/* Python's rule: a negative bound counts from the end, and is clipped. */
static int64_t bound(int64_t at, int64_t n)
{
    if (at < 0)
        return at < -n ? 0 : at + n;
    return at > n ? n : at;
}

static heed_tensor *slice_step(fuzz_input *in, heed_tensor *x, heed_shape shape, plan *p)
{
    int given = any_axis(in);
    int64_t start = fuzz_int(in), stop = fuzz_int(in), step = fuzz_int(in);
    *p = (plan){.axis = named_axis(given, shape.rank), .view = true, .shape = shape, .source = sliced};
    p->valid = p->axis >= 0 && step >= 1;
    if (p->valid) {
        int64_t n = shape.dims[p->axis], first = bound(start, n), length = bound(stop, n) - first;
        p->shape.dims[p->axis] = length > 0 ? (length - 1) / step + 1 : 0; /* perhaps 2^62, next to an empty axis */
        p->number[0] = first;
        p->number[1] = step;
    }
    return heed_slice(x, given, start, stop, step);
}

static heed_shape unsliced(heed_shape at, heed_shape from, const plan *p)
{
    int64_t away = at.dims[p->axis] - p->number[0], i = away / p->number[1];
    if (away < 0 || away % p->number[1] != 0 || i >= from.dims[p->axis])
        return (heed_shape){.rank = -1};
    at.dims[p->axis] = i;
    return at;
}

static heed_tensor *unslice_step(fuzz_input *in, heed_tensor *x, heed_shape shape, plan *p)
{
    int given = any_axis(in);
    int64_t start = fuzz_int(in), step = fuzz_int(in), size = fuzz_int(in);
    *p = (plan){.axis = named_axis(given, shape.rank), .shape = shape, .source = unsliced, .number = {start, step}};
    p->valid = p->axis >= 0 && step >= 1 && size >= 0 && start >= 0;
    if (p->valid) {
        int64_t n = shape.dims[p->axis], last;
        p->shape.dims[p->axis] = size;
        p->valid = fits(p->shape) && (n == 0 ? start <= size
                                             : !__builtin_mul_overflow(n - 1, step, &last) &&
                                                   !__builtin_add_overflow(last, start, &last) && last < size);
    }
    return heed_unslice(x, given, start, step, size);
}

static heed_shape selected(heed_shape at, heed_shape from, const plan *p)
{
    heed_shape source = {.rank = from.rank};
    for (int i = 0; i < from.rank; i++)
        source.dims[i] = i == p->axis ? p->number[0] : at.dims[i - (i > p->axis)];
    return source;
}

static heed_tensor *select_step(fuzz_input *in, heed_tensor *x, heed_shape shape, plan *p)
{
    int given = any_axis(in);
    int64_t index = fuzz_int(in);
    *p = (plan){.axis = named_axis(given, shape.rank), .view = true, .source = selected};
    p->valid = p->axis >= 0 && index >= -shape.dims[p->axis] && index < shape.dims[p->axis];
    if (p->valid) {
        p->number[0] = index < 0 ? index + shape.dims[p->axis] : index;
        p->shape.rank = shape.rank - 1;
        for (int i = 0; i < p->shape.rank; i++)
            p->shape.dims[i] = shape.dims[i + (i >= p->axis)];
    }
    return heed_select(x, given, index);
}

/* number[i]: whether axis i is reversed */
static heed_shape flipped(heed_shape at, heed_shape from, const plan *p)
{
    for (int i = 0; i < at.rank; i++)
        at.dims[i] = p->number[i] ? from.dims[i] - 1 - at.dims[i] : at.dims[i];
    return at;
}

static heed_tensor *flip_step(fuzz_input *in, heed_tensor *x, heed_shape shape, plan *p)
{
    heed_shape axes = {.rank = (int)fuzz_pick(in, -1, 4)};
    *p = (plan){.valid = axes.rank >= 0, .view = true, .shape = shape, .source = flipped};
    for (int i = 0; i < axes.rank; i++) {
        axes.dims[i] = fuzz_int(in);
        int axis = named_axis(axes.dims[i], shape.rank);
        p->valid = p->valid && axis >= 0 && p->number[axis] == 0;
        if (axis >= 0)
            p->number[axis] = 1;
    }
    return heed_flip(x, axes);
}

/* -- Copies of elements ----------------------------------------------------------------------------------------- */

static heed_shape expanded(heed_shape at, heed_shape from, const plan *p)
{
    (void)p;
    heed_shape source = {.rank = from.rank};
    for (int i = 0; i < from.rank; i++)
        source.dims[i] = from.dims[i] == 1 ? 0 : at.dims[at.rank - from.rank + i];
    return source;
}

static heed_tensor *expand_step(fuzz_input *in, heed_tensor *x, heed_shape shape, plan *p)
{
    heed_shape wanted = any_shape(in);
    for (int i = 1; fuzz_byte(in) % 8 && i <= shape.rank && i <= wanted.rank && wanted.rank <= HEED_MAX_RANK; i++)
        if (shape.dims[shape.rank - i] != 1)
            wanted.dims[wanted.rank - i] = shape.dims[shape.rank - i];
    *p = (plan){.valid = fits(wanted) && wanted.rank >= shape.rank, .view = true, .shape = wanted, .source = expanded};
    for (int i = 1; p->valid && i <= shape.rank; i++) {
        int64_t from = shape.dims[shape.rank - i];
        p->valid = from == 1 || from == wanted.dims[wanted.rank - i];
    }
    return heed_expand(x, wanted);
}

/* number[0]: number of repeats */
static heed_shape interleaved(heed_shape at, heed_shape from, const plan *p)
{
    (void)from;
    at.dims[p->axis] /= p->number[0];
    return at;
}

static heed_tensor *repeat_step(fuzz_input *in, heed_tensor *x, heed_shape shape, plan *p)
{
    int given = any_axis(in);
    int64_t times = fuzz_int(in);
    *p = (plan){.axis = named_axis(given, shape.rank), .shape = shape, .source = interleaved, .number = {times}};
    p->valid = p->axis >= 0 && times >= 0 &&
               !__builtin_mul_overflow(shape.dims[p->axis], times, &p->shape.dims[p->axis]) && fits(p->shape);
    return heed_repeat_interleave(x, given, times);
}

static heed_shape repeated(heed_shape at, heed_shape from, const plan *p)
{
    (void)p;
    heed_shape source = {.rank = from.rank};
    for (int i = 0; i < from.rank; i++)
        source.dims[i] = at.dims[at.rank - from.rank + i] % from.dims[i];
    return source;
}

static heed_tensor *tile_step(fuzz_input *in, heed_tensor *x, heed_shape shape, plan *p)
{
    heed_shape times = any_shape(in);
    bool sound = times.rank >= 0 && times.rank <= HEED_MAX_RANK;
    *p = (plan){.valid = sound, .source = repeated};
    p->shape.rank = sound && times.rank > shape.rank ? times.rank : shape.rank;
    for (int i = 1; sound && i <= p->shape.rank; i++) {
        int64_t n = i <= shape.rank ? shape.dims[shape.rank - i] : 1;
        int64_t t = i <= times.rank ? times.dims[times.rank - i] : 1;
        bool product = t >= 0 && !__builtin_mul_overflow(n, t, &p->shape.dims[p->shape.rank - i]);
        p->valid = p->valid && product;
    }
    p->valid = p->valid && fits(p->shape);
    return heed_tile(x, times);
}

static heed_tensor *concat_step(fuzz_input *in, heed_tensor *x, heed_shape shape, plan *p)
{
    int given = any_axis(in), n = (int)fuzz_pick(in, 0, 3);
    *p = (plan){.axis = named_axis(given, shape.rank), .shape = shape, .source = repeated};
    p->valid = p->axis >= 0 && n >= 1 && !__builtin_mul_overflow(shape.dims[p->axis], n, &p->shape.dims[p->axis]) &&
               fits(p->shape);
    return heed_concat((heed_tensor *[]){x, x, x}, n, given);
}

heed_tensor *random_step(fuzz_input *in, heed_tensor *x, heed_shape shape, plan *p)
{
    static heed_tensor *(*const steps[])(fuzz_input *, heed_tensor *, heed_shape, plan *) = {
        reshape_step, squeeze_step, unsqueeze_step, permute_step, transpose_step, slice_step,  unslice_step,
        select_step,  flip_step,    expand_step,    repeat_step,  tile_step,      concat_step,
    };
    return steps[fuzz_byte(in) % (sizeof steps / sizeof steps[0])](in, x, shape, p);
}
