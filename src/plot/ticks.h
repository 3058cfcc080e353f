/* plot/ticks.h - positions and labels of the ticks of an axis.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_PLOT_TICKS_H
#define HEED_PLOT_TICKS_H

#include <stdbool.h>
#include <stdint.h>

#define HEED__MAX_TICKS 16
#define HEED__MAX_MINOR_TICKS 96
#define HEED__TICK_LABEL_SIZE 48

typedef struct heed__tick {
    double value;
    char label[HEED__TICK_LABEL_SIZE];
} heed__tick;

typedef struct heed__ticks {
    int count, minor_count;
    const char *const *names; /* NULL, or names; named ticks are at first, first + stride, ... and do not use `at` */
    int64_t first, stride;
    heed__tick at[HEED__MAX_TICKS];
    double minor[HEED__MAX_MINOR_TICKS];
    char factor[HEED__TICK_LABEL_SIZE]; /* factor and summand of all labels: "×10⁶", "+1.5×10⁹", or "" */
} heed__ticks;

/* Sets ticks from low to high at the multiples of a step, which is 1, 2, 2.5 or 5 times a power of ten. There are at
 * most `most` steps, but at least two ticks. `whole` means that ticks must be whole numbers. high - low must be at
 * least 1e-13 times the magnitude of low and of high. */
void heed__ticks_linear(heed__ticks *ticks, double low, double high, int most, bool whole);

/* Sets ticks at powers of ten, or also at numbers between them if the range is short. Requires 0 < low < high. */
void heed__ticks_log(heed__ticks *ticks, double low, double high, int most);

/* Sets ticks at round dates of the years 0 to 9999, such as the beginnings of quarters. Numbers are days since
 * 1970-01-01. */
void heed__ticks_dates(heed__ticks *ticks, double low, double high, int most);

/* Sets named ticks: names[i] at the number i, for every i from low to high that is a multiple of `stride`. stride must
 * be at least 1. */
void heed__ticks_names(heed__ticks *ticks, const char *const *names, int64_t count, int64_t stride, double low,
                       double high);

/* Returns named tick i. A name too long for its label ends in an ellipsis. */
heed__tick heed__ticks_name(const heed__ticks *ticks, int i);

#endif
