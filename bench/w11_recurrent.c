/* bench/w11_recurrent.c - W11: a layer of an LSTM, forward and backward. N11 has the GRU, and small and odd sizes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "function.h"
#include "workloads.h"

typedef struct recurrent {
    heed_module *net;
    heed_tensor *x;
} recurrent;

static heed_tensor *output(void *context)
{
    const recurrent *r = context;
    return heed_module_forward(r->net, r->x);
}

/* sizes: batch, steps, inputs, hidden units, gates. */
static void run(const bench_case *c, heed_module *net)
{
    const int64_t *s = c->sizes;
    recurrent job = {.net = net, .x = bench_leaf(HEED_SHAPE(s[1], s[0], s[2]))};
    bench_function f = {.output = output,
                        .context = &job,
                        .leaves = {job.x, heed_module_find(net, "weight_ih_l0"), heed_module_find(net, "weight_hh_l0"),
                                   heed_module_find(net, "bias_ih_l0"), heed_module_find(net, "bias_hh_l0")},
                        .g = heed_randn(HEED_F32, HEED_SHAPE(s[1], s[0], s[3]))};
    bench_function_rates(c, &f, 2.0 * (double)(s[0] * s[1] * s[4] * s[3] * (s[2] + s[3])));
    heed_module_free(net);
}

static void run_lstm(const bench_case *c)
{
    run(c, &heed_nn_lstm_new(c->sizes[2], c->sizes[3], NULL)->base);
}

static void run_gru(const bench_case *c)
{
    run(c, &heed_nn_gru_new(c->sizes[2], c->sizes[3], NULL)->base);
}

const bench_entry bench_w11[] = {
    {"W11", "lstm b64 t100 h256", run_lstm, SIZES(64, 100, 256, 256, 4)},
    {"N11", "gru b64 t100 h256", run_gru, SIZES(64, 100, 256, 256, 3)},
    {"N11", "lstm b1 t35 h64", run_lstm, SIZES(1, 35, 64, 64, 4)},
    {"N11", "gru b1 t35 h64", run_gru, SIZES(1, 35, 64, 64, 3)},
    {"N11", "lstm b20 t35 h200", run_lstm, SIZES(20, 35, 200, 200, 4)},
    {"N11", "lstm b7 t61 h53", run_lstm, SIZES(7, 61, 29, 53, 4)},
    {"N11", "lstm b256 t1 h256", run_lstm, SIZES(256, 1, 256, 256, 4)},
    {"N11", "lstm b16 t50 h1024", run_lstm, SIZES(16, 50, 1024, 1024, 4)},
    {0},
};
