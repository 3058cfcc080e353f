/* ops/elementwise/compare_scalar.c    y = the comparison of x and a number c by one of == != < <= > >=, elementwise;
 * bool, no gradient. */

#include "ops/support.h"

heed_tensor *heed_compare_scalar(heed_tensor *x, heed_comparison comparison, double c)
{
    HEED_ENTER("compare_scalar");
    if (!heed__check_tensor("compare_scalar", x) || !heed__check_number("compare_scalar", "c", x, c))
        return NULL;
    return heed_compare(x, comparison, heed_full(x->dtype, HEED_SCALAR, c));
}
