/* core/utf8.c - whether a text is UTF-8. */

#include "core/utf8.h"

#include <stdbool.h>

static bool is_tail(unsigned char c)
{
    return (c & 0xC0u) == 0x80u;
}

/* Bytes of the character in UTF-8 at s (RFC 3629: no overlong form, no surrogate), 0 when there is none. The text's
 * NUL is no byte of a character, so nothing behind it is read. */
static size_t character_size(const unsigned char *s)
{
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
    if (!is_tail(s[2]))
        return 0;
    if (s[0] < 0xF0)
        return 3;
    return is_tail(s[3]) ? 4 : 0;
}

size_t heed__utf8_size(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    for (size_t size = 1; *at && size > 0; at += size)
        size = character_size(at);
    return (size_t)(at - (const unsigned char *)text);
}
