/* tests/test_safetensors.c - .safetensors files: made by hand read back, ours, and everything that can be wrong. */

#include "fail_alloc.h"
#include "files.h"
#include "reference/safetensors_reference.h"

START_TEST(files_made_by_hand)
{
    for (size_t i = 0; i < COUNT_OF(safetensors_files); i++) {
        const struct reference *r = &safetensors_files[i];
        heed_dict *dict = heed_io_safetensors_parse(r->bytes, r->size, NULL);
        check_dict(dict, r);
        write_bytes(in_folder("a.safetensors"), r->bytes, r->size);
        heed_dict *read = heed_io_safetensors_read(in_folder("a.safetensors"), NULL);
        check_same_dict(dict, read);
        heed_dict_free(read);
        heed_dict_free(dict);
        ck_assert_int_eq(unlink(in_folder("a.safetensors")), 0);
    }
    remove_folder();
}
END_TEST

START_TEST(metadata)
{
    const struct reference *r = &safetensors_files[0];
    heed_dict *dict = heed_io_safetensors_parse(r->bytes, r->size, NULL);
    ck_assert_int_eq(heed_dict_text_count(dict), 2);
    ck_assert_str_eq(heed_dict_text(dict, "format"), "pt");
    ck_assert_str_eq(heed_dict_text(dict, "who"), "\xc3\xa4\"\\\n\t\xe2\x82\xac\xf0\x9f\x98\x80");
    heed_dict_free(dict);
}
END_TEST

START_TEST(round_trips)
{
    heed_manual_seed(2);
    heed_dict *all = all_kinds();
    for (int texts = 0; texts < 2; texts++) {
        ck_assert_int_eq(heed_io_safetensors_write(in_folder("a.safetensors"), all), HEED_OK);
        heed_dict *back = heed_io_safetensors_read(in_folder("a.safetensors"), NULL);
        check_same_dict(all, back);
        heed_dict_free(back);
        ck_assert_int_eq(heed_dict_set(all, "a \"name\"\\\n\x01\x7f/\xc3\xa4", heed_ones(HEED_BOOL, HEED_SHAPE(3))),
                         HEED_OK);
        ck_assert_int_eq(heed_dict_set_text(all, "format", "pt"), HEED_OK);
        ck_assert_int_eq(heed_dict_set_text(all, "\"\t\"", "\b\f\n\r\x1f \xf0\x9f\x98\x80"), HEED_OK);
        ck_assert_int_eq(heed_dict_set_text(all, "empty", ""), HEED_OK);
    }
    heed_dict_free(all);
    ck_assert_int_eq(unlink(in_folder("a.safetensors")), 0);
    remove_folder();
}
END_TEST

START_TEST(empty_ones)
{
    heed_dict *none = heed_dict_new();
    for (int texts = 0; texts < 2; texts++) {
        ck_assert_int_eq(heed_io_safetensors_write(in_folder("a.safetensors"), none), HEED_OK);
        heed_dict *back = heed_io_safetensors_read(in_folder("a.safetensors"), NULL);
        check_same_dict(none, back);
        heed_dict_free(back);
        ck_assert_int_eq(heed_dict_set_text(none, "format", "pt"), HEED_OK);
    }
    heed_dict_free(none);
    ck_assert_int_eq(unlink(in_folder("a.safetensors")), 0);
    remove_folder();
}
END_TEST

/* The bytes themselves: a header padded to 8, elements by falling size of their type. */
START_TEST(what_is_written)
{
    static const char header[] = "{\"__metadata__\":{\"k\":\"t\"},"
                                 "\"m\":{\"dtype\":\"BOOL\",\"shape\":[2],\"data_offsets\":[16,18]},"
                                 "\"x\":{\"dtype\":\"F32\",\"shape\":[1,1],\"data_offsets\":[8,12]},"
                                 "\"n\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[0,8]},"
                                 "\"y\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[12,16]}}";
    static const uint8_t data[] = {7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 1, 0};
    heed_dict *dict = heed_dict_new();
    heed_dict_set_text(dict, "k", "t");
    heed_dict_set(dict, "m", HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), 1, 0));
    heed_dict_set(dict, "x", HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 1), 1));
    heed_dict_set(dict, "n", heed_full(HEED_I64, HEED_SCALAR, 7));
    heed_dict_set(dict, "y", HEED_TENSOR(HEED_F32, HEED_SHAPE(1), 2));
    ck_assert_int_eq(heed_io_safetensors_write(in_folder("a.safetensors"), dict), HEED_OK);
    size_t size, text = strlen(header);
    uint8_t *bytes = read_bytes(in_folder("a.safetensors"), &size);
    ck_assert_uint_eq(bytes[0] + 256u * bytes[1], (text + 7) / 8 * 8);
    ck_assert_msg(memcmp(bytes + 8, header, text) == 0, "%.*s", (int)text, (const char *)bytes + 8);
    ck_assert_uint_eq(size, 8 + (text + 7) / 8 * 8 + sizeof data);
    ck_assert_mem_eq(bytes + size - sizeof data, data, sizeof data);
    free(bytes);
    heed_dict_free(dict);
    ck_assert_int_eq(unlink(in_folder("a.safetensors")), 0);
    remove_folder();
}
END_TEST

