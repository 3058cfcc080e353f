/* tests/io/test_csv_codes.c - tests of a CSV's texts as codes, and of reading a file as a dataset in one call.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <limits.h>

#include "check_heed.h"
#include "fail_alloc.h"
#include "files.h"
#include "from_memory.h"

static heed_io_csv *parse(const char *text, const heed_io_csv_options *options)
{
    heed_io_csv *csv = csv_from_memory(text, strlen(text), options);
    ck_assert_msg(csv != NULL, "%s", heed_error_message());
    return csv;
}

static void check_codes(heed_tensor *codes, const int64_t *expected, int n)
{
    ck_assert_msg(codes != NULL, "%s", heed_error_message());
    ck_assert(heed_dtype_of(codes) == HEED_I64 && heed_rank(codes) == 1 && heed_numel(codes) == n);
    for (int i = 0; i < n; i++)
        ck_assert_int_eq(heed_data_i64(codes)[i], expected[i]);
}

/* -- Codes -------------------------------------------------------------------------------------------------------- */

START_TEST(codes)
{
    heed_io_csv *csv = parse("id,city\n1,Rome\n2,\"Bonn, am Rhein\"\n3,Rome\n4, Rome\n5,rome\n", NULL);
    heed_categories *cities = heed_io_csv_categories(csv, "city");
    ck_assert_int_eq(heed_categories_count(cities), 4);
    ck_assert_str_eq(heed_categories_name(cities, 0), " Rome"); /* with its leading blank */
    ck_assert_str_eq(heed_categories_name(cities, 1), "Bonn, am Rhein");
    check_codes(heed_io_csv_codes(csv, "city", cities), (int64_t[]){2, 1, 2, 0, 3}, 5);
    heed_io_csv_free(csv);
    csv = parse("city\nrome\nRome\n", NULL); /* later data */
    check_codes(heed_io_csv_codes(csv, "city", cities), (int64_t[]){3, 2}, 2);
    heed_io_csv_free(csv);
    csv = parse("city\nRome\nParis\n", NULL);
    ck_assert_ptr_null(heed_io_csv_codes(csv, "city", cities));
    ck_assert_error(HEED_ERR_FORMAT,
                    "io_csv_codes: csv, line 3, column \"city\": \"Paris\" is not one of the categories");
    heed_io_csv_free(csv);
    heed_categories_free(cities);
}
END_TEST

START_TEST(missing_texts)
{
    static const char text[] = "land\nDE\nNA\n\"\"\nFR\n";
    heed_io_csv *csv = parse(text, &(heed_io_csv_options){.missing = HEED_IO_MISSING_NAN});
    heed_categories *countries = heed_io_csv_categories(csv, "land");
    ck_assert_int_eq(heed_categories_count(countries), 2);
    check_codes(heed_io_csv_codes(csv, "land", countries), (int64_t[]){0, -1, -1, 1}, 4);
    heed_io_csv_free(csv);
    for (int policy = 0; policy < 2; policy++) {
        csv = parse(text, &(heed_io_csv_options){.missing = policy ? HEED_IO_MISSING_FILL : HEED_IO_MISSING_ERROR});
        ck_assert_ptr_null(heed_io_csv_categories(csv, "land"));
        ck_assert_error(HEED_ERR_FORMAT, "io_csv_categories: csv, line 3, column \"land\": \"NA\" is a missing value");
        ck_assert_ptr_null(heed_io_csv_codes(csv, "land", countries));
        ck_assert_error(HEED_ERR_FORMAT, "io_csv_codes: csv, line 3, column \"land\": \"NA\" is a missing value");
        heed_io_csv_free(csv);
    }
    heed_categories_free(countries);
    static const char *const empty[] = {""};
    csv = parse(
        text, &(heed_io_csv_options){.missing = HEED_IO_MISSING_SKIP, .missing_texts = empty, .missing_text_count = 1});
    countries = heed_io_csv_categories(csv, "land"); /* NA is not missing here but Namibia */
    check_codes(heed_io_csv_codes(csv, "land", countries), (int64_t[]){0, 2, 1}, 3);
    heed_categories_free(countries);
    heed_io_csv_free(csv);
}
END_TEST

