/* bench/measure.h - timing a function or a process, and writing the figures as JSON lines.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_BENCH_MEASURE_H
#define HEED_BENCH_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#define BENCH_MAX_SAMPLES 4096

/* The labels and settings of a figure, printed with it. */
typedef struct bench_case {
    const char *workload, *name;
    int threads;
    bool quick;         /* the fewest possible runs: a smoke test */
    double seconds;     /* least total time of a figure's samples */
    const char *folder; /* of heed_bench and the programs it times */
    const int64_t *sizes;
    bool by_ops; /* the work as a chain of single ops in place of one fused op; figures then have "way": "ops" */
    const char *peer, *version; /* the library that is timed; NULL: heed */
} bench_case;

/* The name of a figure, and how it is computed from the seconds per call: these times `unit`, or `work` divided by
 * them. */
typedef struct bench_metric {
    const char *name;
    double unit, work;
} bench_metric;

/* After a warm-up, takes samples of enough calls to last 10 ms, for c->seconds and at least seven samples. */
void bench_time(const bench_case *c, const bench_metric *metric, void (*fn)(void *), void *context);

/* Resident memory now, the baseline of bench_peak: call it when the inputs exist and before the first run. */
double bench_resident_mb(void);

/* Peak resident memory while fn runs twice: prints "WHAT peak_rss_mb" and "WHAT peak_extra_mb", the difference to
 * `before`. */
void bench_peak(const bench_case *c, const char *what, double before, void (*fn)(void *), void *context);

/* Runs a program of the bench's folder several times: prints "wall ms", "cpu ms" and "peak_rss_mb". */
void bench_process(const bench_case *c, const char *program);

#endif
