/* bench/heed_bench.c - times the workloads and prints one JSON line per figure: {peer, version, workload, case,
 * threads, metric, value, min, max, n, foreign}, where value is the median of n samples.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heed/heed.h>

#include "workloads.h"

/* bench_onnxruntime is this program with other workloads. */
#ifndef BENCH_WORKLOADS
#define BENCH_WORKLOADS                                                                                                \
    bench_w1, bench_w2, bench_w3, bench_w4, bench_w5, bench_w6, bench_w7, bench_w8, bench_w9, bench_w10, bench_w11,    \
        bench_w12, bench_w13, bench_w14, bench_w15, bench_w16
#endif
static const bench_entry *const workloads[] = {BENCH_WORKLOADS};

static const char usage[] = "usage: heed_bench [options]\n"
                            "  -w, --workloads LIST  W1 to W16, and N1 to N5, N7, N8, N10 to N12, shapes near theirs\n"
                            "                        (default: all)\n"
                            "  -c, --case TEXT       only cases whose name contains TEXT\n"
                            "  -e, --exact           the name is TEXT\n"
                            "  -t, --threads N       1 to 256 (default 1)\n"
                            "  -p, --precision NAME  of products: highest (default), high, medium\n"
                            "  -o, --ops             fused workloads as chains of single ops; no other workload\n"
                            "  -s, --seconds S       for the samples of each figure (default 1.2)\n"
                            "  -q, --quick           one sample each, no large cases: to see that it works\n"
                            "  -l, --list            names of the cases\n"
                            "  -h, --help            this\n";

typedef struct settings {
    const char *workloads, *name;
    int threads;
    heed_precision precision;
    double seconds;
    bool exact, quick, list, by_ops;
} settings;

static bool read_precision(const char *name, heed_precision *precision)
{
    static const char *const names[] = {"highest", "high", "medium"};
    int i = 0;
    while (i < 3 && strcmp(name, names[i]) != 0)
        i++;
    *precision = (heed_precision)i;
    return i < 3;
}

/* Returns false if the command line is wrong. */
static bool read_settings(int argc, char **argv, settings *s)
{
    static const struct option options[] = {
        {"workloads", required_argument, NULL, 'w'},
        {"case", required_argument, NULL, 'c'},
        {"exact", no_argument, NULL, 'e'},
        {"threads", required_argument, NULL, 't'},
        {"ops", no_argument, NULL, 'o'},
        {"precision", required_argument, NULL, 'p'},
        {"seconds", required_argument, NULL, 's'},
        {"quick", no_argument, NULL, 'q'},
        {"list", no_argument, NULL, 'l'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    for (int c; (c = getopt_long(argc, argv, "w:c:eot:p:s:qlh", options, NULL)) != -1;) {
        char *end = NULL;
        switch (c) {
        case 'w':
            s->workloads = optarg;
            break;
        case 'c':
            s->name = optarg;
            break;
        case 'e':
            s->exact = true;
            break;
        case 'o':
            s->by_ops = true;
            break;
        case 't':
            s->threads = (int)strtol(optarg, &end, 10);
            if (end == optarg || *end != '\0' || s->threads < 1 || s->threads > 256)
                return false;
            break;
        case 'p':
            if (!read_precision(optarg, &s->precision))
                return false;
            break;
        case 's':
            s->seconds = strtod(optarg, &end);
            if (end == optarg || *end != '\0' || !(s->seconds >= 0.0 && s->seconds <= 3600.0))
                return false;
            break;
        case 'q':
            s->quick = true;
            break;
        case 'l':
            s->list = true;
            break;
        case 'h':
            fputs(usage, stdout);
            exit(0);
        default:
            return false;
        }
    }
    return optind == argc;
}

/* The folder of the program: argv[0] before the last slash. */
static const char *folder_of(char *program)
{
    char *slash = strrchr(program, '/');
    if (!slash)
        return ".";
    *slash = '\0';
    return program;
}

/* Whether a list such as W1,W10 contains the name. */
static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    const char *at = strstr(list, name);
    while (at && at[length] != ',' && at[length] != '\0')
        at = strstr(at + length, name);
    return at != NULL;
}

static bool selected(const bench_entry *entry, const settings *s)
{
    bool name = s->exact ? strcmp(entry->name, s->name) == 0 : strstr(entry->name, s->name) != NULL;
    return name && (!s->workloads || is_listed(s->workloads, entry->workload)) &&
           !(entry->one_thread_only && s->threads > 1) && !(entry->heavy && s->quick) &&
           (entry->has_chain || !s->by_ops);
}

static void run(const bench_entry *entry, const settings *s, const char *folder)
{
    bench_case c = {.workload = entry->workload,
                    .name = entry->name,
                    .threads = s->threads,
                    .quick = s->quick,
                    .seconds = s->quick ? 0.0 : s->seconds,
                    .folder = folder,
                    .sizes = entry->sizes,
                    .by_ops = s->by_ops};
    heed_manual_seed(0);
    heed_scope *scope = heed_scope_begin();
    heed_set_matmul_precision(s->precision);
    entry->run(&c);
    heed_scope_end(scope);
    heed_thread_cleanup();
}

int main(int argc, char **argv)
{
    settings s = {.name = "", .threads = 1, .seconds = 1.2};
    if (!read_settings(argc, argv, &s)) {
        fputs(usage, stderr);
        return 2;
    }
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_set_num_threads(s.threads);
    const char *folder = folder_of(argv[0]);
    for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++)
        for (const bench_entry *entry = workloads[i]; entry->name; entry++) {
            if (!selected(entry, &s))
                continue;
            if (s.list)
                printf("%s/%s\n", entry->workload, entry->name);
            else
                run(entry, &s, folder);
        }
    return 0;
}
