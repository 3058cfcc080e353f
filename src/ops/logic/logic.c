/* ops/logic/logic.c - ops whose result is bool: comparisons, predicates, logical ops, and reductions of masks. They
 * lack gradients. Their loops are here because kernels support only f32 and f64.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include "kernels/simd/compiler.h"
#include "ops/reduce/reduce.h"

/* -- Comparisons --------------------------------------------------------------------------------------------------- */

/* Operations on masks, in addition to HEED_COMPARE_*. */
enum { AND = HEED_COMPARE_GE + 1, OR };

#define ORDERED(a, by, b)                                                                                              \
    ((by) == HEED_COMPARE_LT   ? (a) < (b)                                                                             \
     : (by) == HEED_COMPARE_LE ? (a) <= (b)                                                                            \
     : (by) == HEED_COMPARE_GT ? (a) > (b)                                                                             \
                               : (a) >= (b))
#define COMPARED(a, by, b)                                                                                             \
    ((by) == HEED_COMPARE_EQ   ? (a) == (b)                                                                            \
     : (by) == HEED_COMPARE_NE ? (a) != (b)                                                                            \
     : (by) == AND             ? ((a) != 0) & ((b) != 0)                                                               \
     : (by) == OR              ? ((a) != 0) | ((b) != 0)                                                               \
                               : ORDERED(a, by, b))

static ALWAYS_INLINE bool compare_elements(heed_dtype dtype, const void *a, int64_t i, int by, const void *b, int64_t j)
{
    switch (dtype) {
    case HEED_F32:
        return COMPARED(((const float *)a)[i], by, ((const float *)b)[j]);
    case HEED_F64:
        return COMPARED(((const double *)a)[i], by, ((const double *)b)[j]);
    case HEED_I64:
        return COMPARED(((const int64_t *)a)[i], by, ((const int64_t *)b)[j]);
    default:
        return COMPARED(((const bool *)a)[i], by, ((const bool *)b)[j]);
    }
}

/* The operands of a loop: a[i * sa] and b[i * sb]. */
typedef struct operands {
    const void *a, *b;
    int64_t sa, sb;
} operands;

/* dtype and by are constants. Compilers vectorise the loops over two tensors and over a tensor and a number. */
static ALWAYS_INLINE void compare(heed_dtype dtype, int by, int64_t n, operands in, bool *restrict y)
{
    if (in.sa == 1 && in.sb == 1)
        for (int64_t i = 0; i < n; i++)
            y[i] = compare_elements(dtype, in.a, i, by, in.b, i);
    else if (in.sa == 1 && in.sb == 0)
        for (int64_t i = 0; i < n; i++)
            y[i] = compare_elements(dtype, in.a, i, by, in.b, 0);
    else
        for (int64_t i = 0; i < n; i++)
            y[i] = compare_elements(dtype, in.a, i * in.sa, by, in.b, i * in.sb);
}

#define COMPARE(name, dtype, by)                                                                                       \
    static void name(int64_t n, const void *a, int64_t sa, const void *b, int64_t sb, void *y, const double *p)        \
    {                                                                                                                  \
        (void)p;                                                                                                       \
        compare(dtype, by, n, (operands){a, b, sa, sb}, y);                                                            \
    }

