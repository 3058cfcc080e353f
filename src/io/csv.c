/* io/csv.c - reads a CSV: parses the text in place following RFC 4180 and indexes the fields. io/csv_text.c prepares
 * the text; io/csv_table.c and io/csv_column.c read the fields.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "io/csv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <heed/debug.h>
#include <heed/memory.h>

#include "base/mark.h"
#include "io/elements.h"

#define DEFAULT_MAX_BYTES ((size_t)512 << 20)

HEED_MARK_OUTLIVES_FREE(heed_io_csv);

/* -- Parsing ------------------------------------------------------------------------------------------------------- */

/* Parsed fields are written to `out`, in the same block as the text that is read from `in`. `out` is never past `in`,
 * so only text that was already read is overwritten. */
typedef struct csv_parser {
    heed_io_csv *csv;
    const char *where;
    char separator;
    const char *in, *end;
    char *out;
    int64_t line;
    int column;        /* column of the current field */
    const char *field; /* begin of the current field's text, which ends at `out` */
} csv_parser;

/* The token after a field. */
typedef enum delimiter { END_FIELD, END_LINE, END_ERROR } delimiter;

static bool fail_text(const csv_parser *p, const char *text, const char *end, const char *reason)
{
    char column[64];
    if (p->column < p->csv->columns) {
        const char *name = heed__csv_field(p->csv, -1, p->column);
        (void)snprintf(column, sizeof column, "column \"%s\"", heed__excerpt(name, strlen(name)).s);
    } else {
        (void)snprintf(column, sizeof column, "field %d", p->column + 1);
    }
    return heed_fail_false(HEED_ERR_FORMAT, p->where, "%s, line %" PRId64 ", %s: %s: \"%s\"%s", p->csv->source.s,
                           p->line, column, reason, heed__excerpt(text, (size_t)(end - text)).s,
                           heed__csv_separator_hint(p->csv).s);
}

/* The message of fail_here shows the unread rest of the line. The message of fail_field shows the part of the field
 * that was read. */
static bool fail_here(const csv_parser *p, const char *reason)
{
    const char *end = p->in;
    while (end < p->end && *end != '\n' && *end != '\r')
        end++;
    return fail_text(p, p->in, end, reason);
}

static bool fail_field(const csv_parser *p, const char *reason)
{
    return fail_text(p, p->field, p->out, reason);
}

/* A quote after other text is text: 5'11". After white space it is an error, because a quoted field is meant. */
static bool parse_plain(csv_parser *p)
{
    bool blank = true;
    for (; p->in < p->end && !heed__csv_is_separator(p->separator, *p->in) && *p->in != '\n' && *p->in != '\r';
         p->in++) {
        if (*p->in == '"' && blank)
            return fail_here(p, "white space before a quote: a quoted field begins with its quote");
        blank = blank && (*p->in == ' ' || *p->in == '\t');
        if (*p->in == '\0')
            return fail_field(p, "a NUL byte after the text");
        *p->out++ = *p->in;
    }
    return true;
}

static bool parse_quoted(csv_parser *p)
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

static void skip_blanks(csv_parser *p)
{
    while (p->in < p->end && (*p->in == ' ' || *p->in == '\t'))
        p->in++;
}

static bool at_line_end(const csv_parser *p)
{
    return p->in == p->end || *p->in == '\n' || (*p->in == '\r' && p->in + 1 < p->end && p->in[1] == '\n');
}

