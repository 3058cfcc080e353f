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
    uint64_t mark; /* HEED_GENERATOR until it is freed */
};

#define HEED_GENERATOR UINT64_C(0x6865656467656e31)

/* g is a generator: neither NULL nor freed. False after heed_fail. */
bool heed__generator_check(const char *where, const heed_generator *g);

#endif
