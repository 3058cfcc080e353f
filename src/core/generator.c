/* core/generator.c - generators: a seed and a position. core/random.c makes random tensors with them. */

#include "core/generator.h"

#include "core/memory.h"

static heed_generator default_generator;

heed_generator *heed_generator_new(uint64_t seed)
{
    heed_generator *g = heed__alloc("generator_new", sizeof *g);
    if (!g)
        return NULL;
    atomic_init(&g->seed, seed);
    atomic_init(&g->position, 0);
    return g;
}

void heed_generator_free(heed_generator *generator)
{
    if (generator != &default_generator)
        heed_free(generator, sizeof *generator);
}

heed_generator *heed_generator_default(void)
{
    return &default_generator;
}

void heed_generator_seed(heed_generator *generator, uint64_t seed)
{
    heed_generator *g = generator ? generator : &default_generator;
    atomic_store(&g->seed, seed);
    atomic_store(&g->position, 0);
}

void heed_manual_seed(uint64_t seed)
{
    heed_generator_seed(NULL, seed);
}

heed_status heed_generator_get_state(heed_generator *generator, uint64_t *seed, uint64_t *position)
{
    if (!generator || !seed || !position)
        return heed_fail(HEED_ERR_ARGUMENT, "generator_get_state", "%s is NULL",
                         !generator ? "generator"
                         : !seed    ? "seed"
                                    : "position");
    *seed = atomic_load(&generator->seed);
    *position = atomic_load(&generator->position);
    return HEED_OK;
}

heed_status heed_generator_set_state(heed_generator *generator, uint64_t seed, uint64_t position)
{
    if (!generator)
        return heed_fail(HEED_ERR_ARGUMENT, "generator_set_state", "generator is NULL");
    atomic_store(&generator->seed, seed);
    atomic_store(&generator->position, position);
    return HEED_OK;
}
