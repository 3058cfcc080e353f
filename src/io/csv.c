/* io/csv.c - the CSV reader: RFC 4180, strictly. Columns as numbers are in io/csv_column.c. */

#include "io/csv.h"

#include <inttypes.h>
#include <string.h>

#include <heed/memory.h>

#define DEFAULT_MAX_BYTES ((size_t)256 << 20)

/* Fields are written over what was read: `out` is never past `in`. */
typedef struct parser {
    heed_io_csv *csv;
    const char *where;
    char separator;
    const char *in, *end;
    char *out;
    int64_t line;
    int column;        /* of the field at hand */
    const char *field; /* its text, as far as it is written */
} parser;

/* What follows a field. */
typedef enum ending { END_FIELD, END_LINE, END_BAD } ending;

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
    heed_fail(HEED_ERR_FORMAT, p->where, "%s, line %" PRId64 ", %s: %s: \"%s\"", p->csv->source.s, p->line, column,
              reason, heed__excerpt(text, (size_t)(end - text)).s);
}

/* Shows the rest of the line, which is still to be read; fail_field, what was read of the field. */
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
            return fail_field(p, "a NUL byte after");
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
            return fail_field(p, "a NUL byte after");
        p->line += *p->in == '\n';
        *p->out++ = *p->in;
    }
    p->line = opened;
    return fail_field(p, "a quote is not closed");
}

static ending read_ending(parser *p)
{
    if (p->in == p->end)
        return END_LINE;
    if (*p->in == p->separator) {
        p->in++;
        return END_FIELD;
    }
    if (*p->in == '\r' && (p->in + 1 == p->end || p->in[1] != '\n')) {
        fail_field(p, "a carriage return without a line feed after");
        return END_BAD;
    }
    if (*p->in != '\r' && *p->in != '\n') {
        fail_here(p, "text after the closing quote");
        return END_BAD;
    }
    p->in += *p->in == '\r' ? 2 : 1;
    return END_LINE;
}

static ending read_field(parser *p)
{
    p->field = p->out;
    bool quoted = p->in < p->end && *p->in == '"';
    if (!(quoted ? read_quoted(p) : read_plain(p)))
        return END_BAD;
    ending e = read_ending(p);
    if (e != END_BAD)
        *p->out++ = '\0'; /* over what ended the field, which has been read, or the block's spare byte */
    return e;
}

static bool read_header(parser *p)
{
    if (p->in == p->end || *p->in == '\n' || *p->in == '\r')
        return heed_fail_false(HEED_ERR_FORMAT, p->where, "%s, line 1: the header is missing", p->csv->source.s);
    int columns = 0;
    ending e;
    do {
        if (columns == HEED_CSV_COLUMNS)
            return heed_fail_false(HEED_ERR_UNSUPPORTED, p->where, "%s, line 1: more than %d columns", p->csv->source.s,
                                   HEED_CSV_COLUMNS);
        p->column = columns++;
        e = read_field(p);
        if (e == END_BAD)
            return false;
    } while (e == END_FIELD);
    p->csv->columns = columns;
    p->line++;
    return true;
}

static bool read_row(parser *p)
{
    for (p->column = 0;; p->column++) {
        ending e = read_field(p);
        if (e == END_BAD)
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
    p->csv->rows++;
    p->line++;
    return true;
}

/* Empty lines, which are allowed at the end only. */
static bool skip_blank(parser *p)
{
    int64_t first = p->line;
    while (p->in < p->end && (*p->in == '\n' || (*p->in == '\r' && p->in + 1 < p->end && p->in[1] == '\n'))) {
        p->in += *p->in == '\r' ? 2 : 1;
        p->line++;
    }
    if (p->line == first || p->in == p->end)
        return true;
    return heed_fail_false(HEED_ERR_FORMAT, p->where, "%s, line %" PRId64 ": a blank line before the end",
                           p->csv->source.s, first);
}

static bool parse(heed_io_csv *csv, const char *where, char separator)
{
    static const char mark[] = "\xEF\xBB\xBF";
    size_t skip = csv->file.size >= 3 && memcmp(csv->file.bytes, mark, 3) == 0 ? 3 : 0;
    parser p = {
        .csv = csv,
        .where = where,
        .separator = separator,
        .in = csv->file.bytes + skip,
        .end = csv->file.bytes + csv->file.size,
        .out = csv->file.bytes,
        .line = 1,
    };
    if (!read_header(&p))
        return false;
    while (p.in < p.end)
        if (!skip_blank(&p) || (p.in < p.end && !read_row(&p)))
            return false;
    return true;
}

static bool index_fields(heed_io_csv *csv)
{
    int64_t fields = (csv->rows + 1) * csv->columns;
    csv->n_offsets = (size_t)((fields - 1) / HEED_CSV_STRIDE + 1);
    size_t *offsets = heed_alloc(csv->n_offsets * sizeof *offsets);
    if (!offsets)
        return false;
    const char *field = csv->file.bytes;
    for (size_t i = 0; i < csv->n_offsets; i++) {
        offsets[i] = (size_t)(field - csv->file.bytes);
        if (i + 1 < csv->n_offsets)
            field = heed__csv_next(field, HEED_CSV_STRIDE);
    }
    csv->offsets = offsets;
    return true;
}

/* -- Making and freeing ----------------------------------------------------------------------------------------- */

static bool check_options(const char *where, const heed_io_csv_options *given, heed_io_csv_options *options)
{
    *options = given ? *given : (heed_io_csv_options){0};
    if (options->separator == '\0')
        options->separator = ',';
    if (options->max_bytes == 0)
        options->max_bytes = DEFAULT_MAX_BYTES;
    if (options->separator != '"' && options->separator != '\n' && options->separator != '\r')
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "a quote or a line's end cannot be the separator (character %d)",
                           options->separator);
}

