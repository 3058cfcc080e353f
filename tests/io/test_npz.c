/* tests/io/test_npz.c - tests of .npz files: reading NumPy's, round trips of heed's, and everything that can be wrong
 * with one.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fail_alloc.h"
#include "files.h"
#include "from_memory.h"
#include "reference/mixed_reference.h"
#include "reference/npz_reference.h"

#define STORED (&npz_files[0])

static void remove_archive(void)
{
    ck_assert_int_eq(unlink(in_folder("a.npz")), 0);
    remove_folder();
}

START_TEST(files_made_by_numpy)
{
    for (size_t i = 0; i < COUNT_OF(npz_files); i++) {
        const struct reference *r = &npz_files[i];
        heed_dict *dict = npz_from_memory(r->bytes, r->size, NULL);
        check_dict(dict, r);
        write_bytes(in_folder("a.npz"), r->bytes, r->size);
        heed_dict *read = heed_io_npz_read(in_folder("a.npz"), NULL);
        check_same_dict(dict, read);
        heed_dict_free(read);
        heed_dict_free(dict);
        ck_assert_int_eq(unlink(in_folder("a.npz")), 0);
    }
    remove_folder();
}
END_TEST

START_TEST(round_trips)
{
    heed_manual_seed(2);
    heed_dict *all = sample_tensors();
    size_t sizes[2];
    for (int compressed = 0; compressed < 2; compressed++) {
        heed_io_npz_options o = {.compressed = compressed == 1};
        ck_assert_int_eq(heed_io_npz_write(in_folder("a.npz"), all, &o), HEED_OK);
        heed_dict *back = heed_io_npz_read(in_folder("a.npz"), NULL);
        check_same_dict(all, back);
        heed_dict_free(back);
        free(read_bytes(in_folder("a.npz"), &sizes[compressed]));
    }
    ck_assert_uint_lt(sizes[1], sizes[0]);
    heed_dict_free(all);
    remove_archive();
}
END_TEST

START_TEST(empty_dicts)
{
    heed_dict *none = heed_dict_new();
    ck_assert_int_eq(heed_io_npz_write(in_folder("a.npz"), none, NULL), HEED_OK);
    heed_dict *back = heed_io_npz_read(in_folder("a.npz"), NULL);
    check_same_dict(none, back);
    heed_dict_free(none);
    heed_dict_free(back);
    remove_archive();
}
END_TEST

/* More members than 16 bits can count, and several megabytes of content, more than one chunk. */
START_TEST(large_archives)
{
    enum { COUNT = 70000 };
    char name[16];
    heed_dict *many = heed_dict_new();
    heed_manual_seed(3);
    heed_tensor *small = heed_ones(HEED_BOOL, HEED_SCALAR), *large = heed_randn(HEED_F64, HEED_SHAPE(200000));
    for (int i = 0; i < COUNT; i++) {
        (void)snprintf(name, sizeof name, "%d", i);
        ck_assert_int_eq(heed_dict_set(many, name, i == 5 ? large : small), HEED_OK);
    }
    ck_assert_int_eq(heed_io_npz_write(in_folder("a.npz"), many, NULL), HEED_OK);
    heed_dict *back = heed_io_npz_read(in_folder("a.npz"), NULL);
    ck_assert_msg(back != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_dict_size(back), COUNT);
    ck_assert_str_eq(heed_dict_name(back, COUNT - 1), "69999");
    ck_assert_mem_eq(heed_data_f64(heed_dict_get(back, "5")), heed_data_f64(large), 200000 * sizeof(double));
    heed_dict_free(back);
    heed_dict_free(many);
    heed_dict *one = heed_dict_new();
    ck_assert_int_eq(heed_dict_set(one, "noise", large), HEED_OK);
    ck_assert_int_eq(heed_dict_set(one, "ones", heed_ones(HEED_F64, HEED_SHAPE(200000))), HEED_OK);
    ck_assert_int_eq(heed_io_npz_write(in_folder("a.npz"), one, &(heed_io_npz_options){.compressed = true}), HEED_OK);
    back = heed_io_npz_read(in_folder("a.npz"), NULL);
    check_same_dict(one, back);
    heed_dict_free(back);
    heed_dict_free(one);
    remove_archive();
}
END_TEST

