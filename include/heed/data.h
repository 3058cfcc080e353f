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
 *
 * A dataset from a table in a file: heed_io_csv_dataset (heed/io.h). What was learned about the data before training
 * (mean and standard deviation, names of categories) is a heed_scaler and a heed_categories: both can be saved with the
 * model, and applied to data that come later.
 */
#ifndef HEED_DATA_H
#define HEED_DATA_H

#include <heed/dict.h>
#include <heed/random.h>

HEED_BEGIN_DECLS

/* HEED_NAMES("x", "y") stands for two arguments, a list of texts and its length:
 * heed_io_csv_matrix(csv, HEED_NAMES("x", "y"), HEED_F32). */
#define HEED_NAMES(...) HEED_LIST(const char *, __VA_ARGS__)

/* -- Datasets ------------------------------------------------------------------------------------------------------
 * A dataset is a tuple of tensors whose first axis counts the samples: (n, ...). A subset is the same tensors and a
 * list of sample numbers, so it takes 8 bytes per sample. The tensors are in memory, or what a source gives when
 * samples are taken. */

typedef struct heed_dataset heed_dataset;

#define HEED_DATASET_MAX 16 /* tensors of a dataset */

/* A dataset of k tensors (n, ...), 1 to HEED_DATASET_MAX, of any dtypes:
 * heed_dataset_new(HEED_TENSORS(images, labels)). It shares their elements, without their gradients; a tensor that is
 * not contiguous is copied. To be freed by heed_dataset_free. NULL with HEED_ERR_ARGUMENT for another k or a NULL
 * tensor, HEED_ERR_SHAPE for a scalar or for first axes that differ, HEED_ERR_NOMEM.
 * torch: torch.utils.data.TensorDataset */
HEED_API HEED_NODISCARD heed_dataset *heed_dataset_new(heed_tensor *const *tensors, int k);

/* Samples that are not tensors in memory: rows of a file, pictures in a folder, what a program makes up. */
typedef struct heed_dataset_source {
    int64_t samples; /* n */
    int tensors;     /* k, 1 to HEED_DATASET_MAX */

    /* Writes to batch[0 .. k - 1] new tensors (m, ...), borrowed from the innermost scope: the samples of these
     * numbers, i64 (m), contiguous, each in 0 .. n - 1, in this order. The same numbers give the same bits at any time,
     * but for what it draws from the default generator. HEED_OK, or a status after heed_fail. Runs as heed/scope.h says
     * of functions of others, in the thread that wants the samples; by two at a time only where the program uses the
     * dataset, or subsets of it, in two threads. */
    heed_status (*take)(void *user, heed_tensor *numbers, heed_tensor **batch);

    void (*free)(void *user); /* when the dataset and all subsets of it are gone; may be NULL */
    void *user;
    HEED_RESERVED;
} heed_dataset_source;

/* A dataset over a source, which is copied; subsets, folds and loaders work on it as on tensors, and ask it for just
 * the samples that they take. Files as sources: heed_io_npy_dataset and its like (heed/io.h). NULL with
 * HEED_ERR_ARGUMENT for NULL, a negative number of samples, another number of tensors; HEED_ERR_NOMEM; then `free` was
 * not called. What take fails with heed_dataset_take fails with, and with HEED_ERR_STATE or HEED_ERR_SHAPE for a batch
 * that is not as above.
 * torch: torch.utils.data.Dataset */
HEED_API HEED_NODISCARD heed_dataset *heed_dataset_new_source(const heed_dataset_source *source);

/* HEED_DATASETS(a, b) stands for two arguments, a list of datasets and its length. */
#define HEED_DATASETS(...) HEED_LIST(const heed_dataset *, __VA_ARGS__)

/* The tensors of n datasets of as many samples, side by side: heed_dataset_zip(HEED_DATASETS(images, labels)), of which
 * one may be in a file. The datasets may be freed before it. NULL with HEED_ERR_SHAPE for numbers of samples that
 * differ, HEED_ERR_ARGUMENT for NULL, no datasets, or more than HEED_DATASET_MAX tensors; HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_dataset *heed_dataset_zip(const heed_dataset *const *datasets, int n);

/* Frees the dataset; loaders on it must be gone, subsets of it need not. NULL is ignored. */
HEED_API void heed_dataset_free(heed_dataset *dataset);

