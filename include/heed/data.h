/* heed/data.h - samples, and the order in which a training run sees them.
 *
 *     heed_dataset *all = heed_dataset_new(HEED_TENSORS(images, labels)), *train, *held_out;
 *     heed_dataset_split(all, 0.9, NULL, &train, &held_out);
 *     heed_loader *loader = heed_loader_new(train, &(heed_loader_options){.batch_size = 64, .shuffle = true});
 *     for (int epoch = 1; epoch <= 10; epoch++)
 *         for (int64_t i = 0; i < heed_loader_batches(loader); i++) {
 *             heed_scope *step = heed_scope_begin();
 *             heed_tensor *batch[2];
 *             heed_loader_next(loader, batch);
 *             ...
 *             heed_scope_end(step);
 *         }
 *     heed_loader_free(loader);
 *     heed_dataset_free(train); ...
 */
#ifndef HEED_DATA_H
#define HEED_DATA_H

#include <heed/random.h>

HEED_BEGIN_DECLS

/* -- Datasets ------------------------------------------------------------------------------------------------------
 * Tensors whose first axis counts the same samples: (n, ...). A part of a dataset is a list of its samples' numbers. */

typedef struct heed_dataset heed_dataset;

#define HEED_DATASET_MAX 16 /* tensors of a dataset */

/* HEED_TENSORS(x, y) is a list of tensors, and its length. */
#define HEED_TENSORS(...)                                                                                              \
    ((heed_tensor *[]){__VA_ARGS__}), ((int)(sizeof((heed_tensor *[]){__VA_ARGS__}) / sizeof(heed_tensor *)))

/* Keeps the elements of k tensors, 1 to 16, of any dtypes, without their gradients; one that is not contiguous is
 * copied. NULL with HEED_ERR_ARGUMENT, HEED_ERR_SHAPE when one is a scalar or their first axes differ, HEED_ERR_NOMEM. */
HEED_API heed_dataset *heed_dataset_new(heed_tensor *const *tensors, int k);
HEED_API void heed_dataset_free(heed_dataset *dataset);

/* Samples, and tensors; 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_dataset_size(const heed_dataset *dataset);
HEED_API int heed_dataset_tensors(const heed_dataset *dataset);

/* The samples with these numbers (i64 (m), 0 .. size - 1, repeated if you like) of each tensor: as many results (m, ...)
 * as the dataset has tensors, copies. HEED_ERR_INDEX names a number outside; HEED_ERR_DTYPE and HEED_ERR_SHAPE for other
 * numbers; HEED_ERR_NOMEM. After a failure all results are NULL. */
HEED_API heed_status heed_dataset_take(const heed_dataset *dataset, heed_tensor *numbers, heed_tensor **batch);

/* The samples with these numbers as a dataset of its own, which keeps the tensors and does not need its parent. Fails as
 * heed_dataset_take. */
HEED_API heed_dataset *heed_dataset_part(const heed_dataset *dataset, heed_tensor *numbers);

/* Two parts, of round(fraction n) samples, halves up, and of the others: drawn by the generator (NULL: the default one),
 * each in the order of the whole. HEED_ERR_ARGUMENT unless 0 <= fraction <= 1. After a failure both are NULL, and the
 * generator is where it was. */
HEED_API heed_status heed_dataset_split(const heed_dataset *dataset, double fraction, heed_generator *generator,
                                        heed_dataset **first, heed_dataset **second);

/* -- Loaders ---------------------------------------------------------------------------------------------------------
 * A loader goes through its dataset batch by batch, again and again; in each epoch every sample comes once, but for
 * those that drop_last leaves out. The order of epoch e (from 0 on) is a function of the loader's seed and of e alone:
 * heed_generator_permutation at position e ceil(n / 2). So a place in the middle of an epoch is three numbers. */

typedef struct heed_loader heed_loader;

typedef struct heed_loader_options {
    int64_t batch_size; /* 0: 1 */
    bool shuffle;
    bool drop_last;            /* leave out a last batch that is smaller */
    heed_generator *generator; /* with shuffle the seed is drawn from it when the loader is made; NULL: the default */
} heed_loader_options;

/* The dataset must outlive it. NULL with HEED_ERR_ARGUMENT, also when an epoch would have no batch; HEED_ERR_NOMEM. */
HEED_API heed_loader *heed_loader_new(const heed_dataset *dataset, const heed_loader_options *options);
HEED_API void heed_loader_free(heed_loader *loader);

/* Batches of an epoch; 0 with HEED_ERR_ARGUMENT for NULL, as the two below. */
HEED_API int64_t heed_loader_batches(const heed_loader *loader);

/* The next batch, as heed_dataset_take gives it; after the last one of an epoch comes the first of the next. After a
 * failure the loader has not moved. */
HEED_API heed_status heed_loader_next(heed_loader *loader, heed_tensor **batch);

/* Epochs that are complete, and batches taken of the one under way. */
HEED_API int64_t heed_loader_epoch(const heed_loader *loader);
HEED_API int64_t heed_loader_batch(const heed_loader *loader);

/* What a checkpoint stores, and back to it. HEED_ERR_ARGUMENT for NULL, for a place that this loader never has, and when
 * the numbers of samples or the sizes of a batch differ. */
typedef struct heed_loader_state {
    uint64_t seed; /* 0 without shuffle */
    int64_t epoch, batch;
    int64_t samples, batch_size; /* of the loader that this is the state of */
} heed_loader_state;
HEED_API heed_status heed_loader_get_state(const heed_loader *loader, heed_loader_state *state);
HEED_API heed_status heed_loader_set_state(heed_loader *loader, const heed_loader_state *state);

HEED_END_DECLS

#endif
