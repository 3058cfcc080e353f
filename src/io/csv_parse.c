/* io/csv_parse.c - the CSV parser, which follows RFC 4180 strictly. */

#include "io/csv.h"
#include "io/file_format.h"

#include <inttypes.h>
#include <string.h>

/* Parsed fields are written to `out`, in the same block as the text that is read from `in`. `out` is never past `in`,
 * so only text that was already read is overwritten. */
typedef struct parser {
    heed_io_csv *csv;
    const char *where;
    char separator;
    const char *in, *end;
    char *out;
    int64_t line;
    int column;        /* column of the current field */
    const char *field; /* begin of the current field's text, which ends at `out` */
} parser;

/* The token after a field. */
typedef enum delimiter { END_FIELD, END_LINE, END_ERROR } delimiter;

/* -- Errors ----------------------------------------------------------------------------------------------------- */

static void fail(const parser *p, const char *text, const char *end, const char *reason)
{
    char column[64];
    if (p->column < p->csv->columns) {
        const char *name = heed__csv_field(p->csv, -1, p->column);
        (void)snprintf(column, sizeof column, "column \"%s\"", heed__excerpt(name, strlen(name)).s);
    } else {
        (void)snprintf(column, sizeof column, "field %d", p->column + 1);
    }
    heed_fail(HEED_ERR_FORMAT, p->where, "%s, line %" PRId64 ", %s: %s: \"%s\"%s", p->csv->source.s, p->line, column,
              reason, heed__excerpt(text, (size_t)(end - text)).s, heed__csv_separator_hint(p->csv).s);
}

/* The message of fail_here shows the unread rest of the line. The message of fail_field shows the part of the field
 * that was read. */
static bool fail_here(const parser *p, const char *reason)
{
    const char *end = p->in;
    while (end < p->end && *end != '\n' && *end != '\r')
        end++;
    fail(p, p->in, end, reason);
    return false;
}

static bool fail_field(const parser *p, const char *reason)
{
    fail(p, p->field, p->out, reason);
    return false;
}

/* -- Parsing ---------------------------------------------------------------------------------------------------- */

static bool read_plain(parser *p)
{
    for (; p->in < p->end && *p->in != p->separator && *p->in != '\n' && *p->in != '\r'; p->in++) {
        if (*p->in == '"')
            return fail_here(p, "a quote in a field that does not begin with one");
        if (*p->in == '\0')
            return fail_field(p, "a NUL byte after the text");
        *p->out++ = *p->in;
    }
    return true;
}

static bool read_quoted(parser *p)
{
    int64_t opened = p->line;
    for (p->in++; p->in < p->end; p->in++) {
        if (*p->in == '"') {
            p->in++;
            if (p->in == p->end || *p->in != '"')
                return true;
        }
        if (*p->in == '\0')
            return fail_field(p, "a NUL byte after the text");
        p->line += *p->in == '\n';
        *p->out++ = *p->in;
    }
    p->line = opened;
    return fail_field(p, "the closing quote is missing");
}

static delimiter read_delimiter(parser *p)
{
    if (p->in == p->end)
        return END_LINE;
    if (*p->in == p->separator) {
        p->in++;
        return END_FIELD;
    }
    if (*p->in == '\r' && (p->in + 1 == p->end || p->in[1] != '\n')) {
        fail_field(p, "a carriage return without a line feed, after the text");
        return END_ERROR;
    }
    if (*p->in != '\r' && *p->in != '\n') {
        fail_here(p, "text after the closing quote");
        return END_ERROR;
    }
    p->in += *p->in == '\r' ? 2 : 1;
    return END_LINE;
}

static delimiter read_field(parser *p)
{
    p->field = p->out;
    bool quoted = p->in < p->end && *p->in == '"';
    if (!(quoted ? read_quoted(p) : read_plain(p)))
        return END_ERROR;
    delimiter e = read_delimiter(p);
    if (e != END_ERROR)
        *p->out++ = '\0'; /* overwrites the separator or line end just read, or the block's spare byte */
    return e;
}

static bool read_header(parser *p)
{
    if (p->in == p->end || *p->in == '\n' || *p->in == '\r')
        return heed_fail_false(HEED_ERR_FORMAT, p->where, "%s, line 1: the header is missing", p->csv->source.s);
    int columns = 0;
    delimiter e;
    do {
        if (columns == HEED_CSV_MAX_COLUMNS)
            return heed_fail_false(HEED_ERR_UNSUPPORTED, p->where, "%s, line 1: more than %d columns", p->csv->source.s,
                                   HEED_CSV_MAX_COLUMNS);
        p->column = columns++;
        e = read_field(p);
        if (e == END_ERROR)
            return false;
    } while (e == END_FIELD);
    p->csv->columns = columns;
    p->line++;
    return true;
}

static bool read_row(parser *p)
{
    for (p->column = 0;; p->column++) {
        delimiter e = read_field(p);
        if (e == END_ERROR)
            return false;
        bool last = p->column == p->csv->columns - 1;
        if (last && e == END_FIELD) {
            p->column++;
            return fail_here(p, "more fields than the header has, beginning with");
        }
        if (!last && e == END_LINE) {
            p->out--; /* the field's NUL */
            return fail_field(p, "fewer fields than the header has, the last one is");
        }
        if (last)
            break;
    }
    p->csv->rows_in_file++;
    p->line++;
    return true;
}

/* Skips empty lines, which are allowed only at the end. */
static bool skip_blank_lines(parser *p)
{
    int64_t first = p->line;
    while (p->in < p->end && (*p->in == '\n' || (*p->in == '\r' && p->in + 1 < p->end && p->in[1] == '\n'))) {
        p->in += *p->in == '\r' ? 2 : 1;
        p->line++;
    }
    if (p->line == first || p->in == p->end)
        return true;
    return heed_fail_false(HEED_ERR_FORMAT, p->where, "%s, line %" PRId64 ": blank lines are allowed only at the end",
                           p->csv->source.s, first);
}

bool heed__csv_parse(heed_io_csv *csv, const char *where)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    if (!heed__check_file_format(where, csv->source.s, HEED_FORMAT_CSV, csv->file.bytes, csv->file.size))
        return false;
    size_t skip = csv->file.size >= 3 && memcmp(csv->file.bytes, byte_order_mark, 3) == 0 ? 3 : 0;
    char likely_separator =
        heed__csv_likely_separator(csv->file.bytes + skip, csv->file.size - skip, csv->separator, csv->decimal);
    csv->separator = csv->separator ? csv->separator : likely_separator;
    csv->likely_separator = likely_separator;
    parser p = {
        .csv = csv,
        .where = where,
        .separator = csv->separator,
        .in = csv->file.bytes + skip,
        .end = csv->file.bytes + csv->file.size,
        .out = csv->file.bytes,
        .line = 1,
    };
    if (!read_header(&p))
        return false;
    while (p.in < p.end)
        if (!skip_blank_lines(&p) || (p.in < p.end && !read_row(&p)))
            return false;
    csv->rows = csv->rows_in_file;
    return true;
}
