/* tests/io/test_rows.c - tests of datasets whose tensors stay in files: the same bits as from the readers, and files
 * that change.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fail_alloc.h"
#include "rows.h"

/* Checks that the dataset has the rows of these tensors in any order, and frees it. */
static void check_rows(heed_dataset *d, heed_tensor *const *tensors, int k)
{
    ck_assert_msg(d != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_dataset_size(d), heed_dim(tensors[0], 0));
    ck_assert_int_eq(heed_dataset_tensors(d), k);
    heed_tensor *batch[2], *indices = heed_from_array(HEED_I64, HEED_SHAPE(8), (int64_t[]){2, 3, 4, 0, 6, 6, 5, 6}, 8);
    heed_tensor *lists[] = {indices, heed_slice(indices, 0, 0, 0, 1), heed_arange(HEED_I64, 0, ROWS, 1)};
    for (size_t list = 0; list < COUNT_OF(lists); list++) {
        ck_assert_msg(heed_dataset_take(d, lists[list], batch) == HEED_OK, "%s", heed_error_message());
        for (int i = 0; i < k; i++)
            check_same_bits(batch[i], heed_index_select(tensors[i], 0, lists[list]));
    }
    heed_dataset_free(d);
}

/* -- NumPy --------------------------------------------------------------------------------------------------------- */

START_TEST(npy_rows_match_the_reader)
{
    static const struct {
        const char *descr;
        size_t size;
    } types[] = {{"<f4", 4}, {"<f8", 8}, {"<i8", 8}, {"|u1", 1}, {">i2", 2}, {"<f2", 2}, {"|b1", 1}, {">f8", 8}};
    static const struct {
        const char *text;
        size_t numel;
    } shapes[] = {{"(7, 3, 2)", 42}, {"(7,)", 7}, {"(7, 0)", 0}};
    for (size_t i = 0; i < COUNT_OF(types); i++)
        for (size_t k = 0; k < COUNT_OF(shapes); k++) {
            write_npy("a.npy", types[i].descr, "False", shapes[k].text, shapes[k].numel * types[i].size);
            heed_tensor *all = heed_io_npy_read(in_folder("a.npy"), NULL);
            check_rows(heed_io_npy_dataset(in_folder("a.npy")), &all, 1);
        }
    ck_assert_int_eq(unlink(in_folder("a.npy")), 0);
    remove_folder();
}
END_TEST

START_TEST(rows_of_archives)
{
    heed_dict *dict = heed_dict_new();
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(ROWS, 2, 3)), *y = heed_randint(0, 9, HEED_SHAPE(ROWS));
    heed_dict_set(dict, "x", x);
    heed_dict_set(dict, "other", heed_randn(HEED_F64, HEED_SHAPE(3, 3)));
    heed_dict_set(dict, "y", y);
    heed_dict_set(dict, "one", heed_ones(HEED_F64, HEED_SCALAR));
    ck_assert_int_eq(heed_io_npz_write(in_folder("a.npz"), dict, NULL), HEED_OK);
    ck_assert_int_eq(heed_io_safetensors_write(in_folder("a.safetensors"), dict), HEED_OK);
    check_rows(heed_io_npz_dataset(in_folder("a.npz"), HEED_NAMES("y", "x")), (heed_tensor *[]){y, x}, 2);
    check_rows(heed_io_safetensors_dataset(in_folder("a.safetensors"), HEED_NAMES("x", "y")), (heed_tensor *[]){x, y},
               2);
    ck_assert_ptr_null(heed_io_npz_dataset(in_folder("a.npz"), HEED_NAMES("x", "z")));
    ck_assert_error(HEED_ERR_ARGUMENT, "/a.npz has no tensor \"z\"");
    ck_assert_ptr_null(heed_io_safetensors_dataset(in_folder("a.safetensors"), HEED_NAMES("z")));
    ck_assert_error(HEED_ERR_ARGUMENT, "/a.safetensors has no tensor \"z\"");
    ck_assert_ptr_null(heed_io_safetensors_dataset(in_folder("a.safetensors"), HEED_NAMES("x", "other")));
    ck_assert_error(HEED_ERR_SHAPE, "tensor 1 has 3 rows, but tensor 0 has 7");
    ck_assert_ptr_null(heed_io_npz_dataset(in_folder("a.npz"), HEED_NAMES("one")));
    ck_assert_error(HEED_ERR_SHAPE, "/a.npz: tensor 0 is a scalar: it has no rows");
    ck_assert_ptr_null(heed_io_npz_dataset(in_folder("a.npz"), NULL, 1));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_npz_dataset: names is NULL");
    ck_assert_ptr_null(heed_io_safetensors_dataset(in_folder("a.safetensors"), HEED_NAMES("x", NULL)));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_safetensors_dataset: name 1 is NULL");
    ck_assert_int_eq(heed_io_npz_write(in_folder("a.npz"), dict, &(heed_io_npz_options){.compressed = true}), HEED_OK);
    ck_assert_ptr_null(heed_io_npz_dataset(in_folder("a.npz"), HEED_NAMES("x")));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "member \"x.npy\" is compressed");
    heed_dict_free(dict);
    ck_assert_int_eq(unlink(in_folder("a.npz")), 0);
    ck_assert_int_eq(unlink(in_folder("a.safetensors")), 0);
    remove_folder();
}
END_TEST

