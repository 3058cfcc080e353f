/* heed/io.h - reading and writing files: CSV, IDX, NumPy, safetensors, GGUF. Every reader accepts a file, or the same
 * bytes in memory (options.bytes). Every writer writes a temporary file next to the old file. When the temporary file
 * is complete and synced to disk, it is renamed to the name of the old file and replaces it. If the process or the
 * machine stops at any time, either the old or the new file is there, complete. After an error the old file is
 * unchanged and the temporary file is removed. A killed process leaves ".NAME.heed-PID-N.tmp", which the next write to
 * the same file removes.
 *
 * Symbolic links are followed, as by fopen: the target is replaced, or created, in the target's own
 * folder, and the link stays. A replaced file keeps its permissions, but neither its owner nor a set-user-ID,
 * set-group-ID or sticky bit. Its other names (hard links) keep the old content. Folders are not created. HEED_ERR_IO
 * if the path leads to anything other than a regular file, or ends in '/'.
 *
 * Stability: stable, except for heed_io_gguf_read, heed_io_npy_dataset, heed_io_npz_dataset,
 * heed_io_safetensors_dataset, heed_io_idx_dataset
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IO_H
#define HEED_IO_H

#include <heed/data.h>
#include <heed/dict.h>

HEED_BEGIN_DECLS

/* -- CSV --------------------------------------------------------------------------------------------------------
 * RFC 4180 with a header line: fields are separated by ',' (or a different separator), '"' quotes a field and "" is a
 * quote in it, lines end in LF or CRLF, a UTF-8 byte order mark is skipped. A quote after other text of a field is
 * text, as in 5'11". Empty lines are ignored. Every line must have the same number of fields as the header. There are
 * two exceptions: a separator at the end of a line is ignored, and if every row begins with a name that the header
 * lacks, as R writes tables, the names are a first column called "". At most 2^20 columns are supported. A text
 * compressed by gzip is decompressed, and invalid UTF-8 is read as Windows-1252, the superset of Latin-1. Files must be
 * regular; pipes and devices are rejected because their size is unknown: read them into memory (options.bytes).
 *
 *     heed_io_csv *csv = heed_io_csv_read("houses.csv", &(heed_io_csv_options){.guess_separator = true,
 *                                                                              .decimal = ',',
 *                                                                              .missing = HEED_IO_MISSING_NAN});
 *     heed_tensor *x = heed_io_csv_matrix(csv, HEED_NAMES("rooms", "area"), HEED_F32);             (n, 2)
 *     heed_tensor *sold = heed_io_csv_dates(csv, "sold", HEED_IO_DAYS, HEED_F32);                  (n)
 *     heed_categories *cities = heed_io_csv_categories(csv, "city");
 *     heed_tensor *city = heed_io_csv_codes(csv, "city", cities);                                  (n), i64
 *     heed_io_csv_free(csv);
 *
 * A number is decimal, in C's notation (sign, digits, '.', digits, 'e', exponent) in any locale, with spaces and tabs
 * allowed around it. Floats are correctly rounded and may also be "inf" with or without a sign, in upper or lower case;
 * hexadecimal and "nan" are not accepted. */

typedef struct heed_io_csv heed_io_csv;

/* How to treat missing values. A field is missing if its text, without the spaces and tabs around it, is in
 * options.missing_texts, quoted or not. */
typedef enum heed_io_missing {
    HEED_IO_MISSING_ERROR = 0, /* an error when the column is requested; the message gives line and column */
    HEED_IO_MISSING_SKIP,      /* a row with a missing value in any column is skipped when the file is read
                                  (heed_io_csv_skip_missing can consider only some columns) */
    HEED_IO_MISSING_NAN,       /* the value is NaN in f32 and f64, and the code -1 for a category */
    HEED_IO_MISSING_FILL,      /* the value is options.fill; an error for a category */
} heed_io_missing;

/* The order of numbers in dates such as 03/04/2024 and 3-4-2024. */
typedef enum heed_io_date_order {
    HEED_IO_DATE_ORDER_GUESS = 0, /* the order in which all dates of the column are valid; an error if both are */
    HEED_IO_DAY_FIRST,
    HEED_IO_MONTH_FIRST,
} heed_io_date_order;

