/* tools/heed-gradcheck.c - checks the gradients of every op of the library over its cases.
 *
 *     heed-gradcheck                        all ops, both orders
 *     heed-gradcheck --op tanh --op bmm     two ops
 *
 * tests/ops/driver.h describes the checks. Exit code: 0 passed, 1 a check failed, 2 bad usage.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "base/escape.h"
#include "driver.h"

enum { PASSED = 0, FAILED = 1, BAD_USAGE = 2 };

static const char usage[] = "Usage: heed-gradcheck [OPTION]...\n"
                            "Compares the gradients of heed's ops with finite differences.\n\n"
                            "  -o, --op NAME      check this op; may be repeated (default: all ops)\n"
                            "  -n, --order 1|2    check only first or second derivatives (default: both)\n"
                            "  -j, --json         print one JSON document instead of the table\n"
                            "  -l, --list         print the names of all ops and exit\n"
                            "  -v, --verbose      print the name of every sample to standard error\n"
                            "  -h, --help         print this help and exit\n";

typedef struct settings {
    bool *chosen; /* one element per op, in the order of op_entries */
    int order;    /* 0: both */
    bool json, list, verbose, help;
} settings;

/* -- Command line -------------------------------------------------------------------------------------------------- */

static bool choose(settings *s, const char *name)
{
    int count;
    const op_entry *ops = op_entries(&count), *op = op_find(name);
    if (!op) {
        (void)fprintf(stderr, "heed-gradcheck: there is no op \"%s\"; --list prints all ops\n", heed__escaped(name).s);
        return false;
    }
    s->chosen[op - ops] = true;
    return true;
}

static bool set_order(settings *s, const char *text)
{
    if (strcmp(text, "1") != 0 && strcmp(text, "2") != 0) {
        (void)fprintf(stderr, "heed-gradcheck: --order must be 1 or 2, not \"%s\"\n", heed__escaped(text).s);
        return false;
    }
    s->order = text[0] - '0';
    return true;
}

static bool set_option(settings *s, int option)
{
    switch (option) {
    case 'o':
        return choose(s, optarg);
    case 'n':
        return set_order(s, optarg);
    case 'j':
        return s->json = true;
    case 'l':
        return s->list = true;
    case 'v':
        return s->verbose = true;
    case 'h':
        return s->help = true;
    default: /* getopt_long has printed an error */
        return false;
    }
}

