/* heed/io.h - files. Each reader takes a file, or the same bytes from memory. Each writer makes a temporary file
 * beside the old one and puts it in its place when it is whole and safe on the disk: whenever the process or the
 * machine stops, one of the two is there. An error leaves the old file as it was, and no temporary one; what a killed
 * process leaves, ".NAME.heed-PID-N.tmp", the next write to the same file removes.
 *
 * A path that is a symbolic link is followed, as by fopen: the file that it leads to is replaced, or made, in its own
 * folder, and the link stays. A file that is replaced keeps its mode (not its owner), and other names of it (hard
 * links) keep the old content. Folders are not made, and what is there and is not a regular file, or a path that ends
 * in '/', is HEED_ERR_IO. */
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
    HEED_RESERVED;
} heed_io_csv_options;

/* Reads a file, or parses the `size` bytes at `text`, which are copied. NULL options: the defaults. NULL with
 *     HEED_ERR_ARGUMENT       NULL; a separator that is a quote or an end of line
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_FORMAT         path or "csv", the line, and what is wrong there
 *     HEED_ERR_UNSUPPORTED    more than max_bytes, or too many columns
 *     HEED_ERR_NOMEM */
HEED_API heed_io_csv *heed_io_csv_read(const char *path, const heed_io_csv_options *options);
HEED_API heed_io_csv *heed_io_csv_parse(const char *text, size_t size, const heed_io_csv_options *options);

/* NULL is ignored. */
HEED_API void heed_io_csv_free(heed_io_csv *csv);

/* Rows without the header, and columns. 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_io_csv_rows(const heed_io_csv *csv);
HEED_API int heed_io_csv_columns(const heed_io_csv *csv);

/* The name of a column, and a field as text, without its quotes; both count from 0 and live as long as the csv. NULL
 * with HEED_ERR_INDEX for a row or column that does not exist, HEED_ERR_ARGUMENT for NULL. */
HEED_API const char *heed_io_csv_name(const heed_io_csv *csv, int column);
HEED_API const char *heed_io_csv_field(const heed_io_csv *csv, int64_t row, int column);

/* The column of that name as a tensor (rows) of `dtype`, borrowed from the innermost scope. Each field must be one
 * decimal number in C's notation, with spaces and tabs around it if you like, in any locale; not hexadecimal, "nan" or
 * "inf". Floats are correctly rounded; i64 takes whole numbers, bool 0 and 1. NULL with
 *     HEED_ERR_ARGUMENT    NULL; a name that no column has, or several: the columns are listed
 *     HEED_ERR_FORMAT      a field that is not a number, or too large for the dtype: its line, column and text
 *     HEED_ERR_DTYPE, HEED_ERR_NOMEM */
HEED_API heed_tensor *heed_io_csv_column(const heed_io_csv *csv, const char *name, heed_dtype dtype);

/* -- IDX -----------------------------------------------------------------------------------------------------------
 * The format of MNIST and its kin (Y. LeCun, C. Cortes, C. Burges: The MNIST database): numbers of one type,
 * big-endian, with up to 8 dims; plain or compressed by gzip. */

typedef struct heed_io_idx_options {
    heed_dtype dtype; /* of the result, 0: f32. Values are converted: an i64 must hold them (HEED_ERR_FORMAT for a
                         fraction), a bool is value != 0 */
    double scale;     /* what each value is multiplied by, 1.0 / 255 for images; f32 and f64 only. 0: 1 */
    size_t max_bytes; /* of the file, and of its content when decompressed; 0: 1 GiB. More is HEED_ERR_UNSUPPORTED */
    HEED_RESERVED;
} heed_io_idx_options;

/* Reads a file, or parses the `size` bytes at `bytes`: a tensor of the file's shape. NULL options: f32. NULL with
 *     HEED_ERR_ARGUMENT       NULL; a scale that is not finite, or is given for i64 or bool
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_FORMAT         path or "idx", and what is wrong: magic number, type, dims, number of bytes, gzip
 *     HEED_ERR_UNSUPPORTED    more than max_bytes
 *     HEED_ERR_DTYPE, HEED_ERR_NOMEM */
