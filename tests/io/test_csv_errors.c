/* tests/io/test_csv_errors.c - tests of the texts that the CSV reader refuses and of its messages: path, line, column
 * and text.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define _GNU_SOURCE /* RTLD_NEXT */

#include "check_heed.h"
#include "from_memory.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

static bool newlocale_fails;

/* Replaces the C library's function; fails on demand. */
locale_t newlocale(int categories, const char *name, locale_t base)
{
    locale_t (*real)(int, const char *, locale_t);
    void *symbol = dlsym(RTLD_NEXT, "newlocale");
    memcpy(&real, &symbol, sizeof real);
    return newlocale_fails ? (locale_t)0 : real(categories, name, base);
}

static heed_io_csv *parse(const char *text)
{
    heed_io_csv *csv = csv_from_memory(text, strlen(text), NULL);
    ck_assert_msg(csv != NULL, "%s", heed_error_message());
    return csv;
}

static void check_refused(const char *text, size_t size, const char *message)
{
    ck_assert_ptr_null(csv_from_memory(text, size, NULL));
    ck_assert_int_eq(heed_error_code(), HEED_ERR_FORMAT);
    ck_assert_str_eq(heed_error_message(), message);
    heed_error_clear();
}

#define REFUSED(text, message) check_refused(text, sizeof(text) - 1, "io_csv_read: csv, " message)

/* -- The format ------------------------------------------------------------------------------------------------- */

START_TEST(header)
{
    REFUSED("\n", "line 2: the header is missing");
    REFUSED("\r\n\n", "line 3: the header is missing");
    REFUSED("\xEF\xBB\xBF", "line 1: the header is missing");
    REFUSED("a, \"c\n", "line 1, field 2: white space before a quote: a quoted field begins with its quote: \"\"c\"");
    check_refused("", 0, "io_csv_read: csv: it is empty (size is 0)");
}
END_TEST

START_TEST(number_of_fields)
{
    REFUSED("a,b\n1,2\n3,4,5\n", "line 3, field 3: more fields than the header has, beginning with: \"5\"");
    REFUSED("a,b\n1,2,,", "line 2, field 3: more fields than the header has, beginning with: \",\"");
    REFUSED("a,b,c\n1,2\n", "line 2, column \"b\": fewer fields than the header has, the last one is: \"2\"");
    REFUSED("a,b\n\"x\ny\"\n", "line 3, column \"a\": fewer fields than the header has, the last one is: \"x...\"");
    REFUSED("a,b\n\n1,2\n\n\r\n3\n", "line 6, column \"a\": fewer fields than the header has, the last one is: \"3\"");
}
END_TEST

START_TEST(quotes)
{
    REFUSED("a,b\n1, \"3\"\n",
            "line 2, column \"b\": white space before a quote: a quoted field begins with its quote: \"\"3\"\"");
    REFUSED("a,b\n1,\t \"3\"\n",
            "line 2, column \"b\": white space before a quote: a quoted field begins with its quote: \"\"3\"\"");
    REFUSED("a,b\n\"1\"2,3\n", "line 2, column \"a\": text after the closing quote: \"2,3\"");
    REFUSED("a,b\n\"1\" ,3\n", "line 2, column \"a\": text after the closing quote: \" ,3\"");
    REFUSED("a,b\n1,\"2\n3,4\n5,6\n", "line 2, column \"b\": the closing quote is missing: \"2...\"");
    REFUSED("a,b\n1,\"", "line 2, column \"b\": the closing quote is missing: \"\"");
    REFUSED("a,b\n1,\"\"\"", "line 2, column \"b\": the closing quote is missing: \"\"\"");
    REFUSED("\"a,b\n", "line 1, field 1: the closing quote is missing: \"a,b...\"");
}
END_TEST

