/* inspect/without_jansson.c - see io/without_jansson.h. */

#include "io/without_jansson.h"
#include "inspect/profile.h"

#if defined(HEED_NO_JANSSON)

heed_status heed__profile_trace(heed__profile *p, const char *where, const char *path)
{
    (void)p, (void)path;
    return heed_fail(HEED_ERR_UNSUPPORTED, where, HEED_WITHOUT_JANSSON);
}

#endif
