/* data/dataset.h - declarations shared by the source files that implement datasets. */
#ifndef HEED_DATA_DATASET_H
#define HEED_DATA_DATASET_H

#include <heed/data.h>

/* A source shared by a dataset and its subsets. `datasets` counts them. */
typedef struct heed__origin {
    heed_dataset_source source;
    _Atomic int64_t datasets;
} heed__origin;

struct heed_dataset {
    int k;
    heed_tensor *tensors[HEED_DATASET_MAX]; /* contiguous and retained; NULL if the dataset has an origin */
    heed__origin *origin;                   /* NULL if `tensors` contains the samples */
    int64_t n;
    heed_tensor *numbers; /* i64 (n), retained: row of every sample in the tensors or the source; NULL for all rows */
    uint64_t mark;
};

/* Returns false after heed_fail if the dataset is NULL or was freed. */
bool heed__dataset_check(const char *where, const heed_dataset *dataset);

/* Returns a new dataset with the same samples. NULL after heed_fail. */
heed_dataset *heed__dataset_share(const heed_dataset *of);

/* Returns a subset whose `numbers` field is the given tensor. NULL after heed_fail, or if numbers is NULL. */
heed_dataset *heed__dataset_subset(const heed_dataset *of, heed_tensor *numbers);

/* Reads the samples `rows`, i64 (m), from the source into batch[], as heed_dataset_take does for a dataset. */
heed_status heed__origin_take(const heed__origin *origin, heed_tensor *rows, heed_tensor **batch);

/* Releases one dataset's reference; the last release frees the source and the origin. Ignores NULL. */
void heed__origin_release(heed__origin *origin);

#endif
