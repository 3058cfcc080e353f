/* examples/training.c - shared by the training examples: the command line, the start of a run, paths, a picture.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "training.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_OPTIONS 20
#define MOST_INPUTS 8
#define PATH_SIZE 1024
#define HELP 1000

static const char *program = "training", *out = "out";
static int64_t seed, threads;

static const training_option common[] = {
    {"seed", "S", "seed of all random numbers", .count = &seed},
    {"threads", "N", "maximum number of threads; 0: one per processor. Does not change the result", .count = &threads},
    {"out", "FOLDER", "folder for the pictures, created if it does not exist", .text = &out},
};
#define COMMON ((int)(sizeof common / sizeof common[0]))

static void say(const char *format, va_list list) HEED_PRINTF(1, 0);

static void say(const char *format, va_list list)
{
    fprintf(stderr, "%s: ", program);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
}

void training_say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(format, list);
    va_end(list);
}

void training_refuse(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(format, list);
    va_end(list);
    exit(2);
}

/* -- Command line ------------------------------------------------------------------------------------------------- */

static void print_option(const training_option *o)
{
    char name[64];
    snprintf(name, sizeof name, "--%s %s", o->name, o->argument);
    printf("  %-18s %s", name, o->help);
    if (o->text && *o->text)
        printf(" (%s)", *o->text);
    else if (o->count)
        printf(" (%" PRId64 ")", *o->count);
    else if (o->number)
        printf(" (%g)", *o->number);
    putchar('\n');
}

static void print_help(const char *about, const training_option *const *options, int n)
{
    printf("Usage: %s [options]\n\n%s\n\n", program, about);
    for (int i = 0; i < n; i++)
        print_option(options[i]);
    printf("  %-18s print this help and exit\n", "--help");
}

static void read_count(const training_option *o, const char *text)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno || value < o->least)
        training_refuse("--%s %s: must be a whole number, %" PRId64 " or more", o->name, text, o->least);
    *o->count = value;
}

static void read_number(const training_option *o, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value) || value < 0.0)
        training_refuse("--%s %s: must be a number, 0 or more", o->name, text);
    *o->number = value;
}

static void read_option(const training_option *o, const char *text)
{
    if (o->flag)
        *o->flag = true;
    else if (o->text)
        *o->text = text;
    else if (o->count)
        read_count(o, text);
    else
        read_number(o, text);
}

static void read_args(int argc, char **argv, const char *about, const training_option *const *options, int n)
{
    struct option list[MOST_OPTIONS + COMMON + 2] = {{"help", no_argument, NULL, HELP}};
    for (int i = 0; i < n; i++)
        list[i + 1] = (struct option){options[i]->name, options[i]->flag ? no_argument : required_argument, NULL, i};
    for (int option; (option = getopt_long(argc, argv, "", list, NULL)) != -1;) {
        if (option == HELP) {
            print_help(about, options, n);
            exit(0);
        }
        if (option >= n) /* '?': getopt_long has printed the mistake */
            training_refuse("try --help");
        read_option(options[option], optarg);
    }
    if (optind < argc)
        training_refuse("%s: not an option (try --help)", argv[optind]);
}

/* -- The start ---------------------------------------------------------------------------------------------------- */

static void make_folder(const char *option, const char *folder)
{
    struct stat info;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        training_refuse("--%s %s: %s", option, folder, strerror(errno));
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode))
        training_refuse("--%s %s: not a folder", option, folder);
}

