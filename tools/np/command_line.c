/* tools/np/command_line.c - parses the options of heed-np. */

#include "np/command_line.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include <heed/io.h>

const char usage_text[] =
    "Usage: heed-np [OPTION]... 'Y ~ X + factor(Z)' FILE.csv\n"
    "Fits Y by kernel regression on X, Z, ...; log(X), factor(Z) and ordered(Z) specify the kind of a column.\n"
    "Without Y, '~ X', estimates the density of X.\n\n"
    "  -d, --degree 0|1|2|3         constant (default), linear, quadratic, cubic\n"
    "  -k, --kernel NAME            gaussian (default), boxcar, triangular, epanechnikov, biweight, triweight, "
    "tricube\n"
    "  -c, --criterion NAME         criterion to minimise: cv (default), aicc, gcv; without a search: rule, plug-in\n"
    "  -b, --bandwidth H[,H]...     fixed bandwidths, one per column, without a search\n"
    "  -n, --nearest SHARE          windows with this share of the rows (one column of numbers)\n"
    "  -r, --robust N               rounds of bisquare weights\n"
    "  -w, --weights COLUMN         column with weights of the rows\n"
    "  -a, --classic                weights of labels by Aitchison and Aitken, Wang and van Ryzin\n"
    "  -s, --starts N               starts of the search (default: 5)\n"
    "  -i, --interval KIND          pointwise (default), simultaneous, prediction\n"
    "  -l, --level P                level of the interval (default: 0.95)\n"
    "  -e, --local                  standard errors for errors whose variance changes\n"
    "  -u, --corrected              less biased interval, from a degree higher by one\n"
    "  -B, --bootstrap KIND         interval from resampled rows: wild, pairs\n"
    "  -D, --draws N                draws of --bootstrap and --test (default: 999 and 399)\n"
    "  -S, --seed N                 seed of random draws (default: 0)\n"
    "  -t, --test                   test whether columns matter: a p-value per column\n"
    "  -o, --output FILE.csv        write rows with fit, standard error and interval; fit.1 if a column is named fit\n"
    "  -p, --plot FILE.png          draw points, fit and band (one column of numbers); .svg works too\n"
    "  -j, --json                   print one JSON document instead of the table\n"
    "  -v, --verbose                print the steps of the search to standard error\n"
    "  -h, --help                   print this help and exit\n"
    "      --version                print the version and exit\n";

bool refuse(const char *option, const char *text, const char *expected)
{
    (void)fprintf(stderr, "heed-np: %s: \"%s\": must be %s\n", option, heed__escaped(text).s, expected);
    return false;
}

static bool choose(const char *option, const char *text, const char *const *names, int *choice)
{
    char list[256] = "one of ";
    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], text) == 0) {
            *choice = i;
            return true;
        }
        const size_t length = strlen(list);
        (void)snprintf(list + length, sizeof list - length, "%s%s", i ? ", " : "", names[i]);
    }
    return refuse(option, text, list);
}

static bool read_number(const char *option, const char *text, double *number)
{
    char *end;
    errno = 0;
    *number = strtod(text, &end);
    return (end != text && *end == '\0' && errno == 0) || refuse(option, text, "a number");
}

static bool read_count(const char *option, const char *text, int *count)
{
    static const char expected[] = "a whole number from 0 to 1000000";
    char *end;
    const double number = strtod(text, &end);
    if (end == text || *end || !(number >= 0 && number <= 1e6 && number == floor(number)))
        return refuse(option, text, expected);
    *count = (int)number;
    return true;
}

/* Sets options of the bootstrap and of the test. */
static bool set_draws(settings *s, int option)
{
    static const char *const resamplings[] = {"wild", "pairs", NULL};
    int choice = 0;
    switch (option) {
    case 'B':
        s->has_bootstrap = true;
        return choose("--bootstrap", optarg, resamplings, &choice) &&
               ((s->bootstrap.resampling = (heed_np_resampling)choice), true);
    case 'D':
        return read_count("--draws", optarg, &s->bootstrap.draws);
    case 'S':
        return read_count("--seed", optarg, &choice) && ((s->bootstrap.seed = (uint64_t)choice), true);
    case 't':
        return s->test = true;
    default:
        return false;
    }
}

