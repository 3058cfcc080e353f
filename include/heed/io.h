/* heed/io.h - files. Each reader takes a file, or the same bytes from memory. Each writer makes a temporary file
 * beside the old one and puts it in its place when it is whole and safe on the disk: whenever the process or the
 * machine stops, one of the two is there. An error leaves the old file as it was, and no temporary one; what a killed
 * process leaves, ".NAME.heed-PID-N.tmp", the next write to the same file removes.
 *
 * A path that is a symbolic link is followed, as by fopen: the file that it leads to is replaced, or made, in its own
 * folder, and the link stays. A file that is replaced keeps its permissions. It keeps neither its owner nor a
 * set-user-ID, set-group-ID or sticky bit. Other names of it (hard links) keep the old content. Folders are not made.
 * HEED_ERR_IO if the path leads to something other than a regular file, or ends
 * in '/'. */
#ifndef HEED_IO_H
#define HEED_IO_H

#include <heed/data.h>
#include <heed/dict.h>

HEED_BEGIN_DECLS

/* Returns true if two paths lead to the same file: through any spelling, a hard link or symbolic links. A program that
 * reads one file and writes another calls it first, because a writer replaces the file. Returns false if either path
 * leads to no file.
 *
 * Errors: HEED_ERR_ARGUMENT for a NULL path. */
HEED_API bool heed_io_same_file(const char *path, const char *other);

/* -- CSV --------------------------------------------------------------------------------------------------------
 * RFC 4180 with a header line: fields separated by ',' (or another separator), '"' quotes a field and "" is a quote in
 * it, lines end in LF or CRLF, a UTF-8 byte order mark is skipped. Every line has as many fields as the header; empty
 * lines are allowed at the end only. There are at most 2^20 columns. Files must be regular: a pipe or a device is
 * refused: it has no size.
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
 * around it if you like; not hexadecimal, "nan" or "inf". Floats are correctly rounded. */

typedef struct heed_io_csv heed_io_csv;

/* What becomes of a missing value: of a field whose text, without the spaces and tabs around it, is one of
 * options.missing_texts, quoted or not. */
typedef enum heed_io_missing {
    HEED_IO_MISSING_REFUSE = 0, /* an error that gives line and column, when the column is asked for */
    HEED_IO_MISSING_SKIP,       /* its row is left out when the file is read, whatever the column
                                   (heed_io_csv_skip_missing: of some columns only) */
    HEED_IO_MISSING_NAN,        /* NaN, for f32 and f64; of a category, code -1 */
    HEED_IO_MISSING_FILL,       /* options.fill; a category is refused */
} heed_io_missing;

typedef struct heed_io_csv_options {
    char separator;       /* 0: ',' */
    char decimal;         /* ',' for numbers such as 1,5; 0: '.' */
    bool guess_separator; /* tab, ';', '|' or ',': the one by which most of the first 100 lines agree with the header;
                             heed_io_csv_separator says which. Not together with `separator` */
    heed_io_missing missing;
    double fill;                      /* with HEED_IO_MISSING_FILL */
    const char *const *missing_texts; /* which texts are missing values; copied. NULL: "", "NA", "N/A", "n/a", "NaN",
                                         "nan", "NULL" and "null". Such a text is no category either: for a column where
                                         "NA" is Namibia, give a list without it */
    int missing_text_count;           /* of that list */
    size_t max_bytes;    /* most bytes in memory: the file's, 1/16 of it for positions, 8 to 12 per column, 8 per
                                         row if rows are left out. 0: 512 MiB. More is HEED_ERR_UNSUPPORTED */
    int64_t first, rows; /* only so many rows from that one on, counted before any is left out; the others are
                                         parsed, and not looked at. 0 rows: to the end. HEED_ERR_INDEX where there are
                                         fewer */
    HEED_RESERVED;
} heed_io_csv_options;

/* Reads a file. NULL options: the defaults. To be freed by heed_io_csv_free. NULL with
 *     HEED_ERR_ARGUMENT       NULL; a separator or decimal sign that cannot be one; a missing that is none of the enum
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_FORMAT         path, the line, and what is wrong there
 *     HEED_ERR_UNSUPPORTED    more than max_bytes, or too many columns
 *     HEED_ERR_NOMEM
 * numpy: numpy.genfromtxt */
HEED_API HEED_NODISCARD heed_io_csv *heed_io_csv_read(const char *path, const heed_io_csv_options *options);

