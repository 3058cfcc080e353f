/* heed/io.h - files. Each reader takes a file, or the same bytes from memory. Each writer makes a temporary file beside
 * the old one and puts it in its place when it is whole and safe on the disk: whenever the process or the machine stops,
 * one of the two is there. An error leaves the old file as it was, and no temporary one; what a killed process leaves,
 * ".NAME.heed-PID-N.tmp", the next write to the same file removes.
 *
 * A path that is a symbolic link is followed, as by fopen: the file that it leads to is replaced, or made, in its own
 * folder, and the link stays. A file that is replaced keeps its mode (not its owner), and other names of it (hard links)
 * keep the old content. Folders are not made, and what is there and is not a regular file, or a path that ends in '/', is
 * HEED_ERR_IO. */
#ifndef HEED_IO_H
#define HEED_IO_H

#include <heed/dict.h>

HEED_BEGIN_DECLS

/* -- CSV --------------------------------------------------------------------------------------------------------
 * RFC 4180 with a header line: fields separated by ',' (or options.separator), '"' quotes a field and "" is a quote in
 * it, lines end in LF or CRLF, a UTF-8 byte order mark is skipped. Every line has as many fields as the header; empty
 * lines are allowed at the end only. There are at most 2^20 columns. Files must be regular: a pipe or a device is
 * refused: it has no size. */

typedef struct heed_io_csv heed_io_csv;

typedef struct heed_io_csv_options {
    char separator;   /* 0: ',' */
    size_t max_bytes; /* 0: 256 MiB; a larger file is HEED_ERR_UNSUPPORTED */
} heed_io_csv_options;

/* Reads a file, or parses `size` bytes at `text` (copied). NULL with HEED_ERR_IO (path and cause), HEED_ERR_FORMAT
 * (path or "csv", line and what is wrong there), HEED_ERR_UNSUPPORTED beyond the limits, HEED_ERR_NOMEM. */
HEED_API heed_io_csv *heed_io_csv_read(const char *path, const heed_io_csv_options *options);
HEED_API heed_io_csv *heed_io_csv_parse(const char *text, size_t size, const heed_io_csv_options *options);
HEED_API void heed_io_csv_free(heed_io_csv *csv);

HEED_API int64_t heed_io_csv_rows(const heed_io_csv *csv); /* without the header */
HEED_API int heed_io_csv_columns(const heed_io_csv *csv);

/* Name of a column; NULL with HEED_ERR_INDEX. A field as text, without its quotes; NULL with HEED_ERR_INDEX. Both live
 * as long as the csv. */
HEED_API const char *heed_io_csv_name(const heed_io_csv *csv, int column);
HEED_API const char *heed_io_csv_field(const heed_io_csv *csv, int64_t row, int column);

/* A column as numbers: (rows). Each field must be one decimal number in C's notation, spaces and tabs around it
 * allowed: no locale, no hexadecimal, no "nan" or "inf"; floats are rounded correctly. i64 takes whole numbers only,
 * bool 0 and 1. HEED_ERR_ARGUMENT for a name that is not there or there twice, listing those that are; HEED_ERR_FORMAT
 * for a field that is no number or too large, with line, column and the text. */
HEED_API heed_tensor *heed_io_csv_column(const heed_io_csv *csv, const char *name, heed_dtype dtype);

/* -- IDX -----------------------------------------------------------------------------------------------------------
 * The format of MNIST and its kin (Y. LeCun, C. Cortes, C. Burges: The MNIST database): numbers of one type,
 * big-endian, with up to 8 dims; plain or compressed by gzip. */

typedef struct heed_io_idx_options {
    heed_dtype dtype; /* of the result: values are converted; HEED_ERR_FORMAT for a fraction, or another value that an
                         i64 cannot hold; a bool is value != 0 */
    double scale;     /* each value is multiplied by this, for f32 and f64 only; 0: 1. 1.0 / 255 for images */
    size_t max_bytes; /* 0: 1 GiB; a larger file, or larger content, decompressed, is HEED_ERR_UNSUPPORTED */
} heed_io_idx_options;