static bool set_option(settings *s, int option)
{
    static const char *const kernels[] = {"gaussian", "boxcar",    "triangular", "epanechnikov",
                                          "biweight", "triweight", "tricube",    NULL};
    static const char *const criteria[] = {"cv", "aicc", "gcv", "rule", "plug-in", NULL};
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
    default:
        return set_draws(s, option);
    }
}

static bool check_output(const settings *s, const char *name, const char *path)
{
    if (!path || !heed_io_same_file(s->path, path))
        return true;
    (void)fprintf(stderr, "heed-np: %s: %s is the input table; write to a different file\n", name,
                  heed__escaped(path).s);
    return false;
}

/* An output replaces its file, so it must be neither the table nor the file of the other output. Standard output may be
 * appended to the table. */
static bool check_outputs(const settings *s)
{
    if (!check_output(s, "--output", s->output) || !check_output(s, "--plot", s->plot) ||
        !check_output(s, "standard output", "/dev/stdout"))
        return false;
    if (!s->output || !s->plot || (strcmp(s->output, s->plot) != 0 && !heed_io_same_file(s->output, s->plot)))
        return true;
    (void)fprintf(stderr, "heed-np: --output and --plot: both are %s; use different files\n", heed__escaped(s->plot).s);
    return false;
}

/* Prints the error itself, because getopt_long would not escape the argument. Always returns false. */
static bool refuse_option(char **argv)
{
    const char letter[] = {'-', (char)optopt, '\0'};
    (void)fprintf(stderr, "heed-np: \"%s\" is not an option, or lacks its value\n",
                  heed__escaped(optopt ? letter : argv[optind - 1]).s);
    return false;
}

bool parse_command_line(settings *s, int argc, char **argv)
{
    static const struct option options[] = {
        {"degree", required_argument, NULL, 'd'},
        {"kernel", required_argument, NULL, 'k'},
        {"criterion", required_argument, NULL, 'c'},
        {"bandwidth", required_argument, NULL, 'b'},
        {"nearest", required_argument, NULL, 'n'},
        {"robust", required_argument, NULL, 'r'},
        {"weights", required_argument, NULL, 'w'},
        {"classic", no_argument, NULL, 'a'},
        {"starts", required_argument, NULL, 's'},
        {"interval", required_argument, NULL, 'i'},
        {"level", required_argument, NULL, 'l'},
        {"local", no_argument, NULL, 'e'},
        {"corrected", no_argument, NULL, 'u'},
        {"bootstrap", required_argument, NULL, 'B'},
        {"draws", required_argument, NULL, 'D'},
        {"seed", required_argument, NULL, 'S'},
        {"test", no_argument, NULL, 't'},
        {"output", required_argument, NULL, 'o'},
        {"plot", required_argument, NULL, 'p'},
        {"json", no_argument, NULL, 'j'},
        {"verbose", no_argument, NULL, 'v'},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},
        {NULL, 0, NULL, 0},
    };
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, "d:k:c:b:n:r:w:as:i:l:euB:D:S:to:p:jvh", options, NULL)) != -1)
        if (option == '?' ? !refuse_option(argv) : !set_option(s, option))
            return false;
    if (s->help || s->version)
        return true;
    if (argc - optind != 2) {
        (void)fprintf(stderr, "heed-np: the arguments must be a formula and a file, not %d arguments\n", argc - optind);
        return false;
    }
    s->formula = argv[optind];
    s->path = argv[optind + 1];
    if (s->has_bootstrap && (s->predict.band || s->predict.local || s->predict.corrected)) {
        (void)fprintf(stderr, "heed-np: --bootstrap cannot be combined with --interval, --local or --corrected\n");
        return false;
    }
    s->predict.seed = s->bootstrap.seed;
    return check_outputs(s);
}
