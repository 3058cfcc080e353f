/* kernels/attention/additive_pairs.h - additive attention: computes tanh(a + b) for every pair of a row a and a key b,
 * without storing it.
 *
 *     tanh(a + b) = n / (n + 2)    with n = e^(2a + 2b) - 1 = m_a p_b + m_b = p_a p_b - 1,  n + 2 = p_a p_b + 1,
 *
 * where p = e^2x and m = p - 1 are computed once per row and per key. A pair then needs only multiplications and a
 * division, which two registers share: 1 / x = y / (x y). The first form of n keeps its digits if a and b are small.
 * The second is for a so far below 0 that m_a has lost the digits of p_a; there, rounding has the effect of changing a
 * and b in their last places. Coefficients of a row select the form without a branch: n = A p_b + (S m_b + C).
 *
 * Hidden units are computed in blocks of 2 LANES. Unit h shares its division with unit h + LANES, if the block has more
 * than LANES units; if unit h + LANES is missing, its n is 0 and its n + 2 is 2.
 *
 * The products stay normal numbers for |a|, |b| <= PAIR_HIGH and |w| <= PAIR_FACTOR_HIGH. If a row or a key contains a
 * larger number or NaN, its pairs use the tanh of a + b directly. The method for a pair depends only on its row, its
 * key and w.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_ATTENTION_ADDITIVE_PAIRS_H
#define HEED_KERNELS_ATTENTION_ADDITIVE_PAIRS_H

#include "kernels/kernels.h"
#include "kernels/simd/arena.h"
#include "kernels/simd/exp.h"
#include "kernels/simd/wide.h"

enum { PAIR_UNITS = 2 * LANES, KEY_TILE = 4 };

/* x[0 .. n - 1], then zeros, for any n; all zeros if n <= 0. */
static ALWAYS_INLINE vec load_rest(const T *x, int64_t n)
{
    return n > 0 ? load_up_to(x, n, (vec){0}) : (vec){0};
}

static ALWAYS_INLINE void store_rest(T *y, vec v, int64_t n)
{
    if (n > 0)
        store_up_to(y, v, n);
}

/* m = e^2x - 1 and p = e^2x, as in tanh_vec; x is at most PAIR_HIGH in magnitude. */
static ALWAYS_INLINE void powers(vec x, vec *m, vec *p)
{
    vec t = muladd_vec(x, splat(K(2 * LOG2E)), splat(TANH_ROUNDER));
    vec n = t - TANH_ROUNDER;
    vec r = muladd_vec(n, splat(-K(LN2_HIGH / 2)), x);
    r = muladd_vec(n, splat(-K(LN2_LOW / 2)), r);
    vec power = number_vec(bits_vec(t) << MANTISSA_BITS);
    vec part = muladd_vec(r * r, polynomial_vec(r, tanh_terms, TANH_TERMS), r + r);
    *m = muladd_vec(power, part, power - 1);
    *p = muladd_vec(power, part, power);
}

/* Rows or keys prepared for pairing. Every row or key has several lines of `width` numbers, a whole number of registers
 * padded with x = 0. With a factor w, n = w (e^(2a + 2b) - 1). */
enum { KEY_M, KEY_P, KEY_LINES };               /* w m, p */
enum { ROW_A, ROW_P, ROW_S, ROW_C, ROW_LINES }; /* w A, p, S, w C */

typedef struct prepared {
    int64_t width;
    int64_t lines;
    T *first;
    bool direct[HEED_ADDITIVE_KEYS]; /* its pairs use the tanh of a + b directly */
    bool any_direct;
} prepared;

static prepared prepared_of(arena *a, int64_t n, int64_t lines, int64_t width)
{
    return (prepared){.width = width, .lines = lines, .first = take_array(a, n * lines * width, sizeof(T))};
}

static ALWAYS_INLINE T *prepared_at(const prepared *r, int64_t i)
{
    return r->first + i * r->lines * r->width;
}

static ALWAYS_INLINE void store_row_lines(T *to, int64_t width, vec x, vec m, vec p, vec w)
{
    const vec zero = {0}, one = splat(1);
    const vec_mask far_below = x < -K(0.5);
    store(to + ROW_A * width, w * select_vec(far_below, p, m));
    store(to + ROW_P * width, p);
    store(to + ROW_S * width, select_vec(far_below, zero, one));
    store(to + ROW_C * width, select_vec(far_below, -w, zero));
}

/* Prepares x[0 .. n - 1] as number i. w has `width` factors; NULL means 1. */
static ALWAYS_INLINE void prepare(prepared *r, int64_t i, int64_t n, const T *x, const T *w)
{
    vec inside = {0};
    T *to = prepared_at(r, i);
    for (int64_t h = 0; h < r->width; h += WIDTH) {
        vec x_h = load_rest(x + h, n - h), limited = at_most_vec(at_least_vec(x_h, -PAIR_HIGH), PAIR_HIGH), m, p;
        vec w_h = w ? load(w + h) : splat(1);
        inside += select_vec(x_h == limited, splat(1), (vec){0});
        powers(limited, &m, &p);
        if (r->lines == ROW_LINES) {
            store_row_lines(to + h, r->width, limited, m, p, w_h);
            continue;
        }
        store(to + KEY_M * r->width + h, w_h * m);
        store(to + KEY_P * r->width + h, p);
    }
    r->direct[i] = add_lanes(inside) != (T)r->width;
    r->any_direct = r->any_direct || r->direct[i];
}

/* A register of hidden units shares its division with other units, with missing units, or with none. */
enum sharing { WITH_UNITS, WITH_PADDING, ALONE };

/* w n and n + 2, for register h of a row and of a key. */
static ALWAYS_INLINE void fraction(const T *row, const T *key, int64_t width, int64_t h, vec *n, vec *d)
{
    vec p_b = load(key + KEY_P * width + h), m_b = load(key + KEY_M * width + h);
    vec rest = muladd_vec(load(row + ROW_S * width + h), m_b, load(row + ROW_C * width + h));
    *n = muladd_vec(load(row + ROW_A * width + h), p_b, rest);
    *d = muladd_vec(load(row + ROW_P * width + h), p_b, splat(1));
}

/* Returns the end, at most n, of the span of keys that begins with j and whose keys use the same method with this row
 * and, unless `visible` is NULL, are all visible or all hidden. */
static int64_t end_of_span(const prepared *keys, bool direct_row, const bool *visible, int64_t j, int64_t n)
{
    const bool same_method = direct_row || !keys->any_direct;
    if (same_method && !visible)
        return n;
    int64_t next = j + 1;
    while (next < n && (same_method || keys->direct[next] == keys->direct[j]) &&
           (!visible || visible[next] == visible[j]))
        next++;
    return next;
}

/* Returns which keys from `first` on are visible to row i, or NULL if these are the keys before its length. */
static const bool *additive_visible(const heed__additive_args *s, int64_t i, int64_t first)
{
    const heed__visibility *v = &s->visibility;
    return v->mask ? v->mask + (s->first + i) * v->mask_step.query + first : NULL;
}

static int64_t additive_length(const heed__additive_args *s, int64_t i)
{
    return heed__visible_range(&s->visibility, s->first + i).end;
}

static int64_t longest_length(const heed__additive_args *s)
{
    int64_t most = 0;
    for (int64_t i = 0; i < s->rows; i++)
        if (additive_length(s, i) > most)
            most = additive_length(s, i);
    return most;
}

#endif
