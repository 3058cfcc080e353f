/* kernels/simd/tanh_table.h - tanh in f32 by polynomials of degree 5 on 31 intervals, and the lookup of their
 * coefficients.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_SIMD_TANH_TABLE_H
#define HEED_KERNELS_SIMD_TANH_TABLE_H

#include "kernels/simd/vec.h"

/* tanh(TANH_STEP n + r) for |r| <= TANH_STEP / 2: row n has the coefficients of r^0, r^1, ..., r^5. The polynomials
 * have the smallest relative errors, 8e-8 for n = 1 and below 2e-8 for other n. For n = 0 the polynomial is r times a
 * polynomial of r^2 and r^3, and for n = 31 it is the constant 1. */
#define TANH_STEP 0.2890625f
enum { TANH_TABLE_TERMS = 6 };
#define TANH_ROWS(ROW)                                                                                                 \
    ROW(0.f, 1.f, 0.f, -0.333349913f, 0.000477532885f, 0.129716396f)                                                   \
    ROW(0.281271696f, 0.920886576f, -0.259002179f, -0.234172329f, 0.149968818f, 0.0580607913f)                         \
    ROW(0.52130127f, 0.72824508f, -0.379626781f, -0.0448731668f, 0.148863345f, -0.0452383943f)                         \
    ROW(0.69994235f, 0.510080695f, -0.357030123f, 0.0798678473f, 0.0634922236f, -0.0590618923f)                        \
    ROW(0.819814026f, 0.327904969f, -0.268825471f, 0.111085311f, -0.000899746316f, -0.0287579708f)                     \
    ROW(0.894762099f, 0.199400783f, -0.178418413f, 0.0931759849f, -0.0236225519f, -0.0054486692f)                      \
    ROW(0.939570844f, 0.117206663f, -0.110124506f, 0.0644015148f, -0.0237311423f, 0.0034115084f)                       \
    ROW(0.965646565f, 0.0675266758f, -0.0652068481f, 0.0404582284f, -0.017340228f, 0.00472764112f)                     \
    ROW(0.980583072f, 0.038456887f, -0.0377099849f, 0.0241590012f, -0.0111437198f, 0.00370452623f)                     \
    ROW(0.989061475f, 0.0217574462f, -0.0215192903f, 0.014031522f, -0.00672543794f, 0.00244223f)                       \
    ROW(0.993849277f, 0.0122636482f, -0.0121881086f, 0.00802531559f, -0.00392718427f, 0.00149074849f)                  \
    ROW(0.996545076f, 0.00689789839f, -0.00687399879f, 0.00455098134f, -0.00225254172f, 0.000875370577f)               \
    ROW(0.998060524f, 0.00387524627f, -0.00386769022f, 0.00256845728f, -0.00127933745f, 0.000503556745f)               \
    ROW(0.99891156f, 0.00217566849f, -0.00217327732f, 0.00144569867f, -0.000722637924f, 0.000286445109f)               \
    ROW(0.999389291f, 0.0012210228f, -0.00122026401f, 0.000812516548f, -0.000406940206f, 0.000161938515f)              \
    ROW(0.999657393f, 0.000685115403f, -0.000684873259f, 0.000456269772f, -0.000228769961f, 9.12360629e-05f)           \
    ROW(0.999807775f, 0.000384372717f, -0.000384294661f, 0.000256098225f, -0.000128484942f, 5.13038467e-05f)           \
    ROW(0.999892175f, 0.00021563175f, -0.000215606153f, 0.000143706595f, -7.21228353e-05f, 2.88182382e-05f)            \
    ROW(0.999939501f, 0.000120964178f, -0.000120955541f, 8.06273601e-05f, -4.04727652e-05f, 1.61779662e-05f)           \
    ROW(0.999966085f, 6.78565557e-05f, -6.78535143e-05f, 4.52326531e-05f, -2.27080491e-05f, 9.07891899e-06f)           \
    ROW(0.999980986f, 3.80646452e-05f, -3.80635029e-05f, 2.53747294e-05f, -1.27395979e-05f, 5.09404026e-06f)           \
    ROW(0.999989331f, 2.13525091e-05f, -2.1352047e-05f, 1.42344088e-05f, -7.1467507e-06f, 2.85788428e-06f)             \
    ROW(0.99999404f, 1.19777287e-05f, -1.1977525e-05f, 7.98492965e-06f, -4.00911586e-06f, 1.60324942e-06f)             \
    ROW(0.999996662f, 6.71891439e-06f, -6.71881799e-06f, 4.47918683e-06f, -2.24895825e-06f, 8.993797e-07f)             \
    ROW(0.999998093f, 3.76897492e-06f, -3.76892649e-06f, 2.51261076e-06f, -1.26156624e-06f, 5.04518312e-07f)           \
    ROW(0.999998927f, 2.11420502e-06f, -2.11417955e-06f, 1.40945156e-06f, -7.07679305e-07f, 2.83012923e-07f)           \
    ROW(0.999999404f, 1.18596211e-06f, -1.18594835e-06f, 7.90632157e-07f, -3.96973604e-07f, 1.58757061e-07f)           \
    ROW(0.999999642f, 6.65264622e-07f, -6.65257119e-07f, 4.43504916e-07f, -2.22682473e-07f, 8.9055014e-08f)            \
    ROW(0.999999821f, 3.73179688e-07f, -3.73175538e-07f, 2.48783863e-07f, -1.24913697e-07f, 4.99554531e-08f)           \
    ROW(0.999999881f, 2.09334843e-07f, -2.09332526e-07f, 1.39555141e-07f, -7.00702785e-08f, 2.80225052e-08f)           \
    ROW(0.99999994f, 1.17426211e-07f, -1.17424918e-07f, 7.82833496e-08f, -3.93058777e-08f, 1.57192126e-08f)            \
    ROW(1.f, 0.f, 0.f, 0.f, 0.f, 0.f)

