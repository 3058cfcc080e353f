/* examples/nw_input.c - the command line and the data file of nw_regression. */

#include "nw_input.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char help[] =
    "Usage: nw_regression [--data FILE.csv --x COLUMN --y COLUMN] [options]\n"
    "\n"
    "Nadaraya-Watson kernel regression: average pooling, a fixed width, and a width learned by SGD on leave-one-out\n"
    "sets. Without --data on the data of the book's chapter, which is random.\n"
    "\n"
    "  --data FILE.csv  your data, with a header line; needs memory for about 100 n^2 bytes\n"
    "  --x COLUMN       its column of inputs\n"
    "  --y COLUMN       its column of targets\n"
    "  --log-width      learn ln h from Silverman's rule, by the logarithm of the mean squared error: converges "
    "whatever\n"
    "                   the scale of the data. Without it, the book's setting: w = 1 / h from U(0, 1), sum of squares\n"
    "  --epochs N       passes over the data (5; with --log-width 500)\n"
    "  --lr R           learning rate (0.5)\n"
    "  --seed S         of the random data and of w (0)\n"
    "  --out DIR        folder for the pictures, made if it is not there (out)\n"
    "  --help           this text\n";

static _Noreturn void refuse(const char *format, ...) HEED_PRINTF(1, 2);

static _Noreturn void refuse(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("nw_regression: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    exit(2);
}

/* -- Command line ------------------------------------------------------------------------------------------- */

static long long whole_number(const char *option, const char *text, long long low, long long high)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno || value < low || value > high)
        refuse("--%s %s: wants a whole number from %lld to %lld", option, text, low, high);
    return value;
}

static double positive_number(const char *option, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value) || value <= 0.0)
        refuse("--%s %s: wants a number above 0", option, text);
    return value;
}

static void read_option(nw_args *args, int option, const char *text)
{
    switch (option) {
    case 'd':
        args->data = text;
        break;
    case 'x':
        args->x = text;
        break;
    case 'y':
        args->y = text;
        break;
    case 'o':
        args->out = text;
        break;
    case 'e':
        args->epochs = (int)whole_number("epochs", text, 1, INT_MAX);
        break;
    case 'r':
        args->lr = positive_number("lr", text);
        break;
    case 's':
        args->seed = (uint64_t)whole_number("seed", text, 0, LLONG_MAX);
        break;
    case 'l':
        args->log_width = true;
        break;
    case 'h':
        fputs(help, stdout);
        exit(0);
    default: /* getopt_long has said what is wrong */
        fputs("Try --help.\n", stderr);
        exit(2);
    }
}

nw_args nw_read_args(int argc, char **argv)
{
    static const struct option options[] = {
        {"data", required_argument, NULL, 'd'}, {"x", required_argument, NULL, 'x'},
        {"y", required_argument, NULL, 'y'},    {"out", required_argument, NULL, 'o'},
        {"lr", required_argument, NULL, 'r'},   {"epochs", required_argument, NULL, 'e'},
        {"seed", required_argument, NULL, 's'}, {"log-width", no_argument, NULL, 'l'},
        {"help", no_argument, NULL, 'h'},       {NULL, 0, NULL, 0},
    };
    nw_args args = {.out = "out", .lr = 0.5};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        read_option(&args, option, optarg);
    if (optind < argc)
        refuse("%s: not an option (try --help)", argv[optind]);
    if (args.data ? !args.x || !args.y : args.x || args.y)
        refuse("--data, --x and --y go together");
    if (args.epochs == 0)
        args.epochs = args.log_width ? 500 : 5;
    return args;
}

/* -- Data ----------------------------------------------------------------------------------------------------- */

static heed_tensor *column(const nw_args *args, const heed_csv *csv, const char *name)
{
    heed_tensor *t = heed_io_csv_column(csv, name, HEED_F64);
    if (!t)
        refuse("%s", heed_error_message());
    if (heed_item(heed_min(t)) == heed_item(heed_max(t)))
        refuse("%s: all of column \"%s\" are %g", args->data, name, heed_item(heed_min(t)));
    return t;
}

void nw_read_data(const nw_args *args, heed_tensor **x, heed_tensor **y)
{
    heed_csv *csv = heed_io_csv_read(args->data, NULL);
    if (!csv)
        refuse("%s", heed_error_message());
    if (heed_io_csv_rows(csv) < 3)
        refuse("%s: %lld rows: wants 3 or more", args->data, (long long)heed_io_csv_rows(csv));
    heed_tensor *order = NULL;
    *x = heed_sort_axis(column(args, csv, args->x), 0, false, &order);
    *y = heed_index_select(column(args, csv, args->y), 0, order);
    heed_io_csv_free(csv);
    if (!*y)
        refuse("%s", heed_error_message());
}

/* -- Pictures ----------------------------------------------------------------------------------------------- */

void nw_make_folder(const nw_args *args)
{
    struct stat info;
    if (strlen(args->out) > 900)
        refuse("--out: a name of %zu characters is too long", strlen(args->out));
    if (mkdir(args->out, 0777) != 0 && errno != EEXIST)
        refuse("--out %s: %s", args->out, strerror(errno));
    if (stat(args->out, &info) != 0 || !S_ISDIR(info.st_mode))
        refuse("--out %s: not a folder", args->out);
}

const char *nw_path(const nw_args *args, const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", args->out, name);
    return path;
}
