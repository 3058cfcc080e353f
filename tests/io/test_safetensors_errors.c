/* tests/io/test_safetensors_errors.c - tests of the files and dicts that the .safetensors reader and writer refuse, and
 * of their messages.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "files.h"
#include "from_memory.h"
#include "reference/safetensors_reference.h"

static void refuse(const char *header, size_t n_data, heed_status code, const char *reason)
{
    static uint8_t bytes[8192];
    char message[512];
    size_t size = strlen(header);
    bytes[0] = (uint8_t)size;
    bytes[1] = (uint8_t)(size >> 8);
    memcpy(bytes + 8, header, size);
    memset(bytes + 8 + size, 0, n_data);
    if (!reason) { /* the message is the JSON parser's */
        ck_assert_ptr_null(safetensors_from_memory(bytes, 8 + size + n_data, NULL));
        ck_assert_int_eq(heed_error_code(), code);
        ck_assert_msg(strstr(heed_error_message(), "io_safetensors_read: safetensors: its JSON is invalid at byte "),
                      "%s: %s", header, heed_error_message());
        heed_error_clear();
        return;
    }
    (void)snprintf(message, sizeof message, "io_safetensors_read: safetensors: %s", reason);
    refused(safetensors_from_memory, bytes, 8 + size + n_data, code, message);
}

#define INVALID "its JSON is invalid at byte "
#define ENTRY(dtype, shape, begin, end)                                                                                \
    "{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":[" #begin "," #end "]}"

