/* tests/io/test_idx.c - tests of the IDX reader: values of every type, gzip, and everything that can be wrong with a
 * file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "from_memory.h"

#include <unistd.h>

#include "fail_alloc.h"
#include "reference/idx_reference.h"

#define BYTES(name) idx_##name, sizeof idx_##name
#define CASES (sizeof idx_cases / sizeof idx_cases[0])

static heed_tensor *parse(const void *bytes, size_t size, heed_dtype dtype)
{
    heed_tensor *t = idx_from_memory(bytes, size, &(heed_io_idx_options){.dtype = dtype});
    ck_assert_msg(t != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_dtype_of(t), dtype);
    return t;
}

static void check_refused(const void *bytes, size_t size, const heed_io_idx_options *options, heed_status code,
                          const char *message)
{
    ck_assert_ptr_null(idx_from_memory(bytes, size, options));
    ck_assert_int_eq(heed_error_code(), code);
    ck_assert_str_eq(heed_error_message(), message);
    heed_error_clear();
}

static void refused(const void *bytes, size_t size, const char *reason)
{
    char message[160];
    (void)snprintf(message, sizeof message, "io_idx_read: idx: %s", reason);
    check_refused(bytes, size, NULL, HEED_ERR_FORMAT, message);
}

/* -- Values ----------------------------------------------------------------------------------------------------- */

START_TEST(all_types)
{
    for (size_t i = 0; i < CASES; i++) {
        const struct idx_case *c = &idx_cases[i];
        heed_tensor *f64 = parse(c->bytes, c->size, HEED_F64), *f32 = parse(c->bytes, c->size, HEED_F32);
        ck_assert(heed_shape_equal(heed_shape_of(f64), c->shape));
        ck_assert(heed_shape_equal(heed_shape_of(f32), c->shape));
        for (int64_t k = 0; k < heed_numel(f64); k++) {
            ck_assert_same(heed_data_f64(f64)[k], c->values[k]);
            ck_assert_same((double)heed_data_f32(f32)[k], (double)(float)c->values[k]);
        }
    }
    ck_assert(signbit(heed_get(parse(BYTES(f32), HEED_F32), HEED_INDEX(0, 1))));
}
END_TEST

START_TEST(whole_numbers_and_flags)
{
    for (size_t i = 0; i < CASES; i++) {
        const struct idx_case *c = &idx_cases[i];
        heed_tensor *flags = parse(c->bytes, c->size, HEED_BOOL);
        for (int64_t k = 0; k < heed_numel(flags); k++)
            ck_assert_int_eq(heed_data_bool(flags)[k], c->values[k] != 0);
        if (c->bytes == idx_f32 || c->bytes == idx_f64)
            continue;
        heed_tensor *whole = parse(c->bytes, c->size, HEED_I64);
        for (int64_t k = 0; k < heed_numel(whole); k++)
            ck_assert_same((double)heed_data_i64(whole)[k], c->values[k]);
    }
}
END_TEST

