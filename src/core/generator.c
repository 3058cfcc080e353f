/* core/generator.c - random number generators: a seed and a position. core/random.c makes random tensors with them.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/generator.h"

#include <heed/debug.h>

#include "base/mark.h"
#include "core/memory.h"
#include "core/thread.h"

HEED_MARK_OUTLIVES_FREE(heed_generator);

static heed_generator default_generator = {.mark = HEED_MARK(HEED_GENERATOR, 0)};
static heed_generator freed_generator; /* stands for a freed generator whose memory has a new owner */
static _Atomic uint64_t generators;    /* the number of generators that heed_generator_new has made */

#define NUMBERS (UINT64_C(1) << HEED_MARK_NUMBER_BITS)

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
    g->mark = HEED_MARK(HEED_GENERATOR, (atomic_fetch_add(&generators, 1) + 1) % NUMBERS);
    return g;
}

void heed_generator_free(heed_generator *generator)
{
    if (!generator || generator == &default_generator || !heed__generator_check("generator_free", generator))
        return;
    if (heed__thread()->generator.generator == generator)
        heed__thread()->generator = (heed__generator_choice){0};
    generator->mark = 0;
    heed_free(generator, sizeof *generator);
}

heed_generator *heed_generator_default(void)
{
    return &default_generator;
}

heed_generator *heed__generator_current(void)
{
    const heed__generator_choice choice = heed__thread()->generator;
    if (!choice.generator)
        return &default_generator;
    const bool reused =
        heed__is_marked(choice.generator->mark, HEED_GENERATOR) && choice.generator->mark != choice.mark;
    return reused ? &freed_generator : choice.generator;
}

heed_generator *heed_generator_use(heed_generator *generator)
{
    heed_generator *previous = heed__generator_current();
    if (generator && !heed__generator_check("generator_use", generator))
        return NULL;
    if (generator && !heed__is_marked(previous->mark, HEED_GENERATOR)) {
        heed_fail_freed("generator_use", "the generator in use", previous);
        return NULL;
    }
    heed__thread()->generator = (heed__generator_choice){generator, generator ? generator->mark : 0};
    return previous;
}

void heed_manual_seed(uint64_t seed)
{
    (void)heed_generator_set_state(&default_generator, seed, 0);
}

heed_status heed_generator_get_state(heed_generator *generator, uint64_t *seed, uint64_t *position)
{
    heed_generator *g = generator ? generator : heed__generator_current();
    if (!heed__generator_check("generator_get_state", g))
        return heed_error_code();
    if (!seed || !position)
        return heed_fail(HEED_ERR_ARGUMENT, "generator_get_state", "%s is NULL", seed ? "position" : "seed");
    *seed = atomic_load(&g->seed);
    *position = atomic_load(&g->position);
    return HEED_OK;
}

heed_status heed_generator_set_state(heed_generator *generator, uint64_t seed, uint64_t position)
{
    heed_generator *g = generator ? generator : heed__generator_current();
    if (!heed__generator_check("generator_set_state", g))
        return heed_error_code();
    atomic_store(&g->seed, seed);
    atomic_store(&g->position, position);
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
