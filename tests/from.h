/* tests/from.h - draws from a given generator.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef FROM_H
#define FROM_H

#include <heed/random.h>

static _Thread_local struct {
    heed_generator *outer[8];
    int depth;
} from_calls;

static inline bool from_begin(heed_generator *generator)
{
    heed_generator *outer = generator ? heed_generator_use(generator) : NULL;
    if (outer)
        from_calls.outer[from_calls.depth++] = outer;
    return outer != NULL;
}

static inline heed_tensor *from_end(heed_tensor *drawn)
{
    heed_generator_use(from_calls.outer[--from_calls.depth]);
    return drawn;
}

/* The result of `draw`, a call such as heed_rand, with that generator in use. NULL after heed_fail, also if the
 * generator is NULL because heed_generator_new failed. */
#define FROM(generator, draw) (from_begin(generator) ? from_end(draw) : NULL)

#endif
