/* base/decimal.h - numbers as text that does not depend on the locale. */
#ifndef HEED_BASE_DECIMAL_H
#define HEED_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

/* Turns the decimal point that snprintf wrote, which is the locale's and may have several bytes, into '.'. */
void heed__decimal_point(char *number);

/* A number with the fewest digits, from 6 in f32 and from 15 in f64, that give the same bits when read; "nan", "inf"
 * and "-inf". 32 bytes are enough. */
void heed__decimal_print(char *number, size_t size, double value, bool is_f32);

#endif
