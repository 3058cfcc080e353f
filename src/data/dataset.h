/* data/dataset.h - what the files of datasets share. */
#ifndef HEED_DATA_DATASET_H
#define HEED_DATA_DATASET_H

#include <heed/data.h>

/* A source that a dataset and its subsets share. */
typedef struct heed__origin {
    heed_dataset_source source;
    _Atomic int64_t datasets;
} heed__origin;

struct heed_dataset {
    int k;
    heed_tensor *tensors[HEED_DATASET_MAX]; /* contiguous, retained; NULL with an origin */
    heed__origin *origin;                   /* NULL: the samples are in the tensors */
    int64_t n;
    heed_tensor *numbers; /* i64 (n), retained: which samples of the tensors these are; NULL: all */
    uint64_t mark;
};

/* False after heed_fail for NULL, and for one that was freed. */
bool heed__dataset_check(const char *where, const heed_dataset *dataset);

/* Another one of the same samples. NULL after heed_fail. */
heed_dataset *heed__dataset_share(const heed_dataset *of);

/* A subset that has `numbers`, which are of the tensors' samples. NULL after heed_fail, also for NULL numbers. */
heed_dataset *heed__dataset_subset(const heed_dataset *of, heed_tensor *numbers);

/* Takes rows, i64 (m), of the source's samples, as heed_dataset_take does. */
heed_status heed__origin_take(const heed__origin *origin, heed_tensor *rows, heed_tensor **batch);

/* NULL is ignored. */
void heed__origin_release(heed__origin *origin);

#endif
