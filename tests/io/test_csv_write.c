/* tests/io/test_csv_write.c - tests of writing tensors as CSV: the text, the bits read back, refusals. The interop
 * tests read it with Python's csv module.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "fail_alloc.h"
#include "files.h"
#include "foreign_locale.h"

#define PATH in_folder("written.csv")

static char content[1 << 16];

static const char *file_text(void)
{
    FILE *file = fopen(PATH, "rb");
    ck_assert_ptr_nonnull(file);
    content[fread(content, 1, sizeof content - 1, file)] = '\0';
    (void)fclose(file);
    return content;
}

static void clean_up(void)
{
    (void)unlink(PATH);
    ck_assert_int_eq(rmdir(folder), 0);
    *folder = '\0';
}

static void check_text(heed_status status, const char *text)
{
    ck_assert_msg(status == HEED_OK, "%s", heed_error_message());
    ck_assert_str_eq(file_text(), text);
}

/* -- The text ----------------------------------------------------------------------------------------------------- */

START_TEST(numbers)
{
    heed_tensor *f64 = HEED_TENSOR(HEED_F64, HEED_SHAPE(3), 0.1, -1e300, 1.0 / 3);
    heed_tensor *f32 = HEED_TENSOR(HEED_F32, HEED_SHAPE(3), 0.1, 16777216, -0.0);
    heed_tensor *i64 = heed_from_array(HEED_I64, HEED_SHAPE(3), (int64_t[]){INT64_MIN, -1, INT64_MAX}, 3);
    heed_tensor *flag = HEED_TENSOR(HEED_BOOL, HEED_SHAPE(3), 1, 0, 1);
    check_text(
        heed_io_csv_write(PATH, HEED_NAMES("f64", "f32", "i64", "flag"), HEED_TENSORS(f64, f32, i64, flag), NULL),
        "f64,f32,i64,flag\n0.1,0.1,-9223372036854775808,1\n-1e+300,16777216,-1,0\n"
        "0.3333333333333333,-0,9223372036854775807,1\n");
    heed_tensor *special =
        HEED_TENSOR(HEED_F32, HEED_SHAPE(2, 2), (double)NAN, (double)INFINITY, -(double)INFINITY, -(double)NAN);
    check_text(heed_io_csv_write(PATH, HEED_NAMES("a", "b"), HEED_TENSORS(special), NULL), "a,b\nNaN,inf\n-inf,NaN\n");
    check_text(heed_io_csv_write(PATH, HEED_NAMES("a", "b"), HEED_TENSORS(special),
                                 &(heed_io_csv_write_options){.missing = ""}),
               "a,b\n,inf\n-inf,\n");
    clean_up();
}
END_TEST

START_TEST(shapes)
{
    heed_tensor *x = heed_arange(HEED_F32, 0, 2, 1);
    heed_tensor *m = heed_transpose(HEED_TENSOR(HEED_F32, HEED_SHAPE(3, 2), 1, 2, 3, 4, 5, 6), 0, 1);
    check_text(heed_io_csv_write(PATH, HEED_NAMES("x", "p", "q", "r"), HEED_TENSORS(x, m), NULL),
               "x,p,q,r\n0,1,3,5\n1,2,4,6\n");
    heed_tensor *leaf = heed_set_requires_grad(heed_ones(HEED_F64, HEED_SHAPE(1, 1)), true);
    check_text(heed_io_csv_write(PATH, HEED_NAMES("y"), HEED_TENSORS(heed_expand(leaf, HEED_SHAPE(2, 1))), NULL),
               "y\n1\n1\n");
    check_text(heed_io_csv_write(PATH, HEED_NAMES("x"), HEED_TENSORS(heed_ones(HEED_F32, HEED_SHAPE(0))), NULL), "x\n");
    clean_up();
}
END_TEST

