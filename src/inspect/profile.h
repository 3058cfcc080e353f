/* inspect/profile.h - what a profile notes: records one behind another in chunks, each of one thread.
 *
 * All memory is taken at the beginning. A thread takes the next chunk by counting up, so noting an event neither waits
 * nor allocates, and what does not fit any more is counted.
 */
#ifndef HEED_INSPECT_PROFILE_H
#define HEED_INSPECT_PROFILE_H

#include <stdatomic.h>

#include <heed/inspect.h>

#define HEED__CHUNK_BYTES ((size_t)64 << 10)

enum { HEED__MOST_TENSORS = 8 }; /* noted of an event's inputs, and of its outputs */

/* Behind it lie n_inputs and n_outputs descriptions of tensors, and the module's path with its NUL. A multiple of 8
 * bytes. */
typedef struct heed__profile_record {
    uint32_t size; /* bytes of all of it */
    uint16_t n_inputs, n_outputs;
    uint8_t kind; /* heed_event_kind */
    bool failed, more_inputs;
    int64_t began, ended, nested, multiply_adds; /* nanoseconds since the profile began; nested as heed_event has it */
    const char *name, *site, *recorded_at;
} heed__profile_record;

/* A tensor: its dtype in the lowest byte, its rank in the next, and behind it the sizes. */
typedef int64_t heed__noted_tensor;

/* A chunk begins so; its records follow. */
typedef struct heed__chunk {
    int thread;         /* counted from 1 by first events in the process */
    bool worker, first; /* a thread of the library's; the first chunk of the thread */
    size_t used;        /* bytes of records */
} heed__chunk;

typedef struct heed__profile {
    char *memory; /* n_chunks of them */
    size_t n_chunks;
    atomic_size_t taken; /* chunks, more than there are where some were wanted in vain */
    atomic_int_fast64_t dropped;
    int64_t began, ended;
    uint64_t number; /* of the profile: what a thread has of an earlier one is not this one's */
} heed__profile;

static inline size_t heed__profile_chunks(const heed__profile *p)
{
    const size_t taken = atomic_load(&p->taken);
    return taken < p->n_chunks ? taken : p->n_chunks;
}

static inline heed__chunk *heed__profile_chunk(const heed__profile *p, size_t i)
{
    return (heed__chunk *)(void *)(p->memory + i * HEED__CHUNK_BYTES);
}

/* The record after `record` in its chunk, from NULL the first; NULL at the end. */
static inline const heed__profile_record *heed__next_record(const heed__chunk *chunk,
                                                            const heed__profile_record *record)
{
    const char *first = (const char *)(chunk + 1);
    const char *next = record ? (const char *)record + record->size : first;
    return next < first + chunk->used ? (const heed__profile_record *)(const void *)next : NULL;
}

/* Writes the trace. profile_trace.c */
heed_status heed__profile_trace(heed__profile *p, const char *where, const char *path);

/* Writes the table by op. profile_table.c */
heed_status heed__profile_table(const heed__profile *p, const char *where, FILE *file);

#endif