START_TEST(broken_json)
{
    static const char *const cases[][2] = {
        {"", "its JSON does not begin with '{'"},
        {" {}", "its JSON does not begin with '{'"},
        {"[]", "its JSON does not begin with '{'"},
        {"{", INVALID "1: must be a string"},
        {"{a:1}", INVALID "1: must be a string"},
        {"{,}", INVALID "1: must be a string"},
        {"{\"a", NULL},
        {"{\"a\\", NULL},
        {"{\"a\\q\"", NULL},
        {"{\"a\\u12\"", NULL},
        {"{\"\\u12x4\"", NULL},
        {"{\"\\u0000\":{}}", NULL},
        {"{\"\\ud800\"", NULL},
        {"{\"\\udc00\"", NULL},
        {"{\"\\ud800\\u0041\"", NULL},
        {"{\"a\tb\"", NULL},
        {"{\"\xff\":", NULL},
        {"{\"a\"}", INVALID "4: must be ':'"},
        {"{\"a\" \t\r\n\v:", INVALID "8: must be ':'"},
        {"{\"a\":}", NULL},
        {"{\"a\":", INVALID "5: unexpected token near end of file"},
        {"{}x", INVALID "2: must be the end"},
        {"{} {", INVALID "3: must be the end"},
        {"{\"a\":" ENTRY("F32", "[2]", 0, 8), INVALID "53: must be ',' or '}'"},
        {"{\"a\":" ENTRY("F32", "[2]", 0, 8) "]", INVALID "53: must be ',' or '}'"},
        {"{\"a\":" ENTRY("F32", "[2]", 0, 8) ",}", INVALID "54: must be a string"},
        {"{\"a\":" ENTRY("F32", "[2]", 0, 8) "}}", INVALID "54: must be the end"},
        {"{\"a\":" ENTRY("F32", "[2]", 0, 8) ",\"b\":tru}", INVALID "61: invalid token near 'tru'"},
        {"{\"\xc3\xa4\xe2\x82\xac\":" ENTRY("F32", "[2]", 0, 8) "]", INVALID "57: must be ',' or '}'"},
        {"{\"a\":" ENTRY("F32", "[02]", 0, 8) "}", NULL},
        {"{\"a\":" ENTRY("F32", "[9223372036854775808]", 0, 8) "}", NULL},
        {"{\"a\":" ENTRY("F32", "[1]", 0, 4) ",\"a\":" ENTRY("F32", "[1]", 4, 8) "}", "tensor \"a\" is duplicated"},
        {"{\"a\":{\"shape\":[2],\"shape\":[2]}}", INVALID "25: duplicate object key near '\"shape\"'"},
        {"{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}}", "a key in __metadata__ is duplicated"},
        {"{\"__metadata__\":{},\"__metadata__\":{}}", "__metadata__ is duplicated"},
        {"{\"__metadata__\":[]}", INVALID "16: must be '{'"},
        {"{\"__metadata__\":{\"a\":[]}}", INVALID "21: must be a string"},
        {"{\"__metadata__\":{\"a\":\"b\"]}", INVALID "24: must be ',' or '}'"},
        {"{\"a\":{\"b\":[[", "its JSON is nested deeper than 3 levels"},
        {"{\"a]}}}\":[[[[[", "its JSON is nested deeper than 3 levels"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        refuse(cases[i][0], 8, HEED_ERR_FORMAT, cases[i][1]);
}
END_TEST

START_TEST(entries)
{
    static const struct {
        const char *header, *reason;
    } cases[] = {
        {"{\"a\":1", "tensor \"a\" must have exactly the members dtype, shape and data_offsets"},
        {"{\"a\":1}", "tensor \"a\" must have exactly the members dtype, shape and data_offsets"},
        {"{\"a\":{\"x\":1}}", "tensor \"a\" must have exactly the members dtype, shape and data_offsets"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2]}}",
         "tensor \"a\" must have exactly the members dtype, shape and data_offsets"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8],\"x\":1}}",
         "tensor \"a\" must have exactly the members dtype, shape and data_offsets"},
        {"{\"a\":{\"dtype\":1,\"shape\":[2],\"data_offsets\":[0,8]}}", "tensor \"a\" has a dtype that is not a string"},
        {"{\"a\":" ENTRY("F32", "2", 0, 8) "}", "tensor \"a\" has a shape that is not a list of whole numbers"},
        {"{\"a\":" ENTRY("F32", "[-2]", 0, 8) "}", "tensor \"a\" has a shape that is not a list of whole numbers"},
        {"{\"a\":" ENTRY("F32", "[2.0]", 0, 8) "}", "tensor \"a\" has a shape that is not a list of whole numbers"},
        {"{\"a\":" ENTRY("F32", "[2e1]", 0, 8) "}", "tensor \"a\" has a shape that is not a list of whole numbers"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0]}}",
         "tensor \"a\" has data_offsets that are not two whole numbers"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8,8]}}",
         "tensor \"a\" has data_offsets that are not two whole numbers"},
        {"{\"a\":" ENTRY("F32", "[2]", -8, 0) "}", "tensor \"a\" has data_offsets that are not two whole numbers"},
        {"{\"a\":" ENTRY("F32", "[2]", 0, -8) "}", "tensor \"a\" has data_offsets that are not two whole numbers"},
        {"{\"a\":" ENTRY("F32", "[2]", 8, 0) "}", "tensor \"a\" has data_offsets that are outside of the file"},
        {"{\"a\":" ENTRY("F32", "[2]", 1, 9) "}", "tensor \"a\" has data_offsets that are outside of the file"},
        {"{\"a\":" ENTRY("F32", "[2]", 0, 4) "}", "tensor \"a\" has data_offsets that do not fit its dtype and shape"},
        {"{\"a\":" ENTRY("F32", "[4611686018427387904]", 0, 8) "}",
         "shape (4611686018427387904) has too many elements"},
        {"{\"a\":" ENTRY("F32", "[4294967296,4294967296,0]", 0, 0) "}",
         "shape (4294967296, 4294967296, 0) has too many elements"},
        {"{\"a\":" ENTRY("F32", "[1]", 0, 4) ",\"b\":" ENTRY("F32", "[2]", 0, 8) "}",
         "tensor \"b\" overlaps a different tensor"},
        {"{\"a\":" ENTRY("F32", "[1]", 0, 4) ",\"b\":" ENTRY("F32", "[1]", 0, 4) "}",
         "its tensors overlap or leave unused bytes between them"},
        {"{\"a\":" ENTRY("F32", "[1]", 4, 8) "}", "its tensors overlap or leave unused bytes between them"},
        {"{\"a\":" ENTRY("F32", "[1]", 0, 4) "}", "there are 4 bytes after its last tensor"},
        {"{}", "there are 8 bytes after its last tensor"},
        {"{\"\":" ENTRY("F32", "[2]", 0, 8) "}", "tensor \"\" has an empty name"},
        {"{\"__metadata__\":{\"\":\"\"}}", "a key in __metadata__ is empty"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        refuse(cases[i].header, 8, HEED_ERR_FORMAT, cases[i].reason);
    refuse("{\"a\":" ENTRY("U64", "[1]", 0, 8) "}", 8, HEED_ERR_UNSUPPORTED,
           "tensor \"a\": dtype U64 is not supported");
    refuse("{\"a\":" ENTRY("F32", "[1,1,1,1,1,1,1,1,2]", 0, 8) "}", 8, HEED_ERR_UNSUPPORTED,
           "tensor \"a\" has 9 dims: must be at most 8");
}
END_TEST

