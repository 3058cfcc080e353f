/* plot/ticks.c - tick positions at round numbers, after matplotlib's MaxNLocator and LogLocator.
 *
 * A tick is a decimal number, digits * 10^exponent with integer digits, so its label is exact and depends neither on
 * the locale nor on the rounding of printf.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "plot/ticks.h"

/* distance, in steps between ticks, by which a tick may be outside of the range because of rounding */
#define SLACK 1e-9

typedef struct decimal {
    int64_t digits;
    int exponent;
} decimal;

/* Returns the nearest double. strtod rounds correctly, and does not depend on the locale if the text has no decimal
 * point. */
static double decimal_value(decimal d)
{
    char text[48];
    (void)snprintf(text, sizeof text, "%" PRId64 "e%d", d.digits, d.exponent);
    return strtod(text, NULL);
}

/* Returns floor(log10(value)), for value > 0. */
static int decimal_exponent(double value)
{
    int binary = 0;
    (void)frexp(value, &binary);
    int exponent = (int)floor(binary * 0.30103) - 1;
    while (exponent < 308 && decimal_value((decimal){1, exponent + 1}) <= value)
        exponent++;
    return exponent;
}

/* -- Labels ----------------------------------------------------------------------------------------------- */

static void append_to_label(char *label, const char *text)
{
    size_t used = strlen(label);
    (void)snprintf(label + used, HEED__TICK_LABEL_SIZE - used, "%s", text);
}

static void append_superscript(char *label, int number)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char digits[16];
    (void)snprintf(digits, sizeof digits, "%d", number < 0 ? -number : number);
    if (number < 0)
        append_to_label(label, "⁻");
    for (const char *digit = digits; *digit; digit++)
        append_to_label(label, raised[*digit - '0']);
}

/* Appends the number digits * 10^exponent with -exponent decimals: "−0.25". */
static void append_decimal(char *label, decimal d)
{
    char digits[24], text[HEED__TICK_LABEL_SIZE];
    unsigned long long magnitude = d.digits < 0 ? 0 - (unsigned long long)d.digits : (unsigned long long)d.digits;
    int decimals = d.exponent < 0 ? -d.exponent : 0;
    int count = snprintf(digits, sizeof digits, "%0*llu", decimals + 1 < 20 ? decimals + 1 : 20, magnitude);
    int zeros = magnitude == 0 || d.exponent < 0 ? 0 : d.exponent;
    (void)snprintf(text, sizeof text, "%s%.*s%.*s%s%s", d.digits < 0 ? "−" : "", count - decimals, digits,
                   zeros < 10 ? zeros : 10, "0000000000", decimals > 0 ? "." : "",
                   decimals > 0 ? digits + count - decimals : "");
    append_to_label(label, text);
}

static int digit_count(int64_t digits)
{
    int count = 1;
    for (; digits >= 10 || digits <= -10; digits /= 10)
        count++;
    return count;
}

/* Returns true if labels should have a power of ten as a factor: for numbers of 10^6 or more and for numbers below
 * 10^-4. `exponent` is floor(log10) of the number. */
static bool needs_factor(int exponent)
{
    return exponent >= 6 || exponent <= -5;
}

/* Appends "×10⁶", or nothing for power 0. */
static void append_power(char *label, int power)
{
    if (power == 0)
        return;
    append_to_label(label, "×10");
    append_superscript(label, power);
}

/* Appends " +1.25×10⁹", or nothing for 0. */
static void append_base(char *label, decimal base)
{
    if (base.digits == 0)
        return;
    for (; base.digits % 10 == 0; base.digits /= 10)
        base.exponent++;
    int power = digit_count(base.digits) - 1 + base.exponent;
    power = needs_factor(power) ? power : 0;
    append_to_label(label, *label ? " " : "");
    append_to_label(label, base.digits > 0 ? "+" : "");
    append_decimal(label, (decimal){base.digits, base.exponent - power});
    append_power(label, power);
}

