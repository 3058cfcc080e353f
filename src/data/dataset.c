/* data/dataset.c - datasets: of tensors with the same number of samples; of a source, from which samples are read or
 * generated on request; of other datasets. Subsets, random shares and folds.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <heed/data.h>
#include <heed/debug.h>
#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "base/mark.h"

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

HEED_MARK_OUTLIVES_FREE(heed_dataset);

static bool check_dataset(const char *where, const heed_dataset *dataset)
{
    if (!dataset)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the dataset is NULL");
    return heed__is_marked(dataset->mark, HEED_DATASET) || heed_fail_freed(where, "the dataset", dataset);
}

/* -- A source ------------------------------------------------------------------------------------------------------ */

static bool check_source(const char *where, const heed_dataset_source *source)
{
    if (!source || (!source->take && !source->take_epoch))
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the source%s is NULL", source ? "'s take" : "");
    if (source->samples < 0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "samples is %" PRId64 ": must be 0 or more", source->samples);
    if (source->tensors < 1 || source->tensors > HEED_DATASET_MAX)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "tensors is %d: must be 1 to %d", source->tensors,
                               HEED_DATASET_MAX);
    return true;
}

heed_dataset *heed_dataset_new_source(const heed_dataset_source *source)
{
    const char *where = "dataset_new_source";
    HEED_ENTER(where);
    if (!check_source(where, source))
        return NULL;
    heed__origin *origin = heed_alloc(sizeof *origin);
    heed_dataset *d = origin ? heed_calloc(1, sizeof *d) : NULL;
    if (!d) {
        heed_free(origin, sizeof *origin);
        return NULL;
    }
    *origin = (heed__origin){.source = *source, .datasets = 1};
    *d = (heed_dataset){
        .k = source->tensors, .n = source->samples, .origin = origin, .mark = HEED_MARK(HEED_DATASET, 0)};
    return d;
}

/* Releases one dataset's reference; the last release frees the source and the origin. Ignores NULL. */
static void release_origin(heed__origin *origin)
{
    if (!origin || --origin->datasets > 0)
        return;
    if (origin->source.free) {
        heed_callback call = heed_callback_begin("the free function of the dataset's source");
        origin->source.free(origin->source.user);
        const bool sound = heed_callback_end(&call);
        (void)sound; /* an error in the callback remains pending after heed_dataset_free */
    }
    heed_free(origin, sizeof *origin);
}

static heed_status check_batch(const char *where, int k, int64_t samples, heed_tensor *const *batch)
{
    for (int i = 0; i < k; i++) {
        if (!batch[i])
            return heed_fail(HEED_ERR_STATE, where, "the source did not set tensor %d of the batch", i);
        if (heed_rank(batch[i]) == 0 || heed_dim(batch[i], 0) != samples)
            return heed_fail(HEED_ERR_SHAPE, where,
                             "the source returned tensor %d with shape %s for %" PRId64 " samples", i,
                             heed_shape_text(heed_shape_of(batch[i])).s, samples);
    }
    return HEED_OK;
}

/* Reads the samples `rows`, i64 (m), from the source into batch[], as heed_dataset_take_epoch does for a dataset. */
static heed_status take_from_source(const char *where, const heed__origin *origin, heed_tensor *rows, int64_t epoch,
                                    heed_tensor **batch)
{
    const heed_dataset_source *source = &origin->source;
    heed_callback call = heed_callback_begin("the dataset's source");
    heed_status status = source->take_epoch ? source->take_epoch(source->user, rows, epoch, batch)
                                            : source->take(source->user, rows, batch);
    if (!heed_callback_end(&call))
        return heed_error_code();
    if (status != HEED_OK)
        return heed_fail(status, where, "the source failed without setting an error");
    return check_batch(where, source->tensors, heed_numel(rows), batch);
}

/* -- Creating and freeing ------------------------------------------------------------------------------------------ */