typedef struct heed_io_csv_options {
    char separator;       /* ' ' means one or more spaces and tabs; 0: ',' */
    char decimal;         /* ',' for numbers such as 1,5, which must be quoted if ',' is also the separator; 0: '.' */
    bool guess_separator; /* chooses the separator among tab, ';', '|' and ',': the one with which most of the first 100
                             lines have as many fields as the header. If the header contains none of them, but all
                             lines as many blanks as the header, it is ' '. heed_io_csv_get_facts tells it. Not allowed
                             together with `separator` */
    heed_io_missing missing;
    double fill;                      /* the value with HEED_IO_MISSING_FILL */
    const char *const *missing_texts; /* the texts that mean a missing value; copied. NULL: "", "NA", "N/A", "n/a",
                                         "NaN", "nan", "NULL" and "null". These texts are not categories either: if "NA"
                                         means Namibia, pass a list without it */
    int missing_text_count;           /* the length of that list */
    size_t max_bytes;                 /* limit of the bytes in memory: the size of the file and 1/16 of it for
                                         positions, 8 to 12 bytes per column, and 8 bytes per row if rows are skipped.
                                         A text that is decompressed, converted or lacks a header is in memory twice.
                                         Above the limit the error is HEED_ERR_UNSUPPORTED. 0: 512 MiB */
    int64_t first, rows; /* reads only `rows` rows, from row `first` on; rows that are skipped count. The other rows are
                            parsed and ignored. If `rows` is 0, it reads to the end. HEED_ERR_INDEX if the file has
                            fewer rows */
    const void *bytes;   /* reads `size` bytes of memory instead of a file. `path` is then only the name in messages;
                            NULL: "csv" */
    size_t size;
    int skip_lines;                /* number of lines to ignore before the header, or before the first row */
    bool no_header;                /* the first line is a row, and the columns are called V1, V2, ... */
    char comment;                  /* lines that begin with this character are ignored; 0: none */
    char thousands;                /* between groups of three digits before the decimal sign, as in 1,234.5; 0: none */
    heed_io_date_order date_order; /* for heed_io_csv_dates */
    HEED_RESERVED;
} heed_io_csv_options;

/* Reads a CSV file, to be freed by heed_io_csv_free. NULL options: the defaults.
 * Errors: NULL with
 *     HEED_ERR_ARGUMENT       NULL; an invalid separator, comment character, decimal sign or sign for thousands; an
 *                             unknown value of `missing` or `date_order`; skip_lines below 0
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_FORMAT         path, the line, and what is wrong there
 *     HEED_ERR_UNSUPPORTED    more than max_bytes, or too many columns
 *     HEED_ERR_NOMEM
 * numpy: numpy.genfromtxt */
HEED_API HEED_NODISCARD heed_io_csv *heed_io_csv_read(const char *path, const heed_io_csv_options *options);

/* Frees a csv. NULL is ignored. */
HEED_API void heed_io_csv_free(heed_io_csv *csv);

/* The size of a table, and how it was read. */
typedef struct heed_io_csv_facts {
    int64_t rows;    /* without the header and skipped rows */
    int columns;     /* the number of columns */
    int64_t skipped; /* rows skipped because of missing values */
    char separator;  /* given in the options or guessed */
    bool latin1;     /* the text was not UTF-8 and was read as Windows-1252 */
} heed_io_csv_facts;

/* Returns the size of a table, and how it was read.
 * Errors: all fields are 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API heed_io_csv_facts heed_io_csv_get_facts(const heed_io_csv *csv);

/* Returns k columns as a tensor (rows, k) of `dtype`, in the order of `names`: heed_io_csv_matrix(csv, HEED_NAMES("x",
 * "y"), HEED_F32).
 * With NULL for names and 0 for k it returns all columns.
 * Errors: as heed_io_csv_column, and HEED_ERR_ARGUMENT for k < 1 with names.
 * numpy: numpy.loadtxt */
HEED_API heed_tensor *heed_io_csv_matrix(const heed_io_csv *csv, const char *const *names, int k, heed_dtype dtype);

/* Returns the column of that name as a tensor (rows) of `dtype`, borrowed from the innermost scope.
 * i64 accepts numbers whose exact value is whole, also written as 5.0 or 1e3 (as pandas does in integer columns with
 * gaps), and bool accepts 0 and 1; 5.5, and 1e300 for i64, are rejected.
 * Errors: NULL with
 *     HEED_ERR_ARGUMENT    NULL; a name that matches no column or several: the message lists the columns
 *     HEED_ERR_FORMAT      a field that is missing, not a number, or too large for the dtype: line, column and text
 *     HEED_ERR_DTYPE       an unknown dtype; with missing values: HEED_IO_MISSING_NAN for i64 or bool, and FILL with
 *                          a number that the dtype cannot hold
 *     HEED_ERR_NOMEM */
