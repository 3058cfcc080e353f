/* plot/ticks.h - where an axis has marks and what is written there. */
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
    const char *const *names; /* ticks with names have no `at`: they stand at first, first + stride, ... */
    int64_t first, stride;
    heed__tick at[HEED__MAX_TICKS];
    double minor[HEED__MAX_MINOR_TICKS];
    char factor[HEED__TICK_LABEL_SIZE]; /* what is to be done to all labels: "×10⁶", "+1.5×10⁹"; else "" */
} heed__ticks;

/* Multiples of 1, 2, 2.5 or 5 times a power of ten from low to high: at most `most` steps, or smaller ones where two
 * ticks need them. `whole`: only whole numbers. high - low is no less than 1e-13 of either. */
void heed__ticks_linear(heed__ticks *ticks, double low, double high, int most, bool whole);

/* Powers of ten, or numbers between them where the range is short; 0 < low < high. */
void heed__ticks_log(heed__ticks *ticks, double low, double high, int most);

/* names[i] at i, for every i from low to high that `stride`, 1 or more, divides. */
void heed__ticks_names(heed__ticks *ticks, const char *const *names, int64_t count, int64_t stride, double low,
                       double high);

/* Tick i of those; a name that is too long for its label ends in an ellipsis. */
heed__tick heed__ticks_name(const heed__ticks *ticks, int i);

#endif
