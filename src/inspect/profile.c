/* inspect/profile.c - records observed events in the memory of profile.h, and writes them as a table with a row per op,
 * rule and span.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "inspect/profile.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include <heed/memory.h>

#include "base/decimal.h"
#include "base/escape.h"
#include "io/without_jansson.h"
#include "system/system.h"

enum { DEFAULT_MEMORY = 64 << 20 };

static struct {
    pthread_mutex_t lock;
    int64_t observer; /* 0 if no profile is active */
    char *path;       /* a copy; NULL without a trace */
    size_t path_bytes;
    heed__profile profile;
} active = {.lock = PTHREAD_MUTEX_INITIALIZER};

static atomic_int threads; /* number of threads that have ever recorded an event */

static _Thread_local struct {
    uint64_t profile; /* number of the profile that owns the chunk */
    heed__chunk *chunk;
    int thread;
} current;

/* -- Recording ----------------------------------------------------------------------------------------------------- */

/* Reserves `bytes` in this thread's chunk or in a new one. Returns NULL if the memory is used up. */
static heed__profile_record *reserve_record(heed__profile *p, size_t bytes, bool worker)
{
    const size_t capacity = HEED__CHUNK_BYTES - sizeof(heed__chunk);
    if (current.profile != p->number || !current.chunk || current.chunk->used + bytes > capacity) {
        const size_t next = bytes <= capacity ? atomic_fetch_add(&p->requested, 1) : p->n_chunks;
        const bool first = current.profile != p->number;
        current.profile = p->number;
        current.chunk = next < p->n_chunks ? heed__profile_chunk(p, next) : NULL;
        if (!current.chunk) {
            atomic_fetch_add(&p->dropped, 1);
            return NULL;
        }
        if (!current.thread)
            current.thread = atomic_fetch_add(&threads, 1) + 1;
        *current.chunk = (heed__chunk){.thread = current.thread, .worker = worker, .first = first};
    }
    heed__profile_record *record = (heed__profile_record *)(void *)((char *)(current.chunk + 1) + current.chunk->used);
    current.chunk->used += bytes;
    return record;
}

static int64_t *describe_tensor(heed_dtype dtype, heed_shape shape, int64_t *at)
{
    *at++ = (int64_t)dtype | (int64_t)shape.rank << 8;
    for (int axis = 0; axis < shape.rank; axis++)
        *at++ = shape.dims[axis];
    return at;
}

static int at_most(int n)
{
    return n < HEED__MAX_TENSORS ? n : HEED__MAX_TENSORS;
}

static void record_event(const heed_event *event, void *user)
{
    heed__profile *p = user;
    int64_t tensors[2 * HEED__MAX_TENSORS * (1 + HEED_MAX_RANK)], *end = tensors;
    const size_t path_bytes = strlen(event->module_path) + 1;
    const bool backward = event->kind == HEED_EVENT_BACKWARD;
    const int all = event->call ? event->call->n_inputs : 0, n_inputs = at_most(all);
    heed_tensor *const *results = backward ? event->grads : event->outputs;
    const int n_outputs = results ? at_most(backward ? event->n_outputs : event->n_returned) : 0;
    for (int i = 0; i < n_inputs; i++) /* a backward rule also knows the shapes of inputs that were not kept */
        end = describe_tensor(heed_call_dtype(event->call, i), heed_call_shape(event->call, i), end);
    for (int i = 0; i < n_outputs; i++)
        if (results[i])
            end = describe_tensor(heed_dtype_of(results[i]), heed_shape_of(results[i]), end);
        else
            *end++ = -1;
    const size_t described = (size_t)(end - tensors) * sizeof *end;
    const size_t bytes = (sizeof(heed__profile_record) + described + path_bytes + 7) / 8 * 8;
    heed__profile_record *record = reserve_record(p, bytes, event->kind == HEED_EVENT_TASK);
    if (!record)
        return;
    *record = (heed__profile_record){.size = (uint32_t)bytes,
                                     .n_inputs = (uint16_t)n_inputs,
                                     .n_outputs = (uint16_t)n_outputs,
                                     .kind = (uint8_t)event->kind,
                                     .failed = event->failed,
                                     .more_inputs = all > n_inputs,
                                     .began = event->began - p->began,
                                     .ended = event->ended - p->began,
                                     .nested = event->nested,
                                     .multiply_adds = event->multiply_adds,
                                     .name = event->name,
                                     .site = event->site,
                                     .recorded_at = event->recorded_at};
    char *after = (char *)(record + 1);
    memcpy(after, tensors, described);
    memcpy(after + described, event->module_path, path_bytes);
}

/* -- The table ----------------------------------------------------------------------------------------------------- */

typedef struct op_row {
    const char *name;
    int kind;
    int64_t calls, total, self, multiply_adds; /* times in nanoseconds */
} op_row;

typedef struct op_table {
    op_row *rows;
    size_t n, capacity;
    int64_t self;  /* sum over all rows */
    int64_t tasks; /* time of the library's threads */
} op_table;

