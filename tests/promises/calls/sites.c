/* tests/promises/calls/sites.c - records the call sites of the library's allocations. In a program linked with
 * --wrap of the five functions below, calls of them from other files come here first, so that a refusal is known by
 * its call site.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

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
