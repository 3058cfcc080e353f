/* data/dataset.c - datasets of tensors with the same number of samples, and subsets. */

#include <inttypes.h>
#include <string.h>

#include <heed/debug.h>
#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>

#include "base/mark.h"
#include "data/dataset.h"

HEED_MARK_OUTLIVES_FREE(heed_dataset);

bool heed__dataset_check(const char *where, const heed_dataset *dataset)
{
    if (!dataset)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the dataset is NULL");
    return heed__is_marked(dataset->mark, HEED_DATASET) || heed_fail_freed(where, "the dataset", dataset);
}

/* -- Creating and freeing ----------------------------------------------------------------------------------------- */

static bool check_tensor(int i, const heed_tensor *t, const heed_tensor *first)
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
        if (!check_tensor(i, tensors[i], tensors[0]))
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
    if (!d || !heed__dataset_check("dataset_free", d))
        return;
    for (int i = 0; i < d->k; i++)
        heed_release(d->tensors[i]);
    heed__origin_release(d->origin);
    heed_release(d->numbers);
    d->mark = 0;
    heed_free(d, sizeof *d);
}

heed_dataset *heed__dataset_share(const heed_dataset *of)
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

heed_dataset *heed__dataset_subset(const heed_dataset *of, heed_tensor *numbers)
{
    heed_dataset *subset = numbers ? heed__dataset_share(of) : NULL;
    if (!subset)
        return NULL;
    heed_release(subset->numbers);
    subset->numbers = heed_retain(numbers);
    subset->n = heed_numel(numbers);
    return subset;
}

int64_t heed_dataset_size(const heed_dataset *d)
{
    return heed__dataset_check("dataset_size", d) ? d->n : 0;
}

int heed_dataset_tensors(const heed_dataset *d)
{
    return heed__dataset_check("dataset_tensors", d) ? d->k : 0;
}

/* -- Batches ------------------------------------------------------------------------------------------------------ */

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

/* Converts sample numbers of the dataset to row numbers of its tensors or of its source. NULL after heed_fail. */
static heed_tensor *rows_of(const char *where, const heed_dataset *d, heed_tensor *numbers)
{
    if (!heed__dataset_check(where, d) || !check_numbers(where, numbers))
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

static heed_status select_rows(const heed_dataset *d, heed_tensor *rows, heed_tensor **batch)
{
    for (int i = 0; i < d->k; i++)
        if (!(batch[i] = heed_index_select(d->tensors[i], 0, rows)))
            return heed_error_code();
    return HEED_OK;
}

heed_status heed_dataset_take(const heed_dataset *d, heed_tensor *numbers, heed_tensor **batch)
{
    HEED_ENTER("dataset_take");
    if (!batch)
        return heed_fail(HEED_ERR_ARGUMENT, "dataset_take", "batch is NULL");
    int k = heed__dataset_check("dataset_take", d) ? d->k : 0;
    memset(batch, 0, (size_t)k * sizeof *batch);
    heed_tensor *rows = rows_of("dataset_take", d, numbers);
    if (!rows)
        return heed_error_code();
    heed_status status = d->origin ? heed__origin_take(d->origin, rows, batch) : select_rows(d, rows, batch);
    if (status != HEED_OK)
        memset(batch, 0, (size_t)k * sizeof *batch);
    return status;
}

heed_status heed_dataset_all(const heed_dataset *d, heed_tensor **batch)
{
    HEED_ENTER("dataset_all");
    if (!batch)
        return heed_fail(HEED_ERR_ARGUMENT, "dataset_all", "batch is NULL");
    if (!heed__dataset_check("dataset_all", d))
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
    heed_tensor *rows = rows_of("dataset_subset", d, numbers);
    heed_dataset *subset = rows ? heed__dataset_subset(d, d->numbers ? rows : heed_clone(rows)) : NULL;
    heed_scope_end(scope);
    return subset;
}
