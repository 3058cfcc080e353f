/* data/split.c - splits a dataset in two: by a random share, or into the folds of a cross-validation. */

#include <inttypes.h>
#include <math.h>

#include <heed/graph.h>
#include <heed/memory.h>

#include "data/dataset.h"

/* -- Two subsets -------------------------------------------------------------------------------------------------- */

/* Appends the row number of every sample i to `first` if chosen[i], else to `second`. */
static void assign(const heed_dataset *d, const bool *chosen, int64_t *first, int64_t *second)
{
    const int64_t *row = d->numbers ? heed_data_i64(d->numbers) : NULL;
    for (int64_t i = 0; i < d->n; i++)
        *(chosen[i] ? first++ : second++) = row ? row[i] : i;
}

/* Sets chosen[i] for the samples i at positions begin .. end - 1 of `order`, a permutation of the samples. NULL means
 * the order 0, 1, 2, ... */
static void choose(bool *chosen, const heed_tensor *order, int64_t begin, int64_t end)
{
    const int64_t *number = order ? heed_data_i64(order) : NULL;
    for (int64_t i = begin; i < end; i++)
        chosen[number ? number[i] : i] = true;
}

/* Puts the samples at positions begin .. end - 1 of an order into the first subset and all others into the second.
 * `generator` draws the order; NULL means the dataset's order. Within both subsets the samples stay in the dataset's
 * order. Requires an open scope. The draw comes after all other allocations, so that a failure leaves the generator
 * unchanged. */
static heed_status split_range(const heed_dataset *d, int64_t begin, int64_t end, heed_generator *generator,
                               heed_dataset **first, heed_dataset **second)
{
    *first = heed__dataset_subset(d, heed_empty(HEED_I64, HEED_SHAPE(end - begin)));
    *second = *first ? heed__dataset_subset(d, heed_empty(HEED_I64, HEED_SHAPE(d->n - (end - begin)))) : NULL;
    heed_tensor *chosen = *second ? heed_zeros(HEED_BOOL, HEED_SHAPE(d->n)) : NULL;
    heed_tensor *order = chosen && generator ? heed_generator_permutation(generator, d->n) : NULL;
    if (!chosen || (generator && !order))
        return heed_error_code();
    bool *flags = heed_mutable_bool(chosen);
    choose(flags, order, begin, end);
    assign(d, flags, heed_mutable_i64((*first)->numbers), heed_mutable_i64((*second)->numbers));
    return HEED_OK;
}

static heed_status split_or_free(const heed_dataset *d, int64_t begin, int64_t end, heed_generator *generator,
                                 heed_dataset **first, heed_dataset **second)
{
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_status status = split_range(d, begin, end, generator, first, second);
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
    if (!heed__dataset_check(where, d))
        return false;
    if (first && second && first != second)
        return true;
    heed_fail(HEED_ERR_ARGUMENT, where, "%s must be two different pointers, not NULL", names);
    return false;
}

/* -- Random share ------------------------------------------------------------------------------------------------- */

/* Returns floor(fraction n + 1/2), limited to n because rounding may exceed it. */
static int64_t share_of(int64_t n, double fraction)
{
    double share = floor(fraction * (double)n + 0.5);
    return share < (double)n ? (int64_t)share : n;
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
    return split_or_free(d, 0, share_of(d->n, fraction), generator ? generator : heed_generator_default(), first,
                         second);
}

/* -- Folds -------------------------------------------------------------------------------------------------------- */

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
    heed_status status =
        split_or_free(d, fold_begin(d->n, k, fold), fold_begin(d->n, k, fold + 1), generator, held_out, train);
    heed_generator_free(generator);
    return status;
}