/* The size of a tensor's description is limited, even if the text is mostly blanks. */
START_TEST(entry_too_long)
{
    static const char entry[] = ENTRY("F32", "[2]", 0, 8);
    static char header[8000];
    int begin = snprintf(header, sizeof header, "{\"a\":{"), spaces = 2048 - (int)strlen(entry);
    memset(header + begin, ' ', (size_t)spaces);
    (void)snprintf(header + begin + spaces, 200, "%s}", entry + 1);
    refuse(header, 7, HEED_ERR_FORMAT, "tensor \"a\" has data_offsets that are outside of the file");
    (void)snprintf(header + begin + spaces, 200, " %s}", entry + 1);
    refuse(header, 8, HEED_ERR_FORMAT, INVALID "5: a value that is too long");
    begin = snprintf(header, sizeof header, "{\"a\":"); /* blanks before the description do not count */
    memset(header + begin, ' ', 3000);
    (void)snprintf(header + begin + 3000, 200, "%s}", entry);
    refuse(header, 7, HEED_ERR_FORMAT, "tensor \"a\" has data_offsets that are outside of the file");
    begin = snprintf(header, sizeof header, "{\"a\":tru"); /* invalid before it is too long */
    memset(header + begin, ' ', 3000);
    (void)snprintf(header + begin + 3000, 200, "}");
    refuse(header, 0, HEED_ERR_FORMAT, INVALID "8: invalid token near 'tru'");
    begin = snprintf(header, sizeof header, "{\"a\":{\"shape\":[");
    for (int i = begin; i < 6000; i++)
        header[i] = i % 2 ? '0' : ',';
    refuse(header, 0, HEED_ERR_FORMAT, INVALID "5: a value that is too long");
}
END_TEST

/* The JSON text alone has the maximum length of a header. */
START_TEST(header_too_large)
{
    size_t size = 100000000;
    char *text = malloc(size + 1);
    memset(text, 't', size);
    text[size] = '\0';
    heed_dict *dict = heed_dict_new();
    ck_assert_int_eq(heed_dict_set_text(dict, "k", text), HEED_OK);
    ck_assert_int_eq(heed_io_safetensors_write("/tmp/never-written", dict), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED,
                    "io_safetensors_write: the header would have 100000032 bytes: the format allows "
                    "100000000");
    heed_dict_free(dict);
    free(text);
}
END_TEST

