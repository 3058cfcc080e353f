/* io/csv_date.c - a date column of a CSV. */

#include <math.h>

#include "base/iso8601.h"
#include "io/csv.h"

#define DAY_SECONDS 86400

static const char *store_whole(heed__moment moment, heed_io_time unit, int64_t *out)
{
    int64_t unit_seconds = unit == HEED_IO_DAYS ? DAY_SECONDS : 1;
    if (moment.nanoseconds != 0 || moment.seconds % unit_seconds != 0)
        return unit == HEED_IO_DAYS ? "not a whole day" : "not a whole second";
    *out = moment.seconds / unit_seconds;
    return NULL;
}

/* Converts a date to an element. Returns NULL, or the problem with the field. Seconds are below 2^38, so a double
 * resolves them to 2^-15 s or finer. */
static const char *read_date(const heed__csv_converter *converter, const char *field, void *out)
{
    heed__moment moment = {.seconds = 0};
    const char *end = heed__iso8601(heed__csv_skip_blanks(field), &moment);
    if (!end || *heed__csv_skip_blanks(end) != '\0')
        return "not a date such as 2024-02-29 or 2024-02-29T13:45:07";
    if (converter->dtype == HEED_I64)
        return store_whole(moment, converter->unit, out);
    double value = (double)moment.seconds + (double)moment.nanoseconds / 1e9;
    value = converter->unit == HEED_IO_DAYS ? value / DAY_SECONDS : value;
    if (converter->dtype == HEED_F32)
        *(float *)out = (float)value;
    else
        *(double *)out = value;
    return NULL;
}

heed_tensor *heed_io_csv_dates(const heed_io_csv *csv, const char *name, heed_io_time unit, heed_dtype dtype)
{
    static const char where[] = "io_csv_dates";
    HEED_ENTER(where);
    heed__csv_converter converter = {
        .where = where, .dtype = dtype, .read = read_date, .unit = unit, .missing_value = (double)NAN};
    if (unit != HEED_IO_SECONDS && unit != HEED_IO_DAYS)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "unit must be HEED_IO_SECONDS or HEED_IO_DAYS, not %d",
                              (int)unit);
    if (dtype == HEED_BOOL)
        return heed_fail_null(HEED_ERR_DTYPE, where, "dtype is bool: dates are i64, f32 or f64");
    return heed__csv_vector(csv, name, &converter);
}
