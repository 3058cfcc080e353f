/* bench/workloads.h - the workloads: each function runs one case and prints its figures. */
#ifndef HEED_BENCH_WORKLOADS_H
#define HEED_BENCH_WORKLOADS_H

#include "measure.h"

/* W1: kernel regression trained leave-one-out by SGD, as in the book; W1 process: the whole program. */
void w1_n50(const bench_case *c);
void w1_n2000(const bench_case *c);
void w1_process(const bench_case *c);

/* W6: 1000 times y = tanh(y a + b): the cost of an op on a tiny tensor. */
void w6_n1_params(const bench_case *c);
void w6_n1(const bench_case *c);
void w6_n64_params(const bench_case *c);
void w6_n64(const bench_case *c);

/* W9: starting a process and doing one op. */
void w9_start(const bench_case *c);

#endif
