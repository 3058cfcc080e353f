/* core/generator.c - random number generators: a seed and a position. core/random.c makes random tensors with them. */

#include "core/generator.h"

#include <heed/debug.h>

#include "base/mark.h"
#include "core/array.h"
#include "core/memory.h"
#include "core/thread.h"

HEED_MARK_OUTLIVES_FREE(heed_generator);

static heed_generator default_generator = {.mark = HEED_MARK(HEED_GENERATOR, 0)};

bool heed__generator_check(const char *where, const heed_generator *g)
{
    if (!g)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "generator is NULL");
    return heed__is_marked(g->mark, HEED_GENERATOR) || heed_fail_freed(where, "the generator", g);
}

heed_generator *heed_generator_new(uint64_t seed)
{
    heed_generator *g = heed__alloc("generator_new", sizeof *g);
    if (!g)
        return NULL;
    atomic_init(&g->seed, seed);
    atomic_init(&g->position, 0);
    g->mark = HEED_MARK(HEED_GENERATOR, 0);
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

/* -- Positions -- */

void heed__draws_begin(heed__draws *draws)
{
    heed__thread_state *self = heed__thread();
    draws->outer = self->draws;
    self->draws = draws;
}

void heed__draws_end(const heed__draws *draws)
{
    heed__thread()->draws = draws->outer;
}

static bool repeat_draw(const char *where, heed__draws *draws, heed__stream_position *reserved)
{
    if (draws->next == draws->count)
        return heed_fail_false(HEED_ERR_STATE, where,
                               "a checkpointed function draws more often than in its first run, which drew %zu times",
                               draws->count);
    *reserved = draws->positions[draws->next++];
    return true;
}

static bool record_draw(const char *where, heed__draws *draws, heed__stream_position reserved)
{
    heed__stream_position *positions =
        heed__array_reserve(where, draws->positions, &draws->capacity, draws->count, sizeof *draws->positions);
    if (!positions)
        return false;
    draws->positions = positions;
    positions[draws->count++] = reserved;
    return true;
}

/* Returns the innermost repeated draws, or NULL. Draws nested in them are recorded too, but take their positions from
 * there. */
static heed__draws *repeating_draws(void)
{
    heed__draws *draws = heed__thread()->draws;
    while (draws && !draws->repeating)
        draws = draws->outer;
    return draws;
}

bool heed__generator_reserve(const char *where, heed_generator *g, uint64_t count, heed__stream_position *reserved)
{
    if (!heed__generator_check(where, g))
        return false;
    heed__draws *repeating = repeating_draws();
    if (repeating && !repeat_draw(where, repeating, reserved))
        return false;
    if (!repeating)
        *reserved = (heed__stream_position){atomic_load(&g->seed), atomic_fetch_add(&g->position, count)};
    for (heed__draws *draws = heed__thread()->draws; draws != repeating; draws = draws->outer) {
        if (record_draw(where, draws, *reserved))
            continue;
        heed__generator_return(g, count, *reserved);
        return false;
    }
    return true;
}

void heed__generator_return(heed_generator *g, uint64_t count, heed__stream_position reserved)
{
    uint64_t next = reserved.position + count;
    if (!repeating_draws())
        (void)atomic_compare_exchange_strong(&g->position, &next, reserved.position);
}