/* -- Linear ----------------------------------------------------------------------------------------------- */

/* Returns element i of the sequence of steps 1, 2, 2.5, 5, 10, 20, 25, ... A negative i gives a step below 1. */
static decimal nice_step(int i)
{
    static const decimal steps[] = {{1, 0}, {2, 0}, {25, -1}, {5, 0}};
    int decade = i >= 0 ? i / 4 : -((3 - i) / 4);
    decimal step = steps[i - 4 * decade];
    step.exponent += decade;
    return step;
}

/* Converts a whole number to an integer, clamped to ±1e17. */
static int64_t multiple(double steps)
{
    return (int64_t)fmin(fmax(steps, -1e17), 1e17);
}

/* Finds the first and the last multiple of `step` within low .. high. */
static void multiples(decimal step, double low, double high, int64_t *first, int64_t *last)
{
    double size = decimal_value(step);
    *first = multiple(ceil(low / size - SLACK));
    *last = multiple(floor(high / size + SLACK));
}

/* If all numbers in a .. b have at least their first four digits in common, returns the common leading digits followed
 * by zeros. Labels omit this number, which is written once. Otherwise returns 0. */
static int64_t common_base(int64_t a, int64_t b)
{
    int64_t low = a < 0 ? -b : a, high = a < 0 ? -a : b, power = 1;
    while (power <= high - low)
        power *= 10;
    if (low / power < 1000)
        return 0;
    int64_t base = low / power * power;
    return a < 0 ? -base : base;
}

static decimal choose_step(double low, double high, int most, bool whole)
{
    double minimum = (high / most - low / most) * (1 - SLACK);
    int smallest = whole ? 0 : -4 * 320;
    int i = 4 * decimal_exponent(fmax(minimum, 1e-300));
    while (decimal_value(nice_step(i)) < minimum || (whole && (i < 0 || nice_step(i).exponent < 0)))
        i++;
    for (; i > smallest; i--) {
        int64_t first, last;
        multiples(nice_step(i), low, high, &first, &last);
        if (last - first >= 1 && !(whole && nice_step(i).exponent < 0))
            break;
    }
    return nice_step(i);
}

void heed__ticks_linear(heed__ticks *ticks, double low, double high, int most, bool whole)
{
    decimal step = choose_step(low, high, most, whole);
    int64_t first, last;
    multiples(step, low, high, &first, &last);
    *ticks = (heed__ticks){.count = 0};
    int64_t base = common_base(first * step.digits, last * step.digits);
    int64_t from = llabs(first * step.digits - base), to = llabs(last * step.digits - base);
    int64_t largest = from > to ? from : to;
    int shift = largest == 0 ? 0 : digit_count(largest) - 1 + step.exponent;
    shift = needs_factor(shift) ? shift : 0;
    /* if 0 is the only number, it is written "0" without decimals */
    int exponent = largest == 0 ? 0 : step.exponent - shift;
    append_power(ticks->factor, shift);
    append_base(ticks->factor, (decimal){base, step.exponent});
    for (int64_t k = first; k <= last && ticks->count < HEED__MAX_TICKS; k++) {
        heed__tick *tick = &ticks->at[ticks->count++];
        tick->value = decimal_value((decimal){k * step.digits, step.exponent});
        append_decimal(tick->label, (decimal){k * step.digits - base, exponent});
    }
}

/* -- Logarithmic ------------------------------------------------------------------------------------------ */

static void add_minor(heed__ticks *ticks, decimal d, double low, double high)
{
    double value = decimal_value(d);
    if (value >= low && value <= high && ticks->minor_count < HEED__MAX_MINOR_TICKS)
        ticks->minor[ticks->minor_count++] = value;
}

/* Adds ticks at 10^first, 10^(first + stride), ... If stride is 1, adds minor ticks at 2 to 9 times the powers of ten.
 * Otherwise adds minor ticks at the powers of ten between the ticks. */
