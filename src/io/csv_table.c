/* io/csv_table.c - the table of a parsed CSV: fields by position, columns by name, rows without missing values.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <heed/debug.h>
#include <heed/memory.h>

#include "base/hash.h"
#include "base/mark.h"
#include "io/csv.h"
#include "io/elements.h"

/* -- Fields -------------------------------------------------------------------------------------------------------- */

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
    const char *start = csv->file.bytes + csv->offsets[number / HEED_CSV_STRIDE];
    return heed__csv_next(start, number % HEED_CSV_STRIDE);
}

void heed__csv_seek(const heed_io_csv *csv, heed__csv_cursor *cursor, int64_t row, int column)
{
    int64_t distance = (row - cursor->row) * csv->columns + column - cursor->column;
    bool near = cursor->field && distance < HEED_CSV_STRIDE;
    const char *field = near ? heed__csv_next(cursor->field, distance) : heed__csv_field(csv, row, column);
    *cursor = (heed__csv_cursor){field, row, column};
}

int64_t heed__csv_line(const heed_io_csv *csv, int64_t row, const char *field)
{
    int64_t line = csv->header_line + 1 + row;
    for (size_t i = csv->gap_count; i-- > 0;)
        if (csv->gaps[i].row <= row) {
            line += csv->gaps[i].lines;
            break;
        }
    for (const char *c = csv->file.bytes; c < field; c++)
        line += *c == '\n';
    return line;
}

bool heed__csv_check(const char *where, const heed_io_csv *csv)
{
    if (!csv)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the csv is NULL");
    return heed__is_marked(csv->mark, HEED_CSV) || heed_fail_freed(where, "the csv", csv);
}

static bool check_csv_column(const char *where, const heed_io_csv *csv, int column)
{
    if (column >= 0 && column < csv->columns)
        return true;
    return heed_fail_false(HEED_ERR_INDEX, where, "%s has no column %d: it has %d columns", csv->source.s, column,
                           csv->columns);
}

heed_io_csv_facts heed_io_csv_get_facts(const heed_io_csv *csv)
{
    if (!heed__csv_check("io_csv_get_facts", csv))
        return (heed_io_csv_facts){0};
    return (heed_io_csv_facts){.rows = csv->rows,
                               .columns = csv->columns,
                               .skipped = csv->rows_chosen - csv->rows,
                               .separator = csv->separator,
                               .latin1 = csv->latin1};
}

const char *heed_io_csv_name(const heed_io_csv *csv, int column)
{
    static const char where[] = "io_csv_name";
    if (!heed__csv_check(where, csv) || !check_csv_column(where, csv, column))
        return NULL;
    return heed__csv_field(csv, -1, column);
}

static bool check_csv_row(const char *where, const heed_io_csv *csv, int64_t row)
{
    return (row >= 0 && row < csv->rows) ||
           heed_fail_false(HEED_ERR_INDEX, where, "%s has no row %" PRId64 ": it has %" PRId64 " rows", csv->source.s,
                           row, csv->rows);
}

const char *heed_io_csv_field(const heed_io_csv *csv, int64_t row, int column)
{
    static const char where[] = "io_csv_field";
    if (!heed__csv_check(where, csv) || !check_csv_column(where, csv, column) || !check_csv_row(where, csv, row))
        return NULL;
    return heed__csv_field(csv, heed__csv_row(csv, row), column);
}

int64_t heed_io_csv_line(const heed_io_csv *csv, int64_t row)
{
    static const char where[] = "io_csv_line";
    if (!heed__csv_check(where, csv) || !check_csv_row(where, csv, row))
        return 0;
    const int64_t row_in_file = heed__csv_row(csv, row);
    return heed__csv_line(csv, row_in_file, heed__csv_field(csv, row_in_file, 0));
}

/* -- Names --------------------------------------------------------------------------------------------------------- */

static size_t slot_count(const heed_io_csv *csv)
{
    size_t count = 1;
    while (count < (size_t)csv->columns)
        count *= 2;
    return count;
}

/* Returns the slot of a name in the hash table. */
static size_t slot_of_name(const heed_io_csv *csv, const char *name)
{
    return heed__hash_slot(heed__hash(HEED_HASH_OF_NOTHING, name, strlen(name)), slot_count(csv));
}

bool heed__csv_index_names(heed_io_csv *csv, const char *where)
{
    const size_t size = slot_count(csv) * sizeof *csv->chains;
    csv->chains = heed__csv_alloc(csv, where, size);
    csv->links = csv->chains ? heed__csv_alloc(csv, where, (size_t)csv->columns * sizeof *csv->links) : NULL;
    if (csv->chains)
        memset(csv->chains, 0, size);
    const char *name = csv->file.bytes;
    for (int i = 0; csv->links && i < csv->columns; i++, name = heed__csv_next(name, 1)) {
        int *chain = &csv->chains[slot_of_name(csv, name)];
        csv->links[i] = *chain;
        *chain = i + 1;
    }
    return csv->links != NULL;
}