#define COMPARE_ALL(suffix, dtype)                                                                                     \
    COMPARE(eq_##suffix, dtype, HEED_COMPARE_EQ)                                                                       \
    COMPARE(ne_##suffix, dtype, HEED_COMPARE_NE)                                                                       \
    COMPARE(lt_##suffix, dtype, HEED_COMPARE_LT)                                                                       \
    COMPARE(le_##suffix, dtype, HEED_COMPARE_LE)                                                                       \
    COMPARE(gt_##suffix, dtype, HEED_COMPARE_GT)                                                                       \
    COMPARE(ge_##suffix, dtype, HEED_COMPARE_GE)

COMPARE_ALL(f32, HEED_F32)
COMPARE_ALL(f64, HEED_F64)
COMPARE_ALL(i64, HEED_I64)
COMPARE_ALL(mask, HEED_BOOL)

#define LOOPS(suffix)                                                                                                  \
    {                                                                                                                  \
        [HEED_COMPARE_EQ] = eq_##suffix, [HEED_COMPARE_NE] = ne_##suffix, [HEED_COMPARE_LT] = lt_##suffix,             \
        [HEED_COMPARE_LE] = le_##suffix, [HEED_COMPARE_GT] = gt_##suffix, [HEED_COMPARE_GE] = ge_##suffix,             \
    }

static heed__binary_kernel *const compare_loops[HEED_DTYPE_COUNT][HEED_COMPARE_GE + 1] = {
    [HEED_F32] = LOOPS(f32),
    [HEED_F64] = LOOPS(f64),
    [HEED_I64] = LOOPS(i64),
    [HEED_BOOL] = LOOPS(mask),
};

/* y = the comparison of a and b by one of == != < <= > >=, with broadcasting. */
static bool compare_infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *a = call->inputs[0], *b = call->inputs[1];
    if (a->dtype != b->dtype)
        return heed_fail_false(HEED_ERR_DTYPE, "compare", "a is %s, b is %s: must have the same dtype",
                               heed_dtype_name(a->dtype), heed_dtype_name(b->dtype));
    out->dtype = HEED_BOOL;
    return heed__check_broadcast("compare", a, b, &out->shape);
}

static bool compare_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *a = call->inputs[0], *b = call->inputs[1];
    const heed_comparison *comparison = call->params;
    heed__map2(compare_loops[a->dtype][*comparison], a, b, out[0], NULL);
    return true;
}

const heed_op heed_op_compare = {
    .name = "compare",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(heed_comparison),
    .fields = HEED_FIELDS(HEED_FIELD_ALONE(heed_comparison, "comparison")),
    .saved = HEED_SAVE_NOTHING,
    .infer = compare_infer,
    .forward = compare_forward,
};

heed_tensor *heed_compare(heed_tensor *a, heed_comparison comparison, heed_tensor *b)
{
    if ((int)comparison < HEED_COMPARE_EQ || (int)comparison > HEED_COMPARE_GE)
        return heed_fail_null(HEED_ERR_ARGUMENT, "compare", "comparison is %d: must be one of HEED_COMPARE_*",
                              (int)comparison);
    return heed__apply2(&heed_op_compare, a, b, &comparison);
}

/* y = the comparison of x and a number c. */
heed_tensor *heed_compare_scalar(heed_tensor *x, heed_comparison comparison, double c)
{
    HEED_ENTER("compare_scalar");
    if (!heed__check_tensor("compare_scalar", x) || !heed__check_number("compare_scalar", "c", x, c))
        return NULL;
    return heed_compare(x, comparison, heed_full(x->dtype, HEED_SCALAR, c));
}

typedef struct isclose_params {
    double rtol, atol, equal_nan;
} isclose_params;

/* An infinite difference is never close, whatever b is. */
static inline bool is_close_f32(float a, float b, const double *p)
{
    const float off = fabsf(a - b), tolerance = (float)p[1] + (float)p[0] * fabsf(b);
    return (a == b) | ((off <= tolerance) & (off < INFINITY)) | ((p[2] != 0) & (a != a) & (b != b));
}

static inline bool is_close_f64(double a, double b, const double *p)
{
    const double off = fabs(a - b), tolerance = p[1] + p[0] * fabs(b);
    return (a == b) | ((off <= tolerance) & (off < (double)INFINITY)) | ((p[2] != 0) & (a != a) & (b != b));
}

#define CLOSE(name, type, is_close)                                                                                    \
    static void name(int64_t n, const void *a, int64_t sa, const void *b, int64_t sb, void *y, const double *p)        \
    {                                                                                                                  \
        for (int64_t i = 0; i < n; i++)                                                                                \
            ((bool *)y)[i] = is_close(((const type *)a)[i * sa], ((const type *)b)[i * sb], p);                        \
    }
CLOSE(close_f32, float, is_close_f32)
CLOSE(close_f64, double, is_close_f64)

/* y = |a - b| <= atol + rtol |b|, or a = b, with broadcasting. */
static bool isclose_infer(const heed_call *call, heed_meta *out)
{
    if (!heed_infer_broadcast(call, out))
        return false;
    out->dtype = HEED_BOOL;
    return true;
}

static bool isclose_forward(const heed_call *call, heed_tensor *const *out)
{
    const heed_tensor *a = call->inputs[0], *b = call->inputs[1];
    heed__map2(a->dtype == HEED_F32 ? close_f32 : close_f64, a, b, out[0], call->params);
    return true;
}

const heed_op heed_op_isclose = {
    .name = "isclose",
    .n_inputs = 2,
    .n_outputs = 1,
    .params_size = sizeof(isclose_params),
    .fields = HEED_FIELDS(HEED_FIELD(isclose_params, rtol), HEED_FIELD(isclose_params, atol),
                          HEED_FIELD(isclose_params, equal_nan)),
    .infer = isclose_infer,
    .forward = isclose_forward,
};

heed_tensor *heed_isclose(heed_tensor *a, heed_tensor *b, double rtol, double atol, bool equal_nan)
{
    if (!(rtol >= 0) || !(atol >= 0))
        return heed_fail_null(HEED_ERR_ARGUMENT, "isclose", "rtol is %g, atol is %g: must be at least 0", rtol, atol);
    return heed__apply2(&heed_op_isclose, a, b, &(isclose_params){rtol, atol, equal_nan});
}

bool heed_allclose(heed_tensor *a, heed_tensor *b, double rtol, double atol, bool equal_nan)
{
    HEED_ENTER("allclose");
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    const heed_tensor *all = heed_all(heed_isclose(a, b, rtol, atol, equal_nan), HEED_ALL_AXES, false);
    const bool close = all && *(const bool *)(const void *)all->data;
    heed_scope_end(scope);
    return close;
}

/* -- Predicates of one tensor -------------------------------------------------------------------------------------- */

typedef enum test { IS_NAN, IS_INFINITE, IS_FINITE, IS_FALSE } test;

/* 0 x is NaN only for infinite x and for NaN. */
#define PASSES(test, x)                                                                                                \
    ((test) == IS_NAN ? (x) != (x) : (test) == IS_FINITE ? 0 * (x) == 0 : ((x) == (x)) & (0 * (x) != 0))

static ALWAYS_INLINE bool test_element(heed_dtype dtype, test by, const void *x, int64_t i)
{
    const float *f32 = x;
    const double *f64 = x;
    const bool *mask = x;
    if (by == IS_FALSE)
        return !mask[i];
    return dtype == HEED_F32 ? PASSES(by, f32[i]) : PASSES(by, f64[i]);
}

/* dtype and by are constants. */
static ALWAYS_INLINE void test_elements(heed_dtype dtype, test by, int64_t n, const void *x, int64_t sx,
                                        bool *restrict y)
{
    if (sx == 1)
        for (int64_t i = 0; i < n; i++)
            y[i] = test_element(dtype, by, x, i);
    else
        for (int64_t i = 0; i < n; i++)
            y[i] = test_element(dtype, by, x, i * sx);
}

#define TEST(name, dtype, by)                                                                                          \
    static void name(int64_t n, const void *x, int64_t sx, void *y, const double *p)                                   \
    {                                                                                                                  \
        (void)p;                                                                                                       \
        test_elements(dtype, by, n, x, sx, y);                                                                         \
    }

TEST(isnan_f32, HEED_F32, IS_NAN)
TEST(isnan_f64, HEED_F64, IS_NAN)
TEST(isinf_f32, HEED_F32, IS_INFINITE)
TEST(isinf_f64, HEED_F64, IS_INFINITE)
TEST(isfinite_f32, HEED_F32, IS_FINITE)
TEST(isfinite_f64, HEED_F64, IS_FINITE)

/* The loops of a predicate, and its value for every element of i64 and bool. */
typedef struct predicate {
    heed__unary_kernel *f32, *f64;
    bool of_whole;
} predicate;

static bool predicate_infer(const heed_call *call, heed_meta *out)
{
    out->dtype = HEED_BOOL;
    out->shape = call->inputs[0]->shape;
    return true;
}

static bool predicate_forward(const heed_call *call, heed_tensor *const *out)
{
    const predicate *of = call->op->data;
    const heed_tensor *x = call->inputs[0];
    if (heed_dtype_is_float(x->dtype))
        heed__map1(x->dtype == HEED_F32 ? of->f32 : of->f64, x, out[0], NULL);
    else
        memset(out[0]->data, of->of_whole, (size_t)out[0]->numel);
    return true;
}

#define PREDICATE(name_, ...)                                                                                          \
    .name = (name_), .n_inputs = 1, .n_outputs = 1, .infer = predicate_infer, .forward = predicate_forward,            \
    .data = &(const predicate)                                                                                         \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

const heed_op heed_op_isnan = {PREDICATE("isnan", isnan_f32, isnan_f64, false)};
const heed_op heed_op_isinf = {PREDICATE("isinf", isinf_f32, isinf_f64, false)};
const heed_op heed_op_isfinite = {PREDICATE("isfinite", isfinite_f32, isfinite_f64, true)};

heed_tensor *heed_isnan(heed_tensor *x)
{
    return heed__apply1(&heed_op_isnan, x, NULL);
}

heed_tensor *heed_isinf(heed_tensor *x)
{
    return heed__apply1(&heed_op_isinf, x, NULL);
}

heed_tensor *heed_isfinite(heed_tensor *x)
{
    return heed__apply1(&heed_op_isfinite, x, NULL);
}

/* -- Logical ops on masks ------------------------------------------------------------------------------------------ */

static bool check_masks(const heed_call *call)
{
    for (int i = 0; i < call->n_inputs; i++) {
        const heed_tensor *x = call->inputs[i];
        if (x->dtype != HEED_BOOL)
            return heed_fail_false(HEED_ERR_DTYPE, call->op->name, "input %d is %s %s: must be bool", i,
                                   heed_dtype_name(x->dtype), heed_shape_text(x->shape).s);
    }
    return true;
}

static bool logical_infer(const heed_call *call, heed_meta *out)
{
    const heed_tensor *a = call->inputs[0], *b = call->inputs[call->n_inputs - 1];
    if (!check_masks(call))
        return false;
    out->dtype = HEED_BOOL;
    return heed__check_broadcast(call->op->name, a, b, &out->shape);
}

COMPARE(and_of_masks, HEED_BOOL, AND)
COMPARE(or_of_masks, HEED_BOOL, OR)
TEST(not_of_mask, HEED_BOOL, IS_FALSE)

/* The loop of an op on one mask or on two. */
typedef struct logical {
    heed__unary_kernel *of_one;
    heed__binary_kernel *of_two;
} logical;

static bool logical_forward(const heed_call *call, heed_tensor *const *out)
{
    const logical *loop = call->op->data;
    if (loop->of_one)
        heed__map1(loop->of_one, call->inputs[0], out[0], NULL);
    else
        heed__map2(loop->of_two, call->inputs[0], call->inputs[1], out[0], NULL);
    return true;
}

#define LOGICAL(name_, inputs, loop)                                                                                   \
    .name = (name_), .n_inputs = (inputs), .n_outputs = 1, .infer = logical_infer, .forward = logical_forward,         \
    .data = &(const logical)                                                                                           \
    {                                                                                                                  \
        loop                                                                                                           \
    }

const heed_op heed_op_logical_and = {LOGICAL("logical_and", 2, .of_two = and_of_masks)};
const heed_op heed_op_logical_or = {LOGICAL("logical_or", 2, .of_two = or_of_masks)};
const heed_op heed_op_logical_xor = {LOGICAL("logical_xor", 2, .of_two = ne_mask)};
const heed_op heed_op_logical_not = {LOGICAL("logical_not", 1, .of_one = not_of_mask)};

heed_tensor *heed_logical_and(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_logical_and, a, b, NULL);
}

heed_tensor *heed_logical_or(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_logical_or, a, b, NULL);
}

heed_tensor *heed_logical_xor(heed_tensor *a, heed_tensor *b)
{
    return heed__apply2(&heed_op_logical_xor, a, b, NULL);
}

heed_tensor *heed_logical_not(heed_tensor *x)
{
    return heed__apply1(&heed_op_logical_not, x, NULL);
}

/* -- Reductions of masks ------------------------------------------------------------------------------------------- */

static bool mask_reduction_infer(const heed_call *call, heed_meta *out)
{
    const heed__reduce_params *params = call->params;
    out->dtype = HEED_BOOL;
    out->shape = heed__reduced_shape(&call->inputs[0]->shape, params->mask, params->keepdim);
    return check_masks(call);
}

typedef struct mask_reduction {
    heed__reduce_kernel *loop;
} mask_reduction;

static bool mask_reduction_forward(const heed_call *call, heed_tensor *const *out)
{
    const mask_reduction *of = call->op->data;
    const heed__reduce_params *params = call->params;
    return heed__reduce(call->op->name, of->loop, call->inputs[0], params->mask, out[0]);
}

#define MASK_REDUCTION(name_, loop)                                                                                    \
    HEED__REDUCTION(name_), .infer = mask_reduction_infer, .forward = mask_reduction_forward,                          \
                            .data = &(const mask_reduction)                                                            \
    {                                                                                                                  \
        loop                                                                                                           \
    }

/* y = `decisive` if any x along some axes is, or else its opposite, also if x is empty. `decisive` is a constant. */
static ALWAYS_INLINE void reduce_masks(bool decisive, int64_t outer, int64_t r, int64_t inner, const uint8_t *x,
                                       uint8_t *restrict y)
{
    for (int64_t o = 0; o < outer; o++, x += r * inner, y += inner) {
        if (inner == 1) {
            y[0] = r > 0 && memchr(x, decisive ? 1 : 0, (size_t)r) ? decisive : !decisive;
            continue;
        }
        memset(y, !decisive, (size_t)inner);
        for (int64_t j = 0; j < r; j++)
            for (int64_t i = 0; i < inner; i++)
                y[i] = decisive ? y[i] | x[j * inner + i] : y[i] & x[j * inner + i];
    }
}

/* y = true if x is true anywhere along some axes; false if x is empty. */
static void any_of_masks(int64_t outer, int64_t r, int64_t inner, const void *x, void *y)
{
    reduce_masks(true, outer, r, inner, x, y);
}

const heed_op heed_op_any = {MASK_REDUCTION("any", any_of_masks)};

heed_tensor *heed_any(heed_tensor *x, heed_shape axes, bool keepdim)
{
    HEED_ENTER("any");
    return heed__apply_reduction("any", &heed_op_any, x, axes, keepdim);
}

/* y = true if x is true everywhere along some axes, or if x is empty there. */
static void all_of_masks(int64_t outer, int64_t r, int64_t inner, const void *x, void *y)
{
    reduce_masks(false, outer, r, inner, x, y);
}

const heed_op heed_op_all = {MASK_REDUCTION("all", all_of_masks)};

heed_tensor *heed_all(heed_tensor *x, heed_shape axes, bool keepdim)
{
    HEED_ENTER("all");
    return heed__apply_reduction("all", &heed_op_all, x, axes, keepdim);
}
