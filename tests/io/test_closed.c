/* tests/io/test_closed.c - tests that readers close everything they opened: descriptors and scopes. Failing system
 * calls are tested in tests/promises/faults/iofault.py.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <fcntl.h>

#include "files.h"

static const char *path;

static bool read_npy(void)
{
    heed_scope *scope = heed_scope_begin();
    heed_tensor *t = heed_io_npy_read(path, NULL);
    heed_scope_end(scope);
    return t;
}

static bool read_npz(void)
{
    heed_dict *dict = heed_io_npz_read(path, NULL);
    bool read = dict;
    heed_dict_free(dict);
    return read;
}

static bool read_safetensors(void)
{
    heed_dict *dict = heed_io_safetensors_read(path, NULL);
    bool read = dict;
    heed_dict_free(dict);
    return read;
}

static bool read_csv(void)
{
    heed_io_csv *csv = heed_io_csv_read(path, NULL);
    bool read = csv;
    heed_io_csv_free(csv);
    return read;
}

static bool find_checkpoint(void)
{
    return heed_checkpoint_exists(path);
}

static bool load_checkpoint(void)
{
    return heed_checkpoint_load(path, &(heed_checkpoint){.step = 0}) == HEED_OK;
}

/* Returns the descriptor that the next opened file will get. */
static int next_descriptor(void)
{
    int fd = open("/dev/null", O_RDONLY);
    ck_assert_int_eq(close(fd), 0);
    return fd;
}

static void check_closed(const char *name, bool (*read)(void))
{
    path = in_folder(name);
    ck_assert_msg(read(), "%s: %s", name, heed_error_message()); /* also allocates this thread's state */
    const int next = next_descriptor();
    const heed_memory_stats before = heed_memory_get_stats();
    ck_assert_msg(read(), "%s: %s", name, heed_error_message());
    const heed_memory_stats after = heed_memory_get_stats();
    ck_assert_msg(next_descriptor() == next, "%s: a descriptor is left open", name);
    ck_assert_msg(after.live_objects == before.live_objects && after.live_bytes == before.live_bytes,
                  "%s: something is left", name);
}

START_TEST(readers)
{
    heed_tensor *t = heed_ones(HEED_F32, HEED_SHAPE(3));
    heed_dict *dict = heed_dict_new();
    ck_assert_int_eq(heed_dict_set(dict, "t", t), HEED_OK);
    ck_assert_int_eq(heed_io_npy_write(in_folder("a.npy"), t), HEED_OK);
    ck_assert_int_eq(heed_io_npz_write(in_folder("a.npz"), dict, NULL), HEED_OK);
    ck_assert_int_eq(heed_io_safetensors_write(in_folder("a.safetensors"), dict), HEED_OK);
    heed_dict_free(dict);
    write_bytes(in_folder("a.csv"), "a\n1\n", 4);
    check_closed("a.npy", read_npy);
    check_closed("a.npz", read_npz);
    check_closed("a.safetensors", read_safetensors);
    check_closed("a.csv", read_csv);
    static const char *const names[] = {"a.npy", "a.npz", "a.safetensors", "a.csv"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        ck_assert_int_eq(unlink(in_folder(names[i])), 0);
    remove_folder();
}
END_TEST

/* Tests a single file, and the last of several files. */
START_TEST(checkpoints)
{
    heed_checkpoint run = {.step = 7};
    ck_assert_int_eq(heed_checkpoint_save(in_folder("a.heed"), &run, NULL), HEED_OK);
    ck_assert_int_eq(heed_checkpoint_save(in_folder("b.heed"), &run, &(heed_checkpoint_options){.keep = 2}), HEED_OK);
    for (const char *name = "a.heed\0b.heed\0"; *name; name += strlen(name) + 1) {
        check_closed(name, find_checkpoint);
        check_closed(name, load_checkpoint);
    }
    ck_assert_int_eq(unlink(in_folder("a.heed")), 0);
    ck_assert_int_eq(unlink(in_folder("b-000000007.heed")), 0);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("closed", readers, checkpoints)