/* -- IDX ----------------------------------------------------------------------------------------------------------- */

START_TEST(idx_rows_match_the_reader)
{
    static const struct {
        uint8_t type;
        size_t size;
    } types[] = {{0x08, 1}, {0x09, 1}, {0x0B, 2}, {0x0C, 4}, {0x0D, 4}, {0x0E, 8}};
    const heed_io_idx_options options[] = {{.scale = 1.0 / 255},
                                           {.dtype = HEED_F64, .scale = 3.7},
                                           {.dtype = HEED_I64},
                                           {.dtype = HEED_BOOL},
                                           {.dtype = HEED_F64}};
    for (size_t i = 0; i < COUNT_OF(types); i++)
        for (size_t k = 0; k < COUNT_OF(options); k++) {
            write_idx("a.idx", types[i].type, types[i].size);
            heed_tensor *all = heed_io_idx_read(in_folder("a.idx"), &options[k]), *batch[1];
            heed_dataset *d = heed_io_idx_dataset(in_folder("a.idx"), &options[k]);
            if (all) {
                check_rows(d, &all, 1);
                continue;
            }
            ck_assert_error(HEED_ERR_FORMAT, "an i64 cannot hold the value"); /* arbitrary bytes as floats */
            ck_assert_int_eq(heed_dataset_all(d, batch), HEED_ERR_FORMAT);
            ck_assert_error(HEED_ERR_FORMAT, "/a.idx: an i64 cannot hold the value");
            heed_dataset_free(d);
        }
    ck_assert_int_eq(unlink(in_folder("a.idx")), 0);
    remove_folder();
}
END_TEST

START_TEST(refused_idx_files)
{
    const uint8_t bytes[] = {0, 0, 8, 1, 0, 0, 0, 2, 5, 6, 7};
    heed_io_idx_options o = {.max_bytes = 5};
    write_bytes(in_folder("a.idx"), bytes, 9);
    ck_assert_ptr_null(heed_io_idx_dataset(in_folder("a.idx"), NULL));
    ck_assert_error(HEED_ERR_FORMAT, "io_idx_dataset: ");
    write_bytes(in_folder("a.idx"), bytes, 11);
    ck_assert_ptr_null(heed_io_idx_dataset(in_folder("a.idx"), NULL));
    ck_assert_error(HEED_ERR_FORMAT, "too many bytes for shape (2) and 1 bytes per value");
    ck_assert_ptr_null(heed_io_idx_dataset(in_folder("a.idx"), &o));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "has 11 bytes, more than the limit of 5");
    write_bytes(in_folder("a.idx"), bytes, 3);
    ck_assert_ptr_null(heed_io_idx_dataset(in_folder("a.idx"), NULL));
    ck_assert_error(HEED_ERR_FORMAT, "it ends within the magic number of 4 bytes");
    write_bytes(in_folder("a.idx"), "\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
    ck_assert_ptr_null(heed_io_idx_dataset(in_folder("a.idx"), NULL));
    ck_assert_error(HEED_ERR_UNSUPPORTED,
                    "/a.idx is compressed by gzip: rows can be read only from an uncompressed file");
    ck_assert_int_eq(unlink(in_folder("a.idx")), 0);
    remove_folder();
}
END_TEST

