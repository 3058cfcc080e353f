/* tests/kernels/kernel_list.h - the elementwise kernels of one input listed in kernels.def: their formulas in long
 * double, and their error limits.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_KERNEL_LIST_H
#define HEED_TESTS_KERNEL_LIST_H

#include "kernel_arrays.h"

typedef struct unary {
    const char *name;
    size_t offset; /* in kernel_table */
    long double (*exact)(long double x, const double *p);
    double limit; /* ULP */
} unary;

#define EXACT(name, exact)                                                                                             \
    static long double exact_##name(long double x, const double *p)                                                    \
    {                                                                                                                  \
        (void)p;                                                                                                       \
        return exact;                                                                                                  \
    }
#define UNARY(name, numbers, formula, ulps, exact) EXACT(name, exact)
#define UNARY_VEC(name, given, formula, ulps, exact) EXACT(name, exact)
#define UNARY_OWN(name, ulps, exact) EXACT(name, exact)
#include "kernels/kernels.def"

static const unary unaries[] = {
#define ENTRY(name, ulps) {#name, offsetof(kernel_table, name), exact_##name, ulps},
#define UNARY(name, numbers, formula, ulps, exact) ENTRY(name, ulps)
#define UNARY_VEC(name, given, formula, ulps, exact) ENTRY(name, ulps)
#define UNARY_OWN(name, ulps, exact) ENTRY(name, ulps)
#include "kernels/kernels.def"
#undef ENTRY
};
enum { UNARIES = sizeof unaries / sizeof unaries[0] };

static inline const unary *unary_named(const char *name)
{
    for (int i = 0; i < UNARIES; i++)
        if (strcmp(unaries[i].name, name) == 0)
            return &unaries[i];
    return NULL;
}

static inline heed__unary_kernel *unary_kernel(const kernel_table *table, const unary *u)
{
    return *(heed__unary_kernel *const *)(const void *)((const char *)table + u->offset);
}

#endif
