/* base/iso8601.h - dates as numbers. */
#ifndef HEED_BASE_ISO8601_H
#define HEED_BASE_ISO8601_H

#include <stdint.h>

/* Seconds since 1970-01-01T00:00:00Z, without leap seconds, and the rest in nanoseconds from 0 to 10^9 - 1. */
typedef struct heed__moment {
    int64_t seconds;
    int32_t nanoseconds;
} heed__moment;

/* Reads YYYY-MM-DD, optionally followed by "Thh:mm", ":ss", a fraction of up to nine digits after '.' or ',', and "Z"
 * or an offset "+hh:mm" or "+hh"; a blank may replace the T. Returns the end of the date, or NULL if the text does not
 * begin with one. */
const char *heed__iso8601(const char *text, heed__moment *moment);

#endif
