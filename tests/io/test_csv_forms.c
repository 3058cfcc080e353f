/* tests/io/test_csv_forms.c - tests of tables as other programs write them: comments, empty lines, blanks as separator,
 * tables without a header or with row names, encodings, gzip, signs in numbers, dates. Values of dates are Python's
 * (datetime.date(2024, 2, 29) - datetime.date(1970, 1, 1)).days.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "from_memory.h"

#include "fail_alloc.h"

static heed_io_csv *parse(const char *text, heed_io_csv_options options)
{
    heed_io_csv *csv = csv_from_memory(text, strlen(text), &options);
    ck_assert_msg(csv != NULL, "%s", heed_error_message());
    return csv;
}

/* Compares a column with n numbers. */
static void check_column(const heed_io_csv *csv, const char *name, int n, const double *expected)
{
    heed_tensor *t = heed_io_csv_column(csv, name, HEED_F64);
    ck_assert_msg(t != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_numel(t), n);
    for (int i = 0; i < n; i++)
        ck_assert_msg(heed_data_f64(t)[i] == expected[i], "%s[%d] is %.17g, not %.17g", name, i, heed_data_f64(t)[i],
                      expected[i]);
}

#define CHECK_COLUMN(csv, name, ...)                                                                                   \
    check_column(csv, name, (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), (double[]){__VA_ARGS__})

static void check_line(const heed_io_csv *csv, int64_t row, int64_t line)
{
    ck_assert_int_eq(heed_io_csv_line(csv, row), line);
}

static void check_refused(const char *text, heed_io_csv_options options, heed_status status, const char *message)
{
    ck_assert_ptr_null(csv_from_memory(text, strlen(text), &options));
    ck_assert_error(status, message);
}

START_TEST(comments_and_empty_lines)
{
    heed_io_csv *csv = parse("station 7\n\n# units: m\n\nx,y\n#\n1,2\n\n\r\n# a, b, c\n3,\"#\n\n4\"\n5,6\n\n",
                             (heed_io_csv_options){.skip_lines = 1, .comment = '#'});
    CHECK_COLUMN(csv, "x", 1, 3, 5);
    ck_assert_str_eq(heed_io_csv_field(csv, 1, 1), "#\n\n4");
    check_line(csv, 0, 7);
    check_line(csv, 1, 11);
    check_line(csv, 2, 14);
    heed_io_csv_free(csv);
    check_refused("x\n#1\n2\n", (heed_io_csv_options){.comment = ',', .separator = ','}, HEED_ERR_ARGUMENT,
                  "comment is character 44: must not be a quote, the separator or the end of a line");
    check_refused("x\n1\n", (heed_io_csv_options){.skip_lines = -1}, HEED_ERR_ARGUMENT,
                  "skip_lines is -1: must be 0 or more");
    check_refused("x\n1\n", (heed_io_csv_options){.skip_lines = 9}, HEED_ERR_FORMAT, "line 3: the header is missing");
}
END_TEST

