/* core/generator.h - the structure of a generator.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CORE_GENERATOR_H
#define HEED_CORE_GENERATOR_H

#include <stdatomic.h>
#include <stdbool.h>

#include <heed/random.h>

/* Each field is atomic, but the pair is not: numbers drawn while a second thread seeds the generator may mix the old
 * state with the new one. */
struct heed_generator {
    _Atomic uint64_t seed;
    _Atomic uint64_t position;
    uint64_t mark;
};

/* Returns the generator that the calling thread draws from; a freed one if it was freed. */
heed_generator *heed__generator_current(void);

/* A thread's choice of a generator, and the generator's mark at that time, because a new generator may get the address
 * of a freed one. NULL stands for the default generator. */
typedef struct heed__generator_choice {
    heed_generator *generator;
    uint64_t mark;
} heed__generator_choice;

/* Returns true if g is neither NULL nor freed; false after heed_fail. */
bool heed__generator_check(const char *where, const heed_generator *g);

/* The seed and the position at which a call's numbers begin. */
typedef struct heed__stream_position {
    uint64_t seed, position;
} heed__stream_position;

/* Reserves `count` positions for a call of this thread. Returns false after heed_fail if g is NULL or was freed, or if
 * recording or repeating the draw fails. */
bool heed__generator_reserve(const char *where, heed_generator *g, uint64_t count, heed__stream_position *reserved);

/* Returns reserved positions after a failure, unless a different thread has reserved later ones. */
void heed__generator_return(heed_generator *g, uint64_t count, heed__stream_position reserved);

/* The positions of a function's draws, in order. They are recorded in the first run and used again, instead of a
 * generator, when the function must compute the same result a second time. They nest. */
typedef struct heed__draws {
    heed__stream_position *positions;
    size_t count, capacity;
    bool repeating; /* the positions are used again */
    size_t next;    /* index of the next position to use */
    struct heed__draws *outer;
} heed__draws;

void heed__draws_begin(heed__draws *draws);
void heed__draws_end(const heed__draws *draws);

#endif
