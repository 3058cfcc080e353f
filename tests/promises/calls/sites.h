/* tests/promises/calls/sites.h - see sites.c.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_SITES_H
#define HEED_TESTS_SITES_H

#include <stddef.h>

/* The return address of the active call that requests memory; NULL outside such a call. */
const void *allocation_site(void);

void *__wrap_heed_alloc(size_t size);
void *__wrap_heed_calloc(size_t count, size_t size);
void *__wrap_heed__alloc(const char *where, size_t size);
void *__wrap_heed__alloc_tensor(const char *where, size_t size);
void *__wrap_heed__alloc_node(const char *where, size_t size);
void *__real_heed_alloc(size_t size);
void *__real_heed_calloc(size_t count, size_t size);
void *__real_heed__alloc(const char *where, size_t size);
void *__real_heed__alloc_tensor(const char *where, size_t size);
void *__real_heed__alloc_node(const char *where, size_t size);

#endif