START_TEST(bad_arguments)
{
    heed_io_csv *csv = parse("a\nx\n", NULL);
    heed_categories *c = heed_io_csv_categories(csv, "a");
    ck_assert_ptr_null(heed_io_csv_categories(NULL, "a"));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_categories: the csv is NULL");
    ck_assert_ptr_null(heed_io_csv_categories(csv, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_categories: the name is NULL");
    ck_assert_ptr_null(heed_io_csv_categories(csv, "b"));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_categories: csv has no column named \"b\"");
    ck_assert_ptr_null(heed_io_csv_codes(csv, "a", NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_codes: the categories are NULL");
    ck_assert_ptr_null(heed_io_csv_codes(NULL, "a", c));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_codes: the csv is NULL");
    ck_assert_ptr_null(heed_io_csv_codes(csv, NULL, c));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_codes: the name is NULL");
    heed_categories_free(c);
    heed_io_csv_free(csv);
}
END_TEST

/* -- Datasets ----------------------------------------------------------------------------------------------------- */

static const char *write_csv(const char *text)
{
    const char *path = in_folder("table.csv");
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    (void)fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

static void remove_csv(const char *path)
{
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
    *folder = '\0';
}

static const char table[] = "a;b;note;y\n1;2;;3\n4;;x;6\n7;8;y;9\n";

START_TEST(datasets)
{
    const char *path = write_csv(table);
    heed_tensor *all[2];
    const heed_io_csv_options skip = {.guess_separator = true, .missing = HEED_IO_MISSING_SKIP};
    heed_dataset *d =
        heed_io_csv_dataset(path, HEED_NAMES("b", "a"), "y", &(heed_io_csv_dataset_options){.csv = &skip});
    ck_assert_msg(d != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_dataset_size(d), 2); /* the note column's missing value does not matter */
    ck_assert_int_eq(heed_dataset_all(d, all), HEED_OK);
    static const float x[] = {2, 1, 8, 7};
    ck_assert(heed_shape_equal(heed_shape_of(all[0]), HEED_SHAPE(2, 2)));
    ck_assert(memcmp(heed_data_f32(all[0]), x, sizeof x) == 0);
    ck_assert(heed_rank(all[1]) == 1 && heed_data_f32(all[1])[1] == 9.0F);
    heed_dataset_free(d);
    const heed_io_csv_options nan = {.separator = ';', .missing = HEED_IO_MISSING_NAN};
    d = heed_io_csv_dataset(path, HEED_NAMES("b"), "y", &(heed_io_csv_dataset_options){.csv = &nan, .dtype = HEED_F64});
    ck_assert_int_eq(heed_dataset_all(d, all), HEED_OK);
    ck_assert(heed_dtype_of(all[0]) == HEED_F64 && isnan(heed_data_f64(all[0])[1]));
    heed_dataset_free(d);
    remove_csv(path);
    path = write_csv("y,a,b\n1,2,3\n4,5,6\n");
    d = heed_io_csv_dataset(path, NULL, 0, "y", NULL); /* all columns except the target */
    ck_assert_int_eq(heed_dataset_all(d, all), HEED_OK);
    static const float rest[] = {2, 3, 5, 6};
    ck_assert(memcmp(heed_data_f32(all[0]), rest, sizeof rest) == 0);
    heed_dataset_free(d);
    remove_csv(path);
}
END_TEST

START_TEST(classes)
{
    const char *path = write_csv("x,kind\n1,b\n2,a\n3,b\n");
    heed_categories *kinds = NULL;
    const heed_io_csv_dataset_options o = {.classes = &kinds};
    heed_tensor *all[2];
    heed_dataset *d = heed_io_csv_dataset(path, HEED_NAMES("x"), "kind", &o);
    ck_assert_int_eq(heed_dataset_all(d, all), HEED_OK);
    check_codes(all[1], (int64_t[]){1, 0, 1}, 3);
    ck_assert_int_eq(heed_categories_count(kinds), 2);
    heed_dataset_free(d);
    remove_csv(path);
    path = write_csv("x,kind\n1,b\n");
    heed_categories *before = kinds;
    d = heed_io_csv_dataset(path, HEED_NAMES("x"), "kind", &o); /* uses the categories of the first call */
    ck_assert_int_eq(heed_dataset_all(d, all), HEED_OK);
    check_codes(all[1], (int64_t[]){1}, 1);
    ck_assert_ptr_eq(kinds, before);
    heed_dataset_free(d);
    remove_csv(path);
    path = write_csv("x,kind\n1,c\n");
    ck_assert_ptr_null(heed_io_csv_dataset(path, HEED_NAMES("x"), "kind", &o));
    ck_assert_error(HEED_ERR_FORMAT, "table.csv, line 2, column \"kind\": \"c\" is not one of the categories");
    ck_assert_ptr_eq(kinds, before);
    heed_categories_free(kinds);
    kinds = NULL;
    ck_assert_ptr_null(heed_io_csv_dataset(path, HEED_NAMES("z"), "kind", &o));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_csv_dataset: ");
    ck_assert_ptr_null(kinds);
    remove_csv(path);
}
END_TEST

static void check_refused(const char *path, const char *const *inputs, int k, const char *target, heed_status code,
                          const char *text)
{
    ck_assert_ptr_null(heed_io_csv_dataset(path, inputs, k, target, NULL));
    ck_assert_ptr_eq(strstr(heed_error_message(), "io_csv_dataset: "), heed_error_message());
    ck_assert_error(code, text);
}

START_TEST(datasets_refused)
{
    const char *path = write_csv(table);
    check_refused(path, HEED_NAMES("a"), "y", HEED_ERR_ARGUMENT,
                  "has no column named \"y\"; its only column is \"a;b;note;y\": is ';' the separator?");
    check_refused(path, HEED_NAMES("a"), NULL, HEED_ERR_ARGUMENT, "the target's name is NULL");
    check_refused(path, NULL, 1, "y", HEED_ERR_ARGUMENT, "k is 1, but inputs is NULL: must be 0");
    check_refused(path, (const char *const[]){"a"}, 0, "y", HEED_ERR_ARGUMENT, "k is 0 inputs: must be 1 to 1048575");
    check_refused(path, (const char *const[]){"a"}, INT_MAX, "y", HEED_ERR_ARGUMENT, "k is 2147483647 inputs");
    check_refused(path, HEED_NAMES(NULL), "a;b;note;y", HEED_ERR_ARGUMENT, "name 0 is NULL");
    check_refused(path, NULL, 0, "a;b;note;y", HEED_ERR_ARGUMENT,
                  "table.csv has no column except the target: at least one input is needed");
    check_refused(NULL, NULL, 0, "y", HEED_ERR_ARGUMENT, "path is NULL");
    remove_csv(path);
    check_refused("/nowhere/at/all.csv", NULL, 0, "y", HEED_ERR_IO, "No such file");
    path = write_csv("x,y\n1,2\n3,\n");
    check_refused(path, NULL, 0, "y", HEED_ERR_FORMAT, "line 3, column \"y\": \"\" is a missing value");
    ck_assert_ptr_null(heed_io_csv_dataset(path, NULL, 0, "y", &(heed_io_csv_dataset_options){.dtype = (heed_dtype)7}));
    ck_assert_error(HEED_ERR_DTYPE, "io_csv_dataset: ");
    remove_csv(path);
}
END_TEST

static const char *program_path;

static bool dataset_program(double *value)
{
    heed_categories *kinds = NULL;
    heed_tensor *all[2];
    const heed_io_csv_options csv_options = {.missing = HEED_IO_MISSING_SKIP};
    heed_dataset *d = heed_io_csv_dataset(program_path, NULL, 0, "kind",
                                          &(heed_io_csv_dataset_options){.csv = &csv_options, .classes = &kinds});
    ck_assert((d != NULL) == (kinds != NULL));
    bool done = d && heed_dataset_all(d, all) == HEED_OK;
    *value = done ? heed_get(all[0], HEED_INDEX(1, 0)) + 10 * heed_get(all[1], HEED_INDEX(0)) : 0;
    heed_dataset_free(d);
    heed_categories_free(kinds);
    return done;
}

static bool codes_program(double *value)
{
    heed_io_csv *csv = csv_from_memory("a\ny\nx\ny\n", 8, NULL);
    heed_categories *c = csv ? heed_io_csv_categories(csv, "a") : NULL;
    heed_tensor *t = c ? heed_io_csv_codes(csv, "a", c) : NULL;
    *value = t ? heed_get(t, HEED_INDEX(2)) : 0;
    heed_categories_free(c);
    heed_io_csv_free(csv);
    return t != NULL;
}

START_TEST(out_of_memory)
{
    program_path = write_csv("x,kind\n1,b\n,a\n3,a\n");
    fail_alloc_install();
    fail_alloc_sweep(dataset_program);
    fail_alloc_sweep(codes_program);
    fail_alloc_uninstall();
    remove_csv(program_path);
}
END_TEST

HEED_TEST_MAIN("csv codes", codes, missing_texts, bad_arguments, datasets, classes, datasets_refused, out_of_memory)