START_TEST(the_same_tensors_have_the_same_bytes)
{
    heed_dict *dict = heed_dict_new();
    uint8_t *bytes[2];
    size_t size[2];
    ck_assert_int_eq(heed_dict_set(dict, "a", heed_linspace(HEED_F32, 0, 1, 100)), HEED_OK);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(heed_io_npz_write(in_folder("a.npz"), dict, &(heed_io_npz_options){.compressed = true}),
                         HEED_OK);
        bytes[i] = read_bytes(in_folder("a.npz"), &size[i]);
    }
    ck_assert_uint_eq(size[0], size[1]);
    ck_assert_mem_eq(bytes[0], bytes[1], size[0]);
    ck_assert_mem_eq(bytes[0] + size[0] - 22, /* all-ones fields refer to the zip64 record */
                     "PK\5\6\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0", 22);
    free(bytes[0]);
    free(bytes[1]);
    heed_dict_free(dict);
    remove_archive();
}
END_TEST

/* -- Members by name ---------------------------------------------------------------------------------------------- */

#define MIXED (&mixed_files[0])

static heed_dict *read_mixed(const char *const *names, int count)
{
    return npz_from_memory(MIXED->bytes, MIXED->size, &(heed_io_read_options){.names = names, .name_count = count});
}

START_TEST(members_by_name)
{
    heed_dict *dict = read_mixed(HEED_NAMES("folder/y", "x", "x"));
    ck_assert_msg(dict != NULL, "%s", heed_error_message());
    check_dict(dict, MIXED);
    heed_dict_free(dict);
    dict = read_mixed(HEED_NAMES("folder/y"));
    ck_assert(dict && heed_dict_size(dict) == 1 && heed_dict_has(dict, "folder/y"));
    heed_dict_free(dict);
    write_bytes(in_folder("a.npz"), MIXED->bytes, MIXED->size);
    heed_dataset *rows = heed_io_npz_dataset(in_folder("a.npz"), HEED_NAMES("x"));
    ck_assert_msg(heed_dataset_size(rows) == 2, "%s", heed_error_message());
    heed_dataset_free(rows);
    ck_assert_ptr_null(heed_io_npz_dataset(in_folder("a.npz"), HEED_NAMES("x", "readme.txt")));
    ck_assert_error(HEED_ERR_FORMAT, "a.npz: member \"readme.txt\" is not an .npy file");
    ck_assert_ptr_null(heed_io_npz_dataset(in_folder("a.npz"), HEED_NAMES("packed")));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "member \"packed.npy\": the member is compressed by a method other than");
    remove_archive();
}
END_TEST

