/* ops/elementwise/compare.c    y = the comparison of a and b by one of == != < <= > >=, elementwise with broadcasting;
 * bool, no gradient.
 *
 * The loops are here because compare supports all four dtypes and the kernel tables only f32 and f64. */

#include "ops/support.h"

/* Compilers vectorise the loops over two tensors and over a tensor and a number. */
#define COMPARE_LOOP(index_a, operator, index_b)                                                                       \
    for (int64_t i = 0; i < n; i++)                                                                                    \
        py[i] = pa[index_a] operator pb[index_b];

#define COMPARE(name, suffix, type, operator)                                                                          \
    static void name##_##suffix(int64_t n, const void *a, int64_t sa, const void *b, int64_t sb, void *y,              \
                                const double *p)                                                                       \
    {                                                                                                                  \
        const type *pa = a, *pb = b;                                                                                   \
        bool *restrict py = y;                                                                                         \
        (void)p;                                                                                                       \
        if (sa == 1 && sb == 1)                                                                                        \
            COMPARE_LOOP(i, operator, i)                                                                               \
        else if (sa == 1 && sb == 0)                                                                                   \
            COMPARE_LOOP(i, operator, 0)                                                                               \
        else                                                                                                           \
            COMPARE_LOOP(i *sa, operator, i * sb)                                                                      \
    }

#define COMPARE_ALL(suffix, type)                                                                                      \
    COMPARE(eq, suffix, type, ==)                                                                                      \
    COMPARE(ne, suffix, type, !=)                                                                                      \
    COMPARE(lt, suffix, type, <)                                                                                       \
    COMPARE(le, suffix, type, <=)                                                                                      \
    COMPARE(gt, suffix, type, >)                                                                                       \
    COMPARE(ge, suffix, type, >=)

COMPARE_ALL(f32, float)
COMPARE_ALL(f64, double)
COMPARE_ALL(i64, int64_t)
COMPARE_ALL(mask, bool)

#define LOOPS(suffix)                                                                                                  \
    {                                                                                                                  \
        [HEED_COMPARE_EQ] = eq_##suffix, [HEED_COMPARE_NE] = ne_##suffix, [HEED_COMPARE_LT] = lt_##suffix,             \
        [HEED_COMPARE_LE] = le_##suffix, [HEED_COMPARE_GT] = gt_##suffix, [HEED_COMPARE_GE] = ge_##suffix,             \
    }

static heed__binary_kernel *const loops[HEED_DTYPE_COUNT][HEED_COMPARE_GE + 1] = {
    [HEED_F32] = LOOPS(f32),
    [HEED_F64] = LOOPS(f64),
    [HEED_I64] = LOOPS(i64),
    [HEED_BOOL] = LOOPS(mask),
};

static bool infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *a = call->inputs[0], *b = call->inputs[1];
    if (a->dtype != b->dtype)
        return heed_fail_false(HEED_ERR_DTYPE, "compare", "a is %s, b is %s: must have the same dtype",
                               heed_dtype_name(a->dtype), heed_dtype_name(b->dtype));
    out->dtype = HEED_BOOL;
    if (!heed_shape_broadcast(a->shape, b->shape, &out->shape))
        return heed_fail_false(HEED_ERR_SHAPE, "compare", "shapes %s and %s do not broadcast",
                               heed_shape_text(a->shape).s, heed_shape_text(b->shape).s);
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *a = call->inputs[0], *b = call->inputs[1];
    const heed_comparison *comparison = call->params;
    heed__map2(loops[a->dtype][*comparison], a, b, out[0], NULL);
    return true;
}

const heed_op heed_op_compare = {
    .name = "compare",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(heed_comparison),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(heed_comparison, "comparison")),
    .saved = HEED_SAVE_NOTHING,
    .infer = infer,
    .forward = forward,
};

heed_tensor *heed_compare(heed_tensor *a, heed_comparison comparison, heed_tensor *b)
{
    if ((int)comparison < HEED_COMPARE_EQ || (int)comparison > HEED_COMPARE_GE)
        return heed_fail_null(HEED_ERR_ARGUMENT, "compare", "comparison is %d: must be one of HEED_COMPARE_*",
                              (int)comparison);
    return heed__apply2(&heed_op_compare, a, b, &comparison);
}