/* Lines are counted over more gaps than the first allocation holds. */
START_TEST(many_gaps)
{
    static char text[1 << 12];
    size_t used = (size_t)snprintf(text, sizeof text, "x\n");
    for (int i = 0; i < 100; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%d\n%s", i, i % 2 ? "\n\n" : "");
    heed_io_csv *csv = parse(text, (heed_io_csv_options){.decimal = '\0'});
    for (int i = 0; i < 100; i++)
        check_line(csv, i, i + 2 + i / 2 * 2);
    heed_io_csv_free(csv);
}
END_TEST

START_TEST(blanks_separate)
{
    static const char text[] = "  name\t x   y\n\n \t \n  \"a b\" 1.5 \t 2  \n\n c  3\t4\n";
    heed_io_csv *csv = parse(text, (heed_io_csv_options){.separator = ' '});
    CHECK_COLUMN(csv, "x", 1.5, 3);
    CHECK_COLUMN(csv, "y", 2, 4);
    ck_assert_str_eq(heed_io_csv_field(csv, 0, 0), "a b");
    check_line(csv, 1, 6);
    heed_io_csv_free(csv);
    csv = parse("x   y\n1 2\n 3    4\n", (heed_io_csv_options){.guess_separator = true});
    ck_assert_int_eq(heed_io_csv_get_facts(csv).separator, ' ');
    CHECK_COLUMN(csv, "y", 2, 4);
    heed_io_csv_free(csv);
    csv = parse("first name,x y\nJo Ann,1 2\n", (heed_io_csv_options){.guess_separator = true});
    ck_assert_int_eq(heed_io_csv_get_facts(csv).separator, ',');
    heed_io_csv_free(csv);
    csv = parse("body mass\n1\n2\n", (heed_io_csv_options){.guess_separator = true});
    ck_assert_int_eq(heed_io_csv_get_facts(csv).columns, 1);
    heed_io_csv_free(csv);
    check_refused("x y\n1\n", (heed_io_csv_options){.separator = ' '}, HEED_ERR_FORMAT, "line 2, column \"x\": fewer");
}
END_TEST

static void check_guess(const char *text, char separator, int columns)
{
    heed_io_csv *csv = parse(text, (heed_io_csv_options){.guess_separator = true});
    const heed_io_csv_facts facts = heed_io_csv_get_facts(csv);
    ck_assert_msg(facts.separator == separator, "%s: the separator is '%c'", text, facts.separator);
    ck_assert_msg(facts.columns == columns, "%s: %d columns", text, facts.columns);
    heed_io_csv_free(csv);
}

/* A quote begins a quoted field only at the beginning of a field. Elsewhere, and as an apostrophe, it is text. */
START_TEST(quotes_and_separators)
{
    check_guess("name,a;b\n5\" disk,3\n6,4\n", ',', 2);
    check_guess("name,a;b\n5\"\"\" disk,3\n6,4\n", ',', 2);
    check_guess("name,a;b\nthe \"old\" disk\",3\n6,4\n", ',', 2);
    check_guess("name,\"a;b\"\n\"5\"\" disk;\",3\n\"6;\",4\n", ',', 2);
    check_guess("name|\"a;b\nc;d\"\n\"x\n\ny;z\"|3\n6|4\n", '|', 2);
    check_guess("name,a;b\n\"5\"\"\",3\n,4\n", ',', 2);
    check_guess("name,a;b\nit's,3\n'6,4\n'7',5\n", ',', 2);
    check_guess("name a\n\"x, y\" 3\n5\" 4\n", ' ', 2);
    check_guess("name a\n  \"x y\"  3\n 6 4\n", ' ', 2);
    check_guess("\"name, b\";a\n\"x, y\";3\n", ';', 2);
    check_guess("x,y\na\" b,1,2\nc,3,4\n", ',', 3);
    check_refused("name,a;b\n \"x;y\",3\n", (heed_io_csv_options){.guess_separator = true}, HEED_ERR_FORMAT,
                  "line 2, column \"name\": white space before a quote: a quoted field begins with its quote");
    check_refused("name,a;b\n\"x;y,3\n", (heed_io_csv_options){.guess_separator = true}, HEED_ERR_FORMAT,
                  "the closing quote is missing");
    heed_io_csv *csv = parse("5\" disk,3\n6,4\n", (heed_io_csv_options){.no_header = true});
    ck_assert_str_eq(heed_io_csv_field(csv, 0, 0), "5\" disk");
    CHECK_COLUMN(csv, "V2", 3, 4);
    heed_io_csv_free(csv);
}
END_TEST

START_TEST(row_names_of_r)
{
    heed_io_csv *csv = parse("\"x\" \"y\"\n\"1\" 5 6\n\"2\" 7 8\n", (heed_io_csv_options){.guess_separator = true});
    CHECK_COLUMN(csv, "x", 5, 7);
    CHECK_COLUMN(csv, "", 1, 2);
    check_line(csv, 1, 3);
    heed_io_csv_free(csv);
    check_refused("x,y\n1,2,3\n4,5\n", (heed_io_csv_options){.decimal = '\0'}, HEED_ERR_FORMAT,
                  "line 2, field 3: more fields than the header has");
}
END_TEST

START_TEST(separators_at_line_ends)
{
    heed_io_csv *csv = parse("x;y;\n1;2;\n3;4;\n", (heed_io_csv_options){.separator = ';'});
    ck_assert_int_eq(heed_io_csv_get_facts(csv).columns, 2);
    CHECK_COLUMN(csv, "y", 2, 4);
    heed_io_csv_free(csv);
    csv = parse("x,y\n1,2,\r\n3,4,", (heed_io_csv_options){.decimal = '\0'});
    CHECK_COLUMN(csv, "y", 2, 4);
    heed_io_csv_free(csv);
    csv = parse("x,y,\n1,2,3\n", (heed_io_csv_options){.decimal = '\0'}); /* a column without a name */
    CHECK_COLUMN(csv, "", 3);
    heed_io_csv_free(csv);
}
END_TEST

START_TEST(without_header)
{
    heed_io_csv *csv = parse("note\n1,2\n\n3,4\n", (heed_io_csv_options){.skip_lines = 1, .no_header = true});
    ck_assert_str_eq(heed_io_csv_name(csv, 1), "V2");
    CHECK_COLUMN(csv, "V1", 1, 3);
    check_line(csv, 0, 2);
    check_line(csv, 1, 4);
    heed_io_csv_free(csv);
    csv = parse("1V2\n3V4\n", (heed_io_csv_options){.separator = 'V', .no_header = true});
    CHECK_COLUMN(csv, "V2", 2, 4);
    heed_io_csv_free(csv);
    csv = parse(" 1  2 \n 3  4 ", (heed_io_csv_options){.separator = ' ', .no_header = true});
    CHECK_COLUMN(csv, "V2", 2, 4);
    heed_io_csv_free(csv);
    check_refused("1,2\n3,4\n", (heed_io_csv_options){.no_header = true, .max_bytes = 20}, HEED_ERR_UNSUPPORTED,
                  "more than the limit of 20");
}
END_TEST

START_TEST(latin1)
{
    heed_io_csv *csv = parse("gr\xF6\xDF"
                             "e,preis \x80\n1,2\n",
                             (heed_io_csv_options){.decimal = '\0'});
    ck_assert(heed_io_csv_get_facts(csv).latin1);
    ck_assert_str_eq(heed_io_csv_name(csv, 0), "gr\xC3\xB6\xC3\x9F"
                                               "e");
    ck_assert_str_eq(heed_io_csv_name(csv, 1), "preis \xE2\x82\xAC");
    heed_io_csv_free(csv);
    csv = parse("\xEF\xBB\xBFgr\xC3\xB6\xC3\x9F"
                "e\n1\n",
                (heed_io_csv_options){.decimal = '\0'});
    ck_assert(!heed_io_csv_get_facts(csv).latin1);
    CHECK_COLUMN(csv,
                 "gr\xC3\xB6\xC3\x9F"
                 "e",
                 1);
    heed_io_csv_free(csv);
    check_refused("\xF6\n", (heed_io_csv_options){.max_bytes = 4}, HEED_ERR_UNSUPPORTED, "the limit of 4 bytes");
}
END_TEST

/* printf 'x,y\n1,2\n' | gzip -n9 */
static const unsigned char compressed[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03,
                                           0xab, 0xd0, 0xa9, 0xe4, 0x32, 0xd4, 0x31, 0xe2, 0x02, 0x00,
                                           0x23, 0xdf, 0x72, 0x00, 0x08, 0x00, 0x00, 0x00};

START_TEST(gzip)
{
    heed_io_csv *csv = csv_from_memory(compressed, sizeof compressed, NULL);
    ck_assert_msg(csv != NULL, "%s", heed_error_message());
    CHECK_COLUMN(csv, "y", 2);
    heed_io_csv_free(csv);
    ck_assert_ptr_null(csv_from_memory(compressed, sizeof compressed - 9, NULL));
    ck_assert_error(HEED_ERR_FORMAT, "io_csv_read: csv: the gzip stream is broken");
    ck_assert_ptr_null(
        csv_from_memory(compressed, sizeof compressed, &(heed_io_csv_options){.max_bytes = sizeof compressed + 7}));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "max_bytes");
}
END_TEST