static void add_powers(heed__ticks *ticks, int first, int last, int stride, double low, double high)
{
    for (int e = first; e <= last && ticks->count < HEED__MAX_TICKS; e += stride) {
        heed__tick *tick = &ticks->at[ticks->count++];
        tick->value = decimal_value((decimal){1, e});
        append_to_label(tick->label, "10");
        append_superscript(tick->label, e);
    }
    for (int e = first - 1; e <= last; e++) {
        if (stride > 1 && last - first < HEED__MAX_MINOR_TICKS && (e - first) % stride != 0)
            add_minor(ticks, (decimal){1, e}, low, high);
        for (int digit = 2; digit <= 9 && stride == 1; digit++)
            add_minor(ticks, (decimal){digit, e}, low, high);
    }
}

/* Adds ticks at 1, 2 and 5 times the powers of ten, and minor ticks at 3, 4, 6, 7, 8 and 9 times the powers of ten. */
static void add_one_two_five(heed__ticks *ticks, int first, int last, double low, double high)
{
    for (int e = first; e <= last; e++)
        for (int digit = 1; digit <= 9; digit++) {
            decimal d = {digit, e};
            double value = decimal_value(d);
            if (digit != 1 && digit != 2 && digit != 5) {
                add_minor(ticks, d, low, high);
            } else if (value >= low && value <= high && ticks->count < HEED__MAX_TICKS) {
                heed__tick *tick = &ticks->at[ticks->count++];
                tick->value = value;
                append_decimal(tick->label, needs_factor(e) ? (decimal){digit, 0} : d);
                append_power(tick->label, needs_factor(e) ? e : 0);
            }
        }
}

void heed__ticks_log(heed__ticks *ticks, double low, double high, int most)
{
    double from = low * (1 - SLACK), to = fmin(high * (1 + SLACK), 1.7976931348623157e308);
    int first = decimal_exponent(from), last = decimal_exponent(to);
    if (decimal_value((decimal){1, first}) < from)
        first++;
    int powers = last - first + 1;
    *ticks = (heed__ticks){.count = 0};
    if (powers >= 2) {
        int limit = most < 2 ? 2 : most;
        add_powers(ticks, first, last, (powers + limit - 1) / limit, from, to);
    } else if (to / from >= 5) {
        add_one_two_five(ticks, first - 1, last, from, to);
    } else {
        heed__ticks_linear(ticks, low, high, most, false);
    }
}

/* -- Names ------------------------------------------------------------------------------------------------ */

void heed__ticks_names(heed__ticks *ticks, const char *const *names, int64_t count, int64_t stride, double low,
                       double high)
{
    const double slack = 1e-6 * (high / 2 - low / 2) * 2; /* equal to the tolerance of `within` in axes.c */
    int64_t first = (int64_t)ceil(fmin(fmax(low - slack, 0), (double)count));
    int64_t last = (int64_t)floor(fmin(fmax(high + slack, -1), (double)(count - 1)));
    int64_t least = (count + INT_MAX - 1) / INT_MAX;
    *ticks = (heed__ticks){.names = names, .stride = stride > least ? stride : least > 1 ? least : 1};
    ticks->first = (first + ticks->stride - 1) / ticks->stride * ticks->stride;
    ticks->count = last < ticks->first ? 0 : (int)((last - ticks->first) / ticks->stride + 1);
}

heed__tick heed__ticks_name(const heed__ticks *ticks, int i)
{
    static const char ellipsis[] = "…";
    int64_t at = ticks->first + i * ticks->stride;
    heed__tick tick = {.value = (double)at};
    const char *name = ticks->names[at];
    size_t length = strlen(name), most = sizeof tick.label - 1;
    if (length > most) {
        for (length = most - (sizeof ellipsis - 1); length > 0 && heed__utf8_is_tail(name[length]);)
            length--;
        memcpy(tick.label + length, ellipsis, sizeof ellipsis);
    }
    memcpy(tick.label, name, length);
    return tick;
}