static delimiter parse_delimiter(csv_parser *p)
{
    const char *begin = p->in;
    if (p->separator == ' ')
        skip_blanks(p);
    if (p->in == p->end)
        return END_LINE;
    if (p->separator == ' ' && p->in > begin && !at_line_end(p))
        return END_FIELD;
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

static delimiter parse_field(csv_parser *p)
{
    p->field = p->out;
    bool quoted = p->in < p->end && *p->in == '"';
    if (!(quoted ? parse_quoted(p) : parse_plain(p)))
        return END_ERROR;
    delimiter e = parse_delimiter(p);
    if (e != END_ERROR)
        *p->out++ = '\0'; /* overwrites the separator or line end just read, or the block's spare byte */
    return e;
}

static bool parse_names(csv_parser *p)
{
    int columns = 0;
    const char *begin = p->in;
    delimiter e;
    do {
        if (columns == HEED_CSV_MAX_COLUMNS)
            return heed_fail_false(HEED_ERR_UNSUPPORTED, p->where, "%s, line %" PRId64 ": more than %d columns",
                                   p->csv->source.s, p->line, HEED_CSV_MAX_COLUMNS);
        p->column = columns++;
        begin = p->in;
        e = parse_field(p);
        if (e == END_ERROR)
            return false;
    } while (e == END_FIELD);
    const heed__csv_line_fields row = heed__csv_count_fields(p->in, p->end, p->separator);
    const bool unnamed = columns > 1 && begin < p->end && *begin != '"' && p->out == p->field + 1;
    if (unnamed && row.ends_in_separator && row.count == columns) { /* a separator at the end of every line */
        columns--;
        p->out--;
    }
    p->csv->columns = columns;
    p->line++;
    return true;
}

static bool parse_row(csv_parser *p)
{
    if (p->separator == ' ')
        skip_blanks(p);
    for (p->column = 0;; p->column++) {
        delimiter e = parse_field(p);
        if (e == END_ERROR)
            return false;
        bool last = p->column == p->csv->columns - 1;
        if (last && e == END_FIELD && at_line_end(p)) /* a separator at the end of the line */
            e = parse_delimiter(p);
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

/* Moves past the rest of the line. */
static void skip_line(csv_parser *p)
{
    const char *end = memchr(p->in, '\n', (size_t)(p->end - p->in));
    p->in = end ? end + 1 : p->end;
    p->line++;
}

/* Skips empty lines and comments. If blanks separate fields, a line of blanks is empty. */
static void skip_empty_lines(csv_parser *p)
{
    for (;;) {
        const char *begin = p->in;
        if (p->separator == ' ')
            skip_blanks(p);
        const bool empty = p->in < p->end && at_line_end(p), comment = p->csv->comment && begin < p->end;
        if (!empty && !(comment && *begin == p->csv->comment)) {
            p->in = p->in == p->end ? p->end : begin;
            return;
        }
        skip_line(p);
    }
}

/* Stores the number of lines without fields before the next row. Returns false after heed_fail. */
static bool add_gap(csv_parser *p, int64_t lines)
{
    heed_io_csv *csv = p->csv;
    if (csv->gap_count == csv->gap_capacity) {
        const size_t capacity = csv->gap_capacity ? 2 * csv->gap_capacity : 16;
        heed__csv_gap *gaps = heed__csv_alloc(csv, p->where, capacity * sizeof *gaps);
        if (!gaps)
            return false;
        if (csv->gap_count > 0)
            memcpy(gaps, csv->gaps, csv->gap_count * sizeof *gaps);
        heed__csv_release(csv, csv->gaps, csv->gap_capacity * sizeof *gaps);
        csv->gaps = gaps;
        csv->gap_capacity = capacity;
    }
    const int64_t before = csv->gap_count > 0 ? csv->gaps[csv->gap_count - 1].lines : 0;
    csv->gaps[csv->gap_count++] = (heed__csv_gap){csv->rows_in_file, before + lines};
    return true;
}

static bool parse_rows(csv_parser *p)
{
    while (p->in < p->end) {
        const int64_t line = p->line;
        skip_empty_lines(p);
        if (p->in == p->end)
            break;
        if ((p->line > line && !add_gap(p, p->line - line)) || !parse_row(p))
            return false;
    }
    return true;
}

/* Moves to the header, and sets the csv's separators. */
static void find_header(csv_parser *p, const heed_io_csv_options *o)
{
    heed_io_csv *csv = p->csv;
    for (int i = 0; i < o->skip_lines && p->in < p->end; i++)
        skip_line(p);
    p->separator = csv->separator;
    skip_empty_lines(p);
    csv->likely_separator = heed__csv_guess_separator(p->in, (size_t)(p->end - p->in), csv->separator, csv->decimal);
    p->separator = csv->separator = csv->separator ? csv->separator : csv->likely_separator;
    skip_empty_lines(p);
    if (p->separator == ' ')
        skip_blanks(p);
}

/* Returns true if each of the first five rows has one field more than the header. */
static bool has_row_names(csv_parser p, heed__csv_line_fields header)
{
    heed__csv_line_fields line = header;
    for (int i = 0; i < 5; i++) {
        p.in = line.end;
        skip_line(&p);
        skip_empty_lines(&p);
        if (p.in == p.end)
            return i > 0;
        line = heed__csv_count_fields(p.in, p.end, p.separator);
        if (line.count != header.count + 1 || line.ends_in_separator)
            return false;
    }
    return true;
}

/* Adds names of columns to a text without a header, or the name "" if the first row has one field more than the header,
 * as in tables of R with row names. Returns false after heed_fail. */
static bool complete_header(csv_parser *p, bool no_header)
{
    const heed__csv_line_fields header = heed__csv_count_fields(p->in, p->end, p->separator);
    const int columns = header.count - (header.ends_in_separator && p->separator != ' ');
    if (no_header && columns > HEED_CSV_MAX_COLUMNS)
        return heed_fail_false(HEED_ERR_UNSUPPORTED, p->where, "%s, line %" PRId64 ": more than %d columns",
                               p->csv->source.s, p->line, HEED_CSV_MAX_COLUMNS);
    if (!no_header && (header.count == 1 || header.ends_in_separator || !has_row_names(*p, header)))
        return true;
    if (!heed__csv_add_names(p->csv, p->where, (size_t)(p->in - p->csv->file.bytes), no_header ? columns : 0))
        return false;
    p->in = p->out = p->csv->file.bytes;
    p->end = p->in + p->csv->text_size;
    p->line -= no_header;
    return true;
}

/* Parses csv->file and sets csv->columns, csv->rows and csv->rows_in_file, and csv->separator if it is 0. Returns false
 * after heed_fail. */
static bool parse_csv(heed_io_csv *csv, const char *where, const heed_io_csv_options *o)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    size_t skip = csv->file.size >= 3 && memcmp(csv->file.bytes, byte_order_mark, 3) == 0 ? 3 : 0;
    csv_parser p = {
        .csv = csv,
        .where = where,
        .in = csv->file.bytes + skip,
        .end = csv->file.bytes + csv->file.size,
        .out = csv->file.bytes,
        .line = 1,
    };
    find_header(&p, o);
    if (p.in == p.end)
        return heed_fail_false(HEED_ERR_FORMAT, where, "%s, line %" PRId64 ": the header is missing", csv->source.s,
                               p.line);
    if (!complete_header(&p, o->no_header))
        return false;
    csv->header_line = p.line;
    if (!parse_names(&p) || !parse_rows(&p))
        return false;
    csv->rows = csv->rows_in_file;
    return true;
}

static bool index_fields(heed_io_csv *csv, const char *where)
{
    int64_t fields = (csv->rows_in_file + 1) * csv->columns;
    csv->n_offsets = (size_t)((fields - 1) / HEED_CSV_STRIDE + 1);
    size_t *offsets = heed__csv_alloc(csv, where, csv->n_offsets * sizeof *offsets);
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

/* -- Creating and freeing ------------------------------------------------------------------------------------------ */

static bool check_csv_characters(const char *where, const heed_io_csv_options *o)
{
    static const char refused[] = "\"\n\r";
    if (o->guess_separator && o->separator)
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "separator is character %d and guess_separator is true: set only one of them",
                               o->separator);
    if (o->separator && strchr(refused, o->separator))
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "the separator is character %d: must not be a quote or the end of a line", o->separator);
    if (o->decimal && o->decimal != '.' && o->decimal != ',')
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the decimal sign is character %d: must be '.' or ','",
                               o->decimal);
    const char decimal = o->decimal ? o->decimal : '.';
    if (o->separator == '.' && decimal == '.')
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "the separator and the decimal sign are both '.': must be different");
    if (o->thousands && (o->thousands == decimal || !strchr(",.' _", o->thousands)))
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "thousands is character %d: must be one of , . ' _ and a space, and not the decimal "
                               "sign '%c'",
                               o->thousands, decimal);
    if (o->comment && (strchr(refused, o->comment) || o->comment == o->separator))
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "comment is character %d: must not be a quote, the separator or the end of a line",
                               o->comment);
    return true;
}

