/* bench/heed_bench.c - times the workloads and prints one JSON line per figure: {peer, version, workload, case,
 * threads, metric, value, min, max, n, foreign}, value being the median of n samples. */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heed/heed.h>

#include "workloads.h"

static const struct {
    const char *workload, *name;
    void (*run)(const bench_case *c);
    bool one_thread_only;
} cases[] = {
    {"W1", "n50", w1_n50, false},
    {"W1", "n2000", w1_n2000, false},
    {"W1", "process_n50_5epochs", w1_process, false},
    {"W6", "n1 a,b require grad", w6_n1_params, true},
    {"W6", "n1 only x requires grad", w6_n1, true},
    {"W6", "n64 a,b require grad", w6_n64_params, true},
    {"W6", "n64 only x requires grad", w6_n64, true},
    {"W9", "import torch + one op", w9_start, false},
};

static const char usage[] = "usage: heed_bench [options]\n"
                            "  -w, --workloads LIST  W1,W6,W9\n"
                            "  -c, --case TEXT       only cases whose name contains TEXT\n"
                            "  -t, --threads N       1 to 256 (default 1)\n"
                            "  -q, --quick           as few runs as possible, to see that it works\n"
                            "  -l, --list            names of the cases\n"
                            "  -h, --help            this\n";

typedef struct settings {
    const char *workloads, *name;
    int threads;
    bool quick, list;
} settings;

/* False when the command line is wrong. */
static bool read_settings(int argc, char **argv, settings *s)
{
    static const struct option options[] = {
        {"workloads", required_argument, NULL, 'w'},
        {"case", required_argument, NULL, 'c'},
        {"threads", required_argument, NULL, 't'},
        {"quick", no_argument, NULL, 'q'},
        {"list", no_argument, NULL, 'l'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    for (int c; (c = getopt_long(argc, argv, "w:c:t:qlh", options, NULL)) != -1;) {
        char *end = NULL;
        switch (c) {
        case 'w':
            s->workloads = optarg;
            break;
        case 'c':
            s->name = optarg;
            break;
        case 't':
            s->threads = (int)strtol(optarg, &end, 10);
            if (*end != '\0' || s->threads < 1 || s->threads > 256)
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

/* Where the program lies: the part of argv[0] before the last slash. */
static const char *folder_of(char *program)
{
    char *slash = strrchr(program, '/');
    if (!slash)
        return ".";
    *slash = '\0';
    return program;
}

int main(int argc, char **argv)
{
    settings s = {.workloads = "W1,W6,W9", .name = "", .threads = 1};
    if (!read_settings(argc, argv, &s)) {
        fputs(usage, stderr);
        return 2;
    }
    const char *folder = folder_of(argv[0]);
    if (heed_set_num_threads(s.threads) != HEED_OK)
        return 2;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (!strstr(s.workloads, cases[i].workload) || !strstr(cases[i].name, s.name) ||
            (cases[i].one_thread_only && s.threads > 1))
            continue;
        if (s.list)
            printf("%s/%s\n", cases[i].workload, cases[i].name);
        else
            cases[i].run(&(bench_case){cases[i].workload, cases[i].name, s.threads, s.quick, folder});
    }
    return 0;
}