START_TEST(separators_and_decimal_signs)
{
    heed_tensor *x = HEED_TENSOR(HEED_F64, HEED_SHAPE(1, 2), 1.5, -2.25);
    check_text(
        heed_io_csv_write(PATH, HEED_NAMES("a", "b"), HEED_TENSORS(x), &(heed_io_csv_write_options){.decimal = ','}),
        "a;b\n1,5;-2,25\n");
    check_text(heed_io_csv_write(PATH, HEED_NAMES("a,b", "c\td"), HEED_TENSORS(x),
                                 &(heed_io_csv_write_options){.separator = '\t'}),
               "a,b\t\"c\td\"\n1.5\t-2.25\n");
    check_text(heed_io_csv_write(PATH, HEED_NAMES("a,b", "say \"no\"\r"), HEED_TENSORS(x), NULL),
               "\"a,b\",\"say \"\"no\"\"\r\"\n1.5,-2.25\n");
    clean_up();
}
END_TEST

START_TEST(texts)
{
    heed_categories *c = heed_categories_new(HEED_NAMES("plain", "with, comma", "", "two\nlines",
                                                        "\xEF\xBB\xBF"
                                                        "mark"));
    const heed_categories *list[] = {NULL, c};
    heed_tensor *id = heed_arange(HEED_I64, 0, 6, 1), *code = HEED_TENSOR(HEED_I64, HEED_SHAPE(6), 0, 1, 2, 3, -1, 4);
    check_text(heed_io_csv_write(PATH, HEED_NAMES("id", "kind"), HEED_TENSORS(id, code),
                                 &(heed_io_csv_write_options){.categories = list, .missing = "NA"}),
               "id,kind\n0,\n1,plain\n2,\"two\nlines\"\n3,\"with, comma\"\n4,NA\n5,\"\xEF\xBB\xBFmark\"\n");
    check_text(heed_io_csv_write(PATH, HEED_NAMES(""), HEED_TENSORS(code),
                                 &(heed_io_csv_write_options){.categories = list + 1, .missing = ""}),
               "\"\"\n\"\"\nplain\n\"two\nlines\"\n\"with, comma\"\n\"\"\n\"\xEF\xBB\xBFmark\"\n");
    static const char *const none[] = {NULL};
    heed_io_csv *csv = heed_io_csv_read(PATH, &(heed_io_csv_options){.missing_texts = none});
    ck_assert_msg(csv != NULL, "%s", heed_error_message());
    heed_tensor *back = heed_io_csv_codes(csv, "", c);
    ck_assert_int_eq(heed_get_i64(back, HEED_INDEX(3)), 3);
    ck_assert_int_eq(heed_get_i64(back, HEED_INDEX(4)), 0); /* "" is a category here */
    heed_io_csv_free(csv);
    heed_categories_free(c);
    clean_up();
}
END_TEST

/* -- The same bits ------------------------------------------------------------------------------------------------ */

static uint64_t next_bits(void)
{
    static uint64_t state = 88172645463325252U;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * UINT64_C(0x9E3779B97F4A7C15);
}

/* Draws bits of every kind: half of the numbers have ordinary sizes, some are denormal. */
static void draw(double *f64, float *f32, int n)
{
    for (int i = 0; i < n; i++) {
        do {
            uint64_t bits = next_bits(), small = bits & UINT64_C(0x800FFFFFFFFFFFFF);
            memcpy(&f64[i], i % 7 == 0 ? &small : &bits, sizeof *f64);
            uint32_t bits32 = (uint32_t)(bits >> 16) & (i % 5 == 0 ? 0x807FFFFFU : 0xFFFFFFFFU);
            memcpy(&f32[i], &bits32, sizeof *f32);
        } while (!isfinite(f64[i]) || !isfinite(f32[i]));
        if (i % 2) {
            f64[i] = (double)(next_bits() % 2000001) / 1000 - 1000;
            f32[i] = (float)f64[i];
        }
    }
}

