/* tests/io/test_gguf.c - tests of .gguf files made by NumPy: tensors, blocks, keys, rows, memory. Refused files are in
 * test_gguf_errors.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fail_alloc.h"
#include "files.h"
#include "from_memory.h"
#include "reference/gguf_reference.h"

START_TEST(files_made_by_numpy)
{
    for (size_t i = 0; i < COUNT_OF(gguf_files); i++) {
        const struct reference *r = &gguf_files[i];
        heed_dict *dict = gguf_from_memory(r->bytes, r->size, NULL);
        check_dict(dict, r);
        write_bytes(in_folder("a.gguf"), r->bytes, r->size);
        heed_dict *read = heed_io_gguf_read(in_folder("a.gguf"), NULL);
        check_same_dict(dict, read);
        heed_dict_free(read);
        heed_dict_free(dict);
        ck_assert_int_eq(unlink(in_folder("a.gguf")), 0);
    }
    remove_folder();
}
END_TEST

static const struct reference *find_reference(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(gguf_files); i++)
        if (strcmp(gguf_files[i].name, name) == 0)
            return &gguf_files[i];
    ck_abort_msg("no file %s", name);
}

START_TEST(keys)
{
    static const char *const texts[][2] = {{"general.architecture", "llama"},
                                           {"general.name", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80\n"},
                                           {"a.empty", ""},
                                           {"a.u8", "255"},
                                           {"a.i8", "-128"},
                                           {"a.u16", "65535"},
                                           {"a.i16", "-2"},
                                           {"a.u32", "4294967295"},
                                           {"a.i32", "-2147483648"},
                                           {"a.f32", "1e-05"},
                                           {"a.yes", "true"},
                                           {"a.no", "false"},
                                           {"a.u64", "18446744073709551615"},
                                           {"a.i64", "-9223372036854775808"},
                                           {"a.f64", "0.1"},
                                           {"a.inf", "-inf"},
                                           {"a.nan", "nan"}};
    const struct reference *r = find_reference("gguf_keys");
    heed_dict *dict = gguf_from_memory(r->bytes, r->size, NULL);
    ck_assert_int_eq(heed_dict_text_count(dict), COUNT_OF(texts)); /* arrays are left out */
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        ck_assert_str_eq(heed_dict_text_key(dict, (int64_t)i), texts[i][0]);
        ck_assert_str_eq(heed_dict_text(dict, texts[i][0]), texts[i][1]);
    }
    heed_dict_free(dict);
}
END_TEST

/* -- Blocks, and rows ---------------------------------------------------------------------------------------------- */

static void check_values(const heed_dict *dict, heed_shape shape, int64_t first)
{
    ck_assert_msg(dict != NULL, "%s", heed_error_message());
    const heed_tensor *t = heed_dict_get(dict, "w");
    ck_assert_int_eq(heed_dtype_of(t), HEED_F32);
    ck_assert(heed_shape_equal(heed_shape_of(t), shape) && heed_is_contiguous(t));
    for (int64_t i = 0; i < heed_numel(t); i++)
        ck_assert_same((double)heed_data_f32(t)[i], gguf_matrix_values[first + i]);
}

static void check_rows(int64_t first, int64_t rows, heed_shape shape)
{
    heed_io_read_options o = {.first = first, .rows = rows};
    heed_dict *dict = gguf_from_memory(gguf_matrix_bytes, sizeof gguf_matrix_bytes, &o);
    check_values(dict, shape, 64 * first);
    heed_dict_free(dict);
}

static void refuse_rows(int64_t first, int64_t rows, heed_status code, const char *text)
{
    heed_io_read_options o = {.first = first, .rows = rows};
    ck_assert_ptr_null(gguf_from_memory(gguf_flat_bytes, sizeof gguf_flat_bytes, &o));
    ck_assert_error(code, text);
}

START_TEST(blocks)
{
    check_rows(0, 0, HEED_SHAPE(2, 64));
    check_rows(0, 1, HEED_SHAPE(1, 64));
    check_rows(1, 0, HEED_SHAPE(1, 64));
    check_rows(1, 1, HEED_SHAPE(1, 64));
    check_rows(2, 0, HEED_SHAPE(0, 64));
    heed_io_read_options o = {.first = 32, .rows = 32}; /* the tensor has one axis, so a row is an element */
    heed_dict *flat = gguf_from_memory(gguf_flat_bytes, sizeof gguf_flat_bytes, NULL);
    check_values(flat, HEED_SHAPE(64), 64);
    heed_dict_free(flat);
    flat = gguf_from_memory(gguf_flat_bytes, sizeof gguf_flat_bytes, &o);
    check_values(flat, HEED_SHAPE(32), 96);
    heed_dict_free(flat);
    refuse_rows(0, 3, HEED_ERR_UNSUPPORTED,
                "io_gguf_read: gguf: first is 0 and rows is 3: must be multiples of 32, the block size of Q8_0");
    refuse_rows(31, 32, HEED_ERR_UNSUPPORTED, "first is 31 and rows is 32");
    refuse_rows(64, 1, HEED_ERR_INDEX, "first is 64 and rows is 1, but there are 64 rows");
    refuse_rows(-1, 0, HEED_ERR_ARGUMENT, "first is -1, rows is 0: must be 0 or more");
}
END_TEST