/* -- Files --------------------------------------------------------------------------------------------------------- */

START_TEST(refused_npy_files)
{
    ck_assert_ptr_null(heed_io_npy_dataset(NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_npy_dataset: path is NULL");
    ck_assert_ptr_null(heed_io_npy_dataset("/etc/passwd"));
    ck_assert_error(HEED_ERR_FORMAT, "io_npy_dataset: /etc/passwd is not an .npy file");
    ck_assert_ptr_null(heed_io_npy_dataset("/"));
    ck_assert_error(HEED_ERR_IO, "is a directory, not a regular file");
    write_npy("a.npy", "<f4", "True", "(7, 3)", 84);
    ck_assert_ptr_null(heed_io_npy_dataset(in_folder("a.npy")));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "/a.npy: tensor 0 is in Fortran order: rows can be read only in C order");
    write_npy("a.npy", "<f4", "False", "()", 4);
    ck_assert_ptr_null(heed_io_npy_dataset(in_folder("a.npy")));
    ck_assert_error(HEED_ERR_SHAPE, "/a.npy: tensor 0 is a scalar: it has no rows");
    write_npy("a.npy", "<f4", "False", "(7, 3)", 83);
    ck_assert_ptr_null(heed_io_npy_dataset(in_folder("a.npy")));
    ck_assert_error(HEED_ERR_FORMAT, "83 bytes of elements, but shape (7, 3) needs 84");
    ck_assert_int_eq(unlink(in_folder("a.npy")), 0);
    remove_folder();
}
END_TEST

START_TEST(changed_files_are_detected)
{
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(ROWS, 2)), *indices = heed_arange(HEED_I64, 0, 2, 1), *batch[1];
    ck_assert_int_eq(heed_io_npy_write(in_folder("a.npy"), x), HEED_OK);
    heed_dataset *d = heed_io_npy_dataset(in_folder("a.npy"));
    ck_assert_int_eq(heed_io_npy_write(in_folder("a.npy"), heed_neg(x)),
                     HEED_OK); /* the file is replaced, but the old one is still read */
    ck_assert_int_eq(heed_dataset_take(d, indices, batch), HEED_OK);
    check_same_bits(batch[0], heed_slice(x, 0, 0, 2, 1));
    heed_dataset_free(d);
    d = heed_io_npy_dataset(in_folder("a.npy"));
    FILE *file = fopen(in_folder("a.npy"), "ab");
    (void)fputc('x', file);
    (void)fclose(file);
    ck_assert_int_eq(heed_dataset_take(d, indices, batch), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "/a.npy has changed since it was opened: 184 bytes then, 185 now");
    ck_assert_int_eq(truncate(in_folder("a.npy"), 130), 0);
    ck_assert_int_eq(heed_dataset_take(d, indices, batch), HEED_ERR_IO);
    ck_assert_error(HEED_ERR_IO, "dataset_take: ");
    ck_assert_ptr_null(batch[0]);
    heed_dataset_free(d);
    ck_assert_int_eq(unlink(in_folder("a.npy")), 0);
    remove_folder();
}
END_TEST

