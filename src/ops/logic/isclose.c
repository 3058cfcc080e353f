/* ops/logic/isclose.c    y = |a - b| <= atol + rtol |b|, or a = b, elementwise with broadcasting.    No gradient */

#include <math.h>

#include "ops/logic/logic.h"

typedef struct isclose_params {
    double rtol, atol, equal_nan;
} isclose_params;

/* An infinite difference is never close, whatever b is. */
#define CLOSE(name, type, distance)                                                                                    \
    static void name(int64_t n, const void *a_, int64_t sa, const void *b_, int64_t sb, void *y_, const double *p)     \
    {                                                                                                                  \
        const type *pa = a_, *pb = b_, rtol = (type)p[0], atol = (type)p[1];                                           \
        bool *restrict y = y_, equal_nan = p[2] != 0;                                                                  \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            const type a = pa[i * sa], b = pb[i * sb], off = distance(a - b);                                          \
            y[i] = (a == b) | ((off <= atol + rtol * distance(b)) & (off < (type)INFINITY)) |                          \
                   (equal_nan & (a != a) & (b != b));                                                                  \
        }                                                                                                              \
    }
CLOSE(close_f32, float, fabsf)
CLOSE(close_f64, double, fabs)

static bool infer(const heed_call *call, heed_meta *out)
{
    if (!heed_infer_broadcast(call, out))
        return false;
    out->dtype = HEED_BOOL;
    return true;
}

static bool forward(const heed_call *call, heed_tensor *const *out)
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
    .infer = infer,
    .forward = forward,
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
    const heed_tensor *all = heed_all(heed_isclose(a, b, rtol, atol, equal_nan));
    const bool close = all && *(const bool *)(const void *)all->data;
    heed_scope_end(scope);
    return close;
}
