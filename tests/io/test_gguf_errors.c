/* tests/io/test_gguf_errors.c - tests of the files that the .gguf reader refuses, and of its messages.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "files.h"
#include "from_memory.h"

/* -- Building files field by field --------------------------------------------------------------------------------- */

static uint8_t file[1 << 18];
static size_t size;

static void put(uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++, number >>= 8)
        file[size++] = (uint8_t)number;
}

static void put_text(const char *text)
{
    put(strlen(text), 8);
    memcpy(file + size, text, strlen(text));
    size += strlen(text);
}

static void begin(uint64_t version, uint64_t tensors, uint64_t keys)
{
    size = 0;
    put(0x46554747, 4);
    put(version, 4);
    put(tensors, 8);
    put(keys, 8);
}

/* Adds a tensor with one axis. */
static void put_tensor(const char *name, uint64_t count, uint64_t type, uint64_t offset)
{
    put_text(name);
    put(1, 4);
    put(count, 8);
    put(type, 4);
    put(offset, 8);
}

/* Adds the elements: zeros after the padding. */
static void put_elements(size_t bytes)
{
    size_t end = (size + 31) / 32 * 32 + bytes;
    memset(file + size, 0, end - size);
    size = end;
}

static void refuse(heed_status code, const char *reason)
{
    char message[400];
    uint8_t *exact = malloc(size > 0 ? size : 1); /* exact size: sanitizers detect reads past the end */
    memcpy(exact, file, size);
    (void)snprintf(message, sizeof message, "io_gguf_read: gguf%s", reason);
    refused(gguf_from_memory, exact, size, code, message);
    free(exact);
}

static void malformed(const char *reason)
{
    refuse(HEED_ERR_FORMAT, reason);
}

/* -- Header -------------------------------------------------------------------------------------------------------- */

