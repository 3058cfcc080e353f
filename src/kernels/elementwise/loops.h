/* kernels/elementwise/loops.h - the loops of elementwise kernels. DEFINE_MAP1, DEFINE_MAP_VEC, DEFINE_MAP2 and
 * DEFINE_MAP2_VEC define the function NAME_kernel from a formula of x, or of a and b. */
#ifndef HEED_KERNELS_ELEMENTWISE_LOOPS_H
#define HEED_KERNELS_ELEMENTWISE_LOOPS_H

#include "kernels/kernels.h"
#include "kernels/simd/vec.h"

/* -- Loops over numbers, vectorised by the compiler. The common strides, 1 and 0, have separate loops -------------- */

#define LOOP1(index, formula)                                                                                          \
    {                                                                                                                  \
        INDEPENDENT                                                                                                    \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            const T x = px[index];                                                                                     \
            y[i] = formula;                                                                                            \
        }                                                                                                              \
    }

/* `constants` are declared before the loop, from the kernel's numbers p. */
#define DEFINE_MAP1(name, constants, formula)                                                                          \
    static void name##_kernel(int64_t n, const void *x_, int64_t sx, void *y_, const double *p)                        \
    {                                                                                                                  \
        const T *px = x_;                                                                                              \
        T *y = y_;                                                                                                     \
        (void)p;                                                                                                       \
        constants;                                                                                                     \
        if (sx == 1)                                                                                                   \
            LOOP1(i, formula)                                                                                          \
        else                                                                                                           \
            LOOP1(i *sx, formula)                                                                                      \
    }

#define LOOP2(index_a, index_b, formula)                                                                               \
    {                                                                                                                  \
        INDEPENDENT                                                                                                    \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            const T a = pa[index_a], b = pb[index_b];                                                                  \
            y[i] = formula;                                                                                            \
        }                                                                                                              \
    }

#define DEFINE_MAP2(name, constants, formula)                                                                          \
    static void name##_kernel(int64_t n, const void *a_, int64_t sa, const void *b_, int64_t sb, void *y_,             \
                              const double *p)                                                                         \
    {                                                                                                                  \
        const T *pa = a_, *pb = b_;                                                                                    \
        T *y = y_;                                                                                                     \
        (void)p;                                                                                                       \
        constants;                                                                                                     \
        if (sa == 1 && sb == 1)                                                                                        \
            LOOP2(i, i, formula)                                                                                       \
        else if (sa == 1 && sb == 0)                                                                                   \
            LOOP2(i, 0, formula)                                                                                       \
        else if (sa == 0 && sb == 1)                                                                                   \
            LOOP2(0, i, formula)                                                                                       \
        else                                                                                                           \
            LOOP2(i *sa, i *sb, formula)                                                                               \
    }

/* -- Loops over registers ------------------------------------------------------------------------------------------ */

/* Strided numbers are gathered, GATHERED at a time, for a kernel that takes only contiguous numbers. */
enum { GATHERED = 64 };

static void map_gathered(heed__unary_kernel *kernel, int64_t n, const T *x, int64_t sx, T *y, const double *p)
{
    for (int64_t i = 0; i < n; i += GATHERED) {
        T gathered[GATHERED];
        const int64_t count = n - i < GATHERED ? n - i : GATHERED;
        for (int64_t j = 0; j < count; j++)
            gathered[j] = x[(i + j) * sx];
        kernel(count, gathered, 1, y + i, p);
    }
}

/* y = f(x), including the end of the array; computes INTERLEAVE registers side by side as long as the array permits. */
static ALWAYS_INLINE void map_vec(vec (*f)(vec x, const double *p), int64_t n, const T *x, T *y, const double *p)
{
    int64_t i = 0;
    for (; i + INTERLEAVE * WIDTH <= n; i += INTERLEAVE * WIDTH) {
        vec v[INTERLEAVE];
        UNROLL
        for (int k = 0; k < INTERLEAVE; k++)
            v[k] = load(x + i + k * WIDTH);
        UNROLL
        for (int k = 0; k < INTERLEAVE; k++)
            v[k] = f(v[k], p);
        UNROLL
        for (int k = 0; k < INTERLEAVE; k++)
            store(y + i + k * WIDTH, v[k]);
    }
    for (; i + WIDTH <= n; i += WIDTH)
        store(y + i, f(load(x + i), p));
    if (i < n)
        store_partial(y + i, f(load_partial(x + i, n - i, splat(1)), p), n - i);
}

/* `locals` declares variables from x and p. */
#define DEFINE_MAP_VEC(name, locals, formula)                                                                          \
    static ALWAYS_INLINE vec name##_formula(vec x, const double *p)                                                    \
    {                                                                                                                  \
        (void)p;                                                                                                       \
        locals;                                                                                                        \
        return formula;                                                                                                \
    }                                                                                                                  \
                                                                                                                       \
    static void name##_kernel(int64_t n, const void *x, int64_t sx, void *y, const double *p)                          \
    {                                                                                                                  \
        if (sx == 1)                                                                                                   \
            map_vec(name##_formula, n, x, y, p);                                                                       \
        else                                                                                                           \
            map_gathered(name##_kernel, n, x, sx, y, p);                                                               \
    }

/* Gathers strided numbers in the same loop, so that all kinds of strides share it. */
static ALWAYS_INLINE void map2_vec(vec (*f)(vec a, vec b, const double *p), int64_t n, const T *a, int64_t sa,
                                   const T *b, int64_t sb, T *y, const double *p)
{
    for (int64_t i = 0; i < n; i += WIDTH)
        store_at(y, i, n, f(load_strided(a + i * sa, sa, n - i), load_strided(b + i * sb, sb, n - i), p));
}

#define DEFINE_MAP2_VEC(name, locals, formula)                                                                         \
    static ALWAYS_INLINE vec name##_formula(vec a, vec b, const double *p)                                             \
    {                                                                                                                  \
        (void)p;                                                                                                       \
        locals;                                                                                                        \
        return formula;                                                                                                \
    }                                                                                                                  \
                                                                                                                       \
    static void name##_kernel(int64_t n, const void *a, int64_t sa, const void *b, int64_t sb, void *y,                \
                              const double *p)                                                                         \
    {                                                                                                                  \
        map2_vec(name##_formula, n, a, sa, b, sb, y, p);                                                               \
    }

#endif
