/* tools/np/report.c - prints the result of heed-np.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "np/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/escape.h"

static const char *const kernel_names[] = {"Gaussian", "boxcar",    "triangular", "Epanechnikov",
                                           "biweight", "triweight", "tricube"};
static const char *const criterion_names[] = {"CV.LS", "AICc", "GCV", "CV.LS", "CV.LS"};
static const char *const degree_names[] = {"constant", "linear", "quadratic", "cubic"};

/* Writes a text with escaped control characters; keeps newlines if `lines`. */
static bool write_text(const char *text, size_t size, bool lines)
{
    for (size_t at = 0; at < size;) {
        heed__escape_piece p = heed__escape_next(text + at, size - at);
        if (lines && text[at] == '\n')
            p = (heed__escape_piece){.s = "\n", .size = 1, .consumed = 1};
        if (fwrite(p.s, 1, p.size, stdout) != p.size)
            return false;
        at += p.consumed;
    }
    return true;
}

/* Writes JSON. jansson does not escape DEL, C1 controls and bidirectional marks, so this does. They occur only in
 * strings, where their escapes are equivalent. Newlines occur only between lines of JSON. */
static int write_json(const char *text, size_t size, void *unused)
{
    (void)unused;
    return write_text(text, size, true) ? 0 : -1;
}

static bool has_response(const report *about)
{
    return about->table->formula.has_response;
}

/* The text of the term of bandwidth c; the last bandwidth of a classifier belongs to the response. */
static const char *term_text(const report *about, int c)
{
    const formula *f = &about->table->formula;
    return c < f->count ? f->terms[c].text : f->response.text;
}

static void print_columns(const report *about, const double *h, int count)
{
    printf("\n%-30s%14s%s\n", "", "bandwidth", about->p_values ? "             p" : "");
    for (int c = 0; c < count; c++) {
        const double share = 100 * about->options->nearest;
        const column *own = c < about->table->formula.count ? &about->table->columns[c] : &about->table->target;
        const heed_categories *labels = own->labels;
        printf("%-30s%*g%s", heed__escaped(term_text(about, c)).s, share > 0 ? 13 : 14, share > 0 ? share : h[c],
               share > 0      ? "%"
               : own->is_date ? " days"
                              : "");
        if (about->p_values)
            printf("%14.4f", about->p_values[c]);
        if (labels)
            printf("   labels: %lld", (long long)heed_categories_count(labels));
        printf("\n");
    }
}

static void print_minima(const heed_np *fit, const heed_np_report *r)
{
    double h[HEED_NP_MAX_COLUMNS + 1];
    if (r->minima > 0)
        printf("%-30s%14d of %d evaluations\n", "minima found", r->minima, r->evaluations);
    for (int i = 1; i < r->minima; i++) {
        const double value = heed_np_minimum(fit, i, h, r->columns);
        printf("  %-28.9g%14.6g%s\n", value, h[0], r->columns > 1 ? " ..." : "");
    }
    if (r->stopped)
        printf("The search was ended before it had converged.\n");
}

static const char *criterion_of(const report *about)
{
    if (table_has_classes(about->table))
        return "-mean log-probability";
    return has_response(about) ? criterion_names[about->options->criterion] : "-mean log-likelihood";
}

void report_print(const report *about, const heed_np *fit)
{
    double h[HEED_NP_MAX_COLUMNS + 1];
    const heed_np_report r = heed_np_get_report(fit);
    (void)heed_np_bandwidths(fit, h, r.columns);
    (void)write_text(about->text, strlen(about->text), false);
    if (table_has_classes(about->table))
        printf(": %lld classes", (long long)heed_categories_count(about->table->target.labels));
    else if (has_response(about))
        printf(": local %s", degree_names[about->options->degree]);
    else
        printf(": density");
    printf(", %s kernel\n%lld rows", kernel_names[about->options->kernel], (long long)r.rows);
    if (about->left_out > 0)
        printf(", %lld left out for missing values", (long long)about->left_out);
    printf("\n");
    print_columns(about, h, r.columns);
    printf("\n%-30s%14.9g\n", criterion_of(about), r.criterion);
    if (table_has_classes(about->table)) {
        printf("%-30s%14.6g\n", "share of rows in their class", about->correct);
    } else if (has_response(about)) {
        printf("%-30s%14.6g\n", "R2", r.r2);
        printf("%-30s%14.6g\n", "standard deviation of errors", r.sigma);
        printf("%-30s%14.6g\n", "equivalent parameters (tr H)", r.trace);
    }
    print_minima(fit, &r);
}

/* An undefined number, such as R2 of a constant response, is null. */
static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

/* An object with a number per term; terms are distinct. */
static json_t *by_column(const report *about, const double *numbers, int count)
{
    json_t *object = json_object();
    for (int c = 0; c < count; c++)
        (void)json_object_set_new(object, term_text(about, c), number(numbers[c]));
    return object;
}

/* The labels of the response, and the share of rows that the fit assigns to their class. */
static json_t *classes_of(const report *about)
{
    const heed_categories *labels = about->table->target.labels;
    json_t *names = json_array();
    for (int64_t i = 0; i < heed_categories_count(labels); i++)
        (void)json_array_append_new(names, json_string(heed_categories_name(labels, i)));
    return json_pack("{s:o, s:o}", "classes", names, "correct", number(about->correct));
}

static json_t *statistics_of(const report *about, const heed_np_report *r)
{
    return json_pack("{s:i, s:o, s:o, s:o}", "degree", about->options->degree, "r2", number(r->r2), "sigma",
                     number(r->sigma), "trace", number(r->trace));
}

bool report_dump(const report *about, const heed_np *fit)
{
    double h[HEED_NP_MAX_COLUMNS + 1];
    const heed_np_report r = heed_np_get_report(fit);
    (void)heed_np_bandwidths(fit, h, r.columns);
    json_t *document = json_pack("{s:s, s:I, s:I, s:s, s:s, s:o, s:o, s:i, s:i, s:b}", "formula", about->text, "rows",
                                 (json_int_t)r.rows, "left_out", (json_int_t)about->left_out, "kernel",
                                 kernel_names[about->options->kernel], "criterion", criterion_of(about), "bandwidths",
                                 by_column(about, h, r.columns), "value", number(r.criterion), "minima", r.minima,
                                 "evaluations", r.evaluations, "stopped", r.stopped);
    if (has_response(about)) {
        json_t *more = table_has_classes(about->table) ? classes_of(about) : statistics_of(about, &r);
        (void)json_object_update(document, more);
        json_decref(more);
    }
    if (about->p_values)
        (void)json_object_set_new(document, "p", by_column(about, about->p_values, about->table->formula.count));
    const bool ok =
        document && json_dump_callback(document, write_json, NULL, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
    json_decref(document);
    return ok;
}