/* Parses the `size` bytes at `text`, which are copied. As heed_io_csv_read, with "csv" for the path in messages. */
HEED_API HEED_NODISCARD heed_io_csv *heed_io_csv_parse(const char *text, size_t size,
                                                       const heed_io_csv_options *options);

/* NULL is ignored. */
HEED_API void heed_io_csv_free(heed_io_csv *csv);

/* Leaves out each row that has a missing value in one of k columns, or, for NULL and 0, in any: the rows that are left
 * are numbered anew, for every function below. So all columns keep the same rows, whichever are asked for.
 * HEED_ERR_ARGUMENT for NULL and for a name that no column has, or several; HEED_ERR_NOMEM. */
HEED_API heed_status heed_io_csv_skip_missing(heed_io_csv *csv, const char *const *names, int k);

/* Rows, without the header and without those left out. 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_io_csv_rows(const heed_io_csv *csv);

/* Rows left out for their missing values. 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_io_csv_skipped(const heed_io_csv *csv);

/* Columns. 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int heed_io_csv_columns(const heed_io_csv *csv);

/* The separator, given or guessed. 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API char heed_io_csv_separator(const heed_io_csv *csv);

/* The name of a column, counted from 0; it lives as long as the csv. NULL with HEED_ERR_INDEX for a column that does
 * not exist, HEED_ERR_ARGUMENT for NULL. */
HEED_API const char *heed_io_csv_name(const heed_io_csv *csv, int column);

/* The line of the file on which a row begins: row 0 is on line 2, below the header, unless quoted fields contain line
 * ends or rows were left out. For messages about values that were read. Returns 0 with HEED_ERR_INDEX for a row that
 * does not exist, HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_io_csv_line(const heed_io_csv *csv, int64_t row);

/* A field as text, without its quotes; row and column count from 0. It lives as long as the csv. NULL with
 * HEED_ERR_INDEX for a row or column that does not exist, HEED_ERR_ARGUMENT for NULL. */
HEED_API const char *heed_io_csv_field(const heed_io_csv *csv, int64_t row, int column);

/* The column of that name as a tensor (rows) of `dtype`, borrowed from the innermost scope. i64 takes numbers whose
 * exact value is whole, also written as 5.0 or 1e3 (as pandas does in integer columns with gaps), and bool takes 0 and
 * 1; 5.5, and 1e300 for i64, are refused. NULL with
 *     HEED_ERR_ARGUMENT    NULL; a name that no column has, or several: the columns are listed
 *     HEED_ERR_FORMAT      a field that is not a number, or missing, or too large for the dtype: line, column and text
 *     HEED_ERR_DTYPE       no dtype; HEED_IO_MISSING_NAN for i64 or bool, and FILL with what is not one, where a
 *                          value is missing
 *     HEED_ERR_NOMEM */
HEED_API heed_tensor *heed_io_csv_column(const heed_io_csv *csv, const char *name, heed_dtype dtype);

/* k columns as a tensor (rows, k) of `dtype`, in the order of `names`: heed_io_csv_matrix(csv, HEED_NAMES("x", "y"),
 * HEED_F32). For NULL and 0, all columns. As heed_io_csv_column; k < 1 with names is HEED_ERR_ARGUMENT.
 * numpy: numpy.loadtxt */
HEED_API heed_tensor *heed_io_csv_matrix(const heed_io_csv *csv, const char *const *names, int k, heed_dtype dtype);

typedef enum heed_io_time {
    HEED_IO_SECONDS = 0, /* since 1970-01-01T00:00:00Z, without leap seconds, as POSIX counts */
    HEED_IO_DAYS,        /* of 86400 such seconds */
} heed_io_time;

/* A column of dates as a tensor (rows) of `dtype`, f32, f64 or i64. A date is ISO 8601 (extended, years 0000 to 9999,
 * the Gregorian calendar throughout):
 *
 *     2024-02-29    2024-02-29T13:45    2024-02-29 13:45:07.25    2024-02-29T13:45:07Z    2024-02-29T13:45:07+05:30
 *
 * A date alone is its first moment, and what has no offset is UTC. Floats are rounded: seconds of our days to 128 in
 * f32, to 2^-22 in f64; days to 1/512 in f32. i64 takes what is whole. Missing values as options.missing says.
 * NULL with
 *     HEED_ERR_ARGUMENT    NULL; a unit that is neither; a name that no column has, or several
 *     HEED_ERR_FORMAT      what is no date, or missing, or has a fraction where dtype is i64: its line, column and text
 *     HEED_ERR_DTYPE       bool; or as heed_io_csv_column
 *     HEED_ERR_NOMEM
 * numpy: numpy.datetime64 */
