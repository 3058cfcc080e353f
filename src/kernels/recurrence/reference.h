/* kernels/recurrence/reference.h - the states of an RNN, GRU or LSTM over the steps of one sequence, as plain loops.
 * reference_grad.h has their gradients. The kernels compute the same up to rounding, for a batch of sequences, with W
 * in panels (products.h). The tests take expected values from here. The library does not contain this file.
 *
 * H is the number of hidden units. x (steps, gates H) is the contribution of the inputs to the gates. W is (gates H,
 * H), b (gates H). With s = W h + b, gate by gate, a step computes from the states h and c (H):
 *
 *     RNN    h' = tanh(x + s), or relu(x + s)
 *     GRU    r = sigmoid(x_r + s_r)   z = sigmoid(x_z + s_z)   n = tanh(x_n + r s_n)   h' = n + z (h - n)
 *     LSTM   i = sigmoid(x_i + s_i)   f = sigmoid(x_f + s_f)   g = tanh(x_g + s_g)     o = sigmoid(x_o + s_o)
 *            c' = f c + i g           h' = o tanh(c')
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_KERNELS_RECURRENCE_REFERENCE_H
#define HEED_KERNELS_RECURRENCE_REFERENCE_H

#include <math.h>
#include <stdint.h>

enum { REFERENCE_TANH, REFERENCE_RELU, REFERENCE_GRU, REFERENCE_LSTM };

typedef struct reference_recurrence {
    int cell;
    int64_t steps, hidden;
    const double *x, *w, *b;
    double *h, *c;   /* (steps + 1, H): the states before the first step, and after every step */
    double *saved;   /* (steps, 5, H) for backward: r, z, n and s_n for the GRU; i, f, g, o and c' for the LSTM */
    const double *g; /* (steps, H), the gradient of h' of every step */
    double *dx, *ds; /* (steps, gates H), the gradients of x and of s; they differ for gate n of the GRU only */
    double *dh, *dc; /* (H), the gradients of the last states; after the backward pass, of the first ones */
} reference_recurrence;

static inline int reference_gates(int cell)
{
    return cell == REFERENCE_GRU ? 3 : cell == REFERENCE_LSTM ? 4 : 1;
}

/* s = W h + b for unit j of a gate. */
static inline double reference_from_state(const reference_recurrence *r, const double *h, int gate, int64_t j)
{
    const int64_t H = r->hidden, row = gate * H + j;
    long double sum = r->b[row];
    for (int64_t l = 0; l < H; l++)
        sum += (long double)r->w[row * H + l] * h[l];
    return (double)sum;
}

static inline double reference_sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* Unit j of step t: x + s, tanh and sigmoid, and the new state. */
static inline void reference_recur_unit(const reference_recurrence *r, int64_t t, int64_t j)
{
    const int64_t H = r->hidden;
    const int gates = reference_gates(r->cell);
    const double *h = r->h + t * H, *c = r->c + t * H;
    double s[4], sum[4], *saved = r->saved + t * 5 * H + j, *h_next = r->h + (t + 1) * H + j;
    for (int gate = 0; gate < gates; gate++) {
        s[gate] = reference_from_state(r, h, gate, j);
        sum[gate] = r->x[(t * gates + gate) * H + j] + s[gate];
    }
    if (r->cell == REFERENCE_TANH)
        *h_next = tanh(sum[0]);
    if (r->cell == REFERENCE_RELU)
        *h_next = fmax(sum[0], 0);
    if (r->cell == REFERENCE_GRU) {
        saved[0] = reference_sigmoid(sum[0]);
        saved[H] = reference_sigmoid(sum[1]);
        saved[2 * H] = tanh(r->x[(t * gates + 2) * H + j] + saved[0] * s[2]);
        saved[3 * H] = s[2];
        *h_next = saved[2 * H] + saved[H] * (h[j] - saved[2 * H]);
    }
    if (r->cell == REFERENCE_LSTM) {
        for (int gate = 0; gate < 4; gate++)
            saved[gate * H] = gate == 2 ? tanh(sum[2]) : reference_sigmoid(sum[gate]);
        saved[4 * H] = r->c[(t + 1) * H + j] = saved[H] * c[j] + saved[0] * saved[2 * H];
        *h_next = saved[3 * H] * tanh(saved[4 * H]);
    }
}

static inline void reference_recur(const reference_recurrence *r)
{
    for (int64_t t = 0; t < r->steps; t++)
        for (int64_t j = 0; j < r->hidden; j++)
            reference_recur_unit(r, t, j);
}

#endif