START_TEST(members_that_cannot_be_read)
{
    static const struct {
        const char *name;
        heed_status status;
        const char *message;
    } cases[] = {
        {"readme.txt", HEED_ERR_FORMAT, "npz: member \"readme.txt\" is not an .npy file"},
        {"folder/", HEED_ERR_FORMAT, "npz: member \"folder/\" is not an .npy file"},
        {"objects", HEED_ERR_UNSUPPORTED, "npz, member \"objects\": dtype |O is not supported"},
        {"texts", HEED_ERR_UNSUPPORTED, "npz, member \"texts\": dtype <U1 is not supported"},
        {"packed", HEED_ERR_UNSUPPORTED, "npz, member \"packed\": the member is compressed by a method other than"},
        {"z", HEED_ERR_ARGUMENT, "npz has no tensor \"z\""},
        {"x.npy", HEED_ERR_ARGUMENT, "npz has no tensor \"x.npy\""},
        {"", HEED_ERR_ARGUMENT, "npz has no tensor \"\""},
        {NULL, HEED_ERR_ARGUMENT, "io_npz_read: names[1] is NULL"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ck_assert_ptr_null(read_mixed(HEED_NAMES("x", cases[i].name)));
        ck_assert_error(cases[i].status, cases[i].message);
    }
    ck_assert_ptr_null(npz_from_memory(MIXED->bytes, MIXED->size, NULL));
    ck_assert_error(HEED_ERR_FORMAT, "member \"readme.txt\" is not an .npy file (.names reads only some members)");
    ck_assert_ptr_null(read_mixed((const char *[]){"x"}, 0));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_npz_read: name_count is 0, but names is given");
    ck_assert_ptr_null(read_mixed(NULL, -1));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_npz_read: name_count is -1, but names is NULL");
}
END_TEST

/* -- Refused files ------------------------------------------------------------------------------------------------ */

START_TEST(damaged)
{
    for (size_t i = 0; i < COUNT_OF(npz_files); i++)
        check_damage(npz_from_memory, "io_npz_read", &npz_files[i]);
    heed_dict *dict = heed_dict_new();
    ck_assert_int_eq(heed_dict_set(dict, "a", heed_linspace(HEED_F32, 0, 1, 5)), HEED_OK);
    ck_assert_int_eq(heed_dict_set(dict, "b", heed_ones(HEED_BOOL, HEED_SHAPE(2, 2))), HEED_OK);
    for (int compressed = 0; compressed < 2; compressed++) {
        struct reference written = {.name = "ours"};
        ck_assert_int_eq(
            heed_io_npz_write(in_folder("a.npz"), dict, &(heed_io_npz_options){.compressed = compressed == 1}),
            HEED_OK);
        uint8_t *bytes = read_bytes(in_folder("a.npz"), &written.size);
        written.bytes = bytes;
        check_damage(npz_from_memory, "io_npz_read", &written);
        free(bytes);
    }
    heed_dict_free(dict);
    remove_archive();
}
END_TEST

/* Returns the first position of `bytes` in NumPy's archive, starting at `from`. */
static size_t find(const uint8_t *archive, size_t size, const char *bytes, size_t n, size_t from)
{
    for (size_t i = from; i + n <= size; i++)
        if (memcmp(archive + i, bytes, n) == 0)
            return i;
    ck_abort_msg("not found");
}

/* Changes one byte of the stored archive; `at` counts from the first entry of the directory, or from the end record. */
static void refuse_change(bool in_end, size_t at, uint8_t value, heed_status code, const char *message)
{
    uint8_t *copy = malloc(STORED->size);
    memcpy(copy, STORED->bytes, STORED->size);
    size_t record = find(copy, STORED->size, in_end ? "PK\5\6" : "PK\1\2", 4, 0);
    copy[record + at] = value;
    refused(npz_from_memory, copy, STORED->size, code, message);
    free(copy);
}

START_TEST(records)
{
    refuse_change(true, 0, 'Q', HEED_ERR_FORMAT,
                  "io_npz_read: npz: it is not a zip archive: it has no end of central directory");
    refuse_change(true, 4, 1, HEED_ERR_UNSUPPORTED,
                  "io_npz_read: npz: it is one of several files of a zip archive: must be a single file");
    refuse_change(true, 10, 5, HEED_ERR_UNSUPPORTED,
                  "io_npz_read: npz: it is one of several files of a zip archive: must be a single file");
    refuse_change(true, 12, 0, HEED_ERR_FORMAT,
                  "io_npz_read: npz: its directory does not end where its end record begins");
    refuse_change(true, 19, 0xff, HEED_ERR_FORMAT,
                  "io_npz_read: npz: its directory does not end where its end record begins");
    refuse_change(false, 0, 'Q', HEED_ERR_FORMAT, "io_npz_read: npz: an entry of its directory is invalid");
    refuse_change(false, 29, 0xff, HEED_ERR_FORMAT, "io_npz_read: npz: an entry of its directory is invalid");
    refuse_change(false, 8, 1, HEED_ERR_UNSUPPORTED,
                  "io_npz_read: npz, member \"layer.weight\": the member is encrypted");
    refuse_change(false, 10, 12, HEED_ERR_UNSUPPORTED,
                  "io_npz_read: npz, member \"layer.weight\": the member is compressed by a method other than deflate");
    refuse_change(false, 16, 0, HEED_ERR_FORMAT,
                  "io_npz_read: npz, member \"layer.weight\": the member is broken: its checksum (CRC-32) is wrong");
    refuse_change(false, 20, 0, HEED_ERR_FORMAT,
                  "io_npz_read: npz: the compressed and uncompressed sizes of a member contradict each other");
    refuse_change(false, 42, 1, HEED_ERR_FORMAT,
                  "io_npz_read: npz: a member's local header does not match its entry in the directory");
    refuse_change(false, 45, 1, HEED_ERR_FORMAT, "io_npz_read: npz: a member lies outside of the file");
    refuse_change(false, 46, 0, HEED_ERR_FORMAT,
                  "io_npz_read: npz: member \"\\u0000ayer.weight.npy\" has a name that is empty or not UTF-8");
    refuse_change(false, 46, 0xff, HEED_ERR_FORMAT,
                  "io_npz_read: npz: member \"\\xffayer.weight.npy\" has a name that is empty or not UTF-8");
    refuse_change(false, 46 + 15, 'z', HEED_ERR_FORMAT,
                  "io_npz_read: npz: member \"layer.weight.npz\" is not an .npy file (.names reads only some members)");
}
END_TEST

/* A local header gives its own length; here it exceeds the space before the directory. */
START_TEST(local_header_too_long)
{
    uint8_t *copy = malloc(STORED->size);
    memcpy(copy, STORED->bytes, STORED->size);
    copy[find(copy, STORED->size, "PK\3\4", 4, 0) + 29] = 0xff;
    refused(npz_from_memory, copy, STORED->size, HEED_ERR_FORMAT,
            "io_npz_read: npz: a member's local header does not match its entry in the directory");
    free(copy);
}
END_TEST

/* 65,535 entries need no zip64 record, and other tools write them without. This archive has no entries, so the
 * directory is too small. */
START_TEST(largest_numbers_without_zip64)
{
    uint8_t bytes[200] = {0};
    for (int field = 12; field <= 16; field += 4) { /* the directory's size, then its offset */
        memcpy(bytes + 178, "PK\5\6", 4);
        memset(bytes + 178 + field, 0xff, 4);
        refused(npz_from_memory, bytes, 200, HEED_ERR_FORMAT,
                "io_npz_read: npz: its directory does not end where its end record begins");
        memset(bytes + 178, 0, 22);
    }
    memcpy(bytes + 178, "PK\5\6\0\0\0\0\xff\xff\xff\xff\0\0\0\0\0\0\0\0\0", 22);
    refused(npz_from_memory, bytes, 200, HEED_ERR_FORMAT,
            "io_npz_read: npz: its directory does not end where its end record begins");
    refused(npz_from_memory, bytes + 178, 22, HEED_ERR_FORMAT,
            "io_npz_read: npz: its directory does not end where its end record begins");
    memcpy(bytes + 158, "PK\6\7", 4);
    refused(npz_from_memory, bytes, 200, HEED_ERR_FORMAT,
            "io_npz_read: npz: its zip64 record is not where its locator says");
    bytes[158 + 8] = 102;
    refused(npz_from_memory, bytes, 200, HEED_ERR_FORMAT, "io_npz_read: npz: its zip64 record is invalid");
}
END_TEST

/* Python's zipfile writes a zip64 record from 2^31 bytes on, although the plain fields could still hold the numbers. */
START_TEST(unneeded_zip64)
{
    heed_dict *dict = heed_dict_new();
    size_t size;
    ck_assert_int_eq(heed_dict_set(dict, "a", heed_linspace(HEED_F32, 0, 1, 5)), HEED_OK);
    ck_assert_int_eq(heed_io_npz_write(in_folder("a.npz"), dict, NULL), HEED_OK);
    uint8_t *bytes = read_bytes(in_folder("a.npz"), &size), *end = bytes + size - 22;
    uint8_t *record = bytes + find(bytes, size, "PK\6\6", 4, 0);
    memcpy(end + 8, record + 24, 2); /* the number of entries, here and in total; the directory's size; its offset */
    memcpy(end + 10, record + 32, 2);
    memcpy(end + 12, record + 40, 4);
    memcpy(end + 16, record + 48, 4);
    heed_dict *back = npz_from_memory(bytes, size, NULL);
    ck_assert_msg(back != NULL, "%s", heed_error_message());
    check_same_dict(dict, back);
    heed_dict_free(back);
    heed_dict_free(dict);
    free(bytes);
    remove_archive();
}
END_TEST

/* A name is stored in the directory and before the member: a bit flipped in one of them must not produce a different
 * name. */
START_TEST(differing_names)
{
    uint8_t *copy = malloc(STORED->size);
    for (size_t i = 0; i < 2; i++) {
        memcpy(copy, STORED->bytes, STORED->size);
        copy[find(copy, STORED->size, i == 0 ? "PK\3\4" : "PK\1\2", 4, 0) + (i == 0 ? 30 : 46)] ^= 1;
        refused(npz_from_memory, copy, STORED->size, HEED_ERR_FORMAT,
                "io_npz_read: npz: a member's local header does not match its entry in the directory");
    }
    free(copy);
}
END_TEST

START_TEST(not_npz)
{
    refused(npz_from_memory, "PK", 2, HEED_ERR_FORMAT, "io_npz_read: npz: it is too short for a zip archive");
    refused(npz_from_memory, "", 0, HEED_ERR_FORMAT, "io_npz_read: npz: it is empty (size is 0)");
    refused(npz_from_memory, NULL, 3, HEED_ERR_ARGUMENT, "io_npz_read: bytes is NULL, but size is 3");
    ck_assert_ptr_null(npz_from_memory(STORED->bytes, STORED->size, &(heed_io_read_options){.max_bytes = 10}));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "bytes, more than the limit of 10");
    heed_dict *dict = npz_from_memory(STORED->bytes, STORED->size, &(heed_io_read_options){0});
    check_dict(dict, STORED);
    heed_dict_free(dict);
}
END_TEST