/* Reads a file, or parses `size` bytes. NULL options: f32. NULL with HEED_ERR_IO (path and cause), HEED_ERR_FORMAT
 * (path or "idx", and what is wrong: magic number, type, dims, missing or surplus bytes, a broken gzip stream),
 * HEED_ERR_ARGUMENT for a scale that is not finite or has no use, HEED_ERR_DTYPE, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_io_idx_read(const char *path, const heed_io_idx_options *options);
HEED_API heed_tensor *heed_io_idx_parse(const void *bytes, size_t size, const heed_io_idx_options *options);

/* -- What the readers and writers below have in common ---------------------------------------------------------------
 * Read: f32, f64, i64 and bool as they are, half floats as f32, smaller integers as i64; what tensors do not have
 * (strings, objects, complex numbers, 64 bits without sign) is HEED_ERR_UNSUPPORTED. Written: row-major and
 * little-endian, whatever the strides; a graph is not followed.
 * NULL, or a status, with HEED_ERR_IO (path and cause), HEED_ERR_FORMAT (path, or the format's name, and what is wrong),
 * HEED_ERR_UNSUPPORTED, HEED_ERR_ARGUMENT, HEED_ERR_NOMEM. Loading takes the memory of the tensors, some 420 bytes for
 * each besides its elements, some 70 for each text besides its characters, that of an .npz' directory or a .safetensors'
 * header (84 bytes a tensor), which is given back, four times that of the longest text in __metadata__ while it is read,
 * and at most 256 KiB. */

typedef struct heed_io_read_options {
    size_t max_bytes; /* of the file, and of what is in it together: elements as they are in memory, and in a dict 512
                         bytes for each tensor, 96 for each text, and their characters. 0: 16 GiB. Beyond:
                         HEED_ERR_UNSUPPORTED */
} heed_io_read_options;

/* -- NumPy -----------------------------------------------------------------------------------------------------------
 * .npy (numpy.lib.format) of versions 1 to 3, in C or Fortran order, of either byte order. Written as version 1.0. */

HEED_API heed_tensor *heed_io_npy_read(const char *path, const heed_io_read_options *options);
HEED_API heed_tensor *heed_io_npy_parse(const void *bytes, size_t size, const heed_io_read_options *options);
HEED_API heed_status heed_io_npy_write(const char *path, heed_tensor *t);

/* .npz: a zip archive of them, stored or deflated, zip64 where its sizes demand it; checksums are compared. Names are
 * those of the members without ".npy". The same tensors give the same bytes. Texts of a dict are not written. */
typedef struct heed_io_npz_options {
    bool compressed; /* deflated, otherwise stored */
} heed_io_npz_options;

HEED_API heed_dict *heed_io_npz_read(const char *path, const heed_io_read_options *options);
HEED_API heed_dict *heed_io_npz_parse(const void *bytes, size_t size, const heed_io_read_options *options);
HEED_API heed_status heed_io_npz_write(const char *path, const heed_dict *dict, const heed_io_npz_options *options);

/* -- Safetensors -----------------------------------------------------------------------------------------------------
 * https://github.com/huggingface/safetensors: 8 bytes of size, a header in JSON, the elements. Texts of a dict are its
 * __metadata__, which no tensor can be called. Strict: a header of at most 100 MB, a tensor described in at most 2 KB, no
 * name twice or empty, no U+0000 in a text, sizes that fit their shapes, no holes, no overlaps, nothing behind. */

HEED_API heed_dict *heed_io_safetensors_read(const char *path, const heed_io_read_options *options);
HEED_API heed_dict *heed_io_safetensors_parse(const void *bytes, size_t size, const heed_io_read_options *options);
HEED_API heed_status heed_io_safetensors_write(const char *path, const heed_dict *dict);

HEED_END_DECLS

#endif
