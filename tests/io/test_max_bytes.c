/* tests/io/test_max_bytes.c - tests that all memory driven by a file is charged to max_bytes: for any limit and any
 * result, the library and jansson together never use more than the limit and a constant. The allocator rounds blocks up
 * by an eighth.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "memory_use.h"

#define CONSTANT (256 << 10) /* the headers' allowance for buffers */

enum { MANY = 20000 };

typedef bool read_with_limit(size_t limit); /* false after an error */

static void put(FILE *file, const void *bytes, size_t size)
{
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
}

static void put_number(FILE *file, uint64_t number, int size)
{
    for (int i = 0; i < size; i++)
        (void)fputc((int)(number >> 8 * i & 0xFF), file);
}

static FILE *make_file(const char *name)
{
    FILE *file = fopen(in_folder(name), "wb");
    ck_assert_ptr_nonnull(file);
    return file;
}

static void close_file(FILE *file)
{
    ck_assert_int_eq(fclose(file), 0);
}

/* Tries limits from 4 KiB on; the first must be too small and the last must suffice. */
static void check_limits(const char *what, read_with_limit *read, size_t enough)
{
    for (size_t limit = 4096; limit <= enough; limit *= 2) {
        heed_scope *scope = heed_scope_begin();
        begin_measuring();
        const bool ok = read(limit);
        const int64_t peak = end_measuring();
        ck_assert_msg(peak <= (int64_t)(limit + limit / 8) + CONSTANT, "%s: %" PRId64 " bytes with a limit of %zu",
                      what, peak, limit);
        ck_assert_msg(ok || heed_error_code() == HEED_ERR_UNSUPPORTED, "%s: %s", what, heed_error_message());
        ck_assert_msg(ok ? limit > 4096 : limit < enough, "%s, %zu: %s", what, limit, heed_error_message());
        heed_error_clear();
        heed_scope_end(scope);
    }
}

/* -- Dicts --------------------------------------------------------------------------------------------------------- */

static bool free_dict(heed_dict *dict)
{
    heed_dict_free(dict);
    return dict != NULL;
}

static bool read_safetensors(size_t limit)
{
    return free_dict(heed_io_safetensors_read(in_folder("a"), &(heed_io_read_options){.max_bytes = limit}));
}

static bool read_npz(size_t limit)
{
    return free_dict(heed_io_npz_read(in_folder("a"), &(heed_io_read_options){.max_bytes = limit}));
}

static bool read_gguf(size_t limit)
{
    return free_dict(heed_io_gguf_read(in_folder("a"), &(heed_io_read_options){.max_bytes = limit}));
}

static bool read_shards(size_t limit)
{
    return free_dict(heed_io_safetensors_read(in_folder("a.json"), &(heed_io_read_options){.max_bytes = limit}));
}

static heed_dict *many_empty(void)
{
    heed_dict *dict = heed_dict_new();
    char name[16];
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(name, sizeof name, "%x", (unsigned)i);
        heed_dict_set(dict, name, heed_empty(HEED_F32, HEED_SHAPE(0)));
    }
    return dict;
}

START_TEST(tensors_without_elements)
{
    heed_scope *scope = heed_scope_begin();
    heed_dict *dict = many_empty();
    ck_assert_int_eq(heed_io_safetensors_write(in_folder("a"), dict), HEED_OK);
    check_limits("safetensors of many tensors", read_safetensors, 1 << 24);
    ck_assert_int_eq(heed_io_npz_write(in_folder("a"), dict, NULL), HEED_OK);
    check_limits("npz of many members", read_npz, 1 << 24);
    heed_dict_free(dict);
    heed_scope_end(scope);
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    remove_folder();
}
END_TEST

START_TEST(texts)
{
    enum { LONG = 1 << 20 };
    char *text = malloc(LONG + 1), key[16];
    memset(text, 'x', LONG);
    text[LONG] = '\0';
    heed_dict *dict = heed_dict_new();
    heed_dict_set_text(dict, "long", text);
    ck_assert_int_eq(heed_io_safetensors_write(in_folder("a"), dict), HEED_OK);
    check_limits("safetensors of a long text", read_safetensors, 1 << 23);
    heed_dict_free(dict);
    dict = heed_dict_new();
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(key, sizeof key, "%x", (unsigned)i);
        heed_dict_set_text(dict, key, "");
    }
    ck_assert_int_eq(heed_io_safetensors_write(in_folder("a"), dict), HEED_OK);
    check_limits("safetensors of many texts", read_safetensors, 1 << 23);
    heed_dict_free(dict);
    FILE *file = make_file("a"); /* version 3, no tensors, one key with a string */
    put(file, "GGUF\3\0\0\0", 8);
    put_number(file, 0, 8);
    put_number(file, 1, 8);
    put_number(file, 1, 8);
    put(file, "k\x08\0\0\0", 5);
    put_number(file, LONG, 8);
    put(file, text, LONG);
    close_file(file);
    check_limits("gguf of a long text", read_gguf, 1 << 22);
    free(text);
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    remove_folder();
}
END_TEST

