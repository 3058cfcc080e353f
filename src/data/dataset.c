/* data/dataset.c - tensors over the same samples, and parts of them. */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <heed/data.h>
#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>

struct heed_dataset {
    int k;
    heed_tensor *tensors[HEED_DATASET_MAX]; /* contiguous, retained */
    int64_t n;
    heed_tensor *numbers; /* i64 (n), retained: which samples of the tensors these are; NULL: all */
};

static bool check_dataset(const char *where, const heed_dataset *dataset)
{
    if (!dataset)
        heed_fail(HEED_ERR_ARGUMENT, where, "the dataset is NULL");
    return dataset != NULL;
}

/* -- Making and freeing ------------------------------------------------------------------------------------------- */

static bool check_tensor(int i, const heed_tensor *t, const heed_tensor *first)
{
    static const char where[] = "dataset_new";
    if (!t)
        heed_fail(HEED_ERR_ARGUMENT, where, "tensor %d is NULL", i);
    else if (heed_rank(t) == 0)
        heed_fail(HEED_ERR_SHAPE, where, "tensor %d is a scalar: its first axis should count the samples", i);
    else if (heed_dim(t, 0) != heed_dim(first, 0))
        heed_fail(HEED_ERR_SHAPE, where, "tensor %d has %" PRId64 " samples, and tensor 0 has %" PRId64, i,
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
        if (!check_tensor(i, tensors[i], tensors[0]))
            return NULL;
    heed_scope *scope = heed_no_grad_begin();
    heed_dataset *d = scope ? heed_calloc(1, sizeof *d) : NULL;
    if (d)
        d->n = heed_dim(tensors[0], 0);
    for (int i = 0; d && i < k; i++) {
        heed_tensor *t = heed_contiguous(heed_detach(tensors[i]));
        if (t) {
            d->tensors[d->k++] = heed_retain(t);
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
    if (!d)
        return;
    for (int i = 0; i < d->k; i++)
        heed_release(d->tensors[i]);
    heed_release(d->numbers);
    heed_free(d, sizeof *d);
}

/* A subset that has `numbers`. NULL after heed_fail, also for NULL numbers. */
static heed_dataset *subset_new(const heed_dataset *of, heed_tensor *numbers)
{
    heed_dataset *part = numbers ? heed_alloc(sizeof *part) : NULL;
    if (!part)
        return NULL;
    *part = *of;
    for (int i = 0; i < part->k; i++)
        heed_retain(part->tensors[i]);
    part->numbers = heed_retain(numbers);
    part->n = heed_numel(numbers);
    return part;
}

int64_t heed_dataset_size(const heed_dataset *d)
{
    return check_dataset("dataset_size", d) ? d->n : 0;
}

int heed_dataset_tensors(const heed_dataset *d)
{
    return check_dataset("dataset_tensors", d) ? d->k : 0;
}

/* -- Taking ------------------------------------------------------------------------------------------------------- */

static bool check_numbers(const char *where, const heed_tensor *numbers)
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

/* Rows of the tensors that are the dataset's samples of these numbers. NULL after heed_fail. */
static heed_tensor *rows_of(const char *where, const heed_dataset *d, heed_tensor *numbers)
{
    if (!check_dataset(where, d) || !check_numbers(where, numbers))
        return NULL;
    heed_tensor *rows = heed_contiguous(numbers);
    const int64_t *number = rows ? heed_data_i64(rows) : NULL;
    for (int64_t i = 0; rows && i < heed_numel(rows); i++)
        if (number[i] < 0 || number[i] >= d->n)
            return heed_fail_null(HEED_ERR_INDEX, where, "sample %" PRId64 " of %" PRId64, number[i], d->n);
    return rows && d->numbers ? heed_index_select(d->numbers, 0, rows) : rows;
}

heed_status heed_dataset_take(const heed_dataset *d, heed_tensor *numbers, heed_tensor **batch)
{
    HEED_ENTER("dataset_take");
    if (!batch)
        return heed_fail(HEED_ERR_ARGUMENT, "dataset_take", "batch is NULL");
    int k = d ? d->k : 0;
    memset(batch, 0, (size_t)k * sizeof *batch);
    heed_tensor *rows = rows_of("dataset_take", d, numbers);
    if (!rows)
        return heed_error_code();
    for (int i = 0; i < k; i++) {
        batch[i] = heed_index_select(d->tensors[i], 0, rows);
        if (batch[i])
            continue;
        memset(batch, 0, (size_t)k * sizeof *batch);
        return heed_error_code();
    }
    return HEED_OK;
}

heed_dataset *heed_dataset_part(const heed_dataset *d, heed_tensor *numbers)
{
    HEED_ENTER("dataset_part");
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return NULL;
    heed_tensor *rows = rows_of("dataset_part", d, numbers);
    heed_dataset *part = rows ? subset_new(d, d->numbers ? rows : heed_clone(rows)) : NULL;
    heed_scope_end(scope);
    return part;
}

/* -- Splitting ---------------------------------------------------------------------------------------------------- */

/* floor(fraction n + 1/2), which rounding may put above n. */
static int64_t share_of(int64_t n, double fraction)
{
    double share = floor(fraction * (double)n + 0.5);
    return share < (double)n ? (int64_t)share : n;
}

/* Gives each sample to the part that chosen says: 1 for the first, 0 for the second. */
static void deal(const heed_dataset *d, const bool *chosen, int64_t *first, int64_t *second)
{
    const int64_t *row = d->numbers ? heed_data_i64(d->numbers) : NULL;
    for (int64_t i = 0; i < d->n; i++)
        *(chosen[i] ? first++ : second++) = row ? row[i] : i;
}

/* In an open scope. The draw comes last, so that a failure leaves the generator where it was. */
static heed_status split(const heed_dataset *d, double fraction, heed_generator *generator, heed_dataset **first,
                         heed_dataset **second)
{
    int64_t share = share_of(d->n, fraction);
    *first = subset_new(d, heed_empty(HEED_I64, HEED_SHAPE(share)));
    *second = *first ? subset_new(d, heed_empty(HEED_I64, HEED_SHAPE(d->n - share))) : NULL;
    heed_tensor *chosen = *second ? heed_zeros(HEED_BOOL, HEED_SHAPE(d->n)) : NULL;
    heed_tensor *order = chosen ? heed_generator_permutation(generator, d->n) : NULL;
    if (!order)
        return heed_error_code();
    bool *flags = heed_mutable_bool(chosen);
    for (int64_t i = 0; i < share; i++)
        flags[heed_data_i64(order)[i]] = true;
    deal(d, flags, heed_mutable_i64((*first)->numbers), heed_mutable_i64((*second)->numbers));
    return HEED_OK;
}

heed_status heed_dataset_split(const heed_dataset *d, double fraction, heed_generator *generator, heed_dataset **first,
                               heed_dataset **second)
{
    static const char where[] = "dataset_split";
    HEED_ENTER(where);
    if (first)
        *first = NULL;
    if (second)
        *second = NULL;
    if (!check_dataset(where, d))
        return HEED_ERR_ARGUMENT;
    if (!first || !second || first == second)
        return heed_fail(HEED_ERR_ARGUMENT, where, "first and second must be two places, neither NULL");
    if (!(fraction >= 0.0 && fraction <= 1.0))
        return heed_fail(HEED_ERR_ARGUMENT, where, "fraction is %g: must be in [0, 1]", fraction);
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_status status = split(d, fraction, generator ? generator : heed_generator_default(), first, second);
    if (status != HEED_OK) {
        heed_dataset_free(*first);
        heed_dataset_free(*second);
        *first = *second = NULL;
    }
    heed_scope_end(scope);
    return status;
}
