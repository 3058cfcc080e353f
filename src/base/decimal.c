/* base/decimal.c - numbers as text that does not depend on the locale.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "base/decimal.h"

#include <inttypes.h>
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

/* strtod rounds correctly, and does not depend on the locale if the text has no decimal point: 1.25e-5 is 125e-7. */
bool heed__decimal_parse(const char *text, double *value)
{
    char digits[64], *end;
    const size_t sign = *text == '-', whole = strspn(text + sign, "0123456789");
    const char *rest = text + sign + whole;
    const size_t fraction = *rest == '.' ? strspn(rest + 1, "0123456789") : 0;
    const char *exponent = *rest == '.' ? rest + 1 + fraction : rest;
    long power = 0;
    if (*exponent == 'e') {
        const size_t length = strspn(exponent + 1, "+-0123456789");
        power = strtol(exponent + 1, &end, 10);
        if (length == 0 || length > 5 || *end)
            return false;
    } else if (*exponent) {
        return false;
    }
    if (whole == 0 || sign + whole + fraction > sizeof digits - 16)
        return false;
    (void)snprintf(digits, sizeof digits, "%.*s%.*se%ld", (int)(sign + whole), text, (int)fraction, rest + 1,
                   power - (long)fraction);
    *value = strtod(digits, NULL);
    return isfinite(*value);
}

heed__number_text heed__fixed(double value, int digits)
{
    heed__number_text cell;
    (void)snprintf(cell.s, sizeof cell.s, "%.*f", digits, value);
    heed__decimal_point(cell.s);
    return cell;
}

heed__number_text heed__grouped(int64_t value)
{
    heed__number_text plain, cell = {"-"};
    if (value == 0)
        return cell;
    const int length = snprintf(plain.s, sizeof plain.s, "%" PRId64, value);
    size_t used = 0;
    for (int i = 0; i < length; i++) {
        cell.s[used++] = plain.s[i];
        const int left = length - 1 - i;
        if (left > 0 && left % 3 == 0 && plain.s[i] != '-')
            cell.s[used++] = ',';
    }
    cell.s[used] = '\0';
    return cell;
}

heed__number_text heed__bytes(int64_t value)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    heed__number_text cell = {"-"};
    if (value == 0)
        return cell;
    if (value < 1024) {
        (void)snprintf(cell.s, sizeof cell.s, "%" PRId64 " B", value);
        return cell;
    }
    double size = (double)value / 1024;
    int unit = 0;
    for (; size >= 1000 && unit < 3; unit++)
        size /= 1024;
    cell = heed__fixed(size, size < 10 ? 2 : size < 100 ? 1 : 0);
    const size_t length = strlen(cell.s);
    (void)snprintf(cell.s + length, sizeof cell.s - length, " %s", units[unit]);
    return cell;
}
