/* tests/io/test_file_format.c - tests that every reader names files of other formats. The bytes follow the formats'
 * specifications; a format is left out for the reader that accepts it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "files.h"
#include "from_memory.h"

#include <heed/checkpoint.h>

static bool csv(const char *path)
{
    heed_io_csv *table = heed_io_csv_read(path, NULL);
    heed_io_csv_free(table);
    return table;
}

static bool csv_text(const char *path)
{
    size_t size;
    uint8_t *bytes = read_bytes(path, &size);
    heed_io_csv *table = csv_from_memory(bytes, size, NULL);
    heed_io_csv_free(table);
    free(bytes);
    return table;
}

static bool csv_dataset(const char *path)
{
    return heed_io_csv_dataset(path, NULL, 0, "y", NULL);
}

static bool npy(const char *path)
{
    return heed_io_npy_read(path, NULL);
}

static bool npy_dataset(const char *path)
{
    return heed_io_npy_dataset(path);
}

static bool npz(const char *path)
{
    return heed_io_npz_read(path, NULL);
}

static bool npz_dataset(const char *path)
{
    return heed_io_npz_dataset(path, HEED_NAMES("x"));
}

static bool safetensors(const char *path)
{
    return heed_io_safetensors_read(path, NULL);
}

static bool safetensors_dataset(const char *path)
{
    return heed_io_safetensors_dataset(path, HEED_NAMES("x"));
}

static bool shards(const char *path)
{
    (void)path;
    return heed_io_safetensors_read(in_folder("index.json"), NULL);
}

static bool gguf(const char *path)
{
    return heed_io_gguf_read(path, NULL);
}

static bool idx(const char *path)
{
    return heed_io_idx_read(path, NULL);
}

static bool idx_dataset(const char *path)
{
    return heed_io_idx_dataset(path, NULL);
}

static bool checkpoint(const char *path)
{
    heed_checkpoint run = {.step = 0};
    return heed_checkpoint_load(path, &run) == HEED_OK;
}

static const struct reader {
    bool (*read)(const char *path);
    const char *name; /* the words after "not" in the message */
} readers[] = {{csv, "a CSV file in UTF-8"},
               {csv_text, "a CSV file in UTF-8"},
               {csv_dataset, "a CSV file in UTF-8"},
               {npy, "an .npy file"},
               {npy_dataset, "an .npy file"},
               {npz, "an .npz archive"},
               {npz_dataset, "an .npz archive"},
               {safetensors, "a .safetensors file"},
               {safetensors_dataset, "a .safetensors file"},
               {shards, "an index in JSON"},
               {gguf, "a .gguf file"},
               {idx, "an IDX file"},
               {idx_dataset, "an IDX file"},
               {checkpoint, "a checkpoint"}};

#define BYTES(literal) literal, sizeof(literal) - 1
#define ZIP(length, name)                                                                                              \
    BYTES("PK\3\4\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" length "\0\0\0" name                                  \
          "                                ")
#define LFS                                                                                                            \
    "version https://git-lfs.github.com/spec/v1\noid "                                                                 \
    "sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"

