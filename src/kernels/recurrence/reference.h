/* kernels/recurrence/reference.h - the computations of this folder as plain loops: the states of an RNN, GRU or LSTM
 * over the steps of one sequence, and their gradients. The kernels compute the same up to rounding, for a batch of
 * sequences, with W in panels (products.h). The tests take expected values from here. The library does not contain this
 * file.
 *
 * H is the number of hidden units. x (steps, gates H) is the contribution of the inputs to the gates. W is (gates H,
 * H), b (gates H). With s = W h + b, gate by gate, a step computes from the states h and c (H):
 *
 *     RNN    h' = tanh(x + s), or relu(x + s)
 *     GRU    r = sigmoid(x_r + s_r)   z = sigmoid(x_z + s_z)   n = tanh(x_n + r s_n)   h' = n + z (h - n)
 *     LSTM   i = sigmoid(x_i + s_i)   f = sigmoid(x_f + s_f)   g = tanh(x_g + s_g)     o = sigmoid(x_o + s_o)
 *            c' = f c + i g           h' = o tanh(c') */
#ifndef HEED_KERNELS_RECURRENCE_REFERENCE_H
#define HEED_KERNELS_RECURRENCE_REFERENCE_H

#include <math.h>
#include <stdint.h>

enum { REFERENCE_TANH, REFERENCE_RELU, REFERENCE_GRU, REFERENCE_LSTM };

/* `saved` has the numbers of every step that backward needs, (steps, 5, H): r, z, n and s_n for the GRU; i, f, g, o and
 * c' for the LSTM. */
typedef struct reference_recurrence {
    int cell;
    int64_t steps, hidden;
    const double *x, *w, *b;
    double *h, *c; /* (steps + 1, H): the states before the first step, and after every step */
    double *saved;
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

/* Writes h and c after every step, and saved. */
static inline void reference_recur(const reference_recurrence *r)
{
    const int64_t H = r->hidden;
    const int gates = reference_gates(r->cell);
    for (int64_t t = 0; t < r->steps; t++)
        for (int64_t j = 0; j < H; j++) {
            const double *h = r->h + t * H, *c = r->c + t * H;
            double s[4], sum[4], *saved = r->saved + t * 5 * H + j;
            for (int gate = 0; gate < gates; gate++) {
                s[gate] = reference_from_state(r, h, gate, j);
                sum[gate] = r->x[(t * gates + gate) * H + j] + s[gate];
            }
            if (r->cell == REFERENCE_TANH)
                r->h[(t + 1) * H + j] = tanh(sum[0]);
            if (r->cell == REFERENCE_RELU)
                r->h[(t + 1) * H + j] = fmax(sum[0], 0);
            if (r->cell == REFERENCE_GRU) {
                const double reset = reference_sigmoid(sum[0]), z = reference_sigmoid(sum[1]);
                const double n = tanh(r->x[(t * gates + 2) * H + j] + reset * s[2]);
                saved[0] = reset;
                saved[H] = z;
                saved[2 * H] = n;
                saved[3 * H] = s[2];
                r->h[(t + 1) * H + j] = n + z * (h[j] - n);
            }
            if (r->cell == REFERENCE_LSTM) {
                for (int gate = 0; gate < 4; gate++)
                    saved[gate * H] = gate == 2 ? tanh(sum[2]) : reference_sigmoid(sum[gate]);
                saved[4 * H] = r->c[(t + 1) * H + j] = saved[H] * c[j] + saved[0] * saved[2 * H];
                r->h[(t + 1) * H + j] = saved[3 * H] * tanh(saved[4 * H]);
            }
        }
}

/* The gradients of x and of s = W h + b of unit j at step t, dx and ds (gates H); they differ for gate n of the GRU
 * only. dh and dc (H) are the gradients of h' and c'; afterwards those of h and c, without the part through W. */
static inline void reference_recur_grad_unit(const reference_recurrence *r, int64_t t, int64_t j, double *dx,
                                             double *ds, double *dh, double *dc)
{
    const int64_t H = r->hidden;
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

/* Backward through the steps, for g (steps, H), the gradient of h' of every step. dh and dc (H) are the gradients of
 * the last states, and afterwards of the first ones. Writes dx and ds (steps, gates H). */
static inline void reference_recur_grad(const reference_recurrence *r, const double *g, double *dx, double *ds,
                                        double *dh, double *dc)
{
    const int64_t H = r->hidden, width = reference_gates(r->cell) * H;
    for (int64_t t = r->steps - 1; t >= 0; t--) {
        for (int64_t j = 0; j < H; j++) {
            dh[j] += g[t * H + j];
            reference_recur_grad_unit(r, t, j, dx + t * width, ds + t * width, dh, dc);
        }
        for (int64_t j = 0; j < H; j++) {
            long double sum = dh[j];
            for (int64_t row = 0; row < width; row++)
                sum += (long double)ds[t * width + row] * r->w[row * H + j];
            dh[j] = (double)sum;
        }
    }
}

#endif