HEED_API heed_tensor *heed_io_csv_column(const heed_io_csv *csv, const char *name, heed_dtype dtype);

/* Returns the different texts of a column, sorted byte by byte (see heed_categories_new).
 * Fields are used unchanged, with spaces and case; missing ones are not categories. Free the result with
 * heed_categories_free.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL, or a name that matches no column or several; HEED_ERR_FORMAT for a
 * missing value, with its line and column, unless options.missing is HEED_IO_MISSING_NAN; HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_categories *heed_io_csv_categories(const heed_io_csv *csv, const char *name);

/* Returns a column of texts as codes, i64 (rows): for heed_one_hot, heed_embedding or heed_cross_entropy.
 * A missing value is -1 with HEED_IO_MISSING_NAN. The categories may come from a different file, such as the file that
 * a model was trained on.
 * Errors: NULL with HEED_ERR_FORMAT for a text that is missing or not in the categories, with its line, column and
 * text; HEED_ERR_ARGUMENT for NULL, or a name that matches no column or several; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_io_csv_codes(const heed_io_csv *csv, const char *name, const heed_categories *categories);

typedef enum heed_io_time {
    HEED_IO_SECONDS = 0, /* seconds since 1970-01-01T00:00:00Z, without leap seconds, as in POSIX */
    HEED_IO_DAYS,        /* days of 86400 such seconds, from the same moment on */
} heed_io_time;

/* Returns a column of dates as a tensor (rows) of `dtype`, f32, f64 or i64.
 * Dates are ISO 8601 (extended, years 0000 to 9999, the Gregorian calendar throughout), or have one of the other forms
 * below, also followed by such a time. Months are the first three letters, or more, of their English names.
 *
 *     2024-02-29    2024-02-29T13:45    2024-02-29 13:45:07.25    2024-02-29T13:45:07Z    2024-02-29T13:45:07+05:30
 *     2024/02/29    29.02.2024    29-Feb-2024    29 February 2024    Feb 29, 2024
 *     29/02/2024    02/29/2024    29-02-2024    02-29-2024           (options.date_order)
 *
 * A date without a time means its first moment, and a time without an offset is UTC. Floats are rounded: the seconds of
 * present-day dates to multiples of 128 in f32 and of 2^-22 in f64, days to multiples of 1/512 in f32. i64 accepts only
 * whole numbers. Missing values are treated as options.missing says.
 * Errors: NULL with
 *     HEED_ERR_ARGUMENT    NULL; an unknown unit; a name that matches no column or several
 *     HEED_ERR_FORMAT      a field that is missing or not a date, or for i64 not a whole number; the message gives
 *                           its line, column and text
 *     HEED_ERR_DTYPE       bool; and the cases of heed_io_csv_column
 *     HEED_ERR_NOMEM
 * numpy: numpy.datetime64 */
HEED_API heed_tensor *heed_io_csv_dates(const heed_io_csv *csv, const char *name, heed_io_time unit, heed_dtype dtype);

typedef struct heed_io_csv_dataset_options {
    const heed_io_csv_options *csv; /* format of the file and treatment of missing values; HEED_IO_MISSING_SKIP
                                       considers only inputs and target. NULL: the defaults */
    heed_dtype dtype;               /* dtype of inputs and target; 0: f32 */
    heed_categories **classes;      /* if not NULL, the target column is text. If *classes is NULL, *classes is set to
                                       the categories of the file, which the caller frees. Otherwise *classes defines
                                       the codes, for instance for a second file */
    HEED_RESERVED;
} heed_io_csv_dataset_options;

/* Reads a CSV file into a dataset: tensor 0 is the columns `inputs`, (n, k), tensor 1 the column `target`, (n).
 * Both tensors have options.dtype, except that with options.classes tensor 1 contains i64 codes. With NULL for inputs
 * and 0 for k, the inputs are all columns except the target. NULL options: the defaults. Free the dataset with
 * heed_dataset_free. After a failure *classes is unchanged.
 *
 *     heed_categories *species = NULL;
 *     heed_dataset *train = heed_io_csv_dataset("iris.csv", HEED_NAMES("petal length", "petal width"), "species",
 *                                               &(heed_io_csv_dataset_options){.classes = &species});
 *
 * Errors: NULL as heed_io_csv_read, heed_io_csv_matrix, heed_io_csv_column and heed_io_csv_codes. */
