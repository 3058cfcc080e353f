/* ops/elementwise/contiguous.c - returns x itself if it is contiguous, else a copy. */

#include "ops/support.h"

heed_tensor *heed_contiguous(heed_tensor *x)
{
    if (!heed__check_tensor("contiguous", x))
        return NULL;
    if (x->contiguous)
        return heed__borrow("contiguous", heed_retain(x));
    HEED_ENTER("contiguous");
    return heed_clone(x);
}
