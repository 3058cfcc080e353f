/* io/zip.h - reads members of a zip archive (PKWARE's APPNOTE 6.3), stored or deflated, zip64 included.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IO_ZIP_H
#define HEED_IO_ZIP_H

#include <stdint.h>

#include "io/stream.h"
#include "io/zlib.h"

/* Sizes and signatures of records, shared with the writer. */
#define HEED_ZIP_LOCAL 0x04034b50u
#define HEED_ZIP_LOCAL_SIZE 30
#define HEED_ZIP_ENTRY 0x02014b50u
#define HEED_ZIP_ENTRY_SIZE 46
#define HEED_ZIP_END64 0x06064b50u
#define HEED_ZIP_END64_SIZE 56
#define HEED_ZIP_LOCATOR 0x07064b50u
#define HEED_ZIP_LOCATOR_SIZE 20
#define HEED_ZIP_END 0x06054b50u
#define HEED_ZIP_END_SIZE 22
#define HEED_ZIP_EXTRA64 0x0001u

typedef struct heed__zip {
    heed__source *source;
    uint8_t *directory;
    size_t directory_offset, directory_size;
    size_t at;      /* offset of the next entry in the directory */
    uint64_t count; /* number of entries */
    /* bytes of all opened members with their headers; if these exceed the file's size, members overlap */
    size_t claimed;
} heed__zip;

typedef struct heed__zip_entry {
    const char *name; /* not NUL-terminated; valid while the archive is open */
    size_t name_size;
    /* offset of the local header; size of the content, uncompressed and compressed */
    size_t offset, size, compressed_size;
    uint32_t crc;
    bool deflated;
    const char *unsupported; /* why the member cannot be read; NULL if it can be read */
} heed__zip_entry;

/* Finds and reads the directory, and charges its memory. Returns false after heed_fail; the archive
 * then needs no closing. */
bool heed__zip_open(heed__zip *zip, heed__source *source);
void heed__zip_close(heed__zip *zip);

/* heed__zip_next reads the next of zip->count entries; heed__zip_finish checks that no bytes follow the last. They
 * return false after heed_fail. */
bool heed__zip_next(heed__zip *zip, heed__zip_entry *entry);
bool heed__zip_finish(const heed__zip *zip);

/* A member's content as a stream. */
typedef struct heed__zip_member {
    heed__stream stream;
    heed__source *source;
    size_t offset, compressed_left; /* offset of the next unread byte, and number of unread compressed bytes */
    uint32_t crc, expected;
    bool deflated, ended; /* ended: the compressed stream has reported its end */
    z_stream z;
    uint8_t *chunk;
} heed__zip_member;

/* heed__zip_member_open opens a member as a stream, called `name` in messages. It returns false after heed_fail; the
 * member then needs no closing. heed__zip_member_close fails with HEED_ERR_FORMAT unless all content was read and
 * matches the archive's sizes and checksum. To close a member after an error, call heed__zip_member_abandon instead. */
bool heed__zip_member_open(heed__zip_member *member, heed__zip *zip, const heed__zip_entry *entry, const char *name);
bool heed__zip_member_close(heed__zip_member *member);
void heed__zip_member_abandon(heed__zip_member *member);

#endif
