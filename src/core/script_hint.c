/* core/script_hint.c - the hint to scripts about a training loop without a scope. */

#include "core/script_hint.h"

#include <inttypes.h>

#include <heed/error.h>
#include <heed/memory.h>

#include "core/blocks.h"
#include "core/instrumentation.h"
#include "core/thread.h"

#define PASSES 1000 /* backward passes that leave their tensors in the root scope */

static heed_hint_handler handler; /* these three are guarded by the lock of the table of blocks, which handles forks */
static void *handler_user;
static bool was_given;

static _Thread_local int64_t passes; /* passes outside all scopes */

void heed_set_hint_handler(heed_hint_handler new_handler, void *user)
{
    heed__blocks_lock();
    handler = new_handler;
    handler_user = user;
    heed__blocks_unlock();
}

/* Returns the handler unless the hint was given before, and marks the hint as given. */
static heed_hint_handler take_handler(void **user)
{
    heed__blocks_lock();
    const heed_hint_handler found = was_given ? NULL : handler;
    was_given = was_given || found;
    *user = handler_user;
    heed__blocks_unlock();
    return found;
}

static void call_handler(size_t tensors)
{
    void *user;
    char text[256];
    const heed_hint_handler found = take_handler(&user);
    if (!found)
        return;
    (void)snprintf(text, sizeof text,
                   "%" PRId64 " backward passes have run without a scope, and %zu tensors (%.1f MB in use) are kept: "
                   "begin each step with heed_scope_begin() and end it with heed_scope_end(), which frees them",
                   passes, tensors, 1e-6 * (double)heed_memory_get_stats().live_bytes);
    found(text, user);
}

void heed__hint_after_pass(void)
{
    const heed__thread_state *self = heed__thread();
    if (self->innermost)
        return;
    passes = self->count == 0 ? 0 : passes + 1;
    if (passes >= PASSES && self->count >= PASSES &&
        !heed__is_instrumented(HEED_INSTRUMENT_DEBUG)) /* which has its own notice */
        call_handler(self->count);
}
