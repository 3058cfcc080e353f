/* ops/elementwise/clamp.c    y = min(max(x, low), high), elementwise; NaN stays NaN.
 *
 *     dx = g if low <= x <= high, else 0 */

#include <math.h>

#include "ops/elementwise/elementwise.h"

typedef struct clamp_params {
    double low, high;
} clamp_params;

/* An infinite limit becomes the end of the range of i64. */
static int64_t i64_limit(double limit)
{
    return limit < -0x1p63 ? INT64_MIN : limit >= 0x1p63 ? INT64_MAX : (int64_t)limit;
}

static void i64_loop(int64_t n, const void *x_, int64_t sx, void *y_, const double *p)
{
    const int64_t *px = x_, low = i64_limit(p[0]), high = i64_limit(p[1]);
    int64_t *y = y_;
    for (int64_t i = 0; i < n; i++) {
        const int64_t x = px[i * sx];
        y[i] = x < low ? low : x > high ? high : x;
    }
}

static bool check_i64_limits(const heed_tensor *x, double low, double high)
{
    return (low == -(double)INFINITY || heed__check_number("clamp", "low", x, low)) &&
           (high == (double)INFINITY || heed__check_number("clamp", "high", x, high));
}

static void backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
{
    const clamp_params *params = call->params;
    heed_tensor *x = call->inputs[0];
    heed_tensor *zero = heed_zeros(x->dtype, HEED_SCALAR);
    heed_tensor *low = heed_full(x->dtype, HEED_SCALAR, params->low);
    heed_tensor *high = heed_full(x->dtype, HEED_SCALAR, params->high);
    dx[0] = heed_where(heed_compare(x, HEED_COMPARE_GE, low),
                       heed_where(heed_compare(x, HEED_COMPARE_LE, high), g[0], zero), zero);
}

const heed_op heed_op_clamp = {
    .name = "clamp",
    HEED__UNARY_NUMBER_FUSED(clamp, clamp_grad, i64_loop),
    .params_size = sizeof(clamp_params),
    .fields = HEED_FIELDS(HEED_FIELD(clamp_params, low), HEED_FIELD(clamp_params, high)),
    .saved = HEED_SAVE_INPUTS,
    .backward = backward,
};

heed_tensor *heed_clamp(heed_tensor *x, double low, double high)
{
    if (!(low <= high))
        return heed_fail_null(HEED_ERR_ARGUMENT, "clamp", "low is %g: must be at most high, %g", low, high);
    if (heed__is_i64(x) && !check_i64_limits(x, low, high))
        return NULL;
    return heed__apply1(&heed_op_clamp, x, &(clamp_params){.low = low, .high = high});
}
