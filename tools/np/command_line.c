/* tools/np/command_line.c - the options of heed-np: one table for parsing and for the help.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "np/command_line.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

/* -- The options --------------------------------------------------------------------------------------------------- */

static const char *const kernels[] = {"gaussian", "boxcar",    "triangular", "epanechnikov",
                                      "biweight", "triweight", "tricube",    NULL};
static const char *const criteria[] = {"cv", "aicc", "gcv", "rule", "plug-in", NULL};
static const char *const intervals[] = {"pointwise", "simultaneous", "prediction", NULL};
static const char *const resamplings[] = {"", "wild", "pairs", NULL};
static const char *const date_orders[] = {"", "day", "month", NULL};

/* The type of an option's value, and of the member that receives it. */
typedef enum option_type {
    OPTION_HEADING, /* not an option, but a line of the help */
    OPTION_FLAG,    /* bool */
    OPTION_TEXT,    /* const char * */
    OPTION_NUMBER,  /* double */
    OPTION_COUNT,   /* int */
    OPTION_CHOICE,  /* an int or an enum: the index in `choices` */
    OPTION_CHARACTER,
    OPTION_MISSING, /* a further element of missing_texts */
} option_type;

#define AT(member) offsetof(settings, member)

static const struct row {
    option_type type;
    char letter; /* '\0': none */
    const char *name, *value;
    size_t offset;
    const char *help;
    const char *const *choices; /* ends with NULL; "" is not a choice */
} rows[] = {
    {OPTION_HEADING, '\0', "The table", NULL, 0, NULL, NULL},
    {OPTION_CHARACTER, 'F', "separator", "C", AT(table.separator),
     "tab, space (blanks of any number) or a character; default: guessed", NULL},
    {OPTION_CHARACTER, '\0', "decimal", "C", AT(table.decimal), "decimal sign: . (default) or ,", NULL},
    {OPTION_CHARACTER, '\0', "thousands", "C", AT(table.thousands),
     "sign between groups of three digits, as in 1,234.5", NULL},
    {OPTION_MISSING, 'm', "missing", "TEXT", 0,
     "means a missing value, like NA, N/A, NaN, NULL and an empty field; repeatable", NULL},
    {OPTION_COUNT, '\0', "skip-lines", "N", AT(table.skip_lines), "lines to ignore before the header", NULL},
    {OPTION_CHARACTER, '\0', "comment", "C", AT(table.comment), "ignore lines that begin with this character", NULL},
    {OPTION_FLAG, '\0', "no-header", NULL, AT(table.no_header), "the first line is a row; columns are V1, V2, ...",
     NULL},
    {OPTION_CHOICE, '\0', "date-order", "WHAT", AT(table.date_order), "first number of dates such as 03/04/2024",
     date_orders},
    {OPTION_TEXT, 'w', "weights", "COLUMN", AT(weights), "column with weights of the rows", NULL},

    {OPTION_HEADING, '\0', "The fit (the first of several names is the default)", NULL, 0, NULL, NULL},
    {OPTION_COUNT, 'd', "degree", "N", AT(fit.degree), "0 constant (default), 1 linear, 2 quadratic, 3 cubic", NULL},
    {OPTION_CHOICE, 'k', "kernel", "NAME", AT(fit.kernel), "", kernels},
    {OPTION_CHOICE, 'c', "criterion", "NAME", AT(fit.criterion), "rule and plug-in do not search", criteria},
    {OPTION_TEXT, 'b', "bandwidth", "H[,H]...", AT(bandwidths), "fixed bandwidths, one per column, without a search",
     NULL},
    {OPTION_NUMBER, 'n', "nearest", "SHARE", AT(fit.nearest),
     "windows with this share of the rows (one column of numbers)", NULL},
    {OPTION_COUNT, 'r', "robust", "N", AT(fit.robust), "rounds of bisquare weights", NULL},
    {OPTION_FLAG, 'a', "classic", NULL, AT(classic), "label weights by Aitchison and Aitken, Wang and van Ryzin", NULL},
    {OPTION_COUNT, 's', "starts", "N", AT(fit.starts), "starts of the search (default: 5)", NULL},

    {OPTION_HEADING, '\0', "Intervals and tests (the first interval is the default)", NULL, 0, NULL, NULL},
    {OPTION_CHOICE, 'i', "interval", "KIND", AT(predict.band), "", intervals},
    {OPTION_NUMBER, 'l', "level", "P", AT(predict.level), "level of the interval (default: 0.95)", NULL},
    {OPTION_FLAG, 'e', "local", NULL, AT(predict.local), "standard errors for errors whose variance changes", NULL},
    {OPTION_FLAG, 'u', "corrected", NULL, AT(predict.corrected), "less biased interval, from a degree higher by one",
     NULL},
    {OPTION_CHOICE, 'B', "bootstrap", "KIND", AT(resampling), "interval from resampled rows", resamplings},
    {OPTION_FLAG, 't', "test", NULL, AT(test), "test whether columns matter: a p-value per column", NULL},
    {OPTION_COUNT, 'D', "draws", "N", AT(bootstrap.draws), "draws of --bootstrap and --test (default: 999 and 399)",
     NULL},
    {OPTION_COUNT, 'S', "seed", "N", AT(seed), "seed of random draws (default: 0)", NULL},

    {OPTION_HEADING, '\0', "Output", NULL, 0, NULL, NULL},
    {OPTION_TEXT, 'o', "output", "FILE.csv", AT(output), "write rows with fit, standard error and interval", NULL},
    {OPTION_TEXT, '\0', "at", "FILE.csv", AT(at),
     "write rows of this table instead; without a fit if a value is missing", NULL},
    {OPTION_TEXT, 'p', "plot", "FILE.png", AT(plot),
     "draw the fit, a panel per column; a density of two as a heatmap; .svg too", NULL},
    {OPTION_FLAG, 'j', "json", NULL, AT(json), "print one JSON document instead of the table", NULL},
    {OPTION_FLAG, 'v', "verbose", NULL, AT(verbose), "print the steps of the search to standard error", NULL},
    {OPTION_FLAG, 'h', "help", NULL, AT(help), "print this help and exit", NULL},
    {OPTION_FLAG, '\0', "version", NULL, AT(version), "print the version and exit", NULL},
};

