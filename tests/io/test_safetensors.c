/* tests/io/test_safetensors.c - tests of .safetensors files: reading handmade ones, round trips, memory. Refused files
 * are in test_safetensors_errors.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "fail_alloc.h"
#include "files.h"
#include "from_memory.h"
#include "reference/safetensors_reference.h"

START_TEST(files_made_by_hand)
{
    for (size_t i = 0; i < COUNT_OF(safetensors_files); i++) {
        const struct reference *r = &safetensors_files[i];
        heed_dict *dict = safetensors_from_memory(r->bytes, r->size, NULL);
        check_dict(dict, r);
        write_bytes(in_folder("a.safetensors"), r->bytes, r->size);
        heed_dict *read = heed_io_safetensors_read(in_folder("a.safetensors"), NULL);
        check_same_dict(dict, read);
        heed_dict_free(read);
        heed_dict_free(dict);
        ck_assert_int_eq(unlink(in_folder("a.safetensors")), 0);
    }
    remove_folder();
}
END_TEST

START_TEST(metadata)
{
    const struct reference *r = &safetensors_files[0];
    heed_dict *dict = safetensors_from_memory(r->bytes, r->size, NULL);
    ck_assert_int_eq(heed_dict_text_count(dict), 2);
    ck_assert_str_eq(heed_dict_text(dict, "format"), "pt");
    ck_assert_str_eq(heed_dict_text(dict, "who"), "\xc3\xa4\"\\\n\t\xe2\x82\xac\xf0\x9f\x98\x80");
    heed_dict_free(dict);
}
END_TEST

START_TEST(round_trips)
{
    heed_manual_seed(2);
    heed_dict *all = sample_tensors();
    for (int texts = 0; texts < 2; texts++) {
        ck_assert_int_eq(heed_io_safetensors_write(in_folder("a.safetensors"), all), HEED_OK);
        heed_dict *back = heed_io_safetensors_read(in_folder("a.safetensors"), NULL);
        check_same_dict(all, back);
        heed_dict_free(back);
        ck_assert_int_eq(heed_dict_set(all, "a \"name\"\\\n\x01\x7f/\xc3\xa4", heed_ones(HEED_BOOL, HEED_SHAPE(3))),
                         HEED_OK);
        ck_assert_int_eq(heed_dict_set_text(all, "format", "pt"), HEED_OK);
        ck_assert_int_eq(heed_dict_set_text(all, "\"\t\"", "\b\f\n\r\x1f \xf0\x9f\x98\x80"), HEED_OK);
        ck_assert_int_eq(heed_dict_set_text(all, "empty", ""), HEED_OK);
    }
    heed_dict_free(all);
    ck_assert_int_eq(unlink(in_folder("a.safetensors")), 0);
    remove_folder();
}
END_TEST

START_TEST(empty_dicts)
{
    heed_dict *none = heed_dict_new();
    for (int texts = 0; texts < 2; texts++) {
        ck_assert_int_eq(heed_io_safetensors_write(in_folder("a.safetensors"), none), HEED_OK);
        heed_dict *back = heed_io_safetensors_read(in_folder("a.safetensors"), NULL);
        check_same_dict(none, back);
        heed_dict_free(back);
        ck_assert_int_eq(heed_dict_set_text(none, "format", "pt"), HEED_OK);
    }
    heed_dict_free(none);
    ck_assert_int_eq(unlink(in_folder("a.safetensors")), 0);
    remove_folder();
}
END_TEST

/* White space wherever JSON allows it, and the metadata at the end. */
START_TEST(white_space)
{
    static const char text[] = "{\t\"a\" : {\n \"dtype\" : \"F32\",\r\"shape\":[ 1 ],\"data_offsets\":[0,4] } ,\n"
                               "\"__metadata__\" : { \"k\" : \"t\" ,\n\"l\":\"\" } } \t\r\n ";
    char bytes[8 + sizeof text + 3] = {(char)(sizeof text - 1)};
    memcpy(bytes + 8, text, sizeof text - 1);
    memcpy(bytes + 8 + sizeof text - 1, "\0\0\x80\x3f", 4);
    heed_dict *dict = safetensors_from_memory(bytes, sizeof bytes, NULL);
    ck_assert_msg(dict != NULL, "%s", heed_error_message());
    ck_assert_double_eq(heed_get(heed_dict_get(dict, "a"), HEED_INDEX(0)), 1);
    ck_assert_str_eq(heed_dict_text(dict, "k"), "t");
    ck_assert_str_eq(heed_dict_text(dict, "l"), "");
    heed_dict_free(dict);
}
END_TEST

/* A name and a text longer than the buffer for a description. */
START_TEST(long_names_and_texts)
{
    static char name[6000], text[100000];
    memset(name, 'n', sizeof name - 1);
    memset(text, 't', sizeof text - 1);
    heed_dict *dict = heed_dict_new();
    ck_assert_int_eq(heed_dict_set(dict, name, heed_ones(HEED_F32, HEED_SHAPE(2))), HEED_OK);
    ck_assert_int_eq(heed_dict_set_text(dict, name, text), HEED_OK);
    ck_assert_int_eq(heed_io_safetensors_write(in_folder("a.safetensors"), dict), HEED_OK);
    heed_dict *back = heed_io_safetensors_read(in_folder("a.safetensors"), NULL);
    check_same_dict(dict, back);
    heed_dict_free(back);
    heed_dict_free(dict);
    ck_assert_int_eq(unlink(in_folder("a.safetensors")), 0);
    remove_folder();
}
END_TEST

