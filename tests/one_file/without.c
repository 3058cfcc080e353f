/* tests/one_file/without.c - heed.c compiled without zlib, without jansson, and with kernels for one instruction
 * set: the features that still work, and the errors of the others.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "check_heed.h"
#include "from_memory.h"
#include "io/files.h"
#include "reference/npz_reference.h"

#define NO_ZLIB "heed was built without zlib (HEED_NO_ZLIB)"
#define NO_JANSSON "heed was built without jansson (HEED_NO_JANSSON)"

static uint32_t number(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* zlib, which the test has, accepts the data of the picture and its checksum, and every chunk has the right
 * checksum. */
static void check_chunks(const uint8_t *png, size_t size)
{
    const uint32_t width = number(png + 16), height = number(png + 20), bytes = height * (1 + 3 * width);
    for (size_t at = 8; at < size; at += 12 + number(png + at)) {
        const uint32_t length = number(png + at);
        ck_assert_uint_eq(number(png + at + 8 + length), crc32(0, png + at + 4, length + 4));
        uLongf capacity = bytes;
        if (memcmp(png + at + 4, "IDAT", 4) == 0) {
            uint8_t *rows = malloc(capacity);
            ck_assert_int_eq(uncompress(rows, &capacity, png + at + 8, length), Z_OK);
            ck_assert_uint_eq(capacity, bytes);
            free(rows);
        }
    }
}

START_TEST(pictures)
{
    static const int sides[] = {1, 40};
    for (int i = 0; i < 2; i++) {
        heed_tensor *t = heed_reshape(heed_arange(HEED_F64, 0, sides[i] * sides[i], 1), HEED_SHAPE(sides[i], sides[i]));
        ck_assert_int_eq(heed_plot_heatmap(t, in_folder("a.png"), NULL), HEED_OK);
        size_t size;
        uint8_t *png = read_bytes(in_folder("a.png"), &size);
        ck_assert_uint_gt(size, 65536); /* more than one block */
        check_chunks(png, size);
        free(png);
    }
    ck_assert_int_eq(unlink(in_folder("a.png")), 0);
    remove_folder();
}
END_TEST

START_TEST(archives)
{
    heed_dict *dict = heed_dict_new();
    heed_dict_set(dict, "t", heed_arange(HEED_F32, 0, 5, 1));
    ck_assert_int_eq(heed_io_npz_write(in_folder("a.npz"), dict, &(heed_io_npz_options){.compressed = true}),
                     HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "io_npz_write: t: " NO_ZLIB);
    ck_assert_int_eq(heed_io_npz_write(in_folder("a.npz"), dict, NULL), HEED_OK);
    heed_dict_free(dict);
    dict = heed_io_npz_read(in_folder("a.npz"), NULL);
    ck_assert_msg(dict != NULL, "%s", heed_error_message());
    ck_assert_near(heed_item(heed_sum(heed_dict_get(dict, "t"))), 10, 0);
    heed_dict_free(dict);
    ck_assert_int_eq(unlink(in_folder("a.npz")), 0);
    remove_folder();
}
END_TEST

START_TEST(compressed)
{
    static const uint8_t gzip[18] = {0x1f, 0x8b, 8};
    for (size_t i = 0; i < sizeof npz_files / sizeof *npz_files; i++) {
        const struct reference *r = &npz_files[i];
        const bool deflated = strcmp(r->name, "npz_deflated") == 0 || strcmp(r->name, "npz_streamed") == 0;
        heed_dict *dict = npz_from_memory(r->bytes, r->size, NULL);
        ck_assert_msg(deflated == !dict, "%s", r->name);
        if (deflated)
            ck_assert_error(HEED_ERR_UNSUPPORTED, NO_ZLIB);
        heed_dict_free(dict);
    }
    ck_assert_ptr_null(idx_from_memory(gzip, sizeof gzip, NULL));
    ck_assert_error(HEED_ERR_UNSUPPORTED, NO_ZLIB);
}
END_TEST

START_TEST(json)
{
    heed_dict *dict = heed_dict_new();
    ck_assert_int_eq(heed_io_safetensors_write("a", dict), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "io_safetensors_write: " NO_JANSSON);
    heed_dict_free(dict);
    ck_assert_ptr_null(heed_io_safetensors_read("a", NULL));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "io_safetensors_read: " NO_JANSSON);
    ck_assert_ptr_null(safetensors_from_memory("a", 1, NULL));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "io_safetensors_read: " NO_JANSSON);
    ck_assert_ptr_null(heed_io_safetensors_dataset("a", (const char *[]){"a"}, 1));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "io_safetensors_dataset: " NO_JANSSON);
    ck_assert_ptr_null(heed_io_safetensors_read("a.json", NULL));
    ck_assert_error(HEED_ERR_UNSUPPORTED, "io_safetensors_read: " NO_JANSSON);
    ck_assert_int_eq(heed_checkpoint_save("a", &(heed_checkpoint){.epoch = 1}, NULL), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "checkpoint_save: " NO_JANSSON);
}
END_TEST

START_TEST(traces)
{
    ck_assert_int_eq(heed_profile_begin(in_folder("a.json"), NULL), HEED_OK);
    ck_assert_int_eq(heed_profile_end(NULL), HEED_ERR_UNSUPPORTED);
    ck_assert_error(HEED_ERR_UNSUPPORTED, "profile_end: " NO_JANSSON);
    remove_folder();
}
END_TEST

/* HEED_ONE_ISA. An op selects the kernels of a process once, so this test forks. */
START_TEST(other_kernels)
{
    const pid_t child = fork();
    if (child == 0) {
        (void)setenv("HEED_ISA", "avx2", 1);
        const bool refused = !heed_exp(heed_ones(HEED_F32, HEED_SHAPE(3)));
        _exit(refused && strstr(heed_error_message(), "HEED_ISA is \"avx2\": here it may be scalar") ? 0 : 1);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

HEED_TEST_MAIN("without zlib and jansson", other_kernels, pictures, archives, compressed, json, traces)