enum { ROWS = sizeof rows / sizeof rows[0], FIRST_CODE = 256 };

/* -- Help ---------------------------------------------------------------------------------------------------------- */

static const char introduction[] =
    "Usage: heed-np [OPTION]... FORMULA FILE\n"
    "Kernel regression of a table (CSV, also compressed by gzip; - is standard input).\n\n"
    "  heed-np 'accel ~ times' mcycle.csv --degree 1 --plot fit.png\n"
    "  heed-np 'price ~ log(area) + city + date' houses.csv --decimal , --at new.csv -o prices.csv\n"
    "  heed-np 'species ~ . - id' penguins.csv.gz --missing unknown          classes, from all columns but id\n"
    "  zcat log.gz | heed-np '~ V3' - --no-header --comment '#'              the density of the third column\n\n"
    "FORMULA: Y ~ TERM + TERM ...; without Y a density. Y: numbers, or texts or factor(X) for classes.\n"
    "  x, `a name`         a column of numbers, texts (unordered categories) or dates\n"
    "  . and - x           all other columns, and without x\n"
    "  log(x) I(x^2)       log, log1p, sqrt, exp, abs, + - * / ^\n"
    "  factor(x)           categories, also of numbers\n"
    "  ordered(x)          whole numbers whose order counts, or texts: ordered(size, \"small\", \"large\")\n"
    "  date(x)             dates: 2024-02-29, 29.02.2024, 02/29/2024, 29-Feb-2024\n";

/* Writes the choices as "cv, aicc or gcv". */
static void list_choices(const char *const *choices, char *list, size_t size)
{
    size_t used = 0;
    list[0] = '\0';
    for (int i = 0; choices[i] && used < size; i++)
        if (*choices[i])
            used += (size_t)snprintf(list + used, size - used, "%s%s", used ? ", " : "", choices[i]);
}