/* Two members of the same name, made by changing both copies of a name. */
START_TEST(duplicate_names)
{
    heed_dict *dict = heed_dict_new();
    size_t size;
    ck_assert_int_eq(heed_dict_set(dict, "a", heed_ones(HEED_F32, HEED_SCALAR)), HEED_OK);
    ck_assert_int_eq(heed_dict_set(dict, "b", heed_ones(HEED_F32, HEED_SCALAR)), HEED_OK);
    ck_assert_int_eq(heed_io_npz_write(in_folder("a.npz"), dict, NULL), HEED_OK);
    heed_dict_free(dict);
    uint8_t *bytes = read_bytes(in_folder("a.npz"), &size);
    size_t first = find(bytes, size, "b.npy", 5, 0);
    bytes[first] = 'a';
    bytes[find(bytes, size, "b.npy", 5, first)] = 'a';
    refused(npz_from_memory, bytes, size, HEED_ERR_FORMAT, "io_npz_read: npz: member \"a.npy\" is duplicated");
    free(bytes);
    remove_archive();
}
END_TEST

/* A complete member lies inside the elements of a different member. */
START_TEST(nested_members)
{
    enum { ENTRY = 46 + 5 + 28, OFFSET_FIELD = ENTRY - 8 }; /* size of the entry of "b.npy", and its offset field */
    size_t inner_size, size;
    heed_dict *dict = heed_dict_new();
    ck_assert_int_eq(heed_dict_set(dict, "b", heed_ones(HEED_F64, HEED_SHAPE(100))), HEED_OK);
    ck_assert_int_eq(heed_io_npz_write(in_folder("a.npz"), dict, NULL), HEED_OK);
    uint8_t *inner = read_bytes(in_folder("a.npz"), &inner_size);
    size_t end = find(inner, inner_size, "PK\1\2", 4, 0);
    ck_assert_int_eq(heed_dict_set(dict, "a", heed_zeros(HEED_F64, HEED_SHAPE((int64_t)end / 8 + 1))), HEED_OK);
    memcpy(heed_mutable_f64(heed_dict_get(dict, "a")), inner, end);
    ck_assert_int_eq(heed_dict_set(dict, "b", heed_ones(HEED_F32, HEED_SCALAR)), HEED_OK);
    ck_assert_int_eq(heed_io_npz_write(in_folder("a.npz"), dict, NULL), HEED_OK);
    heed_dict_free(dict);
    uint8_t *bytes = read_bytes(in_folder("a.npz"), &size);
    uint8_t *entry = bytes + find(bytes, size, "PK\1\2", 4, 0);
    for (int i = 0; i < 2; i++, entry += ENTRY)
        if (entry[46] == 'b') {
            memcpy(entry, inner + end, ENTRY);
            memcpy(entry + OFFSET_FIELD, &(uint64_t){find(bytes, size, (const char *)inner, 40, 0)}, 8);
        }
    refused(npz_from_memory, bytes, size, HEED_ERR_FORMAT,
            "io_npz_read: npz: its members overlap: together they are larger than the file");
    free(bytes);
    free(inner);
    remove_archive();
}
END_TEST

