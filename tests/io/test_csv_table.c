/* tests/io/test_csv_table.c - tests of features of real tables: other separators, decimal commas, missing values, many
 * columns.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "from_memory.h"

#include "fail_alloc.h"
#include "foreign_locale.h"

static heed_io_csv *parse(const char *text, const heed_io_csv_options *options)
{
    heed_io_csv *csv = csv_from_memory(text, strlen(text), options);
    ck_assert_msg(csv != NULL, "%s", heed_error_message());
    return csv;
}

/* -- Separators --------------------------------------------------------------------------------------------------- */

static void check_guess(const char *text, char decimal, char separator)
{
    heed_io_csv *csv =
        csv_from_memory(text, strlen(text), &(heed_io_csv_options){.guess_separator = true, .decimal = decimal});
    ck_assert_msg(csv != NULL, "%s: %s", text, heed_error_message());
    ck_assert_msg(heed_io_csv_get_facts(csv).separator == separator, "%s: '%c'", text,
                  heed_io_csv_get_facts(csv).separator);
    heed_io_csv_free(csv);
}

START_TEST(guessed)
{
    check_guess("a,b\n1,2\n", 0, ',');
    check_guess("a;b\n1;2\n", 0, ';');
    check_guess("a\tb\n1\t2\n", 0, '\t');
    check_guess("a|b\n1|2\n", 0, '|');
    check_guess("date,time (h|m),x,y\n1,2|3,4,5\n4,5|6,7,8\n", 0, ',');
    check_guess("x\n1,5\n2,5\n", ',', ';');
    check_guess("a\n1\n2\n", 0, ',');
    check_guess("a;b\r\n1,5;2,5\r\n", ',', ';');
    check_guess("time, s;value, m\n1,5;2,5\n3,5;4,5\n", 0, ';');
    check_guess("time, s;value\n1,5;2\n3,5;4\n", 0, ';');
    check_guess("a,b\n\"x;y\",1\n\"z;u;v\",2\n", 0, ',');
    check_guess("a,b\n\"x;y\nz;u\",1\n\"\"\"q\"\";\",2\n", 0, ',');
    check_guess("\xEF\xBB\xBF"
                "\"a;b\";c\n1;2\n",
                0, ';');
    check_guess("\"a;b\",c\n\"1;2\",3\n", 0, ',');
    check_guess("a;b", 0, ';');
    check_guess("a,b\n1,2\n\n\n", 0, ',');
}
END_TEST

