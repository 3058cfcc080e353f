/* tests/io/test_safetensors_shards.c - tests of tensors in many files with an index, and of broken indexes. Files in
 * the format of the Hub's tools are read by tests/nn/test_decoder_hub.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "files.h"

static void write_text(const char *name, const char *text)
{
    FILE *f = fopen(in_folder(name), "w");
    ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void write_tensor(const char *file, const char *name, double value)
{
    heed_dict *dict = heed_dict_new();
    heed_dict_set(dict, name, heed_full(HEED_F64, HEED_SHAPE(2), value));
    ck_assert_int_eq(heed_io_safetensors_write(in_folder(file), dict), HEED_OK);
    heed_dict_free(dict);
}

static void with_files(void (*body)(void))
{
    write_tensor("one.safetensors", "a", 1.0);
    write_tensor("two.safetensors", "b", 2.0);
    body();
    static const char *const names[] = {"one.safetensors", "two.safetensors", "index.json"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        (void)unlink(in_folder(names[i]));
    remove_folder();
}

static void reads_all(void)
{
    write_text("index.json", "{\"weight_map\": {\"b\": \"two.safetensors\", \"a\": \"one.safetensors\"}, "
                             "\"metadata\": {\"total_size\": 32, \"other\": [1, 2]}}\n");
    heed_dict *dict = heed_io_safetensors_read(in_folder("index.json"), NULL);
    ck_assert_msg(dict != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_dict_size(dict), 2);
    ck_assert(heed_get(heed_dict_get(dict, "a"), HEED_INDEX(1)) == 1.0);
    ck_assert(heed_get(heed_dict_get(dict, "b"), HEED_INDEX(0)) == 2.0);
    heed_dict_free(dict);
    const heed_io_read_options few = {.max_bytes = 64};
    ck_assert_ptr_null(heed_io_safetensors_read(in_folder("index.json"), &few));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "index.json has 114 bytes, more than the limit of 64");
    const heed_io_read_options row = {.rows = 1};
    dict = heed_io_safetensors_read(in_folder("index.json"), &row);
    ck_assert(dict && heed_dim(heed_dict_get(dict, "b"), 0) == 1);
    heed_dict_free(dict);
}

START_TEST(all_files)
{
    with_files(reads_all);
}
END_TEST

static void refuses(void)
{
    static const struct {
        const char *index;
        heed_status status;
        const char *text;
    } cases[] = {
        {"{}", HEED_ERR_FORMAT, "index.json has no weight_map"},
        {"[]", HEED_ERR_FORMAT, "index.json: its JSON does not begin with '{'"},
        {"{\"weight_map\": 3}", HEED_ERR_FORMAT, "index.json: "},
        {"{\"weight_map\": {\"a\": 3}}", HEED_ERR_FORMAT, "index.json: "},
        {"{\"weight_map\": {\"a\": \"one.safetensors\"}", HEED_ERR_FORMAT, "index.json: "},
        {"{\"weight_map\": {\"a\": \"one.safetensors\", \"a\": \"two.safetensors\"}}", HEED_ERR_FORMAT,
         "tensor \"a\" is duplicated"},
        {"{\"weight_map\": {}, \"weight_map\": {}}", HEED_ERR_FORMAT, "weight_map is duplicated"},
        {"{\"weight_map\": {\"\": \"one.safetensors\"}}", HEED_ERR_FORMAT, "tensor \"\" has an empty name"},
        {"{\"weight_map\": {\"a\": \"\"}}", HEED_ERR_FORMAT, "\"\" is not a file name without a folder"},
        {"{\"weight_map\": {\"a\": \"../one.safetensors\"}}", HEED_ERR_FORMAT,
         "\"../one.safetensors\" is not a file name without a folder"},
        {"{\"weight_map\": {\"a\": \"three.safetensors\"}}", HEED_ERR_IO, "three.safetensors"},
        {"{\"weight_map\": {\"b\": \"one.safetensors\"}}", HEED_ERR_FORMAT,
         "tensor \"a\" is in one.safetensors, but the index does not list it"},
        {"{\"weight_map\": {\"a\": \"two.safetensors\", \"b\": \"two.safetensors\"}}", HEED_ERR_FORMAT,
         "tensor \"a\" is not in two.safetensors, for which the index lists it"},
        {"{\"weight_map\": {\"b\": \"one.safetensors\", \"a\": \"two.safetensors\"}}", HEED_ERR_FORMAT,
         "tensor \"a\" is in one.safetensors, but the index says two.safetensors"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        write_text("index.json", cases[i].index);
        ck_assert_msg(heed_io_safetensors_read(in_folder("index.json"), NULL) == NULL, "%s", cases[i].index);
        ck_assert_error(cases[i].status, cases[i].text);
    }
    ck_assert_ptr_null(heed_io_safetensors_read(NULL, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_safetensors_read: path is NULL");
    (void)unlink(in_folder("index.json"));
    ck_assert_ptr_null(heed_io_safetensors_read(in_folder("index.json"), NULL));
    ck_assert_error(HEED_ERR_IO, "io_safetensors_read: ");
}

/* The index lists fewer tensors than the files have. */
static void reads_some(void)
{
    heed_dict *dict = heed_io_safetensors_read(in_folder("one.safetensors"), NULL);
    heed_dict_set(dict, "b", heed_full(HEED_F64, HEED_SHAPE(2), 3.0));
    heed_dict_set(dict, "c", heed_full(HEED_F64, HEED_SHAPE(2), 4.0));
    ck_assert_int_eq(heed_io_safetensors_write(in_folder("one.safetensors"), dict), HEED_OK);
    heed_dict_free(dict);
    write_text("index.json", "{\"weight_map\": {\"a\": \"one.safetensors\", \"b\": \"two.safetensors\"}}");
    ck_assert_ptr_null(heed_io_safetensors_read(in_folder("index.json"), NULL));
    ck_assert_error(HEED_ERR_FORMAT, "index.json: tensor \"");
    dict = heed_io_safetensors_read(in_folder("index.json"), &(heed_io_read_options){.skip_unlisted = true});
    ck_assert_msg(dict != NULL, "%s", heed_error_message());
    ck_assert_int_eq(heed_dict_size(dict), 2);
    ck_assert(heed_get(heed_dict_get(dict, "a"), HEED_INDEX(1)) == 1.0);
    ck_assert(heed_get(heed_dict_get(dict, "b"), HEED_INDEX(1)) == 2.0);
    heed_dict_free(dict);
    const heed_io_read_options small = {.skip_unlisted = true, .max_bytes = 400};
    ck_assert_ptr_null(heed_io_safetensors_read(in_folder("index.json"), &small));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "(max_bytes)");
    write_text("index.json", "{\"weight_map\": {\"d\": \"one.safetensors\"}}");
    ck_assert_ptr_null(
        heed_io_safetensors_read(in_folder("index.json"), &(heed_io_read_options){.skip_unlisted = true}));
    ck_assert_error(HEED_ERR_FORMAT, "tensor \"d\" is not in one.safetensors, for which the index lists it");
}