START_TEST(bytes)
{
    REFUSED("a,b\r1,2\r", "line 1, field 2: a carriage return without a line feed, after the text: \"b\"");
    REFUSED("a,b\n1,2\r", "line 2, column \"b\": a carriage return without a line feed, after the text: \"2\"");
    REFUSED("a,b\n\"1\"\r,2", "line 2, column \"a\": a carriage return without a line feed, after the text: \"1\"");
    REFUSED("a,b\n\r1,2\n", "line 2, column \"a\": a carriage return without a line feed, after the text: \"\"");
    REFUSED("a,b\n1,2\0003\n", "line 2, column \"b\": a NUL byte after the text: \"2\"");
    REFUSED("a,b\n1,\"2\0003\"\n", "line 2, column \"b\": a NUL byte after the text: \"2\"");
    REFUSED("a\0\n", "line 1, field 1: a NUL byte after the text: \"a\"");
}
END_TEST

/* The last byte of a line end is missing, though it may still be in memory, since the text parsed before had it. */
START_TEST(truncated_line_end)
{
    static const char text[] = "number\n1234567890123456789\n\r\n";
    heed_io_csv_free(parse(text));
    check_refused(
        text, sizeof text - 2,
        "io_csv_read: csv, line 3, column \"number\": a carriage return without a line feed, after the text: \"\"");
}
END_TEST

/* Lines are counted as in an editor, also after quoted fields with line ends in them. */
START_TEST(line_numbers)
{
    REFUSED("\"a\nb\",c\n1,2\n3\n",
            "line 4, column \"a...\": fewer fields than the header has, the last one is: \"3\"");
    heed_io_csv *csv = parse("x,\"y\nz\"\n1,\"two\n\nlines\"\r\n3,\"a\nb\"\nbad,5\n");
    ck_assert_ptr_null(heed_io_csv_column(csv, "x", HEED_F64));
    ck_assert_error(HEED_ERR_FORMAT, "io_csv_column: csv, line 8, column \"x\": \"bad\" is not a number");
    ck_assert_ptr_null(heed_io_csv_column(csv, "y\nz", HEED_F64));
    ck_assert_error(HEED_ERR_FORMAT, "csv, line 3, column \"y...\": \"two...\" is not a number");
    heed_io_csv_free(csv);
}
END_TEST

START_TEST(long_texts_are_truncated)
{
    REFUSED("a\n1,2345678901234567890123456789012345678901234567890\n",
            "line 2, field 2: more fields than the header has, beginning with: "
            "\"2345678901234567890123456789012345678901...\"");
    REFUSED("a\n1,\x1b[31m\t\n",
            "line 2, field 2: more fields than the header has, beginning with: \"\\u001b[31m\\t\"");
    /* 39 bytes, then a character of two bytes, which is left out completely */
    REFUSED("a\n1,234567890123456789012345678901234567890\xC3\xA9xyz\n",
            "line 2, field 2: more fields than the header has, beginning with: "
            "\"234567890123456789012345678901234567890...\"");
}
END_TEST

/* The maximum number of columns, all without a name, and one more. */
START_TEST(maximum_number_of_columns)
{
    enum { MAX_COLUMNS = 1 << 20 };
    char *text = malloc(MAX_COLUMNS);
    memset(text, ',', MAX_COLUMNS);
    heed_io_csv *csv = csv_from_memory(text, MAX_COLUMNS - 1, NULL);
    ck_assert_int_eq(heed_io_csv_get_facts(csv).columns, MAX_COLUMNS);
    ck_assert_str_eq(heed_io_csv_name(csv, MAX_COLUMNS - 1), "");
    ck_assert_ptr_null(heed_io_csv_column(csv, "", HEED_F32));
    ck_assert_error(HEED_ERR_ARGUMENT, "csv has 1048576 columns named \"\"");
    heed_io_csv_free(csv);
    ck_assert_ptr_null(csv_from_memory(text, MAX_COLUMNS, NULL));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "io_csv_read: csv, line 1: more than 1048576 columns");
    free(text);
}
END_TEST