HEED_API HEED_NODISCARD heed_dataset *heed_io_csv_dataset(const char *path, const char *const *inputs, int k,
                                                          const char *target,
                                                          const heed_io_csv_dataset_options *options);

typedef struct heed_io_csv_write_options {
    char separator;                           /* 0: ',', or ';' if `decimal` is ',' */
    char decimal;                             /* ',' or '.'; 0: '.' */
    const char *missing;                      /* the text for NaN and for code -1; NULL: "NaN" */
    const heed_categories *const *categories; /* one per tensor: an i64 tensor with categories is written as texts. If
                                                 its element, or the list, is NULL, a tensor is written as numbers */
    HEED_RESERVED;
} heed_io_csv_write_options;

/* Writes tensors as named columns of a CSV file, and replaces `path` as the top of heed/io.h describes.
 * Every tensor is (n), one column, or (n, m), m columns; the total must equal the number of names:
 *
 *     heed_io_csv_write("fit.csv", HEED_NAMES("x", "y", "fit"), HEED_TENSORS(x, y, y_hat), NULL);
 *
 * Finite numbers are written with the fewest digits (from 6 in f32 and from 15 in f64) that give the same bits when
 * read as their dtype, in any locale; bool is written as 0 and 1, infinities as inf and -inf. A text is quoted if
 * necessary. Lines end in LF.
 * Errors: HEED_ERR_ARGUMENT for NULL, k < 1, a wrong number of names, or an invalid separator, decimal sign or text;
 * HEED_ERR_SHAPE for other ranks or first axes that differ; HEED_ERR_DTYPE for categories of a tensor other than i64,
 * HEED_ERR_INDEX for a code that they lack; HEED_ERR_IO with path and cause, HEED_ERR_NOMEM.
 * numpy: numpy.savetxt */
HEED_API heed_status heed_io_csv_write(const char *path, const char *const *names, int n_names,
                                       heed_tensor *const *tensors, int k, const heed_io_csv_write_options *options);

/* -- CSV: expert calls --------------------------------------------------------------------------------------------- */

/* Skips every row that has a missing value in one of k columns. With NULL for names and 0 for k, all columns are
 * considered.
 * All functions of the csv then see only the remaining rows, renumbered from 0.
 * Errors: HEED_ERR_ARGUMENT for NULL, and for a name that matches no column or several; HEED_ERR_NOMEM. */
HEED_API heed_status heed_io_csv_skip_missing(heed_io_csv *csv, const char *const *names, int k);

/* Returns the name of a column, counted from 0; it is valid while the csv exists.
 * Errors: NULL with HEED_ERR_INDEX for a column that does not exist, HEED_ERR_ARGUMENT for NULL. */
HEED_API const char *heed_io_csv_name(const heed_io_csv *csv, int column);

/* Returns the line of the file on which a row begins, for messages about its values.
 * Row 0 is on line 2, below the header, unless quoted fields contain line ends or lines or rows were skipped.
 * Errors: 0 with HEED_ERR_INDEX for a row that does not exist, HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_io_csv_line(const heed_io_csv *csv, int64_t row);

/* Returns a field as text, without its quotes; row and column count from 0. The text is valid while the csv exists.
 * Errors: NULL with HEED_ERR_INDEX for a row or column that does not exist, HEED_ERR_ARGUMENT for NULL. */
HEED_API const char *heed_io_csv_field(const heed_io_csv *csv, int64_t row, int column);

/* -- IDX -----------------------------------------------------------------------------------------------------------
 * The format of MNIST and similar data sets (Y. LeCun, C. Cortes, C. Burges: The MNIST database): numbers of one type,
 * big-endian, with up to 8 dims; plain or compressed by gzip. */

typedef struct heed_io_idx_options {
    heed_dtype dtype; /* dtype of the result; 0: f32. Values are converted: for i64 a fraction is HEED_ERR_FORMAT, and a
                         bool is value != 0 */
    double scale;     /* factor of all values, such as 1.0 / 255 for images; f32 and f64 only. 0: 1 */
    size_t max_bytes; /* limit of the decompressed bytes, and of the bytes in memory (the loaded file and the tensor's
                         elements together). Above it the error is HEED_ERR_UNSUPPORTED. 0: 4 GiB */
    int64_t first, rows; /* reads `rows` rows of the first axis from row `first` on; 0 rows: to the end. HEED_ERR_INDEX
                            if the file has fewer rows, HEED_ERR_SHAPE for a scalar */
    const void *bytes;   /* reads `size` bytes of memory instead of a file. `path` is then only the name in messages;
                            NULL: "idx" */
    size_t size;
    HEED_RESERVED;
} heed_io_idx_options;

