/* base/decimal.h - numbers as text that does not depend on the locale. */
#ifndef HEED_BASE_DECIMAL_H
#define HEED_BASE_DECIMAL_H

/* Turns the decimal point that snprintf wrote, which is the locale's and may have several bytes, into '.'. */
void heed__decimal_point(char *number);

#endif
