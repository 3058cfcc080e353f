/* tests/io/test_csv.c - tests of the CSV reader: accepted texts, their values, memory. Refused texts are in
 * test_csv_errors.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "from_memory.h"

#include "fail_alloc.h"
#include "foreign_locale.h"

#define DATA HEED_SOURCE_DIR "/examples/data/"

static heed_io_csv *parse(const char *text)
{
    heed_io_csv *csv = csv_from_memory(text, strlen(text), NULL);
    ck_assert_msg(csv != NULL, "%s", heed_error_message());
    return csv;
}

/* -- Files ------------------------------------------------------------------------------------------------------ */

static double column_sum(const heed_io_csv *csv, const char *name)
{
    const double *x = heed_data_f64(heed_io_csv_column(csv, name, HEED_F64));
    ck_assert_ptr_nonnull(x);
    double sum = 0;
    for (int64_t i = 0; i < heed_io_csv_get_facts(csv).rows; i++)
        sum += x[i];
    return sum;
}

/* The expected sums are from Python's csv module and math.fsum. */
START_TEST(data_files)
{
    heed_io_csv *mcycle = heed_io_csv_read(DATA "mcycle.csv", NULL);
    ck_assert_msg(mcycle != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_io_csv_get_facts(mcycle).rows, 133);
    ck_assert_int_eq(heed_io_csv_get_facts(mcycle).columns, 2);
    ck_assert_str_eq(heed_io_csv_name(mcycle, 1), "accel");
    ck_assert_near(column_sum(mcycle, "times"), 3348.8, 1e-9);
    ck_assert_near(column_sum(mcycle, "accel"), -3397.6, 1e-9);
    heed_io_csv_free(mcycle);
    heed_io_csv *faithful = heed_io_csv_read(DATA "faithful.csv", NULL);
    ck_assert_int_eq(heed_io_csv_get_facts(faithful).rows, 272);
    ck_assert_near(column_sum(faithful, "eruptions"), 948.677, 1e-9);
    ck_assert_near(column_sum(faithful, "waiting"), 19284, 0);
    heed_io_csv_free(faithful);
}
END_TEST

/* The file has 17 digits per number; every number must come back bit for bit. */
START_TEST(seventeen_digits)
{
    heed_io_csv *csv = heed_io_csv_read(HEED_SOURCE_DIR "/tests/reference/nw_splitmix42.csv", NULL);
    const double *x = heed_data_f64(heed_io_csv_column(csv, "x", HEED_F64));
    ck_assert_int_eq(heed_io_csv_get_facts(csv).rows, 50);
    for (int64_t i = 0; i < 50; i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "%.17g", x[i]);
        ck_assert_str_eq(text, heed_io_csv_field(csv, i, 0));
    }
    heed_io_csv_free(csv);
}
END_TEST

/* -- The format ------------------------------------------------------------------------------------------------- */

/* The expected fields are joined by '|' and rows by '/'. */
static void check_fields(const char *text, const char *expected)
{
    static char joined[4096];
    size_t used = 0;
    heed_io_csv *csv = parse(text);
    for (int64_t row = -1; row < heed_io_csv_get_facts(csv).rows; row++)
        for (int column = 0; column < heed_io_csv_get_facts(csv).columns; column++) {
            const char *field = row < 0 ? heed_io_csv_name(csv, column) : heed_io_csv_field(csv, row, column);
            const char *before = column > 0 ? "|" : row >= 0 ? "/" : "";
            used += (size_t)snprintf(joined + used, sizeof joined - used, "%s%s", before, field);
        }
    ck_assert_str_eq(joined, expected);
    heed_io_csv_free(csv);
}

START_TEST(format)
{
    check_fields("a,b\n1,2\n3,4\n", "a|b/1|2/3|4");
    check_fields("a,b\r\n1,2\r\n3,4\r\n", "a|b/1|2/3|4");
    check_fields("a,b\n1,2\r\n3,4", "a|b/1|2/3|4");
    check_fields("a,b", "a|b");
    check_fields("a,b\n", "a|b");
    check_fields("a", "a");
    check_fields("a\n1\n2", "a/1/2");
    check_fields("a,b\n,\n,", "a|b/|/|");
    check_fields(",\n1,2", "|/1|2");
    check_fields("a,b\n1,2\n\n", "a|b/1|2");
    check_fields("a,b\n1,2\r\n\r\n\n", "a|b/1|2");
    check_fields("a,b\r\n1,2\r\n\r\n", "a|b/1|2");
    check_fields("a,b\n\n", "a|b");
    check_fields("\xEF\xBB\xBF"
                 "a,b\n1,2\n",
                 "a|b/1|2");
    check_fields("\xEF\xBB\xBF\"a\",b\n1,2", "a|b/1|2");
    check_fields(" a , b\n 1,2 \n", " a | b/ 1|2 ");
}
END_TEST