/* n, the number of samples. 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_dataset_size(const heed_dataset *dataset);

/* k, the number of tensors. 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int heed_dataset_tensors(const heed_dataset *dataset);

/* batch[i] = tensor i at `numbers`, (m, ...): a copy, borrowed from the innermost scope. `numbers` is i64 (m), each in
 * 0 .. n - 1, in any order and as often as you like; `batch` has room for k tensors. HEED_ERR_INDEX names a number that
 * is out of range; HEED_ERR_DTYPE or HEED_ERR_SHAPE unless numbers is i64 (m); HEED_ERR_ARGUMENT for NULL,
 * HEED_ERR_NOMEM. After a failure all of batch is NULL.
 * numpy: numpy.take */
HEED_API heed_status heed_dataset_take(const heed_dataset *dataset, heed_tensor *numbers, heed_tensor **batch);

/* All samples in their order, as heed_dataset_take does: batch[i] is (n, ...), a copy. For data that are small enough
 * to be one batch, and for what is computed before training, as by heed_scaler_new. HEED_ERR_ARGUMENT for NULL,
 * HEED_ERR_NOMEM; after a failure all of batch is NULL. */
HEED_API heed_status heed_dataset_all(const heed_dataset *dataset, heed_tensor **batch);

/* The subset with these numbers, in their order. It keeps the tensors, so `dataset` may be freed before it. NULL with
 * HEED_ERR_INDEX for a number that is not in 0 .. n - 1, HEED_ERR_DTYPE or HEED_ERR_SHAPE unless numbers is i64 (m),
 * HEED_ERR_ARGUMENT for NULL, HEED_ERR_NOMEM.
 * torch: torch.utils.data.Subset */
HEED_API HEED_NODISCARD heed_dataset *heed_dataset_part(const heed_dataset *dataset, heed_tensor *numbers);

/* Splits at random into subsets of floor(fraction n + 1/2) samples and of the rest, as into train and test, each in the
 * order of the whole. `generator` draws a permutation; NULL: the default generator. HEED_ERR_ARGUMENT for NULL and
 * unless fraction is in [0, 1] and first and second are two different places; HEED_ERR_NOMEM. After a failure *first
 * and *second are NULL, and the generator has not moved.
 * torch: torch.utils.data.random_split */
HEED_API heed_status heed_dataset_split(const heed_dataset *dataset, double fraction, heed_generator *generator,
                                        heed_dataset **first, heed_dataset **second);

typedef struct heed_dataset_fold_options {
    bool shuffle;  /* samples are dealt to the folds at random; otherwise each fold is a range of numbers */
    uint64_t seed; /* of the order with shuffle: the same for all folds of one cross-validation */
    HEED_RESERVED;
} heed_dataset_fold_options;

/* Fold `fold`, 0 to k - 1, of a k-fold cross-validation: *held_out is that fold, *train all others, each in the order
 * of the whole. The first n mod k folds have floor(n / k) + 1 samples, the others floor(n / k); over all folds each
 * sample is held out once. With shuffle, fold f is the f-th range of heed_generator_permutation(n) of a new generator
 * with `seed`: a function of n, k and the seed alone, whatever else is drawn. scikit-learn:
 * sklearn.model_selection.KFold. NULL options: no shuffle. HEED_ERR_ARGUMENT for NULL, and unless 2 <= k <= n,
 * 0 <= fold < k and train and held_out are two different places; HEED_ERR_NOMEM. After a failure *train and *held_out
 * are NULL.
 *
 *     for (int f = 0; f < 5; f++) {
 *         heed_dataset *train, *held_out;
 *         heed_dataset_fold(all, 5, f, &(heed_dataset_fold_options){.shuffle = true}, &train, &held_out);
 *         ...
 *     } */
HEED_API heed_status heed_dataset_fold(const heed_dataset *dataset, int64_t k, int64_t fold,
                                       const heed_dataset_fold_options *options, heed_dataset **train,
                                       heed_dataset **held_out);

