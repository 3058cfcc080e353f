/* tools/heed-np.c - kernel regression of a table, without programming.
 *
 *     heed-np 'accel ~ times' mcycle.csv --degree 1 --criterion aicc --plot fit.png
 *
 * Exit code: 0 done, 1 failed, 2 bad usage.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>

#include "base/escape.h"
#include "np/files.h"
#include "np/picture.h"
#include "np/report.h"

enum { DONE = 0, FAILED = 1, BAD_USAGE = 2 };

/* Set by Ctrl-C: the search then ends with the best bandwidths that it has found. */
static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static bool on_progress(const heed_np_progress *now, void *user)
{
    const settings *s = user;
    if (s->verbose)
        (void)fprintf(stderr, "start %d of %d, evaluation %d: %.9g at %g\n", now->start + 1, now->starts,
                      now->evaluations, now->best, now->bandwidths[0]);
    return !interrupted;
}

static bool test_columns(const settings *s, const table *t, const heed_np *fit, double *p_values)
{
    const heed_np_significance_options options = {.draws = s->bootstrap.draws, .seed = s->bootstrap.seed};
    for (int c = 0; c < t->formula.count; c++) {
        p_values[c] = heed_np_significance(fit, c, &options);
        if (heed_error_code() != HEED_OK)
            return false;
    }
    return true;
}

/* Sets the share of rows whose own class is the most probable one. */
static bool count_correct(const table *t, const heed_np *fit, double *share)
{
    heed_tensor *classes = heed_np_classify(fit, t->x, NULL);
    if (!classes)
        return false;
    const int64_t n = heed_numel(classes), *c = heed_data_i64(classes);
    const double *y = heed_data_f64(t->y);
    int64_t correct = 0;
    for (int64_t i = 0; i < n; i++)
        correct += (double)c[i] == y[i];
    *share = (double)correct / (double)n;
    return true;
}

static heed_np *new_fit(settings *s, table *t)
{
    s->fit.columns = t->kinds;
    s->fit.weights = t->weights;
    s->fit.bandwidths = s->bandwidths ? t->bandwidths : NULL;
    s->fit.progress = on_progress;
    s->fit.user = s;
    if (table_has_classes(t))
        return heed_np_fit_classes(t->x, t->y, &s->fit);
    return t->y ? heed_np_fit(t->x, t->y, &s->fit) : heed_np_fit_density(t->x, &s->fit);
}

static bool run_fit(settings *s, table *t)
{
    heed_np *fit = new_fit(s, t);
    double p_values[HEED_NP_MAX_COLUMNS];
    report about = {.text = s->formula,
                    .table = t,
                    .options = &s->fit,
                    .left_out = heed_io_csv_get_facts(t->csv).skipped,
                    .p_values = s->test ? p_values : NULL};
    bool ok = fit != NULL && (!s->test || test_columns(s, t, fit, p_values)) &&
              (!table_has_classes(t) || count_correct(t, fit, &about.correct));
    if (ok && s->json)
        ok = report_dump(&about, fit);
    else if (ok)
        report_print(&about, fit);
    ok = ok && (!s->output || files_write_rows(s, t, fit)) && (!s->plot || picture_draw(s, t, fit));
    heed_np_free(fit);
    return ok;
}

/* Checks for options that exclude each other, by their command-line names. */
static bool check_options(const settings *s, const table *t)
{
    const heed_np_options *o = &s->fit;
    const char *problem = NULL;
    const bool of_mean =
        o->degree > 0 || o->nearest > 0 || o->robust > 0 || (o->criterion && o->criterion != HEED_NP_RULE);
    if (!t->formula.has_response && of_mean)
        problem = "a density, '~ x', accepts no --degree, --nearest or --robust, and only --criterion rule";
    else if (table_has_classes(t) && of_mean)
        problem = "classes, a response of texts, accept no --degree, --nearest or --robust, and only --criterion rule";
    else if (table_has_classes(t) &&
             (s->test || s->resampling || s->predict.band || s->predict.local || s->predict.corrected))
        problem = "classes, a response of texts, have no intervals and no --test";
    else if (o->criterion == HEED_NP_PLUG_IN && (o->degree != 1 || !table_is_curve(t) || s->weights))
        problem = "--criterion plug-in needs --degree 1, a single column of numbers, and no --weights";
    else if (o->nearest > 0 && (s->bandwidths || !table_is_curve(t)))
        problem = "--nearest needs a single column of numbers, and no --bandwidth";
    if (problem)
        (void)fprintf(stderr, "heed-np: %s\n", problem);
    return !problem;
}

static int run(settings *s)
{
    static table t; /* static, because its names take 60 KiB */
    char error[512];
    if (!formula_parse(&t.formula, s->formula, error, sizeof error)) {
        char shown[2 * sizeof error];
        (void)heed__escape_copy(error, strlen(error), shown, sizeof shown);
        (void)fprintf(stderr, "heed-np: %s\n", shown);
        return BAD_USAGE;
    }
    int code = (int)table_read(&t, s);
    if (code == TABLE_READ)
        code = check_options(s, &t) && (run_fit(s, &t) || print_error()) ? DONE : FAILED;
    table_free(&t);
    return code;
}

int main(int argc, char **argv)
{
    settings s = {0};
    int code;
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
    (void)sigaction(SIGINT, &action, NULL);
    if (!parse_command_line(&s, argc, argv)) {
        (void)fputs("Try heed-np --help for the options.\n", stderr);
        code = BAD_USAGE;
    } else if (s.help || s.version) {
        code = (s.help ? print_usage(stdout) : printf("heed-np %s\n", HEED_VERSION) >= 0) ? DONE : FAILED;
    } else {
        code = run(&s);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        (void)fprintf(stderr, "heed-np: standard output: %s\n", strerror(errno));
        code = FAILED;
    }
    heed_thread_cleanup();
    return code;
}
