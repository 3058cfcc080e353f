/* io/rows.h - datasets whose tensors stay in a file: rows are read on demand.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
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

/* Returns a dataset of k tensors, which takes ownership of the source. On failure closes the source and returns NULL
 * after heed_fail: HEED_ERR_SHAPE for a scalar or for tensors with different numbers of rows, HEED_ERR_UNSUPPORTED for
 * Fortran order. */
heed_dataset *heed__rows_dataset(heed__source *source, const heed__rows_tensor *tensors, int k);

/* A search for the k tensors called names[i] in a file. */
typedef struct heed__rows_search {
    const char *const *names;
    int k;
    heed__rows_tensor tensors[HEED_DATASET_MAX];
    bool found[HEED_DATASET_MAX];
} heed__rows_search;

/* Returns a dataset of the tensors called names[i] in the file `path`, after `find` has searched it for them. Fails as
 * heed__rows_dataset, and with HEED_ERR_ARGUMENT if k is not 1 to HEED_DATASET_MAX, for NULL, and for a name that was
 * not found. `find` returns false after heed_fail. */
typedef bool heed__rows_find(heed__source *source, heed__rows_search *search);
heed_dataset *heed__rows_named(const char *where, const char *path, const char *const *names, int k,
                               heed__rows_find *find);

#endif
