/* ops/contiguous.c    x itself when it is contiguous, else a copy. */

#include "ops/support.h"

heed_tensor *heed_contiguous(heed_tensor *x)
{
    if (!heed__check_tensor("contiguous", x))
        return NULL;
    return x->contiguous ? heed__borrow(heed_retain(x)) : heed_clone(x);
}
