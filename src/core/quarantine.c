/* core/quarantine.c - debug mode's quarantine for freed blocks: they are filled with NaN, made inaccessible under
 * Valgrind or AddressSanitizer, and checked when they leave. */

#include "core/debug.h"

#include <string.h>

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

/* A quiet NaN as an f32 and, repeated, as an f64. Also an invalid address, dtype and count. */
#define FILL_PATTERN UINT32_C(0xfffdead0)

static heed__block *oldest, *youngest;
static size_t total_bytes;

/* Returns the inaccessible part of the block. A tensor's count and dtype remain readable, so that the library's own
 * checks detect the use and report more about it. */
static char *inaccessible_bytes(const heed__block *block, size_t *size)
{
    const size_t open = block->kind == HEED_BLOCK_TENSOR ? offsetof(heed_tensor, data) : 0;
    *size = block->bytes - open;
    return (char *)(uintptr_t)block->address + open;
}

static void make_inaccessible(const heed__block *block)
{
    size_t size;
    char *start = inaccessible_bytes(block, &size);
#if defined(VALGRIND_MAKE_MEM_NOACCESS)
    (void)VALGRIND_MAKE_MEM_NOACCESS(start, size);
#endif
#if defined(ASAN_POISON_MEMORY_REGION)
    ASAN_POISON_MEMORY_REGION(start, size);
#endif
    (void)start;
}

static void make_accessible(const heed__block *block)
{
    size_t size;
    char *start = inaccessible_bytes(block, &size);
#if defined(VALGRIND_MAKE_MEM_DEFINED)
    (void)VALGRIND_MAKE_MEM_DEFINED(start, size);
#endif
#if defined(ASAN_UNPOISON_MEMORY_REGION)
    ASAN_UNPOISON_MEMORY_REGION(start, size);
#endif
    (void)start;
}

void heed__quarantine_add(heed__block *block)
{
    uint32_t *words = (uint32_t *)(uintptr_t)block->address;
    for (size_t i = 0; i < block->bytes / sizeof *words; i++)
        words[i] = FILL_PATTERN;
    make_inaccessible(block);
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
    make_accessible(block);
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
