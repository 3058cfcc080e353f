/* tests/data/test_categories.c - tests of categories (texts as codes): order, large lists, saving.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"
#include "fail_alloc.h"

static heed_categories *make_categories(const char *const *texts, int n)
{
    heed_categories *c = heed_categories_new(texts, n);
    ck_assert_msg(c != NULL, "%s", heed_error_message());
    return c;
}

/* Like sorted(set(texts)) in Python; code points sort like their UTF-8 bytes. */
START_TEST(sorted_without_duplicates)
{
    heed_categories *c =
        make_categories(HEED_NAMES("pear", "Apple", "pear", "", "zebra", "apple", "\xC3\xA4pfel", "pea", "Apple"));
    static const char *const expected[] = {"", "Apple", "apple", "pea", "pear", "zebra", "\xC3\xA4pfel"};
    ck_assert_int_eq(heed_categories_count(c), 7);
    for (int i = 0; i < 7; i++) {
        ck_assert_str_eq(heed_categories_name(c, i), expected[i]);
        ck_assert_int_eq(heed_categories_find(c, expected[i]), i);
    }
    ck_assert_int_eq(heed_categories_find(c, "pe"), -1);
    ck_assert_int_eq(heed_categories_find(c, "zebras"), -1);
    ck_assert_int_eq(heed_categories_find(c, "\xFF"), -1);
    heed_categories_free(c);
    heed_categories_free(NULL);
}
END_TEST

START_TEST(empty_and_one)
{
    heed_categories *c = heed_categories_new(NULL, 0);
    ck_assert_int_eq(heed_categories_count(c), 0);
    ck_assert_int_eq(heed_categories_find(c, ""), -1);
    heed_categories_free(c);
    c = make_categories(HEED_NAMES("x", "x", "x"));
    ck_assert_int_eq(heed_categories_count(c), 1);
    heed_categories_free(c);
}
END_TEST

/* Tests lists of every length around powers of two; text i is (i * 7919) mod m. */
static void check_many(int n, int m)
{
    static char texts[3000][12];
    static const char *list[3000];
    bool present[3000] = {false};
    for (int i = 0; i < n; i++) {
        int number = (int)((int64_t)i * 7919 % m);
        (void)snprintf(texts[i], sizeof texts[i], "%05d", number);
        list[i] = texts[i];
        present[number] = true;
    }
    heed_categories *c = make_categories(list, n);
    int64_t code = 0;
    for (int number = 0; number < m; number++)
        if (present[number])
            ck_assert_int_eq(atoi(heed_categories_name(c, code++)), number);
    ck_assert_int_eq(heed_categories_count(c), code);
    for (int i = 0; i < n; i++)
        ck_assert_str_eq(heed_categories_name(c, heed_categories_find(c, list[i])), list[i]);
    heed_categories_free(c);
}

START_TEST(many)
{
    for (int n = 1; n < 70; n++) {
        check_many(n, 3000);
        check_many(n, 5);
    }
    check_many(3000, 3000);
    check_many(3000, 100);
}
END_TEST

START_TEST(saved)
{
    heed_dict *dict = heed_dict_new();
    heed_categories *c = make_categories(HEED_NAMES("b", "a", "line\nline", "")), *empty = heed_categories_new(NULL, 0);
    ck_assert_int_eq(heed_categories_save(c, dict, "city"), HEED_OK);
    ck_assert_int_eq(heed_categories_save(empty, dict, "none"), HEED_OK);
    heed_categories_free(c);
    ck_assert_str_eq(heed_dict_text(dict, "city.count"), "4");
    ck_assert_str_eq(heed_dict_text(dict, "city.1"), "a");
    c = heed_categories_load(dict, "city");
    heed_categories_free(empty);
    empty = heed_categories_load(dict, "none");
    heed_dict_free(dict);
    ck_assert_int_eq(heed_categories_count(c), 4);
    ck_assert_int_eq(heed_categories_count(empty), 0);
    ck_assert_str_eq(heed_categories_name(c, 0), "");
    ck_assert_str_eq(heed_categories_name(c, 3), "line\nline");
    heed_categories_free(c);
    heed_categories_free(empty);
}
END_TEST

static void check_unloadable(const heed_dict *dict, heed_status code, const char *text)
{
    ck_assert_ptr_null(heed_categories_load(dict, "c"));
    ck_assert_error(code, text);
}