START_TEST(quotes)
{
    check_fields("\"a\",\"b\"\n\"1\",\"2\"\n", "a|b/1|2");
    check_fields("a,b\n\"x, y\",\"say \"\"no\"\"\"\n", "a|b/x, y|say \"no\"");
    check_fields("a,b\n\"\",\"\"\"\"\n", "a|b/|\"");
    check_fields("a\n\"\"\n\"\"", "a//");
    check_fields("a,b\n\"line\nline\r\nline\",2\n3,4", "a|b/line\nline\r\nline|2/3|4");
    check_fields("a,b\n\"1\r2\",3", "a|b/1\r2|3");
    check_fields("\"a\nb\",c\n1,2", "a\nb|c/1|2");
    check_fields("a\n\"\"\"\"", "a/\"");
    /* A quote after other text, as Python's csv module reads it. */
    check_fields("a\"b,c\n5'11\",37.8\"N 17.9\"W\n", "a\"b|c/5'11\"|37.8\"N 17.9\"W");
    check_fields("a,b\n1\"\",x \"y\" z\n", "a|b/1\"\"|x \"y\" z");
}
END_TEST

START_TEST(options)
{
    static const char text[] = "a;b\n1,5;2\n";
    heed_io_csv *csv = csv_from_memory(text, strlen(text), &(heed_io_csv_options){.separator = ';'});
    ck_assert_int_eq(heed_io_csv_get_facts(csv).columns, 2);
    ck_assert_str_eq(heed_io_csv_field(csv, 0, 0), "1,5");
    heed_io_csv_free(csv);
    csv = csv_from_memory("a\tb\n1\t2", 7, &(heed_io_csv_options){.separator = '\t', .max_bytes = 31});
    ck_assert_str_eq(heed_io_csv_field(csv, 0, 1), "2");
    heed_io_csv_free(csv);
    ck_assert_ptr_null(csv_from_memory("a\tb\n1\t2", 7, &(heed_io_csv_options){.separator = '\t', .max_bytes = 30}));
    ck_assert_error(HEED_ERR_UNSUPPORTED,
                    "csv needs 8 bytes of memory in addition to 23: more than the limit of 30 (max_bytes)");
}
END_TEST

/* Only the given bytes are read, and they are copied. */
START_TEST(parses_a_copy)
{
    char text[] = "a,b\n1,2\n3,4";
    heed_io_csv *csv = csv_from_memory(text, 9, NULL);
    ck_assert_ptr_null(csv);
    ck_assert_error(HEED_ERR_FORMAT, "line 3");
    csv = csv_from_memory(text, 7, NULL);
    memset(text, 'x', sizeof text);
    ck_assert_int_eq(heed_io_csv_get_facts(csv).rows, 1);
    ck_assert_str_eq(heed_io_csv_field(csv, 0, 1), "2");
    heed_io_csv_free(csv);
    heed_io_csv_free(NULL);
}
END_TEST

static void check_rows(int rows)
{
    static char text[1 << 15];
    size_t used = (size_t)snprintf(text, sizeof text, "n,q,square\n");
    for (int i = 0; i < rows; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d,\"%s\",%d\n", i, i % 3 ? "a\n\"\"" : "", i * i);
    heed_io_csv *csv = parse(text);
    ck_assert_int_eq(heed_io_csv_get_facts(csv).rows, rows);
    for (int i = 0; i < rows; i++) {
        ck_assert_int_eq(atoi(heed_io_csv_field(csv, i, 0)), i);
        ck_assert_str_eq(heed_io_csv_field(csv, i, 1), i % 3 ? "a\n\"" : "");
        ck_assert_int_eq(atoi(heed_io_csv_field(csv, i, 2)), i * i);
    }
    heed_io_csv_free(csv);
}

/* The reader stores the offset of every 64th row and finds the others from there. */
START_TEST(many_rows)
{
    static const int rows[] = {0, 1, 63, 64, 65, 127, 128, 129, 1000};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_rows(rows[i]);
}
END_TEST

/* -- Numbers ---------------------------------------------------------------------------------------------------- */

static void check_f64(const char *field, double expected)
{
    char text[512];
    (void)snprintf(text, sizeof text, "x\n\"%s\"\n", field);
    heed_io_csv *csv = parse(text);
    heed_tensor *t = heed_io_csv_column(csv, "x", HEED_F64);
    ck_assert_msg(t != NULL, "%s", heed_error_message());
    double value = heed_item(t);
    ck_assert_msg(memcmp(&value, &expected, sizeof value) == 0, "%s is %a, not %a", field, value, expected);
    heed_io_csv_free(csv);
}

