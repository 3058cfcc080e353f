/* inspect/profile.c - records observed events in the memory of profile.h. */

#include "inspect/profile.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include <heed/memory.h>

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

/* Describes the tensors of a list: dtype, rank and sizes; -1 for NULL. */
static int64_t *describe_tensors(heed_tensor *const *tensors, int n, int64_t *at)
{
    for (int i = 0; i < n; i++) {
        const heed_shape shape = tensors[i] ? heed_shape_of(tensors[i]) : HEED_SCALAR;
        const heed_dtype dtype = tensors[i] ? heed_dtype_of(tensors[i]) : HEED_F32;
        *at++ = tensors[i] ? (int64_t)dtype | (int64_t)shape.rank << 8 : -1;
        for (int axis = 0; axis < shape.rank; axis++)
            *at++ = shape.dims[axis];
    }
    return at;
}

/* Describes the inputs of a call. A backward rule also knows the shapes of inputs that were not kept. */
static int64_t *describe_inputs(const heed_call *call, int n, int64_t *at)
{
    for (int i = 0; i < n; i++) {
        const heed_shape shape = heed_call_shape(call, i);
        *at++ = (int64_t)heed_call_dtype(call, i) | (int64_t)shape.rank << 8;
        for (int axis = 0; axis < shape.rank; axis++)
            *at++ = shape.dims[axis];
    }
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
    char path[HEED_MODULE_PATH_MAX];
    const size_t length = heed_event_module(event, path, sizeof path);
    const size_t path_bytes = (length < sizeof path ? length : sizeof path - 1) + 1;
    const bool backward = event->kind == HEED_EVENT_BACKWARD;
    const int all = event->call ? event->call->n_inputs : 0, n_inputs = at_most(all);
    heed_tensor *const *results = backward ? event->grads : event->outputs;
    const int n_outputs = results ? at_most(backward ? event->n_outputs : event->n_returned) : 0;
    end = describe_inputs(event->call, n_inputs, end);
    end = describe_tensors(results, n_outputs, end);
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
                                     .multiply_adds = heed_event_multiply_adds(event),
                                     .name = event->name,
                                     .site = event->site,
                                     .recorded_at = event->recorded_at};
    char *after = (char *)(record + 1);
    memcpy(after, tensors, described);
    memcpy(after + described, path, path_bytes);
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

static heed_status begin_as(const char *where, const char *path, const heed_profile_options *options)
{
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

heed_status heed_profile_begin(const char *path)
{
    return begin_as("profile_begin", path, NULL);
}

heed_status heed_profile_begin_with(const char *path, const heed_profile_options *options)
{
    return begin_as("profile_begin_with", path, options);
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
    const heed_status table_status = table ? heed__profile_table(&active.profile, where, table) : HEED_OK;
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