START_TEST(bad_options)
{
    static const char bad[] = {'"', '\n', '\r'};
    for (int i = 0; i < 3; i++) {
        ck_assert_ptr_null(csv_from_memory("a", 1, &(heed_io_csv_options){.separator = bad[i]}));
        ck_assert_error(HEED_ERR_ARGUMENT, "separator");
        ck_assert_ptr_null(heed_io_csv_read("/dev/null", &(heed_io_csv_options){.separator = bad[i]}));
        ck_assert_error(HEED_ERR_ARGUMENT, "separator");
    }
    ck_assert_ptr_null(csv_from_memory("a,b\n", 4, &(heed_io_csv_options){.max_bytes = 3}));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "the text has 4 bytes, more than the limit of 3 (max_bytes)");
    ck_assert_ptr_null(csv_from_memory("a", SIZE_MAX, &(heed_io_csv_options){.max_bytes = SIZE_MAX}));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "limit");
    ck_assert_ptr_null(heed_io_csv_read("a.csv", &(heed_io_csv_options){.bytes = "\n", .size = 1}));
    ck_assert_error(HEED_ERR_FORMAT, "io_csv_read: a.csv, line 2: the header is missing");
    ck_assert_ptr_null(csv_from_memory(NULL, 3, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "bytes is NULL, but size is 3");
}
END_TEST

/* -- Columns ---------------------------------------------------------------------------------------------------- */

static void check_number(const char *field, heed_dtype dtype, const char *reason)
{
    char text[256], message[256];
    (void)snprintf(text, sizeof text, "t,x\n1,1\n2,\"%s\"\n", field);
    (void)snprintf(message, sizeof message, "io_csv_column: csv, line 3, column \"x\": %s", reason);
    heed_io_csv *csv = parse(text);
    ck_assert_ptr_null(heed_io_csv_column(csv, "x", dtype));
    ck_assert_int_eq(heed_error_code(), HEED_ERR_FORMAT);
    ck_assert_str_eq(heed_error_message(), message);
    heed_error_clear();
    heed_io_csv_free(csv);
}

START_TEST(not_numbers)
{
    static const char *const fields[] = {"abc", "infi", "-Infinit", "0x10", "1x",  "Nan", "nan(1)", "-nan", "na",
                                         "1 2", "1e",   "1e+",      ".",    "-",   "+-1", "--1",    "e5",   "1..",
                                         "1_0", "1.5f", "\v1",      "1e5.", "1d5", "$3",  "3%"};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        char reason[128];
        (void)snprintf(reason, sizeof reason, "\"%s\" is not a number", fields[i][0] == '\v' ? "\\u000b1" : fields[i]);
        check_number(fields[i], HEED_F64, reason);
        check_number(fields[i], HEED_F32, reason);
    }
}
END_TEST

START_TEST(numbers_out_of_range)
{
    check_number("1e999", HEED_F64, "\"1e999\" is too large for f64");
    check_number("-1.8e308", HEED_F64, "\"-1.8e308\" is too large for f64");
    check_number("1e39", HEED_F32, "\"1e39\" is too large for f32");
    check_number("3.4028236e38", HEED_F32, "\"3.4028236e38\" is too large for f32");
    check_number("9223372036854775808", HEED_I64, "\"9223372036854775808\" is too large for i64");
    check_number("-9223372036854775809.0", HEED_I64, "\"-9223372036854775809.0\" is too large for i64");
    check_number("1e99999999999999999999", HEED_I64, "\"1e99999999999999999999\" is too large for i64");
    check_number("1e300", HEED_I64, "\"1e300\" is too large for i64");
    char not_whole[] =
        "5.5|-0.1|9007199254740993.5|1e-1|1234.5e0|12345e-3|9223372036854775807.9|1e-99999999999999999999|"
        "e3|1e|1e+|.|5.0.0|NAN|inf|0x10|1_000|5.0 5";
    for (const char *text = strtok(not_whole, "|"); text; text = strtok(NULL, "|")) {
        char reason[64];
        (void)snprintf(reason, sizeof reason, "\"%s\" is not a whole number", text);
        check_number(text, HEED_I64, reason);
    }
    check_number("-", HEED_I64, "\"-\" is not a whole number");
    check_number("2", HEED_BOOL, "\"2\" is not 0 or 1");
    check_number("true", HEED_BOOL, "\"true\" is not 0 or 1");
}
END_TEST

