/* io/file_format.c - recognises the format of a file by its first bytes, so that a reader can name the actual format in
 * its error message: a compressed file, UTF-16, a web page, a Git LFS pointer, a spreadsheet.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "io/stream.h"

#include <ctype.h>
#include <string.h>

#include <heed/error.h>

/* Names of the expected formats, for messages. */
static const char *const format_names[] = {
    [HEED_FORMAT_CSV] = "a CSV file in UTF-8", [HEED_FORMAT_NPY] = "an .npy file",
    [HEED_FORMAT_NPZ] = "an .npz archive",     [HEED_FORMAT_SAFETENSORS] = "a .safetensors file",
    [HEED_FORMAT_JSON] = "an index in JSON",   [HEED_FORMAT_GGUF] = "a .gguf file",
    [HEED_FORMAT_IDX] = "an IDX file",         [HEED_FORMAT_CHECKPOINT] = "a checkpoint",
};

/* The bytes at an offset that identify a format. If several entries match, the first one counts. `format` is
 * HEED_FORMAT_OTHER for formats that heed cannot read. */
static const struct {
    const char *bytes;
    size_t size, offset;
    heed__file_format format;
    const char *description;
} magics[] = {
    {"\x1f\x8b", 2, 0, HEED_FORMAT_OTHER, "compressed by gzip (unpack it first: gunzip)"},
    {"BZh", 3, 0, HEED_FORMAT_OTHER, NULL}, /* format_of also checks the bytes from offset 4 on */
    {"\xfd"
     "7zXZ\0",
     6, 0, HEED_FORMAT_OTHER, "compressed by xz (unpack it first: unxz)"},
    {"\x28\xb5\x2f\xfd", 4, 0, HEED_FORMAT_OTHER, "compressed by Zstandard (unpack it first: unzstd)"},
    {"\x04\x22\x4d\x18", 4, 0, HEED_FORMAT_OTHER, "compressed by LZ4 (unpack it first: unlz4)"},
    {"7z\xbc\xaf\x27\x1c", 6, 0, HEED_FORMAT_OTHER, "a 7z archive (unpack it first)"},
    {"\xff\xfe\0\0", 4, 0, HEED_FORMAT_OTHER, "text in UTF-32 (save it as UTF-8)"},
    {"\0\0\xfe\xff", 4, 0, HEED_FORMAT_OTHER, "text in UTF-32 (save it as UTF-8)"},
    {"\xff\xfe", 2, 0, HEED_FORMAT_OTHER, "text in UTF-16 (save it as UTF-8)"},
    {"\xfe\xff", 2, 0, HEED_FORMAT_OTHER, "text in UTF-16 (save it as UTF-8)"},
    {"version https://git-lfs.github.com/", 35, 0, HEED_FORMAT_OTHER,
     "a Git LFS pointer instead of the file (fetch the file: git lfs pull)"},
    {"\x93NUMPY", 6, 0, HEED_FORMAT_NPY, "an .npy file"},
    {"GGUF", 4, 0, HEED_FORMAT_GGUF, NULL},
    {"PK\3\4", 4, 0, HEED_FORMAT_NPZ, NULL},
    {"PK\5\6", 4, 0, HEED_FORMAT_NPZ, "an empty zip archive"},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8, 0, HEED_FORMAT_OTHER,
     "an old Office document, such as .xls (save the sheet as CSV)"},
    {"PAR1\x15", 5, 0, HEED_FORMAT_OTHER, "a Parquet file"},
    {"ARROW1\0\0", 8, 0, HEED_FORMAT_OTHER, "an Arrow (Feather) file"},
    {"\x89HDF\r\n\x1a\n", 8, 0, HEED_FORMAT_OTHER, "an HDF5 file"},
    {"SQLite format 3\0", 16, 0, HEED_FORMAT_OTHER, "an SQLite database"},
    {"%PDF-", 5, 0, HEED_FORMAT_OTHER, "a PDF document"},
    {"\x89PNG\r\n\x1a\n", 8, 0, HEED_FORMAT_OTHER, "a PNG picture"},
    {"\xff\xd8\xff", 3, 0, HEED_FORMAT_OTHER, "a JPEG picture"},
    {"ustar", 5, 257, HEED_FORMAT_OTHER, "a tar archive (unpack it first)"},
};

static bool has(const uint8_t *head, size_t size, size_t offset, const char *bytes, size_t n)
{
    return size >= offset + n && memcmp(head + offset, bytes, n) == 0;
}

/* -- Formats that need more than a magic number -------------------------------------------------------------------- */

/* Returns a description of the kind of a zip archive, by the name of its first member, and sets *format. */
static const char *format_of_zip(const uint8_t *head, size_t size, heed__file_format *format)
{
    const size_t length = size >= 30 ? (size_t)head[26] | (size_t)head[27] << 8 : 0;
    char name[HEED_FORMAT_HEAD_BYTES] = "";
    if (length > 0 && length <= size - 30)
        memcpy(name, head + 30, length);
    *format = HEED_FORMAT_OTHER;
    if (strcmp(name, "[Content_Types].xml") == 0 || strncmp(name, "_rels/", 6) == 0 || strncmp(name, "xl/", 3) == 0)
        return "an Office document, such as .xlsx (save the sheet as CSV)";
    if (strcmp(name, "mimetype") == 0)
        return "an OpenDocument file, such as .ods (save the sheet as CSV)";
    if (strstr(name, "data.pkl") || strstr(name, ".data/version") || strstr(name, "/byteorder"))
        return "a PyTorch file (save its tensors as .safetensors)";
    *format = HEED_FORMAT_NPZ;
    return strstr(name, ".npy") ? "an .npz archive" : "a zip archive (unpack it first)";
}