static bool check_dataset_tensor(int i, const heed_tensor *t, const heed_tensor *first)
{
    static const char where[] = "dataset_new";
    if (!t)
        heed_fail(HEED_ERR_ARGUMENT, where, "tensor %d is NULL", i);
    else if (heed_rank(t) == 0)
        heed_fail(HEED_ERR_SHAPE, where, "tensor %d is a scalar: axis 0 must be the samples", i);
    else if (heed_dim(t, 0) != heed_dim(first, 0))
        heed_fail(HEED_ERR_SHAPE, where, "tensor %d has %" PRId64 " samples, but tensor 0 has %" PRId64, i,
                  heed_dim(t, 0), heed_dim(first, 0));
    else
        return true;
    return false;
}

heed_dataset *heed_dataset_new(heed_tensor *const *tensors, int k)
{
    HEED_ENTER("dataset_new");
    if (!tensors)
        return heed_fail_null(HEED_ERR_ARGUMENT, "dataset_new", "tensors is NULL");
    if (k < 1 || k > HEED_DATASET_MAX)
        return heed_fail_null(HEED_ERR_ARGUMENT, "dataset_new", "k is %d: must be 1 to %d", k, HEED_DATASET_MAX);
    for (int i = 0; i < k; i++)
        if (!check_dataset_tensor(i, tensors[i], tensors[0]))
            return NULL;
    heed_scope *scope = heed_no_grad_begin();
    heed_dataset *d = scope ? heed_calloc(1, sizeof *d) : NULL;
    if (d)
        *d = (heed_dataset){.n = heed_dim(tensors[0], 0), .mark = HEED_MARK(HEED_DATASET, 0)};
    for (int i = 0; d && i < k; i++) {
        heed_tensor *t = heed_contiguous(heed_detach(tensors[i]));
        if (t) {
            d->tensors[d->k++] = heed_retain(t);
            heed_debug_set_owner(t, NULL, "a dataset");
        } else {
            heed_dataset_free(d);
            d = NULL;
        }
    }
    if (scope)
        heed_scope_end(scope);
    return d;
}

void heed_dataset_free(heed_dataset *d)
{
    if (!d || !check_dataset("dataset_free", d))
        return;
    for (int i = 0; i < d->k; i++)
        heed_release(d->tensors[i]);
    release_origin(d->origin);
    heed_release(d->numbers);
    d->mark = 0;
    heed_free(d, sizeof *d);
}

/* Returns a new dataset with the same samples. NULL after heed_fail. */
static heed_dataset *share_dataset(const heed_dataset *of)
{
    heed_dataset *same = heed_alloc(sizeof *same);
    if (!same)
        return NULL;
    *same = *of;
    for (int i = 0; i < same->k; i++)
        heed_retain(same->tensors[i]);
    heed_retain(same->numbers);
    if (same->origin)
        same->origin->datasets++;
    return same;
}

/* Returns a subset whose `numbers` field is the given tensor. NULL after heed_fail, or if numbers is NULL. */
static heed_dataset *subset_of(const heed_dataset *of, heed_tensor *numbers)
{
    heed_dataset *subset = numbers ? share_dataset(of) : NULL;
    if (!subset)
        return NULL;
    heed_release(subset->numbers);
    subset->numbers = heed_retain(numbers);
    subset->n = heed_numel(numbers);
    return subset;
}

int64_t heed_dataset_size(const heed_dataset *d)
{
    return check_dataset("dataset_size", d) ? d->n : 0;
}

int heed_dataset_tensors(const heed_dataset *d)
{
    return check_dataset("dataset_tensors", d) ? d->k : 0;
}

/* -- Batches ------------------------------------------------------------------------------------------------------- */