void heed__csv_free_names(heed_io_csv *csv)
{
    heed_free(csv->chains, slot_count(csv) * sizeof *csv->chains);
    heed_free(csv->links, (size_t)csv->columns * sizeof *csv->links);
}

/* Writes "a", "b", "c" ..., truncated to the buffer. */
static void list_names(const heed_io_csv *csv, char *text, size_t size)
{
    const char *name = csv->file.bytes;
    size_t used = 0;
    for (int i = 0; i < csv->columns && used < size; i++) {
        int n = snprintf(text + used, size - used, "%s\"%s\"", i ? ", " : "", heed__excerpt(name, strlen(name)).s);
        used += n > 0 ? (size_t)n : 0;
        name = heed__csv_next(name, 1);
    }
    if (used >= size)
        memcpy(text + size - sizeof "...", "...", sizeof "...");
}

static int fail_name(const heed_io_csv *csv, const char *where, const char *name, int count)
{
    char names[200];
    heed__excerpt_text requested = heed__excerpt(name, strlen(name));
    list_names(csv, names, sizeof names);
    if (count > 0)
        heed_fail(HEED_ERR_ARGUMENT, where, "%s has %d columns named \"%s\"; its columns are %s", csv->source.s, count,
                  requested.s, names);
    else
        heed_fail(HEED_ERR_ARGUMENT, where, "%s has no column named \"%s\"; its %s %s%s", csv->source.s, requested.s,
                  csv->columns > 1 ? "columns are" : "only column is", names, heed__csv_separator_hint(csv).s);
    return -1;
}

int heed__csv_find(const heed_io_csv *csv, const char *where, const char *name)
{
    if (!heed__csv_check(where, csv))
        return -1;
    if (!name) {
        heed_fail(HEED_ERR_ARGUMENT, where, "the name is NULL");
        return -1;
    }
    int count = 0, column = -1;
    for (int at = csv->chains[slot_of_name(csv, name)]; at > 0; at = csv->links[at - 1])
        if (strcmp(heed__csv_field(csv, -1, at - 1), name) == 0) {
            column = at - 1;
            count++;
        }
    return count == 1 ? column : fail_name(csv, where, name, count);
}

/* Writes the column of names[i] to ranges[i].begin, and i to ranges[i].end. */
static bool find_names(const heed_io_csv *csv, const char *where, const char *const *names, heed__range *ranges, int k)
{
    for (int i = 0; i < k; i++) {
        if (!names[i])
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "name %d is NULL", i);
        int column = heed__csv_find(csv, where, names[i]);
        if (column < 0)
            return false;
        ranges[i] = (heed__range){.begin = (size_t)column, .end = (size_t)i};
    }
    return true;
}

static bool select_names(const heed_io_csv *csv, const char *where, const char *const *names,
                         heed__csv_selection *selection)
{
    size_t count = (size_t)selection->count;
    heed__range *ranges = heed_alloc(count * sizeof *ranges);
    bool found = ranges && find_names(csv, where, names, ranges, selection->count);
    if (found)
        heed__sort_ranges(ranges, count);
    for (size_t i = 0; found && i < count; i++)
        selection->list[i] = (heed__csv_selected){.column = (int)ranges[i].begin, .index = (int)ranges[i].end};
    heed_free(ranges, count * sizeof *ranges);
    return found;
}

bool heed__csv_select(const heed_io_csv *csv, const char *where, const char *const *names, int k,
                      heed__csv_selection *selection)
{
    if (names ? k < 1 : k != 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "k is %d%s", k,
                               names ? ": must be 1 or more" : ", but names is NULL: must be 0");
    *selection = (heed__csv_selection){.count = names ? k : csv->columns};
    selection->list = heed_alloc((size_t)selection->count * sizeof *selection->list);
    if (!selection->list)
        return false;
    for (int i = 0; !names && i < selection->count; i++)
        selection->list[i] = (heed__csv_selected){i, i};
    if (!names || select_names(csv, where, names, selection))
        return true;
    heed__csv_selection_free(selection);
    return false;
}

void heed__csv_selection_free(heed__csv_selection *selection)
{
    heed_free(selection->list, (size_t)selection->count * sizeof *selection->list);
    *selection = (heed__csv_selection){.list = NULL};
}

/* -- Missing values ------------------------------------------------------------------------------------------------ */