HEED_API heed_tensor *heed_io_csv_dates(const heed_io_csv *csv, const char *name, heed_io_time unit, heed_dtype dtype);

/* The different texts of a column, sorted byte by byte: see heed_categories_new. Fields are taken as they stand, with
 * spaces and case; missing ones are none. To be freed by heed_categories_free. NULL with HEED_ERR_ARGUMENT for NULL or
 * a name that no column has, or several; HEED_ERR_FORMAT for a missing value, unless options.missing is
 * HEED_IO_MISSING_NAN: its line and column; HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_categories *heed_io_csv_categories(const heed_io_csv *csv, const char *name);

/* A column of texts as codes, i64 (rows): for heed_one_hot, heed_embedding or heed_cross_entropy. A missing value is -1
 * with HEED_IO_MISSING_NAN. The categories may be those of another file, such as the one that a model was trained on.
 * NULL with HEED_ERR_FORMAT for a text that is none of the categories, or missing: its line, column and text;
 * HEED_ERR_ARGUMENT for NULL or a name that no column has, or several; HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_io_csv_codes(const heed_io_csv *csv, const char *name, const heed_categories *categories);

typedef struct heed_io_csv_dataset_options {
    const heed_io_csv_options *csv; /* how the file is written, and what is done about missing values:
                                       HEED_IO_MISSING_SKIP looks at inputs and target only. NULL: the defaults */
    heed_dtype dtype;               /* of inputs and target; 0: f32 */
    heed_categories **classes;      /* not NULL: the target is text. Where *classes is NULL, it is learned, and yours to
                                       free; otherwise it gives the codes, as for a second file */
    HEED_RESERVED;
} heed_io_csv_dataset_options;

/* A dataset from a file in one call: tensor 0 is the columns `inputs` as (n, k), tensor 1 the column `target` as (n);
 * of one dtype, or, with options.classes, tensor 1 is i64 codes. For NULL and 0, the inputs are all columns but the
 * target. NULL options: the defaults. To be freed by heed_dataset_free. NULL with the errors of heed_io_csv_read,
 * heed_io_csv_matrix, heed_io_csv_column and heed_io_csv_codes; then *classes is as it was.
 *
 *     heed_categories *species = NULL;
 *     heed_dataset *train = heed_io_csv_dataset("iris.csv", HEED_NAMES("petal length", "petal width"), "species",
 *                                               &(heed_io_csv_dataset_options){.classes = &species}); */
HEED_API HEED_NODISCARD heed_dataset *heed_io_csv_dataset(const char *path, const char *const *inputs, int k,
                                                          const char *target,
                                                          const heed_io_csv_dataset_options *options);

typedef struct heed_io_csv_write_options {
    char separator;      /* 0: ',', or ';' where `decimal` is ',' */
    char decimal;        /* ',' or '.'; 0: '.' */
    const char *missing; /* the text of NaN, and of code -1; NULL: "NaN" */
    const heed_categories *const
        *categories; /* one for each tensor, of which those of an i64 are written as texts; NULL
                                                 in it, or for all: numbers */
    HEED_RESERVED;
} heed_io_csv_write_options;

/* Writes tensors as columns with names, and replaces `path` (above). Each of the k tensors is (n), one column, or
 * (n, m), m of them; in all they are as many as there are names:
 *
 *     heed_io_csv_write("fit.csv", HEED_NAMES("x", "y", "fit"), HEED_TENSORS(x, y, y_hat), NULL);
 *
 * Finite numbers are written with as few digits (from 6 in f32 and from 15 in f64) as give the same bits when read as
 * their dtype, in any locale; bool as 0 and 1, infinities as inf and -inf, which heed_io_csv_column refuses. A text is
 * quoted where it needs it. Lines end in LF. HEED_ERR_ARGUMENT for NULL, no tensors, another number of names, or a
 * separator, decimal sign or text that cannot be one; HEED_ERR_SHAPE for other ranks or first axes that differ;
 * HEED_ERR_DTYPE for categories of what is not i64, HEED_ERR_INDEX for a code that they lack; HEED_ERR_IO with path and
 * cause, HEED_ERR_NOMEM.
 * numpy: numpy.savetxt */
