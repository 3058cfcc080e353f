/* core/float_mode.h - reads and sets a thread's floating-point mode: rounding, denormals, traps. Setting it preserves
 * the flags of raised exceptions. x86 and ARM use their own instructions because fegetenv and fesetenv take several
 * times longer. */
#ifndef HEED_CORE_FLOAT_MODE_H
#define HEED_CORE_FLOAT_MODE_H

#if defined(__x86_64__) || defined(__i386__)

/* The C libraries of 32-bit x86 and of Windows compute with x87. */
typedef struct heed__arithmetic {
    unsigned sse;
    unsigned short x87;
} heed__arithmetic;
enum { HEED_RAISED = 0x3f };

static inline heed__arithmetic heed__float_mode(void)
{
    heed__arithmetic mode = {.sse = __builtin_ia32_stmxcsr()};
    __asm__ volatile("fnstcw %0" : "=m"(mode.x87));
    return mode;
}

static inline void heed__set_float_mode(heed__arithmetic mode)
{
    __builtin_ia32_ldmxcsr((mode.sse & ~(unsigned)HEED_RAISED) | (__builtin_ia32_stmxcsr() & HEED_RAISED));
    __asm__ volatile("fldcw %0" : : "m"(mode.x87));
}

#elif defined(__aarch64__)

#include <stdint.h>

typedef uint64_t heed__arithmetic;

static inline heed__arithmetic heed__float_mode(void)
{
    heed__arithmetic mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
}

static inline void heed__set_float_mode(heed__arithmetic mode)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(mode) : "memory");
}

#else

#include <fenv.h>

typedef fenv_t heed__arithmetic;

static inline heed__arithmetic heed__float_mode(void)
{
    heed__arithmetic mode;
    (void)fegetenv(&mode);
    return mode;
}

static inline void heed__set_float_mode(heed__arithmetic mode)
{
    fexcept_t raised;
    (void)fegetexceptflag(&raised, FE_ALL_EXCEPT);
    (void)fesetenv(&mode);
    (void)fesetexceptflag(&raised, FE_ALL_EXCEPT);
}

#endif

#endif
