/* tests/io/test_csv_dates.c - tests of dates as numbers: values from Python's datetime, and invalid dates.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "from_memory.h"

#include "fail_alloc.h"
#include "reference/dates_reference.h"

#define COUNT ((int)(sizeof dates_reference / sizeof dates_reference[0]))

static heed_io_csv *parse(const char *text, const heed_io_csv_options *options)
{
    heed_io_csv *csv = csv_from_memory(text, strlen(text), options);
    ck_assert_msg(csv != NULL, "%s", heed_error_message());
    return csv;
}

static heed_io_csv *all_dates(void)
{
    static char text[1 << 13];
    size_t used = (size_t)snprintf(text, sizeof text, "when\n");
    for (int i = 0; i < COUNT; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "\"%s%s\"\n", i % 5 ? "" : " \t",
                                 dates_reference[i].text);
    return parse(text, NULL);
}

START_TEST(same_as_python)
{
    heed_io_csv *csv = all_dates();
    const double *seconds = heed_data_f64(heed_io_csv_dates(csv, "when", HEED_IO_SECONDS, HEED_F64));
    const double *days = heed_data_f64(heed_io_csv_dates(csv, "when", HEED_IO_DAYS, HEED_F64));
    const float *seconds_f32 = heed_data_f32(heed_io_csv_dates(csv, "when", HEED_IO_SECONDS, HEED_F32));
    for (int i = 0; i < COUNT; i++) {
        ck_assert_msg(seconds[i] == dates_reference[i].seconds, "%s: %.9f, not %.9f", dates_reference[i].text,
                      seconds[i], dates_reference[i].seconds);
        ck_assert_double_eq(days[i], seconds[i] / 86400);
        ck_assert((double)seconds_f32[i] == (double)(float)seconds[i]);
    }
    heed_io_csv_free(csv);
}
END_TEST

static heed_io_csv *parse_one(const char *date)
{
    static char text[256];
    (void)snprintf(text, sizeof text, "n,when\n1,2024-02-29\n2,\"%s\"\n", date);
    return parse(text, NULL);
}

static double read_one(const char *date, heed_io_time unit, heed_dtype dtype)
{
    heed_io_csv *csv = parse_one(date);
    heed_tensor *t = heed_io_csv_dates(csv, "when", unit, dtype);
    ck_assert_msg(t != NULL, "%s", heed_error_message());
    ck_assert(heed_dtype_of(t) == dtype && heed_rank(t) == 1 && heed_numel(t) == 2);
    heed_io_csv_free(csv);
    return heed_get(t, HEED_INDEX(1));
}

START_TEST(units_and_dtypes)
{
    ck_assert_double_eq(read_one("2024-02-29", HEED_IO_DAYS, HEED_I64), 19782);
    ck_assert_double_eq(read_one("2024-02-29T12:00", HEED_IO_DAYS, HEED_F32), 19782.5);
    ck_assert_double_eq(read_one("1969-12-31", HEED_IO_DAYS, HEED_I64), -1);
    ck_assert_double_eq(read_one("1969-12-31T23:59:59", HEED_IO_SECONDS, HEED_I64), -1);
    ck_assert_double_eq(read_one("0000-01-01", HEED_IO_DAYS, HEED_I64), -719528);
    ck_assert_double_eq(read_one("0000-12-31", HEED_IO_DAYS, HEED_I64), -719163);
    ck_assert_double_eq(read_one("1970-01-01T00:00:00.000000001", HEED_IO_SECONDS, HEED_F64), 1e-9);
    ck_assert_double_eq(read_one("1970-01-01T00:00:00,5", HEED_IO_SECONDS, HEED_F64), 0.5);
}
END_TEST

static void check_refused(const char *date, heed_io_time unit, heed_dtype dtype, const char *reason)
{
    char message[256];
    (void)snprintf(message, sizeof message, "io_csv_dates: csv, line 3, column \"when\": \"%s\" is %s", date, reason);
    heed_io_csv *csv = parse_one(date);
    ck_assert_ptr_null(heed_io_csv_dates(csv, "when", unit, dtype));
    ck_assert_str_eq(heed_error_message(), message);
    ck_assert_error(HEED_ERR_FORMAT, "");
    heed_io_csv_free(csv);
}

START_TEST(invalid_dates)
{
    static const char *const dates[] = {"2023-02-29",
                                        "1900-02-29",
                                        "2024-02-30",
                                        "2024-13-01",
                                        "2024-00-01",
                                        "2024-01-00",
                                        "2024-04-31",
                                        "24-01-01",
                                        "12024-01-01",
                                        "-2024-01-01",
                                        "20240101",
                                        "2024/13/01",
                                        "2024.01/01",
                                        "30.02.2024",
                                        "1.2.24",
                                        "1 2 2024",
                                        "1-Fe-2024",
                                        "1-Febr-uary",
                                        "Februarys 1, 2024",
                                        "1.Feb",
                                        "2024-01-01T",
                                        "2024-01-01T1",
                                        "2024-01-01T12",
                                        "2024-01-01T24:00",
                                        "2024-01-01T23:60",
                                        "2024-01-01T23:59:60",
                                        "2024-01-01T12:30.5",
                                        "2024-01-01T12:30:00.",
                                        "2024-01-01T12:30:00.1234567890",
                                        "2024-01-01T12:30z",
                                        "2024-01-01t12:30",
                                        "2024-01-01Z",
                                        "2024-01-01T12:30+1",
                                        "2024-01-01T12:30+24:00",
                                        "2024-01-01T12:30+01:",
                                        "2024-01-01T12:30+0100",
                                        "2024-01-01  12:30",
                                        "2024-01-01 noon",
                                        "12",
                                        "today"};
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++)
        check_refused(dates[i], HEED_IO_SECONDS, HEED_F64, "not a date such as 2024-02-29 or 2024-02-29T13:45:07");
    check_refused("2024-01-01T12:00", HEED_IO_DAYS, HEED_I64, "not a whole day");
    check_refused("2024-01-01T12:00:00.5", HEED_IO_SECONDS, HEED_I64, "not a whole second");
    check_refused("1969-12-31T23:59:59.5", HEED_IO_SECONDS, HEED_I64, "not a whole second");
    check_refused("NA", HEED_IO_DAYS, HEED_F32,
                  "a missing value: set the option missing to a different HEED_IO_MISSING_*");
}
END_TEST

START_TEST(missing_dates)
{
    static const char text[] = "when\n1970-01-02\nNA\n";
    heed_io_csv *csv = parse(text, &(heed_io_csv_options){.missing = HEED_IO_MISSING_NAN});
    const float *days = heed_data_f32(heed_io_csv_dates(csv, "when", HEED_IO_DAYS, HEED_F32));
    ck_assert(days[0] == 1.0F && isnan(days[1]));
    ck_assert_ptr_null(heed_io_csv_dates(csv, "when", HEED_IO_DAYS, HEED_I64));
    ck_assert_error(HEED_ERR_DTYPE, "io_csv_dates: csv, line 3, column \"when\": a missing value becomes nan");
    heed_io_csv_free(csv);
    csv = parse(text, &(heed_io_csv_options){.missing = HEED_IO_MISSING_FILL, .fill = -1});
    ck_assert_int_eq(heed_get_i64(heed_io_csv_dates(csv, "when", HEED_IO_DAYS, HEED_I64), HEED_INDEX(1)), -1);
    heed_io_csv_free(csv);
}
END_TEST

START_TEST(bad_arguments)
{
    heed_io_csv *csv = parse("when\n1970-01-02\n", NULL);
    ck_assert_ptr_null(heed_io_csv_dates(csv, "when", (heed_io_time)2, HEED_F64));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_dates: unit must be HEED_IO_SECONDS or HEED_IO_DAYS, not 2");
    ck_assert_ptr_null(heed_io_csv_dates(csv, "when", HEED_IO_DAYS, HEED_BOOL));
    ck_assert_error(HEED_ERR_DTYPE, "io_csv_dates: dtype is bool: dates are i64, f32 or f64");
    ck_assert_ptr_null(heed_io_csv_dates(csv, "when", HEED_IO_DAYS, (heed_dtype)9));
    ck_assert_error(HEED_ERR_DTYPE, "9");
    ck_assert_ptr_null(heed_io_csv_dates(csv, "then", HEED_IO_DAYS, HEED_F64));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_dates: csv has no column named \"then\"; its only column is \"when\"");
    ck_assert_ptr_null(heed_io_csv_dates(csv, NULL, HEED_IO_DAYS, HEED_F64));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_dates: the name is NULL");
    ck_assert_ptr_null(heed_io_csv_dates(NULL, "when", HEED_IO_DAYS, HEED_F64));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_dates: the csv is NULL");
    heed_io_csv_free(csv);
}
END_TEST

static bool dates_program(double *value)
{
    heed_io_csv *csv = csv_from_memory("a\n1970-01-01\n1970-01-03", 23, NULL);
    heed_tensor *days = csv ? heed_io_csv_dates(csv, "a", HEED_IO_DAYS, HEED_F32) : NULL;
    *value = days ? heed_get(days, HEED_INDEX(1)) : 0;
    heed_io_csv_free(csv);
    return days != NULL;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(dates_program);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("csv dates", same_as_python, units_and_dtypes, invalid_dates, missing_dates, bad_arguments,
               out_of_memory)
