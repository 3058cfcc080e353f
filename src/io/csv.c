/* io/csv.c - reads a CSV: guesses the separator, parses the text in place following RFC 4180 strictly, and indexes the
 * fields. Reading them is in io/csv_table.c and io/csv_column.c. */

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

/* -- Guessing the separator ---------------------------------------------------------------------------------------- */

#define MAX_LINES 100 /* examined after the header */
#define MAX_EXAMINED ((size_t)1 << 20)
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

static void count_line(separator_counts *c)
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
    size_t examined = size < MAX_EXAMINED ? size : MAX_EXAMINED;
    for (size_t i = 0; i < examined && c->lines <= MAX_LINES; i++) {
        if (text[i] == '"')
            quoted = !quoted;
        if (text[i] == '\n' && !quoted) {
            if (!empty)
                count_line(c);
            empty = true;
            continue;
        }
        empty = empty && text[i] == '\r';
        const char *found = quoted || text[i] == '\0' ? NULL : strchr(c->separators, text[i]);
        if (found)
            c->in_line[found - c->separators]++;
    }
    if (!empty && (examined == size || c->lines == 0))
        count_line(c);
}

/* Returns 0 if the header lacks candidate i, else 1 + the number of lines that contain it as often as the header. */
static int score_of(const separator_counts *c, int i)
{
    return c->header[i] > 0 ? 1 + c->agreeing[i] : 0;
}

/* Returns the separator that makes the beginning of a text most like a table. If `given` is not 0, returns `given`
 * unless a different separator fits better. If `given` is 0 and no candidate fits, returns ',', or ';' if `decimal` is
 * ','. `decimal` is never a candidate. */
static char guess_separator(const char *text, size_t size, char given, char decimal)
{
    separator_counts c;
    init_counts(&c, given, decimal);
    read_lines(&c, text, size);
    int best = 0;
    for (int i = 1; i < c.n; i++)
        if (score_of(&c, i) > score_of(&c, best))
            best = i;
    return score_of(&c, best) > 0 || given ? c.separators[best] : decimal == ',' ? ';' : ',';
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

static bool parse_plain(csv_parser *p)
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

static delimiter parse_delimiter(csv_parser *p)
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
    if (p->in == p->end || *p->in == '\n' || *p->in == '\r')
        return heed_fail_false(HEED_ERR_FORMAT, p->where, "%s, line 1: the header is missing", p->csv->source.s);
    int columns = 0;
    delimiter e;
    do {
        if (columns == HEED_CSV_MAX_COLUMNS)
            return heed_fail_false(HEED_ERR_UNSUPPORTED, p->where, "%s, line 1: more than %d columns", p->csv->source.s,
                                   HEED_CSV_MAX_COLUMNS);
        p->column = columns++;
        e = parse_field(p);
        if (e == END_ERROR)
            return false;
    } while (e == END_FIELD);
    p->csv->columns = columns;
    p->line++;
    return true;
}

static bool parse_row(csv_parser *p)
{
    for (p->column = 0;; p->column++) {
        delimiter e = parse_field(p);
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
static bool skip_blank_lines(csv_parser *p)
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

/* Parses csv->file and sets csv->columns, csv->rows and csv->rows_in_file, and csv->separator if it is 0. Returns false
 * after heed_fail. */
static bool parse_csv(heed_io_csv *csv, const char *where)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    if (!heed__check_file_format(where, csv->source.s, HEED_FORMAT_CSV, csv->file.bytes, csv->file.size))
        return false;
    size_t skip = csv->file.size >= 3 && memcmp(csv->file.bytes, byte_order_mark, 3) == 0 ? 3 : 0;
    char likely_separator =
        guess_separator(csv->file.bytes + skip, csv->file.size - skip, csv->separator, csv->decimal);
    csv->separator = csv->separator ? csv->separator : likely_separator;
    csv->likely_separator = likely_separator;
    csv_parser p = {
        .csv = csv,
        .where = where,
        .separator = csv->separator,
        .in = csv->file.bytes + skip,
        .end = csv->file.bytes + csv->file.size,
        .out = csv->file.bytes,
        .line = 1,
    };
    if (!parse_names(&p))
        return false;
    while (p.in < p.end)
        if (!skip_blank_lines(&p) || (p.in < p.end && !parse_row(&p)))
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
    if (!o->guess_separator && (o->separator ? o->separator : ',') == (o->decimal ? o->decimal : '.'))
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "the separator and the decimal sign are both '%c': must be different",
                               o->decimal ? o->decimal : '.');
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
    csv->used = csv->file.size;
    if (heed__csv_store_missing_texts(csv, where, o) && parse_csv(csv, where) && index_fields(csv, where) &&
        heed__csv_index_names(csv, where) && choose_csv_rows(csv, where, o) &&
        (csv->missing != HEED_IO_MISSING_SKIP || heed__csv_skip_incomplete(csv, where, NULL)))
        return csv;
    heed_io_csv_free(csv);
    return NULL;
}

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

heed_io_csv *heed_io_csv_read(const char *path, const heed_io_csv_options *options)
{
    static const char where[] = "io_csv_read";
    HEED_ENTER(where);
    heed_io_csv_options o;
    heed__file file;
    if (!check_csv_options(where, options, &o))
        return NULL;
    const char *name = path ? path : "csv";
    const bool in_memory = heed__in_memory(o.bytes, o.size);
    if (!(in_memory ? copy_text(where, name, &o, &file) : heed__file_load(where, path, o.max_bytes, &file)))
        return NULL;
    return csv_new(where, name, &file, &o);
}

void heed_io_csv_free(heed_io_csv *csv)
{
    if (!csv || !heed__csv_check("io_csv_free", csv))
        return;
    heed_free(csv->offsets, csv->n_offsets * sizeof *csv->offsets);
    heed__csv_free_names(csv);
    heed_free(csv->kept, heed__csv_kept_size(csv->rows));
    heed_free(csv->missing_texts.texts, csv->missing_texts.size);
    heed__file_free(&csv->file);
    csv->mark = 0;
    heed_free(csv, sizeof *csv);
}