static void check_numbers(void)
{
    check_f64("0", 0);
    check_f64("-0", -0.0);
    check_f64("1.5", 1.5);
    check_f64("+1.5", 1.5);
    check_f64(".5", 0.5);
    check_f64("5.", 5);
    check_f64("-.5e+1", -5);
    check_f64("1E3", 1000);
    check_f64("1e-3", 0x1.0624dd2f1a9fcp-10);
    check_f64(" \t2.5\t ", 2.5);
    check_f64("00012", 12);
    check_f64("0.1", 0x1.999999999999ap-4);
    check_f64("9007199254740993", 9007199254740992.0);
    check_f64("9007199254740993.0000000000000000000000000000000000000001", 9007199254740994.0);
    check_f64("1.7976931348623157e308", 0x1.fffffffffffffp+1023);
    check_f64("2.2250738585072011e-308", 0x0.fffffffffffffp-1022);
    check_f64("4.9e-324", 0x1p-1074);
    check_f64("1e-400", 0);
    check_f64("-1e-400", -0.0);
    check_f64("0e999999999999999999999", 0);
}

START_TEST(numbers)
{
    check_numbers();
}
END_TEST

/* The caller's locale is neither used nor changed. */
START_TEST(numbers_in_any_locale)
{
    if (!foreign_locale_begin("de_DE"))
        return;
    check_numbers();
    heed_io_csv *csv = parse("x\n\"1,5\"\n");
    ck_assert_ptr_null(heed_io_csv_column(csv, "x", HEED_F64));
    ck_assert_error(HEED_ERR_FORMAT, "\"1,5\" is not a number");
    heed_io_csv_free(csv);
    ck_assert_str_eq(localeconv()->decimal_point, ",");
    foreign_locale_end();
}
END_TEST

/* Numbers are rounded once, from the text: rounding this one to double first would then round to the even neighbour
 * below. */
START_TEST(f32_is_rounded_once)
{
    heed_io_csv *csv = parse("x\n1.00000005960464477540\n3.4028234e38\n1e-50\n");
    const float *x = heed_data_f32(heed_io_csv_column(csv, "x", HEED_F32));
    ck_assert_same((double)x[0], 0x1.000002p+0);
    ck_assert_same((double)x[1], 0x1.fffffep+127);
    ck_assert_same((double)x[2], 0.0);
    heed_io_csv_free(csv);
}
END_TEST

/* The exact value of a text is checked by Python's Decimal. */
START_TEST(whole_numbers_written_as_floats)
{
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {{"5.0", 5},
                 {"5.", 5},
                 {"1e3", 1000},
                 {"1E+3", 1000},
                 {"-0.0", 0},
                 {".0", 0},
                 {"0e99999999999999999999", 0},
                 {"0.000e-99999999999999999999", 0},
                 {"9007199254740993.0", INT64_C(9007199254740993)},
                 {"9007199254740993.000e0", INT64_C(9007199254740993)},
                 {"9.007199254740993e15", INT64_C(9007199254740993)},
                 {"-9223372036854775808.0", INT64_MIN},
                 {"9223372036854775807.00", INT64_MAX},
                 {"9.223372036854775807e18", INT64_MAX},
                 {"-9223372036854775.808e3", INT64_MIN},
                 {"1000e-3", 1},
                 {"12345000e-3", 12345},
                 {"0.00000000000000000000000005e26", 5},
                 {"50000000000000000000000000e-25", 5},
                 {"0000000000000000000000000000007", 7},
                 {"1e18", INT64_C(1000000000000000000)},
                 {"\t+2.50e1 ", 25}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int comma = 0; comma < 2; comma++) {
            char text[80];
            (void)snprintf(text, sizeof text, "n\n%s\n", cases[i].text);
            if (comma && strchr(text, '.'))
                *strchr(text, '.') = ',';
            heed_io_csv *csv = csv_from_memory(text, strlen(text),
                                               &(heed_io_csv_options){.separator = ';', .decimal = comma ? ',' : '.'});
            heed_tensor *n = heed_io_csv_column(csv, "n", HEED_I64);
            ck_assert_msg(n != NULL, "%s", heed_error_message());
            ck_assert_msg(heed_item_i64(n) == cases[i].value, "%s", cases[i].text);
            heed_io_csv_free(csv);
        }
    }
    heed_io_csv *csv = parse("flag\n1.0\n0.0\n1e0\n");
    const bool *flag = heed_data_bool(heed_io_csv_column(csv, "flag", HEED_BOOL));
    ck_assert(flag && flag[0] && !flag[1] && flag[2]);
    heed_io_csv_free(csv);
}
END_TEST

