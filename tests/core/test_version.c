/* tests/core/test_version.c - tests that the version agrees in the header, its components and the library.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number

START_TEST(one_version)
{
    ck_assert_str_eq(HEED_VERSION, TEXT(HEED_VERSION_MAJOR) "." TEXT(HEED_VERSION_MINOR) "." TEXT(HEED_VERSION_PATCH));
    ck_assert_str_eq(heed_version(), HEED_VERSION);
}
END_TEST

HEED_TEST_MAIN("version", one_version)
