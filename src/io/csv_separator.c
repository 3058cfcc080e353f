/* io/csv_separator.c - guesses the separator of a text. */

#include <stdio.h>
#include <string.h>

#include "io/csv.h"

#define MAX_LINES 100 /* examined after the header */
#define MAX_BYTES ((size_t)1 << 20)
#define MAX_CANDIDATES 5

/* header[i] is how often candidate i occurs in the header, in_line[i] how often in the current line, and agreeing[i]
 * how many lines contain it as often as the header does. */
typedef struct separator_counts {
    char separators[MAX_CANDIDATES + 1];
    int n;
    int header[MAX_CANDIDATES], in_line[MAX_CANDIDATES], agreeing[MAX_CANDIDATES];
    int lines;
} separator_counts;

/* Lists the given separator first, and then the other candidates. Characters that rarely occur in a text except as
 * separators come first. */
static void init_counts(separator_counts *c, char given, char decimal)
{
    static const char candidates[] = "\t;,|";
    *c = (separator_counts){.n = 0};
    if (given)
        c->separators[c->n++] = given;
    for (const char *s = candidates; *s; s++)
        if (*s != given && *s != decimal)
            c->separators[c->n++] = *s;
}

static void end_line(separator_counts *c)
{
    for (int i = 0; i < c->n; i++) {
        if (c->lines == 0)
            c->header[i] = c->in_line[i];
        else if (c->in_line[i] == c->header[i])
            c->agreeing[i]++;
        c->in_line[i] = 0;
    }
    c->lines++;
}

/* Counts the candidates outside quotes in every line. A doubled quote needs no special case, because it closes one
 * quotation and opens the next. */
static void read_lines(separator_counts *c, const char *text, size_t size)
{
    bool quoted = false, empty = true;
    size_t examined = size < MAX_BYTES ? size : MAX_BYTES;
    for (size_t i = 0; i < examined && c->lines <= MAX_LINES; i++) {
        if (text[i] == '"')
            quoted = !quoted;
        if (text[i] == '\n' && !quoted) {
            if (!empty)
                end_line(c);
            empty = true;
            continue;
        }
        empty = empty && text[i] == '\r';
        const char *found = quoted || text[i] == '\0' ? NULL : strchr(c->separators, text[i]);
        if (found)
            c->in_line[found - c->separators]++;
    }
    if (!empty && (examined == size || c->lines == 0))
        end_line(c);
}

/* Returns 0 if the header lacks candidate i, else 1 + the number of lines that contain it as often as the header. */
static int score(const separator_counts *c, int i)
{
    return c->header[i] > 0 ? 1 + c->agreeing[i] : 0;
}

char heed__csv_likely_separator(const char *text, size_t size, char given, char decimal)
{
    separator_counts c;
    init_counts(&c, given, decimal);
    read_lines(&c, text, size);
    int best = 0;
    for (int i = 1; i < c.n; i++)
        if (score(&c, i) > score(&c, best))
            best = i;
    return score(&c, best) > 0 || given ? c.separators[best] : decimal == ',' ? ';' : ',';
}

heed__csv_hint heed__csv_separator_hint(const heed_io_csv *csv)
{
    heed__csv_hint hint = {""};
    if (csv->likely_separator == '\t')
        (void)snprintf(hint.s, sizeof hint.s, ": is a tab the separator?");
    else
        (void)snprintf(hint.s, sizeof hint.s, ": is '%c' the separator?", csv->likely_separator);
    if (csv->likely_separator == csv->separator)
        hint.s[0] = '\0';
    return hint;
}
