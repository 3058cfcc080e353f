/* tests/io/files.h - shared helpers for the tests of tensor files: a folder, comparison with a reference, damaged
 * copies.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef FILES_H
#define FILES_H

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check_heed.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* The expected content of a file, written by reference/files_reference.py. */
struct expected {
    const char *name;
    heed_dtype dtype;
    heed_shape shape;
    double values[24];
};

struct reference {
    const char *name;
    const uint8_t *bytes;
    size_t size;
    const struct expected *tensors;
    int count;
};

/* -- A temporary folder ------------------------------------------------------------------------------------------- */

static char folder[64], folder_path[2][160];

/* Returns the path of a file in the folder; the last two results stay valid. The folder lies in memory if possible,
 * since fsync on a disk is slow. */
static inline const char *in_folder(const char *name)
{
    static int turn;
    if (!*folder) {
        (void)snprintf(folder, sizeof folder, "%s/heed-files-XXXXXX",
                       access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        ck_assert_ptr_nonnull(mkdtemp(folder));
    }
    turn = 1 - turn;
    (void)snprintf(folder_path[turn], sizeof folder_path[turn], "%s/%s", folder, name);
    return folder_path[turn];
}

static inline int files_in_folder(void)
{
    int count = 0;
    DIR *d = opendir(folder);
    ck_assert_ptr_nonnull(d);
    for (struct dirent *it = readdir(d); it; it = readdir(d))
        count += it->d_name[0] != '.' || strlen(it->d_name) > 2;
    (void)closedir(d);
    return count;
}

/* Requires the folder to be empty: no temporary file may remain. */
static inline void remove_folder(void)
{
    ck_assert_int_eq(rmdir(folder), 0);
    folder[0] = '\0';
}

static inline uint8_t *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size + 1);
    ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
    ck_assert_int_eq(fclose(file), 0);
    return bytes;
}

static inline void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

/* -- Comparing ---------------------------------------------------------------------------------------------------- */

static inline double value_at(const heed_tensor *t, int64_t i)
{
    switch (heed_dtype_of(t)) {
    case HEED_F32:
        return (double)heed_data_f32(t)[i];
    case HEED_F64:
        return heed_data_f64(t)[i];
    case HEED_I64:
        return (double)heed_data_i64(t)[i];
    default:
        return heed_data_bool(t)[i];
    }
}

static inline void check_tensor(const char *file, const heed_tensor *t, const struct expected *e)
{
    ck_assert_msg(t != NULL, "%s, %s: %s", file, e->name, heed_error_message());
    ck_assert_msg(heed_dtype_of(t) == e->dtype, "%s, %s: %s", file, e->name, heed_dtype_name(heed_dtype_of(t)));
    ck_assert_msg(heed_shape_equal(heed_shape_of(t), e->shape), "%s, %s: the shape", file, e->name);
    ck_assert(heed_is_contiguous(t));
    for (int64_t i = 0; i < heed_numel(t); i++) {
        double value = value_at(t, i), expected = e->values[i];
        bool same = (isnan(value) && isnan(expected)) || (value == expected && signbit(value) == signbit(expected));
        ck_assert_msg(same, "%s, %s, element %d: %.17g, not %.17g", file, e->name, (int)i, value, expected);
    }
}

static inline void check_dict(const heed_dict *dict, const struct reference *r)
{
    ck_assert_msg(dict != NULL, "%s: %s", r->name, heed_error_message());
    ck_assert_int_eq(heed_dict_size(dict), r->count);
    for (int i = 0; i < r->count; i++) {
        ck_assert_str_eq(heed_dict_name(dict, i), r->tensors[i].name);
        check_tensor(r->name, heed_dict_at(dict, i), &r->tensors[i]);
    }
}

/* Checks for the same names, dtypes, shapes, bits and texts. */
static inline void check_same_dict(const heed_dict *a, const heed_dict *b)
{
    ck_assert_msg(a && b, "%s", heed_error_message());
    ck_assert_int_eq(heed_dict_size(a), heed_dict_size(b));
    for (int64_t i = 0; i < heed_dict_size(a); i++) {
        heed_tensor *x = heed_dict_at(a, i), *y = heed_dict_at(b, i);
        ck_assert_str_eq(heed_dict_name(a, i), heed_dict_name(b, i));
        ck_assert_int_eq(heed_dtype_of(x), heed_dtype_of(y));
        ck_assert(heed_shape_equal(heed_shape_of(x), heed_shape_of(y)));
        heed_tensor *rows = heed_contiguous(x);
        for (int64_t k = 0; k < heed_numel(x); k++)
            ck_assert_same(value_at(rows, k), value_at(y, k));
    }
    ck_assert_int_eq(heed_dict_text_count(a), heed_dict_text_count(b));
    for (int64_t i = 0; i < heed_dict_text_count(a); i++) {
        const char *key = heed_dict_text_key(a, i);
        ck_assert_str_eq(heed_dict_text_key(b, i), key);
        ck_assert_str_eq(heed_dict_text(a, key), heed_dict_text(b, key));
    }
}

