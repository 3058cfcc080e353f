/* base/utf8.h - text in UTF-8 (RFC 3629: no overlong form, no surrogate).
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_BASE_UTF8_H
#define HEED_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Number of bytes (1 to 4) of the first character of `text`, or 0 if it is invalid UTF-8. Reads nothing after a NUL. */
size_t heed__utf8_character(const char *text);

/* Number of bytes before the end of the text or the first invalid byte. */
size_t heed__utf8_size(const char *text);

/* Returns the first character of the text and moves `text` past it; 0xFFFD for an invalid byte. */
uint32_t heed__utf8_next(const char **text);

/* True if a byte continues a character, so that a text must not be cut before it. */
static inline bool heed__utf8_is_tail(char c)
{
    return ((unsigned char)c & 0xC0u) == 0x80u;
}

#endif
