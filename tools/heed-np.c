/* tools/heed-np.c - kernel regression of a CSV file, for people who do not program.
 *
 *     heed-np 'accel ~ times' mcycle.csv --degree 1 --criterion aicc --plot fit.png
 *
 * Exit code: 0 done, 1 it failed, 2 bad usage.
 */

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <heed/heed.h>

#include "np/formula.h"
#include "np/report.h"

enum { DONE = 0, FAILED = 1, BAD_USAGE = 2 };

static const char usage[] =
    "Usage: heed-np [OPTION]... 'Y ~ X + factor(Z)' FILE.csv\n"
    "Fits Y by kernel regression on X, Z ...; log(X), factor(Z), ordered(Z) say what columns are.\n\n"
    "  -d, --degree 0|1|2|3         constant (default), linear, quadratic, cubic\n"
    "  -k, --kernel NAME            gaussian (default), boxcar, triangular, epanechnikov, biweight, triweight, "
    "tricube\n"
    "  -c, --criterion cv|aicc|gcv  what is least at the bandwidths (default: cv)\n"
    "  -b, --bandwidth H[,H]...     bandwidths, one for each column, not to be searched for\n"
    "  -n, --nearest SHARE          as far as this share of the rows is (one column)\n"
    "  -r, --robust N               rounds of bisquare weights\n"
    "  -w, --weights COLUMN         of rows\n"
    "  -a, --classic                weights of labels by Aitchison and Aitken, Wang and van Ryzin\n"
    "  -s, --starts N               of the search (default: 5)\n"
    "  -i, --interval KIND          pointwise (default), simultaneous, prediction\n"
    "  -l, --level P                of the interval (default: 0.95)\n"
    "  -e, --local                  standard errors for errors whose variance changes\n"
    "  -u, --corrected              interval of one degree more: less biased\n"
    "  -o, --output FILE.csv        rows with fit, standard error and interval\n"
    "  -p, --plot FILE.png          points, fit and band (one column of numbers); .svg works too\n"
    "  -j, --json                   one JSON document instead of the table\n"
    "  -v, --verbose                the search's steps on standard error\n"
    "  -h, --help                   print this and stop\n"
    "      --version                print the version and stop\n";

typedef struct settings {
    const char *formula, *path, *bandwidths, *weights, *output, *plot;
    heed_np_options fit;
    heed_np_predict_options predict;
    bool json, verbose, help, version;
} settings;

/* Ctrl-C: the search ends with the best so far. */
static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* -- Command line -------------------------------------------------------------------------------------------------- */

static bool refuse(const char *option, const char *text)
{
    (void)fprintf(stderr, "heed-np: %s: \"%s\" is none that is known\n", option, text);
    return false;
}

static bool choose(const char *option, const char *text, const char *const *names, int *choice)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], text) == 0) {
            *choice = i;
            return true;
        }
    return refuse(option, text);
}

static bool read_number(const char *option, const char *text, double *number)
{
    char *end;
    errno = 0;
    *number = strtod(text, &end);
    return (end != text && *end == '\0' && errno == 0) || refuse(option, text);
}

static bool read_count(const char *option, const char *text, int *count)
{
    double number;
    if (!read_number(option, text, &number))
        return false;
    *count = number >= 0 && number <= 1e6 && number == floor(number) ? (int)number : -1;
    return *count >= 0 || refuse(option, text);
}

static bool set_option(settings *s, int option)
{
    static const char *const kernels[] = {"gaussian", "boxcar",    "triangular", "epanechnikov",
                                          "biweight", "triweight", "tricube",    NULL};
    static const char *const criteria[] = {"cv", "aicc", "gcv", NULL};
    static const char *const intervals[] = {"pointwise", "simultaneous", "prediction", NULL};
    int choice = 0;
    switch (option) {
    case 'd':
        return read_count("--degree", optarg, &s->fit.degree);
    case 'k':
        return choose("--kernel", optarg, kernels, &choice) && ((s->fit.kernel = (heed_nw_kernel)choice), true);
    case 'c':
        return choose("--criterion", optarg, criteria, &choice) &&
               ((s->fit.criterion = (heed_np_criterion)choice), true);
    case 'i':
        return choose("--interval", optarg, intervals, &choice) && ((s->predict.band = (heed_np_band)choice), true);
    case 'b':
        return (s->bandwidths = optarg);
    case 'n':
        return read_number("--nearest", optarg, &s->fit.nearest);
    case 'r':
        return read_count("--robust", optarg, &s->fit.robust);
    case 'w':
        return (s->weights = optarg);
    case 'a':
        s->fit.labels = HEED_NP_CLASSIC;
        return true;
    case 's':
        return read_count("--starts", optarg, &s->fit.starts);
    case 'l':
        return read_number("--level", optarg, &s->predict.level);
    case 'e':
        return s->predict.local = true;
    case 'u':
        return s->predict.corrected = true;
    case 'o':
        return (s->output = optarg);
    case 'p':
        return (s->plot = optarg);
    case 'j':
        return s->json = true;
    case 'v':
        return s->verbose = true;
    case 'h':
        return s->help = true;
    case 'V':
        return s->version = true;
    default: /* getopt_long has said why */
        return false;
    }
}

