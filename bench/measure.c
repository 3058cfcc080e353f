/* bench/measure.c - see measure.h. A figure is the median of its samples; `foreign` is the CPU use of other
 * processes meanwhile, in cores, on the processors that this process may use: do not trust a line with a high value.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define _GNU_SOURCE /* sched_getaffinity */

#include "measure.h"

#include <jansson.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <heed/heed.h>

typedef struct load {
    double wall, busy, own;
} load;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* Ticks that all processes have used on a processor: a line of /proc/stat without idle and waiting. */
static double busy_ticks(const char *line, const cpu_set_t *ours)
{
    unsigned processor;
    double user, nice, system, idle, wait, irq, soft;
    if (sscanf(line, "cpu%u %lf %lf %lf %lf %lf %lf %lf", &processor, &user, &nice, &system, &idle, &wait, &irq,
               &soft) != 8 ||
        !CPU_ISSET(processor, ours))
        return 0.0;
    return user + nice + system + irq + soft;
}

/* CPU seconds that all processes have used so far on the processors that this one may use. */
static double busy(void)
{
    char line[256];
    double ticks = 0.0;
    cpu_set_t ours;
    FILE *file = fopen("/proc/stat", "r");
    if (!file || sched_getaffinity(0, sizeof ours, &ours) != 0)
        CPU_ZERO(&ours);
    while (file && fgets(line, sizeof line, file))
        ticks += busy_ticks(line, &ours);
    if (file)
        fclose(file);
    return ticks / (double)sysconf(_SC_CLK_TCK);
}

static load load_now(void)
{
    struct rusage self, children;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    return (load){now(), busy(),
                  seconds(self.ru_utime) + seconds(self.ru_stime) + seconds(children.ru_utime) +
                      seconds(children.ru_stime)};
}

static double foreign_since(load before)
{
    load after = load_now();
    double others = (after.busy - before.busy - (after.own - before.own)) / (after.wall - before.wall);
    return others > 0.0 ? others : 0.0;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(const bench_case *c, const char *metric, double *values, int n, double foreign)
{
    qsort(values, (size_t)n, sizeof *values, by_value);
    json_t *line = json_pack("{ss ss ss ss si ss sf sf sf si sf}", "peer", c->peer ? c->peer : "heed", "version",
                             c->peer ? c->version : HEED_VERSION, "workload", c->workload, "case", c->name, "threads",
                             c->threads, "metric", metric, "value", values[n / 2], "min", values[0], "max",
                             values[n - 1], "n", n, "foreign", foreign);
    if (c->by_ops)
        json_object_set_new(line, "way", json_string("ops"));
    json_dumpf(line, stdout, JSON_REAL_PRECISION(5));
    putchar('\n');
    fflush(stdout);
    json_decref(line);
}

/* Seconds per call, over enough calls to take `least` seconds together. */
static double rough_time(void (*fn)(void *), void *context, double least)
{
    double begin = now();
    int calls = 0;
    do {
        fn(context);
        calls++;
    } while (now() - begin < least);
    return (now() - begin) / calls;
}

void bench_time(const bench_case *c, const bench_metric *metric, void (*fn)(void *), void *context)
{
    static double values[BENCH_MAX_SAMPLES];
    int least = c->quick ? 1 : 7, n = 0;
    fn(context);
    double inner = c->quick ? 1.0 : 0.01 / rough_time(fn, context, 0.25);
    load before = load_now();
    for (double begin = now(); n < BENCH_MAX_SAMPLES && (n < least || now() - begin < c->seconds); n++) {
        double start = now();
        int done = 0;
        do
            fn(context);
        while (++done < inner);
        double each = (now() - start) / done;
        values[n] = metric->work > 0.0 ? metric->work / each : metric->unit * each;
    }
    report(c, metric->name, values, n, foreign_since(before));
}

/* A line of /proc/self/status, in MB. */
static double status_mb(const char *field)
{
    char line[256];
    double kb = 0.0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, field, strlen(field)) == 0)
            kb = strtod(line + strlen(field) + 1, NULL);
    if (file)
        fclose(file);
    return kb / 1024.0;
}

double bench_resident_mb(void)
{
    return status_mb("VmRSS");
}

void bench_peak(const bench_case *c, const char *what, double before, void (*fn)(void *), void *context)
{
    FILE *file = fopen("/proc/self/clear_refs", "w"); /* 5 resets VmHWM */
    if (file) {
        fputs("5", file);
        fclose(file);
    }
    load quiet = load_now();
    fn(context);
    fn(context);
    double peak = status_mb("VmHWM"), extra = peak - before, foreign = foreign_since(quiet);
    char metric[64];
    snprintf(metric, sizeof metric, "%s peak_rss_mb", what);
    report(c, metric, &peak, 1, foreign);
    snprintf(metric, sizeof metric, "%s peak_extra_mb", what);
    report(c, metric, &extra, 1, foreign);
}

/* One run: wall and CPU seconds, peak MB. */
static void run_once(const char *path, int threads, double figures[3])
{
    double begin = now();
    pid_t pid = fork();
    if (pid == 0) {
        char number[16];
        snprintf(number, sizeof number, "%d", threads);
        setenv("HEED_NUM_THREADS", number, 1);
        if (freopen("/dev/null", "w", stdout))
            execl(path, path, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    struct rusage usage;
    if (pid < 0 || wait4(pid, &status, 0, &usage) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "heed_bench: %s does not run\n", path);
        exit(1);
    }
    figures[0] = now() - begin;
    figures[1] = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    figures[2] = (double)usage.ru_maxrss / 1024.0;
}

void bench_process(const bench_case *c, const char *program)
{
    enum { RUNS = 11 };
    double wall[RUNS], cpu[RUNS], memory[RUNS];
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", c->folder, program);
    int runs = c->quick ? 1 : RUNS;
    load before = load_now();
    for (int i = -1; i < runs; i++) { /* the first one warms up */
        double figures[3];
        run_once(path, c->threads, figures);
        if (i < 0)
            continue;
        wall[i] = 1e3 * figures[0];
        cpu[i] = 1e3 * figures[1];
        memory[i] = figures[2];
    }
    double foreign = foreign_since(before);
    report(c, "wall ms", wall, runs, foreign);
    report(c, "cpu ms", cpu, runs, foreign);
    report(c, "peak_rss_mb", memory, runs, foreign);
}