/* -- Standardising -------------------------------------------------------------------------------------------------
 * A scaler has the mean and the standard deviation of each column of a tensor (n, ...), and makes columns of mean 0 and
 * deviation 1 of it. The same numbers then serve for data that come later, and for predictions on the way back.
 * scikit-learn: sklearn.preprocessing.StandardScaler. */

typedef struct heed_scaler heed_scaler;

typedef struct heed_scaler_options {
    bool fill_nan; /* heed_scaler_apply gives 0 for NaN: what is missing counts as the mean */
    HEED_RESERVED;
} heed_scaler_options;

/* Mean and standard deviation of x (n, ...), f32 or f64, over its first axis:
 *
 *     mean = sum x / n    std = sqrt(sum (x - mean)^2 / n)
 *
 * both (...), of x's dtype, computed in f64, also if sums of numbers or of squares overflow or underflow. NaN is left
 * out, and counted out of n. Where all numbers of a column are equal, mean is that number and std 1, so that applying
 * gives 0. NULL options: NaN stays NaN. To be freed by
 * heed_scaler_free. NULL with HEED_ERR_SHAPE for a scalar or no samples, HEED_ERR_DTYPE, HEED_ERR_ARGUMENT for NULL
 * and for a column that is all NaN or has an infinity: its first number is given; HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_scaler *heed_scaler_new(heed_tensor *x, const heed_scaler_options *options);

/* NULL is ignored. */
HEED_API void heed_scaler_free(heed_scaler *scaler);

/* (x - mean) / std, for x (m, ...) of any m, or one sample (...), of the scaler's dtype. Differentiable. NULL with
 * HEED_ERR_SHAPE or HEED_ERR_DTYPE for what does not fit the scaler, HEED_ERR_ARGUMENT for NULL, HEED_ERR_NOMEM. */
HEED_API heed_tensor *heed_scaler_apply(const heed_scaler *scaler, heed_tensor *x);

/* x std + mean, which undoes heed_scaler_apply up to rounding: for predictions of a standardised target.
 * Differentiable. NULL with the errors of heed_scaler_apply. */
HEED_API heed_tensor *heed_scaler_undo(const heed_scaler *scaler, heed_tensor *x);

/* The means (...). They belong to the scaler. NULL with HEED_ERR_ARGUMENT for NULL. */
HEED_API heed_tensor *heed_scaler_mean(const heed_scaler *scaler);

/* What apply divides by, (...): the standard deviations, 1 where all numbers were equal. They belong to the scaler.
 * NULL with HEED_ERR_ARGUMENT for NULL. */
HEED_API heed_tensor *heed_scaler_std(const heed_scaler *scaler);

/* Puts the scaler into a dict, to be saved in one file with the model's state: tensors "NAME.mean" and "NAME.std", and
 * a text "NAME.fill_nan" with that option. The model is then loaded from that dict with .allow_unexpected, because the
 * scaler's tensors are not parameters: heed_module_load_state(m, dict, &(heed_dict_load_options){.allow_unexpected =
 * true}). HEED_ERR_ARGUMENT for NULL or a name that is not UTF-8; HEED_ERR_NOMEM. After a
 * failure some of them may be there. */
HEED_API heed_status heed_scaler_save(const heed_scaler *scaler, heed_dict *dict, const char *name);

/* The scaler that heed_scaler_save put there; it copies the tensors. NULL with HEED_ERR_ARGUMENT for NULL or what is
 * not there, HEED_ERR_FORMAT for tensors or a text that are not a scaler's, HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_scaler *heed_scaler_load(const heed_dict *dict, const char *name);

/* -- Categories ----------------------------------------------------------------------------------------------------
 * Texts as codes 0 to count - 1. A text's code is its place among all of them, sorted byte by byte: it depends on which
 * texts there are, and not on the order of the rows. They are learned once, and then serve for data that come later. */

typedef struct heed_categories heed_categories;

/* The different ones of n texts (copied): as np.unique. To be freed by heed_categories_free. NULL with
 * HEED_ERR_ARGUMENT for NULL or a negative n, HEED_ERR_NOMEM.
 * numpy: numpy.unique */
HEED_API HEED_NODISCARD heed_categories *heed_categories_new(const char *const *texts, int64_t n);

/* NULL is ignored. */
HEED_API void heed_categories_free(heed_categories *categories);

