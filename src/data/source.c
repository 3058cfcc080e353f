/* data/source.c - datasets without stored tensors: samples are read, generated or taken from other datasets on
 * request. */

#include <inttypes.h>
#include <string.h>

#include <heed/memory.h>
#include <heed/scope.h>

#include "base/mark.h"
#include "data/dataset.h"

/* -- A source ------------------------------------------------------------------------------------------------------ */

static bool check_source(const char *where, const heed_dataset_source *source)
{
    if (!source || !source->take)
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

void heed__origin_release(heed__origin *origin)
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

static heed_status check_batch(int k, int64_t samples, heed_tensor *const *batch)
{
    const char *where = "dataset_take";
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

heed_status heed__origin_take(const heed__origin *origin, heed_tensor *rows, heed_tensor **batch)
{
    const heed_dataset_source *source = &origin->source;
    heed_callback call = heed_callback_begin("the dataset's source");
    heed_status status = source->take(source->user, rows, batch);
    if (!heed_callback_end(&call))
        return heed_error_code();
    if (status != HEED_OK)
        return heed_fail(status, "dataset_take", "the source failed without setting an error");
    return check_batch(source->tensors, heed_numel(rows), batch);
}

/* -- Zipped datasets ----------------------------------------------------------------------------------------------- */

typedef struct zipped {
    int n;
    heed_dataset *datasets[HEED_DATASET_MAX];
} zipped;

static heed_status take_zipped(void *user, heed_tensor *numbers, heed_tensor **batch)
{
    const zipped *z = user;
    for (int i = 0; i < z->n; batch += z->datasets[i++]->k)
        if (heed_dataset_take(z->datasets[i], numbers, batch) != HEED_OK)
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
        if (!heed__dataset_check(where, datasets[i]))
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
        z->datasets[i] = heed__dataset_share(datasets[i]);
        ok = z->datasets[i] != NULL;
        z->n += ok;
    }
    heed_dataset *d =
        ok ? heed_dataset_new_source(&(heed_dataset_source){
                 .samples = datasets[0]->n, .tensors = k, .take = take_zipped, .free = free_zipped, .user = z})
           : NULL;
    if (!d)
        free_zipped(z);
    return d;
}