HEED_API heed_tensor *heed_io_idx_read(const char *path, const heed_io_idx_options *options);
HEED_API heed_tensor *heed_io_idx_parse(const void *bytes, size_t size, const heed_io_idx_options *options);

/* -- What the readers and writers below have in common ---------------------------------------------------------------
 * A reader takes a file, or the `size` bytes at `bytes`. f32, f64, i64 and bool are read as they are, half floats as
 * f32, smaller integers as i64; the types that tensors lack (strings, objects, complex numbers, u64) are
 * HEED_ERR_UNSUPPORTED. A tensor is borrowed from the innermost scope, a dict is the caller's to free. A writer writes
 * row-major, little-endian elements whatever the strides, and replaces `path` (above). NULL, or a status, with
 *     HEED_ERR_ARGUMENT       NULL; a name that the format does not allow
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_FORMAT         path, or the name of the format, and what is wrong
 *     HEED_ERR_UNSUPPORTED    a type, version or feature that is not supported; more than max_bytes
 *     HEED_ERR_NOMEM
 * Reading takes the memory of the tensors, some 420 bytes for each besides its elements, some 70 for each text besides
 * its characters, and for the time of the call that of an .npz' directory or a .safetensors' header (84 bytes per
 * tensor), four times that of the longest text in __metadata__, and at most 256 KiB. */

typedef struct heed_io_read_options {
    size_t max_bytes; /* of the file, and of all that is read from it: elements as they are in memory and, for a dict,
                         512 bytes per tensor, 96 per text, and the characters of names and texts. 0: 16 GiB */
    HEED_RESERVED;
} heed_io_read_options;

/* -- NumPy -----------------------------------------------------------------------------------------------------------
 * .npy (numpy.lib.format), one tensor: versions 1 to 3, C or Fortran order, either byte order; written as 1.0. */

HEED_API heed_tensor *heed_io_npy_read(const char *path, const heed_io_read_options *options);
HEED_API heed_tensor *heed_io_npy_parse(const void *bytes, size_t size, const heed_io_read_options *options);
HEED_API heed_status heed_io_npy_write(const char *path, heed_tensor *t);

/* .npz, a dict of tensors: a zip archive of .npy files, as numpy.savez and numpy.savez_compressed write. A member's
 * name is the tensor's and ".npy". Members may be stored or deflated, their checksums are compared, and zip64 is used
 * where sizes demand it. The same tensors give the same bytes. A dict's texts are not written. */
typedef struct heed_io_npz_options {
    bool compressed; /* deflated; otherwise stored */
    HEED_RESERVED;
} heed_io_npz_options;

HEED_API heed_dict *heed_io_npz_read(const char *path, const heed_io_read_options *options);
HEED_API heed_dict *heed_io_npz_parse(const void *bytes, size_t size, const heed_io_read_options *options);
HEED_API heed_status heed_io_npz_write(const char *path, const heed_dict *dict, const heed_io_npz_options *options);

/* -- Safetensors -----------------------------------------------------------------------------------------------------
 * https://github.com/huggingface/safetensors, a dict of tensors: the size of the header in 8 bytes, the header in
 * JSON, the elements. A dict's texts are its __metadata__; no tensor can have that name. Read strictly: a header of at
 * most 100 MB, a tensor described in at most 2 KB, no name twice or empty, no U+0000 in a text, sizes that fit the
 * shapes, and all bytes after the header used exactly once. */

HEED_API heed_dict *heed_io_safetensors_read(const char *path, const heed_io_read_options *options);
HEED_API heed_dict *heed_io_safetensors_parse(const void *bytes, size_t size, const heed_io_read_options *options);
HEED_API heed_status heed_io_safetensors_write(const char *path, const heed_dict *dict);

HEED_END_DECLS

#endif