void training_make_folders(const char *option, const char *path)
{
    char folder[PATH_SIZE];
    if (snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder)
        training_refuse("--%s %.40s...: this path is too long", option, path);
    for (char *slash = strchr(folder + (*folder == '/'), '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        make_folder(option, folder);
        *slash = '/';
    }
}

void training_begin(int argc, char **argv, const char *about, const training_option *options, int n)
{
    const training_option *all[MOST_OPTIONS + COMMON];
    int count = 0;
    for (int i = 0; i < n && i < MOST_OPTIONS; i++)
        all[count++] = &options[i];
    for (int i = 0; i < COMMON; i++)
        all[count++] = &common[i];
    const char *slash = strrchr(argv[0], '/');
    program = slash ? slash + 1 : argv[0];
    read_args(argc, argv, about, all, count);
    if (threads > 256)
        training_refuse("--threads %" PRId64 ": must be at most 256", threads);
    if (*out == '\0')
        training_refuse("--out needs the name of a folder");
    training_make_folders("out", training_picture(""));
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_manual_seed((uint64_t)seed);
    if (threads > 0)
        heed_set_num_threads((int)threads);
}

/* -- Paths and a picture ------------------------------------------------------------------------------------------ */

const char *training_path(const char *format, ...)
{
    static char path[PATH_SIZE];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(path, sizeof path, format, list);
    va_end(list);
    if (length < 0 || length >= (int)sizeof path)
        training_refuse("%.40s...: this path is too long", path);
    return path;
}

const char *training_folder(void)
{
    return out;
}

static char inputs[MOST_INPUTS][PATH_SIZE];
static int input_count;

const char *training_input(const char *path)
{
    if (input_count < MOST_INPUTS)
        (void)snprintf(inputs[input_count++], PATH_SIZE, "%s", path);
    return path;
}

void training_check_output(const char *option, const char *path)
{
    for (int i = 0; i < input_count; i++)
        if (heed_io_same_file(inputs[i], path))
            training_refuse("--%s %s: this is the input file; use a different name", option, path);
}

const char *training_picture(const char *name)
{
    const char *path = training_path("%s/%s", out, name);
    training_check_output("out", path);
    return path;
}

static unsigned char *read_bytes(const char *path, int64_t least, int64_t *size)
{
    struct stat info;
    FILE *file = fopen(training_input(path), "rb");
    if (!file || fstat(fileno(file), &info) != 0)
        training_refuse("%s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        training_refuse("%s: not a regular file", path);
    if (info.st_size < least || info.st_size > 1 << 30)
        training_refuse("%s: has %" PRId64 " bytes: must have %" PRId64 " to 2^30", path, info.st_size, least);
    *size = info.st_size;
    unsigned char *bytes = malloc((size_t)*size);
    if (!bytes || fread(bytes, 1, (size_t)*size, file) != (size_t)*size)
        training_refuse("%s: cannot be read", path);
    fclose(file);
    return bytes;
}

training_text training_read_text(const char *path, int64_t least)
{
    training_text text = {0};
    int64_t size, code[256] = {0};
    unsigned char *bytes = read_bytes(path, least, &size);
    for (int64_t i = 0; i < size; i++)
        code[bytes[i]] = 1;
    for (int byte = 0; byte < 256; byte++)
        if (code[byte]) {
            text.bytes[text.vocabulary] = (unsigned char)byte;
            code[byte] = text.vocabulary++;
        }
    heed_tensor *all = heed_empty(HEED_I64, HEED_SHAPE(size));
    int64_t *codes = heed_mutable_i64(all);
    for (int64_t i = 0; i < size; i++)
        codes[i] = code[bytes[i]];
    text.train = heed_slice(all, 0, 0, size - size / 10, 1);
    text.held_out = heed_slice(all, 0, size - size / 10, size, 1);
    free(bytes);
    return text;
}

void training_plot_losses(heed_tensor *train, heed_tensor *validation)
{
    heed_tensor *x = heed_arange(HEED_F64, 1.0, (double)heed_numel(train) + 1.0, 1.0);
    heed_marker marker = heed_numel(train) == 1 ? HEED_MARKER_CIRCLE : HEED_MARKER_NONE;
    const heed_plot_series series[] = {{.x = x, .y = train, .label = "training", .marker = marker},
                                       {.x = x, .y = validation, .label = "validation", .marker = marker}};
    heed_plot_lines(series, validation ? 2 : 1, training_picture("loss.png"),
                    &(heed_plot_lines_options){.xlabel = "epoch", .ylabel = "loss"});
}
