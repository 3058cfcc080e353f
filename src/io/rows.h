/* io/rows.h - datasets whose tensors stay in a file: rows are read on demand. */
#ifndef HEED_IO_ROWS_H
#define HEED_IO_ROWS_H

#include <heed/data.h>

#include "io/elements.h"

/* A tensor in the file. */
typedef struct heed__rows_tensor {
    heed__file_layout layout;
    size_t offset; /* offset of the first element in the file */
    /* elements are multiplied by `scale` and converted to `dtype`, as by the IDX reader; if false, they are read as by
     * heed__read_tensor */
    bool converted;
    heed_dtype dtype;
    double scale;
} heed__rows_tensor;

/* heed__rows_check_names checks that there are k names, 1 to HEED_DATASET_MAX. heed__rows_check_found checks that
 * found[i] is true for every name. Both return false after heed_fail. */
bool heed__rows_check_names(const char *where, const char *const *names, int k);
bool heed__rows_check_found(const heed__stream *stream, const char *const *names, const bool *found, int k);

/* Returns a dataset of k tensors, which takes ownership of the source. On failure closes the source and returns NULL
 * after heed_fail: HEED_ERR_SHAPE for a scalar or for tensors with different numbers of rows, HEED_ERR_UNSUPPORTED for
 * Fortran order. */
heed_dataset *heed__rows_dataset(heed__source *source, const heed__rows_tensor *tensors, int k);

#endif