HEED_API heed_status heed_io_csv_write(const char *path, const char *const *names, int n_names,
                                       heed_tensor *const *tensors, int k, const heed_io_csv_write_options *options);

/* -- IDX -----------------------------------------------------------------------------------------------------------
 * The format of MNIST and its kin (Y. LeCun, C. Cortes, C. Burges: The MNIST database): numbers of one type,
 * big-endian, with up to 8 dims; plain or compressed by gzip. */

typedef struct heed_io_idx_options {
    heed_dtype dtype; /* of the result, 0: f32. Values are converted: an i64 must hold them (HEED_ERR_FORMAT for a
                         fraction), a bool is value != 0 */
    double scale;     /* what each value is multiplied by, 1.0 / 255 for images; f32 and f64 only. 0: 1 */
    size_t
        max_bytes; /* most bytes of the content when decompressed, and most bytes in memory: a file that was loaded and
                            the tensor's elements together. 0: 4 GiB. More is HEED_ERR_UNSUPPORTED */
    int64_t first, rows; /* only so many of the first axis, from that one on; 0 rows: to the end. HEED_ERR_INDEX where
                            there are fewer, HEED_ERR_SHAPE for a scalar */
    HEED_RESERVED;
} heed_io_idx_options;

/* Reads a file: a tensor of the file's shape, borrowed from the innermost scope. NULL options: f32. NULL with
 *     HEED_ERR_ARGUMENT       NULL; a scale that is not finite, or is given for i64 or bool
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_FORMAT         path, and what is wrong: magic number, type, dims, number of bytes, gzip
 *     HEED_ERR_UNSUPPORTED    more than max_bytes
 *     HEED_ERR_DTYPE, HEED_ERR_NOMEM */
HEED_API heed_tensor *heed_io_idx_read(const char *path, const heed_io_idx_options *options);

/* Parses the `size` bytes at `bytes`. As heed_io_idx_read, with "idx" for the path in messages. */
HEED_API heed_tensor *heed_io_idx_parse(const void *bytes, size_t size, const heed_io_idx_options *options);

/* -- What the readers and writers below have in common ---------------------------------------------------------------
 * f32, f64, i64 and bool are read as they are, half floats as f32, smaller integers as i64; the types that tensors lack
 * (strings, objects, complex numbers, u64) are HEED_ERR_UNSUPPORTED. A writer writes row-major, little-endian elements
 * whatever the strides, and replaces `path` (above).
 *
 * Reading takes the memory of the tensors, some 420 bytes for each besides its elements, some 70 for each text besides
 * its characters, and for the time of the call that of an .npz' directory or a .safetensors' header (84 bytes per
 * tensor; of a .gguf 48 and, for a key with an array, some 70), four times that of the longest text in __metadata__,
 * and at most 256 KiB. */

typedef struct heed_io_read_options {
    size_t max_bytes; /* most bytes of a file, and most bytes in memory: elements as they are there and, for a dict, 576
                         bytes per tensor, 160 per text, and the characters of names and texts; also, while it is read,
                         the header of a .safetensors, the directory of an .npz and a second copy of a text of a .gguf.
                         The files and the index of heed_io_safetensors_read_shards share one limit. 0: 16 GiB */
    int64_t first,
        rows; /* of each tensor only so many of the first axis, from that one on; 0 rows: to the end. Of a file
                            that is not compressed no others are read. HEED_ERR_INDEX where there are fewer,
                            HEED_ERR_SHAPE for a scalar, HEED_ERR_UNSUPPORTED in Fortran order */
    HEED_RESERVED;
} heed_io_read_options;

/* -- NumPy -------------------------------------------------------------------------------------------------------- */

/* The tensor of an .npy file (numpy.lib.format): versions 1 to 3, C or Fortran order, either byte order. Borrowed from
 * the innermost scope. NULL with
 *     HEED_ERR_ARGUMENT       NULL
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_FORMAT         path, and what is wrong
 *     HEED_ERR_UNSUPPORTED    a type or version that is not supported; more than max_bytes
 *     HEED_ERR_NOMEM
 * numpy: numpy.load */
HEED_API heed_tensor *heed_io_npy_read(const char *path, const heed_io_read_options *options);

/* The same from the `size` bytes at `bytes`, with "npy" for the path in messages. */
HEED_API heed_tensor *heed_io_npy_parse(const void *bytes, size_t size, const heed_io_read_options *options);