START_TEST(unlisted_tensors)
{
    with_files(reads_some);
}
END_TEST

/* Only files of requested tensors are opened. */
static void reads_by_name(void)
{
    write_text("index.json", "{\"weight_map\": {\"b\": \"two.safetensors\", \"a\": \"none.safetensors\"}}");
    heed_io_read_options o = {.names = (const char *[]){"b"}, .name_count = 1};
    heed_dict *dict = heed_io_safetensors_read(in_folder("index.json"), &o);
    ck_assert_msg(dict != NULL, "%s", heed_error_message());
    ck_assert(heed_dict_size(dict) == 1 && heed_get(heed_dict_get(dict, "b"), HEED_INDEX(1)) == 2.0);
    heed_dict_free(dict);
    o.names = (const char *[]){"c"};
    ck_assert_ptr_null(heed_io_safetensors_read(in_folder("index.json"), &o));
    ck_assert_error(HEED_ERR_ARGUMENT, "index.json has no tensor \"c\"");
    ck_assert_ptr_null(heed_io_safetensors_read(in_folder("two.safetensors"), &o));
    ck_assert_error(HEED_ERR_ARGUMENT, "two.safetensors has no tensor \"c\"");
    o.name_count = 0;
    ck_assert_ptr_null(heed_io_safetensors_read(in_folder("index.json"), &o));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_safetensors_read: name_count is 0, but names is given");
}

START_TEST(tensors_by_name)
{
    with_files(reads_by_name);
}
END_TEST

START_TEST(refused_indexes)
{
    with_files(refuses);
}
END_TEST

HEED_TEST_MAIN("safetensors in many files", all_files, unlisted_tensors, tensors_by_name, refused_indexes)