static bool parse(settings *s, int argc, char **argv)
{
    static const struct option options[] = {
        {"degree", required_argument, NULL, 'd'},    {"kernel", required_argument, NULL, 'k'},
        {"criterion", required_argument, NULL, 'c'}, {"bandwidth", required_argument, NULL, 'b'},
        {"nearest", required_argument, NULL, 'n'},   {"robust", required_argument, NULL, 'r'},
        {"weights", required_argument, NULL, 'w'},   {"classic", no_argument, NULL, 'a'},
        {"starts", required_argument, NULL, 's'},    {"interval", required_argument, NULL, 'i'},
        {"level", required_argument, NULL, 'l'},     {"local", no_argument, NULL, 'e'},
        {"corrected", no_argument, NULL, 'u'},       {"output", required_argument, NULL, 'o'},
        {"plot", required_argument, NULL, 'p'},      {"json", no_argument, NULL, 'j'},
        {"verbose", no_argument, NULL, 'v'},         {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},         {NULL, 0, NULL, 0},
    };
    int option;
    while ((option = getopt_long(argc, argv, "d:k:c:b:n:r:w:as:i:l:euo:p:jvh", options, NULL)) != -1)
        if (!set_option(s, option))
            return false;
    if (s->help || s->version)
        return true;
    if (argc - optind != 2) {
        (void)fprintf(stderr, "heed-np: a formula and a file are needed, not %d arguments\n", argc - optind);
        return false;
    }
    s->formula = argv[optind];
    s->path = argv[optind + 1];
    return true;
}

/* -- Data ------------------------------------------------------------------------------------------------------------ */

typedef struct table {
    formula formula;
    heed_io_csv *csv;
    heed_tensor *x, *y, *weights; /* (n, d), (n), (n) or NULL */
    heed_np_column kinds[HEED_NP_MAX_COLUMNS];
    double bandwidths[HEED_NP_MAX_COLUMNS];
} table;

static heed_tensor *column_of(const table *t, const formula_term *term)
{
    if (term->use == FORMULA_FACTOR) {
        heed_categories *labels = heed_io_csv_categories(t->csv, term->name);
        heed_tensor *codes = labels ? heed_io_csv_codes(t->csv, term->name, labels) : NULL;
        heed_categories_free(labels);
        return heed_to_dtype(codes, HEED_F64);
    }
    heed_tensor *x = heed_io_csv_column(t->csv, term->name, HEED_F64);
    return term->use == FORMULA_LOG ? heed_log(x) : x;
}

static bool skip_missing(table *t, const settings *s)
{
    const char *names[HEED_NP_MAX_COLUMNS + 2];
    int n = 0;
    names[n++] = t->formula.response.name;
    for (int i = 0; i < t->formula.count; i++)
        names[n++] = t->formula.terms[i].name;
    if (s->weights)
        names[n++] = s->weights;
    return heed_io_csv_skip_missing(t->csv, names, n) == HEED_OK;
}

static bool read_table(table *t, const settings *s)
{
    t->csv = heed_io_csv_read(s->path, &(heed_io_csv_options){.guess_separator = true});
    if (!t->csv || !skip_missing(t, s))
        return false;
    heed_tensor *columns[HEED_NP_MAX_COLUMNS];
    for (int i = 0; i < t->formula.count; i++) {
        const formula_term *term = &t->formula.terms[i];
        columns[i] = column_of(t, term);
        t->kinds[i] = term->use == FORMULA_FACTOR    ? HEED_NP_UNORDERED
                      : term->use == FORMULA_ORDERED ? HEED_NP_ORDERED
                                                     : HEED_NP_CONTINUOUS;
    }
    t->x = heed_error_code() == HEED_OK ? heed_stack(columns, t->formula.count, 1) : NULL;
    t->y = t->x ? column_of(t, &t->formula.response) : NULL;
    t->weights = t->y && s->weights ? heed_io_csv_column(t->csv, s->weights, HEED_F64) : NULL;
    return heed_error_code() == HEED_OK;
}

/* "0.5,2": as many as there are columns. */
static bool read_bandwidths(table *t, const char *text)
{
    int n = 0;
    for (const char *at = text; n < t->formula.count; n++) {
        char *end;
        t->bandwidths[n] = strtod(at, &end);
        if (end == at || (*end != ',' && *end != '\0'))
            return refuse("--bandwidth", text);
        if (*end == '\0')
            return n + 1 == t->formula.count || refuse("--bandwidth", text);
        at = end + 1;
    }
    return refuse("--bandwidth", text);
}