/* Writes a tensor as .npy, version 1.0, of its own dtype and shape, and replaces `path`. HEED_ERR_ARGUMENT for NULL,
 * HEED_ERR_IO with path and cause, HEED_ERR_UNSUPPORTED for an expanded view of more elements than a file holds,
 * HEED_ERR_NOMEM.
 * numpy: numpy.save */
HEED_API heed_status heed_io_npy_write(const char *path, heed_tensor *t);

typedef struct heed_io_npz_options {
    bool compressed; /* deflated; otherwise stored */
    HEED_RESERVED;
} heed_io_npz_options;

/* The tensors of an .npz file as a dict, to be freed by heed_dict_free: a zip archive of .npy files, as numpy.savez and
 * numpy.savez_compressed write. A member's name is the tensor's and ".npy". Members may be stored or deflated, and
 * their checksums are compared. NULL with
 *     HEED_ERR_ARGUMENT       NULL
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_FORMAT         path, the member, and what is wrong
 *     HEED_ERR_UNSUPPORTED    a type, version or feature that is not supported; more than max_bytes
 *     HEED_ERR_NOMEM
 * numpy: numpy.load */
HEED_API HEED_NODISCARD heed_dict *heed_io_npz_read(const char *path, const heed_io_read_options *options);

/* The same from the `size` bytes at `bytes`, with "npz" for the path in messages. */
HEED_API HEED_NODISCARD heed_dict *heed_io_npz_parse(const void *bytes, size_t size,
                                                     const heed_io_read_options *options);

/* Writes the tensors of a dict, not its texts, as .npz, and replaces `path`. The same tensors give the same bytes. NULL
 * options: stored. HEED_ERR_ARGUMENT for NULL or a name that the format does not allow, HEED_ERR_IO with path and
 * cause, HEED_ERR_UNSUPPORTED for an expanded view of more elements than a file holds, HEED_ERR_NOMEM.
 * numpy: numpy.savez */
HEED_API heed_status heed_io_npz_write(const char *path, const heed_dict *dict, const heed_io_npz_options *options);

/* -- Safetensors -----------------------------------------------------------------------------------------------------
 * https://github.com/huggingface/safetensors: the size of the header in 8 bytes, the header in JSON, the elements. */

/* The tensors of a .safetensors file as a dict, to be freed by heed_dict_free; its texts are the file's __metadata__.
 * Read strictly: a header of at most 100 MB, a tensor described in at most 2 KB, no name twice or empty, no U+0000 in a
 * text, sizes that fit the shapes, and all bytes after the header used exactly once. NULL with
 *     HEED_ERR_ARGUMENT       NULL
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_FORMAT         path, and what is wrong
 *     HEED_ERR_UNSUPPORTED    a type that is not supported; more than max_bytes
 *     HEED_ERR_NOMEM */
HEED_API HEED_NODISCARD heed_dict *heed_io_safetensors_read(const char *path, const heed_io_read_options *options);

/* The same from the `size` bytes at `bytes`, with "safetensors" for the path in messages. */
HEED_API HEED_NODISCARD heed_dict *heed_io_safetensors_parse(const void *bytes, size_t size,
                                                             const heed_io_read_options *options);

/* The tensors of many .safetensors files as one dict, by their index, "model.safetensors.index.json" of the Hugging
 * Face Hub: its weight_map says of each tensor which of the files beside it has it. Their __metadata__ is left out.
 * NULL as heed_io_safetensors_read, and with HEED_ERR_FORMAT for a tensor that is not where the
 * index says, or is there and not in it, and for a file elsewhere. */
HEED_API HEED_NODISCARD heed_dict *heed_io_safetensors_read_shards(const char *path,
                                                                   const heed_io_read_options *options);

/* Writes the tensors of a dict, and its texts as __metadata__, and replaces `path`. HEED_ERR_ARGUMENT for NULL and for
 * a tensor named __metadata__, HEED_ERR_IO with path and cause, HEED_ERR_UNSUPPORTED for an expanded view of more
 * elements than a file holds, HEED_ERR_NOMEM. */
HEED_API heed_status heed_io_safetensors_write(const char *path, const heed_dict *dict);

/* -- GGUF ------------------------------------------------------------------------------------------------------------
 * https://github.com/ggml-org/ggml/blob/master/docs/gguf.md: the format of llama.cpp and its kin, for reading. */

