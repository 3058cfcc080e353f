/* io/json.c - the JSON of a header. */

#include "io/json.h"

#include <heed/dict.h>

#include "io/text.h"

static bool fail_at(const heed_json *j, const char *at, const char *reason)
{
    heed_fail(HEED_ERR_FORMAT, j->where, "%s: its header, which is JSON, %s: \"%s\"", j->source, reason,
              heed__excerpt(at, (size_t)(j->end - at)).s);
    return false;
}

static void skip_space(heed_json *j)
{
    while (j->at < j->end && (*j->at == ' ' || *j->at == '\t' || *j->at == '\n' || *j->at == '\r'))
        j->at++;
}

bool heed__json_take(heed_json *j, char c)
{
    skip_space(j);
    if (j->at == j->end || *j->at != c)
        return false;
    j->at++;
    return true;
}

bool heed__json_expect(heed_json *j, char c)
{
    char reason[] = "wants '?' at";
    if (heed__json_take(j, c))
        return true;
    reason[7] = c;
    return fail_at(j, j->at, reason);
}

/* -- Strings ------------------------------------------------------------------------------------------------------ */

/* Four hexadecimal digits; -1 when they are none. */
static int32_t hex4(const char *at, const char *end)
{
    int32_t value = 0;
    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        char c = at[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

/* The character of \uXXXX, or of two of them, at the 'u'; -1 for none, for half of one, and for NUL. */
static int32_t unicode_at(const char **at, const char *end)
{
    int32_t first = hex4(*at + 1, end), second;
    *at += 5;
    if (first < 0xD800 || first > 0xDFFF)
        return first > 0 ? first : -1;
    if (first > 0xDBFF || end - *at < 2 || (*at)[0] != '\\' || (*at)[1] != 'u')
        return -1;
    second = hex4(*at + 2, end);
    *at += 6;
    return second >= 0xDC00 && second <= 0xDFFF ? 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00) : -1;
}

/* In UTF-8, which is shorter than the escape was. */
static char *put_character(char *to, int32_t c)
{
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    int tail = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned lead[] = {0, 0xC0, 0xE0, 0xF0};
    *to++ = (char)(lead[tail] | (unsigned)c >> 6 * tail);
    for (int i = tail - 1; i >= 0; i--)
        *to++ = (char)(0x80u | ((unsigned)c >> 6 * i & 0x3Fu));
    return to;
}

/* What stands behind a backslash, at *from. NULL when it is no escape. */
static char *unescape(char *to, const char **from, const char *end)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    if (*from == end)
        return NULL;
    if (**from == 'u') {
        int32_t c = unicode_at(from, end);
        return c > 0 ? put_character(to, c) : NULL;
    }
    for (int i = 0; names[i]; i++)
        if (**from == names[i]) {
            (*from)++;
            *to++ = values[i];
            return to;
        }
    return NULL;
}

const char *heed__json_string(heed_json *j)
{
    if (!heed__json_expect(j, '"'))
        return NULL;
    char *start = j->at, *to = start;
    const char *from = start;
    while (from < j->end && *from != '"') {
        const char *escape = from;
        if ((unsigned char)*from < ' ') {
            fail_at(j, from, "has a control character in a string, before");
            return NULL;
        }
        if (*from++ != '\\') {
            *to++ = *escape;
        } else if (!(to = unescape(to, &from, j->end))) {
            fail_at(j, escape, "has an escape that is none, or NUL");
            return NULL;
        }
    }
    if (from == j->end) {
        fail_at(j, j->end, "ends within a string");
        return NULL;
    }
    j->at = start + (from - start) + 1;
    *to = '\0';
    if (to == start || heed_dict_is_name(start))
        return start;
    fail_at(j, j->at, "has a string that is no UTF-8, before");
    return NULL;
}

const char *heed__json_key(heed_json *j)
{
    const char *key = heed__json_string(j);
    return key && heed__json_expect(j, ':') ? key : NULL;
}

/* -- Numbers ------------------------------------------------------------------------------------------------------ */

bool heed__json_count(heed_json *j, int64_t *count)
{
    skip_space(j);
    const char *start = j->at;
    bool fits = true;
    *count = 0;
    for (; j->at < j->end && *j->at >= '0' && *j->at <= '9' && fits; j->at++)
        fits = !__builtin_mul_overflow(*count, 10, count) && !__builtin_add_overflow(*count, *j->at - '0', count);
    bool padded = *start == '0' && j->at - start > 1;
    bool goes_on = j->at < j->end && (*j->at == '.' || *j->at == 'e' || *j->at == 'E');
    if (j->at == start || !fits || padded || goes_on)
        return fail_at(j, start, "wants a whole number from 0 to 2^63 - 1 at");
    return true;
}

bool heed__json_end(heed_json *j)
{
    skip_space(j);
    return j->at == j->end || fail_at(j, j->at, "goes on behind its end");
}