/* -- Files -------------------------------------------------------------------------------------------------------------- */

static bool write_rows(const settings *s, const table *t, const heed_np *fit)
{
    const char *names[HEED_NP_MAX_COLUMNS + 8];
    heed_np_prediction at;
    if (heed_np_predict(fit, t->x, &s->predict, &at) != HEED_OK)
        return false;
    int n = 0;
    for (int c = 0; c < t->formula.count; c++)
        names[n++] = t->formula.terms[c].name;
    static const char *const rest[] = {"y", "fit", "se", "lower", "upper", "residual", "leverage"};
    for (int i = 0; i < 7; i++)
        names[n++] = rest[i];
    heed_tensor *columns[] = {
        t->x, t->y, at.mean, at.se, at.lower, at.upper, heed_np_residuals(fit), heed_np_leverages(fit)};
    return heed_io_csv_write(s->output, names, n, columns, 8, NULL) == HEED_OK;
}

enum { GRID = 400 };

static bool draw(const settings *s, const table *t, const heed_np *fit)
{
    heed_np_prediction at;
    heed_tensor *x = heed_select(t->x, 1, 0);
    const double low = x ? heed_item(heed_min(x)) : 0, high = x ? heed_item(heed_max(x)) : 0;
    heed_tensor *grid = heed_linspace(HEED_F64, low, high, GRID);
    if (heed_np_predict(fit, heed_unsqueeze(grid, 1), &s->predict, &at) != HEED_OK)
        return false;
    const heed_plot_series series[] = {
        {.x = x, .y = t->y, .style = HEED_LINE_NONE, .marker = HEED_MARKER_CIRCLE, .label = "data"},
        {.x = grid, .y = at.mean, .low = at.lower, .high = at.upper, .label = "fit"}};
    const heed_plot_lines_options options = {
        .title = s->formula, .xlabel = t->formula.terms[0].name, .ylabel = t->formula.response.name};
    return heed_plot_lines(series, 2, s->plot, &options) == HEED_OK;
}

/* -- Running ------------------------------------------------------------------------------------------------------------ */

static bool watch(const heed_np_progress *now, void *user)
{
    const settings *s = user;
    if (s->verbose)
        (void)fprintf(stderr, "start %d of %d, evaluation %d: %.9g at %g\n", now->start + 1, now->starts,
                      now->evaluations, now->best, now->bandwidths[0]);
    return !interrupted;
}

static bool run_fit(settings *s, table *t)
{
    s->fit.columns = t->kinds;
    s->fit.weights = t->weights;
    s->fit.progress = watch;
    s->fit.user = s;
    heed_np *fit = heed_np_fit(t->x, t->y, &s->fit);
    const report about = {s->formula, &t->formula, &s->fit, heed_io_csv_skipped(t->csv)};
    bool ok = fit != NULL;
    if (ok && s->json)
        ok = report_dump(&about, fit);
    else if (ok)
        report_print(&about, fit);
    ok = ok && (!s->output || write_rows(s, t, fit)) && (!s->plot || draw(s, t, fit));
    heed_np_free(fit);
    return ok;
}

static int run(settings *s)
{
    static table t; /* of 4 KiB names */
    char error[512];
    if (!formula_parse(&t.formula, s->formula, error, sizeof error)) {
        (void)fprintf(stderr, "heed-np: %s\n", error);
        return BAD_USAGE;
    }
    if (s->plot && (t.formula.count != 1 || t.formula.terms[0].use > FORMULA_LOG)) {
        (void)fprintf(stderr, "heed-np: --plot: is for one column of numbers\n");
        return BAD_USAGE;
    }
    if (s->bandwidths && !read_bandwidths(&t, s->bandwidths))
        return BAD_USAGE;
    s->fit.bandwidths = s->bandwidths ? t.bandwidths : NULL;
    const bool ok = read_table(&t, s) && run_fit(s, &t);
    if (!ok)
        (void)fprintf(stderr, "heed-np: %s\n", heed_error_code() == HEED_OK ? "cannot write" : heed_error_message());
    heed_io_csv_free(t.csv);
    return ok ? DONE : FAILED;
}

int main(int argc, char **argv)
{
    settings s = {0};
    int code;
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
    (void)sigaction(SIGINT, &action, NULL);
    if (!parse(&s, argc, argv)) {
        (void)fputs(usage, stderr);
        code = BAD_USAGE;
    } else if (s.help || s.version) {
        code = (s.help ? fputs(usage, stdout) : printf("heed-np %s\n", HEED_VERSION)) >= 0 ? DONE : FAILED;
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
