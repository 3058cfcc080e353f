/* tools/np/command_line.h - the settings of heed-np.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NP_COMMAND_LINE_H
#define HEED_NP_COMMAND_LINE_H

#include <stdio.h>

#include <heed/io.h>
#include <heed/np.h>

enum { MISSING_TEXTS = 32 };

typedef struct settings {
    const char *formula, *path, *bandwidths, *weights, *output, *plot, *at;
    heed_np_options fit;
    heed_np_predict_options predict;
    bool classic, test, json, verbose, help, version;
    int resampling; /* 0: none; 1: wild, 2: pairs */
    int seed;
    heed_np_bootstrap_options bootstrap;
    heed_io_csv_options table;                /* how to read the table and the rows of --at */
    const char *missing_texts[MISSING_TEXTS]; /* the usual ones, and the texts of --missing */
} settings;

/* Prints the help. Returns false if it cannot be written. */
bool print_usage(FILE *file);

/* Returns false after printing an error. */
bool parse_command_line(settings *s, int argc, char **argv);

/* Prints the values that an option accepts, and returns false. */
bool refuse(const char *option, const char *text, const char *expected);

#endif