/* Reads an IDX file and returns a tensor of its shape, borrowed from the innermost scope. NULL options: f32.
 * Errors: NULL with
 *     HEED_ERR_ARGUMENT       NULL; a non-finite scale, or a scale for i64 or bool
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_FORMAT         path, and what is wrong: magic number, type, dims, number of bytes, gzip
 *     HEED_ERR_UNSUPPORTED    more than max_bytes
 *     HEED_ERR_DTYPE, HEED_ERR_NOMEM */
HEED_API heed_tensor *heed_io_idx_read(const char *path, const heed_io_idx_options *options);

/* -- Common to the readers and writers below --------------------------------------------------------------------------
 * f32, f64, i64 and bool are read unchanged, half floats as f32, smaller integers as i64; other types (strings,
 * objects, complex numbers, u64) are HEED_ERR_UNSUPPORTED. A writer writes row-major, little-endian elements for any
 * strides, and replaces `path` as the top of this file describes.
 *
 * Reading needs memory for the tensors' elements plus about 420 bytes per tensor, and for the texts' characters plus
 * about 70 bytes per text. During the call it also needs memory for the directory of an .npz or the header of a
 * .safetensors (84 bytes per tensor; for a .gguf 48 bytes and, per key with an array, about 70), four times the longest
 * text in __metadata__, and at most 256 KiB. */

typedef struct heed_io_read_options {
    size_t max_bytes;    /* limit of a file's bytes, and of the bytes in memory. In memory count the elements and, for a
                            dict, 576 bytes per tensor, 160 bytes per text, and the characters of names and texts; while
                            reading also the header of a .safetensors, the directory of an .npz and a second copy of a
                            text of a .gguf. An index and all its .safetensors files share one limit. 0: 16 GiB */
    int64_t first, rows; /* reads `rows` rows of the first axis of every tensor, from row `first` on; 0 rows: to the
                            end. In an uncompressed file the other rows are not read. HEED_ERR_INDEX if a tensor has
                            fewer rows, HEED_ERR_SHAPE for a scalar, HEED_ERR_UNSUPPORTED in Fortran order */
    const void *bytes;   /* reads `size` bytes of memory instead of a file. `path` is then only the name in messages;
                            NULL: the format, such as "npy" */
    size_t size;
    const char *const *names; /* reads only the tensors of these names; others are skipped, and so may have unsupported
                                 types. HEED_ERR_ARGUMENT if one is missing, and for an .npy; NULL: all tensors */
    int name_count;           /* the number of names */
    bool skip_unlisted;       /* for an index of .safetensors files: skips tensors that it does not list for their file;
                                 otherwise they are HEED_ERR_FORMAT */
    HEED_RESERVED;
} heed_io_read_options;

/* -- NumPy -------------------------------------------------------------------------------------------------------- */

/* Reads the tensor of an .npy file (numpy.lib.format): versions 1 to 3, C or Fortran order, either byte order.
 * Types without a byte order ("f4", "=f4") have this machine's, and "?" is a bool, as in NumPy.
 * The result is borrowed from the innermost scope.
 * Errors: NULL with
 *     HEED_ERR_ARGUMENT       NULL
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_FORMAT         path, and what is wrong
 *     HEED_ERR_UNSUPPORTED    an unsupported type or version; more than max_bytes
 *     HEED_ERR_NOMEM
 * numpy: numpy.load */
HEED_API heed_tensor *heed_io_npy_read(const char *path, const heed_io_read_options *options);

/* Writes a tensor as .npy, version 1.0, with its own dtype and shape, and replaces `path`.
 * Errors: HEED_ERR_ARGUMENT for NULL, HEED_ERR_IO with path and cause, HEED_ERR_UNSUPPORTED for an expanded view with
 * more elements than a file can hold, HEED_ERR_NOMEM.
 * numpy: numpy.save */
HEED_API heed_status heed_io_npy_write(const char *path, heed_tensor *t);