static bool check_sample_numbers(const char *where, const heed_tensor *numbers)
{
    if (!numbers)
        heed_fail(HEED_ERR_ARGUMENT, where, "the list of samples is NULL");
    else if (heed_dtype_of(numbers) != HEED_I64)
        heed_fail(HEED_ERR_DTYPE, where, "the list of samples is %s: must be i64",
                  heed_dtype_name(heed_dtype_of(numbers)));
    else if (heed_rank(numbers) != 1)
        heed_fail(HEED_ERR_SHAPE, where, "the list of samples has rank %d: must be 1", heed_rank(numbers));
    else
        return true;
    return false;
}

/* Converts sample numbers of the dataset to row numbers of its tensors or of its source. NULL after heed_fail. */
static heed_tensor *rows_of_samples(const char *where, const heed_dataset *d, heed_tensor *numbers)
{
    if (!check_dataset(where, d) || !check_sample_numbers(where, numbers))
        return NULL;
    heed_tensor *rows = heed_contiguous(numbers);
    const int64_t *number = rows ? heed_data_i64(rows) : NULL;
    for (int64_t i = 0; rows && i < heed_numel(rows); i++)
        if (number[i] < 0 || number[i] >= d->n)
            return heed_fail_null(HEED_ERR_INDEX, where,
                                  "sample %" PRId64 " is out of range: the dataset has %" PRId64 " samples", number[i],
                                  d->n);
    return rows && d->numbers ? heed_index_select(d->numbers, 0, rows) : rows;
}

static heed_status take(const char *where, const heed_dataset *d, heed_tensor *numbers, int64_t epoch,
                        heed_tensor **batch)
{
    if (!batch)
        return heed_fail(HEED_ERR_ARGUMENT, where, "batch is NULL");
    int k = check_dataset(where, d) ? d->k : 0;
    memset(batch, 0, (size_t)k * sizeof *batch);
    if (epoch < 0)
        return heed_fail(HEED_ERR_ARGUMENT, where, "epoch is %" PRId64 ": must be 0 or more", epoch);
    heed_tensor *rows = rows_of_samples(where, d, numbers);
    if (!rows)
        return heed_error_code();
    heed_status status = d->origin ? take_from_source(where, d->origin, rows, epoch, batch) : HEED_OK;
    for (int i = 0; !d->origin && status == HEED_OK && i < k; i++) {
        batch[i] = heed_index_select(d->tensors[i], 0, rows);
        status = batch[i] ? HEED_OK : heed_error_code();
    }
    if (status != HEED_OK)
        memset(batch, 0, (size_t)k * sizeof *batch);
    return status;
}

heed_status heed_dataset_take(const heed_dataset *d, heed_tensor *numbers, heed_tensor **batch)
{
    HEED_ENTER("dataset_take");
    return take("dataset_take", d, numbers, 0, batch);
}

heed_status heed_dataset_take_epoch(const heed_dataset *d, heed_tensor *numbers, int64_t epoch, heed_tensor **batch)
{
    HEED_ENTER("dataset_take_epoch");
    return take("dataset_take_epoch", d, numbers, epoch, batch);
}

heed_status heed_dataset_all(const heed_dataset *d, heed_tensor **batch)
{
    HEED_ENTER("dataset_all");
    if (!batch)
        return heed_fail(HEED_ERR_ARGUMENT, "dataset_all", "batch is NULL");
    if (!check_dataset("dataset_all", d))
        return HEED_ERR_ARGUMENT;
    memset(batch, 0, (size_t)d->k * sizeof *batch);
    heed_tensor *numbers = heed_arange(HEED_I64, 0.0, (double)d->n, 1.0);
    return numbers ? heed_dataset_take(d, numbers, batch) : heed_error_code();
}

heed_dataset *heed_dataset_subset(const heed_dataset *d, heed_tensor *numbers)
{
    HEED_ENTER("dataset_subset");
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    heed_tensor *rows = rows_of_samples("dataset_subset", d, numbers);
    heed_dataset *subset = rows ? subset_of(d, d->numbers ? rows : heed_clone(rows)) : NULL;
    heed_scope_end(scope);
    return subset;
}

