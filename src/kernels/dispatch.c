/* kernels/dispatch.c - which instruction set's kernels are used. */

#include "kernels/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(HEED_X86_KERNELS)
#include <cpuid.h>
#endif

typedef struct isa {
    const char *name;
    const heed__kernel_table *tables[2]; /* f32, f64 */
    bool (*supported)(void);
} isa;

static bool always(void)
{
    return true;
}

#if defined(HEED_X86_KERNELS)
/* All that -march=x86-64-v3 lets the compiler use; not every compiler's __builtin_cpu_supports knows every name. */
static bool has_v3(void)
{
    unsigned a, b, c, d;
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __get_cpuid(1, &a, &b, &c, &d) && (c & bit_MOVBE) && (c & bit_F16C) &&
           __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT);
}

static bool has_v4(void)
{
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

static bool has_v4_bf16(void)
{
    return has_v4() && __builtin_cpu_supports("avx512bf16");
}
#endif

/* Best first; the last one always works. */
static const isa isas[] = {
#if defined(HEED_X86_KERNELS)
    {"avx512", {&heed__kernels_avx512_f32, &heed__kernels_avx512_f64}, has_v4},
    {"avx2", {&heed__kernels_avx2_f32, &heed__kernels_avx2_f64}, has_v3},
#endif
#if defined(HEED_ARM_KERNELS)
    {"neon", {&heed__kernels_neon_f32, &heed__kernels_neon_f64}, always}, /* part of AArch64 */
#endif
    {"scalar", {&heed__kernels_scalar_f32, &heed__kernels_scalar_f64}, always},
};
enum { ISA_COUNT = sizeof isas / sizeof isas[0] };

/* NULL when it is not built, or not for this CPU. */
static const isa *find(const char *name)
{
    for (int i = 0; i < ISA_COUNT; i++)
        if (strcmp(name, isas[i].name) == 0 && isas[i].supported())
            return &isas[i];
    return NULL;
}

static const isa *best(void)
{
    int i = 0;
    while (!isas[i].supported())
        i++;
    return &isas[i];
}

_Atomic(const heed__kernel_table *) heed__kernels_in_force[2];

static _Atomic(heed__matmul_kernel *) matmul_bf16;

/* Threads that come here first at once choose the same. The first table is set last: it says that all is chosen. */
bool heed__choose_kernels(const char **named)
{
    *named = getenv("HEED_ISA");
    const isa *chosen = *named && **named ? find(*named) : best();
#if defined(HEED_X86_KERNELS)
    if (chosen && chosen->tables[0] == &heed__kernels_avx512_f32 && has_v4_bf16())
        atomic_store_explicit(&matmul_bf16, heed__matmul_bf16_avx512, memory_order_release);
#endif
    for (int dtype = 1; chosen && dtype >= 0; dtype--)
        atomic_store_explicit(&heed__kernels_in_force[dtype], chosen->tables[dtype], memory_order_release);
    return chosen != NULL;
}

heed__matmul_kernel *heed__matmul_bf16(void)
{
    return atomic_load_explicit(&matmul_bf16, memory_order_acquire);
}

void heed__list_kernels(char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < ISA_COUNT && used < size; i++)
        if (isas[i].supported())
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", isas[i].name);
}

const char *heed__kernels_isa(void)
{
    int i = 0;
    while (isas[i].tables[0] != heed__kernels(0))
        i++;
    return isas[i].name;
}

const heed__kernel_table *heed__kernels_of(const char *name, unsigned dtype)
{
    const isa *found = find(name);
    return found ? found->tables[dtype] : NULL;
}
