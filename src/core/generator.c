/* core/generator.c - generators: a seed and a position. core/random.c makes random tensors with them. */

#include "core/generator.h"

#include <heed/debug.h>

#include "core/memory.h"

static heed_generator default_generator = {.mark = HEED_GENERATOR};

bool heed__generator_check(const char *where, const heed_generator *g)
{
    if (!g)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "generator is NULL");
    return g->mark == HEED_GENERATOR || heed_fail_freed(where, "the generator", g);
}

heed_generator *heed_generator_new(uint64_t seed)
{
    heed_generator *g = heed__alloc("generator_new", sizeof *g);
    if (!g)
        return NULL;
    atomic_init(&g->seed, seed);
    atomic_init(&g->position, 0);
    g->mark = HEED_GENERATOR;
    return g;
}

void heed_generator_free(heed_generator *generator)
{
    if (!generator || generator == &default_generator || !heed__generator_check("generator_free", generator))
        return;
    generator->mark = 0;
    heed_free(generator, sizeof *generator);
}

heed_generator *heed_generator_default(void)
{
    return &default_generator;
}

void heed_generator_seed(heed_generator *generator, uint64_t seed)
{
    heed_generator *g = generator ? generator : &default_generator;
    if (!heed__generator_check("generator_seed", g))
        return;
    atomic_store(&g->seed, seed);
    atomic_store(&g->position, 0);
}

void heed_manual_seed(uint64_t seed)
{
    heed_generator_seed(NULL, seed);
}

heed_status heed_generator_get_state(heed_generator *generator, uint64_t *seed, uint64_t *position)
{
    if (!heed__generator_check("generator_get_state", generator))
        return heed_error_code();
    if (!seed || !position)
        return heed_fail(HEED_ERR_ARGUMENT, "generator_get_state", "%s is NULL", seed ? "position" : "seed");
    *seed = atomic_load(&generator->seed);
    *position = atomic_load(&generator->position);
    return HEED_OK;
}

heed_status heed_generator_set_state(heed_generator *generator, uint64_t seed, uint64_t position)
{
    if (!heed__generator_check("generator_set_state", generator))
        return heed_error_code();
    atomic_store(&generator->seed, seed);
    atomic_store(&generator->position, position);
    return HEED_OK;
}
