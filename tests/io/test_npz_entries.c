/* tests/io/test_npz_entries.c - tests the messages for unusual archives with one directory entry, written by hand.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "files.h"
#include "from_memory.h"

enum { LOCAL = 30, ENTRY = 46, END = 22 };

static uint8_t archive[LOCAL + ENTRY + 64 + END];

static void put(size_t at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        archive[at + (size_t)i] = (uint8_t)(value >> 8 * i);
}

/* Writes a member without bytes or a name, whose entry has this extra field. Returns the archive's size. */
static size_t make_archive(const void *extra, size_t extra_size)
{
    size_t end = LOCAL + ENTRY + extra_size;
    memset(archive, 0, sizeof archive);
    memcpy(archive, "PK\3\4", 4);
    memcpy(archive + LOCAL, "PK\1\2", 4);
    put(LOCAL + 30, extra_size, 2);
    if (extra_size > 0)
        memcpy(archive + LOCAL + ENTRY, extra, extra_size);
    memcpy(archive + end, "PK\5\6", 4);
    put(end + 8, 1, 2); /* entries here, and in total; the directory's size, and its offset */
    put(end + 10, 1, 2);
    put(end + 12, ENTRY + extra_size, 4);
    put(end + 16, LOCAL, 4);
    return end + END;
}

START_TEST(unnamed_member)
{
    size_t size = make_archive(NULL, 0);
    refused(npz_from_memory, archive, size, HEED_ERR_FORMAT,
            "io_npz_read: npz: member \"\" is not an .npy file (.names reads only some members)");
}
END_TEST

/* One or all of the entry's sizes and offset are in the zip64 field, which ends before the last of them. */
START_TEST(short_zip64_field)
{
    static const size_t fields[] = {24, 20, 42};
    for (size_t n = 1; n <= COUNT_OF(fields); n++) {
        uint8_t extra[4 + 8 * COUNT_OF(fields)] = {1, 0, (uint8_t)(8 * n - 1)};
        size_t size = make_archive(extra, 4 + 8 * n - 1);
        for (size_t i = 0; i < n; i++)
            put(LOCAL + fields[i], UINT32_MAX, 4);
        refused(npz_from_memory, archive, size, HEED_ERR_FORMAT,
                "io_npz_read: npz: an entry of its directory is invalid");
    }
}
END_TEST

HEED_TEST_MAIN("npz_entries", unnamed_member, short_zip64_field)
