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
 * A dataset is a tuple of tensors whose first axis counts the samples: (n, ...). A subset is the same tensors and a
 * list of sample numbers, so it takes 8 bytes per sample. Below, HEED_ERR_ARGUMENT stands for NULL as well, and
 * HEED_ERR_NOMEM is possible wherever something is made. */

typedef struct heed_dataset heed_dataset;

#define HEED_DATASET_MAX 16 /* tensors of a dataset */

/* A dataset of k tensors, 1 to HEED_DATASET_MAX, of any dtypes: heed_dataset_new(HEED_TENSORS(images, labels)). It
 * shares their elements, without their gradients; a tensor that is not contiguous is copied. NULL with
 * HEED_ERR_ARGUMENT for another k or a NULL tensor, HEED_ERR_SHAPE for a scalar or for first axes that differ. */
HEED_API heed_dataset *heed_dataset_new(heed_tensor *const *tensors, int k);

/* Frees the dataset; loaders on it must be gone. NULL is ignored. */
HEED_API void heed_dataset_free(heed_dataset *dataset);

/* n, and k. 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_dataset_size(const heed_dataset *dataset);
HEED_API int heed_dataset_tensors(const heed_dataset *dataset);

/* batch[i] = tensor i at `numbers`, (m, ...): a copy, borrowed from the innermost scope. `numbers` is i64 (m), each in
 * 0 .. n - 1, in any order and as often as you like; `batch` has room for k tensors. HEED_ERR_INDEX names a number that
 * is out of range; HEED_ERR_DTYPE or HEED_ERR_SHAPE unless numbers is i64 (m). After a failure all of batch is NULL. */
HEED_API heed_status heed_dataset_take(const heed_dataset *dataset, heed_tensor *numbers, heed_tensor **batch);

/* The subset with these numbers, in their order, as torch.utils.data.Subset. It keeps the tensors, so `dataset` may be
 * freed before it. NULL with the errors of heed_dataset_take. */
HEED_API heed_dataset *heed_dataset_part(const heed_dataset *dataset, heed_tensor *numbers);

/* Splits at random into subsets of floor(fraction n + 1/2) samples and of the rest, each in the order of the whole, as
 * torch.utils.data.random_split. `generator` draws a permutation; NULL: the default generator. HEED_ERR_ARGUMENT unless
 * fraction is in [0, 1] and first and second are two different places. After a failure *first and *second are NULL, and
 * the generator has not moved. */
HEED_API heed_status heed_dataset_split(const heed_dataset *dataset, double fraction, heed_generator *generator,
                                        heed_dataset **first, heed_dataset **second);

/* -- Loaders ---------------------------------------------------------------------------------------------------------
 * A loader goes through its dataset batch by batch, epoch after epoch; in each epoch every sample comes once, except
 * those that drop_last leaves out. With shuffle the order of epoch e = 0, 1, ... depends on the loader's seed and on e
 * only: it is heed_generator_permutation at position e ceil(n / 2). So the middle of an epoch is three numbers, which a
 * checkpoint stores. */

typedef struct heed_loader heed_loader;

typedef struct heed_loader_options {
    int64_t batch_size;        /* samples of a batch; 0: 1 */
    bool shuffle;              /* a new order in each epoch; otherwise 0, 1, ..., n - 1 */
    bool drop_last;            /* leaves out a last batch that is smaller than the others */
    heed_generator *generator; /* draws the seed of a loader that shuffles, once; NULL: the default generator */
    HEED_RESERVED;
} heed_loader_options;

/* A loader at the beginning of epoch 0; `dataset` must outlive it. NULL options: batches of 1, in order. NULL with
 * HEED_ERR_ARGUMENT for a negative batch_size and when an epoch would have no batch. */
HEED_API heed_loader *heed_loader_new(const heed_dataset *dataset, const heed_loader_options *options);

/* NULL is ignored. */
HEED_API void heed_loader_free(heed_loader *loader);

/* Batches of an epoch: ceil(n / batch_size), or floor(n / batch_size) with drop_last. 0 with HEED_ERR_ARGUMENT for
 * NULL, as the two counts below. */
HEED_API int64_t heed_loader_batches(const heed_loader *loader);

/* The next batch, written to `batch` as heed_dataset_take does; the last batch of an epoch is followed by the first of
 * the next. HEED_ERR_STATE after 2^63 - 1 epochs. After a failure the loader has not moved. */
HEED_API heed_status heed_loader_next(heed_loader *loader, heed_tensor **batch);

/* Complete epochs, and batches taken of the current one. */
HEED_API int64_t heed_loader_epoch(const heed_loader *loader);
HEED_API int64_t heed_loader_batch(const heed_loader *loader);

/* Where a loader is: what a checkpoint stores. Setting it fails with HEED_ERR_ARGUMENT, and changes nothing, when
 * samples or batch_size are another loader's, epoch or batch are not ones that this loader reaches, or a seed is given
 * to a loader that does not shuffle. */
typedef struct heed_loader_state {
    uint64_t seed;               /* 0 without shuffle */
    int64_t epoch, batch;        /* as heed_loader_epoch and heed_loader_batch */
    int64_t samples, batch_size; /* n, and the option */
} heed_loader_state;
HEED_API heed_status heed_loader_get_state(const heed_loader *loader, heed_loader_state *state);
HEED_API heed_status heed_loader_set_state(heed_loader *loader, const heed_loader_state *state);

HEED_END_DECLS

#endif