START_TEST(headers)
{
    begin(3, 0, 0);
    file[3] = 'G';
    refuse(HEED_ERR_FORMAT, " is not a .gguf file: it does not begin with \"GGUF\"");
    size = 0;
    refuse(HEED_ERR_FORMAT, ": it is empty (size is 0)");
    begin(1, 0, 0);
    refuse(HEED_ERR_UNSUPPORTED, ": version is 1: must be 2 or 3");
    begin(4, 0, 0);
    refuse(HEED_ERR_UNSUPPORTED, ": version is 4: must be 2 or 3");
    begin(0, 0, 0);
    refuse(HEED_ERR_UNSUPPORTED, ": version is 0: must be 2 or 3");
    begin(3 << 24, 0, 0);
    refuse(HEED_ERR_UNSUPPORTED, " is big-endian: must be little-endian");
    begin(3, UINT64_MAX, 0);
    refuse(HEED_ERR_FORMAT, " is truncated: the next 8 bytes are needed, but only 0 remain");
    begin(3, 0, UINT64_MAX);
    refuse(HEED_ERR_FORMAT, " is truncated: the next 8 bytes are needed, but only 0 remain");
    ck_assert_ptr_null(gguf_from_memory(NULL, 3, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_gguf_read: ");
    ck_assert_ptr_null(heed_io_gguf_read(NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_gguf_read: ");
    for (size_t i = 0; i < COUNT_OF(bad_paths); i++) {
        ck_assert_ptr_null(heed_io_gguf_read(bad_paths[i][0], NULL));
        ck_assert_error(HEED_ERR_IO, bad_paths[i][0]);
    }
    begin(3, 0, 0);
    ck_assert_ptr_null(gguf_from_memory(file, size, &(heed_io_read_options){.max_bytes = 23}));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "io_gguf_read: gguf ");
}
END_TEST

/* -- Keys ---------------------------------------------------------------------------------------------------------- */

static void begin_key(const char *key, uint64_t type)
{
    begin(3, 0, 1);
    put_text(key);
    put(type, 4);
}

START_TEST(keys)
{
    begin_key("", 0);
    malformed(": the name of a key has 0 bytes: must be 1 to 65535");
    begin(3, 0, 1);
    put(65536, 8);
    size += 65536;
    malformed(": the name of a key has 65536 bytes: must be 1 to 65535");
    begin(3, 0, 1);
    put(UINT64_MAX, 8);
    malformed(" is truncated: the next 18446744073709551615 bytes are needed, but only 0 remain");
    begin_key("\xff", 0);
    malformed(": the name of a key is not UTF-8");
    begin_key("a.b", 0);
    file[33] = '\0';
    malformed(": the name of a key has a NUL");
    begin_key("a", 13);
    malformed(": key \"a\" has value type 13: must be 0 to 12");
    begin_key("a", 7);
    put(2, 1);
    malformed(": key \"a\" has a bool that is neither 0 nor 1");
    begin_key("a", 10);
    put(2, 4);
    malformed(" is truncated: the next 8 bytes are needed, but only 4 remain");
}
END_TEST

START_TEST(texts)
{
    begin_key("a", 8);
    put(UINT64_C(1) << 62, 8);
    malformed(" is truncated: the next 4611686018427387904 bytes are needed, but only 0 remain");
    begin_key("a", 8);
    put_text("b c");
    file[size - 2] = '\0';
    malformed(": the text of key \"a\" has a NUL");
    begin_key("a", 8);
    put_text("\xc3");
    malformed(": the text of key \"a\" is not UTF-8");
}
END_TEST

START_TEST(duplicate_keys)
{
    for (int arrays = 0; arrays < 4; arrays++) { /* bit i: key i is an array */
        begin(3, 0, 2);
        for (int i = 0; i < 2; i++) {
            put_text("a");
            put(arrays >> i & 1 ? 9 : 0, 4);
            put(0, arrays >> i & 1 ? 12 : 1);
        }
        malformed(": key \"a\" is duplicated");
    }
}
END_TEST

START_TEST(alignments)
{
    static const uint64_t wrong[] = {0, 1, 4, 12, UINT32_MAX};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        begin_key("general.alignment", 4);
        put(wrong[i], 4);
        malformed(": key \"general.alignment\" must be a positive multiple of 8");
    }
    begin_key("general.alignment", 10);
    put(32, 8);
    malformed(": key \"general.alignment\" must be a u32");
    begin_key("general.alignment", 8);
    put_text("32");
    malformed(": key \"general.alignment\" must be a u32");
    begin_key("general.alignment", 9);
    put(0, 12);
    malformed(": key \"general.alignment\" must be a u32");
}
END_TEST

START_TEST(arrays)
{
    begin_key("a", 9);
    put(10, 4);
    put(UINT64_C(1) << 61, 8);
    malformed(": key \"a\" has more values than the file can hold");
    begin_key("a", 9);
    put(0, 4);
    put(UINT64_MAX, 8);
    malformed(" is truncated: the next 18446744073709551615 bytes are needed, but only 0 remain");
    begin_key("a", 9);
    put(8, 4);
    put(2, 8);
    put_text("b");
    put(5, 8);
    malformed(" is truncated: the next 5 bytes are needed, but only 0 remain");
    begin_key("a", 9);
    put(13, 4);
    put(0, 8);
    malformed(": key \"a\" has value type 13: must be 0 to 12");
    begin_key("a", 9);
    for (int depth = 1; depth < 4; depth++) {
        put(9, 4);
        put(1, 8);
    }
    size_t deepest = size;
    put(0, 4);
    put(0, 8);
    heed_dict *dict = gguf_from_memory(file, size, NULL);
    ck_assert_msg(dict != NULL, "%s", heed_error_message());
    heed_dict_free(dict);
    size = deepest;
    put(9, 4);
    put(UINT64_MAX, 8);
    refuse(HEED_ERR_UNSUPPORTED, ": key \"a\" has arrays nested deeper than 4");
}
END_TEST

/* -- Tensors ------------------------------------------------------------------------------------------------------- */

static void refuse_tensor(uint64_t count, uint64_t type, uint64_t offset, heed_status code, const char *reason)
{
    begin(3, 1, 0);
    put_tensor("w", count, type, offset);
    put_elements(64);
    refuse(code, reason);
}

START_TEST(tensors)
{
    static const char outside[] = ": tensor \"w\" has elements outside of the file";
    refuse_tensor(UINT64_C(1) << 63, 0, 0, HEED_ERR_FORMAT, ": tensor \"w\" has a dim of 2^63 or more");
    refuse_tensor(UINT64_C(1) << 62, 0, 0, HEED_ERR_FORMAT, ": shape (4611686018427387904) has too many elements");
    refuse_tensor(UINT64_C(1) << 62, 8, 0, HEED_ERR_FORMAT,
                  SIZE_MAX > UINT32_MAX ? outside : ": tensor \"w\" has too many elements");
    refuse_tensor(17, 0, 0, HEED_ERR_FORMAT, outside);
    refuse_tensor(16, 0, 32, HEED_ERR_FORMAT, outside);
    refuse_tensor(64, 8, 0, HEED_ERR_FORMAT, outside);
    refuse_tensor(0, 0, 96, HEED_ERR_FORMAT, outside);
    refuse_tensor(1, 0, UINT64_MAX - 31, HEED_ERR_FORMAT, outside);
    refuse_tensor(1, 0, 8, HEED_ERR_FORMAT, ": tensor \"w\" has offset 8: must be a multiple of the alignment, 32");
    refuse_tensor(33, 8, 0, HEED_ERR_FORMAT,
                  ": tensor \"w\" has a last dim that is not a multiple of 32, the block size of Q8_0");
    refuse_tensor(1, 2, 0, HEED_ERR_UNSUPPORTED,
                  ": tensor \"w\": type Q4_0 is not supported: must be F32, F16, BF16, F64, Q8_0, I8, I16, I32 or I64");
    refuse_tensor(1, 4, 0, HEED_ERR_UNSUPPORTED,
                  ": tensor \"w\": type number 4 is not supported: must be F32, F16, BF16, F64, Q8_0, I8, I16, I32 "
                  "or I64");
    refuse_tensor(1, UINT32_MAX, 0, HEED_ERR_UNSUPPORTED,
                  ": tensor \"w\": type number 4294967295 is not supported: must be F32, F16, BF16, F64, Q8_0, I8, "
                  "I16, I32 or I64");
}
END_TEST

START_TEST(shapes)
{
    begin(3, 1, 0);
    put_text("w");
    put(9, 4);
    refuse(HEED_ERR_UNSUPPORTED, ": tensor \"w\" has 9 dims: must be at most 8");
    for (uint64_t type = 0; type <= 8; type += 8) {
        begin(3, 1, 0);
        put_text("w");
        put(3, 4);
        for (int i = 0; i < 3; i++)
            put(UINT64_C(1) << 31, 8);
        put(type, 4);
        put(0, 8);
        put_elements(64);
        refuse(HEED_ERR_FORMAT, type == 0 ? ": shape (2147483648, 2147483648, 2147483648) has too many elements"
                                          : ": tensor \"w\" has too many elements");
    }
    begin(3, 1, 0); /* Q8_0 without axes */
    put_text("w");
    put(0, 4);
    put(8, 4);
    put(0, 8);
    put_elements(64);
    refuse(HEED_ERR_FORMAT, ": tensor \"w\" has a last dim that is not a multiple of 32, the block size of Q8_0");
}
END_TEST

static void refuse_two(const char *a, const char *b, uint64_t count, uint64_t offset, const char *reason)
{
    begin(3, 2, 0);
    put_tensor(a, 16, 0, 0);
    put_tensor(b, count, 0, offset);
    put_elements(128);
    refuse(HEED_ERR_FORMAT, reason);
}

START_TEST(two_tensors)
{
    refuse_two("a", "a", 1, 64, ": tensor \"a\" is duplicated");
    refuse_two("a", "", 1, 64, ": the name of a tensor has 0 bytes: must be 1 to 65535");
    refuse_two("a", "b", 1, 32, ": its tensors overlap");
    refuse_two("a", "b", 16, 0, ": its tensors overlap");
    refuse_two("a", "b", 32, 0, ": tensor \"b\" overlaps a different tensor");
    begin(3, 2, 0); /* the second type is refused before the first tensor is read */
    put_tensor("a", 16, 0, 1 << 20);
    put_tensor("b", 16, 12, 0);
    refuse(HEED_ERR_UNSUPPORTED,
           ": tensor \"b\": type Q4_K is not supported: must be F32, F16, BF16, F64, Q8_0, I8, I16, I32 or I64");
}
END_TEST

/* Skipped tensors may have an unsupported type. */
START_TEST(tensors_by_name)
{
    heed_io_read_options o = {.names = (const char *[]){"a"}, .name_count = 1};
    begin(3, 2, 0);
    put_tensor("a", 16, 0, 0);
    put_tensor("b", 16, 12, 64);
    put_elements(128);
    heed_dict *dict = gguf_from_memory(file, size, &o);
    ck_assert_msg(dict != NULL, "%s", heed_error_message());
    ck_assert(heed_dict_size(dict) == 1 && heed_numel(heed_dict_get(dict, "a")) == 16);
    heed_dict_free(dict);
    o.names = (const char *[]){"b"};
    ck_assert_ptr_null(gguf_from_memory(file, size, &o));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "tensor \"b\": type Q4_K is not supported");
    o.names = (const char *[]){"c"};
    ck_assert_ptr_null(gguf_from_memory(file, size, &o));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_gguf_read: gguf has no tensor \"c\"");
}
END_TEST

HEED_TEST_MAIN("gguf_errors", headers, keys, texts, duplicate_keys, alignments, arrays, tensors, shapes, two_tensors,
               tensors_by_name)
