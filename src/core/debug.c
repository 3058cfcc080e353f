/* core/debug.c - debug mode: records blocks and scopes, and reports misuse. */

#include "core/debug.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <heed/debug.h>

#include "base/escape.h"
#include "core/blocks.h"
#include "core/description.h"
#include "core/instrumentation.h"
#include "core/quarantine.h"
#include "core/scope.h"
#include "core/thread.h"
#include "system/system.h"

#define QUARANTINE ((size_t)256 << 20)
#define MAX_QUARANTINED (QUARANTINE / 4) /* a larger block is not quarantined: it would push out all others */
#define NOTICE_MAX 512
#define RECENT                                                                                                         \
    ((size_t)256) /* latest borrowed tensors searched when one is freed; the scope's end reports the others */

/* -- Notices ------------------------------------------------------------------------------------------------------- */

static void write_notice(const char *message, void *user)
{
    (void)user;
    char line[NOTICE_MAX + 16];
    int length = snprintf(line, sizeof line, "heed: %s\n", message);
    heed__write_stderr(line, (size_t)length);
}

static heed_notice_handler environment_handler; /* used if the program has set no handler */
static heed_notice_handler handler;             /* guarded by the table's lock */
static void *handler_user;

void heed_set_notice_handler(heed_notice_handler new_handler, void *user)
{
    heed__blocks_lock();
    handler = new_handler;
    handler_user = user;
    heed__blocks_unlock();
}