static bool check_csv_options(const char *where, const heed_io_csv_options *given, heed_io_csv_options *options)
{
    *options = given ? *given : (heed_io_csv_options){0};
    if (!check_csv_characters(where, options))
        return false;
    if ((int)options->missing < HEED_IO_MISSING_ERROR || (int)options->missing > HEED_IO_MISSING_FILL)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "missing must be one of HEED_IO_MISSING_*, not %d",
                               (int)options->missing);
    if ((int)options->date_order < HEED_IO_DATE_ORDER_GUESS || (int)options->date_order > HEED_IO_MONTH_FIRST)
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "date_order must be HEED_IO_DATE_ORDER_GUESS, HEED_IO_DAY_FIRST or HEED_IO_MONTH_FIRST, "
                               "not %d",
                               (int)options->date_order);
    if (options->skip_lines < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "skip_lines is %d: must be 0 or more", options->skip_lines);
    if (options->separator == '\0' && !options->guess_separator)
        options->separator = ',';
    if (options->decimal == '\0')
        options->decimal = '.';
    if (options->max_bytes == 0)
        options->max_bytes = DEFAULT_MAX_BYTES;
    return true;
}

static bool choose_csv_rows(heed_io_csv *csv, const char *where, const heed_io_csv_options *o)
{
    heed__row_range range = {o->first, o->rows};
    heed_shape shape = HEED_SHAPE(csv->rows);
    if (!heed__choose_rows(where, csv->source.s, &shape, &range))
        return false;
    csv->rows_chosen = range.count;
    if (range.count == csv->rows)
        return true;
    csv->kept = heed__csv_alloc(csv, where, heed__csv_kept_size(range.count));
    if (!csv->kept)
        return false;
    csv->rows = range.count;
    for (int64_t i = 0; i < csv->rows; i++)
        csv->kept[i] = range.first + i;
    return true;
}

