/* tests/kernels/kernel_table.h - all kernels of one instruction set and dtype, for who tries each of them. */
#ifndef HEED_TESTS_KERNEL_TABLE_H
#define HEED_TESTS_KERNEL_TABLE_H

#include "kernels/kernels.h"

typedef struct kernel_table {
#define KERNEL(type, name) type *name;
#include "kernels/kernels.def"
} kernel_table;

/* f32 is 0, f64 is 1; a build has at most three instruction sets. NULL where it lacks this one, or the CPU does. */
static inline const kernel_table *kernels_of(const char *isa, unsigned dtype)
{
    static kernel_table tables[3][2];
    const int place = heed__isa_named(isa);
    if (place < 0)
        return NULL;
    kernel_table *table = &tables[place][dtype];
#define KERNEL(type, name) table->name = *heed__kernel_##name[place][dtype];
#include "kernels/kernels.def"
    return table;
}

#endif