START_TEST(signs_in_numbers)
{
    heed_io_csv *csv = parse("x,n\n\"1,234.5\",\"1,000\"\n\"-12,345,678\",7\n.5,\"9,007,199,254,740,993\"\n",
                             (heed_io_csv_options){.thousands = ','});
    CHECK_COLUMN(csv, "x", 1234.5, -12345678, 0.5);
    heed_tensor *n = heed_io_csv_column(csv, "n", HEED_I64);
    ck_assert_int_eq(heed_data_i64(n)[0], 1000);
    ck_assert_int_eq(heed_data_i64(n)[2], 9007199254740993);
    heed_io_csv_free(csv);
    csv = parse("a;b\n1.234,5;1 000\n", (heed_io_csv_options){.separator = ';', .decimal = ',', .thousands = '.'});
    CHECK_COLUMN(csv, "a", 1234.5);
    ck_assert_ptr_null(heed_io_csv_column(csv, "b", HEED_F64));
    ck_assert_error(HEED_ERR_FORMAT, "\"1 000\" is not a number");
    heed_io_csv_free(csv);
    csv = parse("x,y\n\"1,5\",2\n", (heed_io_csv_options){.guess_separator = true, .decimal = ','});
    CHECK_COLUMN(csv, "x", 1.5);
    heed_io_csv_free(csv);
    static const char *const bad[] = {"12,34", "1234,567", "1,2345", ",123", "1,23", "1,,234"};
    for (int i = 0; i < 6; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "x\n\"%s\"\n", bad[i]);
        csv = parse(text, (heed_io_csv_options){.thousands = ','});
        ck_assert_ptr_null(heed_io_csv_column(csv, "x", HEED_F64));
        ck_assert_error(HEED_ERR_FORMAT, "is not a number");
        heed_io_csv_free(csv);
    }
    csv = parse("x\n\"1,234\"\n", (heed_io_csv_options){.separator = ';'});
    ck_assert_ptr_null(heed_io_csv_column(csv, "x", HEED_F64));
    ck_assert_error(HEED_ERR_FORMAT, "is not a number: is ',' the decimal sign, or does it separate thousands?");
    heed_io_csv_free(csv);
    check_refused("x\n1\n", (heed_io_csv_options){.thousands = '.'}, HEED_ERR_ARGUMENT, "thousands is character 46");
    check_refused("x\n1\n", (heed_io_csv_options){.thousands = 'x'}, HEED_ERR_ARGUMENT, "thousands is character 120");
}
END_TEST

