/* heed/io.h - files. Readers parse memory; the file layer only loads it. */
#ifndef HEED_IO_H
#define HEED_IO_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

/* -- CSV --------------------------------------------------------------------------------------------------------
 * RFC 4180 with a header line: fields separated by ',' (or options.separator), '"' quotes a field and "" is a quote in
 * it, lines end in LF or CRLF, a UTF-8 byte order mark is skipped. Every line has as many fields as the header; empty
 * lines are allowed at the end only. Files must be regular: a pipe or a device is refused: it has no size. */

typedef struct heed_csv heed_csv;

typedef struct heed_csv_options {
    char separator;   /* 0: ',' */
    size_t max_bytes; /* 0: 256 MiB; a larger file is HEED_ERR_UNSUPPORTED */
} heed_csv_options;

/* Reads a file, or parses `size` bytes at `text` (copied). NULL with HEED_ERR_IO (path and cause), HEED_ERR_FORMAT
 * (path or "csv", line and what is wrong there), HEED_ERR_NOMEM. */
HEED_API heed_csv *heed_io_csv_read(const char *path, const heed_csv_options *options);
HEED_API heed_csv *heed_io_csv_parse(const char *text, size_t size, const heed_csv_options *options);
HEED_API void heed_io_csv_free(heed_csv *csv);

HEED_API int64_t heed_io_csv_rows(const heed_csv *csv); /* without the header */
HEED_API int heed_io_csv_columns(const heed_csv *csv);

/* Name of a column; NULL with HEED_ERR_INDEX. A field as text, without its quotes; NULL with HEED_ERR_INDEX. Both live
 * as long as the csv. */
HEED_API const char *heed_io_csv_name(const heed_csv *csv, int column);
HEED_API const char *heed_io_csv_field(const heed_csv *csv, int64_t row, int column);

/* A column as numbers: (rows). Each field must be one decimal number in C's notation, spaces and tabs around it
 * allowed: no locale, no hexadecimal, no "nan" or "inf"; floats are rounded correctly. i64 takes whole numbers only,
 * bool 0 and 1. HEED_ERR_ARGUMENT for a name that is not there or there twice, listing those that are; HEED_ERR_FORMAT
 * for a field that is no number or too large, with line, column and the text. */
HEED_API heed_tensor *heed_io_csv_column(const heed_csv *csv, const char *name, heed_dtype dtype);

/* -- IDX -----------------------------------------------------------------------------------------------------------
 * The format of MNIST and its kin (Y. LeCun, C. Cortes, C. Burges: The MNIST database): numbers of one type,
 * big-endian, with up to 8 dims; plain or compressed by gzip. */

typedef struct heed_idx_options {
    heed_dtype dtype; /* of the result: values are converted; HEED_ERR_FORMAT for a fraction, or another value that an
                         i64 cannot hold; a bool is value != 0 */
    double scale;     /* each value is multiplied by this, for f32 and f64 only; 0: 1. 1.0 / 255 for images */
    size_t max_bytes; /* 0: 1 GiB; a larger file, or larger content, decompressed, is HEED_ERR_UNSUPPORTED */
} heed_idx_options;

/* Reads a file, or parses `size` bytes. NULL options: f32. NULL with HEED_ERR_IO (path and cause), HEED_ERR_FORMAT
 * (path or "idx", and what is wrong: magic number, type, dims, missing or surplus bytes, a broken gzip stream),
 * HEED_ERR_ARGUMENT for a scale that is not finite or has no use, HEED_ERR_DTYPE, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_io_idx_read(const char *path, const heed_idx_options *options);
HEED_API heed_tensor *heed_io_idx_parse(const void *bytes, size_t size, const heed_idx_options *options);

HEED_END_DECLS

#endif