/* A text without surrounding blanks. */
typedef struct slice {
    const char *text;
    size_t size;
} slice;

static slice trim(const char *text)
{
    const char *begin = heed__csv_skip_blanks(text);
    size_t size = strlen(begin);
    while (size > 0 && (begin[size - 1] == ' ' || begin[size - 1] == '\t'))
        size--;
    return (slice){begin, size};
}

/* Sets missing->size and missing->count, and copies the texts if missing->texts is already allocated. Returns false
 * after heed_fail. */
static bool store_texts(heed__csv_missing *missing, const char *where, const char *const *texts, int count)
{
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        if (!texts[i])
            return heed_fail_false(HEED_ERR_ARGUMENT, where, "missing_texts[%d] is NULL", i);
        slice p = trim(texts[i]);
        if (missing->texts) {
            memcpy(missing->texts + used, p.text, p.size);
            missing->texts[used + p.size] = '\0';
            missing->first[(unsigned char)missing->texts[used]] = true;
        }
        used += p.size + 1;
    }
    missing->size = used;
    missing->count = count;
    return true;
}

bool heed__csv_store_missing_texts(heed_io_csv *csv, const char *where, const heed_io_csv_options *o)
{
    static const char *const default_texts[] = {"", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null"};
    const char *const *texts = o->missing_texts ? o->missing_texts : default_texts;
    int count = o->missing_texts ? o->missing_text_count : (int)(sizeof default_texts / sizeof default_texts[0]);
    heed__csv_missing *missing = &csv->missing_texts;
    if (o->missing_text_count < 0 || (!o->missing_texts && o->missing_text_count > 0))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "missing_text_count is %d%s", o->missing_text_count,
                               o->missing_texts ? ": must be 0 or more" : ", but missing_texts is NULL: must be 0");
    if (!store_texts(missing, where, texts, count))
        return false;
    if (count == 0)
        return true;
    missing->texts = heed_alloc(missing->size);
    return missing->texts && store_texts(missing, where, texts, count);
}

bool heed__csv_is_missing(const heed_io_csv *csv, const char *field)
{
    const heed__csv_missing *missing = &csv->missing_texts;
    const char *begin = heed__csv_skip_blanks(field);
    if (!missing->first[(unsigned char)*begin])
        return false;
    slice p = trim(begin);
    const char *text = missing->texts;
    for (int i = 0; i < missing->count; i++, text = heed__csv_next(text, 1))
        if (strncmp(text, p.text, p.size) == 0 && text[p.size] == '\0')
            return true;
    return false;
}

/* -- Rows without missing values ----------------------------------------------------------------------------------- */

static bool is_complete(const heed_io_csv *csv, heed__csv_cursor *cursor, int64_t row,
                        const heed__csv_selection *selection)
{
    const int count = selection ? selection->count : csv->columns;
    for (int i = 0; i < count; i++) {
        heed__csv_seek(csv, cursor, row, selection ? selection->list[i].column : i);
        if (heed__csv_is_missing(csv, cursor->field))
            return false;
    }
    return true;
}

/* Returns the number of complete rows. Writes their indices to `kept`, unless NULL. */
static int64_t complete_rows(const heed_io_csv *csv, const heed__csv_selection *selection, int64_t *kept)
{
    heed__csv_cursor cursor = {.field = NULL};
    int64_t count = 0;
    for (int64_t i = 0; i < csv->rows; i++) {
        int64_t row = heed__csv_row(csv, i);
        if (!is_complete(csv, &cursor, row, selection))
            continue;
        if (kept)
            kept[count] = row;
        count++;
    }
    return count;
}

bool heed__csv_skip_incomplete(heed_io_csv *csv, const char *where, const heed__csv_selection *selection)
{
    int64_t rows = complete_rows(csv, selection, NULL);
    if (rows == csv->rows)
        return true;
    int64_t *kept = heed__csv_alloc(csv, where, heed__csv_kept_size(rows));
    if (!kept)
        return false;
    (void)complete_rows(csv, selection, kept);
    heed__csv_release(csv, csv->kept, heed__csv_kept_size(csv->rows));
    csv->kept = kept;
    csv->rows = rows;
    return true;
}

heed_status heed_io_csv_skip_missing(heed_io_csv *csv, const char *const *names, int k)
{
    static const char where[] = "io_csv_skip_missing";
    HEED_ENTER(where);
    heed__csv_selection selection;
    if (!heed__csv_check(where, csv) || !heed__csv_select(csv, where, names, k, &selection))
        return heed_error_code();
    bool skipped = heed__csv_skip_incomplete(csv, where, &selection);
    heed__csv_selection_free(&selection);
    return skipped ? HEED_OK : heed_error_code();
}
