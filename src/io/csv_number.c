/* io/csv_number.c - converts a CSV field to a number.
 *
 * A number is written as in C: sign, digits, '.', digits, 'e', sign, digits, with at least one digit before the 'e'.
 * Spaces and tabs around it are allowed. i64 accepts numbers whose exact value is whole, also as "5.0" or "1e3",
 * because pandas writes integer columns with gaps in this form. bool accepts 0 and 1, also as "0.0" or "1e0". A number
 * nearer to 0 than the smallest float is rounded correctly, to 0 or to the smallest float. A number too large for the
 * dtype is an error. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <heed/memory.h>

#include "io/csv.h"

static const char not_a_number[] = "not a number";

static const char *skip_digits(const char *c)
{
    while (*c >= '0' && *c <= '9')
        c++;
    return c;
}

static const char *skip_sign(const char *c)
{
    return *c == '+' || *c == '-' ? c + 1 : c;
}

/* Returns the end of the decimal number at `c`, whose decimal sign is `decimal`, or NULL if it is not a number. */
static const char *number_end(const char *c, char decimal)
{
    const char *whole = skip_sign(c);
    const char *end = skip_digits(whole);
    bool digits = end > whole;
    if (*end == decimal) {
        const char *fraction = end + 1;
        end = skip_digits(fraction);
        digits = digits || end > fraction;
    }
    if (!digits)
        return NULL;
    if (*end == 'e' || *end == 'E') {
        const char *exponent = skip_sign(end + 1);
        end = skip_digits(exponent);
        if (end == exponent)
            return NULL;
    }
    return end;
}

static bool is_number(const char *field, char decimal)
{
    const char *end = number_end(heed__csv_skip_blanks(field), decimal);
    return end && *heed__csv_skip_blanks(end) == '\0';
}

static const char *store(heed_dtype dtype, const char *text, void *out)
{
    if (dtype == HEED_F32) {
        float value = strtof(text, NULL);
        *(float *)out = value;
        return isinf(value) ? "too large for f32" : NULL;
    }
    double value = strtod(text, NULL);
    *(double *)out = value;
    return isinf(value) ? "too large for f64" : NULL;
}

/* Stores a number with a decimal comma by way of a copy with a point, because strtod accepts only '.'. A number longer
 * than the local buffer needs memory. If that allocation fails, heed_fail has been called already. */
static const char *store_with_comma(heed_dtype dtype, const char *text, size_t size, void *out)
{
    char local[64];
    char *copy = size < sizeof local ? local : heed_alloc(size + 1);
    if (!copy)
        return not_a_number;
    memcpy(copy, text, size);
    copy[size] = '\0';
    *strchr(copy, ',') = '.';
    const char *problem = store(dtype, copy, out);
    if (copy != local)
        heed_free(copy, size + 1);
    return problem;
}

static const char *read_float(const heed__csv_converter *converter, const char *field, void *out)
{
    if (!is_number(field, converter->decimal)) {
        if (converter->decimal == '.')
            return is_number(field, ',') ? "not a number: is ',' the decimal sign?" : not_a_number;
        return is_number(field, '.') ? "not a number: is '.' the decimal sign?" : not_a_number;
    }
    const char *begin = heed__csv_skip_blanks(field);
    size_t size = (size_t)(number_end(begin, converter->decimal) - begin);
    if (converter->decimal == ',' && memchr(begin, ',', size))
        return store_with_comma(converter->dtype, begin, size, out);
    return store(converter->dtype, begin, out);
}

/* Returns the exponent in the text after a mantissa, which is "" or like "e+3". The result is limited to about
 * INT64_MAX / 100 in magnitude, so that callers can add to it. */
static int64_t read_exponent(const char *mantissa_end, const char *end)
{
    int64_t exponent = 0;
    if (mantissa_end == end)
        return 0;
    const char *digits = skip_sign(mantissa_end + 1);
    for (const char *c = digits; c < end && exponent < INT64_MAX / 1000; c++)
        exponent = 10 * exponent + (*c - '0');
    return digits[-1] == '-' ? -exponent : exponent;
}

/* The number that the digits between begin and end would be without a decimal sign, times 10^power. The last digit is
 * nonzero, so the number is whole if and only if power >= 0. The number 0 is stored without digits. */
typedef struct exact_number {
    const char *begin, *end;
    int64_t power;
} exact_number;

static exact_number exact_of(const char *digits, const char *end, char decimal)
{
    exact_number n = {digits, digits, 0};
    while (n.end < end && *n.end != 'e' && *n.end != 'E')
        n.end++;
    n.power = read_exponent(n.end, end);
    const char *point = memchr(digits, decimal, (size_t)(n.end - digits));
    if (point)
        n.power -= n.end - point - 1;
    for (; n.end > digits && (n.end[-1] == '0' || n.end[-1] == decimal); n.end--)
        n.power += n.end[-1] == '0';
    return n;
}

/* Reads a whole number. Accumulates it with a negative sign, because the lowest i64 has no positive counterpart.
 * Returns NULL, or the problem with the field. */
static const char *read_i64(const heed__csv_converter *converter, const char *field, int64_t *out)
{
    static const char too_large[] = "too large for i64";
    const char *begin = heed__csv_skip_blanks(field), *end = number_end(begin, converter->decimal);
    if (!end || *heed__csv_skip_blanks(end) != '\0')
        return "not a whole number";
    exact_number n = exact_of(skip_sign(begin), end, converter->decimal);
    int64_t value = 0;
    if (n.end > n.begin && n.power < 0)
        return "not a whole number";
    for (const char *c = n.begin; c < n.end; c++)
        if (*c != converter->decimal &&
            (__builtin_mul_overflow(value, 10, &value) || __builtin_sub_overflow(value, *c - '0', &value)))
            return too_large;
    for (; value != 0 && n.power > 0; n.power--)
        if (__builtin_mul_overflow(value, 10, &value))
            return too_large;
    if (*begin != '-' && __builtin_sub_overflow(0, value, &value))
        return too_large;
    *out = value;
    return NULL;
}

static const char *read_bool(const heed__csv_converter *converter, const char *field, bool *out)
{
    int64_t value = 2;
    const char *problem = read_i64(converter, field, &value);
    *out = value == 1;
    return problem || value < 0 || value > 1 ? "not 0 or 1" : NULL;
}

const char *heed__csv_read_number(const heed__csv_converter *converter, const char *field, void *out)
{
    if (converter->dtype == HEED_I64)
        return read_i64(converter, field, out);
    if (converter->dtype == HEED_BOOL)
        return read_bool(converter, field, out);
    return read_float(converter, field, out);
}
