/* bench/measure.h - timing a function or a process, and writing the figures as JSON lines. */
#ifndef HEED_BENCH_MEASURE_H
#define HEED_BENCH_MEASURE_H

#include <stdbool.h>

#define BENCH_MAX_SAMPLES 4096

/* Where a figure belongs; printed with it. */
typedef struct bench_case {
    const char *workload, *name;
    int threads;
    bool quick;         /* as few runs as possible: to see that it works */
    const char *folder; /* where heed_bench lies, and the programs it times */
} bench_case;

/* Seconds per call: after a warm-up, samples of as many calls as last `sample` seconds, for `total` seconds and at
 * least seven. Prints "metric" in seconds times `unit`, divided by `per`. */
void bench_time(const bench_case *c, const char *metric, double unit, double per, double sample, double total,
                void (*fn)(void *), void *context);

/* Peak resident memory while fn runs twice: prints "WHAT peak_rss_mb" and "WHAT peak_extra_mb", the part above what was
 * there before. */
void bench_peak(const bench_case *c, const char *what, void (*fn)(void *), void *context);

/* Runs a program of the bench's folder several times: prints "wall ms", "cpu ms" and "peak_rss_mb". */
void bench_process(const bench_case *c, const char *program);

#endif
