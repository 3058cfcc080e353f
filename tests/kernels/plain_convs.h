/* tests/kernels/plain_convs.h - convolutions of the arrays x, w and bias as plain loops in long double, for
 * test_kernels_conv.c. */
#ifndef HEED_TESTS_PLAIN_CONVS_H
#define HEED_TESTS_PLAIN_CONVS_H

#include "kernel_arrays.h"

static array x, w, bias, y;

/* Returns the index that axis a reads at position p and tap t, or -1 in the padding. */
static inline int64_t index_at(const heed__conv_axis *a, int64_t p, int64_t t)
{
    const int64_t i = p * a->step + a->first + t * a->apart;
    return i >= 0 && i < a->size ? i : -1;
}

/* Returns x under the tap (t, u) of the position (p, q), or 0 in the padding. */
static inline long double input_at(const heed__conv_args *s, int dtype, int64_t n, int64_t c, const int64_t at[4])
{
    const int64_t i = index_at(&s->axis[0], at[0], at[2]), j = index_at(&s->axis[1], at[1], at[3]);
    return i < 0 || j < 0 ? 0
                          : array_get(dtype, x.storage, n * s->x_image + c * s->x_channel + i * s->axis[1].size + j);
}

static inline long double plain(const heed__conv_args *s, int dtype, int64_t n, int64_t row, int64_t p, int64_t q)
{
    long double sum = array_get(dtype, bias.storage, row / heed__conv_fan(s));
    int64_t k = row * heed__conv_terms(s);
    for (int64_t c = 0; c < s->channels; c++)
        for (int64_t t = 0; t < s->axis[0].taps; t++)
            for (int64_t u = 0; u < s->axis[1].taps; u++)
                sum += array_get(dtype, w.storage, k++) * input_at(s, dtype, n, c, (int64_t[]){p, q, t, u});
    return sum;
}

static inline int64_t place_of(const heed__conv_args *s, int64_t n, int64_t row, int64_t p, int64_t q)
{
    const heed__conv_axis *a = s->axis;
    const int64_t fan = heed__conv_fan(s), t = fan == 1 ? 0 : row % fan / a[1].fan, u = fan == 1 ? 0 : row % a[1].fan;
    return n * s->y_image + row / fan * s->y_row +
           (a[0].out_first + p * a[0].out_step + t * a[0].fan_apart) * a[1].out_size + a[1].out_first +
           q * a[1].out_step + u * a[1].fan_apart;
}

/* The sum over images and positions; y holds g. */
static inline long double plain_weight(const heed__conv_args *s, int dtype, int64_t row, int64_t k)
{
    const int64_t wide = s->axis[1].taps, taps = s->axis[0].taps * wide, c = k / taps;
    long double sum = 0;
    for (int64_t n = 0; n < s->images; n++)
        for (int64_t p = 0; p < s->axis[0].positions; p++)
            for (int64_t q = 0; q < s->axis[1].positions; q++)
                sum += array_get(dtype, y.storage, n * s->y_image + row * s->y_row + p * s->axis[1].positions + q) *
                       input_at(s, dtype, n, c, (int64_t[]){p, q, k % taps / wide, k % wide});
    return sum;
}

#endif