static void check_bits(char decimal)
{
    enum { N = 2000 };
    static double f64[N];
    static float f32[N];
    draw(f64, f32, N);
    heed_tensor *a = heed_from_array(HEED_F64, HEED_SHAPE(N), f64, N),
                *b = heed_from_array(HEED_F32, HEED_SHAPE(N), f32, N);
    ck_assert_int_eq(heed_io_csv_write(PATH, HEED_NAMES("a", "b"), HEED_TENSORS(a, b),
                                       &(heed_io_csv_write_options){.decimal = decimal}),
                     HEED_OK);
    heed_io_csv *csv = heed_io_csv_read(PATH, &(heed_io_csv_options){.guess_separator = true, .decimal = decimal});
    ck_assert_msg(csv != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_io_csv_get_facts(csv).separator, decimal == ',' ? ';' : ',');
    heed_tensor *x = heed_io_csv_column(csv, "a", HEED_F64), *y = heed_io_csv_column(csv, "b", HEED_F32);
    ck_assert_msg(x && y, "%s", heed_error_message());
    ck_assert(memcmp(heed_data_f64(x), f64, sizeof f64) == 0);
    ck_assert(memcmp(heed_data_f32(y), f32, sizeof f32) == 0);
    for (int64_t i = 0; i < N; i++)
        ck_assert(strlen(heed_io_csv_field(csv, i, 0)) <= 24 && strlen(heed_io_csv_field(csv, i, 1)) <= 15);
    heed_io_csv_free(csv);
}

START_TEST(bits_are_preserved)
{
    check_bits('.');
    check_bits(',');
    if (foreign_locale_begin("de_DE")) {
        check_bits('.');
        check_bits(',');
        foreign_locale_end();
    }
    clean_up();
}
END_TEST

/* -- Errors ------------------------------------------------------------------------------------------------------- */

static void check_refused(heed_status status, heed_status code, const char *text)
{
    ck_assert_int_eq(status, code);
    ck_assert_ptr_eq(strstr(heed_error_message(), "io_csv_write: "), heed_error_message());
    ck_assert_error(code, text);
    ck_assert_int_ne(access(PATH, F_OK), 0);
}

