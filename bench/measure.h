/* bench/measure.h - timing a function or a process, and writing the figures as JSON lines. */
#ifndef HEED_BENCH_MEASURE_H
#define HEED_BENCH_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#define BENCH_MAX_SAMPLES 4096

/* Where a figure belongs; printed with it. */
typedef struct bench_case {
    const char *workload, *name;
    int threads;
    bool quick;         /* as few runs as possible: to see that it works */
    double seconds;     /* that the samples of a figure take together, at least */
    const char *folder; /* where heed_bench lies, and the programs it times */
    const int64_t *sizes;
    bool by_ops; /* the work as a chain of single ops in place of one fused op; figures then have "way": "ops" */
} bench_case;

/* A figure's name, and what it is of the seconds that a call takes: these times `unit`, or `work` over them. */
typedef struct bench_metric {
    const char *name;
    double unit, work;
} bench_metric;

/* After a warm-up, samples of as many calls as last 10 ms, for c->seconds and at least seven. */
void bench_time(const bench_case *c, const bench_metric *metric, void (*fn)(void *), void *context);

/* Resident memory now: what bench_peak is to count from, asked for when the inputs are there and nothing has run. */
double bench_resident_mb(void);

/* Peak resident memory while fn runs twice: prints "WHAT peak_rss_mb" and "WHAT peak_extra_mb", the part above
 * `before`. */
void bench_peak(const bench_case *c, const char *what, double before, void (*fn)(void *), void *context);

/* Runs a program of the bench's folder several times: prints "wall ms", "cpu ms" and "peak_rss_mb". */
void bench_process(const bench_case *c, const char *program);

#endif
