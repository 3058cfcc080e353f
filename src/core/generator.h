/* core/generator.h - what a generator is made of. */
#ifndef HEED_CORE_GENERATOR_H
#define HEED_CORE_GENERATOR_H

#include <stdatomic.h>
#include <stdbool.h>

#include <heed/random.h>

/* Each field is atomic; the two together are not: what a thread draws while another one seeds the generator may mix the
 * old state with the new one. */
struct heed_generator {
    _Atomic uint64_t seed;
    _Atomic uint64_t position;
    uint64_t mark;
};

/* g is a generator: neither NULL nor freed. False after heed_fail. */
bool heed__generator_check(const char *where, const heed_generator *g);

/* Where a call's numbers begin. */
typedef struct heed__place {
    uint64_t seed, position;
} heed__place;

/* Takes `count` positions for a call of this thread. Returns false after heed_fail if g is NULL or was freed, or if
 * places are noted or drawn again and that fails. */
bool heed__generator_take(const char *where, heed_generator *g, uint64_t count, heed__place *taken);

/* Gives them back after a failure, unless another thread has moved on from there. */
void heed__generator_give_back(heed_generator *g, uint64_t count, heed__place taken);

/* The places of a function's draws, in order: noted when it runs first, and taken again, from no generator, when it is
 * to compute the same once more. They nest. */
typedef struct heed__draws {
    heed__place *places;
    size_t count, capacity;
    bool again;  /* they are taken again, */
    size_t next; /* from here on */
    struct heed__draws *outer;
} heed__draws;

void heed__draws_begin(heed__draws *draws);
void heed__draws_end(const heed__draws *draws);

#endif
