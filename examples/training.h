/* examples/training.h - what the training examples share: the command line, the start of a run, paths, a picture.
 *
 *     static const training_option options[] = {
 *         {"data", "FOLDER", "where the files are", .text = &data},
 *         {"epochs", "N", "passes over the data", .count = &epochs, .least = 1},
 *     };
 *     training_begin(argc, argv, "Learns this and that.", TRAINING_OPTIONS(options));
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef TRAINING_H
#define TRAINING_H

#define HEED_SITES /* makes errors name the line */
#include <heed/heed.h>

/* One option, --name ARGUMENT. The pointer that is set decides the type of its argument; the value there is the
 * default. */
typedef struct training_option {
    const char *name, *argument, *help;
    const char **text;
    int64_t *count; /* a whole number, `least` or more */
    double *number; /* a finite number, 0 or more */
    bool *flag;     /* without argument; sets the flag */
    int64_t least;
} training_option;

#define TRAINING_OPTIONS(array) (array), ((int)(sizeof(array) / sizeof(array)[0]))

/* Reads the command line: at most 20 options of the example, and --seed, --threads, --out and --help, which prints
 * `about` and the options and ends the process with code 0. A mistake ends it with code 2. Seeds the generator, sets
 * the threads, and makes the folder for pictures; from here on an error of heed ends the process with code 1. */
void training_begin(int argc, char **argv, const char *about, const training_option *options, int n);

/* Prints "program: message" to stderr. */
void training_say(const char *format, ...) HEED_PRINTF(1, 2);

/* Prints the same and ends the process with code 2: for mistakes of the user. */
_Noreturn void training_refuse(const char *format, ...) HEED_PRINTF(1, 2);

/* Returns a path, formatted as by printf, or the path of a picture in its folder, in a buffer that the next call
 * overwrites. */
const char *training_path(const char *format, ...) HEED_PRINTF(1, 2);
const char *training_picture(const char *name);

/* The folder for pictures. */
const char *training_folder(void);

/* Records a file that the example reads, at most 8 of them, and returns the path. From then on an output that would
 * overwrite it is refused: a picture, and any path passed to training_check_output. */
const char *training_input(const char *path);
void training_check_output(const char *option, const char *path);

/* Makes the folders of a path of this option, up to its last '/'. Refuses a path whose folders cannot be made. */
void training_make_folders(const char *option, const char *path);

/* The bytes of a file as codes, i64, from 0 to vocabulary - 1 in the order of the bytes that occur; its last tenth
 * is held out. Refuses a file of fewer than `least` bytes. */
typedef struct training_text {
    heed_tensor *train, *held_out;
    int64_t vocabulary;
    unsigned char bytes[256]; /* the byte of every code */
} training_text;
training_text training_read_text(const char *path, int64_t least);

/* Draws losses (n) of epochs 1 to n, of training and (unless NULL) of validation, as loss.png. */
void training_plot_losses(heed_tensor *train, heed_tensor *validation);

#endif
