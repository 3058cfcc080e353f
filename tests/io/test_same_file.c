/* tests/io/test_same_file.c - tests of heed_io_same_file: links, spellings, and paths to missing files.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "files.h"

START_TEST(same_file)
{
    write_bytes(in_folder("a"), "1", 1);
    write_bytes(in_folder("b"), "1", 1);
    ck_assert_int_eq(symlink(in_folder("a"), in_folder("link")), 0);
    ck_assert_int_eq(symlink("nowhere", in_folder("broken")), 0);
    ck_assert_int_eq(link(in_folder("a"), in_folder("hard")), 0);
    static const char *const same[] = {"a", "./a", "link", "hard"};
    static const char *const others[] = {"b", "broken", "none", "a/"};
    char path[200];
    (void)snprintf(path, sizeof path, "%s", in_folder("a"));
    for (size_t i = 0; i < COUNT_OF(same); i++)
        ck_assert_msg(heed_io_same_file(in_folder(same[i]), path) && heed_io_same_file(path, in_folder(same[i])), "%s",
                      same[i]);
    for (size_t i = 0; i < COUNT_OF(others); i++)
        ck_assert_msg(!heed_io_same_file(in_folder(others[i]), path) && !heed_io_same_file(path, in_folder(others[i])),
                      "%s", others[i]);
    ck_assert(!heed_io_same_file(in_folder("none"), in_folder("none")));
    ck_assert_int_eq(heed_error_code(), HEED_OK);
    ck_assert(!heed_io_same_file(NULL, path));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_same_file: the path is NULL");
    ck_assert(!heed_io_same_file(path, NULL));
    ck_assert_error(HEED_ERR_ARGUMENT, "io_same_file: the other path is NULL");
    static const char *const names[] = {"a", "b", "link", "broken", "hard"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        ck_assert_int_eq(unlink(in_folder(names[i])), 0);
    remove_folder();
}
END_TEST

HEED_TEST_MAIN("same file", same_file)
