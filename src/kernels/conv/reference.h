/* kernels/conv/reference.h - the computations of this folder as plain loops: the convolution of planes, its gradients,
 * and pooling. The kernels compute the same up to rounding: as products of matrices (conv.h, weight.h), from
 * copies of bands of x (band.h, lines.h), or in fewer multiplications (winograd.h). The tests take expected values from
 * here. The library does not contain this file.
 *
 * x is (images, channels, size[0], size[1]), w is (rows, channels, taps[0], taps[1]), y is (images, rows, positions[0],
 * positions[1]). At tap t, position p of an axis reads the index p step + first + t apart; outside of the plane it
 * reads padding, which is 0. Below, positions, taps and elements of a plane are numbered by rows.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_CONV_REFERENCE_H
#define HEED_KERNELS_CONV_REFERENCE_H

#include <math.h>
#include <stdint.h>

typedef struct reference_conv {
    int64_t images, channels, rows;
    int64_t size[2], taps[2], positions[2], step[2], first[2], apart[2]; /* of both axes */
} reference_conv;

/* The element of the plane that a position reads at a tap; -1 in the padding. */
static inline int64_t reference_read(const reference_conv *s, int64_t position, int64_t tap)
{
    const int64_t p[] = {position / s->positions[1], position % s->positions[1]};
    const int64_t t[] = {tap / s->taps[1], tap % s->taps[1]};
    int64_t index[2];
    for (int a = 0; a < 2; a++) {
        index[a] = p[a] * s->step[a] + s->first[a] + t[a] * s->apart[a];
        if (index[a] < 0 || index[a] >= s->size[a])
            return -1;
    }
    return index[0] * s->size[1] + index[1];
}

/* y[n, i, p] = bias[i] + sum over c and t of w[i, c, t] x[n, c, read(p, t)] */
static inline void reference_convolve(const reference_conv *s, const double *x, const double *w, const double *bias,
                                      double *y)
{
    const int64_t plane = s->size[0] * s->size[1], taps = s->taps[0] * s->taps[1];
    for (int64_t n = 0; n < s->images; n++)
        for (int64_t i = 0; i < s->rows; i++)
            for (int64_t p = 0; p < s->positions[0] * s->positions[1]; p++) {
                long double sum = bias[i];
                for (int64_t c = 0; c < s->channels; c++)
                    for (int64_t t = 0; t < taps; t++) {
                        const int64_t at = reference_read(s, p, t);
                        if (at >= 0)
                            sum += (long double)w[(i * s->channels + c) * taps + t] *
                                   x[(n * s->channels + c) * plane + at];
                    }
                *y++ = (double)sum;
            }
}

/* dw[i, c, t] = sum over n and p of g[n, i, p] x[n, c, read(p, t)] */
static inline void reference_convolve_grad_w(const reference_conv *s, const double *x, const double *g, double *dw)
{
    const int64_t plane = s->size[0] * s->size[1], positions = s->positions[0] * s->positions[1];
    for (int64_t i = 0; i < s->rows; i++)
        for (int64_t c = 0; c < s->channels; c++)
            for (int64_t t = 0; t < s->taps[0] * s->taps[1]; t++) {
                long double sum = 0;
                for (int64_t n = 0; n < s->images; n++)
                    for (int64_t p = 0; p < positions; p++) {
                        const int64_t at = reference_read(s, p, t);
                        if (at >= 0)
                            sum += (long double)g[(n * s->rows + i) * positions + p] *
                                   x[(n * s->channels + c) * plane + at];
                    }
                *dw++ = (double)sum;
            }
}