/* Keys with arrays, which are stored during the call. */
START_TEST(arrays)
{
    char key[8];
    FILE *file = make_file("a");
    put(file, "GGUF\3\0\0\0", 8);
    put_number(file, 0, 8);
    put_number(file, MANY, 8);
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(key, sizeof key, "%05d", i);
        put_number(file, 5, 8);
        put(file, key, 5);
        put_number(file, 9, 4); /* an empty array of u8 */
        put_number(file, 0, 4);
        put_number(file, 0, 8);
    }
    close_file(file);
    check_limits("gguf of many arrays", read_gguf, 1 << 23);
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    remove_folder();
}
END_TEST

/* Four files of 1 MB, all within the limit, and an index. */
START_TEST(shards)
{
    enum { FILES = 4 };
    char name[32];
    FILE *file = make_file("a.json");
    (void)fprintf(file, "{\"weight_map\":{");
    for (int i = 0; i < FILES; i++) {
        (void)snprintf(name, sizeof name, "s%d", i);
        heed_scope *scope = heed_scope_begin();
        heed_dict *dict = heed_dict_new();
        heed_dict_set(dict, name, heed_zeros(HEED_F32, HEED_SHAPE(1 << 18)));
        ck_assert_int_eq(heed_io_safetensors_write(in_folder(name), dict), HEED_OK);
        heed_dict_free(dict);
        heed_scope_end(scope);
        (void)fprintf(file, "%s\"%s\":\"%s\"", i ? "," : "", name, name);
    }
    (void)fprintf(file, "}}");
    close_file(file);
    check_limits("shards", read_shards, 1 << 23);
    ck_assert(!read_shards(3 << 20) && read_shards(5 << 20));
    heed_error_clear();
    heed_dict *none = heed_dict_new();
    ck_assert_int_eq(heed_io_safetensors_write(in_folder("s0"), none), HEED_OK);
    heed_dict_free(none);
    file = make_file("a.json"); /* an index with many names */
    (void)fprintf(file, "{\"weight_map\":{");
    for (int i = 0; i < 10 * MANY; i++)
        (void)fprintf(file, "%s\"%x\":\"s0\"", i ? "," : "", (unsigned)i);
    (void)fprintf(file, "}}");
    close_file(file);
    for (size_t limit = 1 << 12; limit < (size_t)1 << 26; limit *= 2) {
        begin_measuring();
        ck_assert(!read_shards(limit));
        const int64_t peak = end_measuring();
        ck_assert_msg(peak <= (int64_t)(limit + limit / 8) + CONSTANT, "%" PRId64 " bytes with a limit of %zu", peak,
                      limit);
        heed_error_clear();
    }
    static const char *const names[] = {"a.json", "s0", "s1", "s2", "s3"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        ck_assert_int_eq(unlink(in_folder(names[i])), 0);
    remove_folder();
}
END_TEST

/* -- Tables and tensors -------------------------------------------------------------------------------------------- */

static bool read_csv(size_t limit)
{
    heed_io_csv *csv =
        heed_io_csv_read(in_folder("a"), &(heed_io_csv_options){.max_bytes = limit, .missing = HEED_IO_MISSING_SKIP});
    heed_io_csv_free(csv);
    return csv != NULL;
}

START_TEST(tables)
{
    FILE *file = make_file("a");
    for (int i = 0; i < 10 * MANY; i++)
        (void)fputc(',', file);
    (void)fputc('\n', file);
    close_file(file);
    check_limits("a CSV of many columns", read_csv, 1 << 23);
    file = make_file("a");
    (void)fputs("a\nNA\n", file);
    for (int i = 0; i < 10 * MANY; i++)
        (void)fputs("1\n", file);
    close_file(file);
    check_limits("a CSV of many rows, of which one is left out", read_csv, 1 << 23);
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    remove_folder();
}
END_TEST

static bool read_idx(size_t limit)
{
    return heed_io_idx_read(in_folder("a"), &(heed_io_idx_options){.dtype = HEED_F64, .max_bytes = limit}) != NULL;
}

static bool read_npy(size_t limit)
{
    return heed_io_npy_read(in_folder("a"), &(heed_io_read_options){.max_bytes = limit}) != NULL;
}

START_TEST(small_elements)
{
    enum { COUNT = 1 << 18 };
    static uint8_t zeros[COUNT];
    FILE *file = make_file("a");
    put(file, "\0\0\x08\x01\0\x04\0\0", 8);
    put(file, zeros, COUNT);
    close_file(file);
    check_limits("idx of bytes as f64", read_idx, 1 << 22);
    char header[80];
    const int n = snprintf(header, sizeof header, "{'descr': '|u1', 'fortran_order': False, 'shape': (%d,), }", COUNT);
    file = make_file("a");
    put(file, "\x93NUMPY\1\0", 8);
    put_number(file, (uint64_t)n, 2);
    put(file, header, (size_t)n);
    put(file, zeros, COUNT);
    close_file(file);
    check_limits("npy of bytes as i64", read_npy, 1 << 22);
    ck_assert_int_eq(unlink(in_folder("a")), 0);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("max_bytes", tensors_without_elements, texts, arrays, shards, tables, small_elements)