static const struct format {
    const char *bytes;
    size_t size;
    const char *text;
    const char *accepted; /* the reader that accepts this format, or NULL */
} formats[] = {
    {BYTES("\x1f\x8b\x08\0\0\0\0\0\0\3\4\0\0\0"), "compressed by gzip", "an IDX file"},
    {BYTES("BZh91AY&SY\x12\x34\x56"), "compressed by bzip2", NULL},
    {BYTES("\xfd"
           "7zXZ\0\0\4\xe6\xd6"),
     "compressed by xz", NULL},
    {BYTES("\x28\xb5\x2f\xfd\x04\x58\x69\0"), "compressed by Zstandard", NULL},
    {BYTES("\xff\xfex\0,\0y\0\n\0"), "text in UTF-16", NULL},
    {BYTES("\xfe\xff\0x\0,\0y\0\n"), "text in UTF-16", NULL},
    {BYTES("x\0,\0y\0\n\0"), "text in UTF-16", NULL},
    {BYTES("\0x\0,\0y\0\n"), "text in UTF-16", NULL},
    {BYTES("\xff\xfe\0\0x\0\0\0"), "text in UTF-32", NULL},
    {BYTES(LFS), "a Git LFS pointer", NULL},
    {BYTES("<!DOCTYPE html>\n<html lang=\"en\"><head>\n"), "a web page in HTML", NULL},
    {BYTES("\xef\xbb\xbf \n<HTML><body>404</body></html>"), "a web page in HTML", NULL},
    {BYTES("<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>"), "an XML document", NULL},
    {ZIP("\x13", "[Content_Types].xml"), "an Office document, such as .xlsx", NULL},
    {ZIP("\x08", "mimetype"), "an OpenDocument file, such as .ods", NULL},
    {ZIP("\x10", "archive/data.pkl"), "a PyTorch file", NULL},
    {ZIP("\x05", "a.npy"), "an .npz archive", "an .npz archive"},
    {ZIP("\x05", "a.csv"), "a zip archive", "an .npz archive"},
    {BYTES("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0"), "an old Office document, such as .xls", NULL},
    {BYTES("\x80\2\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19."), "a Python pickle", NULL},
    {BYTES("PAR1\x15\4\x15\x10"), "a Parquet file", NULL},
    {BYTES("\x89HDF\r\n\x1a\n\0\0"), "an HDF5 file", NULL},
    {BYTES("SQLite format 3\0\x10\0"), "an SQLite database", NULL},
    {BYTES("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"), "a PDF document", NULL},
    {BYTES("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "a PNG picture", NULL},
    {BYTES("\x93NUMPY\1\0v\0{'descr': '<f4'"), "an .npy file", "an .npy file"},
    {BYTES("GGUF\3\0\0\0\0\0\0\0\0\0\0\0"), "a .gguf file", "a .gguf file"},
    {BYTES("\2\0\0\0\0\0\0\0{}"), "a .safetensors file", "a .safetensors file"},
    {BYTES("\0\0\x08\1\0\0\0\1x"), "an IDX file", "an IDX file"},
    {BYTES("{\"weight_map\": {}, \"metadata\": {}}"), "text in JSON", "an index in JSON"},
};

/* A CSV may begin with a brace or be compressed by gzip, and a checkpoint is a .safetensors file. */
static bool is_skipped(const struct format *f, const struct reader *r)
{
    const bool reads_csv = r->read == csv || r->read == csv_text || r->read == csv_dataset;
    return (f->accepted && strcmp(f->accepted, r->name) == 0) ||
           (r->read == checkpoint && strcmp(f->text, "a .safetensors file") == 0) ||
           (reads_csv && (strcmp(f->text, "text in JSON") == 0 || strcmp(f->text, "compressed by gzip") == 0));
}

START_TEST(every_reader_names_every_format)
{
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        write_bytes(in_folder("file"), formats[i].bytes, formats[i].size);
        write_bytes(in_folder("index.json"), formats[i].bytes, formats[i].size);
        for (size_t j = 0; j < COUNT_OF(readers); j++) {
            char expected[64];
            if (is_skipped(&formats[i], &readers[j]))
                continue;
            (void)snprintf(expected, sizeof expected, ", not %s", readers[j].name);
            ck_assert_msg(!readers[j].read(in_folder("file")), "%s, %s", formats[i].text, readers[j].name);
            ck_assert_msg(strstr(heed_error_message(), formats[i].text) && strstr(heed_error_message(), expected),
                          "%s, %s: %s", formats[i].text, readers[j].name, heed_error_message());
            ck_assert_error(HEED_ERR_FORMAT, " is ");
        }
    }
    ck_assert_int_eq(unlink(in_folder("file")), 0);
    ck_assert_int_eq(unlink(in_folder("index.json")), 0);
    remove_folder();
}
END_TEST

/* Every prefix of these bytes gives an error or a result, and no byte after it is read. */
START_TEST(prefixes)
{
    for (size_t i = 0; i < COUNT_OF(formats); i++)
        for (size_t size = 0; size < formats[i].size; size++) {
            char *exact = malloc(size > 0 ? size : 1);
            memcpy(exact, formats[i].bytes, size);
            heed_io_csv_free(csv_from_memory(exact, size, NULL));
            heed_error_clear();
            heed_dict_free(safetensors_from_memory(exact, size, NULL));
            heed_error_clear();
            heed_dict_free(npz_from_memory(exact, size, NULL));
            heed_error_clear();
            free(exact);
        }
}
END_TEST

/* Valid tables that begin like other formats. */
START_TEST(tables_that_begin_like_other_formats)
{
    static const char *const tables[] = {"PAR1,b\n1,2\n", "GGUF,b\n1,2\n",    "BZh9,b\n1,2\n", "{a},b\n1,2\n",
                                         "PK,b\n1,2\n",   "version,b\n1,2\n", "<a>,b\n1,2\n",  "\357\273\277a,b\n1,2\n",
                                         "7z,b\n1,2\n"};
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        heed_io_csv *table = csv_from_memory(tables[i], strlen(tables[i]), NULL);
        ck_assert_msg(table != NULL, "%s", heed_error_message());
        ck_assert_int_eq(heed_io_csv_get_facts(table).columns, 2);
        heed_io_csv_free(table);
    }
}
END_TEST

HEED_TEST_MAIN("file formats", every_reader_names_every_format, prefixes, tables_that_begin_like_other_formats)