START_TEST(separator_given_and_guessed)
{
    ck_assert_ptr_null(csv_from_memory("a;b\n", 4, &(heed_io_csv_options){.guess_separator = true, .separator = ';'}));
    ck_assert_error(HEED_ERR_ARGUMENT,
                    "io_csv_read: separator is character 59 and guess_separator is true: set only one of them");
    heed_io_csv *csv = parse("a;b\n1;2\n", &(heed_io_csv_options){.separator = ';'});
    ck_assert_int_eq(heed_io_csv_get_facts(csv).separator, ';');
    heed_io_csv_free(csv);
    ck_assert_int_eq(heed_io_csv_get_facts(NULL).separator, 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_get_facts: the csv is NULL");
}
END_TEST

START_TEST(hints_at_a_wrong_separator)
{
    heed_io_csv *csv = parse("a;b\n1;2\n", NULL);
    ck_assert_ptr_null(heed_io_csv_column(csv, "b", HEED_F32));
    ck_assert_error(HEED_ERR_ARGUMENT,
                    "io_csv_column: csv has no column named \"b\"; its only column is \"a;b\": is ';' "
                    "the separator?");
    ck_assert_ptr_null(heed_io_csv_column(csv, "a;b", HEED_F32));
    ck_assert_error(HEED_ERR_FORMAT, "\"1;2\" is not a number: is ';' the separator?");
    heed_io_csv_free(csv);
    ck_assert_ptr_null(csv_from_memory("a;b\n1,5;2\n", 10, NULL));
    ck_assert_error(HEED_ERR_FORMAT,
                    "line 2, field 2: more fields than the header has, beginning with: \"5;2\": is ';' "
                    "the separator?");
    csv = parse("a\tb\n1\t2\n", NULL);
    ck_assert_ptr_null(heed_io_csv_column(csv, "b", HEED_F32));
    ck_assert_error(HEED_ERR_ARGUMENT, "\": is a tab the separator?");
    heed_io_csv_free(csv);
    csv = parse("a,b\n1,x;y\n", NULL); /* the separator is clear here */
    ck_assert_ptr_null(heed_io_csv_column(csv, "c", HEED_F32));
    ck_assert_error(HEED_ERR_ARGUMENT, "no column named \"c\"; its columns are \"a\", \"b\"");
    (void)heed_io_csv_column(csv, "c", HEED_F32);
    ck_assert_ptr_null(strchr(heed_error_message(), '?'));
    heed_error_clear();
    heed_io_csv_free(csv);
}
END_TEST

/* -- Decimal signs ------------------------------------------------------------------------------------------------ */

static void check_commas(void)
{
    static const char long_number[] =
        "0,00000000000000000000000000000000000000000000000000000000000000000000000000000125";
    char text[400];
    (void)snprintf(text, sizeof text, "x;n\n1,5;1\n-,5e1;2\n +2,;3\n7;4\n%s;5\n", long_number);
    heed_io_csv *csv = parse(text, &(heed_io_csv_options){.separator = ';', .decimal = ','});
    static const double expected[] = {1.5, -5, 2, 7, 1.25e-78};
    const double *x = heed_data_f64(heed_io_csv_column(csv, "x", HEED_F64));
    ck_assert_msg(x != NULL, "%s", heed_error_message());
    for (int i = 0; i < 5; i++)
        ck_assert_double_eq(x[i], expected[i]);
    ck_assert_int_eq(heed_get_i64(heed_io_csv_column(csv, "n", HEED_I64), HEED_INDEX(4)), 5);
    heed_io_csv_free(csv);
}

START_TEST(decimal_commas)
{
    check_commas();
    if (!foreign_locale_begin("de_DE"))
        return;
    check_commas();
    foreign_locale_end();
}
END_TEST

START_TEST(hints_at_a_wrong_decimal_sign)
{
    heed_io_csv *csv = parse("x;y\n1,5;2.5\n1.234,5;1,2,3\n", &(heed_io_csv_options){.separator = ';'});
    ck_assert_ptr_null(heed_io_csv_column(csv, "x", HEED_F64));
    ck_assert_error(HEED_ERR_FORMAT, "\"1,5\" is not a number: is ',' the decimal sign?");
    heed_io_csv_free(csv);
    csv = parse("x;y\n1,5;2.5\n1.234,5;1,2,3\n", &(heed_io_csv_options){.separator = ';', .decimal = ','});
    ck_assert_ptr_null(heed_io_csv_column(csv, "y", HEED_F64));
    ck_assert_error(HEED_ERR_FORMAT, "\"2.5\" is not a number: is '.' the decimal sign?");
    ck_assert_ptr_null(heed_io_csv_column(csv, "x", HEED_F64));
    ck_assert_error(HEED_ERR_FORMAT, "\"1.234,5\" is not a number");
    heed_io_csv_free(csv);
    ck_assert_ptr_null(csv_from_memory("x", 1, &(heed_io_csv_options){.separator = '.'}));
    ck_assert_error(HEED_ERR_ARGUMENT, "the separator and the decimal sign are both '.': must be different");
    ck_assert_ptr_null(csv_from_memory("x", 1, &(heed_io_csv_options){.decimal = '\''}));
    ck_assert_error(HEED_ERR_ARGUMENT, "the decimal sign is character 39: must be '.' or ','");
}
END_TEST

/* -- Missing values ----------------------------------------------------------------------------------------------- */

static const char holes[] = "a,b,c\n1,2,x\nNA,3,y\n4, nan ,z\n5,6,\n7,8,NULL\n9,10,u\n";

START_TEST(refused)
{
    heed_io_csv *csv = parse(holes, NULL);
    ck_assert_ptr_null(heed_io_csv_column(csv, "a", HEED_F64));
    ck_assert_error(HEED_ERR_FORMAT, "io_csv_column: csv, line 3, column \"a\": \"NA\" is a missing value: set the "
                                     "option missing to a different HEED_IO_MISSING_*");
    ck_assert_ptr_null(heed_io_csv_matrix(csv, HEED_NAMES("b"), HEED_I64));
    ck_assert_error(HEED_ERR_FORMAT, "io_csv_matrix: csv, line 4, column \"b\": \" nan \" is a missing value: set the "
                                     "option missing to a different HEED_IO_MISSING_*");
    ck_assert_int_eq(heed_io_csv_get_facts(csv).skipped, 0);
    heed_io_csv_free(csv);
}
END_TEST

START_TEST(as_nan)
{
    heed_io_csv *csv = parse(holes, &(heed_io_csv_options){.missing = HEED_IO_MISSING_NAN});
    heed_tensor *t = heed_io_csv_matrix(csv, HEED_NAMES("a", "b"), HEED_F32);
    static const double expected[] = {1, 2, (double)NAN, 3, 4, (double)NAN, 5, 6, 7, 8, 9, 10};
    ck_assert(heed_shape_equal(heed_shape_of(t), HEED_SHAPE(6, 2)));
    for (int i = 0; i < 12; i++)
        ck_assert_same((double)heed_data_f32(t)[i], expected[i]);
    ck_assert_ptr_null(heed_io_csv_column(csv, "a", HEED_I64));
    ck_assert_error(HEED_ERR_DTYPE, "io_csv_column: csv, line 3, column \"a\": a missing value becomes nan, which i64 "
                                    "cannot represent");
    heed_io_csv_free(csv);
}
END_TEST

static void check_fill(double fill, heed_dtype dtype, bool fits)
{
    static const char text[] = "a\n1\n-\n";
    static const char *const dash[] = {" - "};
    heed_io_csv *csv =
        parse(text, &(heed_io_csv_options){
                        .missing = HEED_IO_MISSING_FILL, .fill = fill, .missing_texts = dash, .missing_text_count = 1});
    heed_tensor *t = heed_io_csv_column(csv, "a", dtype);
    ck_assert_msg((t != NULL) == fits, "%g as %s: %s", fill, heed_dtype_name(dtype), heed_error_message());
    if (fits)
        ck_assert_double_eq(heed_get(t, HEED_INDEX(1)), fill);
    else
        ck_assert_error(HEED_ERR_DTYPE, "a missing value becomes");
    heed_io_csv_free(csv);
}

START_TEST(filled)
{
    check_fill(-0.5, HEED_F32, true);
    check_fill(1e300, HEED_F64, true);
    check_fill(-7, HEED_I64, true);
    check_fill(-0x1p63, HEED_I64, true);
    check_fill(0x1p63, HEED_I64, false);
    check_fill(0.5, HEED_I64, false);
    check_fill((double)NAN, HEED_I64, false);
    check_fill(1, HEED_BOOL, true);
    check_fill(2, HEED_BOOL, false);
}
END_TEST

static void check_rows(const heed_io_csv *csv, const int *b, int n)
{
    ck_assert_int_eq(heed_io_csv_get_facts(csv).rows, n);
    for (int i = 0; i < n; i++)
        ck_assert_int_eq(atoi(heed_io_csv_field(csv, i, 1)), b[i]);
    ck_assert_ptr_null(heed_io_csv_field(csv, n, 1));
    ck_assert_error(HEED_ERR_INDEX, "no row");
}

START_TEST(skipped)
{
    heed_io_csv *csv = parse(holes, &(heed_io_csv_options){.missing = HEED_IO_MISSING_SKIP});
    check_rows(csv, (int[]){2, 10}, 2);
    ck_assert_int_eq(heed_io_csv_get_facts(csv).skipped, 4);
    ck_assert_double_eq(heed_get(heed_io_csv_column(csv, "a", HEED_I64), HEED_INDEX(1)), 9);
    ck_assert_ptr_null(heed_io_csv_column(csv, "c", HEED_I64));
    ck_assert_error(HEED_ERR_FORMAT, "line 2, column \"c\": \"x\" is not a whole number");
    heed_io_csv_free(csv);
    csv = parse("a\nNA\n\"\"\n", &(heed_io_csv_options){.missing = HEED_IO_MISSING_SKIP});
    ck_assert_int_eq(heed_io_csv_get_facts(csv).rows, 0);
    ck_assert_int_eq(heed_numel(heed_io_csv_column(csv, "a", HEED_I64)), 0);
    ck_assert_int_eq(heed_io_csv_skip_missing(csv, NULL, 0), HEED_OK);
    heed_io_csv_free(csv);
}
END_TEST

START_TEST(skipped_by_columns)
{
    heed_io_csv *csv = parse(holes, NULL);
    ck_assert_int_eq(heed_io_csv_skip_missing(csv, HEED_NAMES("b", "a")), HEED_OK);
    check_rows(csv, (int[]){2, 6, 8, 10}, 4);
    ck_assert_int_eq(heed_io_csv_skip_missing(csv, HEED_NAMES("a", "a", "b")), HEED_OK);
    check_rows(csv, (int[]){2, 6, 8, 10}, 4);
    ck_assert_int_eq(heed_io_csv_get_facts(csv).skipped, 2);
    ck_assert_ptr_null(heed_io_csv_categories(csv, "c"));
    ck_assert_error(HEED_ERR_FORMAT, "line 5, column \"c\": \"\" is a missing value");
    ck_assert_int_eq(heed_io_csv_skip_missing(csv, NULL, 0), HEED_OK);
    check_rows(csv, (int[]){2, 10}, 2);
    ck_assert_int_eq(heed_io_csv_skip_missing(csv, HEED_NAMES("a", "d")), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_skip_missing: csv has no column named \"d\"");
    ck_assert_int_eq(heed_io_csv_skip_missing(csv, HEED_NAMES("a", NULL)), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_skip_missing: name 1 is NULL");
    ck_assert_int_eq(heed_io_csv_skip_missing(NULL, NULL, 0), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_skip_missing: the csv is NULL");
    heed_io_csv_free(csv);
}
END_TEST

/* The program's own list replaces the default texts and may contain numbers. */
START_TEST(own_missing_texts)
{
    char own[] = "-999";
    const char *texts[] = {own, "?"};
    heed_io_csv *csv =
        parse("a,b\n-999,NA\n ? ,-9990\n-99,x\n",
              &(heed_io_csv_options){.missing = HEED_IO_MISSING_NAN, .missing_texts = texts, .missing_text_count = 2});
    memset(own, 'x', 4); /* the reader copied the texts */
    const double *a = heed_data_f64(heed_io_csv_column(csv, "a", HEED_F64));
    ck_assert(isnan(a[0]) && isnan(a[1]) && a[2] == -99);
    ck_assert_ptr_null(heed_io_csv_column(csv, "b", HEED_F64));
    ck_assert_error(HEED_ERR_FORMAT, "\"NA\" is not a number");
    heed_io_csv_free(csv);
    csv = parse("a\n\"\"\n", &(heed_io_csv_options){.missing = HEED_IO_MISSING_NAN, .missing_texts = texts});
    ck_assert_ptr_null(heed_io_csv_column(csv, "a", HEED_F64)); /* with an empty list */
    ck_assert_error(HEED_ERR_FORMAT, "\"\" is not a number");
    heed_io_csv_free(csv);
    static const char *const with_null[] = {"", NULL};
    ck_assert_ptr_null(
        csv_from_memory("a", 1, &(heed_io_csv_options){.missing_texts = with_null, .missing_text_count = 2}));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_read: missing_texts[1] is NULL");
    ck_assert_ptr_null(
        csv_from_memory("a", 1, &(heed_io_csv_options){.missing_texts = with_null, .missing_text_count = -1}));
    ck_assert_error(HEED_ERR_ARGUMENT, "missing_text_count is -1: must be 0 or more");
    ck_assert_ptr_null(csv_from_memory("a", 1, &(heed_io_csv_options){.missing_text_count = 1}));
    ck_assert_error(HEED_ERR_ARGUMENT, "missing_text_count is 1, but missing_texts is NULL: must be 0");
    ck_assert_ptr_null(csv_from_memory("a", 1, &(heed_io_csv_options){.missing = (heed_io_missing)4}));
    ck_assert_error(HEED_ERR_ARGUMENT, "missing must be one of HEED_IO_MISSING_*, not 4");
}
END_TEST

START_TEST(default_missing_texts)
{
    heed_io_csv *csv = parse("a\nNA\nN/A\nn/a\nNaN\nnan\nNULL\nnull\n\"\"\n \t \n",
                             &(heed_io_csv_options){.missing = HEED_IO_MISSING_SKIP});
    ck_assert_int_eq(heed_io_csv_get_facts(csv).skipped, 9);
    heed_io_csv_free(csv);
}
END_TEST

/* -- Matrices ----------------------------------------------------------------------------------------------------- */

START_TEST(matrices)
{
    heed_io_csv *csv = parse("a,b,c\n1,2,3\n4,5,6\n", NULL);
    heed_tensor *t = heed_io_csv_matrix(csv, HEED_NAMES("c", "a", "c"), HEED_I64);
    static const int64_t expected[] = {3, 1, 3, 6, 4, 6};
    ck_assert(heed_shape_equal(heed_shape_of(t), HEED_SHAPE(2, 3)));
    ck_assert(memcmp(heed_data_i64(t), expected, sizeof expected) == 0);
    heed_tensor *all = heed_io_csv_matrix(csv, NULL, 0, HEED_F64);
    for (int i = 0; i < 6; i++)
        ck_assert_double_eq(heed_data_f64(all)[i], i + 1);
    static const char *const names[] = {"a"};
    ck_assert_ptr_null(heed_io_csv_matrix(csv, names, 0, HEED_F64));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_matrix: k is 0: must be 1 or more");
    ck_assert_ptr_null(heed_io_csv_matrix(csv, NULL, 1, HEED_F64));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_matrix: k is 1, but names is NULL: must be 0");
    ck_assert_ptr_null(heed_io_csv_matrix(NULL, names, 1, HEED_F64));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_matrix: the csv is NULL");
    ck_assert_ptr_null(heed_io_csv_matrix(csv, names, 1, (heed_dtype)-1));
    ck_assert_error(HEED_ERR_DTYPE, "io_csv_matrix: ");
    heed_io_csv_free(csv);
}
END_TEST

/* More columns than fit between two stored offsets, and skipped rows: field (i, k) is 1000 i + k, and every third row
 * lacks one. */
START_TEST(many_columns_and_rows)
{
    enum { COLUMNS = 300, ROWS = 60 };
    static char text[ROWS * COLUMNS * 8];
    size_t used = 0;
    for (int i = -1; i < ROWS; i++)
        for (int k = 0; k < COLUMNS; k++) {
            bool hole = i >= 0 && i % 3 == 0 && k == 7 * i % COLUMNS;
            if (!hole)
                used += (size_t)snprintf(text + used, sizeof text - used, "%s%d", i < 0 ? "c" : "",
                                         i < 0 ? k : 1000 * i + k);
            text[used++] = k + 1 < COLUMNS ? ',' : '\n';
        }
    text[used] = '\0';
    heed_io_csv *csv = parse(text, &(heed_io_csv_options){.missing = HEED_IO_MISSING_SKIP});
    ck_assert_int_eq(heed_io_csv_get_facts(csv).rows, ROWS / 3 * 2);
    heed_tensor *all = heed_io_csv_matrix(csv, NULL, 0, HEED_I64);
    heed_tensor *reordered = heed_io_csv_matrix(csv, HEED_NAMES("c299", "c0", "c150"), HEED_F32);
    ck_assert(all && reordered);
    for (int i = 0; i < ROWS / 3 * 2; i++) {
        int row = i / 2 * 3 + 1 + i % 2;
        for (int k = 0; k < COLUMNS; k++)
            ck_assert_int_eq(heed_data_i64(all)[i * COLUMNS + k], 1000 * row + k);
        ck_assert_double_eq((double)heed_data_f32(reordered)[3 * i], 1000 * row + 299);
        ck_assert_double_eq((double)heed_data_f32(reordered)[3 * i + 1], 1000 * row);
        ck_assert_double_eq((double)heed_data_f32(reordered)[3 * i + 2], 1000 * row + 150);
        ck_assert_int_eq(atoi(heed_io_csv_field(csv, i, 200)), 1000 * row + 200);
    }
    heed_io_csv_free(csv);
}
END_TEST

/* -- Memory ------------------------------------------------------------------------------------------------------- */

static bool table_program(double *value)
{
    heed_io_csv_options o = {.guess_separator = true, .decimal = ',', .missing = HEED_IO_MISSING_SKIP};
    static const char text[] = "a;b;c\n1;2;3\n;;\n"
                               "4,00000000000000000000000000000000000000000000000000000000000000000000;5;6\n7;8;NA\n";
    heed_io_csv *csv = csv_from_memory(text, sizeof text - 1, &o);
    heed_tensor *t = csv && heed_io_csv_skip_missing(csv, HEED_NAMES("b")) == HEED_OK
                         ? heed_io_csv_matrix(csv, HEED_NAMES("c", "a"), HEED_F64)
                         : NULL;
    *value = t ? heed_get(t, HEED_INDEX(1, 1)) : 0;
    heed_io_csv_free(csv);
    return t != NULL;
}

static bool skip_program(double *value)
{
    heed_io_csv *csv = csv_from_memory("a,b\n1,\n,2\n3,4\n", 14, NULL);
    bool done = csv && heed_io_csv_skip_missing(csv, HEED_NAMES("b")) == HEED_OK &&
                heed_io_csv_skip_missing(csv, HEED_NAMES("a")) == HEED_OK;
    *value = done ? atof(heed_io_csv_field(csv, 0, 1)) : 0;
    heed_io_csv_free(csv);
    return done;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(table_program);
    fail_alloc_sweep(skip_program);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("csv table", guessed, separator_given_and_guessed, hints_at_a_wrong_separator, decimal_commas,
               hints_at_a_wrong_decimal_sign, refused, as_nan, filled, skipped, skipped_by_columns, own_missing_texts,
               default_missing_texts, matrices, many_columns_and_rows, out_of_memory)
