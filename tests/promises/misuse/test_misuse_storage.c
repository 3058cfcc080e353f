/* tests/promises/misuse/test_misuse_storage.c - heed/dict.h and the files of tensors in heed/io.h misused.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "from_memory.h"
#include "misuse.h"

static char path[64];

static void name_path(void)
{
    (void)snprintf(path, sizeof path, "/tmp/heed-misuse-storage-%ld", (long)getpid());
}

static const char *const names[] = {NULL,   "",      "a",        "b.c",  "/",           "..",
                                    "\xff", "a\xc3", "\xc3\xa4", "%s%n", "__metadata__"};
static const char *const paths[] = {"", "/", "/dev/zero", "/dev/full", "/nowhere/at/all", "/etc/passwd/x"};

/* An error for lack of memory may have the name of the function that requested it. */
static void wrote(const char *name, heed_status status)
{
    ck_assert_int_eq(status, heed_error_code());
    if (status != HEED_OK && status != HEED_ERR_NOMEM)
        ck_assert_msg(misuse_names(name), "%s: %s", name, heed_error_message());
    ck_assert_int_eq(access(path, F_OK), status == HEED_OK ? 0 : -1);
    heed_error_clear();
    (void)unlink(path);
}

static void looked(const char *name, const void *found)
{
    if (found)
        ck_assert_int_eq(heed_error_code(), HEED_OK);
    else
        misuse_failed(name);
}

/* -- Dicts -------------------------------------------------------------------------------------------------------- */

START_TEST(dicts)
{
    zoo z;
    zoo_open(&z);
    heed_dict *real = heed_dict_new();
    for (int round = 0; round < 20000; round++) {
        heed_dict *d = misuse_random() % 16 ? real : NULL;
        const char *name = ANY_OF(names), *text = ANY_OF(names);
        misuse_status("dict_set", heed_dict_set(d, name, ANY_OF(z.animals)));
        misuse_status("dict_set_text", heed_dict_set_text(d, name, text));
        looked("dict_get", heed_dict_get(d, name));
        int64_t i = ANY_OF(hostile_counts);
        looked("dict_name", heed_dict_name(d, i));
        looked("dict_at", heed_dict_at(d, i));
        looked("dict_text_key", heed_dict_text_key(d, i));
        if (!heed_dict_has(d, name) && (!d || !name))
            misuse_failed("dict_has");
        if (!heed_dict_text(d, name) && (!d || !name))
            misuse_failed("dict_text");
        ck_assert_int_le(heed_dict_size(d), COUNT_OF(names));
        if (!d)
            misuse_failed("dict_size");
        ck_assert_int_le(heed_dict_text_count(d), COUNT_OF(names));
        if (!d)
            misuse_failed("dict_text_count");
        ck_assert_int_eq(heed_error_code(), HEED_OK);
    }
    heed_dict_free(real);
    heed_dict_free(NULL);
}
END_TEST

/* -- Writers ------------------------------------------------------------------------------------------------------ */

START_TEST(writers)
{
    zoo z;
    zoo_open(&z);
    name_path();
    for (int i = 0; i < ZOO_SIZE; i++)
        wrote("io_npy_write", heed_io_npy_write(path, z.animals[i]));
    for (int round = 0; round < 200; round++) {
        heed_dict *d = heed_dict_new();
        for (int i = 0; i < 4; i++) {
            (void)heed_dict_set(d, ANY_OF(names), ANY_OF(z.animals));
            (void)heed_dict_set_text(d, ANY_OF(names), ANY_OF(names));
            heed_error_clear();
        }
        wrote("io_npz_write",
              heed_io_npz_write(path, d, round % 3 ? &(heed_io_npz_options){.compressed = round % 3 == 1} : NULL));
        wrote("io_safetensors_write", heed_io_safetensors_write(path, d));
        heed_dict_free(d);
    }
}
END_TEST

START_TEST(writers_to_nowhere)
{
    heed_tensor *t = heed_ones(HEED_F32, HEED_SCALAR);
    heed_dict *d = heed_dict_new();
    ck_assert_status_fails("io_npy_write", HEED_ERR_ARGUMENT, "path is NULL", heed_io_npy_write(NULL, t));
    ck_assert_status_fails("io_npy_write", HEED_ERR_ARGUMENT, "tensor is NULL", heed_io_npy_write("/tmp/x", NULL));
    ck_assert_status_fails("io_npz_write", HEED_ERR_ARGUMENT, "path is NULL", heed_io_npz_write(NULL, d, NULL));
    ck_assert_status_fails("io_npz_write", HEED_ERR_ARGUMENT, "dict is NULL", heed_io_npz_write("/tmp/x", NULL, NULL));
    ck_assert_status_fails("io_safetensors_write", HEED_ERR_ARGUMENT, "path is NULL",
                           heed_io_safetensors_write(NULL, d));
    ck_assert_status_fails("io_safetensors_write", HEED_ERR_ARGUMENT, "dict is NULL",
                           heed_io_safetensors_write("/tmp/x", NULL));
    for (int i = 0; i < COUNT_OF(paths); i++) {
        ck_assert_status_fails("io_npy_write", HEED_ERR_IO, paths[i], heed_io_npy_write(paths[i], t));
        ck_assert_status_fails("io_npz_write", HEED_ERR_IO, paths[i], heed_io_npz_write(paths[i], d, NULL));
        ck_assert_status_fails("io_safetensors_write", HEED_ERR_IO, paths[i], heed_io_safetensors_write(paths[i], d));
    }
    heed_dict_free(d);
}
END_TEST

