/* core/generator.h - what a generator is made of. */
#ifndef HEED_CORE_GENERATOR_H
#define HEED_CORE_GENERATOR_H

#include <stdatomic.h>

#include <heed/random.h>

/* Each field is atomic; the two together are not: what a thread draws while another one seeds the generator may mix the
 * old state with the new one. */
struct heed_generator {
    _Atomic uint64_t seed;
    _Atomic uint64_t position;
};

#endif
