/* tests/io/test_ranges.c - tests of reading only some rows of a file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fail_alloc.h"
#include "from_memory.h"
#include "rows.h"

/* Checks rows 2, 3 and 4 of a dict, and the errors of other ranges. */
static void check_ranges(heed_dict *(*read)(const char *path, const heed_io_read_options *options), const char *path,
                         const heed_dict *all)
{
    heed_dict *some = read(path, &(heed_io_read_options){.first = 2, .rows = 3});
    ck_assert_msg(some != NULL, "%s", heed_error_message());
    for (int64_t i = 0; i < heed_dict_size(all); i++)
        check_same_bits(heed_dict_get(some, heed_dict_name(all, i)), heed_slice(heed_dict_at(all, i), 0, 2, 5, 1));
    heed_dict_free(some);
    some = read(path, &(heed_io_read_options){.first = ROWS});
    ck_assert_int_eq(heed_dim(heed_dict_at(some, 0), 0), 0);
    heed_dict_free(some);
    ck_assert_ptr_null(read(path, &(heed_io_read_options){.first = 5, .rows = 3}));
    ck_assert_error(HEED_ERR_INDEX, ": first is 5 and rows is 3, but there are 7 rows");
    ck_assert_ptr_null(read(path, &(heed_io_read_options){.first = ROWS + 1}));
    ck_assert_error(HEED_ERR_INDEX, ": first is 8 and rows is 0, but there are 7 rows");
    ck_assert_ptr_null(read(path, &(heed_io_read_options){.first = -1}));
    ck_assert_error(HEED_ERR_ARGUMENT, "first is -1, rows is 0: must be 0 or more");
}

static heed_dict *read_npy(const char *path, const heed_io_read_options *options)
{
    heed_tensor *t = heed_io_npy_read(path, options);
    heed_dict *dict = t ? heed_dict_new() : NULL;
    if (dict)
        heed_dict_set(dict, "x", t);
    return dict;
}

START_TEST(ranges_of_arrays)
{
    heed_dict *dict = heed_dict_new();
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(ROWS, 2, 3));
    heed_dict_set(dict, "x", x);
    ck_assert_int_eq(heed_io_npy_write(in_folder("a"), x), HEED_OK);
    check_ranges(read_npy, in_folder("a"), dict);
    heed_dict_set(dict, "y", heed_randint(0, 9, HEED_SHAPE(ROWS)));
    ck_assert_int_eq(heed_io_safetensors_write(in_folder("a"), dict), HEED_OK);
    check_ranges(heed_io_safetensors_read, in_folder("a"), dict);
    for (int compressed = 0; compressed < 2; compressed++) {
        heed_io_npz_options o = {.compressed = compressed};
        ck_assert_int_eq(heed_io_npz_write(in_folder("a"), dict, &o), HEED_OK);
        check_ranges(heed_io_npz_read, in_folder("a"), dict);
    }
    heed_dict_free(dict);
    write_npy("a", "<f4", "True", "(7, 3)", 84);
    ck_assert_ptr_null(heed_io_npy_read(in_folder("a"), &(heed_io_read_options){.rows = 1}));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "/a is in Fortran order: rows can be read only in C order");
    write_npy("a", "<f4", "False", "()", 4);
    ck_assert_ptr_null(heed_io_npy_read(in_folder("a"), &(heed_io_read_options){.rows = 1}));
    ck_assert_error(HEED_ERR_SHAPE, "/a: a scalar has no rows");
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    remove_folder();
}
END_TEST

static uint32_t crc_of(const uint8_t *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < 8 * size; i++)
        crc = (crc >> 1) ^ (((crc ^ (uint32_t)(bytes[i / 8] >> i % 8)) & 1) ? 0xEDB88320U : 0);
    return ~crc;
}

/* Writes the file again as gzip with one stored block. */
static void write_gzip(const char *from, const char *to)
{
    uint8_t file[512] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1};
    size_t size;
    uint8_t *bytes = read_bytes(in_folder(from), &size);
    const uint32_t words[] = {(uint32_t)size | ~(uint32_t)size << 16, crc_of(bytes, size), (uint32_t)size};
    memcpy(file + 11, &words[0], 4);
    memcpy(file + 15, bytes, size);
    memcpy(file + 15 + size, &words[1], 8);
    write_bytes(in_folder(to), file, 23 + size);
    free(bytes);
}

