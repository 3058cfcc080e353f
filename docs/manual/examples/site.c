/* site.c - examples of include/heed/site.h. docs/manual/README.md says what the marks mean.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define HEED_SITES
#include <heed/heed.h>

static void example_site(void)
{
    /* [heed_site] */
    const char **line = heed_site(), *own = *line;
    *line = "model.py:7"; /* the place in a different language that errors should name */
    if (!(heed_exp)(NULL))
        printf("%s\n", heed_error_message()); /* -> model.py:7: exp: argument 1 is NULL */
    heed_error_clear();
    *line = own;
    /* [] */
}

int main(void)
{
    example_site();
    return 0;
}