static void print_row(FILE *file, const struct row *row)
{
    char names[64], list[128] = "";
    const char letter[] = {'-', row->letter, ',', '\0'};
    (void)snprintf(names, sizeof names, "  %-3s --%s%s%s", row->letter ? letter : "", row->name, row->value ? " " : "",
                   row->value ? row->value : "");
    if (row->choices)
        list_choices(row->choices, list, sizeof list);
    (void)fprintf(file, "%-30s %s%s%s\n", names, *list ? list : row->help, *list && *row->help ? "; " : "",
                  *list ? row->help : "");
}

bool print_usage(FILE *file)
{
    (void)fputs(introduction, file);
    for (int i = 0; i < ROWS; i++)
        if (rows[i].type == OPTION_HEADING)
            (void)fprintf(file, "\n%s\n", rows[i].name);
        else
            print_row(file, &rows[i]);
    return !ferror(file);
}

/* -- Values -------------------------------------------------------------------------------------------------------- */

bool refuse(const char *option, const char *text, const char *expected)
{
    (void)fprintf(stderr, "heed-np: %s: \"%s\": must be %s\n", option, heed__escaped(text).s, expected);
    return false;
}

static bool choose(const char *option, const char *text, const char *const *choices, int *choice)
{
    char list[256] = "one of ";
    for (int i = 0; choices[i]; i++)
        if (*choices[i] && strcmp(choices[i], text) == 0) {
            *choice = i;
            return true;
        }
    list_choices(choices, list + strlen(list), sizeof list - strlen(list));
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

static bool read_character(const char *option, const char *text, char *character)
{
    static const struct {
        const char *name;
        char character;
    } named[] = {{"tab", '\t'}, {"\\t", '\t'}, {"space", ' '}};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (strcmp(text, named[i].name) == 0) {
            *character = named[i].character;
            return true;
        }
    *character = *text;
    return strlen(text) == 1 || refuse(option, text, "one character, tab or space");
}

static bool add_missing(settings *s, const char *text)
{
    heed_io_csv_options *o = &s->table;
    if (o->missing_text_count == MISSING_TEXTS)
        return refuse("--missing", text, "given at most 24 times");
    s->missing_texts[o->missing_text_count++] = text;
    return true;
}

static bool set_option(settings *s, const struct row *row)
{
    char option[32];
    char *member = (char *)s + row->offset;
    (void)snprintf(option, sizeof option, "--%s", row->name);
    switch (row->type) {
    case OPTION_FLAG:
        return *(bool *)(void *)member = true;
    case OPTION_TEXT:
        return (*(const char **)(void *)member = optarg);
    case OPTION_NUMBER:
        return read_number(option, optarg, (double *)(void *)member);
    case OPTION_COUNT:
        return read_count(option, optarg, (int *)(void *)member);
    case OPTION_CHOICE:
        return choose(option, optarg, row->choices, (int *)(void *)member);
    case OPTION_CHARACTER:
        return read_character(option, optarg, member);
    case OPTION_MISSING:
        return add_missing(s, optarg);
    case OPTION_HEADING:
    default:
        return false;
    }
}

/* -- Checks -------------------------------------------------------------------------------------------------------- */

static bool check_output(const char *input, const char *name, const char *path)
{
    if (!path || !input || !heed_io_same_file(strcmp(input, "-") == 0 ? "/dev/stdin" : input, path))
        return true;
    (void)fprintf(stderr, "heed-np: %s: %s is the input table; write to a different file\n", name,
                  heed__escaped(path).s);
    return false;
}

/* An output replaces its file, so it must be neither a table nor the file of the other output. Standard output may be
 * appended to the table. */
static bool check_outputs(const settings *s)
{
    const char *const inputs[] = {s->path, s->at};
    for (int i = 0; i < 2; i++)
        if (!check_output(inputs[i], "--output", s->output) || !check_output(inputs[i], "--plot", s->plot) ||
            !check_output(inputs[i], "standard output", "/dev/stdout"))
            return false;
    if (!s->output || !s->plot || (strcmp(s->output, s->plot) != 0 && !heed_io_same_file(s->output, s->plot)))
        return true;
    (void)fprintf(stderr, "heed-np: --output and --plot: both are %s; use different files\n", heed__escaped(s->plot).s);
    return false;
}

static bool check_combinations(const settings *s)
{
    const char *problem = NULL;
    if (s->resampling && (s->predict.band || s->predict.local || s->predict.corrected))
        problem = "--bootstrap cannot be combined with --interval, --local or --corrected";
    else if (s->at && !s->output)
        problem = "--at needs --output FILE.csv for the predictions";
    else if (s->at && strcmp(s->at, "-") == 0 && strcmp(s->path, "-") == 0)
        problem = "the table and --at cannot both be standard input";
    if (problem)
        (void)fprintf(stderr, "heed-np: %s\n", problem);
    return !problem;
}

/* Prints the error itself, because getopt_long would not escape the argument. Always returns false. */
static bool refuse_option(char **argv)
{
    const char letter[] = {'-', (char)optopt, '\0'};
    (void)fprintf(stderr, "heed-np: \"%s\" is not an option, or lacks its value\n",
                  heed__escaped(optopt && optopt < FIRST_CODE ? letter : argv[optind - 1]).s);
    return false;
}

/* Sets members without an option of their own. */
static void finish(settings *s)
{
    s->fit.labels = s->classic ? HEED_NP_CLASSIC : HEED_NP_LI_RACINE;
    s->bootstrap.resampling = s->resampling == 2 ? HEED_NP_PAIRS : HEED_NP_WILD;
    s->predict.seed = s->bootstrap.seed = (uint64_t)s->seed;
    s->table.guess_separator = !s->table.separator;
    s->table.missing_texts = s->missing_texts;
    s->table.max_bytes = SIZE_MAX;
}

/* -- The command line ---------------------------------------------------------------------------------------------- */

/* Makes getopt's tables of the rows; a row's code is FIRST_CODE plus its index. */
static void make_getopt(struct option options[ROWS + 1], char letters[2 * ROWS + 1])
{
    int count = 0;
    for (int i = 0; i < ROWS; i++) {
        if (rows[i].type == OPTION_HEADING)
            continue;
        options[count++] =
            (struct option){rows[i].name, rows[i].value ? required_argument : no_argument, NULL, FIRST_CODE + i};
        if (rows[i].letter)
            *letters++ = rows[i].letter;
        if (rows[i].letter && rows[i].value)
            *letters++ = ':';
    }
    options[count] = (struct option){NULL, 0, NULL, 0};
    *letters = '\0';
}

static const struct row *row_of(int code)
{
    for (int i = 0; i < ROWS; i++)
        if (code == FIRST_CODE + i || (code < FIRST_CODE && rows[i].letter == (char)code))
            return &rows[i];
    return NULL;
}

bool parse_command_line(settings *s, int argc, char **argv)
{
    static const char *const usual[] = {"", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null"};
    struct option options[ROWS + 1];
    char letters[2 * ROWS + 1];
    int code;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        (void)add_missing(s, usual[i]);
    make_getopt(options, letters);
    opterr = 0;
    while ((code = getopt_long(argc, argv, letters, options, NULL)) != -1) {
        const struct row *row = code == '?' ? NULL : row_of(code);
        if (row ? !set_option(s, row) : !refuse_option(argv))
            return false;
    }
    if (s->help || s->version)
        return true;
    if (argc - optind != 2) {
        (void)fprintf(stderr, "heed-np: the arguments must be a formula and a file, not %d arguments\n", argc - optind);
        return false;
    }
    s->formula = argv[optind];
    s->path = argv[optind + 1];
    finish(s);
    return check_combinations(s) && check_outputs(s);
}
