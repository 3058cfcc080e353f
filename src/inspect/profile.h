/* inspect/profile.h - the data of a profile: consecutive records in chunks, and every chunk belongs to one thread.
 *
 * All memory is allocated at the beginning. A thread takes the next chunk by an atomic increment, so recording an event
 * neither waits nor allocates. Events that no longer fit are only counted.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_INSPECT_PROFILE_H
#define HEED_INSPECT_PROFILE_H

#include <stdatomic.h>

#include <heed/inspect.h>

#define HEED__CHUNK_BYTES ((size_t)64 << 10)

enum { HEED__MAX_TENSORS = 8 }; /* maximum number of described inputs, and of outputs, per event */

/* One event. Descriptions of n_inputs and n_outputs tensors and the module's path with its NUL follow. The size is a
 * multiple of 8 bytes. */
typedef struct heed__profile_record {
    uint32_t size; /* total bytes, including the data that follows */
    uint16_t n_inputs, n_outputs;
    uint8_t kind; /* heed_event_kind */
    bool failed, more_inputs;
    int64_t began, ended, nested, multiply_adds; /* nanoseconds since the profile began; nested as in heed_event */
    const char *name, *site, *recorded_at;
} heed__profile_record;

/* A tensor: dtype in the lowest byte, rank in the next, followed by the sizes. */
typedef int64_t heed__described_tensor;

/* The header of a chunk. The records follow. */
typedef struct heed__chunk {
    int thread;         /* number of the thread, from 1 in the order of first events in the process */
    bool worker, first; /* the thread is the library's; the chunk is the thread's first */
    size_t used;        /* bytes of records */
} heed__chunk;

typedef struct heed__profile {
    char *memory; /* n_chunks chunks */
    size_t n_chunks;
    atomic_size_t requested; /* requested chunks, which may exceed n_chunks */
    atomic_int_fast64_t dropped;
    int64_t began, ended;
    uint64_t number; /* number of the profile; chunks that a thread holds from an earlier profile are invalid */
} heed__profile;

static inline size_t heed__profile_chunks(const heed__profile *p)
{
    const size_t requested = atomic_load(&p->requested);
    return requested < p->n_chunks ? requested : p->n_chunks;
}

static inline heed__chunk *heed__profile_chunk(const heed__profile *p, size_t i)
{
    return (heed__chunk *)(void *)(p->memory + i * HEED__CHUNK_BYTES);
}

/* Returns the record after `record` in its chunk, or the first one for NULL; NULL after the last. */
static inline const heed__profile_record *heed__next_record(const heed__chunk *chunk,
                                                            const heed__profile_record *record)
{
    const char *first = (const char *)(chunk + 1);
    const char *next = record ? (const char *)record + record->size : first;
    return next < first + chunk->used ? (const heed__profile_record *)(const void *)next : NULL;
}

/* Writes the trace (profile_trace.c). */
heed_status heed__profile_trace(heed__profile *p, const char *where, const char *path);

#endif
