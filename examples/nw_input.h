/* examples/nw_input.h - the command line and the data file of nw_regression.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef NW_INPUT_H
#define NW_INPUT_H

#include "saving.h"

typedef struct nw_args {
    const char *data, *x, *y; /* a CSV file and two of its columns; NULL for the book's data */
    int64_t epochs;
    double lr;
    bool log_width; /* learn ln h */
} nw_args;

/* On a mistake in the user's input, these functions print a message and end the process with code 2. */

/* Reads the command line and starts the program: training_begin. */
nw_args nw_begin(int argc, char **argv);

/* The two columns (n), f64, of args.data sorted by args.x. */
void nw_read_data(heed_tensor **x, heed_tensor **y);

#endif
