/* ops/index/argsort.c    y = the indices that sort returns.    No gradient */

#include "ops/index/sort.h"

heed_tensor *heed_argsort(heed_tensor *x, int axis, bool descending)
{
    HEED_ENTER("argsort");
    heed_tensor *indices = NULL;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    (void)heed__sort("argsort", x, axis, descending, HEED__ALL, &indices);
    return heed_scope_return(scope, indices);
}