/* -- What is refused ---------------------------------------------------------------------------------------------- */

static void refuse(const char *header, size_t n_data, heed_status code, const char *reason)
{
    static uint8_t bytes[8192];
    char message[512];
    size_t size = strlen(header);
    bytes[0] = (uint8_t)size;
    bytes[1] = (uint8_t)(size >> 8);
    memcpy(bytes + 8, header, size);
    memset(bytes + 8 + size, 0, n_data);
    if (!reason) { /* the words are the parser's */
        ck_assert_ptr_null(heed_io_safetensors_parse(bytes, 8 + size + n_data, NULL));
        ck_assert_int_eq(heed_error_code(), code);
        ck_assert_msg(strstr(heed_error_message(), "io_safetensors_parse: safetensors: its header, which is JSON, is "
                                                   "wrong at byte "),
                      "%s: %s", header, heed_error_message());
        heed_error_clear();
        return;
    }
    (void)snprintf(message, sizeof message, "io_safetensors_parse: safetensors: %s", reason);
    refused(heed_io_safetensors_parse, bytes, 8 + size + n_data, code, message);
}

#define ENTRY(dtype, shape, begin, end)                                                                                \
    "{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":[" #begin "," #end "]}"

START_TEST(broken_json)
{
    static const char *const cases[][2] = {
        {"", "its header does not begin with '{'"},
        {" {}", "its header does not begin with '{'"},
        {"[]", "its header does not begin with '{'"},
        {"{", NULL},
        {"{a:1}", NULL},
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
        {"{\"a\"}", NULL},
        {"{\"a\":}", NULL},
        {"{\"a\":1", NULL},
        {"{}x", NULL},
        {"{\"a\":" ENTRY("F32", "[2]", 0, 8) "]", NULL},
        {"{\"a\":" ENTRY("F32", "[2]", 0, 8) ",}", NULL},
        {"{\"a\":" ENTRY("F32", "[2]", 0, 8) "}}", NULL},
        {"{\"a\":" ENTRY("F32", "[02]", 0, 8) "}", NULL},
        {"{\"a\":" ENTRY("F32", "[9223372036854775808]", 0, 8) "}", NULL},
        {"{\"a\":" ENTRY("F32", "[1]", 0, 4) ",\"a\":" ENTRY("F32", "[1]", 4, 8) "}", NULL},
        {"{\"a\":{\"shape\":[2],\"shape\":[2]}}", NULL},
        {"{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}}", NULL},
        {"{\"__metadata__\":{},\"__metadata__\":{}}", NULL},
        {"{\"a\":{\"b\":[[", "its header, which is JSON, is nested deeper than 3"},
        {"{\"a]}}}\":[[[[[", "its header, which is JSON, is nested deeper than 3"},
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
        {"{\"a\":1}", "tensor \"a\" is not described by dtype, shape and data_offsets"},
        {"{\"a\":{\"x\":1}}", "tensor \"a\" is not described by dtype, shape and data_offsets"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2]}}", "tensor \"a\" is not described by dtype, shape and data_offsets"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8],\"x\":1}}",
         "tensor \"a\" is not described by dtype, shape and data_offsets"},
        {"{\"a\":{\"dtype\":1,\"shape\":[2],\"data_offsets\":[0,8]}}", "tensor \"a\" has a dtype that is no string"},
        {"{\"a\":" ENTRY("F32", "2", 0, 8) "}", "tensor \"a\" has a shape that is no list of sizes"},
        {"{\"a\":" ENTRY("F32", "[-2]", 0, 8) "}", "tensor \"a\" has a shape that is no list of sizes"},
        {"{\"a\":" ENTRY("F32", "[2.0]", 0, 8) "}", "tensor \"a\" has a shape that is no list of sizes"},
        {"{\"a\":" ENTRY("F32", "[2e1]", 0, 8) "}", "tensor \"a\" has a shape that is no list of sizes"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0]}}",
         "tensor \"a\" has data_offsets that are no two places"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8,8]}}",
         "tensor \"a\" has data_offsets that are no two places"},
        {"{\"a\":" ENTRY("F32", "[2]", -8, 0) "}", "tensor \"a\" has data_offsets that are no two places"},
        {"{\"__metadata__\":[]}", "__metadata__ is no object"},
        {"{\"__metadata__\":{\"a\":[]}}", "a value in __metadata__ is no text"},
        {"{\"a\":" ENTRY("F32", "[2]", 8, 0) "}", "tensor \"a\" has data_offsets that are outside of the file"},
        {"{\"a\":" ENTRY("F32", "[2]", 1, 9) "}", "tensor \"a\" has data_offsets that are outside of the file"},
        {"{\"a\":" ENTRY("F32", "[2]", 0, 4) "}", "tensor \"a\" has data_offsets that do not fit its shape"},
        {"{\"a\":" ENTRY("F32", "[4611686018427387904]", 0, 8) "}",
         "too many elements in a shape (4611686018427387904)"},
        {"{\"a\":" ENTRY("F32", "[4294967296,4294967296,0]", 0, 0) "}",
         "too many elements in a shape (4294967296, 4294967296, 0)"},
        {"{\"a\":" ENTRY("F32", "[1]", 0, 4) ",\"b\":" ENTRY("F32", "[2]", 0, 8) "}",
         "tensor \"b\" overlaps another one"},
        {"{\"a\":" ENTRY("F32", "[1]", 0, 4) ",\"b\":" ENTRY("F32", "[1]", 0, 4) "}",
         "its tensors overlap, or leave a hole between them"},
        {"{\"a\":" ENTRY("F32", "[1]", 4, 8) "}", "its tensors overlap, or leave a hole between them"},
        {"{\"a\":" ENTRY("F32", "[1]", 0, 4) "}", "there are bytes behind its last tensor"},
        {"{}", "there are bytes behind its last tensor"},
        {"{\"\":" ENTRY("F32", "[2]", 0, 8) "}", "tensor \"\" has an empty name"},
        {"{\"__metadata__\":{\"\":\"\"}}", "a key in __metadata__ is empty"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        refuse(cases[i].header, 8, HEED_ERR_FORMAT, cases[i].reason);
    refuse("{\"a\":" ENTRY("U64", "[1]", 0, 8) "}", 8, HEED_ERR_UNSUPPORTED,
           "tensor \"a\": there is no tensor of dtype U64");
    refuse("{\"a\":" ENTRY("F32", "[1,1,1,1,1,1,1,1,2]", 0, 8) "}", 8, HEED_ERR_UNSUPPORTED,
           "tensor \"a\" has more than 8 dims");
}
END_TEST