#if defined(HAVE_LOOKUP32)

#define COEFFICIENT_0(a, b, c, d, e, f) a,
#define COEFFICIENT_1(a, b, c, d, e, f) b,
#define COEFFICIENT_2(a, b, c, d, e, f) c,
#define COEFFICIENT_3(a, b, c, d, e, f) d,
#define COEFFICIENT_4(a, b, c, d, e, f) e,
#define COEFFICIENT_5(a, b, c, d, e, f) f,

static const float tanh_table[TANH_TABLE_TERMS][32] = {{TANH_ROWS(COEFFICIENT_0)}, {TANH_ROWS(COEFFICIENT_1)},
                                                       {TANH_ROWS(COEFFICIENT_2)}, {TANH_ROWS(COEFFICIENT_3)},
                                                       {TANH_ROWS(COEFFICIENT_4)}, {TANH_ROWS(COEFFICIENT_5)}};

/* c[k] = coefficient k of row n mod 32, for n in every lane. */
static ALWAYS_INLINE void tanh_coefficients(vec_bits n, vec *c)
{
    UNROLL
    for (int k = 0; k < TANH_TABLE_TERMS; k++)
        c[k] = lookup32(tanh_table[k], number_vec(n));
}

#else

#define COEFFICIENTS(a, b, c, d, e, f) {a, b, c, d, e, f},

static const _Alignas(32) float tanh_table[32][8] = {TANH_ROWS(COEFFICIENTS)};

#if VECTOR_BYTES == 16
static ALWAYS_INLINE vec load_quads(const T *a, const T *b)
{
    (void)b;
    return load(a);
}
#endif

/* Transposes four registers in place. Every 16 bytes of the registers are a matrix of 4 x 4 numbers. */
static ALWAYS_INLINE void transpose_quads(vec *v)
{
#if defined(HAVE_SHUFFLE)
    vec_mask even, odd, low, high;
    UNROLL16
    for (int l = 0; l < WIDTH; l++) {
        even[l] = l / 4 * 4 + l % 4 / 2 + l % 2 * WIDTH;
        odd[l] = even[l] + 2;
        low[l] = l / 4 * 4 + l % 2 + l % 4 / 2 * WIDTH;
        high[l] = low[l] + 2;
    }
    const vec a = __builtin_shuffle(v[0], v[1], even), b = __builtin_shuffle(v[2], v[3], even),
              c = __builtin_shuffle(v[0], v[1], odd), d = __builtin_shuffle(v[2], v[3], odd);
    v[0] = __builtin_shuffle(a, b, low);
    v[1] = __builtin_shuffle(a, b, high);
    v[2] = __builtin_shuffle(c, d, low);
    v[3] = __builtin_shuffle(c, d, high);
#else
    const vec from[4] = {v[0], v[1], v[2], v[3]};
    for (int i = 0; i < 4; i++)
        for (int l = 0; l < WIDTH; l++)
            v[i][l] = from[l % 4][l / 4 * 4 + i];
#endif
}

/* c[k] = coefficient k of row n mod 32, for n in every lane. Loads the rows and transposes them. */
static ALWAYS_INLINE void tanh_coefficients(vec_bits n, vec *c)
{
    vec first[4], rest[4];
    BITS row[WIDTH];
    n &= 31;
    memcpy(row, &n, sizeof row);
    UNROLL
    for (int l = 0; l < 4; l++) {
        const T *a = tanh_table[row[l]], *b = tanh_table[row[WIDTH - 4 + l]];
        first[l] = load_quads(a, b);
        rest[l] = load_quads(a + 4, b + 4);
    }
    transpose_quads(first);
    transpose_quads(rest);
    memcpy(c, first, sizeof first);
    memcpy(c + 4, rest, (TANH_TABLE_TERMS - 4) * sizeof *rest);
}

#endif

#endif
