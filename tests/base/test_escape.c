/* tests/base/test_escape.c - tests which characters are escaped, by their Unicode properties, and that escaped text is
 * cut only between escapes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "check_heed.h"

#include "../src/base/escape.h"
#include "../src/base/utf8.h"

/* General categories Cc, Zl and Zp and the property Bidi_Control of Unicode 15, complete. */
static bool is_hidden(uint32_t c)
{
    static const uint32_t others[] = {0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202B,
                                      0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069};
    bool found = c < 0x20 || (c >= 0x7F && c < 0xA0);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        found = found || c == others[i];
    return found;
}

static size_t encode(uint32_t c, char *text)
{
    if (c < 0x80) {
        text[0] = (char)c;
        return 1;
    }
    const size_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = size; i-- > 1; c >>= 6)
        text[i] = (char)(0x80 | (c & 0x3F));
    text[0] = (char)(lead[size] | c);
    return size;
}

START_TEST(every_character)
{
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        char text[4], expected[12];
        if (c >= 0xD800 && c < 0xE000)
            continue;
        const size_t size = encode(c, text);
        const heed__escape_piece p = heed__escape_next(text, size);
        if (c == '\n' || c == '\r' || c == '\t')
            (void)snprintf(expected, sizeof expected, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
        else if (is_hidden(c))
            (void)snprintf(expected, sizeof expected, "\\u%04x", (unsigned)c);
        else
            (void)snprintf(expected, sizeof expected, "%.*s", (int)size, text);
        ck_assert_uint_eq(p.consumed, size);
        ck_assert_uint_eq(p.size, strlen(expected));
        ck_assert_msg(memcmp(p.s, expected, p.size) == 0 && p.escaped == is_hidden(c), "U+%04X", (unsigned)c);
    }
}
END_TEST

/* An invalid UTF-8 byte is escaped alone. A character cut by the end of the text is escaped byte by byte. */
START_TEST(every_broken_byte)
{
    for (int byte = 0x80; byte < 0x100; byte++) {
        char expected[8];
        const char text[] = {(char)byte, 'x'};
        (void)snprintf(expected, sizeof expected, "\\x%02x", byte);
        const heed__escape_piece p = heed__escape_next(text, sizeof text);
        ck_assert(p.consumed == 1 && p.size == 4 && p.escaped && memcmp(p.s, expected, 4) == 0);
    }
    char out[32];
    ck_assert_uint_eq(heed__escape_copy("\xe2\x82\xac\xe2\x82\xac", 5, out, sizeof out), 5);
    ck_assert_str_eq(out, "\xe2\x82\xac\\xe2\\x82");
}
END_TEST

START_TEST(copies)
{
    static const char text[] = "a\x1b\xc3\xa4\xff";
    static const char *const by_capacity[] = {"",
                                              "",
                                              "a",
                                              "a",
                                              "a",
                                              "a",
                                              "a",
                                              "a",
                                              "a\\u001b",
                                              "a\\u001b",
                                              "a\\u001b\xc3\xa4",
                                              "a\\u001b\xc3\xa4",
                                              "a\\u001b\xc3\xa4",
                                              "a\\u001b\xc3\xa4",
                                              "a\\u001b\xc3\xa4\\xff"};
    for (size_t capacity = 1; capacity < sizeof by_capacity / sizeof by_capacity[0]; capacity++) {
        char out[16], again[16];
        memset(out, '#', sizeof out);
        (void)heed__escape_copy(text, sizeof text - 1, out, capacity);
        ck_assert_str_eq(out, by_capacity[capacity]);
        (void)heed__escape_copy(out, strlen(out), again, sizeof again);
        ck_assert_str_eq(again, out);
    }
    char many[400];
    memset(many, '\x7f', sizeof many);
    many[sizeof many - 1] = '\0';
    ck_assert_uint_eq(strlen(heed__escaped(many).s), 114); /* 19 escapes */
}
END_TEST

HEED_TEST_MAIN("escape", every_character, every_broken_byte, copies)
