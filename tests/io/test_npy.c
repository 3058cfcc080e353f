/* tests/io/test_npy.c - tests of .npy files: reading NumPy's, round trips of heed's, and everything that can be wrong
 * with one.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fail_alloc.h"
#include "files.h"
#include "from_memory.h"
#include "reference/npy_reference.h"

/* Returns the tensor in a dict of one, since tests/io/files.h works with dicts. */
static heed_dict *parse_npy(const void *bytes, size_t size, const heed_io_read_options *options)
{
    heed_tensor *t = npy_from_memory(bytes, size, options);
    heed_dict *dict = t ? heed_dict_new() : NULL;
    if (dict)
        ck_assert_int_eq(heed_dict_set(dict, "t", t), HEED_OK);
    return dict;
}

START_TEST(files_made_by_numpy)
{
    for (size_t i = 0; i < COUNT_OF(npy_files); i++) {
        const struct reference *r = &npy_files[i];
        check_tensor(r->name, npy_from_memory(r->bytes, r->size, NULL), r->tensors);
        write_bytes(in_folder("a.npy"), r->bytes, r->size);
        check_tensor(r->name, heed_io_npy_read(in_folder("a.npy"), NULL), r->tensors);
        ck_assert_int_eq(unlink(in_folder("a.npy")), 0);
    }
    remove_folder();
}
END_TEST

START_TEST(round_trips)
{
    heed_manual_seed(1);
    heed_dict *all = sample_tensors(), *back = heed_dict_new();
    for (int64_t i = 0; i < heed_dict_size(all); i++) {
        ck_assert_int_eq(heed_io_npy_write(in_folder("a.npy"), heed_dict_at(all, i)), HEED_OK);
        ck_assert_int_eq(heed_dict_set(back, heed_dict_name(all, i), heed_io_npy_read(in_folder("a.npy"), NULL)),
                         HEED_OK);
    }
    check_same_dict(all, back);
    heed_dict_free(all);
    heed_dict_free(back);
    ck_assert_int_eq(unlink(in_folder("a.npy")), 0);
    remove_folder();
}
END_TEST

/* Larger than a chunk, so that the odd layouts are cut in the middle. */
START_TEST(large_and_converted)
{
    enum { N = 300, M = 401 };
    size_t size = 128 + 2 * N * M;
    uint8_t *bytes = calloc(1, size);
    int n = snprintf((char *)bytes, 128, "%cNUMPY%c%c%c%c{'descr': '>i2', 'fortran_order': True, 'shape': (%d, %d), }",
                     0x93, 1, '\0', 118, '\0', N, M);
    memset(bytes + n, ' ', 128 - (size_t)n);
    memcpy(bytes, "\x93NUMPY\x01\x00\x76\x00", 10);
    for (int i = 0; i < N * M; i++) {
        bytes[128 + 2 * i] = (uint8_t)(i >> 8);
        bytes[129 + 2 * i] = (uint8_t)i;
    }
    heed_tensor *t = npy_from_memory(bytes, size, NULL);
    ck_assert_msg(t != NULL, "%s", heed_error_message());
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            ck_assert_int_eq(heed_data_i64(t)[i * M + j], (int16_t)(i + N * j));
    free(bytes);
}
END_TEST

/* The header has more than 255 bytes, so its length takes two bytes. */
START_TEST(a_long_header)
{
    enum { HEADER = 500 };
    uint8_t bytes[10 + HEADER + 8] = "\x93NUMPY\x01\x00";
    bytes[8] = HEADER & 0xff;
    bytes[9] = HEADER >> 8;
    memset(bytes + 10, ' ', HEADER);
    memcpy(bytes + 10, "{'descr': '<i8', 'fortran_order': False, 'shape': ()}", 53);
    bytes[10 + HEADER] = 7;
    heed_tensor *t = npy_from_memory(bytes, sizeof bytes, NULL);
    ck_assert_msg(t != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_data_i64(t)[0], 7);
}
END_TEST

