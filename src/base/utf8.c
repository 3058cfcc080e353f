/* base/utf8.c - text in UTF-8.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "base/utf8.h"

size_t heed__utf8_character(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80)
        return 1;
    if (s[0] < 0xC2 || s[0] > 0xF4)
        return 0;
    unsigned low = s[0] == 0xE0 ? 0xA0 : s[0] == 0xF0 ? 0x90 : 0x80;
    unsigned high = s[0] == 0xED ? 0x9F : s[0] == 0xF4 ? 0x8F : 0xBF;
    if (s[1] < low || s[1] > high)
        return 0;
    if (s[0] < 0xE0)
        return 2;
    if (!heed__utf8_is_tail(text[2]))
        return 0;
    if (s[0] < 0xF0)
        return 3;
    return heed__utf8_is_tail(text[3]) ? 4 : 0;
}

size_t heed__utf8_size(const char *text)
{
    const char *at = text;
    for (size_t size = 1; *at && size > 0; at += size)
        size = heed__utf8_character(at);
    return (size_t)(at - text);
}

uint32_t heed__utf8_next(const char **text)
{
    static const unsigned char lead[] = {0, 0x7F, 0x1F, 0x0F, 0x07}; /* bits of the first byte, by size */
    size_t size = heed__utf8_character(*text);
    uint32_t codepoint = (unsigned char)**text & lead[size];
    for (size_t i = 1; i < size; i++)
        codepoint = codepoint << 6 | ((unsigned char)(*text)[i] & 0x3Fu);
    *text += size > 0 ? size : 1;
    return size > 0 ? codepoint : 0xFFFD;
}
