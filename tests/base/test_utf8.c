/* tests/base/test_utf8.c - tests splitting UTF-8 text into characters, by the table of RFC 3629.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "../src/base/utf8.h"

/* The first and last character of every size, and the neighbours of the surrogates. */
START_TEST(characters)
{
    static const struct {
        const char *text;
        uint32_t codepoint;
    } c[] = {{"\x01", 1},
             {"\x7f", 0x7F},
             {"\xc2\x80", 0x80},
             {"\xdf\xbf", 0x7FF},
             {"\xe0\xa0\x80", 0x800},
             {"\xed\x9f\xbf", 0xD7FF},
             {"\xee\x80\x80", 0xE000},
             {"\xef\xbf\xbf", 0xFFFF},
             {"\xf0\x90\x80\x80", 0x10000},
             {"\xf4\x8f\xbf\xbf", 0x10FFFF}};
    for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
        const char *at = c[i].text;
        ck_assert_uint_eq(heed__utf8_next(&at), c[i].codepoint);
        ck_assert_int_eq(*at, '\0');
        ck_assert_uint_eq(heed__utf8_character(c[i].text), strlen(c[i].text));
        ck_assert_uint_eq(heed__utf8_size(c[i].text), strlen(c[i].text));
    }
}
END_TEST

/* An invalid UTF-8 byte counts as one character; decoding resumes at the next byte. */
START_TEST(broken_bytes)
{
    static const char *const bad[] = {"\x80",         "\xff",     "\xc0\x80",         "\xc1\xbf",
                                      "\xc3",         "\xe2\x82", "\xe0\x9f\xbf",     "\xed\xa0\x80",
                                      "\xf0\x9f\x98", "\xf5",     "\xf4\x90\x80\x80", "\xf0\x8f\xbf\xbf"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *at = bad[i];
        ck_assert_uint_eq(heed__utf8_character(at), 0);
        ck_assert_uint_eq(heed__utf8_size(at), 0);
        ck_assert_uint_eq(heed__utf8_next(&at), 0xFFFD);
        ck_assert_ptr_eq(at, bad[i] + 1);
    }
    ck_assert_uint_eq(heed__utf8_size("a\xc3\xa4\xff"), 3);
}
END_TEST

HEED_TEST_MAIN("utf8", characters, broken_bytes)
