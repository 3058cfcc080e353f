/* core/version.c - which version this is. */

#include <heed/heed.h>

const char *heed_version(void)
{
    return HEED_VERSION;
}
