/* data/dataset.h - what the files of datasets share. */
#ifndef HEED_DATA_DATASET_H
#define HEED_DATA_DATASET_H

#include <heed/data.h>

struct heed_dataset {
    int k;
    heed_tensor *tensors[HEED_DATASET_MAX]; /* contiguous, retained */
    int64_t n;                              /* -1 once it is freed */
    heed_tensor *numbers;                   /* i64 (n), retained: which samples of the tensors these are; NULL: all */
};

/* False after heed_fail for NULL, and for one that was freed. */
bool heed__dataset_check(const char *where, const heed_dataset *dataset);

/* A subset that has `numbers`, which are of the tensors' samples. NULL after heed_fail, also for NULL numbers. */
heed_dataset *heed__dataset_subset(const heed_dataset *of, heed_tensor *numbers);

#endif
