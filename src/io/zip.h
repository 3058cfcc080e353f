/* io/zip.h - members of a zip archive (PKWARE's APPNOTE 6.3), stored or deflated, zip64 included. */
#ifndef HEED_IO_ZIP_H
#define HEED_IO_ZIP_H

#include <stdint.h>

#define ZLIB_CONST /* what is read is const */

#include "io/stream.h"
#include "io/zlib.h"

/* Sizes and signatures of records, which the writer needs too. */
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
    size_t at;      /* of the next entry in the directory */
    uint64_t count; /* of entries */
    size_t *room;   /* bytes that may still be taken in memory */
    size_t taken;   /* bytes of the members opened so far: they overlap if these are more than the file has */
} heed__zip;

typedef struct heed__zip_entry {
    const char *name; /* not ended by a NUL; lives as long as the archive is open */
    size_t name_size;
    size_t offset, size, packed; /* of the local header; of the content; of what is in the file */
    uint32_t crc;
    bool deflated;
} heed__zip_entry;

/* Finds and reads the directory, for which it takes room. False after heed_fail; then there is nothing to close. */
bool heed__zip_open(heed__zip *zip, heed__source *source, size_t *room);
void heed__zip_close(heed__zip *zip);

/* The next entry, of zip->count; then nothing may be left. False after heed_fail. */
bool heed__zip_next(heed__zip *zip, heed__zip_entry *entry);
bool heed__zip_finish(const heed__zip *zip);

/* Where a member's content begins. False after heed_fail. */
bool heed__zip_locate(heed__zip *zip, const heed__zip_entry *entry, size_t *offset);

/* A member's content as a stream. */
typedef struct heed__zip_member {
    heed__stream stream;
    heed__source *source;
    size_t offset, packed; /* of what is to be read next, and how much is left of it */
    uint32_t crc, expected;
    bool deflated, ended; /* ended: the compressed stream says so */
    z_stream z;
    uint8_t *chunk;
} heed__zip_member;

/* False after heed_fail; then there is nothing to close. `name` is the stream's, for messages. Close fails, with
 * HEED_ERR_FORMAT, unless all has been read and is what the archive says it is; after a failure call
 * heed__zip_member_drop instead. */
bool heed__zip_member_open(heed__zip_member *member, heed__zip *zip, const heed__zip_entry *entry, const char *name);
bool heed__zip_member_close(heed__zip_member *member);
void heed__zip_member_drop(heed__zip_member *member);

#endif
