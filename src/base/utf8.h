/* base/utf8.h - text in UTF-8 (RFC 3629: no overlong form, no surrogate). */
#ifndef HEED_BASE_UTF8_H
#define HEED_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the character that `text` begins with: 1 to 4, or 0 where it is not UTF-8. Nothing after a NUL is read. */
size_t heed__utf8_character(const char *text);

/* Bytes up to the text's end, or up to what is not UTF-8. */
size_t heed__utf8_size(const char *text);

/* The text's first character, past which it goes; 0xFFFD for a byte that is not UTF-8. */
uint32_t heed__utf8_next(const char **text);

/* Whether a byte goes on with a character, so that a text cannot be cut before it. */
static inline bool heed__utf8_is_tail(char c)
{
    return ((unsigned char)c & 0xC0u) == 0x80u;
}

#endif