/* Returns a new CSV, which takes ownership of the file, or NULL after heed_fail. */
static heed_io_csv *csv_new(const char *where, const char *source, heed__file *file, const heed_io_csv_options *o)
{
    heed_io_csv *csv = heed_calloc(1, sizeof *csv);
    if (!csv) {
        heed__file_free(file);
        return NULL;
    }
    csv->mark = HEED_MARK(HEED_CSV, 0);
    csv->file = *file;
    csv->source = heed__path_excerpt(source);
    csv->separator = o->separator;
    csv->decimal = o->decimal;
    csv->missing = o->missing;
    csv->fill = o->fill;
    csv->max_bytes = o->max_bytes;
    csv->thousands = o->thousands;
    csv->comment = o->comment;
    csv->date_order = o->date_order;
    csv->used = csv->file.size;
    if (heed__csv_store_missing_texts(csv, where, o) && parse_csv(csv, where, o) && index_fields(csv, where) &&
        heed__csv_index_names(csv, where) && choose_csv_rows(csv, where, o) &&
        (csv->missing != HEED_IO_MISSING_SKIP || heed__csv_skip_incomplete(csv, where, NULL)))
        return csv;
    heed_io_csv_free(csv);
    return NULL;
}

heed_io_csv *heed_io_csv_read(const char *path, const heed_io_csv_options *options)
{
    static const char where[] = "io_csv_read";
    HEED_ENTER(where);
    heed_io_csv_options o;
    heed__file file;
    if (!check_csv_options(where, options, &o))
        return NULL;
    bool latin1 = false;
    if (!heed__csv_load(where, path, &o, &file, &latin1))
        return NULL;
    heed_io_csv *csv = csv_new(where, path ? path : "csv", &file, &o);
    if (csv)
        csv->latin1 = latin1;
    return csv;
}

void heed_io_csv_free(heed_io_csv *csv)
{
    if (!csv || !heed__csv_check("io_csv_free", csv))
        return;
    heed_free(csv->offsets, csv->n_offsets * sizeof *csv->offsets);
    heed__csv_free_names(csv);
    heed_free(csv->kept, heed__csv_kept_size(csv->rows));
    heed_free(csv->gaps, csv->gap_capacity * sizeof *csv->gaps);
    heed_free(csv->missing_texts.texts, csv->missing_texts.size);
    heed__file_free(&csv->file);
    csv->mark = 0;
    heed_free(csv, sizeof *csv);
}
