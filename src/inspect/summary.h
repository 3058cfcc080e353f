/* inspect/summary.h - the data of a module's summary. */
#ifndef HEED_INSPECT_SUMMARY_H
#define HEED_INSPECT_SUMMARY_H

#include <heed/inspect.h>

#include "inspect/pointers.h"

/* A module of the tree. */
typedef struct heed__summary_row {
    const heed_module *module;
    char path[HEED_MODULE_PATH_MAX + 1]; /* "" for the top module */
    int64_t parameters, multiply_adds, kept;
    bool has_result;
    heed_dtype dtype;
    heed_shape shape;
    int64_t ops; /* number of ops applied before the module ran */
} heed__summary_row;

typedef struct heed__summary {
    heed__summary_row *rows;
    size_t n_rows, capacity;
    int64_t parameters, trainable, multiply_adds, kept;
    heed__pointers counted; /* parameters */
    heed__pointers stored;  /* storages already counted, or not to be counted */
    int64_t ops;            /* number of ops applied so far */
    heed_dtype dtype;       /* of the last result */
    heed_shape shape;
} heed__summary;

/* Writes the table. HEED_ERR_IO. */
heed_status heed__summary_write(const heed__summary *s, const char *where, FILE *file);

#endif