START_TEST(names)
{
    heed_io_csv *csv = parse("a,b,a\n1,2,3\n");
    ck_assert_ptr_null(heed_io_csv_column(csv, "c", HEED_F64));
    ck_assert_error(HEED_ERR_ARGUMENT,
                    "io_csv_column: csv has no column named \"c\"; its columns are \"a\", \"b\", \"a\"");
    ck_assert_ptr_null(heed_io_csv_column(csv, "a", HEED_F64));
    ck_assert_error(HEED_ERR_ARGUMENT, "csv has 2 columns named \"a\"");
    ck_assert_ptr_null(heed_io_csv_column(csv, "B", HEED_F64));
    ck_assert_error(HEED_ERR_ARGUMENT, "no column named \"B\"");
    ck_assert_double_eq(heed_item(heed_io_csv_column(csv, "b", HEED_F64)), 2);
    ck_assert_ptr_null(heed_io_csv_column(csv, "b", (heed_dtype)9));
    ck_assert_error(HEED_ERR_DTYPE, "9");
    heed_io_csv_free(csv);
}
END_TEST

START_TEST(many_names_are_truncated)
{
    static char text[4096];
    size_t used = 0;
    for (int i = 0; i < 200; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%scolumn_%d", i ? "," : "", i);
    heed_io_csv *csv = parse(text);
    ck_assert_ptr_null(heed_io_csv_column(csv, "c", HEED_F64));
    ck_assert_error(HEED_ERR_ARGUMENT, "\"column_0\", \"column_1\", ");
    (void)heed_io_csv_column(csv, "c", HEED_F64);
    size_t length = strlen(heed_error_message());
    ck_assert_str_eq(heed_error_message() + length - 3, "...");
    heed_error_clear();
    heed_io_csv_free(csv);
}
END_TEST

START_TEST(indices)
{
    heed_io_csv *csv = parse("a,b\n1,2\n");
    ck_assert_ptr_null(heed_io_csv_name(csv, 2));
    ck_assert_error(HEED_ERR_INDEX, "io_csv_name: csv has no column 2: it has 2");
    ck_assert_ptr_null(heed_io_csv_name(csv, -1));
    ck_assert_error(HEED_ERR_INDEX, "no column -1");
    ck_assert_ptr_null(heed_io_csv_field(csv, 1, 0));
    ck_assert_error(HEED_ERR_INDEX, "io_csv_field: csv has no row 1: it has 1");
    ck_assert_ptr_null(heed_io_csv_field(csv, -1, 0));
    ck_assert_error(HEED_ERR_INDEX, "no row -1");
    ck_assert_ptr_null(heed_io_csv_field(csv, 0, 2));
    ck_assert_error(HEED_ERR_INDEX, "no column 2");
    heed_io_csv_free(csv);
}
END_TEST

START_TEST(null_arguments)
{
    heed_io_csv *csv = parse("a\n1\n");
    ck_assert_int_eq(heed_io_csv_get_facts(NULL).rows, 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_get_facts");
    ck_assert_ptr_null(heed_io_csv_name(NULL, 0));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_name");
    ck_assert_ptr_null(heed_io_csv_field(NULL, 0, 0));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_field");
    ck_assert_ptr_null(heed_io_csv_column(NULL, "a", HEED_F64));
    ck_assert_error(HEED_ERR_ARGUMENT, "the csv is NULL");
    ck_assert_ptr_null(heed_io_csv_column(csv, NULL, HEED_F64));
    ck_assert_error(HEED_ERR_ARGUMENT, "the name is NULL");
    ck_assert_ptr_null(heed_io_csv_read(NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "path is NULL");
    heed_io_csv_free(csv);
}
END_TEST

/* -- Files ------------------------------------------------------------------------------------------------------ */

static char folder[32], path[64];

static void make_folder(void)
{
    (void)snprintf(folder, sizeof folder, "/tmp/heed-csv-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/table.csv", folder);
}

static void remove_folder(void)
{
    (void)unlink(path);
    ck_assert_int_eq(rmdir(folder), 0);
}

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    (void)fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static void check_file(heed_status code, const heed_io_csv_options *options, const char *message)
{
    int lowest = dup(0);
    (void)close(lowest);
    ck_assert_ptr_null(heed_io_csv_read(path, options));
    ck_assert_ptr_nonnull(strstr(heed_error_message(), path));
    ck_assert_error(code, message);
    int after = dup(0);
    (void)close(after);
    ck_assert_int_eq(after, lowest); /* the descriptor is closed */
}

START_TEST(files)
{
    make_folder();
    check_file(HEED_ERR_IO, NULL, "No such file or directory");
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    check_file(HEED_ERR_IO, NULL, "is a pipe or a device, not a regular file");
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    check_file(HEED_ERR_IO, NULL, "is a directory, not a regular file");
    ck_assert_int_eq(rmdir(path), 0);
    write_file("a,b\n1,2\n");
    check_file(HEED_ERR_UNSUPPORTED, &(heed_io_csv_options){.max_bytes = 7}, "has 8 bytes, more than the limit of 7");
    write_file("");
    check_file(HEED_ERR_FORMAT, NULL, "line 1: the header is missing");
    write_file("a,b\n1,2\n3\n");
    check_file(HEED_ERR_FORMAT, NULL, "table.csv, line 3, column \"a\": fewer fields");
    if (geteuid() != 0) {
        ck_assert_int_eq(chmod(path, 0), 0);
        check_file(HEED_ERR_IO, NULL, "Permission denied");
    }
    remove_folder();
}
END_TEST

START_TEST(column_errors_name_the_file)
{
    make_folder();
    write_file("a,b\n1,2\n3,x\n");
    heed_io_csv *csv = heed_io_csv_read(path, NULL);
    ck_assert_ptr_null(heed_io_csv_column(csv, "b", HEED_F64));
    ck_assert_ptr_nonnull(strstr(heed_error_message(), path));
    ck_assert_error(HEED_ERR_FORMAT, "table.csv, line 3, column \"b\": \"x\" is not a number");
    heed_io_csv_free(csv);
    remove_folder();
}
END_TEST

/* A file that reports 0 bytes but has some, and a file larger than every limit. */
START_TEST(sizes_are_checked)
{
    if (access("/proc/self/status", R_OK) == 0) {
        ck_assert_ptr_null(heed_io_csv_read("/proc/self/status", NULL));
        ck_assert_error(HEED_ERR_IO,
                        "/proc/self/status changed its size while it was read: 0 bytes at first, now more");
    }
    make_folder();
    write_file("a\n");
    ck_assert_int_eq(truncate(path, (off_t)1 << 30), 0);
    int64_t peak = heed_memory_get_stats().live_bytes;
    heed_memory_reset_peak();
    check_file(HEED_ERR_UNSUPPORTED, NULL, "has 1073741824 bytes, more than the limit of 536870912");
    ck_assert_int_eq(heed_memory_get_stats().peak_bytes, peak);
    remove_folder();
}
END_TEST

/* Numbers are read in the C locale, whose memory does not come from heed's allocator. */
START_TEST(no_memory_for_a_locale)
{
    heed_io_csv *csv = csv_from_memory("a\n1\n", 4, NULL);
    newlocale_fails = true;
    ck_assert_ptr_null(heed_io_csv_column(csv, "a", HEED_F32));
    newlocale_fails = false;
    ck_assert_error(HEED_ERR_NOMEM, "io_csv_column: no memory for the C locale");
    ck_assert_ptr_nonnull(heed_io_csv_column(csv, "a", HEED_F32));
    heed_io_csv_free(csv);
}
END_TEST

HEED_TEST_MAIN("csv errors", header, number_of_fields, quotes, bytes, truncated_line_end, line_numbers,
               long_texts_are_truncated, maximum_number_of_columns, bad_options, not_numbers, numbers_out_of_range,
               names, many_names_are_truncated, indices, null_arguments, files, column_errors_name_the_file,
               sizes_are_checked, no_memory_for_a_locale)
