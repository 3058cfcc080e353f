/* heed/data.h - datasets, standardisation, categories, and loaders that read batches.
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
 *
 * heed_io_csv_dataset (heed/io.h) makes a dataset from a table in a file. Two objects hold properties of the data that
 * are computed before training: a heed_scaler holds means and standard deviations, a heed_categories the names of
 * categories. Both can be saved with the model and applied to later data.
 *
 * Stability: stable, except for heed_dataset_new_source, heed_dataset_take_epoch
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_DATA_H
#define HEED_DATA_H

#include <heed/dict.h>
#include <heed/random.h>

HEED_BEGIN_DECLS

/* HEED_NAMES("x", "y") expands to two arguments, a list of texts and its length:
 * heed_io_csv_matrix(csv, HEED_NAMES("x", "y"), HEED_F32). */
#define HEED_NAMES(...) HEED_LIST(const char *, __VA_ARGS__)

/* -- Datasets ------------------------------------------------------------------------------------------------------
 * A dataset is a tuple of tensors whose first axis counts the samples: (n, ...). A subset shares the tensors and has a
 * list of sample numbers, so it takes 8 bytes per sample. The tensors are in memory, or a source (heed_dataset_source)
 * produces the samples when they are requested. */

typedef struct heed_dataset heed_dataset;

#define HEED_DATASET_MAX 16 /* the maximum number of tensors in a dataset */

/* Returns a dataset of k tensors (n, ...), 1 to HEED_DATASET_MAX, of any dtypes: heed_dataset_new(HEED_TENSORS(images,
 * labels)).
 * It shares their elements, without their gradients; a non-contiguous tensor is copied. Free it with heed_dataset_free.
 * Errors: NULL with HEED_ERR_ARGUMENT for k out of range or a NULL tensor, HEED_ERR_SHAPE for a scalar or if the first
 * axes differ, HEED_ERR_NOMEM.
 * torch: torch.utils.data.TensorDataset */
HEED_API HEED_NODISCARD heed_dataset *heed_dataset_new(heed_tensor *const *tensors, int k);

/* Frees the dataset. Its loaders must be freed before; its subsets may be freed later. NULL is ignored. */
HEED_API void heed_dataset_free(heed_dataset *dataset);

/* Returns n, the number of samples.
 * Errors: 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_dataset_size(const heed_dataset *dataset);

/* Returns k, the number of tensors.
 * Errors: 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int heed_dataset_tensors(const heed_dataset *dataset);

/* Splits a dataset of n samples at random into two subsets, such as train and test: *first has floor(fraction n + 1/2)
 * samples, *second the others.
 * Both subsets keep the order of the whole dataset. `generator` (NULL: the one in use) draws a permutation.
 * After a failure *first and *second are NULL, and the generator's position is unchanged.
 * Errors: HEED_ERR_ARGUMENT for NULL, for a fraction outside [0, 1], and if first and second are the same pointer;
 * HEED_ERR_NOMEM.
 * torch: torch.utils.data.random_split */
HEED_API heed_status heed_dataset_split(const heed_dataset *dataset, double fraction, heed_generator *generator,
                                        heed_dataset **first, heed_dataset **second);

/* Returns the subset with these sample numbers, in their order.
 * The subset retains the tensors, so `dataset` may be freed before the subset.
 * Errors: NULL with HEED_ERR_INDEX for a number outside 0 .. n - 1, HEED_ERR_DTYPE or HEED_ERR_SHAPE unless numbers is
 * i64 (m), HEED_ERR_ARGUMENT for NULL, HEED_ERR_NOMEM.
 * torch: torch.utils.data.Subset */
HEED_API HEED_NODISCARD heed_dataset *heed_dataset_subset(const heed_dataset *dataset, heed_tensor *numbers);

/* Copies all samples in order, as heed_dataset_take does: batch[i] is (n, ...).
 * Use it for data that fit in one batch, and for computations before training, such as heed_scaler_new. After a failure
 * all of batch is NULL.
 * Errors: HEED_ERR_ARGUMENT for NULL, HEED_ERR_NOMEM. */
HEED_API heed_status heed_dataset_all(const heed_dataset *dataset, heed_tensor **batch);

