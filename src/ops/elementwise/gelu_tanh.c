/* ops/elementwise/gelu_tanh.c    y = x (1 + tanh(u)) / 2 = x / (1 + e^(-2u)), elementwise, with
 * u = sqrt(2 / pi) (x + 0.044715 x^3) */

#include "ops/support.h"

#define TWICE_ROOT 1.59576912160573071176 /* 2 sqrt(2 / pi) */
#define CUBIC 0.044715

heed_tensor *heed_gelu_tanh(heed_tensor *x)
{
    HEED_ENTER("gelu_tanh");
    if (!heed__check_tensor("gelu_tanh", x) || !heed__check_float("gelu_tanh", x))
        return NULL;
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return NULL;
    heed_tensor *slope = heed_add_scalar(heed_mul_scalar(heed_square(x), TWICE_ROOT * CUBIC), TWICE_ROOT);
    return heed_scope_return(scope, heed_mul(x, heed_sigmoid(heed_mul(x, slope))));
}
