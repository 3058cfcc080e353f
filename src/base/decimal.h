/* base/decimal.h - numbers as text that does not depend on the locale.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_BASE_DECIMAL_H
#define HEED_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Replaces the locale's decimal point, as snprintf wrote it (it may have several bytes), by '.'. */
void heed__decimal_point(char *number);

/* Prints a number with the fewest digits (at least 6 for f32, 15 for f64) that read back as the same bits; "nan", "inf"
 * and "-inf" for the others. 32 bytes are enough. */
void heed__decimal_print(char *number, size_t size, double value, bool is_f32);

/* Reads a number that heed__decimal_print or printf of an integer wrote: a sign, digits, '.', digits and an exponent.
 * Returns false for other texts, including "nan" and "inf", and for numbers too large for a double. */
bool heed__decimal_parse(const char *text, double *value);

/* -- For messages and tables -------------------------------------------------------------------------------------- */

typedef struct heed__number_text {
    char s[48];
} heed__number_text;

/* Returns "12.34", with `digits` digits after the decimal point. */
heed__number_text heed__fixed(double value, int digits);

/* Returns "1,234,567"; "-" for 0. */
heed__number_text heed__grouped(int64_t value);

/* Returns "512 B", "1.50 KiB", "23.4 MiB"; "-" for 0. */
heed__number_text heed__bytes(int64_t value);

#endif