START_TEST(ranges_of_idx)
{
    static const char *const names[] = {"a.idx", "a.gz"};
    write_idx(names[0], 0x0B, 2);
    write_gzip(names[0], names[1]);
    heed_tensor *all = heed_io_idx_read(in_folder(names[0]), NULL);
    const heed_io_idx_options some = {.first = 2, .rows = 3}, rest = {.first = 6}, beyond = {.first = 7, .rows = 1};
    for (int i = 0; i < 2; i++) {
        check_same_bits(heed_io_idx_read(in_folder(names[i]), NULL), all);
        check_same_bits(heed_io_idx_read(in_folder(names[i]), &some), heed_slice(all, 0, 2, 5, 1));
        check_same_bits(heed_io_idx_read(in_folder(names[i]), &rest), heed_slice(all, 0, 6, 7, 1));
        ck_assert_ptr_null(heed_io_idx_read(in_folder(names[i]), &beyond));
        ck_assert_error(HEED_ERR_INDEX, ": first is 7 and rows is 1, but there are 7 rows");
    }
    heed_dataset *d = heed_io_idx_dataset(in_folder(names[0]), &some);
    heed_tensor *batch[1];
    ck_assert_int_eq(heed_dataset_all(d, batch), HEED_OK);
    check_same_bits(batch[0], heed_slice(all, 0, 2, 5, 1));
    heed_dataset_free(d);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(unlink(in_folder(names[i])), 0);
    remove_folder();
}
END_TEST

START_TEST(ranges_of_tables)
{
    static const char text[] = "a,b\n0,x\n1,\"y\ny\"\n2,NA\n3,z\n4,z\n5,x\n";
    heed_io_csv_options o = {.first = 1, .rows = 4};
    heed_io_csv *csv = csv_from_memory(text, sizeof text - 1, &o);
    ck_assert_int_eq(heed_io_csv_get_facts(csv).rows, 4);
    ck_assert_int_eq(heed_io_csv_get_facts(csv).skipped, 0);
    check_same_bits(heed_io_csv_column(csv, "a", HEED_F64), heed_arange(HEED_F64, 1, 5, 1));
    ck_assert_str_eq(heed_io_csv_field(csv, 0, 1), "y\ny");
    ck_assert_ptr_null(heed_io_csv_column(csv, "b", HEED_F64));
    ck_assert_error(HEED_ERR_FORMAT, "line 3"); /* counted in the file */
    heed_io_csv_free(csv);
    o.missing = HEED_IO_MISSING_SKIP;
    csv = csv_from_memory(text, sizeof text - 1, &o);
    ck_assert_int_eq(heed_io_csv_get_facts(csv).rows, 3);
    ck_assert_int_eq(heed_io_csv_get_facts(csv).skipped, 1);
    ck_assert_str_eq(heed_io_csv_field(csv, 1, 0), "3");
    heed_io_csv_free(csv);
    o.rows = 6;
    ck_assert_ptr_null(csv_from_memory(text, sizeof text - 1, &o));
    ck_assert_error(HEED_ERR_INDEX, "io_csv_read: csv: first is 1 and rows is 6, but there are 6 rows");
}
END_TEST

/* -- Memory -------------------------------------------------------------------------------------------------------- */

static bool read_range(double *value)
{
    const heed_io_read_options o = {.first = 1, .rows = 2};
    const char *text = "a\n1\n2\n3\n";
    heed_io_csv *csv = csv_from_memory(text, strlen(text), &(heed_io_csv_options){.first = 1});
    heed_tensor *a = csv ? heed_io_csv_column(csv, "a", HEED_F64) : NULL,
                *b = a ? heed_io_npy_read(in_folder("a.npy"), &o) : NULL;
    *value = b ? heed_item(heed_sum(a)) + heed_get(b, HEED_INDEX(1, 1)) : 0;
    heed_io_csv_free(csv);
    return b && heed_error_code() == HEED_OK;
}

START_TEST(out_of_memory)
{
    ck_assert_int_eq(heed_io_npy_write(in_folder("a.npy"), heed_randn(HEED_F32, HEED_SHAPE(ROWS, 2))), HEED_OK);
    heed_thread_cleanup();
    fail_alloc_install();
    fail_alloc_sweep(read_range);
    fail_alloc_uninstall();
    ck_assert_int_eq(unlink(in_folder("a.npy")), 0);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("ranges of files", ranges_of_arrays, ranges_of_idx, ranges_of_tables, out_of_memory)