/* Copies the samples with the given numbers: batch[i] = tensor i at `numbers`, (m, ...), borrowed from the innermost
 * scope.
 * `numbers` is i64 (m), all in 0 .. n - 1, in any order, with repetitions allowed. `batch` must have space for k
 * tensors. After a failure all of batch is NULL.
 * Errors: HEED_ERR_INDEX for a number out of range, which the message names; HEED_ERR_DTYPE or HEED_ERR_SHAPE unless
 * numbers is i64 (m); HEED_ERR_ARGUMENT for NULL, HEED_ERR_NOMEM.
 * numpy: numpy.take */
HEED_API heed_status heed_dataset_take(const heed_dataset *dataset, heed_tensor *numbers, heed_tensor **batch);

/* -- Loaders ---------------------------------------------------------------------------------------------------------
 * A loader reads its dataset batch by batch, epoch after epoch; every sample comes once per epoch, except the samples
 * that drop_last omits. With shuffle the order of epoch e = 0, 1, ... depends only on the loader's seed and on e: it is
 * heed_permutation(n) of a generator with this seed at position e ceil(n / 2). The seed, the epoch and the batch
 * therefore describe the position of a loader; a checkpoint stores them.
 *
 * With weights an epoch consists of m samples drawn at random in proportion to their weights: heed_multinomial of that
 * generator at position e ceil(m / 2), or e ceil(n / 2) without replacement.
 *
 * With readers, threads of the loader call heed_dataset_take while the program computes. The batches and their order
 * are the same for any number of readers, and the position of the loader is the position of the program. Readers of a
 * source call `take` concurrently. They draw its random numbers from generators whose numbers depend only on the
 * loader's seed, the epoch and the batch, and use the calling thread's precision and mode of floating-point arithmetic.
 * An error is returned by the call for its batch. Batches are read without recording. The threads start with the first
 * batch and end in heed_loader_free; after a fork, the child starts its own. If no thread can be started, the calling
 * thread reads. */

typedef struct heed_loader heed_loader;

typedef struct heed_loader_options {
    int64_t batch_size;        /* samples per batch; 0 means 1 */
    bool shuffle;              /* a new random order in each epoch; otherwise the order 0, 1, ..., n - 1 */
    bool drop_last;            /* omits the last batch of an epoch if it is smaller than the others */
    heed_generator *generator; /* with shuffle or weights, draws the loader's seed when the loader is made; NULL: the
                                  one in use */
    heed_tensor *weights;      /* (n), f32 or f64, 0 or more, copied: draws samples in proportion to them, whether
                                  shuffle is set or not; NULL: every sample once */
    int64_t samples;           /* with weights, samples per epoch; 0: n. Without replacement at most the number of
                                  weights above 0 */
    bool without_replacement;  /* with weights, every sample comes at most once per epoch */
    int readers;               /* threads, at most 64, that read batches ahead, 2 batches per thread; 0: the calling
                                  thread reads every batch when it is requested */
    HEED_RESERVED;
} heed_loader_options;

/* Returns a loader at the beginning of epoch 0; `dataset` must outlive it.
 * NULL options: batches of 1, in order. Free it with heed_loader_free.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL, for a negative batch_size, if an epoch would have no batch, and for
 * samples or without_replacement without weights; HEED_ERR_SHAPE unless weights are (n); with weights as
 * heed_multinomial; HEED_ERR_NOMEM.
 * torch: torch.utils.data.DataLoader, torch.utils.data.WeightedRandomSampler */
HEED_API HEED_NODISCARD heed_loader *heed_loader_new(const heed_dataset *dataset, const heed_loader_options *options);

/* Frees a loader. NULL is ignored. */
HEED_API void heed_loader_free(heed_loader *loader);

/* Returns the number of batches per epoch: ceil(n / batch_size), or floor(n / batch_size) with drop_last. With weights,
 * n is the number of samples per epoch.
 * Errors: 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_loader_batches(const heed_loader *loader);

/* Writes the next batch to `batch`, as heed_dataset_take does: (m, ...), where m is batch_size, or less at the end of
 * an epoch.
 * The last batch of an epoch is followed by the first of the next. After a failure the loader's position is unchanged.
 * Errors: HEED_ERR_ARGUMENT for NULL, HEED_ERR_NOMEM, HEED_ERR_STATE after 2^63 - 1 epochs. */
HEED_API heed_status heed_loader_next(heed_loader *loader, heed_tensor **batch);

