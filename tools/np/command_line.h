/* tools/np/command_line.h - the settings of heed-np. */
#ifndef HEED_NP_COMMAND_LINE_H
#define HEED_NP_COMMAND_LINE_H

#include <heed/np.h>

typedef struct settings {
    const char *formula, *path, *bandwidths, *weights, *output, *plot;
    heed_np_options fit;
    heed_np_predict_options predict;
    bool has_bootstrap;
    heed_np_bootstrap_options bootstrap;
    bool test, json, verbose, help, version;
} settings;

extern const char usage_text[];

/* Returns false after printing an error. */
bool parse_command_line(settings *s, int argc, char **argv);

/* Prints the values that an option accepts, and returns false. */
bool refuse(const char *option, const char *text, const char *expected);

#endif