/* The tensors of a .gguf file of version 2 or 3 as a dict, to be freed by heed_dict_free. F32, F64, and I8 to I64 are
 * read as above, F16 and BF16 as f32, and so is Q8_0: each block of 32 elements is a scale in f16 and 32 bytes, which
 * it multiplies. An axis is where PyTorch has it: the file's first size, of the axis that runs fastest, is the shape's
 * last. The dict's texts are the file's keys: strings as they are, numbers in decimal, true and false; arrays are left
 * out, a vocabulary among them. Read strictly: no key or name twice or empty, no U+0000 in a text, no tensor that
 * overlaps another; bytes that belong to none are passed over. options.rows of a Q8_0 with one axis must be whole
 * blocks. NULL with
 *     HEED_ERR_ARGUMENT       NULL
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_FORMAT         path, and what is wrong
 *     HEED_ERR_UNSUPPORTED    another version; big-endian; the first tensor of another type, with its name and the
 *                             type's, before any is read; arrays nested deeper than 4; more than max_bytes
 *     HEED_ERR_NOMEM */
HEED_API HEED_NODISCARD heed_dict *heed_io_gguf_read(const char *path, const heed_io_read_options *options);

/* The same from the `size` bytes at `bytes`, with "gguf" for the path in messages. */
HEED_API HEED_NODISCARD heed_dict *heed_io_gguf_parse(const void *bytes, size_t size,
                                                      const heed_io_read_options *options);

/* -- Rows that stay in files
 * ------------------------------------------------------------------------------------------- Datasets (heed/data.h) of
 * tensors that are not read as a whole: of a file of any size, what a loader, heed_dataset_take or a team's process
 * wants, and no more. A split, a fold, a part, a loader work on them as on tensors in memory, and heed_dataset_zip puts
 * several side by side:
 *
 *     heed_dataset *images = heed_io_npy_dataset("images.npy");                      (1000000, 3, 224, 224), 150 GB
 *     heed_dataset *labels = heed_dataset_new(HEED_TENSORS(heed_io_npy_read("labels.npy", NULL)));
 *     heed_dataset *all = heed_dataset_zip(HEED_DATASETS(images, labels));
 *
 * A sample is the elements behind each number of the first axis; dtypes are those that the readers give. Making the
 * dataset reads the header, and taking samples one place of the file for each run of numbers that follow one another.
 * The file is held open until the dataset and its subsets are gone. Any number of threads and processes may read it at
 * once.
 *
 * NULL with HEED_ERR_ARGUMENT for NULL; HEED_ERR_SHAPE for a scalar, or first axes that differ; HEED_ERR_UNSUPPORTED
 * where rows do not lie together (Fortran order, compression), and for types and versions that are not supported;
 * HEED_ERR_FORMAT, HEED_ERR_IO with path and cause, HEED_ERR_NOMEM. Taking samples fails with HEED_ERR_IO when they
 * cannot be read, or when the file has changed since: its size, or the time of its last change. A file that was
 * replaced (as all writers here do) goes on as it was. */

/* Of an .npy file: one tensor, in C order.
 * numpy: numpy.memmap */
HEED_API HEED_NODISCARD heed_dataset *heed_io_npy_dataset(const char *path);

/* Of k members of an .npz file, by their names without ".npy": heed_io_npz_dataset("data.npz", HEED_NAMES("x", "y")).
 * Members must be stored, as numpy.savez and heed_io_npz_write leave them; their checksums are not looked at.
 * HEED_ERR_ARGUMENT also for a name that no member has, and for another k than 1 to HEED_DATASET_MAX. */
HEED_API HEED_NODISCARD heed_dataset *heed_io_npz_dataset(const char *path, const char *const *names, int k);

/* Of k tensors of a .safetensors file, by their names. The whole header is checked as heed_io_safetensors_read does.
 * HEED_ERR_ARGUMENT also for a name that no tensor has, and for another k than 1 to HEED_DATASET_MAX. */
HEED_API HEED_NODISCARD heed_dataset *heed_io_safetensors_dataset(const char *path, const char *const *names, int k);

/* Of a plain IDX file: values are converted and scaled as heed_io_idx_read does, to the same bits, when they are taken;
 * what an i64 cannot hold is HEED_ERR_FORMAT then. options.max_bytes is of the file, 0: no limit. Errors also as
 * heed_io_idx_read. */
HEED_API HEED_NODISCARD heed_dataset *heed_io_idx_dataset(const char *path, const heed_io_idx_options *options);

HEED_END_DECLS

#endif