/* Compares the bytes: the header is padded to a multiple of 8, elements are in falling order of element size. */
START_TEST(written_bytes)
{
    static const char header[] = "{\"__metadata__\":{\"k\":\"t\"},"
                                 "\"m\":{\"dtype\":\"BOOL\",\"shape\":[2],\"data_offsets\":[16,18]},"
                                 "\"x\":{\"dtype\":\"F32\",\"shape\":[1,1],\"data_offsets\":[8,12]},"
                                 "\"n\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[0,8]},"
                                 "\"y\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[12,16]}}";
    static const uint8_t data[] = {7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 1, 0};
    heed_dict *dict = heed_dict_new();
    heed_dict_set_text(dict, "k", "t");
    heed_dict_set(dict, "m", HEED_TENSOR(HEED_BOOL, HEED_SHAPE(2), 1, 0));
    heed_dict_set(dict, "x", HEED_TENSOR(HEED_F32, HEED_SHAPE(1, 1), 1));
    heed_dict_set(dict, "n", heed_full(HEED_I64, HEED_SCALAR, 7));
    heed_dict_set(dict, "y", HEED_TENSOR(HEED_F32, HEED_SHAPE(1), 2));
    ck_assert_int_eq(heed_io_safetensors_write(in_folder("a.safetensors"), dict), HEED_OK);
    size_t size, text = strlen(header);
    uint8_t *bytes = read_bytes(in_folder("a.safetensors"), &size);
    ck_assert_uint_eq(bytes[0] + 256u * bytes[1], (text + 7) / 8 * 8);
    ck_assert_msg(memcmp(bytes + 8, header, text) == 0, "%.*s", (int)text, (const char *)bytes + 8);
    ck_assert_uint_eq(size, 8 + (text + 7) / 8 * 8 + sizeof data);
    ck_assert_mem_eq(bytes + size - sizeof data, data, sizeof data);
    bytes[size - 2] = 255; /* not a valid C bool; read as true */
    bytes[size - 1] = 2;
    heed_dict *invalid_bools = safetensors_from_memory(bytes, size, NULL);
    ck_assert_mem_eq(heed_data_bool(heed_dict_get(invalid_bools, "m")), "\1\1", 2);
    heed_dict_free(invalid_bools);
    free(bytes);
    heed_dict_free(dict);
    ck_assert_int_eq(unlink(in_folder("a.safetensors")), 0);
    remove_folder();
}
END_TEST

/* The elements begin at the first multiple of 8 after the header's text, whatever its length. */
START_TEST(header_padding)
{
    char text[9] = "";
    for (size_t n = 0; n < 8; n++) {
        size_t size, spaces = 0;
        heed_dict *dict = heed_dict_new();
        text[n] = 'x';
        ck_assert_int_eq(heed_dict_set_text(dict, "key", text), HEED_OK);
        ck_assert_int_eq(heed_io_safetensors_write(in_folder("a.safetensors"), dict), HEED_OK);
        uint8_t *bytes = read_bytes(in_folder("a.safetensors"), &size);
        while (bytes[size - 1 - spaces] == ' ')
            spaces++;
        ck_assert_msg(size % 8 == 0 && spaces < 8, "%zu spaces to %zu bytes", spaces, size);
        free(bytes);
        heed_dict_free(dict);
    }
    ck_assert_int_eq(unlink(in_folder("a.safetensors")), 0);
    remove_folder();
}
END_TEST

static bool write_and_read(double *value)
{
    heed_dict *dict = heed_dict_new(), *back = NULL;
    heed_tensor *t = heed_linspace(HEED_F64, 0, 1, 6);
    heed_tensor *m = t ? heed_transpose(heed_reshape(t, HEED_SHAPE(2, 3)), 0, 1) : NULL;
    bool good = dict && m && heed_dict_set(dict, "a", m) == HEED_OK && heed_dict_set(dict, "b", t) == HEED_OK &&
                heed_dict_set_text(dict, "key", "text") == HEED_OK &&
                heed_io_safetensors_write(in_folder("a.safetensors"), dict) == HEED_OK;
    back = good ? heed_io_safetensors_read(in_folder("a.safetensors"), NULL) : NULL;
    *value = back ? heed_get(heed_dict_get(back, "a"), HEED_INDEX(2, 1)) : 0;
    heed_dict_free(back);
    heed_dict_free(dict);
    return back != NULL;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(write_and_read);
    fail_alloc_uninstall();
    ck_assert_int_eq(files_in_folder(), 1);
    ck_assert_int_eq(unlink(in_folder("a.safetensors")), 0);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("safetensors", files_made_by_hand, metadata, round_trips, empty_dicts, white_space, long_names_and_texts,
               written_bytes, header_padding, out_of_memory)