START_TEST(infinities)
{
    const double inf = (double)INFINITY;
    heed_io_csv *csv = parse("x\ninf\n-Inf\n +INFINITY \n1\n", (heed_io_csv_options){.decimal = '\0'});
    CHECK_COLUMN(csv, "x", inf, -inf, inf, 1);
    ck_assert(isinf(heed_data_f32(heed_io_csv_column(csv, "x", HEED_F32))[1]));
    ck_assert_ptr_null(heed_io_csv_column(csv, "x", HEED_I64));
    ck_assert_error(HEED_ERR_FORMAT, "\"inf\" is not a whole number");
    heed_io_csv_free(csv);
}
END_TEST

static double days(const char *date, heed_io_date_order order)
{
    char text[64];
    (void)snprintf(text, sizeof text, "d\n\"%s\"\n", date);
    heed_io_csv *csv = parse(text, (heed_io_csv_options){.date_order = order});
    heed_tensor *t = heed_io_csv_dates(csv, "d", HEED_IO_DAYS, HEED_F64);
    ck_assert_msg(t != NULL, "%s", heed_error_message());
    heed_io_csv_free(csv);
    return heed_item(t);
}

START_TEST(dates)
{
    static const char *const leap_day[] = {"2024-02-29",  "2024/02/29",       "2024/2/29",    "29.02.2024",
                                           "29/02/2024",  "02/29/2024",       "29-02-2024",   "2-29-2024",
                                           "29-Feb-2024", "29 FEBRUARY 2024", "Feb 29, 2024", "29/feb/2024",
                                           "2024-Feb-29", "February 29 2024"};
    for (size_t i = 0; i < sizeof leap_day / sizeof leap_day[0]; i++)
        ck_assert_double_eq(days(leap_day[i], HEED_IO_DATE_ORDER_GUESS), 19782);
    ck_assert_double_eq(days("1.2.2024 12:00", HEED_IO_DATE_ORDER_GUESS), 19754.5);
    ck_assert_double_eq(days("03/04/2024", HEED_IO_DAY_FIRST), 19816);
    ck_assert_double_eq(days("03/04/2024", HEED_IO_MONTH_FIRST), 19786);
    ck_assert_double_eq(days("04/04/2024", HEED_IO_DATE_ORDER_GUESS), 19817);
    check_refused("d\n1\n", (heed_io_csv_options){.date_order = (heed_io_date_order)3}, HEED_ERR_ARGUMENT,
                  "date_order must be HEED_IO_DATE_ORDER_GUESS");
}
END_TEST