/* -- Zipped datasets ----------------------------------------------------------------------------------------------- */

typedef struct zipped {
    int n;
    heed_dataset *datasets[HEED_DATASET_MAX];
} zipped;

static heed_status take_zipped(void *user, heed_tensor *numbers, int64_t epoch, heed_tensor **batch)
{
    const zipped *z = user;
    for (int i = 0; i < z->n; batch += z->datasets[i++]->k)
        if (heed_dataset_take_epoch(z->datasets[i], numbers, epoch, batch) != HEED_OK)
            return heed_error_code();
    return HEED_OK;
}

static void free_zipped(void *user)
{
    zipped *z = user;
    for (int i = 0; i < z->n; i++)
        heed_dataset_free(z->datasets[i]);
    heed_free(z, sizeof *z);
}

/* Returns the total number of tensors, or 0 after heed_fail. */
static int check_datasets(const char *where, const heed_dataset *const *datasets, int n)
{
    int k = 0;
    if (!datasets) {
        heed_fail(HEED_ERR_ARGUMENT, where, "datasets is NULL");
        return 0;
    }
    if (n < 1 || n > HEED_DATASET_MAX) {
        heed_fail(HEED_ERR_ARGUMENT, where, "n is %d datasets: must be 1 to %d", n, HEED_DATASET_MAX);
        return 0;
    }
    for (int i = 0; i < n; k += datasets[i++]->k) {
        if (!check_dataset(where, datasets[i]))
            return 0;
        if (datasets[i]->n != datasets[0]->n) {
            heed_fail(HEED_ERR_SHAPE, where, "dataset %d has %" PRId64 " samples, but dataset 0 has %" PRId64, i,
                      datasets[i]->n, datasets[0]->n);
            return 0;
        }
    }
    return k;
}

heed_dataset *heed_dataset_zip(const heed_dataset *const *datasets, int n)
{
    const char *where = "dataset_zip";
    HEED_ENTER(where);
    int k = check_datasets(where, datasets, n);
    zipped *z = k > 0 ? heed_calloc(1, sizeof *z) : NULL;
    if (!z)
        return NULL;
    bool ok = true;
    for (int i = 0; i < n && ok; i++) {
        z->datasets[i] = share_dataset(datasets[i]);
        ok = z->datasets[i] != NULL;
        z->n += ok;
    }
    heed_dataset *d =
        ok ? heed_dataset_new_source(&(heed_dataset_source){
                 .samples = datasets[0]->n, .tensors = k, .take_epoch = take_zipped, .free = free_zipped, .user = z})
           : NULL;
    if (!d)
        free_zipped(z);
    return d;
}

/* -- Splits in two: by a random share, or into the folds of a cross-validation ------------------------------------- */

/* Puts the samples at positions begin .. end - 1 of an order into the first subset and all others into the second.
 * With `shuffle` the order is random, otherwise the dataset's. Within both subsets the samples stay in the dataset's
 * order. Requires an open scope. The draw comes after all other allocations, so that a failure leaves the generator
 * unchanged. */
static heed_status split_range(const heed_dataset *d, int64_t begin, int64_t end, bool shuffle, heed_dataset **first,
                               heed_dataset **second)
{
    *first = subset_of(d, heed_empty(HEED_I64, HEED_SHAPE(end - begin)));
    *second = *first ? subset_of(d, heed_empty(HEED_I64, HEED_SHAPE(d->n - (end - begin)))) : NULL;
    heed_tensor *chosen = *second ? heed_zeros(HEED_BOOL, HEED_SHAPE(d->n)) : NULL;
    heed_tensor *order = chosen && shuffle ? heed_permutation(d->n) : NULL;
    if (!chosen || (shuffle && !order))
        return heed_error_code();
    bool *flag = heed_mutable_bool(chosen);
    const int64_t *number = order ? heed_data_i64(order) : NULL, *row = d->numbers ? heed_data_i64(d->numbers) : NULL;
    for (int64_t i = begin; i < end; i++)
        flag[number ? number[i] : i] = true;
    int64_t *to_first = heed_mutable_i64((*first)->numbers), *to_second = heed_mutable_i64((*second)->numbers);
    for (int64_t i = 0; i < d->n; i++)
        *(flag[i] ? to_first++ : to_second++) = row ? row[i] : i;
    return HEED_OK;
}