/* A tensor with one axis is the same in either order. */
START_TEST(vector_in_fortran_order)
{
    static const char header[] = "{'descr': '<f4', 'fortran_order': True, 'shape': (2,), }";
    static const uint8_t elements[] = {0, 0, 0xc0, 0x3f, 0, 0, 0, 0xc0}; /* 1.5f and -2 */
    uint8_t bytes[10 + sizeof header - 1 + sizeof elements] = "\x93NUMPY\x01\x00";
    bytes[8] = sizeof header - 1;
    memcpy(bytes + 10, header, sizeof header - 1);
    memcpy(bytes + 10 + sizeof header - 1, elements, sizeof elements);
    heed_tensor *t = npy_from_memory(bytes, sizeof bytes, NULL);
    ck_assert_msg(t != NULL, "%s", heed_error_message());
    ck_assert(heed_data_f32(t)[0] == 1.5f && heed_data_f32(t)[1] == -2);
}
END_TEST

/* The element after the header of a vector of one element. */
static heed_tensor *read_one(const char *descr, const void *element, size_t size)
{
    uint8_t bytes[160] = {0};
    const int n = snprintf((char *)bytes + 10, 128, "{'descr': '%s', 'fortran_order': False, 'shape': (1,)}", descr);
    memcpy(bytes, "\x93NUMPY\x01\x00", 8);
    bytes[8] = (uint8_t)n;
    memcpy(bytes + 10 + n, element, size);
    heed_tensor *t = npy_from_memory(bytes, 10 + (size_t)n + size, NULL);
    ck_assert_msg(t != NULL, "%s", heed_error_message());
    return t;
}

START_TEST(native_byte_order)
{
    static const char *const orders[] = {"", "=", "|"};
    char descr[8];
    for (size_t i = 0; i < COUNT_OF(orders); i++) {
        (void)snprintf(descr, sizeof descr, "%sf4", orders[i]);
        ck_assert(heed_data_f32(read_one(descr, &(float){1.5f}, 4))[0] == 1.5f);
        (void)snprintf(descr, sizeof descr, "%sf8", orders[i]);
        ck_assert(heed_data_f64(read_one(descr, &(double){-0.1}, 8))[0] == -0.1);
        (void)snprintf(descr, sizeof descr, "%si2", orders[i]);
        ck_assert_int_eq(heed_data_i64(read_one(descr, &(int16_t){-300}, 2))[0], -300);
        (void)snprintf(descr, sizeof descr, "%su4", orders[i]);
        ck_assert_int_eq(heed_data_i64(read_one(descr, &(uint32_t){4000000000u}, 4))[0], 4000000000);
        (void)snprintf(descr, sizeof descr, "%sb1", orders[i]);
        ck_assert(heed_data_bool(read_one(descr, &(uint8_t){1}, 1))[0]);
        (void)snprintf(descr, sizeof descr, "%s?", orders[i]);
        ck_assert(heed_data_bool(read_one(descr, &(uint8_t){1}, 1))[0]);
    }
    ck_assert(!heed_data_bool(read_one("<?", &(uint8_t){0}, 1))[0]);
    ck_assert_int_eq(heed_data_i64(read_one(">i2", (const uint8_t[]){1, 2}, 2))[0], 258);
}
END_TEST

/* -- Refused files ------------------------------------------------------------------------------------------------ */

static void refuse(const char *header, size_t n_elements, heed_status code, const char *reason)
{
    uint8_t bytes[512] = {0};
    char message[400];
    size_t size = strlen(header);
    memcpy(bytes, "\x93NUMPY\x01\x00", 8);
    bytes[8] = (uint8_t)size;
    memcpy(bytes + 10, header, size);
    (void)snprintf(message, sizeof message, "io_npy_read: npy%s", reason);
    refused(parse_npy, bytes, 10 + size + n_elements, code, message);
}

#define MISSING ": invalid header at \"\": expected all of the keys 'descr', 'fortran_order' and 'shape'"
#define HEADER(descr, shape) "{'descr': " descr ", 'fortran_order': False, 'shape': " shape "}"