/* One date decides the order of the column. */
START_TEST(order_of_dates)
{
    heed_io_csv *csv =
        parse("a,b,c,d\n03/04/2024,03/04/2024,03/04/2024,13/04/2024\n13/04/2024,04/13/2024,NA,04/13/2024\n",
              (heed_io_csv_options){.missing = HEED_IO_MISSING_FILL});
    ck_assert_double_eq(heed_data_f64(heed_io_csv_dates(csv, "a", HEED_IO_DAYS, HEED_F64))[0], 19816);
    ck_assert_double_eq(heed_data_f64(heed_io_csv_dates(csv, "b", HEED_IO_DAYS, HEED_F64))[0], 19786);
    ck_assert_ptr_null(heed_io_csv_dates(csv, "c", HEED_IO_DAYS, HEED_F64));
    ck_assert_error(HEED_ERR_FORMAT,
                    "line 2, column \"c\": \"03/04/2024\" is ambiguous, as are all dates of the column");
    ck_assert_ptr_null(heed_io_csv_dates(csv, "d", HEED_IO_DAYS, HEED_F64));
    ck_assert_error(HEED_ERR_FORMAT, "line 3, column \"d\": \"04/13/2024\" is not a date");
    heed_io_csv_free(csv);
}
END_TEST

/* Returns false if a table cannot be read. */
static bool forms_program(double *value)
{
    static const char *const texts[] = {"gr\xF6\xDF,x\n1,2\n", "a,b\n1,2,3\n", "a,b\n\n1,2\n"};
    bool all = true;
    *value = 0;
    for (int i = 0; i < 4 && all; i++) {
        heed_io_csv *csv = i < 3 ? csv_from_memory(texts[i], strlen(texts[i]), NULL)
                                 : csv_from_memory(compressed, sizeof compressed, NULL);
        all = csv != NULL;
        *value += all ? (double)heed_io_csv_get_facts(csv).columns : 0;
        heed_io_csv_free(csv);
    }
    return all;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(forms_program);
    fail_alloc_uninstall();
}
END_TEST

/* An empty name at the end and fields that a separator of blanks would lose. */
START_TEST(written_and_read)
{
    heed_tensor *x = heed_from_values(HEED_F64, HEED_SHAPE(2), (double[]){1, 2}, 2);
    heed_tensor *gap = heed_from_values(HEED_F64, HEED_SHAPE(2), (double[]){(double)NAN, 3}, 2);
    const heed_io_csv_write_options options = {.separator = ' ', .missing = ""};
    ck_assert_int_eq(heed_io_csv_write("forms.csv", HEED_NAMES("a\tb", ""), HEED_TENSORS(x, gap), &options), HEED_OK);
    heed_io_csv *csv = heed_io_csv_read("forms.csv", &(heed_io_csv_options){.separator = ' '});
    ck_assert_msg(csv != NULL, "%s", heed_error_message());
    ck_assert_str_eq(heed_io_csv_field(csv, 0, 1), "");
    CHECK_COLUMN(csv, "a\tb", 1, 2);
    heed_io_csv_free(csv);
    ck_assert_int_eq(remove("forms.csv"), 0);
}
END_TEST

HEED_TEST_MAIN("csv forms", comments_and_empty_lines, many_gaps, blanks_separate, quotes_and_separators, row_names_of_r,
               separators_at_line_ends, without_header, latin1, gzip, signs_in_numbers, infinities, dates,
               order_of_dates, out_of_memory, written_and_read)