/* -- Standardising -------------------------------------------------------------------------------------------------
 * A scaler holds the mean and standard deviation of every column of a tensor (n, ...), and transforms the columns to
 * mean 0 and deviation 1. It applies the same means and deviations to later data, and undoes the transformation for
 * predictions. It corresponds to scikit-learn's sklearn.preprocessing.StandardScaler. */

typedef struct heed_scaler heed_scaler;

typedef struct heed_scaler_options {
    bool fill_nan;   /* heed_scaler_transform replaces NaN by 0: a missing value counts as the mean */
    heed_shape axes; /* axes of x over which statistics are computed, with 0: HEED_AXES(0, 2, 3) for every channel of
                        images (n, C, H, W); empty: HEED_AXES(0) */
    HEED_RESERVED;
} heed_scaler_options;

/* Computes the mean and standard deviation of x (n, ...), f32 or f64, over its first axis, or over options.axes:
 *
 *     mean = sum x / n    std = sqrt(sum (x - mean)^2 / n)
 *
 * Both have the shape (...), with 1 for the axes in options.axes, and x's dtype. They are computed in f64, without
 * overflow or underflow of the sums. NaN elements are ignored and not counted in n. If all numbers of a column are
 * equal, mean is that number and std 1, so that applying the scaler gives 0. NULL options: NaN stays NaN. Free the
 * scaler with heed_scaler_free.
 *
 * Errors: NULL with HEED_ERR_SHAPE for a scalar, no samples, and axes without 0, outside x, given twice or empty;
 * HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for NULL, for a column without a number other than NaN, and for a column that
 * contains an infinity (the message gives the first such column); HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_scaler *heed_scaler_new(heed_tensor *x, const heed_scaler_options *options);

/* Frees a scaler. NULL is ignored. */
HEED_API void heed_scaler_free(heed_scaler *scaler);

/* Returns (x - mean) / std, for x (m, ...) with any m, or one sample (...), of the scaler's dtype. Differentiable.
 * The axes in heed_scaler_options.axes may have any size: images of any height and width.
 * Errors: NULL with HEED_ERR_SHAPE or HEED_ERR_DTYPE if x does not fit the scaler, HEED_ERR_ARGUMENT for NULL,
 * HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_scaler_transform(const heed_scaler *scaler, heed_tensor *x);

/* Returns x std + mean, which inverts heed_scaler_transform up to rounding: for predictions of a standardised target.
 * Differentiable.
 * Errors: NULL as heed_scaler_transform. */
HEED_API heed_tensor *heed_scaler_inverse_transform(const heed_scaler *scaler, heed_tensor *x);

/* Returns the means in a tensor that belongs to the scaler. It has the shape (...) of one sample, with 1 for
 * the axes in heed_scaler_options.axes.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL. */
HEED_API heed_tensor *heed_scaler_mean(const heed_scaler *scaler);

/* Returns the divisors of heed_scaler_transform in a tensor that belongs to the scaler: the standard deviations, or 1
 * if all numbers of a column were equal. Its shape is the shape of heed_scaler_mean.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL. */
HEED_API heed_tensor *heed_scaler_std(const heed_scaler *scaler);

/* Adds the scaler to a dict, to save it in one file with the model's state: the tensors "NAME.mean" and "NAME.std", the
 * text "NAME.fill_nan" with this option, and with the option axes the text "NAME.axes".
 * Loading the model from such a dict ignores these tensors: heed_module_load_state(m, dict, NULL). After a failure the
 * dict may contain some of the entries.
 * Errors: HEED_ERR_ARGUMENT for NULL or an invalid UTF-8 name; HEED_ERR_NOMEM. */
HEED_API heed_status heed_scaler_save(const heed_scaler *scaler, heed_dict *dict, const char *name);

/* Returns the scaler that heed_scaler_save added to a dict, with its options; the tensors are copied.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL or a missing entry, HEED_ERR_FORMAT for tensors or a text that do not
 * form a scaler, HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_scaler *heed_scaler_load(const heed_dict *dict, const char *name);

/* -- Categories ----------------------------------------------------------------------------------------------------
 * Categories map texts to codes 0 to count - 1. A text's code is its index in the list of different texts, sorted byte
 * by byte: it depends on the set of texts and not on the order of the rows. Categories are computed once and then
 * applied to later data. */

typedef struct heed_categories heed_categories;

