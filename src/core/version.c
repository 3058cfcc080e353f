/* core/version.c - the library's version. */

#include <heed/heed.h>

const char *heed_version(void)
{
    return HEED_VERSION;
}
