/* inspect/profile_table.c - writes a profile as a table with a row per op, rule and span. */

#include <inttypes.h>
#include <string.h>

#include <heed/memory.h>

#include "base/escape.h"
#include "inspect/profile.h"
#include "inspect/table.h"

typedef struct row {
    const char *name;
    int kind;
    int64_t calls, total, self, multiply_adds; /* times in nanoseconds */
} row;

typedef struct table {
    row *rows;
    size_t n, capacity;
    int64_t self;  /* sum over all rows */
    int64_t tasks; /* time of the library's threads */
} table;

static bool reserve_op_row(table *t)
{
    if (t->n < t->capacity)
        return true;
    const size_t capacity = t->capacity ? 2 * t->capacity : 64;
    row *rows = heed_alloc(capacity * sizeof *rows);
    if (!rows)
        return false;
    if (t->n > 0)
        memcpy(rows, t->rows, t->n * sizeof *rows);
    heed_free(t->rows, t->capacity * sizeof *rows);
    t->rows = rows;
    t->capacity = capacity;
    return true;
}

/* Returns the row of that name and kind, which is added if it is new; NULL after heed_fail. */
static row *op_row(table *t, const char *name, int kind)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->rows[i].kind == kind && (t->rows[i].name == name || strcmp(t->rows[i].name, name) == 0))
            return &t->rows[i];
    if (!reserve_op_row(t))
        return NULL;
    t->rows[t->n] = (row){.name = name, .kind = kind};
    return &t->rows[t->n++];
}

static bool add_to_table(table *t, const heed__profile_record *record)
{
    const int64_t time = record->ended - record->began;
    if (record->kind == HEED_EVENT_MODULE)
        return true;
    if (record->kind == HEED_EVENT_TASK) {
        t->tasks += time;
        return true;
    }
    row *r = op_row(t, record->name, record->kind);
    if (!r)
        return false;
    r->calls++;
    r->total += time;
    r->self += time - record->nested;
    r->multiply_adds += record->multiply_adds;
    t->self += time - record->nested;
    return true;
}

/* Sorts the rows by time, longest first. Insertion sort suffices for the few rows. */
static void sort_by_time(table *t)
{
    for (size_t i = 1; i < t->n; i++) {
        const row moved = t->rows[i];
        size_t at = i;
        for (; at > 0 && t->rows[at - 1].self < moved.self; at--)
            t->rows[at] = t->rows[at - 1];
        t->rows[at] = moved;
    }
}

static heed__table_cell milliseconds(int64_t nanoseconds)
{
    return heed__fixed((double)nanoseconds / 1e6, 3);
}

static void write_op_row(const table *t, const row *r, FILE *file)
{
    static const char *const kinds[] = {"", " backward", "", " (span)"};
    char name[48];
    (void)heed__escape_copy(r->name, strlen(r->name), name, 33);
    const size_t length = strlen(name);
    (void)snprintf(name + length, sizeof name - length, "%s", kinds[r->kind]);
    const double share = t->self > 0 ? 100.0 * (double)r->self / (double)t->self : 0.0;
    const double rate = r->total > 0 ? 2.0 * (double)r->multiply_adds / (double)r->total : 0.0;
    fprintf(file, "%-42s %10" PRId64 " %12s %12s %6s %% %9s\n", name, r->calls, milliseconds(r->total).s,
            milliseconds(r->self).s, heed__fixed(share, 1).s, r->multiply_adds > 0 ? heed__fixed(rate, 1).s : "-");
}

static void write_op_table(const heed__profile *p, const table *t, FILE *file)
{
    fprintf(file, "%-42s %10s %12s %12s %8s %9s\n", "op", "calls", "total ms", "self ms", "share", "GFLOP/s");
    for (size_t i = 0; i < t->n; i++)
        write_op_row(t, &t->rows[i], file);
    fprintf(file, "%s ms in these rows, of %s ms in total", milliseconds(t->self).s,
            milliseconds(p->ended - p->began).s);
    if (t->tasks > 0)
        fprintf(file, "; %s ms of work by the library's threads", milliseconds(t->tasks).s);
    fputc('\n', file);
    const int64_t dropped = atomic_load(&p->dropped);
    if (dropped > 0)
        fprintf(file, "%" PRId64 " events dropped: heed_profile_options.memory was full\n", dropped);
}

heed_status heed__profile_table(const heed__profile *p, const char *where, FILE *file)
{
    table t = {.n = 0};
    bool ok = true;
    for (size_t i = 0; i < heed__profile_chunks(p) && ok; i++) {
        const heed__chunk *chunk = heed__profile_chunk(p, i);
        for (const heed__profile_record *it = heed__next_record(chunk, NULL); it && ok;
             it = heed__next_record(chunk, it))
            ok = add_to_table(&t, it);
    }
    sort_by_time(&t);
    if (ok)
        write_op_table(p, &t, file);
    heed_free(t.rows, t.capacity * sizeof *t.rows);
    if (!ok)
        return heed_error_code();
    return fflush(file) == 0 && !ferror(file) ? HEED_OK
                                              : heed_fail(HEED_ERR_IO, where, "cannot write the table to the file");
}
