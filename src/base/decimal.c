/* base/decimal.c - numbers as text that does not depend on the locale. */

#include "base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void heed__decimal_point(char *number)
{
    static const char number_characters[] = "+-0123456789e";
    char *out = number;
    for (const char *in = number; *in;) {
        size_t length = strspn(in, number_characters);
        memmove(out, in, length);
        out += length;
        in += length;
        if (*in)
            *out++ = '.';
        in += strcspn(in, number_characters);
    }
    *out = '\0';
}

/* 17 digits are always enough for f64, and 9 for f32. Printing and reading use the same locale. */
void heed__decimal_print(char *number, size_t size, double value, bool is_f32)
{
    int digits = is_f32 ? 6 : 15, max_digits = is_f32 ? 9 : 17;
    if (!isfinite(value)) {
        (void)snprintf(number, size, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        return;
    }
    for (; digits <= max_digits; digits++) {
        (void)snprintf(number, size, "%.*g", digits, value);
        if (is_f32 ? strtof(number, NULL) == (float)value : strtod(number, NULL) == value)
            break;
    }
    heed__decimal_point(number);
}
