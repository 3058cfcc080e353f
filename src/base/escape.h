/* base/escape.h - text from files and users, made safe for messages, reports and terminals.
 *
 * A character that can move the cursor, hide text or change its order becomes an escape: "\n", "\r" and "\t"; "\u001b"
 * for the other control characters (C0, DEL, C1), for line and paragraph separators and for marks of writing direction;
 * "\xff" for a byte that is not UTF-8. All other text stays as it is, so escaping twice is the same as escaping
 * once.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_BASE_ESCAPE_H
#define HEED_BASE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

#define HEED_ESCAPE_MAX 8 /* bytes of one character or escape, with its NUL */

typedef struct heed__escape_piece {
    char s[HEED_ESCAPE_MAX]; /* the character, or its escape */
    size_t size;             /* bytes in s, without the NUL */
    size_t consumed;         /* bytes of the text that it stands for */
    bool escaped;
} heed__escape_piece;

/* Returns the first character of a text of `size` bytes, which must be at least 1. */
heed__escape_piece heed__escape_next(const char *text, size_t size);

/* Writes a text of `size` bytes to `out`, which has `capacity` bytes (at least 1), and ends it with a NUL. Writes only
 * whole characters and escapes, and stops before the first that does not fit. Returns the number of bytes of the text
 * that were written. */
size_t heed__escape_copy(const char *text, size_t size, char *out, size_t capacity);

/* Returns the beginning of a text with its escapes, at most 119 bytes, for an argument of printf:
 * heed__escaped(name).s */
typedef struct heed__escaped_text {
    char s[120];
} heed__escaped_text;
heed__escaped_text heed__escaped(const char *text);

#endif