START_TEST(not_safetensors)
{
    refused(safetensors_from_memory, "\1\0\0\0\0\0\0", 7, HEED_ERR_FORMAT,
            "io_safetensors_read: safetensors is truncated: the next 8 bytes are needed, but only 7 remain");
    refused(
        safetensors_from_memory, "\3\0\0\0\0\0\0\0{}", 10, HEED_ERR_FORMAT,
        "io_safetensors_read: safetensors is not a .safetensors file: the size of its header is 3: must be at most 2");
    refused(
        safetensors_from_memory, "\377\377\377\377\377\377\377\377{}", 10, HEED_ERR_FORMAT,
        "io_safetensors_read: safetensors is not a .safetensors file: the size of its header is 18446744073709551615: "
        "must be at most 2");
    refused(safetensors_from_memory, NULL, 3, HEED_ERR_ARGUMENT, "io_safetensors_read: bytes is NULL, but size is 3");
    const struct reference *r = &safetensors_files[1];
    ck_assert_ptr_null(
        heed_io_safetensors_read("index.json", &(heed_io_read_options){.bytes = "{\"weight_map\": {}}", .size = 18}));
    ck_assert_error(HEED_ERR_FORMAT, "io_safetensors_read: index.json is text in JSON, not a .safetensors file");
    ck_assert_ptr_null(safetensors_from_memory(r->bytes, r->size, &(heed_io_read_options){.max_bytes = 100}));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "bytes, more than the limit of 100");
    heed_dict *dict = safetensors_from_memory(r->bytes, r->size, &(heed_io_read_options){0});
    check_dict(dict, r);
    heed_dict_free(dict);
}
END_TEST

START_TEST(damaged)
{
    for (size_t i = 0; i < COUNT_OF(safetensors_files); i++)
        check_damage(safetensors_from_memory, "io_safetensors_read", &safetensors_files[i]);
}
END_TEST

START_TEST(paths)
{
    heed_dict *dict = heed_dict_new();
    for (size_t i = 0; i < COUNT_OF(bad_paths); i++) {
        ck_assert_int_eq(heed_io_safetensors_write(bad_paths[i][0], dict), HEED_ERR_IO);
        ck_assert(strstr(heed_error_message(), bad_paths[i][0]) != NULL);
        ck_assert_error(HEED_ERR_IO, bad_paths[i][1]);
        ck_assert_ptr_null(heed_io_safetensors_read(bad_paths[i][0], NULL));
        ck_assert_error(HEED_ERR_IO, bad_paths[i][0]);
    }
    ck_assert_int_eq(heed_io_safetensors_write(NULL, dict), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "io_safetensors_write: path is NULL");
    ck_assert_int_eq(heed_io_safetensors_write("/tmp/x", NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "io_safetensors_write: the dict is NULL");
    ck_assert_ptr_null(heed_io_safetensors_read(NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_safetensors_read: path is NULL");
    ck_assert_int_eq(heed_dict_set(dict, "__metadata__", heed_ones(HEED_F32, HEED_SCALAR)), HEED_OK);
    ck_assert_int_eq(heed_io_safetensors_write("/tmp/x", dict), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "io_safetensors_write: a tensor must not have the name __metadata__");
    heed_dict_free(dict);
}
END_TEST

/* Skipped tensors may have an unsupported type, but their bytes count. */
START_TEST(tensors_by_name)
{
    static const char *const texts[] = {
        "{\"a\":" ENTRY("F8_E4M3", "[4]", 0, 4) ",\"b\":" ENTRY("F32", "[1]", 4, 8) "}",
        "{\"a\":" ENTRY("F8_E4M3", "[4]", 0, 2) ",\"b\":" ENTRY("F32", "[1]", 4, 8) "}"};
    const heed_io_read_options o = {.names = (const char *[]){"b"}, .name_count = 1};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        uint8_t bytes[256] = {(uint8_t)strlen(texts[i])};
        memcpy(bytes + 8, texts[i], bytes[0]);
        heed_dict *dict = safetensors_from_memory(bytes, 16 + (size_t)bytes[0], &o);
        ck_assert((i == 0) == (dict && heed_dict_size(dict) == 1 && heed_item(heed_dict_get(dict, "b")) == 0));
        if (i == 1)
            ck_assert_error(HEED_ERR_FORMAT, "its tensors overlap or leave unused bytes between them");
        heed_dict_free(dict);
    }
}
END_TEST

HEED_TEST_MAIN("safetensors_errors", broken_json, entries, entry_too_long, header_too_large, not_safetensors,
               tensors_by_name, damaged, paths)
