/* io/csv_separator.c - guesses the separator of a text. */

#include <stdio.h>
#include <string.h>

#include "io/csv.h"

#define LINES 100
#define BYTES ((size_t)1 << 20)
#define MOST 5 /* candidates */

/* How often each candidate occurs in the header, and how many lines contain it equally often. */
typedef struct count {
    char separators[MOST + 1];
    int n;
    int header[MOST], here[MOST], agreeing[MOST];
    int lines;
} count;

/* The given separator comes first, then the candidates in order of how rarely they occur in other roles. */
static void begin(count *c, char given, char decimal)
{
    static const char usual[] = "\t;,|";
    *c = (count){.n = 0};
    if (given)
        c->separators[c->n++] = given;
    for (const char *s = usual; *s; s++)
        if (*s != given && *s != decimal)
            c->separators[c->n++] = *s;
}

static void end_line(count *c)
{
    for (int i = 0; i < c->n; i++) {
        if (c->lines == 0)
            c->header[i] = c->here[i];
        else if (c->here[i] == c->header[i])
            c->agreeing[i]++;
        c->here[i] = 0;
    }
    c->lines++;
}

/* Counts candidates outside quotes: "" closes one quotation and opens the next. */
static void read_lines(count *c, const char *text, size_t size)
{
    bool quoted = false, empty = true;
    size_t seen = size < BYTES ? size : BYTES;
    for (size_t i = 0; i < seen && c->lines <= LINES; i++) {
        if (text[i] == '"')
            quoted = !quoted;
        if (text[i] == '\n' && !quoted) {
            if (!empty)
                end_line(c);
            empty = true;
            continue;
        }
        empty = empty && text[i] == '\r';
        const char *at = quoted || text[i] == '\0' ? NULL : strchr(c->separators, text[i]);
        if (at)
            c->here[at - c->separators]++;
    }
    if (!empty && (seen == size || c->lines == 0))
        end_line(c);
}

/* A separator missing from the header scores 0. */
static int worth(const count *c, int i)
{
    return c->header[i] > 0 ? 1 + c->agreeing[i] : 0;
}

char heed__csv_likely(const char *text, size_t size, char given, char decimal)
{
    count c;
    begin(&c, given, decimal);
    read_lines(&c, text, size);
    int best = 0;
    for (int i = 1; i < c.n; i++)
        if (worth(&c, i) > worth(&c, best))
            best = i;
    return worth(&c, best) > 0 || given ? c.separators[best] : decimal == ',' ? ';' : ',';
}

heed__csv_doubt heed__csv_doubt_of(const heed_io_csv *csv)
{
    heed__csv_doubt doubt = {""};
    if (csv->likely == '\t')
        (void)snprintf(doubt.s, sizeof doubt.s, ": is a tab the separator?");
    else
        (void)snprintf(doubt.s, sizeof doubt.s, ": is '%c' the separator?", csv->likely);
    if (csv->likely == csv->separator)
        doubt.s[0] = '\0';
    return doubt;
}