typedef struct heed_io_npz_options {
    bool compressed; /* compresses the members (deflate); otherwise they are stored unchanged */
    HEED_RESERVED;
} heed_io_npz_options;

/* Reads the tensors of an .npz file as a dict, to be freed by heed_dict_free.
 * The file is a zip archive of .npy files, as numpy.savez and numpy.savez_compressed write it. A member's name is the
 * tensor's name with ".npy". Members may be stored or deflated; their checksums are verified. options.names reads an
 * archive whose other members are texts, objects or folders.
 * Errors: NULL with
 *     HEED_ERR_ARGUMENT       NULL; a name that the archive lacks
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_FORMAT         path, the member, and what is wrong
 *     HEED_ERR_UNSUPPORTED    an unsupported type, version or feature; more than max_bytes
 *     HEED_ERR_NOMEM
 * numpy: numpy.load */
HEED_API HEED_NODISCARD heed_dict *heed_io_npz_read(const char *path, const heed_io_read_options *options);

/* Writes the tensors of a dict, without its texts, as .npz, and replaces `path`.
 * The same tensors give the same bytes. NULL options: stored.
 * Errors: HEED_ERR_ARGUMENT for NULL or a name that the format does not allow, HEED_ERR_IO with path and cause,
 * HEED_ERR_UNSUPPORTED for an expanded view with more elements than a file can hold, HEED_ERR_NOMEM.
 * numpy: numpy.savez */
HEED_API heed_status heed_io_npz_write(const char *path, const heed_dict *dict, const heed_io_npz_options *options);

/* -- Safetensors -----------------------------------------------------------------------------------------------------
 * https://github.com/huggingface/safetensors: the size of the header in 8 bytes, the header in JSON, the elements. */

/* Reads the tensors of a .safetensors file as a dict, to be freed by heed_dict_free; its texts are the __metadata__.
 * A path that ends in ".json" is the index of several files, named "model.safetensors.index.json" on the Hugging Face
 * Hub: all their tensors are read as one dict, without __metadata__. The index's weight_map gives, for every tensor,
 * the name of a file in the folder of the index.
 * The file is checked strictly: the header has at most 100 MB, a tensor's description at most 2 KB, names are unique
 * and not empty, texts lack U+0000, sizes fit the shapes, and every byte after the header is used exactly once.
 * Errors: NULL with
 *     HEED_ERR_ARGUMENT       NULL; a name that no file has
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_FORMAT         path, and what is wrong
 *     HEED_ERR_UNSUPPORTED    an unsupported type; more than max_bytes
 *     HEED_ERR_NOMEM */
HEED_API HEED_NODISCARD heed_dict *heed_io_safetensors_read(const char *path, const heed_io_read_options *options);

/* Writes the tensors of a dict, and its texts as `__metadata__`, and replaces `path`.
 * Errors: HEED_ERR_ARGUMENT for NULL and for a tensor named __metadata__, HEED_ERR_IO with path and cause,
 * HEED_ERR_UNSUPPORTED for an expanded view with more elements than a file can hold, HEED_ERR_NOMEM. */
HEED_API heed_status heed_io_safetensors_write(const char *path, const heed_dict *dict);

/* -- GGUF ------------------------------------------------------------------------------------------------------------
 * https://github.com/ggml-org/ggml/blob/master/docs/gguf.md: the format of llama.cpp and related programs. Reading
 * only. heed_nn_decoder_from_gguf makes a language model from the contents of a file. */

/* Reads the tensors of a .gguf file of version 2 or 3 as a dict, to be freed by heed_dict_free. F32, F64 and I64 are
 * read unchanged, I8 to I32 as i64, F16, BF16 and Q8_0 as f32. A Q8_0 block of 32 elements consists of a scale in f16
 * and 32 signed bytes; every element is the scale times a byte. Axes are in PyTorch's order: the file's first size, the
 * fastest axis, is the last dim of the shape. The dict's texts are the file's keys: strings unchanged, numbers in
 * decimal, true and false; arrays are ignored, including the vocabulary. The file is checked strictly: keys and names
 * are unique and not empty, texts lack U+0000, and tensors do not overlap; unused bytes are ignored. options.rows for a
 * Q8_0 with one axis must be whole blocks.
 * Errors: NULL with
 *     HEED_ERR_ARGUMENT       NULL; a name that the file lacks
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_FORMAT         path, and what is wrong
 *     HEED_ERR_UNSUPPORTED    a different version; big-endian; a tensor of a different type, before any elements are
 *                             read (the message gives its name and type); arrays nested deeper than 4; more
 *                             than max_bytes
 *     HEED_ERR_NOMEM */
