/* ops/reduce/cumsum.c    y[i] = x[0] + ... + x[i] along an axis.    dx[i] = g[i] + g[i + 1] + ... */

#include "core/parallel.h"
#include "ops/support.h"

enum { STRIP = 64, GRAIN = 16384 }; /* STRIP: columns summed together. GRAIN: minimum elements of a range */

typedef struct scan {
    heed__axis_split split;
    const char *x;
    char *y;
} scan;

static int64_t strips_of(const heed__axis_split *split)
{
    return (split->inner + STRIP - 1) / STRIP;
}

/* Defines the function of a parallel loop over strips of columns. f32 is summed in f64, i64 modulo 2^64. */
#define SCAN(name, type, total)                                                                                        \
    static void name(int64_t begin, int64_t end, void *context)                                                        \
    {                                                                                                                  \
        const scan *c = context;                                                                                       \
        const int64_t strips = strips_of(&c->split), size = c->split.size, inner = c->split.inner;                     \
        for (int64_t item = begin; item < end; item++) {                                                               \
            const int64_t first = item % strips * STRIP, start = item / strips * size * inner + first;                 \
            const int64_t width = inner - first < STRIP ? inner - first : STRIP;                                       \
            const type *x = (const type *)(const void *)c->x + start;                                                  \
            type *restrict y = (type *)(void *)c->y + start;                                                           \
            total last = 0;                                                                                            \
            for (int64_t j = 0; width == 1 && j < size; j++) {                                                         \
                last += (total)x[j * inner];                                                                           \
                y[j * inner] = (type)last;                                                                             \
            }                                                                                                          \
            total sum[STRIP] = {0};                                                                                    \
            for (int64_t j = 0; width > 1 && j < size; j++, x += inner, y += inner)                                    \
                for (int64_t i = 0; i < width; i++) {                                                                  \
                    sum[i] += (total)x[i];                                                                             \
                    y[i] = (type)sum[i];                                                                               \
                }                                                                                                      \
        }                                                                                                              \
    }
SCAN(scan_f32, float, double)
SCAN(scan_f64, double, double)
SCAN(scan_i64, int64_t, uint64_t)

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *x = call->inputs[0];
    *out = (heed_meta){.dtype = x->dtype, .shape = x->shape};
    if (heed__axis_of("cumsum", *(const int *)call->params, x->shape.rank) < 0)
        return false;
    if (x->dtype == HEED_BOOL)
        return heed_fail_false(HEED_ERR_DTYPE, "cumsum", "the tensor is bool %s: must be f32, f64 or i64",
                               heed_shape_text(x->shape).s);
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *x = call->inputs[0];
    scan c = {.split = heed__split_at(&x->shape, *(const int *)call->params), .x = x->data, .y = out[0]->data};
    heed__range_fn *fn = x->dtype == HEED_F32 ? scan_f32 : x->dtype == HEED_F64 ? scan_f64 : scan_i64;
    const int64_t cost = c.split.size * (c.split.inner < STRIP ? c.split.inner : STRIP);
    if (x->numel > 0)
        heed__parallel_for(c.split.outer * strips_of(&c.split), cost < GRAIN ? GRAIN / cost : 1, cost, fn, &c);
    return true;
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const int axis = *(const int *)call->params;
    dx[0] = heed_flip(heed_cumsum(heed_flip(g[0], HEED_AXES(axis)), axis), HEED_AXES(axis));
}

const heed_op heed_op_cumsum = {
    .name = "cumsum",
    .n_inputs = 1,
    .n_outputs = 1,
    .params_size = sizeof(int),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(int, "axis")),
    .contiguous = true,
    .infer = infer,
    .forward = forward,
    .backward = backward,
};

heed_tensor *heed_cumsum(heed_tensor *x, int axis)
{
    if (!heed__check_tensor("cumsum", x) || (axis = heed__axis_of("cumsum", axis, x->shape.rank)) < 0)
        return NULL;
    return heed__apply1(&heed_op_cumsum, x, &axis);
}
