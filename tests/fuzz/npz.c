/* tests/fuzz/npz.c - NumPy's .npz: any bytes; valid archives with changes that an input makes; and accepted archives
 * must survive writing and reading.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "../from_memory.h"
#include "tensors.h"

#include <string.h>

#include <zlib.h>

#define MAX_BYTES 4096
#define MAX_MEMBERS 4

/* -- Archives made of an input ----------------------------------------------------------------------------------- */

typedef struct archive {
    uint8_t bytes[4 * MAX_BYTES];
    size_t size;
    uint8_t directory[1024];
    size_t directory_size;
} archive;

static size_t put(uint8_t *to, uint32_t value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (uint8_t)(value >> 8 * i);
    return n;
}

static fuzz_input take(fuzz_input *in, size_t size)
{
    fuzz_input part = {in->bytes, size < in->size ? size : in->size};
    in->bytes += part.size;
    in->size -= part.size;
    return part;
}

static size_t deflated(uint8_t *to, size_t room, fuzz_input content)
{
    uint8_t copy[8 * 255]; /* zlib's next_in may not be a pointer to const */
    memcpy(copy, content.bytes, content.size);
    z_stream z = {.next_in = copy, .avail_in = (uInt)content.size, .next_out = to, .avail_out = (uInt)room};
    FUZZ_CHECK(deflateInit2(&z, 1, Z_DEFLATED, -15, 1, Z_DEFAULT_STRATEGY) == Z_OK);
    FUZZ_CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END && deflateEnd(&z) == Z_OK);
    return z.total_out;
}

/* The fields that a local header and a directory entry share: flags to the length of the extra field. */
static size_t put_fields(uint8_t *to, bool packed, fuzz_input content, size_t stored, size_t name)
{
    size_t at = put(to, 0, 2);
    at += put(to + at, packed ? 8 : 0, 2);
    at += put(to + at, 0, 4);
    at += put(to + at, (uint32_t)crc32(0, content.bytes, (uInt)content.size), 4);
    at += put(to + at, (uint32_t)stored, 4);
    at += put(to + at, (uint32_t)content.size, 4);
    at += put(to + at, (uint32_t)name, 2);
    return at + put(to + at, 0, 2);
}

/* A byte of name length and packing, a name, a byte of size, an .npy of that size times eight. */
static void add_member(archive *a, fuzz_input *in)
{
    uint8_t way = fuzz_byte(in), blocks = fuzz_byte(in), name[40];
    fuzz_input start = take(in, way % 16), content = take(in, 8u * blocks);
    size_t length = start.size, header = a->size;
    memcpy(name, start.bytes, length);
    memcpy(name + length, ".npy", 4);
    length += way & 32 ? 0 : 4;
    uint8_t *data = a->bytes + header + 30 + length;
    size_t stored = content.size;
    if (way & 16)
        stored = deflated(data, 2 * MAX_BYTES, content);
    else
        memcpy(data, content.bytes, stored);
    size_t at = put(a->bytes + header, 0x04034b50, 4);
    at += put(a->bytes + header + at, 20, 2);
    at += put_fields(a->bytes + header + at, way & 16, content, stored, length);
    memcpy(a->bytes + header + at, name, length);
    a->size += at + length + stored;
    uint8_t *entry = a->directory + a->directory_size;
    at = put(entry, 0x02014b50, 4);
    at += put(entry + at, 20 | 20 << 16, 4);
    at += put_fields(entry + at, way & 16, content, stored, length);
    memset(entry + at, 0, 10); /* no comment, one disk, no attributes */
    at += put(entry + at + 10, (uint32_t)header, 4) + 10;
    memcpy(entry + at, name, length);
    a->directory_size += at + length;
}

static void finish(archive *a, uint32_t members)
{
    size_t start = a->size;
    memcpy(a->bytes + start, a->directory, a->directory_size);
    uint8_t *end = a->bytes + start + a->directory_size;
    size_t at = put(end, 0x06054b50, 4);
    at += put(end + at, 0, 4);
    at += put(end + at, members | members << 16, 4);
    at += put(end + at, (uint32_t)a->directory_size, 4);
    at += put(end + at, (uint32_t)start, 4);
    at += put(end + at, 0, 2);
    a->size = start + a->directory_size + at;
}

/* Members, then changes: a position from the end, and the new bytes. */
static void make_archive(archive *a, fuzz_input in)
{
    uint32_t members = (uint32_t)fuzz_pick(&in, 0, MAX_MEMBERS), changes = fuzz_byte(&in) % 4;
    uint8_t spots[3][2];
    for (uint32_t i = 0; i < changes; i++) {
        spots[i][0] = fuzz_byte(&in);
        spots[i][1] = fuzz_byte(&in);
    }
    a->size = a->directory_size = 0;
    for (uint32_t i = 0; i < members && a->size < 2 * MAX_BYTES - 64; i++)
        add_member(a, &in);
    finish(a, members);
    for (uint32_t i = 0; i < changes; i++)
        if (spots[i][0] < a->size)
            a->bytes[a->size - 1 - spots[i][0]] = spots[i][1];
}

/* -- One input --------------------------------------------------------------------------------------------------- */

/* One byte: whether to make an archive, a limit, whether to write and to compress. The file, or the input for the
 * archive, follows. */
void fuzz_target(fuzz_input in)
{
    static archive made;
    uint8_t choice = fuzz_byte(&in);
    in.size = in.size < MAX_BYTES ? in.size : MAX_BYTES;
    if (choice & 1)
        make_archive(&made, in);
    const uint8_t *bytes = choice & 1 ? made.bytes : in.bytes;
    size_t size = choice & 1 ? made.size : in.size;
    heed_io_read_options options = {.max_bytes = choice & 16 ? 2000 : 0};
    heed_dict *dict = npz_from_memory(bytes, size, choice & 32 ? NULL : &options);
    if (fuzz_try_again(dict != NULL))
        dict = npz_from_memory(bytes, size, choice & 32 ? NULL : &options);
    FUZZ_CHECK(heed_error_code() != HEED_ERR_NOMEM || fuzz_refused());
    if (!fuzz_outcome(dict != NULL))
        return;
    if (choice & 128)
        fuzz_check_again(dict, heed_io_npz_write(fuzz_path(), dict, &(heed_io_npz_options){.compressed = choice & 64}),
                         heed_io_npz_read);
    heed_dict_free(dict);
}
