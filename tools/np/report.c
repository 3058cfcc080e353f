/* tools/np/report.c - what heed-np prints. */

#include "np/report.h"

#include <math.h>
#include <stdio.h>

#include <jansson.h>

static const char *const kernel_names[] = {"Gaussian", "boxcar",    "triangular", "Epanechnikov",
                                           "biweight", "triweight", "tricube"};
static const char *const criterion_names[] = {"CV.LS", "AICc", "GCV"};
static const char *const degree_names[] = {"constant", "linear", "quadratic", "cubic"};

void report_print(const report *about, const heed_np *fit)
{
    double h[HEED_NP_MAX_COLUMNS];
    const heed_np_report r = heed_np_get_report(fit);
    (void)heed_np_bandwidths(fit, h, r.columns);
    printf("%s: local %s, %s kernel\n", about->text, degree_names[about->options->degree],
           kernel_names[about->options->kernel]);
    printf("%lld rows", (long long)r.rows);
    if (about->left_out > 0)
        printf(", %lld left out for missing values", (long long)about->left_out);
    printf("\n\n%-30s%14s\n", "", "bandwidth");
    for (int c = 0; c < r.columns; c++)
        if (about->options->nearest > 0)
            printf("%-30s%13g%%\n", about->formula->terms[c].name, 100 * about->options->nearest);
        else
            printf("%-30s%14.6g\n", about->formula->terms[c].name, h[c]);
    printf("\n%-30s%14.9g\n", criterion_names[about->options->criterion], r.criterion);
    printf("%-30s%14.6g\n", "R2", r.r2);
    printf("%-30s%14.6g\n", "standard deviation of errors", r.sigma);
    printf("%-30s%14.6g\n", "equivalent parameters (tr H)", r.trace);
    if (r.minima > 0)
        printf("%-30s%14d of %d evaluations\n", "minima found", r.minima, r.evaluations);
    for (int i = 1; i < r.minima; i++) {
        const double value = heed_np_minimum(fit, i, h, r.columns);
        printf("  %-28.9g%14.6g%s\n", value, h[0], r.columns > 1 ? " ..." : "");
    }
    if (r.stopped)
        printf("The search was ended before it had converged.\n");
}

bool report_dump(const report *about, const heed_np *fit)
{
    double h[HEED_NP_MAX_COLUMNS];
    const heed_np_report r = heed_np_get_report(fit);
    (void)heed_np_bandwidths(fit, h, r.columns);
    json_t *bandwidths = json_object();
    for (int c = 0; c < r.columns; c++)
        (void)json_object_set_new(bandwidths, about->formula->terms[c].name, json_real(h[c]));
    json_t *document = json_pack(
        "{s:s, s:I, s:I, s:i, s:s, s:s, s:o, s:o, s:f, s:f, s:f, s:i, s:i, s:b}", "formula", about->text, "rows",
        (json_int_t)r.rows, "left_out", (json_int_t)about->left_out, "degree", about->options->degree, "kernel",
        kernel_names[about->options->kernel], "criterion", criterion_names[about->options->criterion], "bandwidths",
        bandwidths, "value", isfinite(r.criterion) ? json_real(r.criterion) : json_null(), "r2", r.r2, "sigma", r.sigma,
        "trace", r.trace, "minima", r.minima, "evaluations", r.evaluations, "stopped", r.stopped);
    const bool ok = document && json_dumpf(document, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
    json_decref(document);
    return ok;
}