START_TEST(loader_and_split_on_files)
{
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(50, 3)), *y = heed_arange(HEED_I64, 0, 50, 1);
    ck_assert_int_eq(heed_io_npy_write(in_folder("a.npy"), x), HEED_OK);
    heed_dataset *images = heed_io_npy_dataset(in_folder("a.npy")), *labels = heed_dataset_new(&y, 1);
    ck_assert_int_eq(unlink(in_folder("a.npy")), 0); /* the dataset holds it open */
    heed_dataset *d[2] = {heed_dataset_zip(HEED_DATASETS(images, labels)), heed_dataset_new(HEED_TENSORS(x, y))};
    heed_dataset_free(images);
    heed_dataset_free(labels);
    heed_dataset *train[2], *test[2];
    heed_loader *loader[2];
    for (int i = 0; i < 2; i++) {
        heed_manual_seed(2);
        ck_assert_int_eq(heed_dataset_split(d[i], 0.7, NULL, &train[i], &test[i]), HEED_OK);
        loader[i] = heed_loader_new(train[i], &(heed_loader_options){.batch_size = 8, .shuffle = true});
    }
    for (int step = 0; step < 12; step++) {
        heed_tensor *a[2], *b[2];
        ck_assert_int_eq(heed_loader_next(loader[0], a), HEED_OK);
        ck_assert_int_eq(heed_loader_next(loader[1], b), HEED_OK);
        for (int i = 0; i < 2; i++)
            check_same_bits(a[i], b[i]);
    }
    for (int i = 0; i < 2; i++) {
        heed_loader_free(loader[i]);
        heed_dataset_free(train[i]);
        heed_dataset_free(test[i]);
        heed_dataset_free(d[i]);
    }
    remove_folder();
}
END_TEST

/* -- Memory -------------------------------------------------------------------------------------------------------- */

static bool sum_rows(heed_dataset *d, double *value)
{
    heed_tensor *indices = d ? heed_arange(HEED_I64, 1, 4, 1) : NULL, *batch[1] = {NULL};
    bool ok = indices && heed_dataset_take(d, indices, batch) == HEED_OK;
    heed_tensor *sum = ok ? heed_sum(batch[0]) : NULL;
    *value += sum ? heed_item(sum) : 0;
    heed_dataset_free(d);
    return sum != NULL;
}

static bool take_all(double *value)
{
    return sum_rows(heed_io_npy_dataset(in_folder("a.npy")), value) &&
           sum_rows(heed_io_npz_dataset(in_folder("a.npz"), HEED_NAMES("x")), value) &&
           sum_rows(heed_io_safetensors_dataset(in_folder("a.safetensors"), HEED_NAMES("x")), value) &&
           sum_rows(heed_io_idx_dataset(in_folder("a.idx"), &(heed_io_idx_options){.scale = 0.5}), value);
}

START_TEST(out_of_memory)
{
    static const char *const names[] = {"a.npy", "a.npz", "a.safetensors", "a.idx"};
    heed_dict *dict = heed_dict_new();
    heed_tensor *x = heed_randn(HEED_F32, HEED_SHAPE(ROWS, 2));
    heed_dict_set(dict, "x", x);
    ck_assert_int_eq(heed_io_npy_write(in_folder(names[0]), x), HEED_OK);
    ck_assert_int_eq(heed_io_npz_write(in_folder(names[1]), dict, NULL), HEED_OK);
    ck_assert_int_eq(heed_io_safetensors_write(in_folder(names[2]), dict), HEED_OK);
    write_idx(names[3], 0x08, 1);
    heed_dict_free(dict);
    heed_thread_cleanup();
    fail_alloc_install();
    fail_alloc_sweep(take_all);
    fail_alloc_uninstall();
    for (size_t i = 0; i < COUNT_OF(names); i++)
        ck_assert_int_eq(unlink(in_folder(names[i])), 0);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("rows in files", npy_rows_match_the_reader, rows_of_archives, idx_rows_match_the_reader,
               refused_idx_files, refused_npy_files, changed_files_are_detected, loader_and_split_on_files,
               out_of_memory)