START_TEST(invalid_dicts)
{
    static const char *const counts[] = {"", "-1", "x", "3", "99999999999999999999999", " 1", "1 "};
    heed_dict *dict = heed_dict_new();
    check_unloadable(dict, HEED_ERR_ARGUMENT, "categories_load: the dict has no text \"c.count\"");
    heed_dict_set_text(dict, "c.0", "b");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        heed_dict_set_text(dict, "c.count", counts[i]);
        check_unloadable(dict, HEED_ERR_FORMAT, "must be the number of categories");
    }
    heed_dict_set_text(dict, "c.count", "2");
    check_unloadable(dict, HEED_ERR_FORMAT, "categories_load: the dict has no text \"c.1\"");
    heed_dict_set_text(dict, "c.1", "b");
    check_unloadable(dict, HEED_ERR_FORMAT, "categories_load: text \"c.1\" is not greater than the text before it");
    heed_dict_set_text(dict, "c.1", "a");
    check_unloadable(dict, HEED_ERR_FORMAT, "text \"c.1\" is not greater than the text before it");
    check_unloadable(NULL, HEED_ERR_ARGUMENT, "categories_load: the dict is NULL");
    ck_assert_ptr_null(heed_categories_load(dict, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "categories_load: the name is NULL");
    heed_dict_free(dict);
}
END_TEST

START_TEST(refuses)
{
    static const char *const texts[] = {"a", NULL};
    heed_categories *c = make_categories(texts, 1), *not_utf8 = make_categories(HEED_NAMES("\xFF"));
    heed_dict *dict = heed_dict_new();
    ck_assert_ptr_null(heed_categories_new(texts, 2));
    ck_assert_error(HEED_ERR_ARGUMENT, "categories_new: text 1 is NULL");
    ck_assert_ptr_null(heed_categories_new(texts, -1));
    ck_assert_error(HEED_ERR_ARGUMENT, "categories_new: n is -1: must be 0 or more");
    ck_assert_ptr_null(heed_categories_new(NULL, 1));
    ck_assert_error(HEED_ERR_ARGUMENT, "categories_new: n is 1, but texts is NULL");
    ck_assert_ptr_null(heed_categories_name(c, 1));
    ck_assert_error(HEED_ERR_INDEX, "categories_name: code 1 is out of range: there are 1 categories");
    ck_assert_ptr_null(heed_categories_name(c, -1));
    ck_assert_error(HEED_ERR_INDEX, "code -1");
    ck_assert_ptr_null(heed_categories_name(NULL, 0));
    ck_assert_error(HEED_ERR_ARGUMENT, "categories_name: the categories are NULL");
    ck_assert_int_eq(heed_categories_count(NULL), 0);
    ck_assert_error(HEED_ERR_ARGUMENT, "categories_count: the categories are NULL");
    ck_assert_int_eq(heed_categories_find(NULL, "a"), -1);
    ck_assert_error(HEED_ERR_ARGUMENT, "categories_find: the categories are NULL");
    ck_assert_int_eq(heed_categories_find(c, NULL), -1);
    ck_assert_error(HEED_ERR_ARGUMENT, "categories_find: the text is NULL");
    ck_assert_int_eq(heed_categories_save(NULL, dict, "c"), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "categories_save: the categories are NULL");
    ck_assert_int_eq(heed_categories_save(c, NULL, "c"), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "categories_save: ");
    ck_assert_int_eq(heed_categories_save(c, dict, NULL), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "categories_save: the name is NULL");
    ck_assert_int_eq(heed_categories_save(not_utf8, dict, "c"), HEED_ERR_ARGUMENT);
    ck_assert_error(HEED_ERR_ARGUMENT, "categories_save: ");
    heed_dict_free(dict);
    heed_categories_free(c);
    heed_categories_free(not_utf8);
}
END_TEST

static bool categories_program(double *value)
{
    heed_dict *dict = heed_dict_new();
    heed_categories *c = heed_categories_new(HEED_NAMES("b", "c", "a")), *again = NULL;
    if (c && dict && heed_categories_save(c, dict, "c") == HEED_OK)
        again = heed_categories_load(dict, "c");
    *value = again ? (double)heed_categories_find(again, "c") : 0;
    heed_categories_free(c);
    heed_categories_free(again);
    heed_dict_free(dict);
    return again != NULL;
}

START_TEST(out_of_memory)
{
    fail_alloc_install();
    fail_alloc_sweep(categories_program);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("categories", sorted_without_duplicates, empty_and_one, many, saved, invalid_dicts, refuses,
               out_of_memory)
