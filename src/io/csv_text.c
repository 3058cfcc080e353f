/* io/csv_text.c - the memory of a CSV, and its text before parsing: loads and decompresses the file, converts it to
 * UTF-8, guesses the separator, and adds names that the header lacks.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "io/csv.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <heed/memory.h>

#include "base/utf8.h"
#include "io/stream.h"
#include "io/zlib.h"

/* -- Memory -------------------------------------------------------------------------------------------------------- */

void *heed__csv_alloc(heed_io_csv *csv, const char *where, size_t bytes)
{
    if (bytes > csv->max_bytes - csv->used)
        return heed_fail_null(HEED_ERR_UNSUPPORTED, where,
                              "%s needs %zu bytes of memory in addition to %zu: more than the limit of %zu (max_bytes)",
                              csv->source.s, bytes, csv->used, csv->max_bytes);
    void *block = heed_alloc(bytes);
    csv->used += block ? bytes : 0;
    return block;
}

void heed__csv_release(heed_io_csv *csv, void *block, size_t bytes)
{
    heed_free(block, bytes);
    csv->used -= block ? bytes : 0;
}

/* -- Loading ------------------------------------------------------------------------------------------------------- */

/* Copies the text o->bytes to a new block. Returns false after heed_fail. */
static bool copy_text(const char *where, const char *name, const heed_io_csv_options *o, heed__file *file)
{
    if (!heed__check_memory(where, heed__path_excerpt(name).s, o->bytes, o->size))
        return false;
    if (o->size > o->max_bytes || o->size == SIZE_MAX)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, where,
                               "the text has %zu bytes, more than the limit of %zu (max_bytes)", o->size, o->max_bytes);
    *file = (heed__file){.bytes = heed_alloc(o->size + 1), .size = o->size};
    if (!file->bytes)
        return false;
    memcpy(file->bytes, o->bytes, o->size);
    return true;
}

static bool fail_size(const char *where, const char *name, size_t limit)
{
    return heed_fail_false(HEED_ERR_UNSUPPORTED, where, "%s needs more memory than the limit of %zu bytes (max_bytes)",
                           heed__path_excerpt(name).s, limit);
}

/* Replaces a block by one of `size` bytes and a spare byte, and copies `used` bytes. Returns false after heed_fail. */
static bool resize(heed__file *block, size_t used, size_t size)
{
    char *bytes = heed_alloc(size + 1);
    if (!bytes)
        return false;
    memcpy(bytes, block->bytes, used);
    heed__file_free(block);
    *block = (heed__file){bytes, size};
    return true;
}

static bool inflate_all(heed__inflate *s, size_t limit, heed__file *out)
{
    size_t used = 0, got = 0;
    for (;;) {
        if (!heed__inflate_read(s, (uint8_t *)out->bytes + used, out->size - used, &got))
            return false;
        used += got;
        if (used < out->size)
            return resize(out, used, used);
        if (used == limit)
            return fail_size(s->where, s->source, limit);
        if (!resize(out, used, used < limit / 2 ? 2 * used : limit))
            return false;
    }
}

/* Replaces a file compressed by gzip by its content. Returns false after heed_fail. */
static bool decompress(const char *where, const char *name, size_t max_bytes, heed__file *file)
{
    if (!heed__is_gzip((const uint8_t *)file->bytes, file->size))
        return true;
    heed__inflate s;
    const size_t limit = max_bytes - file->size, first = 4 * file->size < limit ? 4 * file->size : limit;
    heed__file out = {.bytes = heed_alloc(first + 1), .size = first};
    const bool opened = out.bytes && heed__inflate_open(&s, where, heed__path_excerpt(name).s,
                                                        (const uint8_t *)file->bytes, file->size);
    const bool read = opened && inflate_all(&s, limit, &out);
    if (opened)
        heed__inflate_close(&s);
    if (!read) {
        heed__file_free(&out);
        return false;
    }
    heed__file_free(file);
    *file = out;
    return true;
}

/* -- Encoding ------------------------------------------------------------------------------------------------------ */

/* Writes a character of Windows-1252, which is Latin-1 with printable characters from 0x80 to 0x9F, as UTF-8. Returns
 * the number of bytes. Undefined characters are the controls of Latin-1. `out` may be NULL. */
static size_t put_latin1(unsigned char c, char *out)
{
    static const uint16_t printable[32] = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                           0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                           0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                           0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};
    const unsigned u = c >= 0x80 && c < 0xA0 ? printable[c - 0x80] : c;
    const size_t size = u < 0x80 ? 1 : u < 0x800 ? 2 : 3;
    if (out && size == 1)
        out[0] = (char)u;
    for (size_t i = size; out && size > 1 && i-- > 0;) {
        const unsigned bits = u >> (6 * (size - 1 - i));
        out[i] = (char)(i > 0 ? 0x80 | (bits & 0x3F) : (size == 2 ? 0xC0 : 0xE0) | bits);
    }
    return size;
}