/* Every case is one f64. A value that an i64 cannot hold is an error instead of being rounded to a nearby number. */
START_TEST(floats_as_i64)
{
    static const uint8_t good[][8] = {{0xc3, 0xe0}, {0x43, 0xdf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, {0x80}};
    static const int64_t expected[] = {INT64_MIN, INT64_C(0x7ffffffffffffc00), 0};
    static const uint8_t bad[][8] = {
        {0x43, 0xe0}, {0xc3, 0xe0, 0, 0, 0, 0, 0, 1}, {0x3f, 0xe0}, {0x7f, 0xf0}, {0x7f, 0xf8}};
    static const char *const printed[] = {"9.22337e+18", "-9.22337e+18", "0.5", "inf", "nan"};
    uint8_t file[12] = {0, 0, 0x0e, 0};
    for (size_t i = 0; i < 3; i++) {
        memcpy(file + 4, good[i], 8);
        ck_assert_int_eq(heed_item_i64(parse(file, sizeof file, HEED_I64)), expected[i]);
    }
    for (size_t i = 0; i < 5; i++) {
        char message[100];
        memcpy(file + 4, bad[i], 8);
        (void)snprintf(message, sizeof message, "io_idx_read: idx: an i64 cannot hold the value %s", printed[i]);
        check_refused(file, sizeof file, &(heed_io_idx_options){.dtype = HEED_I64}, HEED_ERR_FORMAT, message);
    }
}
END_TEST

START_TEST(scale)
{
    heed_tensor *t = idx_from_memory(BYTES(u8), &(heed_io_idx_options){.scale = 1.0 / 255});
    for (int64_t i = 0; i < 6; i++)
        ck_assert_same((double)heed_data_f32(t)[i], (double)(float)(idx_cases[0].values[i] * (1.0 / 255)));
    t = idx_from_memory(BYTES(i8), &(heed_io_idx_options){.dtype = HEED_F64, .scale = -2.0});
    ck_assert_same(heed_get(t, HEED_INDEX(0, 0)), 256.0);
    t = idx_from_memory(BYTES(u8), NULL);
    ck_assert_int_eq(heed_dtype_of(t), HEED_F32);
    ck_assert_same(heed_get(t, HEED_INDEX(1, 2)), 255.0);
}
END_TEST

/* -- gzip ------------------------------------------------------------------------------------------------------- */

static void check_u8(const void *bytes, size_t size)
{
    heed_tensor *t = parse(bytes, size, HEED_I64);
    ck_assert(heed_shape_equal(heed_shape_of(t), HEED_SHAPE(2, 3)));
    for (int64_t i = 0; i < 6; i++)
        ck_assert_same((double)heed_data_i64(t)[i], idx_cases[0].values[i]);
}

START_TEST(gzip)
{
    check_u8(BYTES(gzip));
    check_u8(BYTES(gzip_stored));
    check_u8(BYTES(gzip_decorated));
    check_u8(BYTES(gzip_members));
}
END_TEST

/* Longer than one chunk of decompression. */
START_TEST(long_gzip)
{
    heed_tensor *t = parse(BYTES(gzip_zeros), HEED_F32);
    ck_assert(heed_shape_equal(heed_shape_of(t), HEED_SHAPE(1024, 1024)));
    ck_assert_same(heed_item(heed_max(t)), 0.0);
    ck_assert_same(heed_item(heed_min(t)), 0.0);
}
END_TEST

START_TEST(broken_gzip)
{
    refused(BYTES(gzip_short), "too few bytes for shape (2, 3) and 1 bytes per value");
    refused(BYTES(gzip_long), "too many bytes for shape (2, 3) and 1 bytes per value");
    refused(BYTES(gzip_bomb), "too many bytes for shape (2, 3) and 1 bytes per value");
    refused(BYTES(gzip_behind), "the gzip stream is broken: incorrect header check");
    refused(idx_gzip, sizeof idx_gzip - 1, "the gzip stream is broken: it is truncated");
    refused(idx_gzip, 2, "the gzip stream is broken: it is truncated");
    uint8_t copy[sizeof idx_gzip];
    memcpy(copy, idx_gzip, sizeof copy);
    copy[sizeof copy - 5] ^= 1;
    refused(copy, sizeof copy, "the gzip stream is broken: incorrect data check");
    copy[2] = 7;
    refused(copy, sizeof copy, "the gzip stream is broken: unknown compression method");
}
END_TEST

/* -- Damaged files give an error or the tensor, never a crash or a leak ----------------------------------------- */

static void expect_format_error(const void *bytes, size_t size)
{
    uint8_t *exact = malloc(size > 0 ? size : 1); /* exact size: sanitizers detect reads past the end */
    if (size > 0)
        memcpy(exact, bytes, size);
    ck_assert_msg(idx_from_memory(exact, size, NULL) == NULL, "%zu bytes", size);
    ck_assert_error(HEED_ERR_FORMAT, "io_idx_read: idx: ");
    free(exact);
}

START_TEST(every_truncation)
{
    for (size_t i = 0; i < CASES; i++)
        for (size_t n = 0; n < idx_cases[i].size; n++)
            expect_format_error(idx_cases[i].bytes, n);
    for (size_t n = 0; n < sizeof idx_gzip_members; n++)
        expect_format_error(idx_gzip_members, n);
    for (size_t n = 0; n < sizeof idx_gzip_decorated; n++)
        expect_format_error(idx_gzip_decorated, n);
    for (size_t n = 0; n < sizeof idx_gzip_zeros; n++)
        expect_format_error(idx_gzip_zeros, n);
}
END_TEST

START_TEST(surplus_bytes)
{
    for (size_t i = 0; i < CASES; i++) {
        uint8_t longer[64] = {0};
        memcpy(longer, idx_cases[i].bytes, idx_cases[i].size);
        expect_format_error(longer, idx_cases[i].size + 1);
        expect_format_error(longer, sizeof longer);
    }
    refused("\0\0\x08\0\x05\x06", 6, "too many bytes for shape () and 1 bytes per value");
}
END_TEST

/* A changed gzip file is refused, unless the change does not affect the content. */
static void change_bytes(const uint8_t *bytes, size_t size, bool checked)
{
    uint8_t copy[160];
    ck_assert_uint_le(size, sizeof copy);
    for (size_t at = 0; at < size; at++)
        for (int change = 1; change < 256; change++) {
            memcpy(copy, bytes, size);
            copy[at] ^= (uint8_t)change;
            heed_scope *scope = heed_scope_begin();
            heed_tensor *t = idx_from_memory(copy, size, &(heed_io_idx_options){.max_bytes = 1 << 16});
            heed_status code = heed_error_code();
            ck_assert_int_eq(t == NULL, code != HEED_OK);
            ck_assert(t || code == HEED_ERR_FORMAT || code == HEED_ERR_UNSUPPORTED);
            heed_error_clear();
            if (t && checked)
                check_u8(copy, size);
            heed_scope_end(scope);
        }
}

START_TEST(every_change_of_a_byte)
{
    change_bytes(BYTES(gzip), true);
    change_bytes(BYTES(gzip_stored), true);
    change_bytes(BYTES(gzip_decorated), true);
    change_bytes(BYTES(gzip_members), true);
    for (size_t i = 0; i < CASES; i++)
        change_bytes(idx_cases[i].bytes, idx_cases[i].size, false);
}
END_TEST

/* -- Headers ---------------------------------------------------------------------------------------------------- */

START_TEST(headers)
{
    refused("", 0, "it is empty (size is 0)");
    refused("\0\0\x08", 3, "it ends within the magic number of 4 bytes");
    refused("a,b\n1,2\n", 8, "magic number 612c620a: an IDX file begins with two zero bytes");
    refused("\1\x8b\x08\1", 4, "magic number 018b0801: an IDX file begins with two zero bytes"); /* nor gzip */
    refused("\0\1\x08\1", 4, "magic number 00010801: an IDX file begins with two zero bytes");
    refused("\0\0\x08\x09", 4, "it has 9 dims: must be at most 8");
    refused("\0\0\x08\xff", 4, "it has 255 dims: must be at most 8");
    refused("\0\0\x08\x02\0\0\0\1\0\0\0", 11, "it ends within the dims");
    for (int type = 0; type < 256; type++) {
        uint8_t file[5] = {0, 0, (uint8_t)type, 0, 0};
        char message[100];
        (void)snprintf(message, sizeof message, "io_idx_read: idx: type is %02x: must be 08, 09, 0b, 0c, 0d or 0e",
                       (unsigned)type);
        if (type < 8 || type == 0x0a || type > 0x0e)
            check_refused(file, sizeof file, NULL, HEED_ERR_FORMAT, message);
    }
}
END_TEST

/* Products of dims that overflow: 2^64, 2^63 elements of 8 bytes, and 2^64 with a further dim of zero. */
START_TEST(huge_dims)
{
    refused("\0\0\x08\x02\xff\xff\xff\xff\xff\xff\xff\xff", 12,
            "too many values for shape (4294967295, 4294967295) and 1 bytes per value");
    refused("\0\0\x08\x04\0\1\0\0\0\1\0\0\0\1\0\0\0\1\0\0\x07", 21,
            "too many values for shape (65536, 65536, 65536, 65536) and 1 bytes per value");
    refused("\0\0\x0e\x02\x80\0\0\0\x40\0\0\0", 12,
            "too many values for shape (2147483648, 1073741824) and 8 bytes per value");
    refused("\0\0\x08\x03\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 16,
            "too many values for shape (0, 4294967295, 4294967295) and 1 bytes per value");
    check_refused(
        "\0\0\x0c\x02\x80\0\0\x01\x7f\xff\xff\xff", 12, NULL, HEED_ERR_UNSUPPORTED, /* 2^64 - 4 bytes */
        "io_idx_read: idx has a header of 12 bytes and 18446744073709551612 bytes of values, more than the limit of "
        "4294967296 (max_bytes)");
    check_refused("\0\0\x08\x02\x10\0\0\0\0\0\0\x01", 12, NULL, HEED_ERR_FORMAT,
                  "io_idx_read: idx: too few bytes for shape (268435456, 1) and 1 bytes per value");
    check_refused("\0\0\x0c\x02\x40\0\0\0\0\0\0\x01", 12, NULL, HEED_ERR_UNSUPPORTED,
                  "io_idx_read: idx has a header of 12 bytes and 4294967296 bytes of values, more than the limit of "
                  "4294967296 (max_bytes)");
}
END_TEST

START_TEST(options)
{
    static const double scales[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 3; i++) {
        ck_assert_ptr_null(idx_from_memory(BYTES(u8), &(heed_io_idx_options){.scale = scales[i]}));
        ck_assert_error(HEED_ERR_ARGUMENT, "io_idx_read: scale");
    }
    check_refused(BYTES(u8), &(heed_io_idx_options){.dtype = HEED_I64, .scale = 0.5}, HEED_ERR_ARGUMENT,
                  "io_idx_read: scale is 0.5: must be finite, and 0 unless dtype is f32 or f64");
    ck_assert_ptr_null(heed_io_idx_read("/nowhere", &(heed_io_idx_options){.dtype = HEED_BOOL, .scale = 1.0}));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_idx_read: scale");
    check_refused(BYTES(u8), &(heed_io_idx_options){.dtype = (heed_dtype)7}, HEED_ERR_DTYPE,
                  "io_idx_read: dtype is 7: must be a heed_dtype");
    ck_assert_ptr_nonnull(idx_from_memory(BYTES(u8), &(heed_io_idx_options){.max_bytes = 6 * sizeof(float)}));
    ck_assert_ptr_nonnull(idx_from_memory(BYTES(gzip), &(heed_io_idx_options){.max_bytes = 6 * sizeof(float)}));
    check_refused(BYTES(gzip), &(heed_io_idx_options){.max_bytes = 6 * sizeof(float) - 1}, HEED_ERR_UNSUPPORTED,
                  "io_idx_read: idx: a tensor of shape (2, 3) and dtype f32 needs more memory than the limit of 23 "
                  "bytes (max_bytes)");
    check_refused(
        BYTES(gzip), &(heed_io_idx_options){.max_bytes = sizeof idx_u8 - 1}, HEED_ERR_UNSUPPORTED,
        "io_idx_read: idx has a header of 12 bytes and 6 bytes of values, more than the limit of 17 (max_bytes)");
    check_refused(NULL, 3, NULL, HEED_ERR_ARGUMENT, "io_idx_read: bytes is NULL, but size is 3");
}
END_TEST

/* -- Memory ----------------------------------------------------------------------------------------------------- */

static int64_t peak_of(const void *bytes, size_t size)
{
    heed_memory_reset_peak();
    int64_t before = heed_memory_get_stats().live_bytes;
    heed_scope *scope = heed_scope_begin();
    (void)idx_from_memory(bytes, size, NULL);
    int64_t peak = heed_memory_get_stats().peak_bytes - before;
    heed_error_clear();
    heed_scope_end(scope);
    return peak;
}

/* A header's claim costs no memory unless the file can have the bytes. */
START_TEST(claims_do_not_allocate)
{
    ck_assert_int_le(peak_of("\0\0\x08\x01\x3f\0\0\0", 8), 1 << 10);
    ck_assert_int_le(peak_of(BYTES(gzip_claim)), 128 << 10);
    ck_assert_int_le(peak_of(BYTES(gzip_bomb)), 128 << 10);
    ck_assert_int_le(peak_of(BYTES(gzip_zeros)), (4 << 20) + (1 << 20)); /* the allocator rounds up */
    refused(BYTES(gzip_claim), "too few bytes for shape (512, 1024, 1024) and 1 bytes per value");
}
END_TEST

/* A failure frees memory at once, not when the caller's scope ends. */
START_TEST(failures_free_memory)
{
    ck_assert_ptr_nonnull(idx_from_memory(BYTES(gzip), NULL)); /* also allocates this thread's state */
    int64_t before = heed_memory_get_stats().live_bytes;
    ck_assert_ptr_null(idx_from_memory(BYTES(gzip_long), NULL));
    ck_assert_error(HEED_ERR_FORMAT, "too many");
    ck_assert_int_eq(heed_memory_get_stats().live_bytes, before);
}
END_TEST

static char path[64];

static void write_file(const void *bytes, size_t size)
{
    (void)snprintf(path, sizeof path, "/tmp/heed-idx-%ld", (long)getpid());
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

static bool read_program(double *value)
{
    heed_tensor *t = heed_io_idx_read(path, NULL);
    *value = t ? heed_get(t, HEED_INDEX(1, 2)) : 0;
    return t != NULL;
}

static bool parse_program(double *value)
{
    heed_tensor *t = idx_from_memory(BYTES(i8), NULL);
    *value = t ? heed_get(t, HEED_INDEX(0, 0)) : 0;
    return t != NULL;
}

START_TEST(out_of_memory)
{
    write_file(BYTES(gzip_members));
    fail_alloc_install();
    fail_alloc_sweep(read_program);
    fail_alloc_sweep(parse_program);
    fail_alloc_uninstall();
    (void)unlink(path);
}
END_TEST

/* -- Files ------------------------------------------------------------------------------------------------------ */

START_TEST(files)
{
    write_file(BYTES(f64));
    heed_tensor *t = heed_io_idx_read(path, &(heed_io_idx_options){.dtype = HEED_F64});
    ck_assert_same(heed_get(t, HEED_INDEX(0)), 0.1);
    ck_assert_ptr_null(heed_io_idx_read(path, &(heed_io_idx_options){.max_bytes = 39}));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "has 40 bytes, more than the limit of 39");
    write_file(BYTES(gzip_behind));
    ck_assert_ptr_null(heed_io_idx_read(path, NULL));
    ck_assert_ptr_nonnull(strstr(heed_error_message(), path));
    ck_assert_error(HEED_ERR_FORMAT, "the gzip stream is broken");
    write_file("", 0);
    ck_assert_ptr_null(heed_io_idx_read(path, NULL));
    ck_assert_error(HEED_ERR_FORMAT, "it ends within the magic number");
    (void)unlink(path);
    ck_assert_ptr_null(heed_io_idx_read(path, NULL));
    ck_assert_error(HEED_ERR_IO, "No such file or directory");
    ck_assert_ptr_null(heed_io_idx_read(NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "path is NULL");
    ck_assert_ptr_null(heed_io_idx_read("images", &(heed_io_idx_options){.bytes = "x", .size = 1}));
    ck_assert_error(HEED_ERR_FORMAT, "io_idx_read: images: it ends within the magic number");
    ck_assert_ptr_null(heed_io_idx_dataset("images", &(heed_io_idx_options){.bytes = "x", .size = 1}));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_idx_dataset: bytes and size must be 0: the dataset stays in a file");
}
END_TEST

HEED_TEST_MAIN("idx", all_types, whole_numbers_and_flags, floats_as_i64, scale, gzip, long_gzip, broken_gzip,
               every_truncation, surplus_bytes, every_change_of_a_byte, headers, huge_dims, options,
               claims_do_not_allocate, failures_free_memory, out_of_memory, files)