void heed__notice(const char *format, ...)
{
    char raw[NOTICE_MAX], message[NOTICE_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    (void)heed__escape_copy(raw, strlen(raw), message, sizeof message);
    heed__blocks_lock();
    heed_notice_handler notify = handler ? handler : environment_handler;
    void *user = handler ? handler_user : NULL;
    heed__blocks_unlock();
    if (notify)
        notify(message, user);
}

/* -- On and off ---------------------------------------------------------------------------------------------------- */

static pthread_once_t environment_once = PTHREAD_ONCE_INIT;

static void begin(void)
{
    heed__debug_reset_growth();
    heed__set_instrumentation(HEED_INSTRUMENT_DEBUG, true);
    heed__memory_set_caching(false);
}

static void read_environment(void)
{
    const char *value = getenv("HEED_DEBUG");
    if (!value || !*value || strcmp(value, "0") == 0)
        return;
    environment_handler = write_notice;
    heed__system_without_slabs();
    begin();
}

void heed__debug_first_use(void)
{
    pthread_once(&environment_once, read_environment);
}

static void end(void)
{
    heed__set_instrumentation(HEED_INSTRUMENT_DEBUG, false);
    heed__memory_set_caching(true);
    heed__debug_empty_quarantine();
    heed__blocks_lock();
    heed__blocks_clear();
    heed__blocks_unlock();
}

bool heed_debug_enabled(void)
{
    heed__debug_first_use();
    return heed__is_instrumented(HEED_INSTRUMENT_DEBUG);
}

bool heed_set_debug(bool on)
{
    bool was_on = heed_debug_enabled();
    if (on && !was_on)
        begin();
    else if (!on && was_on)
        end();
    return was_on;
}

/* -- Blocks -------------------------------------------------------------------------------------------------------- */

void heed__debug_allocated(void *block, size_t bytes, heed__block_kind kind, const char *where)
{
    heed__blocks_lock();
    heed__block_add(block, bytes, kind, where);
    heed__blocks_unlock();
}

/* Removes t from this thread's list of borrowed tensors if it is among the last LATELY of them. */
static bool remove_from_scopes(const heed_tensor *t, const char **begun)
{
    heed__thread_state *self = heed__thread();
    const size_t last = self->count > RECENT ? self->count - RECENT : 0;
    for (size_t i = self->count; i-- > last;) {
        if (self->tensors[i] != t)
            continue;
        self->tensors[i] = NULL;
        const heed_scope *scope = heed__scope_of(i);
        *begun = scope ? heed__scope_site(scope) : NULL;
        return true;
    }
    return false;
}

/* Records the dtype and shape of a freed tensor. */
static void record_freed(heed__block *block, const heed_tensor *t)
{
    block->tensor_freed = true;
    block->dtype = (heed_dtype)((unsigned)t->dtype & ~HEED_FREED);
    block->shape = t->shape;
    block->released = heed__thread()->site;
}

/* Fails if a scope still has to release the tensor, which then must not be freed. */
static void check_owner(const heed_tensor *t)
{
    char description[HEED_DESCRIPTION_MAX] = "";
    const char *begun;
    if (!remove_from_scopes(t, &begun))
        return;
    heed__blocks_lock();
    const heed__block *block = heed__block_find(t);
    if (block)
        heed__describe_block(block, description, sizeof description);
    heed__blocks_unlock();
    heed_fail(
        HEED_ERR_STATE, "release",
        "the tensor is borrowed from the scope%s%s, which will release it: heed_release needs heed_retain first (%s)",
        begun ? " begun at " : "", begun ? begun : "", description);
}

void heed__debug_tensor_freed(heed_tensor *t)
{
    heed__blocks_lock();
    heed__block *block = heed__block_find(t);
    if (block)
        record_freed(block, t);
    heed__blocks_unlock();
    check_owner(t);
}

static bool fail_double_free(const heed__block *block)
{
    char description[HEED_DESCRIPTION_MAX];
    heed__describe_block(block, description, sizeof description);
    heed__blocks_unlock();
    return heed_fail_false(HEED_ERR_STATE, "free", "the block was freed already: %s", description);
}

bool heed__debug_may_free(void *address, size_t bytes)
{
    heed__blocks_lock();
    heed__block *block = heed__block_find(address);
    if (block && block->freed)
        return fail_double_free(block);
    const size_t allocated = block ? block->bytes : bytes;
    const bool frees_tensor = block && block->kind == HEED_BLOCK_TENSOR && !block->tensor_freed;
    if (block && allocated == bytes) {
        block->released = heed__thread()->site;
        if (frees_tensor)
            record_freed(block, address);
    }
    heed__blocks_unlock();
    if (allocated != bytes)
        return heed_fail_false(HEED_ERR_ARGUMENT, "free", "a block of %zu bytes is freed with a size of %zu", allocated,
                               bytes);
    if (frees_tensor)
        check_owner(address);
    return true;
}

void heed__debug_quarantine(void *address, size_t bytes)
{
    heed__blocks_lock();
    heed__block *block = heed__block_find(address);
    if (!block && bytes <= MAX_QUARANTINED) { /* allocated before debug mode */
        heed__block_add(address, bytes, HEED_BLOCK_PLAIN, "");
        block = heed__block_find(address);
    }
    if (block && bytes <= MAX_QUARANTINED) {
        heed__block_mark_freed(block);
        heed__quarantine_add(block);
    } else if (block) {
        heed__block_remove(block);
        block = NULL;
    }
    heed__blocks_unlock();
    if (!block)
        heed__allocator_free(address, bytes);
    heed__quarantine_shrink(QUARANTINE, false);
}

void heed__debug_empty_quarantine(void)
{
    heed__quarantine_shrink(0, false);
}

/* -- Uses of freed objects ----------------------------------------------------------------------------------------- */

bool heed_fail_freed(const char *where, const char *what, const void *address)
{
    char description[HEED_DESCRIPTION_MAX] = "";
    const bool on = heed__is_instrumented(HEED_INSTRUMENT_DEBUG);
    if (on) {
        heed__blocks_lock();
        const heed__block *block = heed__block_find(address);
        if (block && (block->freed || block->tensor_freed))
            heed__describe_block(block, description, sizeof description);
        heed__blocks_unlock();
    }
    what = what ? what : "the object";
    if (*description)
        heed_fail(HEED_ERR_STATE, where, "%s was freed: %s", what, description);
    else
        heed_fail(HEED_ERR_STATE, where, "%s was freed%s", what, on ? "" : " (HEED_DEBUG=1 reports where)");
    return false;
}

void heed__fail_borrowed(const heed_tensor *t)
{
    heed_fail_freed("scope_end", "a tensor borrowed from the scope (heed_release without heed_retain?)", t);
}

void heed_debug_set_owner(const heed_tensor *t, const heed_module *m, const char *name)
{
    if (!t || !heed__is_instrumented(HEED_INSTRUMENT_DEBUG))
        return;
    heed__blocks_lock();
    heed__block *block = heed__block_find(t);
    if (block && (block->owner == m || (name && m) || (name && !block->owner))) {
        block->owner = name ? m : NULL;
        block->name = name;
    }
    heed__blocks_unlock();
}

/* -- Scopes -------------------------------------------------------------------------------------------------------- */

void heed__debug_scope_ends(heed_tensor *const *tensors, size_t n, const char *begun)
{
    const char *ended = heed__thread()->site;
    if (begun && ended && strcmp(begun, ended) == 0) /* in one call: an internal scope of the library */
        return;
    heed__blocks_lock();
    for (size_t i = 0; i < n; i++) {
        heed__block *block = tensors[i] ? heed__block_find(tensors[i]) : NULL;
        if (!block)
            continue;
        block->scope_ended = true;
        block->begun = begun;
        block->ended = ended;
    }
    heed__blocks_unlock();
}