static bool is_utf8(const char *text, size_t size)
{
    for (size_t at = 0; at < size; at += text[at] ? 0 : 1) { /* continues after a NUL, which the parser reports */
        at += heed__utf8_size(text + at);
        if (at < size && text[at])
            return false;
    }
    return true;
}

/* Converts invalid UTF-8 from Windows-1252 and sets *latin1. If the separator is not ASCII, the text stays as it is,
 * because a conversion changes such a byte. Returns false after heed_fail. */
static bool decode(const char *where, const char *name, const heed_io_csv_options *o, heed__file *file, bool *latin1)
{
    const size_t max_bytes = o->max_bytes;
    file->bytes[file->size] = '\0';
    *latin1 = (unsigned char)o->separator < 0x80 && !is_utf8(file->bytes, file->size);
    if (!*latin1)
        return true;
    size_t size = 0;
    for (size_t i = 0; i < file->size; i++)
        size += put_latin1((unsigned char)file->bytes[i], NULL);
    if (size > max_bytes - file->size)
        return fail_size(where, name, max_bytes);
    heed__file out = {.bytes = heed_alloc(size + 1), .size = size};
    if (!out.bytes)
        return false;
    char *to = out.bytes;
    for (size_t i = 0; i < file->size; i++)
        to += put_latin1((unsigned char)file->bytes[i], to);
    heed__file_free(file);
    *file = out;
    return true;
}

bool heed__csv_load(const char *where, const char *path, const heed_io_csv_options *o, heed__file *file, bool *latin1)
{
    const char *name = path ? path : "csv";
    const bool in_memory = heed__in_memory(o->bytes, o->size);
    if (!(in_memory ? copy_text(where, name, o, file) : heed__file_load(where, path, o->max_bytes, file)))
        return false;
    if (decompress(where, name, o->max_bytes, file) &&
        heed__check_file_format(where, heed__path_excerpt(name).s, HEED_FORMAT_CSV, file->bytes, file->size) &&
        decode(where, name, o, file, latin1))
        return true;
    heed__file_free(file);
    return false;
}

/* -- Guessing the separator ---------------------------------------------------------------------------------------- */

#define MAX_LINES 100 /* examined after the header */
#define MAX_EXAMINED ((size_t)1 << 20)
#define MAX_CANDIDATES 6

/* header[i] is how often candidate i occurs in the header, in_line[i] how often in the current line, and agreeing[i]
 * how many lines contain it as often as the header does. */
typedef struct separator_counts {
    char separators[MAX_CANDIDATES + 1];
    int n;
    int header[MAX_CANDIDATES], in_line[MAX_CANDIDATES], agreeing[MAX_CANDIDATES];
    int lines;
} separator_counts;

/* Lists the given separator first, unless it is 0, and then the other candidates. */
static void init_counts(separator_counts *c, char given, const char *candidates)
{
    *c = (separator_counts){.n = 0};
    if (given)
        c->separators[c->n++] = given;
    for (const char *s = candidates; *s; s++)
        if (*s != given)
            c->separators[c->n++] = *s;
}

static void count_line(separator_counts *c)
{
    for (int i = 0; i < c->n; i++) {
        if (c->lines == 0)
            c->header[i] = c->in_line[i];
        else if (c->in_line[i] == c->header[i] || (c->separators[i] == ' ' && c->in_line[i] == c->header[i] + 1))
            c->agreeing[i]++;
        c->in_line[i] = 0;
    }
    c->lines++;
}

/* Returns true if the blank text[i] is the last one between two fields. */
static bool is_last_blank(const char *text, size_t i, size_t size)
{
    return i + 1 < size && !strchr(" \t\r\n", text[i + 1]);
}

/* Returns the end of a quoted field that begins with its quote at `text`, or `end` if the closing quote is missing. */
static const char *skip_quoted(const char *text, const char *end)
{
    for (text++; text < end; text++)
        if (*text == '"' && (++text == end || *text != '"'))
            return text;
    return end;
}

/* Counts the candidates outside quoted fields in every line, and as ' ' the groups of blanks between fields. A quote
 * begins a quoted field only after a candidate or a line end, with or without blanks between; in 5" it is text. */