static bool reserve_op_row(op_table *t)
{
    if (t->n < t->capacity)
        return true;
    const size_t capacity = t->capacity ? 2 * t->capacity : 64;
    op_row *rows = heed_alloc(capacity * sizeof *rows);
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
static op_row *find_op_row(op_table *t, const char *name, int kind)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->rows[i].kind == kind && (t->rows[i].name == name || strcmp(t->rows[i].name, name) == 0))
            return &t->rows[i];
    if (!reserve_op_row(t))
        return NULL;
    t->rows[t->n] = (op_row){.name = name, .kind = kind};
    return &t->rows[t->n++];
}

static bool add_to_table(op_table *t, const heed__profile_record *record)
{
    const int64_t time = record->ended - record->began;
    if (record->kind == HEED_EVENT_MODULE)
        return true;
    if (record->kind == HEED_EVENT_TASK) {
        t->tasks += time;
        return true;
    }
    op_row *r = find_op_row(t, record->name, record->kind);
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
static void sort_by_time(op_table *t)
{
    for (size_t i = 1; i < t->n; i++) {
        const op_row moved = t->rows[i];
        size_t at = i;
        for (; at > 0 && t->rows[at - 1].self < moved.self; at--)
            t->rows[at] = t->rows[at - 1];
        t->rows[at] = moved;
    }
}

static heed__number_text milliseconds(int64_t nanoseconds)
{
    return heed__fixed((double)nanoseconds / 1e6, 3);
}

static void write_op_row(const op_table *t, const op_row *r, FILE *file)
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

static void write_op_table(const heed__profile *p, const op_table *t, FILE *file)
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

static heed_status write_profile_table(const heed__profile *p, const char *where, FILE *file)
{
    op_table t = {.n = 0};
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

/* -- Beginning and ending ------------------------------------------------------------------------------------------ */

static bool copy_path(const char *path)
{
    active.path_bytes = path ? strlen(path) + 1 : 0;
    active.path = path ? heed_alloc(active.path_bytes) : NULL;
    if (active.path)
        memcpy(active.path, path, active.path_bytes);
    return active.path || !path;
}

static void free_memory(void)
{
    heed_free(active.path, active.path_bytes);
    heed_free(active.profile.memory, active.profile.n_chunks * HEED__CHUNK_BYTES);
    active.path = NULL;
    active.profile.memory = NULL;
}

static heed_status begin_profile(const char *path, size_t memory)
{
    heed__profile *p = &active.profile;
    const uint64_t number = p->number + 1;
    *p = (heed__profile){.n_chunks = memory / HEED__CHUNK_BYTES, .number = number};
    if (copy_path(path) && (p->memory = heed_alloc(p->n_chunks * HEED__CHUNK_BYTES))) {
        p->began = heed__nanoseconds();
        active.observer = heed_add_observer(&(heed_observer){.ended = record_event, .user = p});
        if (active.observer)
            return HEED_OK;
    }
    free_memory();
    return heed_error_code();
}

heed_status heed_profile_begin(const char *path, const heed_profile_options *options)
{
    static const char where[] = "profile_begin";
    HEED_ENTER(where);
    const int64_t memory = options && options->memory ? options->memory : DEFAULT_MEMORY;
    if (memory < (int64_t)HEED__CHUNK_BYTES)
        return heed_fail(HEED_ERR_ARGUMENT, where, "memory is %" PRId64 " bytes: must be %zu or more, or 0 for %d",
                         memory, HEED__CHUNK_BYTES, DEFAULT_MEMORY);
    pthread_mutex_lock(&active.lock);
    const heed_status status =
        active.observer ? heed_fail(HEED_ERR_STATE, where, "a profile is running already: end it with heed_profile_end")
                        : begin_profile(path, (size_t)memory);
    pthread_mutex_unlock(&active.lock);
    return status;
}

/* Requires the lock. */
static heed_status end_profile(const char *where, FILE *table)
{
    heed_status status = heed_remove_observer(active.observer);
    if (status != HEED_OK)
        return status;
    active.observer = 0;
    active.profile.ended = heed__nanoseconds();
    if (active.path)
        status = heed__profile_trace(&active.profile, where, active.path);
    const heed_status table_status = table ? write_profile_table(&active.profile, where, table) : HEED_OK;
    free_memory();
    return status != HEED_OK ? status : table_status;
}

heed_status heed_profile_end(FILE *table)
{
    static const char where[] = "profile_end";
    HEED_ENTER(where);
    pthread_mutex_lock(&active.lock);
    const heed_status status =
        active.observer ? end_profile(where, table) : heed_fail(HEED_ERR_STATE, where, "no profile is running");
    pthread_mutex_unlock(&active.lock);
    return status;
}

#if defined(HEED_NO_JANSSON)

heed_status heed__profile_trace(heed__profile *p, const char *where, const char *path)
{
    (void)p, (void)path;
    return heed_fail(HEED_ERR_UNSUPPORTED, where, HEED_WITHOUT_JANSSON);
}

#endif