START_TEST(headers)
{
    static const struct {
        const char *header, *reason;
    } cases[] = {
        {"", ": invalid header at \"\": expected a dict"},
        {"[]", ": invalid header at \"[]\": expected a dict"},
        {"{}", MISSING},
        {"{'descr': '<f4'}", MISSING},
        {"{'fortran_order': False, 'shape': (3,)}", MISSING},
        {"{'descr': '<f4', 'shape': (3,)}", MISSING},
        {"{'descr': '<f4', 'fortran_order': False}", MISSING},
        {"{'a': 1}", ": invalid header at \": 1}\": expected the keys 'descr', 'fortran_order' and 'shape', once each, "
                     "and no other "
                     "key"},
        {"{'descr': '<f4', 'descr': '<f4'}",
         ": invalid header at \": '<f4'}\": expected the keys 'descr', 'fortran_order' and 'shape', once each, and no "
         "other key"},
        {"{descr: '<f4'}", ": invalid header at \"descr: '<f4'}\": expected a quoted string"},
        {"{'descr", ": invalid header at \"'descr\": expected a closing quote"},
        {"{'descr\\x'", ": invalid header at \"'descr\\x'\": expected a closing quote"},
        {"{'descr' '<f4'}", ": invalid header at \"'<f4'}\": expected ':'"},
        {"{'descr': '<f4' 'shape': ()}", ": invalid header at \"'shape': ()}\": expected ',' or '}'"},
        {"{'fortran_order': 1}", ": invalid header at \"1}\": expected True or False"},
        {"{'shape': 3}", ": invalid header at \"3}\": expected a shape"},
        {"{'shape': (3)}", ": invalid header at \"}\": expected a comma in the shape of one dim, (n,)"},
        {"{'shape': (3 4)}", ": invalid header at \"4)}\": expected ',' or ')'"},
        {"{'shape': (-1,)}", ": invalid header at \"-1,)}\": expected a dim"},
        {"{'shape': (,)}", ": invalid header at \",)}\": expected a dim"},
        {"{'shape': (9223372036854775808,)}",
         ": invalid header at \"9223372036854775808,)}\": expected a dim below 2^63"},
        {"{'shape': (", ": invalid header at \"\": expected a dim"},
        {HEADER("'<f4'", "(3,)") "x", ": invalid header at \"x\": expected the end of the header"},
        {HEADER("'<f4'", "(3,)"), " has 0 bytes of elements, but shape (3) needs 12"},
        {HEADER("'<f8'", "(4294967296, 4294967296)"), ": shape (4294967296, 4294967296) has too many elements"},
        {HEADER("'<f8'", "(0, 4294967296, 4294967296)"), ": shape (0, 4294967296, 4294967296) has too many elements"},
        {HEADER("'<f8'", "(9223372036854775807,)"), ": shape (9223372036854775807) has too many elements"},
        {HEADER("'<f4'", "(1073741824,)"), " has 0 bytes of elements, but shape (1073741824) needs 4294967296"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        refuse(cases[i].header, 0, HEED_ERR_FORMAT, cases[i].reason);
    refuse(HEADER("'<f4'", "(3,)"), 11, HEED_ERR_FORMAT, " has 11 bytes of elements, but shape (3) needs 12");
    refuse(HEADER("'<f4'", "(3,)"), 13, HEED_ERR_FORMAT, " has 13 bytes of elements, but shape (3) needs 12");
}
END_TEST

START_TEST(unsupported)
{
    static const char *const dtypes[] = {"|O",   "|S5", "<U3", "<c8", "<c16", "<u8", "<f16", "=f16", "f",  "<f", "=",
                                         "<<f4", "<m8", "<f3", "<f9", "",     "<i0", "|V2",  "<f44", "??", "?1"};
    char header[100], reason[100];
    for (size_t i = 0; i < COUNT_OF(dtypes); i++) {
        (void)snprintf(header, sizeof header, HEADER("'%s'", "(0,)"), dtypes[i]);
        (void)snprintf(reason, sizeof reason, ": dtype %s is not supported", dtypes[i]);
        refuse(header, 0, HEED_ERR_UNSUPPORTED, reason);
    }
    refuse(HEADER("[('x', '<f4')]", "(0,)"), 0, HEED_ERR_UNSUPPORTED,
           ": dtype [('x', '<f4')], 'fortran_order': False, ... is not supported");
    refuse(HEADER("'<f4'", "(1,1,1,1,1,1,1,1,1)"), 4, HEED_ERR_UNSUPPORTED, ": the shape has more than 8 dims");
    refused(parse_npy, "\x93NUMPY\x04\x00", 8, HEED_ERR_UNSUPPORTED,
            "io_npy_read: npy: version is 4.0: must be 1.0, 2.0 or 3.0");
    refused(parse_npy, "\x93NUMPY\x01\x01", 8, HEED_ERR_UNSUPPORTED,
            "io_npy_read: npy: version is 1.1: must be 1.0, 2.0 or 3.0");
    refused(parse_npy, "\x93NUMPY\x00\x00", 8, HEED_ERR_UNSUPPORTED,
            "io_npy_read: npy: version is 0.0: must be 1.0, 2.0 or 3.0");
}
END_TEST

START_TEST(not_npy)
{
    refused(parse_npy, "PK\3\4\0\0\0\0", 8, HEED_ERR_FORMAT,
            "io_npy_read: npy is a zip archive (unpack it first), not an .npy file");
    refused(parse_npy, "PK\3\5\0\0\0\0", 8, HEED_ERR_FORMAT,
            "io_npy_read: npy is not an .npy file: it does not begin with \"\\x93NUMPY\"");
    refused(parse_npy, "\x93NUMPY\x01", 7, HEED_ERR_FORMAT,
            "io_npy_read: npy is truncated: the next 8 bytes are needed, but only 7 remain");
    refused(parse_npy, "", 0, HEED_ERR_FORMAT, "io_npy_read: npy: it is empty (size is 0)");
    refused(parse_npy, NULL, 1, HEED_ERR_ARGUMENT, "io_npy_read: bytes is NULL, but size is 1");
    refused(parse_npy, "\x93NUMPY\x02\x00\xff\xff\xff\xff", 12, HEED_ERR_FORMAT,
            "io_npy_read: npy has a header of 4294967295 bytes: must be at most 10000");
    static const char nul[] =
        "\x93NUMPY\x01\x00\x37\x00{'descr': '<\0002', 'fortran_order': False, 'shape': (2,), }1234";
    refused(parse_npy, nul, sizeof nul - 1, HEED_ERR_UNSUPPORTED, "io_npy_read: npy: dtype <\\u00002 is not supported");
    refused(parse_npy, "\x93NUMPY\x01\x00\x76\x00{", 11, HEED_ERR_FORMAT,
            "io_npy_read: npy is truncated: the next 118 bytes are needed, but only 1 remain");
}
END_TEST

START_TEST(damaged)
{
    for (size_t i = 0; i < COUNT_OF(npy_files); i++)
        check_damage(parse_npy, "io_npy_read", &npy_files[i]);
}
END_TEST

/* A byte other than 0 and 1 is not a valid C bool. */
START_TEST(invalid_bools)
{
    uint8_t bytes[256];
    const struct reference *r = NULL;
    for (size_t i = 0; i < COUNT_OF(npy_files); i++)
        if (strcmp(npy_files[i].name, "npy_bool") == 0)
            r = &npy_files[i];
    memcpy(bytes, r->bytes, r->size);
    bytes[r->size - 1] = 0x80;
    check_tensor("odd bools", npy_from_memory(bytes, r->size, NULL), r->tensors);
}
END_TEST

START_TEST(names)
{
    const struct reference *r = &npy_files[0];
    const heed_io_read_options o = {.names = (const char *[]){"a"}, .name_count = 1};
    ck_assert_ptr_null(npy_from_memory(r->bytes, r->size, &o));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_npy_read: names must be NULL: an .npy file has one tensor, without a name");
}
END_TEST

START_TEST(limits)
{
    const struct reference *r = &npy_files[0]; /* 24 bytes of elements */
    heed_io_read_options o = {.max_bytes = r->size};
    ck_assert_ptr_nonnull(npy_from_memory(r->bytes, r->size, &o));
    ck_assert_ptr_nonnull(npy_from_memory(r->bytes, r->size, &(heed_io_read_options){0}));
    o.max_bytes--;
    ck_assert_ptr_null(npy_from_memory(r->bytes, r->size, &o));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "io_npy_read: npy has 152 bytes, more than the limit of 151");
    char header[128];
    uint8_t bytes[200] = {0};
    int size = snprintf(header, sizeof header, HEADER("'|u1'", "(30,)"));
    memcpy(bytes, "\x93NUMPY\x01\x00", 8);
    bytes[8] = (uint8_t)size;
    memcpy(bytes + 10, header, (size_t)size);
    ck_assert_ptr_null(npy_from_memory(bytes, 40 + (size_t)size, &(heed_io_read_options){.max_bytes = 200}));
    ck_assert_error(HEED_ERR_UNSUPPORTED,
                    "io_npy_read: npy needs 240 bytes of memory, but only 200 remain of the limit (max_bytes)");
    ck_assert_ptr_nonnull(npy_from_memory(bytes, 40 + (size_t)size, &(heed_io_read_options){.max_bytes = 240}));
}
END_TEST

/* -- Paths and memory --------------------------------------------------------------------------------------------- */

START_TEST(paths)
{
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(2));
    for (size_t i = 0; i < COUNT_OF(bad_paths); i++) {
        ck_assert_int_eq(heed_io_npy_write(bad_paths[i][0], t), HEED_ERR_IO);
        ck_assert(strstr(heed_error_message(), bad_paths[i][0]) != NULL);
        ck_assert_error(HEED_ERR_IO, bad_paths[i][1]);
        ck_assert_ptr_null(heed_io_npy_read(bad_paths[i][0], NULL));
        ck_assert_error(HEED_ERR_IO, bad_paths[i][0]);
    }
    ck_assert_int_eq(heed_io_npy_write(NULL, t), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "io_npy_write: path is NULL");
    ck_assert_int_eq(heed_io_npy_write("/tmp/x", NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "io_npy_write: the tensor is NULL");
    heed_tensor *huge = heed_expand(t, HEED_SHAPE(INT64_C(1) << 31, INT64_C(1) << 30, heed_numel(t)));
    ck_assert_int_eq(heed_io_npy_write("/tmp/x", huge), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "a view of shape (2147483648, 1073741824, ");
    ck_assert_ptr_null(heed_io_npy_read(NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_npy_read: path is NULL");
    ck_assert_ptr_null(heed_io_npy_read("a.npy", &(heed_io_read_options){.bytes = "x", .size = 1}));
    ck_assert_error(HEED_ERR_FORMAT, "io_npy_read: a.npy is truncated");
    ck_assert_ptr_null(heed_io_npy_read("/etc/passwd", NULL));
    ck_assert_error(HEED_ERR_FORMAT, "io_npy_read: /etc/passwd is not an .npy file");
}
END_TEST

static bool write_and_read(double *value)
{
    heed_tensor *m = heed_linspace(HEED_F64, 0, 1, 6);
    m = m ? heed_transpose(heed_reshape(m, HEED_SHAPE(2, 3)), 0, 1) : NULL;
    if (!m || heed_io_npy_write(in_folder("a.npy"), m) != HEED_OK)
        return false;
    m = heed_io_npy_read(in_folder("a.npy"), NULL);
    *value = m ? heed_get(m, HEED_INDEX(2, 1)) : 0;
    return m != NULL;
}

static bool parse_all(double *value)
{
    for (size_t i = 0; i < COUNT_OF(npy_files); i++)
        if (!npy_from_memory(npy_files[i].bytes, npy_files[i].size, NULL))
            return false;
    *value = 1;
    return true;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(write_and_read);
    fail_alloc_sweep(parse_all);
    fail_alloc_uninstall();
    ck_assert_int_eq(files_in_folder(), 1);
    ck_assert_int_eq(unlink(in_folder("a.npy")), 0);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("npy", files_made_by_numpy, native_byte_order, round_trips, large_and_converted, a_long_header,
               vector_in_fortran_order, headers, unsupported, not_npy, damaged, invalid_bools, names, limits, paths,
               out_of_memory)