/* Takes the file over. */
static heed_io_csv *csv_from(const char *where, const char *source, heed__file *file, char separator)
{
    heed_io_csv *csv = heed_calloc(1, sizeof *csv);
    if (!csv) {
        heed__file_free(file);
        return NULL;
    }
    csv->file = *file;
    csv->source = heed__path_text(source);
    if (parse(csv, where, separator) && index_fields(csv) && heed__csv_index_names(csv))
        return csv;
    heed_io_csv_free(csv);
    return NULL;
}

heed_io_csv *heed_io_csv_read(const char *path, const heed_io_csv_options *options)
{
    static const char where[] = "io_csv_read";
    HEED_ENTER(where);
    heed_io_csv_options chosen;
    heed__file file;
    if (!check_options(where, options, &chosen) || !heed__file_load(where, path, chosen.max_bytes, &file))
        return NULL;
    return csv_from(where, path, &file, chosen.separator);
}

heed_io_csv *heed_io_csv_parse(const char *text, size_t size, const heed_io_csv_options *options)
{
    static const char where[] = "io_csv_parse";
    HEED_ENTER(where);
    heed_io_csv_options chosen;
    if (!check_options(where, options, &chosen))
        return NULL;
    if (!text && size > 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "text is NULL");
    if (size > chosen.max_bytes || size == SIZE_MAX)
        return heed_fail_null(HEED_ERR_UNSUPPORTED, where, "%zu bytes are more than the limit of %zu", size,
                              chosen.max_bytes);
    heed__file file = {.bytes = heed_alloc(size + 1), .size = size};
    if (!file.bytes)
        return NULL;
    if (size > 0)
        memcpy(file.bytes, text, size);
    return csv_from(where, "csv", &file, chosen.separator);
}

void heed_io_csv_free(heed_io_csv *csv)
{
    if (!csv)
        return;
    if (csv->offsets)
        heed_free(csv->offsets, csv->n_offsets * sizeof *csv->offsets);
    heed__csv_free_names(csv);
    heed__file_free(&csv->file);
    heed_free(csv, sizeof *csv);
}

/* -- Looking ---------------------------------------------------------------------------------------------------- */

const char *heed__csv_next(const char *field, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        field += strlen(field) + 1;
    return field;
}

const char *heed__csv_field(const heed_io_csv *csv, int64_t row, int column)
{
    int64_t number = (row + 1) * csv->columns + column;
    if (!csv->offsets)
        return heed__csv_next(csv->file.bytes, number);
    const char *mark = csv->file.bytes + csv->offsets[number / HEED_CSV_STRIDE];
    return heed__csv_next(mark, number % HEED_CSV_STRIDE);
}

int64_t heed__csv_line(const heed_io_csv *csv, int64_t row, const char *field)
{
    int64_t line = row + 2; /* the header is line 1 */
    for (const char *c = csv->file.bytes; c < field; c++)
        line += *c == '\n';
    return line;
}

static bool check_csv(const char *where, const heed_io_csv *csv)
{
    if (!csv)
        heed_fail(HEED_ERR_ARGUMENT, where, "the csv is NULL");
    return csv != NULL;
}

static bool check_column(const char *where, const heed_io_csv *csv, int column)
{
    if (column >= 0 && column < csv->columns)
        return true;
    return heed_fail_false(HEED_ERR_INDEX, where, "%s has no column %d: it has %d", csv->source.s, column,
                           csv->columns);
}

int64_t heed_io_csv_rows(const heed_io_csv *csv)
{
    return check_csv("io_csv_rows", csv) ? csv->rows : 0;
}

int heed_io_csv_columns(const heed_io_csv *csv)
{
    return check_csv("io_csv_columns", csv) ? csv->columns : 0;
}

const char *heed_io_csv_name(const heed_io_csv *csv, int column)
{
    static const char where[] = "io_csv_name";
    if (!check_csv(where, csv) || !check_column(where, csv, column))
        return NULL;
    return heed__csv_field(csv, -1, column);
}

const char *heed_io_csv_field(const heed_io_csv *csv, int64_t row, int column)
{
    static const char where[] = "io_csv_field";
    if (!check_csv(where, csv) || !check_column(where, csv, column))
        return NULL;
    if (row < 0 || row >= csv->rows)
        return heed_fail_null(HEED_ERR_INDEX, where, "%s has no row %" PRId64 ": it has %" PRId64, csv->source.s, row,
                              csv->rows);
    return heed__csv_field(csv, row, column);
}