/* The text alone is as long as a header may be. */
START_TEST(too_large_a_header)
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

START_TEST(no_safetensors)
{
    refused(heed_io_safetensors_parse, "\1\0\0\0\0\0\0", 7, HEED_ERR_FORMAT,
            "io_safetensors_parse: safetensors is cut short: 8 bytes are wanted where 7 are left");
    refused(heed_io_safetensors_parse, "\3\0\0\0\0\0\0\0{}", 10, HEED_ERR_FORMAT,
            "io_safetensors_parse: safetensors is no .safetensors: it begins with 3 as the size of its header, where 2 "
            "bytes are left and 100000000 are allowed");
    refused(
        heed_io_safetensors_parse, "\377\377\377\377\377\377\377\377{}", 10, HEED_ERR_FORMAT,
        "io_safetensors_parse: safetensors is no .safetensors: it begins with 18446744073709551615 as the size of its "
        "header, where 2 bytes are left and 100000000 are allowed");
    refused(heed_io_safetensors_parse, NULL, 3, HEED_ERR_ARGUMENT, "io_safetensors_parse: bytes is NULL");
    const struct reference *r = &safetensors_files[1];
    ck_assert_ptr_null(heed_io_safetensors_parse(r->bytes, r->size, &(heed_read_options){.max_bytes = 100}));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "bytes, more than the limit of 100");
    heed_dict *dict = heed_io_safetensors_parse(r->bytes, r->size, &(heed_read_options){0});
    check_dict(dict, r);
    heed_dict_free(dict);
}
END_TEST

START_TEST(damaged)
{
    for (size_t i = 0; i < COUNT_OF(safetensors_files); i++)
        damage(heed_io_safetensors_parse, "io_safetensors_parse", &safetensors_files[i]);
}
END_TEST

/* -- Paths and memory --------------------------------------------------------------------------------------------- */

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
    ck_assert_error(HEED_ERR_ARGUMENT, "io_safetensors_write: a tensor cannot be called __metadata__");
    heed_dict_free(dict);
}
END_TEST

static bool write_and_read(double *value)
{
    heed_dict *dict = heed_dict_new(), *back = NULL;
    heed_tensor *t = heed_linspace(HEED_F64, 0, 1, 6);
    heed_tensor *m = t ? heed_transpose(heed_reshape(t, HEED_SHAPE(2, 3)), 0, 1) : NULL;
    bool good = dict && m && heed_dict_set(dict, "a", m) == HEED_OK && heed_dict_set(dict, "b", t) == HEED_OK &&
                heed_dict_set_text(dict, "key", "text") == HEED_OK &&
                heed_io_safetensors_write(in_folder("a.safetensors"), dict) == HEED_OK;
    back = good ? heed_io_safetensors_read(in_folder("a.safetensors"), NULL) : NULL;
    *value = back ? heed_get(heed_dict_get(back, "a"), HEED_INDEX(2, 1)) : 0;
    heed_dict_free(back);
    heed_dict_free(dict);
    return back != NULL;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(write_and_read);
    fail_alloc_uninstall();
    ck_assert_int_eq(files_in_folder(), 1);
    ck_assert_int_eq(unlink(in_folder("a.safetensors")), 0);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("safetensors", files_made_by_hand, metadata, round_trips, empty_ones, what_is_written, broken_json,
               entries, too_large_a_header, no_safetensors, damaged, paths, out_of_memory)