static bool parse(settings *s, int argc, char **argv)
{
    static const struct option options[] = {
        {"op", required_argument, NULL, 'o'},
        {"order", required_argument, NULL, 'n'},
        {"json", no_argument, NULL, 'j'},
        {"list", no_argument, NULL, 'l'},
        {"verbose", no_argument, NULL, 'v'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int option;
    while ((option = getopt_long(argc, argv, "o:n:jlvh", options, NULL)) != -1)
        if (!set_option(s, option))
            return false;
    if (optind < argc)
        (void)fprintf(stderr, "heed-gradcheck: \"%s\" is not an option\n", heed__escaped(argv[optind]).s);
    return optind == argc;
}

/* -- Listening ----------------------------------------------------------------------------------------------------- */

static void print_sample(const char *sample, void *user)
{
    (void)user;
    (void)fprintf(stderr, "%s\n", sample);
}

/* `user` is a JSON array of reports, or NULL without --json. */
static void report_failure(const char *report, void *user)
{
    (void)fprintf(stderr, "FAILED %s\n", report);
    if (user)
        (void)json_array_append_new(user, json_string(report));
}

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* -- Table --------------------------------------------------------------------------------------------------------- */

static void print_error(double worst)
{
    if (worst == -1)
        printf("%10s", "-");
    else
        printf("%10.1e", worst);
}

static void print_row(const char *name, const op_result *r, double seconds)
{
    printf("%-18s%9lld%12lld", name, (long long)r->samples, (long long)r->compared);
    print_error(r->worst[0]);
    print_error(r->worst[1]);
    if (r->failures == 0)
        printf("%9.2f  ok\n", seconds);
    else
        printf("%9.2f  %d FAILED\n", seconds, r->failures);
}

static void print_head(void)
{
    printf("%-18s%9s%12s%10s%10s%9s  %s\n", "op", "samples", "derivatives", "order 1", "order 2", "seconds", "status");
}

/* -- JSON ---------------------------------------------------------------------------------------------------------- */

/* JSON lacks NaN, so errors that were not compared or are not finite become null. */
static json_t *error_to_json(double worst)
{
    return worst >= 0 && isfinite(worst) ? json_real(worst) : json_null();
}

static json_t *row_to_json(const char *name, const op_result *r, double seconds, json_t *failures)
{
    json_t *row =
        json_pack("{s:s, s:I, s:I, s:o, s:o, s:f, s:b}", "op", name, "samples", (json_int_t)r->samples, "derivatives",
                  (json_int_t)r->compared, "max_error_order_1", error_to_json(r->worst[0]), "max_error_order_2",
                  error_to_json(r->worst[1]), "seconds", seconds, "passed", r->failures == 0);
    if (failures)
        (void)json_object_set_new(row, "failures", failures);
    return row;
}

/* Prints the sums and a row per op. */
static bool print_json(json_t *rows, const op_result *total, double seconds)
{
    json_t *document = row_to_json("total", total, seconds, NULL);
    (void)json_object_del(document, "op");
    (void)json_object_set_new(document, "version", json_string(HEED_VERSION));
    (void)json_object_set_new(document, "ops", rows);
    bool ok = document && json_dumpf(document, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
    json_decref(document);
    return ok;
}

/* -- Running ------------------------------------------------------------------------------------------------------- */

static void add(op_result *total, const op_result *r)
{
    total->samples += r->samples;
    total->compared += r->compared;
    total->failures += r->failures;
    for (int i = 0; i < 2; i++)
        if (!(r->worst[i] <= total->worst[i]) && !isnan(total->worst[i]))
            total->worst[i] = r->worst[i];
}

static void run_op(const settings *s, const op_entry *op, json_t *rows, op_result *total)
{
    op_result r;
    json_t *failures = s->json ? json_array() : NULL;
    op_listener listener = {.ran = s->verbose ? print_sample : NULL, .failed = report_failure, .user = failures};
    double start = now();
    (void)op_run(op, s->order, &listener, &r);
    double seconds = now() - start;
    add(total, &r);
    if (s->json) {
        (void)json_array_append_new(rows, row_to_json(op->name, &r, seconds, failures));
    } else {
        print_row(op->name, &r, seconds);
        (void)fflush(stdout);
    }
}

static int run(const settings *s)
{
    int count;
    const op_entry *ops = op_entries(&count);
    bool all = true;
    for (int i = 0; i < count; i++)
        all = all && !s->chosen[i];
    json_t *rows = s->json ? json_array() : NULL;
    op_result total = {.worst = {-1, -1}};
    double start = now();
    if (!s->json)
        print_head();
    for (int i = 0; i < count; i++)
        if (all || s->chosen[i])
            run_op(s, &ops[i], rows, &total);
    if (!s->json)
        print_row("total", &total, now() - start);
    else if (!print_json(rows, &total, now() - start))
        return FAILED;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        (void)fprintf(stderr, "heed-gradcheck: standard output: %s\n", strerror(errno));
        return FAILED;
    }
    return total.failures == 0 ? PASSED : FAILED;
}

int main(int argc, char **argv)
{
    int count, code;
    const op_entry *ops = op_entries(&count);
    settings s = {.chosen = calloc((size_t)count, sizeof *s.chosen)};
    if (!s.chosen || !parse(&s, argc, argv)) {
        (void)fputs(usage, stderr);
        code = BAD_USAGE;
    } else if (s.help) {
        code = fputs(usage, stdout) >= 0 && fflush(stdout) == 0 ? PASSED : FAILED;
    } else if (s.list) {
        for (int i = 0; i < count; i++)
            (void)puts(ops[i].name);
        code = fflush(stdout) == 0 ? PASSED : FAILED;
    } else {
        code = run(&s);
    }
    free(s.chosen);
    heed_thread_cleanup();
    return code;
}