START_TEST(refuses)
{
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2)), *m = heed_ones(HEED_F32, HEED_SHAPE(2, 3));
    heed_tensor *code = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 0, 5), *low = HEED_TENSOR(HEED_I64, HEED_SHAPE(1), -2);
    static const char *const names[] = {"a", "b", NULL};
    const char *path = PATH;
    check_refused(heed_io_csv_write(NULL, names, 1, &x, 1, NULL), HEED_ERR_ARGUMENT, "path is NULL");
    check_refused(heed_io_csv_write(path, NULL, 1, &x, 1, NULL), HEED_ERR_ARGUMENT, "names is NULL");
    check_refused(heed_io_csv_write(path, names, 1, NULL, 1, NULL), HEED_ERR_ARGUMENT, "tensors is NULL");
    check_refused(heed_io_csv_write(path, names, 0, &x, 1, NULL), HEED_ERR_ARGUMENT, "0 names, 1 tensors");
    check_refused(heed_io_csv_write(path, names, 1, &x, 0, NULL), HEED_ERR_ARGUMENT, "1 names, 0 tensors");
    check_refused(heed_io_csv_write(path, names, 2, &x, 1, NULL), HEED_ERR_ARGUMENT, "2 names for 1 columns");
    check_refused(heed_io_csv_write(path, names, 2, &m, 1, NULL), HEED_ERR_ARGUMENT, "2 names for 3 columns");
    check_refused(heed_io_csv_write(path, names, 3, &m, 1, NULL), HEED_ERR_ARGUMENT, "name 2 is NULL");
    check_refused(heed_io_csv_write(path, names, 2, HEED_TENSORS(x, NULL), NULL), HEED_ERR_ARGUMENT,
                  "tensor 1 is NULL");
    check_refused(heed_io_csv_write(path, names, 1, HEED_TENSORS(heed_ones(HEED_F32, HEED_SCALAR)), NULL),
                  HEED_ERR_SHAPE, "tensor 0 has shape (): must be (n) or (n, columns)");
    check_refused(heed_io_csv_write(path, names, 2, HEED_TENSORS(x, heed_ones(HEED_F32, HEED_SHAPE(3))), NULL),
                  HEED_ERR_SHAPE, "tensor 1 has 3 rows, but tensor 0 has 2");
    heed_categories *c = heed_categories_new(names, 2);
    const heed_categories *list[] = {c};
    const heed_io_csv_write_options o = {.categories = list};
    check_refused(heed_io_csv_write(path, names, 1, &x, 1, &o), HEED_ERR_DTYPE,
                  "tensor 0 has categories and dtype f32: codes must be i64");
    check_refused(heed_io_csv_write(path, names, 1, &code, 1, &o), HEED_ERR_INDEX,
                  "tensor 0 has code 5, but there are 2 categories");
    check_refused(heed_io_csv_write(path, names, 1, &low, 1, &o), HEED_ERR_INDEX, "tensor 0 has code -2");
    heed_categories_free(c);
    static const char separators[] = "1e+-.\"\r\n";
    for (const char *s = separators; *s; s++)
        check_refused(heed_io_csv_write(path, names, 1, &x, 1, &(heed_io_csv_write_options){.separator = *s}),
                      HEED_ERR_ARGUMENT, "must not occur in numbers, quotes or line ends");
    check_refused(
        heed_io_csv_write(path, names, 1, &x, 1, &(heed_io_csv_write_options){.separator = ',', .decimal = ','}),
        HEED_ERR_ARGUMENT, "the separator is character 44: must not occur in numbers");
    check_refused(heed_io_csv_write(path, names, 1, &x, 1, &(heed_io_csv_write_options){.decimal = ';'}),
                  HEED_ERR_ARGUMENT, "the decimal sign is character 59");
    check_refused(heed_io_csv_write("/nowhere/at/all.csv", names, 1, &x, 1, NULL), HEED_ERR_IO, "/nowhere/at/all.csv");
    check_refused(heed_io_csv_write(
                      path, names, 1,
                      HEED_TENSORS(heed_expand(heed_ones(HEED_F32, HEED_SCALAR), HEED_SHAPE(INT64_C(1) << 61))), NULL),
                  HEED_ERR_UNSUPPORTED, "has too many elements for a file");
    clean_up();
}
END_TEST

START_TEST(a_failure_keeps_the_old_file)
{
    heed_categories *c = heed_categories_new(HEED_NAMES("a"));
    const heed_categories *list[] = {c};
    heed_tensor *code = HEED_TENSOR(HEED_I64, HEED_SHAPE(2), 0, 5);
    check_text(heed_io_csv_write(PATH, HEED_NAMES("x"), &code, 1, NULL), "x\n0\n5\n");
    ck_assert_int_eq(
        heed_io_csv_write(PATH, HEED_NAMES("x"), &code, 1, &(heed_io_csv_write_options){.categories = list}),
        HEED_ERR_INDEX);
    ck_assert_error(HEED_ERR_INDEX, "code 5");
    ck_assert_str_eq(file_text(), "x\n0\n5\n");
    ck_assert_int_eq(files_in_folder(), 1);
    heed_categories_free(c);
    clean_up();
}
END_TEST

static bool write_program(double *value)
{
    heed_tensor *x = heed_rand(HEED_F32, HEED_SHAPE(3, 400));
    heed_tensor *t = x ? heed_transpose(x, 0, 1) : NULL;
    heed_status status = heed_io_csv_write(PATH, HEED_NAMES("a", "b", "c"), &t, 1, NULL);
    *value = 1;
    return status == HEED_OK;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(write_program);
    fail_alloc_uninstall();
    clean_up();
}
END_TEST

HEED_TEST_MAIN("csv write", numbers, shapes, separators_and_decimal_signs, texts, bits_are_preserved, refuses,
               a_failure_keeps_the_old_file, out_of_memory)
