/* tensorboard/tests/logs.h - helpers for tests of logs: folders of logs, and the records of their files.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_LOGS_H
#define TESTS_LOGS_H

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "check_heed.h"

#include <heed/tensorboard.h>

static char folder[64];

static inline void make_folder(void)
{
    strcpy(folder, "/tmp/heed-tensorboard-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static inline const char *in_folder(const char *name)
{
    static char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Removes the files of a folder, and returns their number. */
static inline int empty_folder(const char *path)
{
    int count = 0;
    DIR *dir = opendir(path);
    ck_assert_ptr_nonnull(dir);
    for (struct dirent *it = readdir(dir); it; it = readdir(dir))
        count += unlinkat(dirfd(dir), it->d_name, 0) == 0;
    ck_assert_int_eq(closedir(dir), 0);
    return count;
}

static inline void remove_folder(void)
{
    (void)empty_folder(folder);
    ck_assert_int_eq(rmdir(folder), 0);
}

static inline uint64_t little_endian(const uint8_t *at, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

/* CRC-32C bit by bit, masked as TFRecord does. */
static inline uint32_t masked_crc(const uint8_t *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < 8 * size; i++) {
        crc ^= bytes[i / 8] >> i % 8 & 1u;
        crc = crc >> 1 ^ ((crc & 1) ? 0x82f63b78u : 0);
    }
    return ((~crc >> 15 | ~crc << 17)) + 0xa282ead8u;
}

/* The size of the record at `bytes`; 0 if it is incomplete. */
static inline size_t record_size(const uint8_t *bytes, size_t left)
{
    if (left < 16 || little_endian(bytes + 8, 4) != masked_crc(bytes, 8))
        return 0;
    const uint64_t length = little_endian(bytes, 8);
    const uint8_t *data = bytes + 12;
    if (length > left - 16 || little_endian(data + length, 4) != masked_crc(data, (size_t)length))
        return 0;
    return (size_t)length + 16;
}

/* Counts the complete records at the start of a file, and the bytes after them. */
static inline int count_records_and_rest(const char *path, size_t *rest)
{
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    *rest = fread(bytes, 1, sizeof bytes, file);
    ck_assert(*rest < sizeof bytes && fclose(file) == 0);
    int count = 0;
    size_t size = 0;
    for (const uint8_t *at = bytes; *rest > 0 && (size = record_size(at, *rest)) > 0; count++) {
        at += size;
        *rest -= size;
    }
    return count;
}

/* The number of records of a file, which must end with the last one. */
static inline int count_records(const char *path)
{
    size_t rest = 0;
    const int count = count_records_and_rest(path, &rest);
    ck_assert_msg(rest == 0, "%zu bytes after %d records", rest, count);
    return count;
}

#endif
