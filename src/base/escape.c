/* base/escape.c - text from files and users, made safe to show.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "base/escape.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* Ranges of escaped code points, in Unicode's order. */
static const struct {
    uint32_t first, last;
} escaped_ranges[] = {
    {0x0000, 0x001F}, /* C0 */
    {0x007F, 0x009F}, /* DEL, C1 */
    {0x061C, 0x061C}, /* Arabic letter mark */
    {0x200E, 0x200F}, /* left-to-right and right-to-left marks */
    {0x2028, 0x202E}, /* line and paragraph separators; embeddings, overrides and their end */
    {0x2066, 0x2069}, /* isolates and their end */
};

static bool must_escape(uint32_t c)
{
    for (size_t i = 0; i < sizeof escaped_ranges / sizeof escaped_ranges[0]; i++)
        if (c >= escaped_ranges[i].first && c <= escaped_ranges[i].last)
            return true;
    return false;
}

static int print_escape(char *out, size_t capacity, uint32_t c)
{
    switch (c) {
    case '\n':
        return snprintf(out, capacity, "\\n");
    case '\r':
        return snprintf(out, capacity, "\\r");
    case '\t':
        return snprintf(out, capacity, "\\t");
    default:
        return snprintf(out, capacity, "\\u%04x", (unsigned)(c & 0xFFFF));
    }
}

heed__escape_piece heed__escape_next(const char *text, size_t size)
{
    char head[5] = ""; /* the character and a NUL: the text need not have one */
    memcpy(head, text, size < 4 ? size : 4);
    const size_t length = *head ? heed__utf8_character(head) : 1;
    heed__escape_piece p = {.size = length, .consumed = length > 0 ? length : 1};
    const char *at = head;
    const uint32_t c = length > 0 ? heed__utf8_next(&at) : 0;
    p.escaped = length == 0 || must_escape(c);
    if (length == 0)
        p.size = (size_t)snprintf(p.s, sizeof p.s, "\\x%02x", (unsigned)(unsigned char)*head);
    else if (p.escaped)
        p.size = (size_t)print_escape(p.s, sizeof p.s, c);
    else
        memcpy(p.s, head, length);
    return p;
}

size_t heed__escape_copy(const char *text, size_t size, char *out, size_t capacity)
{
    size_t at = 0, used = 0;
    while (at < size) {
        const heed__escape_piece p = heed__escape_next(text + at, size - at);
        if (p.size >= capacity - used)
            break;
        memcpy(out + used, p.s, p.size);
        used += p.size;
        at += p.consumed;
    }
    out[used] = '\0';
    return at;
}

heed__escaped_text heed__escaped(const char *text)
{
    heed__escaped_text escaped = {""};
    (void)heed__escape_copy(text, strlen(text), escaped.s, sizeof escaped.s);
    return escaped;
}
