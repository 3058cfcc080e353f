/* base/iso8601.h - dates as numbers.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_BASE_ISO8601_H
#define HEED_BASE_ISO8601_H

#include <stdbool.h>
#include <stdint.h>

/* Seconds since 1970-01-01T00:00:00Z, without leap seconds, and the rest in nanoseconds from 0 to 10^9 - 1. */
typedef struct heed__moment {
    int64_t seconds;
    int32_t nanoseconds;
} heed__moment;

/* A date; months and days count from 1. */
typedef struct heed__date {
    int year, month, day;
} heed__date;

/* Returns the days from 1970-01-01 to a date, and the date of such a number. */
int64_t heed__day_number(heed__date date);
heed__date heed__date_of_day(int64_t day);

/* Reads YYYY-MM-DD, optionally followed by "Thh:mm", ":ss", a fraction of up to nine digits after '.' or ',', and "Z"
 * or an offset "+hh:mm" or "+hh"; a blank may replace the T. Returns the end of the date, or NULL if the text does not
 * begin with one. */
const char *heed__iso8601(const char *text, heed__moment *moment);

/* Reads three numbers with the same '.', '/', '-' or blank between them, or two numbers and an English name of a month
 * ("29-Feb-2024", "Feb 29, 2024"), optionally followed by a time as in heed__iso8601. A number of four digits is the
 * year, first or last. If it is last, the day is first in dates with '.'; with '/' and '-' it is first if `day_first`.
 * Returns the end of the date, or NULL if the text does not begin with one. */
const char *heed__common_date(const char *text, bool day_first, heed__moment *moment);

#endif
