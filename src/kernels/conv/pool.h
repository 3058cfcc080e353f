/* kernels/conv/pool.h - pooling of planes: the maximum and the mean of every window, and their gradients. Means are
 * summed in double.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_CONV_POOL_H
#define HEED_KERNELS_CONV_POOL_H

#include "kernels/kernels.h"
#include "kernels/simd/element.h"

/* The index of the first maximum, or of the last NaN if the window contains NaN. */
static int64_t largest_of(const T *x, const heed__window *down, const heed__window *across, int64_t width)
{
    int64_t best = down->begin * width + across->begin;
    T most = -(T)INFINITY;
    for (int64_t i = down->begin; i < down->end; i += down->step)
        for (int64_t j = across->begin; j < across->end; j += across->step) {
            const T here = x[i * width + j];
            const bool better = (here > most) | (here != here); /* without a branch on data */
            most = better ? here : most;
            best = better ? i * width + j : best;
        }
    return best;
}

static void max_pool_kernel(const heed__pool_args *p, int64_t begin, int64_t end, const void *x_, void *y_,
                            int64_t *index)
{
    const int64_t size = p->size[0] * p->size[1], out = p->out[0] * p->out[1];
    const T *x = (const T *)x_ + begin * size;
    T *y = (T *)y_ + begin * out;
    index += begin * out;
    for (int64_t plane = begin; plane < end; plane++, x += size)
        for (int64_t i = 0; i < p->out[0]; i++)
            for (int64_t j = 0; j < p->out[1]; j++) {
                *index = largest_of(x, &p->window[0][i], &p->window[1][j], p->size[1]);
                *y++ = x[*index++];
            }
}

/* dx = the sum of g over the windows in which the element was the maximum. */
static void max_pool_grad_kernel(const heed__pool_args *p, int64_t begin, int64_t end, const int64_t *index,
                                 const void *g_, void *dx_)
{
    const int64_t size = p->size[0] * p->size[1], out = p->out[0] * p->out[1];
    const T *g = g_;
    for (int64_t plane = begin; plane < end; plane++) {
        T *dx = (T *)dx_ + plane * size;
        for (int64_t i = 0; i < size; i++)
            dx[i] = 0;
        for (int64_t i = plane * out; i < (plane + 1) * out; i++)
            dx[index[i]] += g[i];
    }
}

static double divisor_of_window(const heed__pool_args *p, int64_t i, int64_t j)
{
    return p->divisor != 0 ? (double)p->divisor : (double)p->window[0][i].count * (double)p->window[1][j].count;
}

/* Adds up rows first, for a whole row of windows. */
static void avg_pool_kernel(const heed__pool_args *p, int64_t begin, int64_t end, const void *x_, void *y_,
                            double *sums)
{
    const int64_t width = p->size[1];
    T *y = (T *)y_ + begin * p->out[0] * p->out[1];
    for (int64_t plane = begin; plane < end; plane++)
        for (int64_t i = 0; i < p->out[0]; i++) {
            const T *x = (const T *)x_ + (plane * p->size[0] + p->window[0][i].begin) * width;
            for (int64_t j = 0; j < width; j++)
                sums[j] = (double)x[j];
            for (int64_t row = p->window[0][i].begin + 1; row < p->window[0][i].end; row++) {
                x += width;
                for (int64_t j = 0; j < width; j++)
                    sums[j] += (double)x[j];
            }
            for (int64_t j = 0; j < p->out[1]; j++) {
                double sum = 0;
                for (int64_t k = p->window[1][j].begin; k < p->window[1][j].end; k++)
                    sum += sums[k];
                *y++ = (T)(sum / divisor_of_window(p, i, j));
            }
        }
}

/* dx = the sum of g / divisor over the windows that contain the element. */
static void avg_pool_grad_kernel(const heed__pool_args *p, int64_t begin, int64_t end, const void *g_, void *dx_,
                                 double *sums)
{
    const int64_t width = p->size[1];
    const T *g = (const T *)g_ + begin * p->out[0] * p->out[1];
    for (int64_t plane = begin; plane < end; plane++) {
        T *dx = (T *)dx_ + plane * p->size[0] * width;
        for (int64_t i = 0; i < p->size[0] * width; i++)
            dx[i] = 0;
        for (int64_t i = 0; i < p->out[0]; i++) {
            for (int64_t j = 0; j < width; j++)
                sums[j] = 0;
            for (int64_t j = 0; j < p->out[1]; j++) {
                const double share = (double)*g++ / divisor_of_window(p, i, j);
                for (int64_t k = p->window[1][j].begin; k < p->window[1][j].end; k++)
                    sums[k] += share;
            }
            for (int64_t row = p->window[0][i].begin; row < p->window[0][i].end; row++)
                for (int64_t j = 0; j < width; j++)
                    dx[row * width + j] += (T)sums[j];
        }
    }
}

#endif