/* How many there are: the classes of a softmax, the rows of an embedding. 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_categories_count(const heed_categories *categories);

/* The text of a code. It belongs to the categories. NULL with HEED_ERR_INDEX unless code is in 0 .. count - 1,
 * HEED_ERR_ARGUMENT for NULL. */
HEED_API const char *heed_categories_name(const heed_categories *categories, int64_t code);

/* The code of a text, or -1 where it is none of them, which is no error. -1 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_categories_find(const heed_categories *categories, const char *text);

/* Puts the categories into a dict, to be saved beside the model's state: texts "NAME.count", "NAME.0", "NAME.1" ...
 * HEED_ERR_ARGUMENT for NULL, or a name or category that is not UTF-8; HEED_ERR_NOMEM. */
HEED_API heed_status heed_categories_save(const heed_categories *categories, heed_dict *dict, const char *name);

/* The categories that heed_categories_save put there. NULL with HEED_ERR_ARGUMENT for NULL or what is not there,
 * HEED_ERR_FORMAT where texts are missing or not in order, HEED_ERR_NOMEM. */
HEED_API HEED_NODISCARD heed_categories *heed_categories_load(const heed_dict *dict, const char *name);

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

/* A loader at the beginning of epoch 0; `dataset` must outlive it. NULL options: batches of 1, in order. To be freed by
 * heed_loader_free. NULL with HEED_ERR_ARGUMENT for NULL, for a negative batch_size and when an epoch would have no
 * batch; HEED_ERR_NOMEM.
 * torch: torch.utils.data.DataLoader */
HEED_API HEED_NODISCARD heed_loader *heed_loader_new(const heed_dataset *dataset, const heed_loader_options *options);

/* NULL is ignored. */
HEED_API void heed_loader_free(heed_loader *loader);

/* Batches of an epoch: ceil(n / batch_size), or floor(n / batch_size) with drop_last. 0 with HEED_ERR_ARGUMENT for
 * NULL. */
HEED_API int64_t heed_loader_batches(const heed_loader *loader);

/* The next batch, written to `batch` as heed_dataset_take does: (m, ...), m = batch_size, or less at the end of an
 * epoch. The last batch of an epoch is followed by the first of the next. HEED_ERR_ARGUMENT for NULL, HEED_ERR_NOMEM,
 * HEED_ERR_STATE after 2^63 - 1 epochs. After a failure the loader has not moved. */
HEED_API heed_status heed_loader_next(heed_loader *loader, heed_tensor **batch);

/* The numbers of the next batch's samples, i64 (m), instead of the samples: for who takes only some of them, with
 * heed_dataset_take from heed_loader_dataset. The loader has moved on then, as after heed_loader_next. Borrowed from
 * the innermost scope. NULL with the errors of heed_loader_next.
 * torch: torch.utils.data.BatchSampler */
HEED_API heed_tensor *heed_loader_next_numbers(heed_loader *loader);

/* The dataset that the loader was made for. NULL with HEED_ERR_ARGUMENT for NULL. */
HEED_API const heed_dataset *heed_loader_dataset(const heed_loader *loader);

/* Complete epochs. 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_loader_epoch(const heed_loader *loader);

/* Batches taken of the current epoch. 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_loader_batch(const heed_loader *loader);

/* Where a loader is: what a checkpoint stores. */
typedef struct heed_loader_state {
    uint64_t seed;               /* 0 without shuffle */
    int64_t epoch, batch;        /* as heed_loader_epoch and heed_loader_batch */
    int64_t samples, batch_size; /* n, and the option */
} heed_loader_state;

/* Writes to *state where the loader is. HEED_ERR_ARGUMENT for NULL. */
HEED_API heed_status heed_loader_get_state(const heed_loader *loader, heed_loader_state *state);

/* Goes to where a loader of the same dataset and options was: the same batches follow. HEED_ERR_ARGUMENT for NULL, when
 * samples or batch_size are another loader's, epoch or batch are not ones that this loader reaches, or a seed is given
 * to a loader that does not shuffle; then nothing has changed. */
HEED_API heed_status heed_loader_set_state(heed_loader *loader, const heed_loader_state *state);

HEED_END_DECLS

#endif
