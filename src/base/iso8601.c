/* base/iso8601.c - dates as numbers: ISO 8601's extended format and other common forms, the proleptic Gregorian
 * calendar.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "base/iso8601.h"

#include <stddef.h>
#include <string.h>

/* Reads exactly n digits, whose value must be between low and high; otherwise returns NULL. */
static const char *read_digits(const char *c, int n, int low, int high, int *value)
{
    if (!c)
        return NULL;
    *value = 0;
    for (int i = 0; i < n; i++, c++) {
        if (*c < '0' || *c > '9')
            return NULL;
        *value = 10 * *value + (*c - '0');
    }
    return *value >= low && *value <= high ? c : NULL;
}

static const char *skip_character(const char *c, char expected)
{
    return c && *c == expected ? c + 1 : NULL;
}

static int days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

/* Whole days of the years 0 to year - 1: 365 per year plus one per leap year. */
static int64_t days_before_year(int year)
{
    int last = year - 1;
    return 365 * (int64_t)year + (year > 0 ? 1 + last / 4 - last / 100 + last / 400 : 0);
}

int64_t heed__day_number(heed__date date)
{
    int64_t days = days_before_year(date.year) - days_before_year(1970) + date.day - 1;
    for (int m = 1; m < date.month; m++)
        days += days_in_month(date.year, m);
    return days;
}

heed__date heed__date_of_day(int64_t day)
{
    enum { DAYS_PER_ERA = 146097, MARCH_OF_YEAR_0 = 719468 }; /* an era has 400 years, which begin in March */
    const int64_t shifted = day + MARCH_OF_YEAR_0;
    const int64_t era = (shifted >= 0 ? shifted : shifted - DAYS_PER_ERA + 1) / DAYS_PER_ERA;
    const int64_t in_era = shifted - era * DAYS_PER_ERA;
    const int64_t year = (in_era - in_era / 1460 + in_era / 36524 - in_era / (DAYS_PER_ERA - 1)) / 365;
    const int64_t in_year = in_era - (365 * year + year / 4 - year / 100), month = (5 * in_year + 2) / 153;
    return (heed__date){(int)(year + era * 400 + (month >= 10)), (int)(month < 10 ? month + 3 : month - 9),
                        (int)(in_year - (153 * month + 2) / 5 + 1)};
}

static const char *read_iso_date(const char *c, int64_t *days)
{
    int year = 0, month = 0, day = 0;
    c = skip_character(read_digits(c, 4, 0, 9999, &year), '-');
    c = skip_character(read_digits(c, 2, 1, 12, &month), '-');
    c = c ? read_digits(c, 2, 1, days_in_month(year, month), &day) : NULL;
    if (!c)
        return NULL;
    *days = heed__day_number((heed__date){year, month, day});
    return c;
}

/* Reads up to nine digits; missing digits count as 0. */
static const char *read_fraction(const char *c, int32_t *nanoseconds)
{
    int n = 0;
    for (; *c >= '0' && *c <= '9' && n < 9; c++, n++)
        *nanoseconds = 10 * *nanoseconds + (*c - '0');
    for (int i = n; i < 9; i++)
        *nanoseconds *= 10;
    return n > 0 ? c : NULL;
}

static const char *read_time(const char *c, heed__moment *moment)
{
    int hour = 0, minute = 0, second = 0;
    c = skip_character(read_digits(c, 2, 0, 23, &hour), ':');
    c = read_digits(c, 2, 0, 59, &minute);
    if (c && *c == ':')
        c = read_digits(c + 1, 2, 0, 59, &second);
    else if (c && (*c == '.' || *c == ','))
        return NULL; /* a fraction of a minute */
    if (c && (*c == '.' || *c == ','))
        c = read_fraction(c + 1, &moment->nanoseconds);
    moment->seconds += 3600 * hour + 60 * minute + second;
    return c;
}

static const char *read_offset(const char *c, heed__moment *moment)
{
    int hours = 0, minutes = 0, sign = *c == '-' ? -1 : 1;
    c = read_digits(c + 1, 2, 0, 23, &hours);
    if (c && *c == ':')
        c = read_digits(c + 1, 2, 0, 59, &minutes);
    moment->seconds -= sign * (3600 * hours + 60 * minutes);
    return c;
}

/* Reads the time after a date, if there is one. */
static const char *read_rest(const char *c, int64_t days, heed__moment *moment)
{
    *moment = (heed__moment){.seconds = 86400 * days};
    bool has_time = *c == 'T' || (*c == ' ' && c[1] >= '0' && c[1] <= '9');
    if (!has_time)
        return c;
    c = read_time(c + 1, moment);
    if (c && *c == 'Z')
        return c + 1;
    return c && (*c == '+' || *c == '-') ? read_offset(c, moment) : c;
}

const char *heed__iso8601(const char *text, heed__moment *moment)
{
    int64_t days = 0;
    const char *c = read_iso_date(text, &days);
    return c ? read_rest(c, days, moment) : NULL;
}

/* -- Other forms --------------------------------------------------------------------------------------------------- */

/* One of the three components of a date. digits is 0 for the name of a month. */
typedef struct component {
    int value, digits;
} component;

static bool same_letters(const char *text, const char *name, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((text[i] | 0x20) != name[i])
            return false;
    return true;
}

/* Reads the name of a month, of which at least three letters must be there. */
static const char *read_month_name(const char *c, component *out)
{
    static const char *const names[] = {"january", "february", "march",     "april",   "may",      "june",
                                        "july",    "august",   "september", "october", "november", "december"};
    size_t n = 0;
    while ((c[n] | 0x20) >= 'a' && (c[n] | 0x20) <= 'z')
        n++;
    for (int i = 0; i < 12 && n >= 3; i++)
        if (n <= strlen(names[i]) && same_letters(c, names[i], n)) {
            *out = (component){i + 1, 0};
            return c + n;
        }
    return NULL;
}

static const char *read_component(const char *c, component *out)
{
    int n = 0;
    while (c[n] >= '0' && c[n] <= '9')
        n++;
    if (n == 0)
        return read_month_name(c, out);
    out->digits = n;
    return n == 1 || n == 2 || n == 4 ? read_digits(c, n, 0, 9999, &out->value) : NULL;
}

const char *heed__common_date(const char *text, bool day_first, heed__moment *moment)
{
    component part[3];
    char separator = '\0';
    const char *c = text;
    for (int i = 0; i < 3 && c; i++) {
        if (i > 0) {
            c += *c == ',' && c[1] == ' '; /* Feb 29, 2024 */
            separator = i == 1 ? *c : separator;
            if (*c != separator || !strchr("./- ", separator) || !separator)
                return NULL;
            c++;
        }
        c = read_component(c, &part[i]);
    }
    if (!c)
        return NULL;
    const bool year_first = part[0].digits == 4;
    if (part[2].digits == 4)
        day_first = part[1].digits == 0 || (part[0].digits != 0 && (separator == '.' || day_first));
    const int year = year_first ? 0 : 2, month = year_first || day_first ? 1 : 0, day = year_first ? 2 : !day_first;
    const bool only_month = part[0].digits == 0 || part[1].digits == 0;
    if (part[year].digits != 4 || part[day].digits == 0 || part[day].digits > 2 || part[month].digits > 2 ||
        (separator == ' ' && !only_month) || part[month].value < 1 || part[month].value > 12 || part[day].value < 1 ||
        part[day].value > days_in_month(part[year].value, part[month].value))
        return NULL;
    return read_rest(c, heed__day_number((heed__date){part[year].value, part[month].value, part[day].value}), moment);
}