HEED_API HEED_NODISCARD heed_dict *heed_io_gguf_read(const char *path, const heed_io_read_options *options);

/* -- Datasets that stay in files --------------------------------------------------------------------------------------
 * Datasets (heed/data.h) whose tensors stay in a file of any size: only the rows that a loader, heed_dataset_take or a
 * process of a team requests are read. Splits, folds, subsets and loaders work as with tensors in memory, and
 * heed_dataset_zip combines several datasets:
 *
 *     heed_dataset *images = heed_io_npy_dataset("images.npy");                      (1000000, 3, 224, 224), 150 GB
 *     heed_dataset *labels = heed_dataset_new(HEED_TENSORS(heed_io_npy_read("labels.npy", NULL)));
 *     heed_dataset *all = heed_dataset_zip(HEED_DATASETS(images, labels));
 *
 * A sample is the elements at one index of the first axis; dtypes are as for the readers. Creating the dataset reads
 * only the header. Taking samples reads consecutive samples in one piece. The file stays open until the dataset and its
 * subsets are freed. Any number of threads and processes may read it at once.
 *
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for a scalar, or first axes that differ;
 * HEED_ERR_UNSUPPORTED if the elements of a row are not contiguous (Fortran order, compression), and for unsupported
 * types and versions; HEED_ERR_FORMAT, HEED_ERR_IO with path and cause, HEED_ERR_NOMEM. Taking samples fails with
 * HEED_ERR_IO if they cannot be read, or if the file's size or modification time has changed. If the file is replaced
 * (as all writers here do), the dataset continues to read the old one. */

/* Opens an .npy file in C order as a dataset of one tensor.
 * Errors: HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for a scalar; HEED_ERR_UNSUPPORTED in Fortran order, and for an
 * unsupported type or version; HEED_ERR_FORMAT, HEED_ERR_IO with path and cause; HEED_ERR_NOMEM.
 * numpy: numpy.memmap */
HEED_API HEED_NODISCARD heed_dataset *heed_io_npy_dataset(const char *path);

/* Opens k members of an .npz file as a dataset, by their names without ".npy": heed_io_npz_dataset("data.npz",
 * HEED_NAMES("x", "y")).
 * Members must be stored, as by numpy.savez and heed_io_npz_write; their checksums are not verified.
 * Errors: as heed_io_npy_dataset, also HEED_ERR_UNSUPPORTED for a compressed member; HEED_ERR_SHAPE if the first
 * axes differ; HEED_ERR_ARGUMENT for an unknown name, and unless k is 1 to HEED_DATASET_MAX. */
HEED_API HEED_NODISCARD heed_dataset *heed_io_npz_dataset(const char *path, const char *const *names, int k);

/* Opens k tensors of a .safetensors file as a dataset, by their names.
 * The whole header is checked as by heed_io_safetensors_read.
 * Errors: as heed_io_npy_dataset, and HEED_ERR_SHAPE if the first axes differ; HEED_ERR_ARGUMENT for an unknown
 * name, and unless k is 1 to HEED_DATASET_MAX. */
HEED_API HEED_NODISCARD heed_dataset *heed_io_safetensors_dataset(const char *path, const char *const *names, int k);

/* Opens an uncompressed IDX file as a dataset of one tensor.
 * Values are converted and scaled when they are taken, to the same bits as by heed_io_idx_read; with dtype i64, a value
 * that is too large or not a whole number is then HEED_ERR_FORMAT. options.max_bytes limits the file's size; 0 means no
 * limit.
 * Errors: as heed_io_npy_dataset and heed_io_idx_read. */
HEED_API HEED_NODISCARD heed_dataset *heed_io_idx_dataset(const char *path, const heed_io_idx_options *options);

/* -- Expert calls: paths ------------------------------------------------------------------------------------------- */

/* Returns true if two paths lead to the same file, through any spelling, a hard link or symbolic links.
 * A program that reads one file and writes another should call it first, because a writer replaces the file. Returns
 * false if either path does not lead to a file.
 *
 * Errors: HEED_ERR_ARGUMENT for a NULL path. */
HEED_API bool heed_io_same_file(const char *path, const char *other);

HEED_END_DECLS

#endif
