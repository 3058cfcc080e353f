/* io/csv_missing.c - missing values: recognising their texts and skipping their rows. */

#include <string.h>

#include <heed/memory.h>

#include "io/csv.h"

/* -- Texts ------------------------------------------------------------------------------------------------------ */

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

/* -- Rows ------------------------------------------------------------------------------------------------------- */

static bool is_complete(const heed_io_csv *csv, heed__csv_cursor *cursor, int64_t row,
                        const heed__csv_selection *selection)
{
    for (int i = 0; i < selection->count; i++) {
        heed__csv_seek(csv, cursor, row, selection->list[i].column);
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