/* dx[n, c, read(p, t)] += w[i, c, t] g[n, i, p], for all of them. This is also a transposed convolution of g. */
static inline void reference_convolve_grad_x(const reference_conv *s, const double *w, const double *g, double *dx)
{
    const int64_t plane = s->size[0] * s->size[1], positions = s->positions[0] * s->positions[1];
    const int64_t taps = s->taps[0] * s->taps[1];
    for (int64_t n = 0; n < s->images; n++)
        for (int64_t i = 0; i < s->rows; i++)
            for (int64_t p = 0; p < positions; p++)
                for (int64_t c = 0; c < s->channels; c++)
                    for (int64_t t = 0; t < taps; t++) {
                        const int64_t at = reference_read(s, p, t);
                        if (at >= 0)
                            dx[(n * s->channels + c) * plane + at] +=
                                w[(i * s->channels + c) * taps + t] * g[(n * s->rows + i) * positions + p];
                    }
}

/* -- Winograd's algorithm along one axis: 3 taps w and elements x of a tile make results y ------------------------- */

/* y[p] = sum over t of w[t] x[p + t] for 2 positions p, in 4 multiplications instead of 6. */
static inline void reference_winograd_plain(const double w[3], const double x[4], double y[2])
{
    const double m[] = {(x[0] - x[2]) * w[0], (x[1] + x[2]) * (w[0] + w[1] + w[2]) / 2,
                        (x[2] - x[1]) * (w[0] - w[1] + w[2]) / 2, (x[1] - x[3]) * w[2]};
    y[0] = m[0] + m[1] + m[2];
    y[1] = m[1] - m[2] - m[3];
}

/* y[p] = sum over t of w[t] x[2 p + t] for 2 positions p, in 5 multiplications instead of 6. */
static inline void reference_winograd_strided(const double w[3], const double x[5], double y[2])
{
    const double middle = (w[0] + w[2]) * x[2];
    y[0] = w[0] * (x[0] - x[2]) + middle + w[1] * x[1];
    y[1] = w[2] * (x[4] - x[2]) + middle + w[1] * x[3];
}

/* The gradient of the latter by x, from elements x of g: y[0] = w[1] x[0], y[1] = w[0] x[0] + w[2] x[1], y[2] = w[1]
 * x[1], y[3] = w[0] x[1] + w[2] x[2], in 5 multiplications instead of 6. w is reversed: w[0] is the last tap. */
static inline void reference_winograd_spread(const double w[3], const double x[3], double y[4])
{
    const double middle = (w[0] + w[2]) * x[1];
    y[0] = w[1] * x[0];
    y[1] = w[0] * (x[0] - x[1]) + middle;
    y[2] = w[1] * x[1];
    y[3] = middle + w[2] * (x[2] - x[1]);
}

/* -- Pooling of one plane: the taps of a position are its window --------------------------------------------------- */

/* y[p] is the maximum of the window, index[p] its element: the first maximum, or the last NaN. */
static inline void reference_max_pool(const reference_conv *s, const double *x, double *y, int64_t *index)
{
    for (int64_t p = 0; p < s->positions[0] * s->positions[1]; p++) {
        index[p] = -1;
        for (int64_t t = 0; t < s->taps[0] * s->taps[1]; t++) {
            const int64_t at = reference_read(s, p, t);
            if (at >= 0 && (index[p] < 0 || x[at] > y[p] || isnan(x[at]))) {
                y[p] = x[at];
                index[p] = at;
            }
        }
    }
}

/* y[p] = sum over the window of x / divisor; a divisor of 0 stands for the number of elements in the window. Adds the
 * gradient to dx, g[p] / divisor for every element of the window. */
static inline void reference_avg_pool(const reference_conv *s, int64_t divisor, const double *x, const double *g,
                                      double *y, double *dx)
{
    for (int64_t p = 0; p < s->positions[0] * s->positions[1]; p++) {
        int64_t count = 0;
        long double sum = 0;
        for (int64_t t = 0; t < s->taps[0] * s->taps[1]; t++) {
            const int64_t at = reference_read(s, p, t);
            sum += at < 0 ? 0 : x[at];
            count += at >= 0;
        }
        count = divisor ? divisor : count;
        y[p] = (double)(sum / count);
        for (int64_t t = 0; t < s->taps[0] * s->taps[1]; t++) {
            const int64_t at = reference_read(s, p, t);
            if (at >= 0)
                dx[at] += g[p] / (double)count;
        }
    }
}

#endif
