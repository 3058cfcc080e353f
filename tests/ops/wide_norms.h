/* tests/ops/wide_norms.h - norms, deviations, normalisations and distances in long double, for test_extreme_norms.c.
 * The functions compute y from x (ROWS, COLUMNS) and the number p, and return the size of y.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef WIDE_NORMS_H
#define WIDE_NORMS_H

#include <math.h>
#include <stdbool.h>

enum { ROWS = 6, COLUMNS = 8, ALL = ROWS * COLUMNS };

typedef long double wide;

static inline wide mean_of(int n, const wide *x, int step)
{
    wide sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i * step] / n;
    return sum;
}

static inline wide squares_of(int n, const wide *x, int step, wide mean)
{
    wide sum = 0;
    for (int i = 0; i < n; i++)
        sum += (x[i * step] - mean) * (x[i * step] - mean);
    return sum;
}

static inline int exact_norm(const wide *x, double p, wide *y)
{
    for (int r = 0; r < ROWS; r++) {
        const wide *row = x + r * COLUMNS, size = fabsl(row[0]);
        wide sum = 0;
        for (int i = 0; i < COLUMNS; i++)
            sum += powl(fabsl(row[i]) / size, p);
        y[r] = size * powl(sum, 1 / (wide)p);
    }
    return ROWS;
}

static inline int exact_var(const wide *x, double p, wide *y)
{
    for (int r = 0; r < ROWS; r++) {
        const wide *row = x + r * COLUMNS;
        y[r] = squares_of(COLUMNS, row, 1, mean_of(COLUMNS, row, 1)) / (COLUMNS - (wide)p);
    }
    return ROWS;
}

static inline int exact_std(const wide *x, double p, wide *y)
{
    exact_var(x, p, y);
    for (int r = 0; r < ROWS; r++)
        y[r] = sqrtl(y[r]);
    return ROWS;
}

/* n numbers, `step` apart. */
static inline void normalise(int n, const wide *x, int step, bool uncentred, double eps, wide *y)
{
    const wide mean = uncentred ? 0 : mean_of(n, x, step);
    const wide root = sqrtl(squares_of(n, x, step, mean) / n + eps);
    for (int i = 0; i < n; i++)
        y[i * step] = (x[i * step] - mean) / root;
}

static inline int exact_layer_norm(const wide *x, double p, wide *y)
{
    for (int r = 0; r < ROWS; r++)
        normalise(COLUMNS, x + r * COLUMNS, 1, false, p, y + r * COLUMNS);
    return ALL;
}

static inline int exact_rms_norm(const wide *x, double p, wide *y)
{
    for (int r = 0; r < ROWS; r++)
        normalise(COLUMNS, x + r * COLUMNS, 1, true, p, y + r * COLUMNS);
    return ALL;
}

static inline int exact_batch_norm(const wide *x, double p, wide *y)
{
    for (int r = 0; r < COLUMNS; r++)
        normalise(ROWS, x + r, COLUMNS, false, p, y + r);
    return ALL;
}

/* For channels of rows of two: (ROWS / 2, 2, COLUMNS), every row is a channel; pairs of rows are a group. */
static inline int exact_group_norm(const wide *x, double p, wide *y)
{
    for (int r = 0; r < ROWS; r += 2)
        normalise(2 * COLUMNS, x + r * COLUMNS, 1, false, p, y + r * COLUMNS);
    return ALL;
}

static inline wide length_of(const wide *x)
{
    return sqrtl(squares_of(COLUMNS, x, 1, 0));
}

/* Returns number i of the second vector of the cosine similarity; it is the same vector for every row. */
static inline double other_of(int i)
{
    static const double numbers[COLUMNS] = {0.5, -1.25, 2, 0.75, -0.5, 1.5, 1, -2};
    return numbers[i];
}

static inline wide exact_cosine(const wide *x)
{
    wide other[COLUMNS], product = 0, length = length_of(x);
    length = length > 1e-8L ? length : 1e-8L;
    for (int i = 0; i < COLUMNS; i++)
        other[i] = other_of(i);
    for (int i = 0; i < COLUMNS; i++)
        product += x[i] / length * (other[i] / length_of(other));
    return product;
}

static inline int exact_cosine_similarity(const wide *x, double p, wide *y)
{
    (void)p;
    for (int r = 0; r < ROWS; r++)
        y[r] = exact_cosine(x + r * COLUMNS);
    return ROWS;
}

static inline int exact_cosine_embedding_loss(const wide *x, double p, wide *y)
{
    (void)p;
    for (int r = 0; r < ROWS; r++)
        y[r] = 1 - exact_cosine(x + r * COLUMNS);
    return ROWS;
}

static inline wide distance_from(const wide *x, wide factor)
{
    wide apart[COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        apart[i] = x[i] - factor * x[(i + 1) % COLUMNS] + 1e-6L;
    return length_of(apart);
}

/* The positive is the rolled row, the negative half of it. */
static inline int exact_triplet(const wide *x, double p, wide *y)
{
    (void)p;
    for (int r = 0; r < ROWS; r++) {
        const wide loss = distance_from(x + r * COLUMNS, 1) - distance_from(x + r * COLUMNS, 0.5) + 1;
        y[r] = loss > 0 ? loss : 0;
    }
    return ROWS;
}

#endif