/* Returns the different texts among n texts, which are copied, like np.unique.
 * Free the result with heed_categories_free.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL or a negative n, HEED_ERR_NOMEM.
 * numpy: numpy.unique */
HEED_API HEED_NODISCARD heed_categories *heed_categories_new(const char *const *texts, int64_t n);

/* Frees the categories. NULL is ignored. */
HEED_API void heed_categories_free(heed_categories *categories);

/* Returns the number of categories: the classes of a softmax, the rows of an embedding.
 * Errors: 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_categories_count(const heed_categories *categories);

/* Returns the text of the category with this code. The text belongs to the categories.
 * Errors: NULL with HEED_ERR_INDEX for a code outside 0 .. count - 1, HEED_ERR_ARGUMENT for NULL. */
HEED_API const char *heed_categories_name(const heed_categories *categories, int64_t code);

/* Returns the code of a text, or -1 without an error for an unknown text.
 * Errors: -1 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_categories_find(const heed_categories *categories, const char *text);

/* Adds the categories to a dict, to save them with the model's state, as texts "NAME.count", "NAME.0", "NAME.1" and so
 * on.
 * Errors: HEED_ERR_ARGUMENT for NULL, or a name or category that is invalid UTF-8; HEED_ERR_NOMEM. */
HEED_API heed_status heed_categories_save(const heed_categories *categories, heed_dict *dict, const char *name);

/* Returns the categories that heed_categories_save added to a dict.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL or a missing entry, HEED_ERR_FORMAT if texts are missing or out of
 * order, HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_categories *heed_categories_load(const heed_dict *dict, const char *name);

/* -- Cross-validation ---------------------------------------------------------------------------------------------- */

typedef struct heed_dataset_fold_options {
    bool shuffle;  /* assigns samples to folds at random; otherwise every fold is a range of consecutive samples */
    uint64_t seed; /* seed of the shuffled order; use the same seed for all folds of a cross-validation */
    HEED_RESERVED;
} heed_dataset_fold_options;

/* Returns fold `fold`, 0 to k - 1, of a k-fold cross-validation: *held_out contains the samples of that fold, *train
 * all others.
 * Both keep the order of the whole dataset. The first n mod k folds have floor(n / k) + 1 samples, the others floor(n /
 * k); every sample is held out in exactly one fold. With shuffle, fold f is the f-th range of
 * heed_permutation(n) of a new generator with `seed`, so it depends only on n, k and the seed, and not on other random
 * numbers. NULL options: no shuffle. After a failure *train and *held_out are NULL. It corresponds to
 * scikit-learn's sklearn.model_selection.KFold.
 *
 *     for (int f = 0; f < 5; f++) {
 *         heed_dataset *train, *held_out;
 *         heed_dataset_fold(all, 5, f, &(heed_dataset_fold_options){.shuffle = true}, &train, &held_out);
 *         ...
 *     }
 *
 * Errors: HEED_ERR_ARGUMENT for NULL, unless 2 <= k <= n and 0 <= fold < k, and if train and held_out are the same
 * pointer; HEED_ERR_NOMEM. */
HEED_API heed_status heed_dataset_fold(const heed_dataset *dataset, int64_t k, int64_t fold,
                                       const heed_dataset_fold_options *options, heed_dataset **train,
                                       heed_dataset **held_out);

/* -- Expert calls: samples from sources and from several datasets -------------------------------------------------- */

/* A source of samples outside tensors in memory: rows of a file, pictures in a folder, generated samples. */
typedef struct heed_dataset_source {
    int64_t samples; /* n */
    int tensors;     /* k, 1 to HEED_DATASET_MAX */

    /* Writes the samples with the given numbers to batch[0 .. k - 1], as new tensors (m, ...) borrowed from the
     * innermost scope. `numbers` is i64 (m), contiguous, all in 0 .. n - 1; the samples are in this order. The same
     * numbers must always give the same bits, except for random numbers. Returns HEED_OK, or a status after heed_fail.
     * It is a callback (heed/scope.h) and runs in the thread that requests the samples, or in a reader of a loader. Two
     * calls overlap only if the program uses the dataset, or its subsets, in two threads or with readers. */
    heed_status (*take)(void *user, heed_tensor *numbers, heed_tensor **batch);

    void (*free)(void *user); /* called when the dataset and all its subsets have been freed; may be NULL */
    void *user;

    /* Like take, but for samples that change from epoch to epoch, such as randomly cropped pictures. It is then called
     * instead of take. `epoch` is the epoch of the loader that reads the samples, or the argument of
     * heed_dataset_take_epoch; for heed_dataset_take it is 0. The same numbers and epoch must give the same bits. */
    heed_status (*take_epoch)(void *user, heed_tensor *numbers, int64_t epoch, heed_tensor **batch);
    HEED_RESERVED;
} heed_dataset_source;

