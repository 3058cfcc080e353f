/* base/decimal.c - numbers as text that does not depend on the locale. */

#include "base/decimal.h"

#include <string.h>

void heed__decimal_point(char *number)
{
    static const char others[] = "+-0123456789e";
    char *out = number;
    for (const char *in = number; *in;) {
        size_t plain = strspn(in, others);
        memmove(out, in, plain);
        out += plain;
        in += plain;
        if (*in)
            *out++ = '.';
        in += strcspn(in, others);
    }
    *out = '\0';
}
