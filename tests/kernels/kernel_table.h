/* tests/kernels/kernel_table.h - finds the kernels of one instruction set and dtype, for tests of all of them.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_KERNEL_TABLE_H
#define HEED_TESTS_KERNEL_TABLE_H

#include "kernels/kernels.h"

typedef struct kernel_table {
#define KERNEL(type, name) type *name;
#include "kernels/kernels.def"
} kernel_table;

/* dtype: 0 is f32, 1 is f64. A build has at most three instruction sets. Returns NULL if the build or the CPU lacks
 * this one. */
static inline const kernel_table *kernels_of(const char *isa, unsigned dtype)
{
    static kernel_table tables[3][2];
    const int index = heed__isa_named(isa);
    if (index < 0)
        return NULL;
    kernel_table *table = &tables[index][dtype];
#define KERNEL(type, name) table->name = *heed__kernel_##name[index][dtype];
#include "kernels/kernels.def"
    return table;
}

#endif