/* Returns true if the text begins with a tag, in upper or lower case. */
static bool begins_with_tag(const char *text, size_t size, const char *tag)
{
    size_t i = 0;
    while (i < size && tag[i] && tolower((unsigned char)text[i]) == tag[i])
        i++;
    return !tag[i];
}

static const char *format_of_text(const uint8_t *head, size_t size, heed__file_format *format)
{
    const char *text = (const char *)head;
    const size_t byte_order_mark_size = has(head, size, 0, "\xef\xbb\xbf", 3) ? 3 : 0;
    size_t at = byte_order_mark_size;
    while (at < size && isspace((unsigned char)text[at]))
        at++;
    if (begins_with_tag(text + at, size - at, "<!doctype html") || begins_with_tag(text + at, size - at, "<html"))
        return "a web page in HTML (download the file itself, not the page about it)";
    if (begins_with_tag(text + at, size - at, "<?xml"))
        return "an XML document";
    if (at == size || text[at] != '{')
        return NULL;
    *format = HEED_FORMAT_JSON;
    return "text in JSON";
}

/* Returns true for ASCII text in UTF-16 without a byte order mark: in the first two characters, one byte is printable
 * and the other one is 0. */
static bool is_utf16(const uint8_t *head, size_t size)
{
    if (size < 4)
        return false;
    const bool little = !head[1] && !head[3] && isprint(head[0]) && isprint(head[2]);
    const bool big = !head[0] && !head[2] && isprint(head[1]) && isprint(head[3]);
    return little || big;
}

/* Returns true if the bytes begin with 8 bytes that hold the size of a header, and then the header in JSON. */
static bool is_safetensors(const uint8_t *head, size_t size)
{
    return size >= 9 && head[8] == '{' && !head[5] && !head[6] && !head[7];
}

/* Returns true if the bytes begin with two zero bytes, a type and a rank. */
static bool is_idx(const uint8_t *head, size_t size)
{
    return size >= 8 && !head[0] && !head[1] && head[2] >= 0x08 && head[2] <= 0x0e && head[3] >= 1 && head[3] <= 8;
}

/* -- All formats --------------------------------------------------------------------------------------------------- */

/* Returns a description of the format of the bytes, or NULL if it is unknown. Sets *format to that format, or to
 * HEED_FORMAT_OTHER if heed has no reader for it. */
static const char *format_of(const uint8_t *head, size_t size, heed__file_format *format)
{
    *format = HEED_FORMAT_OTHER;
    for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++) {
        if (!has(head, size, magics[i].offset, magics[i].bytes, magics[i].size))
            continue;
        *format = magics[i].format;
        if (magics[i].description)
            return magics[i].description;
        if (magics[i].format == HEED_FORMAT_NPZ)
            return format_of_zip(head, size, format);
        if (magics[i].format == HEED_FORMAT_GGUF && size >= 8 && !head[5] && !head[6])
            return "a .gguf file";
        if (has(head, size, 4, "1AY&SY", 6))
            return "compressed by bzip2 (unpack it first: bunzip2)";
    }
    *format = is_safetensors(head, size) ? HEED_FORMAT_SAFETENSORS
              : is_idx(head, size)       ? HEED_FORMAT_IDX
                                         : HEED_FORMAT_OTHER;
    if (*format != HEED_FORMAT_OTHER)
        return format_names[*format];
    if (size >= 2 && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5)
        return "a Python pickle, the format of old PyTorch files (save its tensors as .safetensors)";
    return is_utf16(head, size) ? "text in UTF-16 (save it as UTF-8)" : format_of_text(head, size, format);
}

bool heed__check_file_format(const char *where, const char *name, heed__file_format expected, const void *head,
                             size_t size)
{
    heed__file_format format;
    const char *description = format_of(head, size < HEED_FORMAT_HEAD_BYTES ? size : HEED_FORMAT_HEAD_BYTES, &format);
    /* the reader of `expected` reports its own errors in a file that looks like `format`: a CSV file may begin with a
     * brace and so look like JSON */
    const bool possible = format == expected || (format == HEED_FORMAT_JSON && expected == HEED_FORMAT_CSV) ||
                          (format == HEED_FORMAT_SAFETENSORS && expected == HEED_FORMAT_CHECKPOINT);
    return !description || possible ||
           heed_fail_false(HEED_ERR_FORMAT, where, "%s is %s, not %s", name, description, format_names[expected]);
}

bool heed__check_stream_format(heed__stream *stream, heed__file_format expected, const void *head, size_t size)
{
    uint8_t first[HEED_FORMAT_HEAD_BYTES];
    if (stream->seekable) {
        heed__source *source = (heed__source *)stream;
        size = source->size < sizeof first ? source->size : sizeof first;
        heed__source_seek(source, 0);
        if (!heed__stream_read(stream, first, size))
            return false;
        head = first;
    }
    return heed__check_file_format(stream->where, stream->name, expected, head, size);
}