/* Returns a dataset whose samples come from a source, which is copied. Subsets, folds and loaders work as with tensors,
 * and request only the samples that they need. heed_io_npy_dataset and similar functions (heed/io.h) make sources of
 * files. If the call fails, `free` is not called. heed_dataset_take fails with the errors of `take`, and with
 * HEED_ERR_STATE or HEED_ERR_SHAPE for a batch that violates the rules of heed_dataset_source.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL, a negative number of samples, or a number of tensors out of range;
 * HEED_ERR_NOMEM.
 * torch: torch.utils.data.Dataset */
HEED_API HEED_NODISCARD heed_dataset *heed_dataset_new_source(const heed_dataset_source *source);

/* Copies the samples with the given numbers as heed_dataset_take does, as they are in epoch `epoch`, 0 or more.
 * Only the samples of a source with take_epoch change from epoch to epoch. Loaders pass their epoch; call this function
 * to read the samples of heed_loader_next_numbers, whose epoch is the epoch of heed_loader_get_state before that call.
 * Errors: as heed_dataset_take; HEED_ERR_ARGUMENT for a negative epoch. */
HEED_API heed_status heed_dataset_take_epoch(const heed_dataset *dataset, heed_tensor *numbers, int64_t epoch,
                                             heed_tensor **batch);

/* HEED_DATASETS(a, b) expands to two arguments, a list of datasets and its length. */
#define HEED_DATASETS(...) HEED_LIST(const heed_dataset *, __VA_ARGS__)

/* Returns a dataset with the tensors of n datasets of equal size: heed_dataset_zip(HEED_DATASETS(images, labels)).
 * Any of them may be in a file. The datasets may be freed before the result.
 * Errors: NULL with HEED_ERR_SHAPE if the numbers of samples differ; HEED_ERR_ARGUMENT for NULL, n < 1, or more than
 * HEED_DATASET_MAX tensors; HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_dataset *heed_dataset_zip(const heed_dataset *const *datasets, int n);

/* -- Expert calls: positions of loaders ---------------------------------------------------------------------------- */

/* Returns the sample numbers of the next batch, i64 (m), instead of the samples, and advances the loader as
 * heed_loader_next does.
 * Use it to read only some of these samples: pass their numbers to heed_dataset_take with heed_loader_dataset(loader),
 * or to heed_dataset_take_epoch if the samples change from epoch to epoch.
 * The result is borrowed from the innermost scope.
 * Errors: NULL as heed_loader_next.
 * torch: torch.utils.data.BatchSampler */
HEED_API heed_tensor *heed_loader_next_numbers(heed_loader *loader);

/* Returns the loader's dataset.
 * Errors: NULL with HEED_ERR_ARGUMENT for NULL. */
HEED_API const heed_dataset *heed_loader_dataset(const heed_loader *loader);

/* The position of a loader, as stored in a checkpoint. */
typedef struct heed_loader_state {
    uint64_t seed;               /* 0 without shuffle and weights */
    int64_t epoch, batch;        /* number of complete epochs; number of batches read in the current epoch */
    int64_t samples, batch_size; /* number of samples of the dataset; heed_loader_options.batch_size */
} heed_loader_state;

/* Writes the loader's position to *state.
 * Errors: HEED_ERR_ARGUMENT for NULL. */
HEED_API heed_status heed_loader_get_state(const heed_loader *loader, heed_loader_state *state);

/* Moves the loader to a saved position of a loader with the same dataset and options, so that the same batches follow.
 * After a failure nothing has changed.
 * Errors: HEED_ERR_ARGUMENT for NULL, if samples or batch_size differ from this loader's, if this loader cannot reach
 * the epoch or batch, or if a seed is given to a loader that does not shuffle. */
HEED_API heed_status heed_loader_set_state(heed_loader *loader, const heed_loader_state *state);

HEED_END_DECLS

#endif