static void read_lines(separator_counts *c, const char *text, size_t size)
{
    const size_t examined = size < MAX_EXAMINED ? size : MAX_EXAMINED;
    bool empty = true, begins = true; /* the line has only blanks, a field begins */
    for (size_t i = 0; i < examined && c->lines <= MAX_LINES; i++) {
        if (begins && text[i] == '"') {
            i = (size_t)(skip_quoted(text + i, text + examined) - text) - 1;
            empty = begins = false;
            continue;
        }
        if (text[i] == '\n') {
            if (!empty)
                count_line(c);
            empty = begins = true;
            continue;
        }
        const bool indent = empty, blank = text[i] == ' ' || text[i] == '\t';
        empty = empty && (blank || text[i] == '\r');
        const char *found = text[i] == '\0' ? NULL : strchr(c->separators, text[i]);
        begins = found || (blank && (begins || c->separators[0] == ' '));
        if (found && (*found != ' ' || (!indent && is_last_blank(text, i, size))))
            c->in_line[found - c->separators]++;
    }
    if (!empty && (examined == size || c->lines == 0))
        count_line(c);
}

/* Returns 0 if the header lacks candidate i, else 1 + the number of lines that contain it as often as the header. The
 * score of blanks is 0 unless all of at least two lines have the number of the header, or one more as in R's tables
 * with row names. */
static int score_of(const separator_counts *c, int i)
{
    if (c->separators[i] == ' ' && (c->lines < 2 || c->agreeing[i] < c->lines - 1))
        return 0;
    return c->header[i] > 0 ? 1 + c->agreeing[i] : 0;
}

/* Characters that rarely occur in a text except as separators are the first candidates. A decimal comma is the last
 * one, because it separates only quoted numbers. Blanks are counted apart, because only as separators do they end a
 * field before a quote. */
char heed__csv_guess_separator(const char *text, size_t size, char given, char decimal)
{
    separator_counts c, blanks;
    init_counts(&c, given == ' ' ? '\0' : given, decimal == ',' ? "\t;|," : "\t;,|");
    init_counts(&blanks, ' ', "");
    read_lines(&c, text, size);
    read_lines(&blanks, text, size);
    int best = 0;
    for (int i = 1; i < c.n; i++)
        if (score_of(&c, i) > score_of(&c, best))
            best = i;
    const int score = score_of(&c, best), of_blanks = score_of(&blanks, 0);
    if (given == ' ' ? score <= of_blanks : score == 0 && of_blanks > 0)
        return ' ';
    return score > 0 || given ? c.separators[best] : decimal == ',' ? ';' : ',';
}

heed__csv_hint heed__csv_separator_hint(const heed_io_csv *csv)
{
    heed__csv_hint hint = {""};
    if (csv->likely_separator == '\t')
        (void)snprintf(hint.s, sizeof hint.s, ": is a tab the separator?");
    else if (csv->likely_separator == ' ')
        (void)snprintf(hint.s, sizeof hint.s, ": do blanks separate fields?");
    else
        (void)snprintf(hint.s, sizeof hint.s, ": is '%c' the separator?", csv->likely_separator);
    if (csv->likely_separator == csv->separator)
        hint.s[0] = '\0';
    return hint;
}

/* -- Names --------------------------------------------------------------------------------------------------------- */

heed__csv_line_fields heed__csv_count_fields(const char *text, const char *end, char separator)
{
    int fields = 1;
    const char *begin = separator == ' ' ? text + strspn(text, " \t") : text, *c = begin, *last = NULL;
    while (c < end && *c != '\n' && *c != '\r') {
        if (*c == '"' && (c == begin || last == c - 1)) {
            c = skip_quoted(c, end);
            continue;
        }
        if (heed__csv_is_separator(separator, *c)) {
            fields += separator != ' ' || last != c - 1; /* blanks in a row are one separator */
            last = c;
        }
        c++;
    }
    const bool ends = last && last == c - 1;
    return (heed__csv_line_fields){fields - (separator == ' ' && ends), ends, c};
}

bool heed__csv_add_names(heed_io_csv *csv, const char *where, size_t from, int names)
{
    enum { NAME_BYTES = 11 }; /* "V1048576" in quotes, and the separator */
    const size_t rest = csv->file.size - from, capacity = rest + NAME_BYTES * (size_t)names + 3;
    heed__file text = {.bytes = heed__csv_alloc(csv, where, capacity + 1), .size = capacity};
    if (!text.bytes)
        return false;
    size_t used = 0;
    for (int i = 1; i <= names; i++)
        used +=
            (size_t)snprintf(text.bytes + used, capacity - used + 1, "\"V%d\"%c", i, i < names ? csv->separator : '\n');
    if (names == 0)
        used = (size_t)snprintf(text.bytes, capacity + 1, "\"\"%c", csv->separator);
    memcpy(text.bytes + used, csv->file.bytes + from, rest);
    text.bytes[used + rest] = '\0';
    csv->used -= csv->file.size;
    heed__file_free(&csv->file);
    csv->file = text;
    csv->text_size = used + rest;
    return true;
}
