/* io/rows.h - datasets of tensors that stay in a file: rows are read when they are wanted. */
#ifndef HEED_IO_ROWS_H
#define HEED_IO_ROWS_H

#include <heed/data.h>

#include "io/elements.h"

/* A tensor in the file. */
typedef struct heed__rows_tensor {
    heed__layout_in_file layout;
    size_t offset;  /* of its first element */
    bool converted; /* to `dtype`, times `scale`, as the IDX reader does; otherwise as heed__read_tensor does */
    heed_dtype dtype;
    double scale;
} heed__rows_tensor;

/* Whether there are k names, 1 to HEED_DATASET_MAX; whether each has been found. False after heed_fail. */
bool heed__rows_check_names(const char *where, const char *const *names, int k);
bool heed__rows_check_found(const heed__stream *stream, const char *const *names, const bool *found, int k);

/* A dataset of k tensors, which takes the source over, or closes it after heed_fail: HEED_ERR_SHAPE for a scalar or
 * first axes that differ, HEED_ERR_UNSUPPORTED for Fortran order. */
heed_dataset *heed__rows_dataset(heed__source *source, const heed__rows_tensor *tensors, int k);

#endif