/* The record counts one entry fewer than the directory has. */
START_TEST(uncounted_entries)
{
    heed_dict *dict = heed_dict_new();
    size_t size;
    for (const char *name = "a\0b\0"; *name; name += 2)
        ck_assert_int_eq(heed_dict_set(dict, name, heed_ones(HEED_F32, HEED_SCALAR)), HEED_OK);
    ck_assert_int_eq(heed_io_npz_write(in_folder("a.npz"), dict, NULL), HEED_OK);
    heed_dict_free(dict);
    uint8_t *bytes = read_bytes(in_folder("a.npz"), &size);
    bytes[find(bytes, size, "PK\6\6", 4, 0) + 32] = 1;
    refused(npz_from_memory, bytes, size, HEED_ERR_FORMAT,
            "io_npz_read: npz: its directory has bytes after its last entry");
    free(bytes);
    remove_archive();
}
END_TEST

START_TEST(paths)
{
    heed_dict *dict = heed_dict_new();
    for (size_t i = 0; i < COUNT_OF(bad_paths); i++) {
        ck_assert_int_eq(heed_io_npz_write(bad_paths[i][0], dict, NULL), HEED_ERR_IO);
        ck_assert(strstr(heed_error_message(), bad_paths[i][0]) != NULL);
        ck_assert_error(HEED_ERR_IO, bad_paths[i][1]);
        ck_assert_ptr_null(heed_io_npz_read(bad_paths[i][0], NULL));
        ck_assert_error(HEED_ERR_IO, bad_paths[i][0]);
    }
    ck_assert_int_eq(heed_io_npz_write(NULL, dict, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "io_npz_write: path is NULL");
    ck_assert_int_eq(heed_io_npz_write("/tmp/x", NULL, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "io_npz_write: the dict is NULL");
    ck_assert_ptr_null(heed_io_npz_read(NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_npz_read: path is NULL");
    char *name = calloc(1, 70000);
    memset(name, 'n', 69999);
    ck_assert_int_eq(heed_dict_set(dict, name, heed_ones(HEED_F32, HEED_SCALAR)), HEED_OK);
    free(name);
    ck_assert_int_eq(heed_io_npz_write("/tmp/x", dict, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "has 69999 bytes: must be at most 65531");
    heed_dict_free(dict);
}
END_TEST

static bool write_and_read(double *value)
{
    bool good = true;
    for (int compressed = 0; compressed < 2 && good; compressed++) {
        heed_dict *dict = heed_dict_new(), *back = NULL;
        heed_tensor *t = heed_linspace(HEED_F64, 0, 1, 5);
        good = dict && t && heed_dict_set(dict, "a", t) == HEED_OK && heed_dict_set(dict, "b", t) == HEED_OK &&
               heed_io_npz_write(in_folder("a.npz"), dict, &(heed_io_npz_options){.compressed = compressed == 1}) ==
                   HEED_OK;
        back = good ? heed_io_npz_read(in_folder("a.npz"), NULL) : NULL;
        *value = back ? heed_get(heed_dict_get(back, "b"), HEED_INDEX(1)) : 0;
        good = back != NULL;
        heed_dict_free(back);
        heed_dict_free(dict);
    }
    return good;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(write_and_read);
    fail_alloc_uninstall();
    ck_assert_int_eq(files_in_folder(), 1);
    remove_archive();
}
END_TEST

HEED_TEST_MAIN("npz", files_made_by_numpy, round_trips, empty_dicts, large_archives,
               the_same_tensors_have_the_same_bytes, members_by_name, members_that_cannot_be_read, damaged, records,
               local_header_too_long, largest_numbers_without_zip64, unneeded_zip64, differing_names, not_npz,
               duplicate_names, nested_members, uncounted_entries, paths, out_of_memory)
