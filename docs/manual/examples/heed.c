/* heed.c - examples of include/heed/heed.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include <heed/heed.h>

static void example_version(void)
{
    /* [heed_version] */
    if (strcmp(heed_version(), HEED_VERSION) != 0)
        fprintf(stderr, "compiled with heed %s, but running with %s\n", HEED_VERSION, heed_version());
    printf("%s\n", HEED_VERSION_MAJOR == 0 ? "before 1.0" : "1.0 or later"); /* -> before 1.0 */
    /* [] */
}

int main(void)
{
    example_version();
    return 0;
}