START_TEST(rows_of_numbers)
{
    const struct reference *r =
        find_reference("gguf_integers"); /* the last axis of "i32" is the first axis in the file */
    heed_dict *all = gguf_from_memory(r->bytes, r->size, NULL);
    heed_dict *some = gguf_from_memory(r->bytes, r->size, &(heed_io_read_options){.first = 1});
    for (int64_t i = 0; i < heed_dict_size(all); i++) {
        heed_tensor *last = heed_slice(heed_dict_at(all, i), 0, 1, HEED_END, 1);
        ck_assert(heed_shape_equal(heed_shape_of(heed_dict_at(some, i)), heed_shape_of(last)));
        last = heed_contiguous(last);
        for (int64_t k = 0; k < heed_numel(last); k++)
            ck_assert_same(value_at(heed_dict_at(some, i), k), value_at(last, k));
    }
    heed_dict_free(some);
    heed_dict_free(all);
    r = find_reference("gguf_aligned");
    ck_assert_ptr_null(gguf_from_memory(r->bytes, r->size, &(heed_io_read_options){.rows = 1}));
    ck_assert_error(HEED_ERR_SHAPE, "gguf: a scalar has no rows");
}
END_TEST

/* -- Many tensors, and memory -------------------------------------------------------------------------------------- */

/* A file with more blocks than one read takes: block b has the scale 2^-14 and the elements b + i, as bytes. */
START_TEST(many_blocks)
{
    enum { BLOCKS = 2500, HEADER = 24 + 8 + 1 + 4 + 8 + 4 + 8 + 7, SIZE = HEADER + BLOCKS * 34 };
    static const uint8_t header[HEADER] = "GGUF\3\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                                          "\1\0\0\0\0\0\0\0w\1\0\0\0\x80\x38\1\0\0\0\0\0\10";
    uint8_t *bytes = calloc(1, SIZE);
    memcpy(bytes, header, HEADER);
    for (int b = 0; b < BLOCKS; b++) {
        bytes[HEADER + b * 34 + 1] = 4;
        for (int i = 0; i < 32; i++)
            bytes[HEADER + b * 34 + 2 + i] = (uint8_t)(b + i);
    }
    write_bytes(in_folder("a.gguf"), bytes, SIZE);
    heed_dict *dict = heed_io_gguf_read(in_folder("a.gguf"), &(heed_io_read_options){.first = 32});
    ck_assert_msg(dict != NULL, "%s", heed_error_message());
    const float *w = heed_data_f32(heed_dict_get(dict, "w"));
    for (int b = 1; b < BLOCKS; b++)
        for (int i = 0; i < 32; i++) {
            int number = (b + i) % 256;
            ck_assert(w[(b - 1) * 32 + i] == ldexpf((float)(number < 128 ? number : number - 256), -14));
        }
    heed_dict_free(dict);
    free(bytes);
    ck_assert_int_eq(unlink(in_folder("a.gguf")), 0);
    remove_folder();
}
END_TEST

/* A file may have any number of keys; arrays are not kept. */
START_TEST(many_keys)
{
    enum { COUNT = 100000, KEY = 8 + 7 + 4 + 4 + 8 + 2 };
    const size_t size = 24 + (size_t)COUNT * KEY;
    uint8_t *bytes = calloc(1, size);
    memcpy(bytes, "GGUF\3\0\0\0\0\0\0\0\0\0\0\0\xa0\x86\1\0\0\0\0", 24);
    for (int i = 0; i < COUNT; i++) {
        uint8_t *key = bytes + 24 + (size_t)i * KEY;
        char name[8];
        (void)snprintf(name, sizeof name, "k%06d", i);
        key[0] = 7;
        memcpy(key + 8, name, 7);
        memcpy(key + 15, "\x9\0\0\0\0\0\0\0\2", 9); /* an array of two u8 */
    }
    heed_dict *dict = gguf_from_memory(bytes, size, NULL);
    ck_assert_msg(dict != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_dict_text_count(dict), 0);
    heed_dict_free(dict);
    ck_assert_ptr_null(gguf_from_memory(bytes, size, &(heed_io_read_options){.max_bytes = size}));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "remain of the limit (max_bytes)");
    bytes[24 + KEY * (size_t)(COUNT - 1) + 14] = '8'; /* the last key now equals the one before */
    ck_assert_ptr_null(gguf_from_memory(bytes, size, NULL));
    ck_assert_error(HEED_ERR_FORMAT, "io_gguf_read: gguf: key \"k099998\" is duplicated");
    free(bytes);
}
END_TEST

