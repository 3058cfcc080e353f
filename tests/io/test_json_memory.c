/* tests/io/test_json_memory.c - tests .safetensors files while jansson, which reads and prints their JSON with its own
 * allocations, gets no memory. Writing: allocation 1, 2, 3, ... fails, once and from then on. Reading: the same with
 * short words, because jansson 2.14 does not check whether its scanner's buffer could grow.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <jansson.h>

#include "files.h"

#define NAME "a name that is longer than what jansson begins with"
#define TEXT "a text\nthat is longer, too"

static struct {
    long count, fails_at, in_use;
    bool from_then_on;
} memory;

static void *failing_malloc(size_t size)
{
    memory.count++;
    if (memory.count == memory.fails_at || (memory.from_then_on && memory.count > memory.fails_at))
        return NULL;
    memory.in_use++;
    return malloc(size);
}

static void counting_free(void *block)
{
    memory.in_use -= block != NULL;
    free(block);
}

/* The number of elements identifies the contents of a file. */
static heed_dict *make(int64_t n)
{
    heed_dict *dict = heed_dict_new();
    ck_assert_int_eq(heed_dict_set(dict, NAME, heed_arange(HEED_F32, 0, (double)n, 1)), HEED_OK);
    ck_assert_int_eq(heed_dict_set(dict, "b", heed_ones(HEED_I64, HEED_SHAPE(1, 2, 1))), HEED_OK);
    ck_assert_int_eq(heed_dict_set_text(dict, "a key that is longer, too", TEXT), HEED_OK);
    return dict;
}

/* Makes allocation k fail, counted from here to json_memory_restore. */
static void json_memory_fails(long k, bool from_then_on)
{
    memory.count = memory.in_use = 0;
    memory.fails_at = k;
    memory.from_then_on = from_then_on;
    json_set_alloc_funcs(failing_malloc, counting_free);
}

/* Returns whether the failing allocation was reached. */
static bool json_memory_restore(void)
{
    json_set_alloc_funcs(malloc, free);
    ck_assert_int_eq(memory.in_use, 0);
    return memory.count >= memory.fails_at;
}

static void check_file(const char *path, const heed_dict *expected)
{
    heed_dict *found = heed_io_safetensors_read(path, NULL);
    ck_assert_msg(found != NULL, "%s", heed_error_message());
    check_same_dict(expected, found);
    heed_dict_free(found);
}

static void check_writing(const char *path, bool from_then_on)
{
    heed_dict *before = make(3), *after = make(5);
    for (long k = 1, failed = 1; failed; k++) {
        ck_assert_int_eq(heed_io_safetensors_write(path, before), HEED_OK);
        json_memory_fails(k, from_then_on);
        heed_status status = heed_io_safetensors_write(path, after);
        failed = json_memory_restore();
        ck_assert_msg(status == (failed ? HEED_ERR_NOMEM : HEED_OK), "allocation %ld: %s", k,
                      status ? heed_error_message() : "no error");
        heed_error_clear();
        check_file(path, failed ? before : after);
        ck_assert_int_eq(files_in_folder(), 1);
    }
    heed_dict_free(before);
    heed_dict_free(after);
}

START_TEST(writing)
{
    check_writing(in_folder("a.safetensors"), false);
    check_writing(in_folder("a.safetensors"), true);
    ck_assert_int_eq(unlink(in_folder("a.safetensors")), 0);
    remove_folder();
}
END_TEST

static heed_dict *make_short_names(void)
{
    heed_dict *dict = heed_dict_new();
    ck_assert_int_eq(heed_dict_set(dict, "a", heed_ones(HEED_I64, HEED_SHAPE(1, 2, 1))), HEED_OK);
    ck_assert_int_eq(heed_dict_set_text(dict, "key", "text"), HEED_OK);
    return dict;
}

/* If jansson cannot allocate a string within a value, it reports a syntax error instead. */
static bool is_reported(void)
{
    bool reported = heed_error_code() == HEED_ERR_NOMEM;
    ck_assert_error(reported ? HEED_ERR_NOMEM : HEED_ERR_FORMAT,
                    reported ? "no memory for a value of its JSON" : " near '\"");
    return reported;
}

START_TEST(reading)
{
    heed_dict *dict = make_short_names();
    ck_assert_int_eq(heed_io_safetensors_write(in_folder("a.safetensors"), dict), HEED_OK);
    for (int from_then_on = 0; from_then_on < 2; from_then_on++) {
        int reported = 0, others = 0;
        for (long k = 1, failed = 1; failed; k++) {
            json_memory_fails(k, from_then_on);
            heed_dict *back = heed_io_safetensors_read(in_folder("a.safetensors"), NULL);
            failed = json_memory_restore();
            ck_assert_msg(failed == !back, "allocation %ld", k);
            if (failed)
                is_reported() ? reported++ : others++;
            heed_dict_free(back);
        }
        ck_assert_msg(reported > 20 && others < 8, "%d without memory, %d others", reported, others);
    }
    check_file(in_folder("a.safetensors"), dict);
    heed_dict_free(dict);
    ck_assert_int_eq(unlink(in_folder("a.safetensors")), 0);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("json_memory", writing, reading)