/* Returns tensors of every dtype and of ranks 0 to 8, empty ones, views, and one that requires a gradient. */
static inline heed_dict *sample_tensors(void)
{
    heed_dict *d = heed_dict_new();
    heed_shape shape = HEED_SCALAR;
    char name[32];
    for (int rank = 0; rank <= HEED_MAX_RANK; rank++) {
        for (int dtype = 0; dtype < HEED_DTYPE_COUNT; dtype++) {
            heed_tensor *t = heed_to_dtype(heed_mul_scalar(heed_randn(HEED_F64, shape), 100), (heed_dtype)dtype);
            (void)snprintf(name, sizeof name, "%s.%d", heed_dtype_name((heed_dtype)dtype), rank);
            ck_assert_int_eq(heed_dict_set(d, name, t), HEED_OK);
        }
        if (rank < HEED_MAX_RANK)
            shape.dims[shape.rank++] = rank % 3 + 1;
    }
    heed_tensor *m = heed_randn(HEED_F32, HEED_SHAPE(3, 4));
    ck_assert_int_eq(heed_dict_set(d, "transposed", heed_transpose(m, 0, 1)), HEED_OK);
    ck_assert_int_eq(heed_dict_set(d, "expanded", heed_expand(heed_slice(m, 0, 0, 1, 1), HEED_SHAPE(5, 4))), HEED_OK);
    ck_assert_int_eq(heed_dict_set(d, "empty", heed_zeros(HEED_BOOL, HEED_SHAPE(2, 0, 3))), HEED_OK);
    ck_assert_int_eq(heed_dict_set(d, "w", heed_set_requires_grad(heed_randn(HEED_F64, HEED_SHAPE(2)), true)), HEED_OK);
    ck_assert_int_eq(
        heed_dict_set(d, "edge", HEED_TENSOR(HEED_F64, HEED_SHAPE(4), -0.0, (double)NAN, 5e-324, HUGE_VAL)), HEED_OK);
    return d;
}

/* -- Damaging ----------------------------------------------------------------------------------------------------- */

typedef heed_dict *(*parse_function)(const void *bytes, size_t size, const heed_io_read_options *options);

/* Parsing must give a dict, or an error that names the function, and must free its memory. Returns true for a dict. */
static inline bool parse_damaged(parse_function parse, const char *function, const uint8_t *bytes, size_t size)
{
    uint8_t *exact = malloc(size > 0 ? size : 1); /* exact size: sanitizers detect reads past the end */
    if (size > 0)
        memcpy(exact, bytes, size);
    int64_t before = heed_memory_get_stats().live_bytes;
    heed_scope *scope = heed_scope_begin();
    heed_dict *dict = parse(exact, size, &(heed_io_read_options){.max_bytes = 1 << 20});
    heed_status code = heed_error_code();
    ck_assert_int_eq(dict == NULL, code != HEED_OK);
    ck_assert_msg(dict || code == HEED_ERR_FORMAT || code == HEED_ERR_UNSUPPORTED, "%s", heed_error_message());
    ck_assert_msg(dict || strncmp(heed_error_message(), function, strlen(function)) == 0, "%s", heed_error_message());
    bool parsed = dict != NULL;
    heed_error_clear();
    heed_dict_free(dict);
    heed_scope_end(scope);
    ck_assert_int_eq(heed_memory_get_stats().live_bytes, before);
    free(exact);
    return parsed;
}

static inline void check_damage(parse_function parse, const char *function, const struct reference *r)
{
    uint8_t *copy = malloc(r->size + 1);
    heed_dict_free(parse(r->bytes, r->size, NULL)); /* also allocates this thread's state */
    for (size_t n = 0; n < r->size; n++)
        ck_assert_msg(!parse_damaged(parse, function, r->bytes, n), "%s, cut to %zu bytes", r->name, n);
    memcpy(copy, r->bytes, r->size);
    copy[r->size] = ' ';
    ck_assert_msg(!parse_damaged(parse, function, copy, r->size + 1), "%s, with a byte behind", r->name);
    for (size_t at = 0; at < r->size; at++)
        for (int bit = 0; bit < 8; bit++) {
            copy[at] ^= (uint8_t)(1u << bit);
            (void)parse_damaged(parse, function, copy, r->size);
            copy[at] = r->bytes[at];
        }
    free(copy);
}

/* Checks for a refusal with this complete message. */
static inline void refused(parse_function parse, const void *bytes, size_t size, heed_status code, const char *message)
{
    heed_dict *dict = parse(bytes, size, NULL);
    ck_assert_msg(dict == NULL, "not refused: %s", message);
    ck_assert_msg(heed_error_code() == code && strcmp(heed_error_message(), message) == 0, "\"%s\" (%s), not \"%s\"",
                  heed_error_message(), heed_status_name(heed_error_code()), message);
    heed_error_clear();
}

/* Paths that cannot be written or read. */
static const char *const bad_paths[][2] = {
#ifndef _WIN32
    {"/dev/null/x", "Not a directory"},
#endif
    {"/dev/full", "it is not a regular file"},
    {"/tmp", "it is not a regular file"},
    {"/nowhere/at/all", "No such file or directory"}};

#endif
