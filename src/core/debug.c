/* core/debug.c - debug mode: records blocks and scopes, keeps freed blocks in a quarantine, and reports misuse.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/debug.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <heed/debug.h>

#include "core/memory.h"
#include "core/tensor.h"

#if defined(__has_include)
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#endif
#if !HEED_KEEP_BLOCKS && __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#endif
#endif

/* Latest borrowed tensors that are searched when one of them is freed. The end of the scope reports the others. */
#define RECENT ((size_t)256)

/* -- The quarantine ------------------------------------------------------------------------------------------------ */

/* Freed blocks are filled with NaN, made inaccessible under Valgrind or AddressSanitizer, and checked when they leave.
 * The oldest blocks leave when new ones arrive. */
#define QUARANTINE ((size_t)256 << 20)
#define MAX_QUARANTINED (QUARANTINE / 4) /* a larger block is not quarantined: it would push out all others */

/* A quiet NaN as an f32 and, repeated, as an f64. Also an invalid address, dtype and count. */
#define FILL_PATTERN UINT32_C(0xfffdead0)

static heed__block *oldest, *youngest;
static size_t total_bytes;

/* Permits or forbids access to a freed block. A tensor's count and dtype remain readable, so that the library's own
 * checks detect the use and report more about it. */
static void allow_access(const heed__block *block, bool allow)
{
    const size_t open = block->kind == HEED_BLOCK_TENSOR ? offsetof(heed_tensor, data) : 0, size = block->bytes - open;
    char *start = (char *)(uintptr_t)block->address + open;
    (void)start;
    (void)size;
    (void)allow;
#if defined(VALGRIND_MAKE_MEM_NOACCESS)
    if (allow)
        (void)VALGRIND_MAKE_MEM_DEFINED(start, size);
    else
        (void)VALGRIND_MAKE_MEM_NOACCESS(start, size);
#endif
#if defined(ASAN_POISON_MEMORY_REGION)
    if (allow)
        ASAN_UNPOISON_MEMORY_REGION(start, size);
    else
        ASAN_POISON_MEMORY_REGION(start, size);
#endif
}

static void add_to_quarantine(heed__block *block)
{
    uint32_t *words = (uint32_t *)(uintptr_t)block->address;
    for (size_t i = 0; i < block->bytes / sizeof *words; i++)
        words[i] = FILL_PATTERN;
    allow_access(block, false);
    block->younger = NULL;
    if (youngest)
        youngest->younger = block;
    else
        oldest = block;
    youngest = block;
    total_bytes += block->bytes;
}

size_t heed__quarantine_bytes(void)
{
    return total_bytes;
}

/* Returns the offset of the first overwritten word, or SIZE_MAX if the block is intact. */
static size_t find_written(const heed__block *block)
{
    const uint32_t *words = block->address;
    for (size_t i = 0; i < block->bytes / sizeof *words; i++)
        if (words[i] != FILL_PATTERN)
            return i * sizeof *words;
    return SIZE_MAX;
}

static void report_written(size_t at, const char *description, bool by_notice)
{
    static const char format[] = "a freed block was written to, at byte %zu: %s";
    if (!by_notice && heed__thread()->status == HEED_OK)
        heed_fail(HEED_ERR_STATE, "debug", format, at, description);
    else
        heed__notice(format, at, description);
}

/* Frees the oldest block. Returns false if all remaining blocks together have at most `bytes`. */
static bool shrink(size_t bytes, bool by_notice)
{
    char description[HEED_DESCRIPTION_MAX] = "";
    heed__instrumentation_lock();
    heed__block *block = total_bytes > bytes ? oldest : NULL;
    if (!block) {
        heed__instrumentation_unlock();
        return false;
    }
    oldest = block->younger;
    if (!oldest)
        youngest = NULL;
    total_bytes -= block->bytes;
    allow_access(block, true);
    const size_t written = find_written(block), size = block->bytes;
    void *address = (void *)(uintptr_t)block->address;
    if (written != SIZE_MAX)
        heed__describe_block(block, description, sizeof description);
    heed__block_remove(block);
    heed__instrumentation_unlock();
    heed__allocator_free(address, size);
    if (written != SIZE_MAX)
        report_written(written, description, by_notice);
    return true;
}

void heed__quarantine_shrink(size_t bytes, bool by_notice)
{
    while (shrink(bytes, by_notice))
        ;
}

/* -- Blocks -------------------------------------------------------------------------------------------------------- */

static void debug_allocated(void *block, size_t bytes, heed__block_kind kind, const char *where)
{
    heed__instrumentation_lock();
    heed__block_add(block, bytes, kind, where);
    heed__instrumentation_unlock();
}

/* Removes t from this thread's list of borrowed tensors if it is among the last RECENT of them. */
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
    heed__instrumentation_lock();
    const heed__block *block = heed__block_find(t);
    if (block)
        heed__describe_block(block, description, sizeof description);
    heed__instrumentation_unlock();
    heed_fail(
        HEED_ERR_STATE, "release",
        "the tensor is borrowed from the scope%s%s, which will release it: heed_release needs heed_retain first (%s)",
        begun ? " begun at " : "", begun ? begun : "", description);
}