static heed_status split_or_free(const heed_dataset *d, int64_t begin, int64_t end, bool shuffle, heed_dataset **first,
                                 heed_dataset **second)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_status status = split_range(d, begin, end, shuffle, first, second);
    if (status != HEED_OK) {
        heed_dataset_free(*first);
        heed_dataset_free(*second);
        *first = *second = NULL;
    }
    heed_scope_end(scope);
    return status;
}

static bool check_outputs(const char *where, const heed_dataset *d, const char *names, heed_dataset **first,
                          heed_dataset **second)
{
    if (first)
        *first = NULL;
    if (second)
        *second = NULL;
    if (!check_dataset(where, d))
        return false;
    if (first && second && first != second)
        return true;
    heed_fail(HEED_ERR_ARGUMENT, where, "%s must be two different pointers, not NULL", names);
    return false;
}

heed_status heed_dataset_split(const heed_dataset *d, double fraction, heed_generator *generator, heed_dataset **first,
                               heed_dataset **second)
{
    static const char where[] = "dataset_split";
    HEED_ENTER(where);
    if (!check_outputs(where, d, "first and second", first, second))
        return heed_error_code();
    if (!(fraction >= 0.0 && fraction <= 1.0))
        return heed_fail(HEED_ERR_ARGUMENT, where, "fraction is %g: must be in [0, 1]", fraction);
    const double share = floor(fraction * (double)d->n + 0.5); /* rounding may exceed n */
    const int64_t end = share < (double)d->n ? (int64_t)share : d->n;
    heed_generator *outer = generator ? heed_generator_use(generator) : NULL;
    if (generator && !outer)
        return heed_error_code();
    heed_status status = split_or_free(d, 0, end, true, first, second);
    if (outer)
        heed_generator_use(outer);
    return status;
}

/* Returns the beginning of fold f. The first n mod k folds have one sample more than the others. */
static int64_t fold_begin(int64_t n, int64_t k, int64_t f)
{
    int64_t more = n % k;
    return n / k * f + (f < more ? f : more);
}

heed_status heed_dataset_fold(const heed_dataset *d, int64_t k, int64_t fold, const heed_dataset_fold_options *options,
                              heed_dataset **train, heed_dataset **held_out)
{
    static const char where[] = "dataset_fold";
    HEED_ENTER(where);
    heed_dataset_fold_options o = options ? *options : (heed_dataset_fold_options){.shuffle = false};
    if (!check_outputs(where, d, "train and held_out", train, held_out))
        return heed_error_code();
    if (k < 2 || k > d->n)
        return heed_fail(HEED_ERR_ARGUMENT, where, "k is %" PRId64 ": must be 2 to %" PRId64 ", the number of samples",
                         k, d->n);
    if (fold < 0 || fold >= k)
        return heed_fail(HEED_ERR_ARGUMENT, where, "fold is %" PRId64 ": must be 0 to %" PRId64, fold, k - 1);
    heed_generator *generator = o.shuffle ? heed_generator_new(o.seed) : NULL;
    if (o.shuffle && !generator)
        return HEED_ERR_NOMEM;
    heed_generator *outer = generator ? heed_generator_use(generator) : NULL;
    heed_status status = HEED_ERR_STATE;
    if (outer || !generator)
        status = split_or_free(d, fold_begin(d->n, k, fold), fold_begin(d->n, k, fold + 1), o.shuffle, held_out, train);
    if (outer)
        heed_generator_use(outer);
    heed_generator_free(generator);
    return status;
}
