/* kernels/recurrence/reference_grad.h - the gradients of the recurrences in reference.h, backward through the steps.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_RECURRENCE_REFERENCE_GRAD_H
#define HEED_KERNELS_RECURRENCE_REFERENCE_GRAD_H

#include "kernels/recurrence/reference.h"

/* Unit j of step t: the gradients of x and of s. dh and dc become the gradients of the states before the step, without
 * the part through W. */
static inline void reference_recur_grad_unit(const reference_recurrence *r, int64_t t, int64_t j)
{
    const int64_t H = r->hidden;
    double *dx = r->dx + t * reference_gates(r->cell) * H, *ds = r->ds + t * reference_gates(r->cell) * H;
    double *dh = r->dh, *dc = r->dc;
    const double h = r->h[t * H + j], y = r->h[(t + 1) * H + j], *saved = r->saved + t * 5 * H + j;
    const double g = dh[j];
    dh[j] = 0;
    if (r->cell == REFERENCE_TANH)
        ds[j] = g * (1 - y * y);
    if (r->cell == REFERENCE_RELU)
        ds[j] = y > 0 ? g : 0;
    if (r->cell == REFERENCE_GRU) {
        const double reset = saved[0], z = saved[H], n = saved[2 * H], s_n = saved[3 * H];
        const double dn = g * (1 - z) * (1 - n * n);
        ds[j] = dn * s_n * reset * (1 - reset);
        ds[H + j] = g * (h - n) * z * (1 - z);
        ds[2 * H + j] = dn * reset;
        dx[2 * H + j] = dn;
        dh[j] = g * z;
    }
    if (r->cell == REFERENCE_LSTM) {
        const double i = saved[0], f = saved[H], u = saved[2 * H], o = saved[3 * H], tanh_c = tanh(saved[4 * H]);
        const double dc_after = dc[j] + g * o * (1 - tanh_c * tanh_c);
        ds[j] = dc_after * u * i * (1 - i);
        ds[H + j] = dc_after * r->c[t * H + j] * f * (1 - f);
        ds[2 * H + j] = dc_after * i * (1 - u * u);
        ds[3 * H + j] = g * tanh_c * o * (1 - o);
        dc[j] = dc_after * f;
    }
    for (int gate = 0; gate < (r->cell == REFERENCE_GRU ? 2 : reference_gates(r->cell)); gate++)
        dx[gate * H + j] = ds[gate * H + j];
}

static inline void reference_recur_grad(const reference_recurrence *r)
{
    const int64_t H = r->hidden, width = reference_gates(r->cell) * H;
    for (int64_t t = r->steps - 1; t >= 0; t--) {
        for (int64_t j = 0; j < H; j++) {
            r->dh[j] += r->g[t * H + j];
            reference_recur_grad_unit(r, t, j);
        }
        for (int64_t j = 0; j < H; j++) {
            long double sum = r->dh[j];
            for (int64_t row = 0; row < width; row++)
                sum += (long double)r->ds[t * width + row] * r->w[row * H + j];
            r->dh[j] = (double)sum;
        }
    }
}

#endif
