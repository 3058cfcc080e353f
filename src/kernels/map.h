/* kernels/map.h - the loops of elementwise kernels. MAP1(name, constants, formula) defines the kernel FN(name) with
 * y = formula of x, MAP2 with y = formula of a and b; `constants` are declared once, before the loop, from the numbers
 * p. The common strides, 1 and 0, have loops of their own, which vectorise. */
#ifndef HEED_KERNELS_MAP_H
#define HEED_KERNELS_MAP_H

#define LOOP1(index, formula)                                                                                          \
    INDEPENDENT for (int64_t i = 0; i < n; i++)                                                                        \
    {                                                                                                                  \
        const T x = px[index];                                                                                         \
        y[i] = formula;                                                                                                \
    }

#define MAP1(name, constants, formula)                                                                                 \
    static void FN(name)(int64_t n, const void *x_, int64_t sx, void *y_, const double *p)                             \
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

/* y = formula of a register full of x at a time, also at the end of the array; several side by side where there are as
 * many, since one alone would wait for its own results. Strided numbers are gathered first. */
#define MAP_VEC(name, given, formula)                                                                                  \
    static ALWAYS_INLINE FN(vec) FN(name##_once)(FN(vec) x)                                                            \
    {                                                                                                                  \
        given;                                                                                                         \
        return formula;                                                                                                \
    }                                                                                                                  \
                                                                                                                       \
    static void FN(name)(int64_t n, const void *x_, int64_t sx, void *y_, const double *p)                             \
    {                                                                                                                  \
        const T *x = x_;                                                                                               \
        T *y = y_;                                                                                                     \
        if (sx != 1) {                                                                                                 \
            FN(gathered)(FN(name), n, x, sx, y, p);                                                                    \
            return;                                                                                                    \
        }                                                                                                              \
        int64_t i = 0;                                                                                                 \
        for (; i + AT_ONCE * FN(WIDTH) <= n; i += AT_ONCE * FN(WIDTH)) {                                               \
            FN(vec) v[AT_ONCE];                                                                                        \
            UNROLL for (int k = 0; k < AT_ONCE; k++) v[k] = FN(load)(x + i + k * FN(WIDTH));                           \
            UNROLL for (int k = 0; k < AT_ONCE; k++) v[k] = FN(name##_once)(v[k]);                                     \
            UNROLL for (int k = 0; k < AT_ONCE; k++) FN(store)(y + i + k * FN(WIDTH), v[k]);                           \
        }                                                                                                              \
        for (; i + FN(WIDTH) <= n; i += FN(WIDTH))                                                                     \
            FN(store)(y + i, FN(name##_once)(FN(load)(x + i)));                                                        \
        if (i < n)                                                                                                     \
            FN(store_first)(y + i, FN(name##_once)(FN(load_first)(x + i, n - i, FN(every)(1))), n - i);                \
    }

#define LOOP2(index_a, index_b, formula)                                                                               \
    INDEPENDENT for (int64_t i = 0; i < n; i++)                                                                        \
    {                                                                                                                  \
        const T a = pa[index_a], b = pb[index_b];                                                                      \
        y[i] = formula;                                                                                                \
    }

#define MAP2(name, constants, formula)                                                                                 \
    static void FN(name)(int64_t n, const void *a_, int64_t sa, const void *b_, int64_t sb, void *y_, const double *p) \
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

/* The same of two: several kinds of strides are gathered, so that there is one loop. */
#define MAP2_VEC(name, given, formula)                                                                                 \
    static void FN(name)(int64_t n, const void *a_, int64_t sa, const void *b_, int64_t sb, void *y_, const double *p) \
    {                                                                                                                  \
        const T *pa = a_, *pb = b_;                                                                                    \
        T *y = y_;                                                                                                     \
        (void)p;                                                                                                       \
        for (int64_t i = 0; i < n; i += FN(WIDTH)) {                                                                   \
            const int64_t rest = n - i;                                                                                \
            FN(vec) a = FN(load_strided)(pa + i * sa, sa, rest), b = FN(load_strided)(pb + i * sb, sb, rest);          \
            given;                                                                                                     \
            FN(store_at)(y, i, n, formula);                                                                            \
        }                                                                                                              \
    }

/* Both are read before one is taken, so that the loop needs no branch. */
#define WHERE_LOOP(index_a, index_b, index_c)                                                                          \
    INDEPENDENT for (int64_t i = 0; i < n; i++)                                                                        \
    {                                                                                                                  \
        const T b = pb[index_b], c = pc[index_c];                                                                      \
        y[i] = pa[index_a] ? b : c;                                                                                    \
    }

#endif