static void put_number(uint8_t *to, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(number >> 8 * i);
}

/* Tests the extra memory that io.h documents for reading. The last tensor comes first in the file. */
START_TEST(many_tensors)
{
    enum { COUNT = 20000, INFO = 8 + 6 + 4 + 8 + 4 + 8, HEADER = (24 + COUNT * INFO + 31) / 32 * 32 };
    const size_t size = HEADER + 32 * (size_t)COUNT;
    uint8_t *bytes = calloc(1, size);
    memcpy(bytes, "GGUF\3\0\0\0\x20\x4e\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24);
    for (int i = 0; i < COUNT; i++) {
        uint8_t *info = bytes + 24 + (size_t)i * INFO;
        const uint32_t offset = 32 * (uint32_t)(COUNT - 1 - i);
        char name[8];
        (void)snprintf(name, sizeof name, "t%05d", i);
        info[0] = 6;
        memcpy(info + 8, name, 6);
        info[14] = info[18] = 1;
        info[26] = 26; /* I32 */
        put_number(info + 30, offset);
        put_number(bytes + HEADER + offset, (uint32_t)i);
    }
    heed_memory_reset_peak();
    heed_dict *dict = gguf_from_memory(bytes, size, NULL);
    ck_assert_msg(dict != NULL, "%s", heed_error_message());
    const heed_memory_stats stats = heed_memory_get_stats();
    ck_assert_int_le(stats.peak_bytes - stats.live_bytes, 48 * COUNT + (256 << 10));
    for (int i = 0; i < COUNT; i++)
        ck_assert(heed_data_i64(heed_dict_at(dict, i))[0] == i);
    heed_dict_free(dict);
    free(bytes);
}
END_TEST

/* A text that claims 4 GiB but is missing. */
START_TEST(claims)
{
    static const char bytes[] = "GGUF\3\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"
                                "\1\0\0\0\0\0\0\0k\x8\0\0\0\0\0\0\0\1\0\0";
    heed_memory_reset_peak();
    ck_assert_ptr_null(gguf_from_memory(bytes, sizeof bytes, NULL));
    ck_assert_error(HEED_ERR_FORMAT, "is truncated: the next 4294967296 bytes are needed, but only 0 remain");
    ck_assert_int_lt(heed_memory_get_stats().peak_bytes - heed_memory_get_stats().live_bytes, 128 << 10);
}
END_TEST

/* Cuts the file at every byte and flips every bit. */
START_TEST(damaged_files)
{
    static const char *const names[] = {"gguf_aligned", "gguf_keys", "gguf_blocks", "gguf_empty"};
    for (size_t k = 0; k < COUNT_OF(names); k++) {
        const struct reference *r = find_reference(names[k]);
        uint8_t *copy = malloc(r->size);
        memcpy(copy, r->bytes, r->size);
        heed_dict_free(gguf_from_memory(copy, r->size, NULL)); /* also allocates this thread's state */
        for (size_t n = 0; n < r->size; n++) {
            bool parsed = parse_damaged(gguf_from_memory, "io_gguf_read", copy, n);
            ck_assert_msg(!parsed || k > 0, "%s, cut to %zu bytes", r->name, n); /* the other files end with padding */
        }
        for (size_t at = 0; at < r->size; at++)
            for (int bit = 0; bit < 8; bit++) {
                copy[at] ^= (uint8_t)(1u << bit);
                (void)parse_damaged(gguf_from_memory, "io_gguf_read", copy, r->size);
                copy[at] = r->bytes[at];
            }
        free(copy);
    }
}
END_TEST

static bool read_file(double *value)
{
    heed_dict *dict = heed_io_gguf_read(in_folder("a.gguf"), NULL);
    *value = dict ? heed_get(heed_dict_get(dict, "x"), HEED_INDEX(0)) : 0;
    heed_dict_free(dict);
    return dict != NULL;
}

static bool parse_blocks(double *value)
{
    heed_dict *dict = gguf_from_memory(gguf_matrix_bytes, sizeof gguf_matrix_bytes, NULL);
    *value = dict ? heed_get(heed_dict_get(dict, "w"), HEED_INDEX(1, 63)) : 0;
    heed_dict_free(dict);
    return dict != NULL;
}

START_TEST(out_of_memory)
{
    const struct reference *r = find_reference("gguf_keys");
    write_bytes(in_folder("a.gguf"), r->bytes, r->size);
    fail_alloc_install();
    fail_alloc_sweep(read_file);
    fail_alloc_sweep(parse_blocks);
    fail_alloc_uninstall();
    ck_assert_int_eq(unlink(in_folder("a.gguf")), 0);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("gguf", files_made_by_numpy, keys, blocks, rows_of_numbers, many_blocks, many_keys, many_tensors, claims,
               damaged_files, out_of_memory)