static void debug_tensor_freed(heed_tensor *t)
{
    heed__instrumentation_lock();
    heed__block *block = heed__block_find(t);
    if (block)
        record_freed(block, t);
    heed__instrumentation_unlock();
    check_owner(t);
}

static bool debug_may_free(void *address, size_t bytes)
{
    heed__instrumentation_lock();
    heed__block *block = heed__block_find(address);
    if (block && block->freed) {
        char description[HEED_DESCRIPTION_MAX];
        heed__describe_block(block, description, sizeof description);
        heed__instrumentation_unlock();
        return heed_fail_false(HEED_ERR_STATE, "free", "the block was freed already: %s", description);
    }
    const size_t allocated = block ? block->bytes : bytes;
    const bool frees_tensor = block && block->kind == HEED_BLOCK_TENSOR && !block->tensor_freed;
    if (block && allocated == bytes) {
        block->released = heed__thread()->site;
        if (frees_tensor)
            record_freed(block, address);
    }
    heed__instrumentation_unlock();
    if (allocated != bytes)
        return heed_fail_false(HEED_ERR_ARGUMENT, "free", "a block of %zu bytes is freed with a size of %zu", allocated,
                               bytes);
    if (frees_tensor)
        check_owner(address);
    return true;
}

static void debug_quarantine(void *address, size_t bytes)
{
    heed__instrumentation_lock();
    heed__block *block = heed__block_find(address);
    if (!block && bytes <= MAX_QUARANTINED) { /* allocated before debug mode */
        heed__block_add(address, bytes, HEED_BLOCK_PLAIN, "");
        block = heed__block_find(address);
    }
    if (block && bytes <= MAX_QUARANTINED) {
        heed__block_mark_freed(block);
        add_to_quarantine(block);
    } else if (block) {
        heed__block_remove(block);
        block = NULL;
    }
    heed__instrumentation_unlock();
    if (!block)
        heed__allocator_free(address, bytes);
    heed__quarantine_shrink(QUARANTINE, false);
}

static void debug_empty_quarantine(void)
{
    heed__quarantine_shrink(0, false);
}

/* -- Uses of freed objects ----------------------------------------------------------------------------------------- */

static void debug_describe_freed(const void *address, char *text, size_t size)
{
    heed__instrumentation_lock();
    const heed__block *block = heed__block_find(address);
    if (block && (block->freed || block->tensor_freed))
        heed__describe_block(block, text, size);
    heed__instrumentation_unlock();
}

void heed_debug_set_owner(const heed_tensor *t, const heed_module *m, const char *name)
{
    if (!t || !heed__debugger_if_on())
        return;
    heed__instrumentation_lock();
    heed__block *block = heed__block_find(t);
    if (block && (block->owner == m || (name && m) || (name && !block->owner))) {
        block->owner = name ? m : NULL;
        block->name = name;
    }
    heed__instrumentation_unlock();
}

/* -- Scopes -------------------------------------------------------------------------------------------------------- */

static void debug_scope_ends(heed_tensor *const *tensors, size_t n, const char *begun)
{
    const char *ended = heed__thread()->site;
    if (begun && ended && strcmp(begun, ended) == 0) /* in one call: an internal scope of the library */
        return;
    heed__instrumentation_lock();
    for (size_t i = 0; i < n; i++) {
        heed__block *block = tensors[i] ? heed__block_find(tensors[i]) : NULL;
        if (!block)
            continue;
        block->scope_ended = true;
        block->begun = begun;
        block->ended = ended;
    }
    heed__instrumentation_unlock();
}

/* -- On and off ---------------------------------------------------------------------------------------------------- */

static const heed__debugger debugger = {
    .allocated = debug_allocated,
    .may_free = debug_may_free,
    .quarantine = debug_quarantine,
    .empty_quarantine = debug_empty_quarantine,
    .tensor_freed = debug_tensor_freed,
    .describe_freed = debug_describe_freed,
    .scope_ends = debug_scope_ends,
    .root_grows = heed__report_growing_root,
    .process_ends = heed__report_at_exit,
};
static pthread_once_t environment_once = PTHREAD_ONCE_INIT;

static void begin_debugging(void)
{
    heed__reset_growing_root();
    atomic_store(&heed__registered_debugger, &debugger);
    heed__memory_set_caching(false);
}

static void read_environment(void)
{
    const char *value = getenv("HEED_DEBUG");
    if (!value || !*value || strcmp(value, "0") == 0)
        return;
    heed__notices_to_stderr();
    heed__system_without_slabs();
    begin_debugging();
}

void heed__debug_first_use(void)
{
    pthread_once(&environment_once, read_environment);
}

static void end_debugging(void)
{
    atomic_store(&heed__registered_debugger, NULL);
    heed__memory_set_caching(true);
    debug_empty_quarantine();
    heed__instrumentation_lock();
    heed__blocks_clear();
    heed__instrumentation_unlock();
}

bool heed_set_debug(bool on)
{
    heed__debug_first_use();
    const bool was_on = heed__debugger_if_on() != NULL;
    if (on && !was_on)
        begin_debugging();
    else if (!on && was_on)
        end_debugging();
    return was_on;
}