/* -- Readers ------------------------------------------------------------------------------------------------------ */

/* The first bytes of every format, so that random bytes get beyond its first check. */
static size_t hostile_bytes(uint8_t bytes[256])
{
    static const char *const beginnings[] = {
        "\x93NUMPY\x01\x01\x20\x20{'descr': '<f4', 'fortran_order': False, 'shape': (", "\x93NUMPY\x01",
        "PK\5\6\1\1\1\1", "{\"a\":{\"dtype\":\"F32\",\"shape\":["};
    const char *beginning = ANY_OF(beginnings);
    size_t used = 0;
    if (*beginning == '{') {
        memset(bytes, 0, 8);
        bytes[0] = (uint8_t)misuse_random();
        used = 8;
    }
    memcpy(bytes + used, beginning, strlen(beginning));
    if (*beginning == '\x93')
        bytes[7] = (uint8_t)(misuse_random() % 4 == 0);
    for (size_t i = used + strlen(beginning); i < 256; i++)
        bytes[i] = misuse_random() % 2 ? (uint8_t)misuse_random() : (uint8_t) "0,]})(:'\""[misuse_random() % 9];
    return (size_t)(misuse_random() % 257);
}

START_TEST(readers)
{
    uint8_t bytes[256];
    for (int round = 0; round < 20000; round++) {
        size_t size = hostile_bytes(bytes);
        heed_io_read_options o = {.max_bytes = misuse_random() % 2 ? 0 : (size_t)ANY_OF(hostile_counts)};
        const heed_io_read_options *given = misuse_random() % 4 ? &o : NULL;
        heed_scope *scope = heed_scope_begin();
        looked("io_npy_read", npy_from_memory(bytes, size, given));
        heed_dict *d = npz_from_memory(bytes, size, given);
        looked("io_npz_read", d);
        heed_dict_free(d);
        d = safetensors_from_memory(bytes, size, given);
        looked("io_safetensors_read", d);
        heed_dict_free(d);
        heed_scope_end(scope);
    }
    ck_assert_null_fails("io_npy_read", HEED_ERR_ARGUMENT, "NULL", npy_from_memory(NULL, SIZE_MAX, NULL));
    ck_assert_null_fails("io_npz_read", HEED_ERR_ARGUMENT, "NULL", npz_from_memory(NULL, SIZE_MAX, NULL));
    ck_assert_null_fails("io_safetensors_read", HEED_ERR_ARGUMENT, "NULL", safetensors_from_memory(NULL, 1, NULL));
}
END_TEST

START_TEST(readers_of_null_and_missing_files)
{
    ck_assert_null_fails("io_npy_read", HEED_ERR_ARGUMENT, "NULL", heed_io_npy_read(NULL, NULL));
    ck_assert_null_fails("io_npz_read", HEED_ERR_ARGUMENT, "NULL", heed_io_npz_read(NULL, NULL));
    ck_assert_null_fails("io_safetensors_read", HEED_ERR_ARGUMENT, "NULL", heed_io_safetensors_read(NULL, NULL));
    for (int i = 0; i < COUNT_OF(paths); i++) {
        ck_assert_null_fails("io_npy_read", HEED_ERR_IO, paths[i], heed_io_npy_read(paths[i], NULL));
        ck_assert_null_fails("io_npz_read", HEED_ERR_IO, paths[i], heed_io_npz_read(paths[i], NULL));
        ck_assert_null_fails("io_safetensors_read", HEED_ERR_IO, paths[i], heed_io_safetensors_read(paths[i], NULL));
    }
    ck_assert_null_fails("io_npy_read", HEED_ERR_FORMAT, "/etc/passwd", heed_io_npy_read("/etc/passwd", NULL));
    ck_assert_null_fails("io_npz_read", HEED_ERR_FORMAT, "/etc/passwd", heed_io_npz_read("/etc/passwd", NULL));
    ck_assert_null_fails("io_safetensors_read", HEED_ERR_FORMAT, "/etc/passwd",
                         heed_io_safetensors_read("/etc/passwd", NULL));
}
END_TEST

MISUSE_MAIN("misuse of storage", dicts, writers, writers_to_nowhere, readers, readers_of_null_and_missing_files)
