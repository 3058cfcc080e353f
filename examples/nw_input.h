/* examples/nw_input.h - the command line and the data file of nw_regression. */
#ifndef NW_INPUT_H
#define NW_INPUT_H

#include <heed/heed.h>

typedef struct nw_args {
    const char *data, *x, *y; /* a CSV file and two of its columns; NULL: the book's data */
    const char *out;          /* folder for the pictures */
    int epochs;
    double lr;
    uint64_t seed;
    bool log_width; /* learn ln h */
} nw_args;

/* Each ends the process with code 2 after a message when something is wrong with what the user gave. */

/* The command line. Ends the process with code 0 after --help. */
nw_args nw_read_args(int argc, char **argv);

/* The two columns (n), f64, sorted by x. */
void nw_read_data(const nw_args *args, heed_tensor **x, heed_tensor **y);

/* Makes the folder for the pictures if it is not there. */
void nw_make_folder(const nw_args *args);

/* "out/name", in a buffer that the next call uses again. */
const char *nw_path(const nw_args *args, const char *name);

#endif
