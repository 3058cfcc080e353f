/* tests/promises/calls/sites.c - where the library asks for memory. A program linked with --wrap of the five
 * functions below has each call of them from another file come here first, so that a refusal is known by the place of
 * the call. */

#include "sites.h"

static _Thread_local const void *asking;

const void *allocation_site(void)
{
    return asking;
}

#define SITE(call)                                                                                                     \
    const void *outer = asking;                                                                                        \
    asking = __builtin_return_address(0);                                                                              \
    void *block = call;                                                                                                \
    asking = outer;                                                                                                    \
    return block

__attribute__((noinline)) void *__wrap_heed_alloc(size_t size)
{
    SITE(__real_heed_alloc(size));
}

__attribute__((noinline)) void *__wrap_heed_calloc(size_t count, size_t size)
{
    SITE(__real_heed_calloc(count, size));
}

__attribute__((noinline)) void *__wrap_heed__alloc(const char *where, size_t size)
{
    SITE(__real_heed__alloc(where, size));
}

__attribute__((noinline)) void *__wrap_heed__alloc_tensor(const char *where, size_t size)
{
    SITE(__real_heed__alloc_tensor(where, size));
}

__attribute__((noinline)) void *__wrap_heed__alloc_node(const char *where, size_t size)
{
    SITE(__real_heed__alloc_node(where, size));
}
