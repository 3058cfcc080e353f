/* tests/promises/misuse/test_misuse_every_csv.c - the functions of heed/io.h for tables with hostile arguments of every
 * kind.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "from_memory.h"
#include "misuse_draw.h"

#define GIVEN(options) (one_in(8) ? NULL : &(options))

static const char table[] = "a;b;c\n1;2024-02-29;x\n;NA;\n-5;1e999;y\nx;\"y\";nan\n2,5;0;x\n";

static const char *any_name(void)
{
    static const char *const names[] = {NULL, "", "a", "b", "c", "a;b;c", "d"};
    return ANY_OF(names);
}

static heed_io_csv_options any_options(void)
{
    static const char *const texts[] = {"", "NA", "x", NULL};
    static const char marks[] = {0, 0, ';', ';', ',', '.', '"', '\n', 'x', '\t', '\xff'};
    bool list = !one_in(2);
    return (heed_io_csv_options){.separator = ANY_OF(marks),
                                 .decimal = ANY_OF(marks),
                                 .guess_separator = any_flag(),
                                 .missing = (heed_io_missing)any_enum(4),
                                 .fill = any_real(),
                                 .missing_texts = list ? texts : NULL,
                                 .missing_text_count = list        ? (int)(misuse_random() % 6) - 1
                                                       : one_in(2) ? 0
                                                                   : any_int(),
                                 .max_bytes = one_in(2) ? 0 : any_size(),
                                 .skip_lines = one_in(2) ? 0 : any_int(),
                                 .no_header = one_in(3),
                                 .comment = ANY_OF(marks),
                                 .thousands = ANY_OF(marks),
                                 .date_order = (heed_io_date_order)any_enum(3),
                                 .first = any_flag() ? 0 : any_count(),
                                 .rows = any_flag() ? 0 : any_count()};
}

/* Three names, and a valid number of them. */
static const char *const *any_names(const char **names, int *k)
{
    for (int i = 0; i < 3; i++)
        names[i] = any_name();
    bool list = !one_in(4);
    *k = any_int();
    *k = list && (*k > 3 || one_in(2)) ? 1 + (int)(misuse_random() % 3) : *k;
    return list ? names : NULL;
}

static heed_io_csv *any_csv(void)
{
    heed_io_csv_options o = any_options(), good = {.separator = ';', .missing = HEED_IO_MISSING_NAN};
    heed_io_csv *csv = csv_from_memory(table, misuse_random() % sizeof table, GIVEN(o));
    ck_assert((csv != NULL) == (heed_error_code() == HEED_OK));
    judge_error("csv_read");
    return csv || one_in(3) ? csv : csv_from_memory(table, sizeof table - 1, &good);
}

static void columns(void)
{
    const char *names[3];
    int k = 0;
    heed_io_csv *csv = any_csv();
    const char *const *list = any_names(names, &k);
    VALUE(heed_io_csv_get_facts(csv));
    VALUE(heed_io_csv_line(csv, any_count()));
    POINTER(heed_io_csv_matrix(csv, list, k, any_dtype()));
    POINTER(heed_io_csv_dates(csv, any_name(), (heed_io_time)any_enum(2), any_dtype()));
    heed_categories *categories = heed_io_csv_categories(csv, any_name());
    ck_assert((categories != NULL) == (heed_error_code() == HEED_OK));
    judge_error("csv_categories");
    POINTER(heed_io_csv_codes(csv, any_name(), categories));
    list = any_names(names, &k);
    STATUS(heed_io_csv_skip_missing(csv, list, k));
    POINTER(heed_io_csv_column(csv, any_name(), any_dtype()));
    heed_categories_free(categories);
    heed_io_csv_free(csv);
}

/* A file of this test, or a path without one. */
static const char *any_path(void)
{
    static char path[64];
    static const char *const paths[] = {NULL, "", "/", "/dev/full", "/nowhere/at/all.csv", "/dev/null"};
    (void)snprintf(path, sizeof path, "/tmp/heed-misuse-csv-%ld.csv", (long)getpid());
    return one_in(3) ? ANY_OF(paths) : path;
}

static void files(void)
{
    const char *names[3];
    int k = 0, n = any_int();
    heed_categories *known = heed_categories_new(HEED_NAMES("x", "y")), *learned = NULL;
    const heed_categories *categories[] = {known, NULL, NULL};
    heed_tensor *tensors[] = {any_tensor(), one_in(2) ? heed_ones(HEED_F32, HEED_SHAPE(3)) : any_tensor(),
                              heed_randint(-1, 3, HEED_SHAPE(3))};
    const char *const *list = any_names(names, &k);
    bool present = !one_in(4);
    n = present && (n > 3 || one_in(2)) ? 1 + (int)(misuse_random() % 3) : n;
    heed_io_csv_write_options w = {.separator = one_in(2) ? 0 : (char)misuse_random(),
                                   .decimal = one_in(2) ? 0 : ',',
                                   .missing = any_text(),
                                   .categories = one_in(2) ? NULL : categories};
    STATUS(heed_io_csv_write(any_path(), list, k, present ? tensors + any_flag() : NULL, present && n > 2 ? 2 : n,
                             GIVEN(w)));
    STATUS(heed_io_csv_write(any_path(), HEED_NAMES("a", "c"), HEED_TENSORS(tensors[2], tensors[2]), NULL));
    heed_io_csv_options how = any_options();
    heed_io_csv_dataset_options o = {.csv = GIVEN(how),
                                     .dtype = any_dtype(),
                                     .classes = one_in(2)   ? NULL
                                                : one_in(2) ? &known
                                                            : &learned};
    heed_io_csv *csv = heed_io_csv_read(any_path(), GIVEN(how));
    ck_assert((csv != NULL) == (heed_error_code() == HEED_OK));
    judge_error("csv_read");
    heed_io_csv_free(csv);
    list = any_names(names, &k);
    heed_dataset *d = heed_io_csv_dataset(any_path(), list, k, any_name(), GIVEN(o));
    ck_assert((d != NULL) == (heed_error_code() == HEED_OK));
    judge_error("csv_dataset");
    heed_dataset_free(d);
    heed_categories_free(known);
    heed_categories_free(learned);
}

static void remove_file(void)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/tmp/heed-misuse-csv-%ld.csv", (long)getpid());
    (void)unlink(path);
}

ROUNDS_OF(columns)

START_TEST(rounds_of_files)
{
    in_rounds(files);
    remove_file();
}
END_TEST

MISUSE_MAIN("every function of tables misused", rounds_of_columns, rounds_of_files)
