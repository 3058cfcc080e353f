/* kernels/dispatch.c - selects the instruction set whose kernels are used.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernels/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(HEED_X86_KERNELS)
#include <cpuid.h>
#endif

typedef struct isa {
    const char *name;
    bool (*supported)(void);
} isa;

static bool always(void)
{
    return true;
}

#if defined(HEED_X86_KERNELS)
/* True if the CPU has every extension that -march=x86-64-v3 lets the compiler use. __get_cpuid tests extensions whose
 * names some compilers' __builtin_cpu_supports lacks. */
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

/* True if the CPU has AMX with bf16 and the system supports its registers (bits 17 and 18 of XCR0). */
static bool has_amx(void)
{
#if defined(HEED_NO_AMX) /* isa/amx.h */
    return false;
#else
    const unsigned bf16 = 1u << 22, tiles = 1u << 24, registers = 3u << 17;
    unsigned a, b, c, d, low, high;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (d & (bf16 | tiles)) != (bf16 | tiles))
        return false;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0)); /* exists on every CPU with AVX */
    return (low & registers) == registers;
#endif
}
#endif

/* Best first; the last one always works. */
static const isa isas[] = {
#if defined(HEED_X86_KERNELS)
    {"avx512", has_v4},
    {"avx2", has_v3},
#elif defined(HEED_ARM_KERNELS)
    {"neon", always}, /* part of AArch64 */
#endif
    {"scalar", always},
};
enum { ISA_COUNT = sizeof isas / sizeof isas[0] };

/* In the same order as isas. */
#define BOTH_DTYPES(name, isa)                                                                                         \
    {                                                                                                                  \
        &heed__##name##_##isa##_f32, &heed__##name##_##isa##_f64                                                       \
    }
#if defined(HEED_X86_KERNELS)
#define VERSIONS(name) BOTH_DTYPES(name, avx512), BOTH_DTYPES(name, avx2), BOTH_DTYPES(name, scalar)
#elif defined(HEED_ARM_KERNELS)
#define VERSIONS(name) BOTH_DTYPES(name, neon), BOTH_DTYPES(name, scalar)
#else
#define VERSIONS(name) BOTH_DTYPES(name, scalar)
#endif
#define KERNEL(type, name) type *const *const heed__kernel_##name[][2] = {VERSIONS(name)};
#include "kernels/kernels.def"

int heed__isa_named(const char *name)
{
    for (int i = 0; i < ISA_COUNT; i++)
        if (strcmp(name, isas[i].name) == 0 && isas[i].supported())
            return i;
    return -1;
}

atomic_int heed__isa_in_force = -1;

#if defined(HEED_X86_KERNELS)
static atomic_bool multiplies_bf16, has_unit;
#endif

static atomic_int second_level_cache;

int heed__second_level_cache(void)
{
    enum { COMMON = 1 << 20 };
    const int bytes = atomic_load_explicit(&second_level_cache, memory_order_relaxed);
    return bytes > 0 ? bytes : COMMON;
}

/* Threads that call this at the same time choose the same instruction set. heed__isa_in_force is stored last, because
 * it signals that everything is chosen. */
bool heed__choose_isa(const char **named)
{
    *named = getenv("HEED_ISA");
    int chosen = 0;
    if (*named && **named)
        chosen = heed__isa_named(*named);
    else
        while (!isas[chosen].supported()) /* the best one is first */
            chosen++;
#if defined(HEED_X86_KERNELS)
    unsigned a, b, kilobytes, d; /* bits 16 to 31 of ECX in this leaf are the size in KiB */
    if (__get_cpuid(0x80000006, &a, &b, &kilobytes, &d))
        atomic_store_explicit(&second_level_cache, (int)(kilobytes >> 16) << 10, memory_order_relaxed);
    const bool bf16 = chosen >= 0 && isas[chosen].supported == has_v4 && __builtin_cpu_supports("avx512bf16");
    atomic_store_explicit(&has_unit, bf16 && has_amx(), memory_order_release);
    atomic_store_explicit(&multiplies_bf16, bf16, memory_order_release);
#endif
    if (chosen >= 0)
        atomic_store_explicit(&heed__isa_in_force, chosen, memory_order_release);
    return chosen >= 0;
}

heed__matmul_kernel *heed__matmul_bf16(void)
{
#if defined(HEED_X86_KERNELS)
    return atomic_load_explicit(&multiplies_bf16, memory_order_acquire) ? heed__matmul_bf16_avx512 : NULL;
#else
    return NULL;
#endif
}

heed__attention_kernel *heed__attention_bf16(void)
{
#if defined(HEED_X86_KERNELS)
    return heed__matmul_bf16() && !heed__has_matrix_unit() ? heed__attention_bf16_avx512 : NULL;
#else
    return NULL;
#endif
}

heed__attention_grad_kernel *heed__attention_grad_bf16(void)
{
#if defined(HEED_X86_KERNELS)
    return heed__attention_bf16() ? heed__attention_grad_bf16_avx512 : NULL;
#else
    return NULL;
#endif
}

bool heed__has_matrix_unit(void)
{
#if defined(HEED_X86_KERNELS)
    return atomic_load_explicit(&has_unit, memory_order_acquire);
#else
    return false;
#endif
}

void heed__list_isas(char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < ISA_COUNT && used < size; i++)
        if (isas[i].supported())
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", isas[i].name);
}

const char *heed__isa_name(void)
{
    return isas[heed__isa()].name;
}