START_TEST(whole_numbers)
{
    heed_io_csv *csv =
        parse("n,flag\n9223372036854775807,1\n-9223372036854775808,0\n 9007199254740993 ,+1\n-0,00\n+12,1\n");
    const int64_t *n = heed_data_i64(heed_io_csv_column(csv, "n", HEED_I64));
    ck_assert_int_eq(n[0], INT64_MAX);
    ck_assert_int_eq(n[1], INT64_MIN);
    ck_assert_int_eq(n[2], INT64_C(9007199254740993));
    ck_assert_int_eq(n[3], 0);
    ck_assert_int_eq(n[4], 12);
    const bool *flag = heed_data_bool(heed_io_csv_column(csv, "flag", HEED_BOOL));
    static const bool expected[] = {true, false, true, false, true};
    ck_assert(memcmp(flag, expected, sizeof expected) == 0);
    heed_io_csv_free(csv);
}
END_TEST

START_TEST(no_rows)
{
    heed_io_csv *csv = parse("x,y\n");
    heed_tensor *x = heed_io_csv_column(csv, "y", HEED_F32);
    ck_assert_int_eq(heed_rank(x), 1);
    ck_assert_int_eq(heed_numel(x), 0);
    heed_io_csv_free(csv);
}
END_TEST

/* -- Memory ----------------------------------------------------------------------------------------------------- */

/* The shortest possible rows: memory holds the file, a sixteenth of it for offsets, and the allocator's rounding. */
START_TEST(memory_is_bounded_by_the_file)
{
    enum { SIZE = 1 << 20 };
    char *text = malloc(SIZE);
    for (int i = 0; i < SIZE; i++)
        text[i] = i % 2 ? '\n' : '1';
    heed_memory_reset_peak();
    int64_t before = heed_memory_get_stats().live_bytes;
    heed_io_csv *csv = csv_from_memory(text, SIZE, NULL);
    ck_assert_int_eq(heed_io_csv_get_facts(csv).rows, SIZE / 2 - 1);
    ck_assert_int_le(heed_memory_get_stats().peak_bytes - before, SIZE + SIZE / 4);
    heed_io_csv_free(csv);
    free(text);
}
END_TEST

static bool read_program(double *value)
{
    heed_io_csv *csv = heed_io_csv_read(DATA "mcycle.csv", NULL);
    heed_tensor *x = csv ? heed_io_csv_column(csv, "accel", HEED_F64) : NULL;
    *value = x ? heed_get(x, HEED_INDEX(50)) : 0;
    heed_io_csv_free(csv);
    return x != NULL;
}

static bool parse_program(double *value)
{
    heed_io_csv *csv = csv_from_memory("a,b\n1,2\n3,\"4\"", 13, NULL);
    heed_tensor *x = csv ? heed_io_csv_column(csv, "b", HEED_I64) : NULL;
    *value = x ? heed_get(x, HEED_INDEX(1)) : 0;
    heed_io_csv_free(csv);
    return x != NULL;
}

/* Line numbers refer to the file, even if rows are left out and a field contains line ends. */
START_TEST(lines_of_rows)
{
    static const int64_t lines[] = {2, 4, 7};
    heed_io_csv *csv = parse("a,b\n1,x\nNA,y\n3,\"p\nq\"\n,z\n\"4\",w\n");
    ck_assert_int_eq(heed_io_csv_line(csv, 4), 7);
    ck_assert_int_eq(heed_io_csv_skip_missing(csv, HEED_NAMES("a")), HEED_OK);
    ck_assert_int_eq(heed_io_csv_get_facts(csv).rows, 3);
    for (int64_t row = 0; row < 3; row++)
        ck_assert_int_eq(heed_io_csv_line(csv, row), lines[row]);
    ck_assert_int_eq(heed_io_csv_line(csv, 3), 0);
    ck_assert_error(HEED_ERR_INDEX, "io_csv_line: csv has no row 3: it has 3");
    ck_assert_int_eq(heed_io_csv_line(csv, -1), 0);
    ck_assert_error(HEED_ERR_INDEX, "io_csv_line: csv has no row -1: it has 3");
    ck_assert_int_eq(heed_io_csv_line(NULL, 0), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_line: the csv is NULL");
    heed_io_csv_free(csv);
}
END_TEST

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(read_program);
    fail_alloc_sweep(parse_program);
    fail_alloc.count = 0;
    fail_alloc.fail_at = 1;
    ck_assert_ptr_null(heed_io_csv_read(DATA "mcycle.csv", NULL));
    ck_assert_error(HEED_ERR_NOMEM, "io_csv_read: ");
    fail_alloc.count = 0;
    ck_assert_ptr_null(csv_from_memory("a\n1", 3, NULL));
    ck_assert_error(HEED_ERR_NOMEM, "io_csv_read: ");
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("csv", data_files, seventeen_digits, format, quotes, options, parses_a_copy, many_rows, numbers,
               numbers_in_any_locale, f32_is_rounded_once, whole_numbers, whole_numbers_written_as_floats, no_rows,
               memory_is_bounded_by_the_file, lines_of_rows, out_of_memory)
