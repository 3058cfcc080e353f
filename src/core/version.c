/* core/version.c - the library's version.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/heed.h>

const char *heed_version(void)
{
    return HEED_VERSION;
}
