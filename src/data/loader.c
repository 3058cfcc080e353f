/* data/loader.c - iterates over a dataset in batches. The order depends only on a seed and the epoch.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include <heed/data.h>
#include <heed/debug.h>
#include <heed/memory.h>
#include <heed/observe.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "base/mark.h"
#include "data/readers.h"

#define MAX_READERS 64

struct heed_loader {
    const heed_dataset *dataset;
    int64_t n, batch_size, batches; /* samples, samples per batch, batches per epoch */
    int64_t per_epoch;              /* samples per epoch: n without weights */
    uint64_t seed;
    int64_t epoch, batch;      /* completed epochs, and completed batches of the current epoch */
    heed_generator *generator; /* draws the order of every epoch; NULL without shuffle and weights */
    heed_tensor *order; /* i64 (per_epoch), retained: the order of epoch order_epoch for `seed`; NULL before its first
                                * use */
    int64_t order_epoch;
    heed_tensor *weights; /* (n), retained; NULL without weights */
    bool replacement;
    heed__readers *readers;           /* NULL if the calling thread reads */
    int64_t ahead_epoch, ahead_batch; /* position of the next batch to request from the readers */
    uint64_t mark;
};

HEED_MARK_OUTLIVES_FREE(heed_loader);

static bool check_loader(const char *where, const heed_loader *loader)
{
    if (!loader)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the loader is NULL");
    return heed__is_marked(loader->mark, HEED_LOADER) || heed_fail_freed(where, "the loader", loader);
}

/* -- Creating and freeing ------------------------------------------------------------------------------------------ */

static bool count_batches(heed_loader *loader, bool drop_last)
{
    int64_t rest = loader->per_epoch % loader->batch_size;
    loader->batches = loader->per_epoch / loader->batch_size + (rest > 0 && !drop_last);
    if (loader->batches == 0)
        heed_fail(HEED_ERR_ARGUMENT, "loader_new", "%" PRId64 " samples are too few for a batch of %" PRId64,
                  loader->per_epoch, loader->batch_size);
    return loader->batches > 0;
}

/* Draws the loader's seed: any i64 except 2^63 - 1, because the upper bound of randint is exclusive. */
static bool draw_seed(heed_loader *loader, heed_generator *generator)
{
    heed_scope *scope = heed_scope_begin();
    if (!scope)
        return false;
    heed_generator *outer = generator ? heed_generator_use(generator) : NULL;
    heed_tensor *drawn = outer || !generator ? heed_randint(INT64_MIN, INT64_MAX, HEED_SHAPE(1)) : NULL;
    if (outer)
        heed_generator_use(outer);
    if (drawn)
        loader->seed = (uint64_t)heed_item_i64(drawn);
    heed_scope_end(scope);
    return drawn != NULL;
}

static bool check_weights(const heed_loader_options *o, int64_t n)
{
    static const char where[] = "loader_new";
    if (!o->weights)
        return (o->samples == 0 && !o->without_replacement) ||
               heed_fail_false(HEED_ERR_ARGUMENT, where, "%s is set, but weights is NULL",
                               o->samples != 0 ? "samples" : "without_replacement");
    const heed_shape shape = heed_shape_of(o->weights);
    if (!heed_shape_equal(shape, HEED_SHAPE(n)))
        return heed_fail_false(HEED_ERR_SHAPE, where, "weights are %s: must be (%" PRId64 "), one per sample",
                               heed_shape_text(shape).s, n);
    return o->samples >= 0 ||
           heed_fail_false(HEED_ERR_ARGUMENT, where, "samples is %" PRId64 ": must be 0 or more", o->samples);
}

/* Draws the order of an epoch: a permutation, or with weights sample numbers. Every epoch begins at its own position of
 * the generator; the product wraps at 2^64, as positions of a generator do. */
static heed_tensor *draw_order(const heed_loader *loader, uint64_t epoch)
{
    const int64_t numbers = loader->weights && loader->replacement ? loader->per_epoch : loader->n;
    const uint64_t positions = ((uint64_t)numbers + 1) / 2;
    (void)heed_generator_set_state(loader->generator, loader->seed, epoch * positions);
    heed_generator *outer = heed_generator_use(loader->generator);
    if (!outer)
        return NULL;
    heed_tensor *order = loader->weights ? heed_multinomial(loader->weights, loader->per_epoch, loader->replacement)
                                         : heed_permutation(loader->n);
    heed_generator_use(outer);
    return order;
}

/* Copies the weights and draws once, which checks them. Returns false after heed_fail. */
static bool use_weights(heed_loader *loader, const heed_loader_options *o)
{
    heed_scope *scope = heed_no_grad_begin();
    loader->replacement = !o->without_replacement;
    loader->weights = scope ? heed_retain(heed_clone(o->weights)) : NULL;
    const bool valid = loader->weights && draw_order(loader, 0);
    if (scope)
        heed_scope_end(scope);
    return valid;
}

heed_loader *heed_loader_new(const heed_dataset *dataset, const heed_loader_options *options)
{
    HEED_ENTER("loader_new");
    heed_loader_options o = options ? *options : (heed_loader_options){0};
    if (!dataset)
        return heed_fail_null(HEED_ERR_ARGUMENT, "loader_new", "the dataset is NULL");
    if (o.batch_size < 0)
        return heed_fail_null(HEED_ERR_ARGUMENT, "loader_new", "batch_size is %" PRId64 ": must be 0 or more",
                              o.batch_size);
    uint64_t seed, position;
    if (o.generator && heed_generator_get_state(o.generator, &seed, &position) != HEED_OK)
        return NULL;
    heed_loader draft = {.dataset = dataset,
                         .n = heed_dataset_size(dataset),
                         .batch_size = o.batch_size ? o.batch_size : 1,
                         .mark = HEED_MARK(HEED_LOADER, 0)};
    if (o.readers < 0 || o.readers > MAX_READERS)
        return heed_fail_null(HEED_ERR_ARGUMENT, "loader_new", "readers is %d: must be 0 to %d", o.readers,
                              MAX_READERS);
    draft.per_epoch = o.samples ? o.samples : draft.n;
    if (!check_weights(&o, draft.n) || !count_batches(&draft, o.drop_last))
        return NULL;
    heed_loader *loader = heed_alloc(sizeof *loader);
    if (!loader)
        return NULL;
    *loader = draft;
    if (o.readers > 0 && !(loader->readers = heed__readers_new(dataset, o.readers))) {
        heed_loader_free(loader);
        return NULL;
    }
    if (!o.shuffle && !o.weights)
        return loader;
    loader->generator = heed_generator_new(0);
    if (loader->generator && (!o.weights || use_weights(loader, &o)) && draw_seed(loader, o.generator))
        return loader;
    heed_loader_free(loader);
    return NULL;
}

void heed_loader_free(heed_loader *loader)
{
    if (!loader || !check_loader("loader_free", loader))
        return;
    heed__readers_free(loader->readers);
    heed_generator_free(loader->generator);
    heed_release(loader->order);
    heed_release(loader->weights);
    loader->mark = 0;
    heed_free(loader, sizeof *loader);
}

/* -- Batches ------------------------------------------------------------------------------------------------------- */

/* Makes the order of an epoch unless it exists. */
static bool make_order(heed_loader *loader, int64_t epoch)
{
    if (loader->order && loader->order_epoch == epoch)
        return true;
    heed_tensor *order = draw_order(loader, (uint64_t)epoch);
    if (!order)
        return false;
    heed_release(loader->order);
    loader->order = heed_retain(order);
    loader->order_epoch = epoch;
    return true;
}

/* Returns the i64 tensor begin, begin + 1, ..., end - 1. */
static heed_tensor *count_range(int64_t begin, int64_t end)
{
    heed_tensor *numbers = heed_empty(HEED_I64, HEED_SHAPE(end - begin));
    int64_t *number = heed_mutable_i64(numbers);
    for (int64_t i = begin; number && i < end; i++)
        *number++ = i;
    return numbers;
}

/* Returns the numbers of a batch's samples, or NULL after heed_fail. */
static heed_tensor *numbers_at(heed_loader *loader, int64_t epoch, int64_t batch)
{
    int64_t begin = batch * loader->batch_size;
    int64_t end = loader->per_epoch - begin < loader->batch_size ? loader->per_epoch : begin + loader->batch_size;
    if (!loader->generator)
        return count_range(begin, end);
    return make_order(loader, epoch) ? heed_slice(loader->order, 0, begin, end, 1) : NULL;
}

static bool check_epochs(const char *where, const heed_loader *loader)
{
    if (loader->batch + 1 == loader->batches && loader->epoch == INT64_MAX)
        return heed_fail_false(HEED_ERR_STATE, where, "the maximum of %" PRId64 " epochs is reached", INT64_MAX);
    return true;
}

static void advance_batch(const heed_loader *loader, int64_t *epoch, int64_t *batch)
{
    bool ends = *batch + 1 == loader->batches;
    *epoch += ends;
    *batch = ends ? 0 : *batch + 1;
}

/* Requests batches from the readers while they have space. Returns false after heed_fail. */
static bool request_ahead(heed_loader *loader)
{
    static const uint64_t other = UINT64_C(0x9E3779B97F4A7C15); /* sources do not draw the numbers of the order */
    int64_t *epoch = &loader->ahead_epoch, *batch = &loader->ahead_batch;
    while (heed__readers_have_space(loader->readers) && (*epoch < INT64_MAX || *batch + 1 < loader->batches)) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *numbers = scope ? numbers_at(loader, *epoch, *batch) : NULL;
        if (numbers)
            heed__readers_request(loader->readers, numbers, *epoch, loader->seed ^ other,
                                  ((uint64_t)*epoch * (uint64_t)loader->batches + (uint64_t)*batch) << 32);
        if (scope)
            heed_scope_end(scope);
        if (!numbers)
            return false;
        advance_batch(loader, epoch, batch);
    }
    return true;
}

/* Lets the readers continue at the loader's position. */
static void restart_readers(heed_loader *loader)
{
    if (loader->readers)
        heed__readers_drop(loader->readers);
    loader->ahead_epoch = loader->epoch;
    loader->ahead_batch = loader->batch;
}

/* Reads the next batch in the calling thread. */
static heed_status read_next(heed_loader *loader, heed_tensor **batch)
{
    heed_tensor *numbers = numbers_at(loader, loader->epoch, loader->batch);
    return numbers ? heed_dataset_take_epoch(loader->dataset, numbers, loader->epoch, batch) : heed_error_code();
}

heed_status heed_loader_next(heed_loader *loader, heed_tensor **batch)
{
    HEED_ENTER("loader_next");
    HEED_SPAN("loader_next");
    if (!check_loader("loader_next", loader))
        return heed_error_code();
    if (!batch)
        return heed_fail(HEED_ERR_ARGUMENT, "loader_next", "batch is NULL");
    if (!check_epochs("loader_next", loader))
        return HEED_ERR_STATE;
    for (int i = 0; i < heed_dataset_tensors(loader->dataset); i++)
        batch[i] = NULL;
    heed_status status = !loader->readers        ? read_next(loader, batch)
                         : request_ahead(loader) ? heed__readers_take(loader->readers, batch)
                                                 : heed_error_code();
    if (status == HEED_OK)
        advance_batch(loader, &loader->epoch, &loader->batch);
    return status;
}

heed_tensor *heed_loader_next_numbers(heed_loader *loader)
{
    const char *where = "loader_next_numbers";
    HEED_ENTER(where);
    if (!check_loader(where, loader) || !check_epochs(where, loader))
        return NULL;
    heed_tensor *numbers = numbers_at(loader, loader->epoch, loader->batch);
    heed_tensor *own = numbers && loader->generator ? heed_clone(numbers) : numbers;
    if (own) {
        advance_batch(loader, &loader->epoch, &loader->batch);
        restart_readers(loader);
    }
    return own;
}

const heed_dataset *heed_loader_dataset(const heed_loader *loader)
{
    return check_loader("loader_dataset", loader) ? loader->dataset : NULL;
}

int64_t heed_loader_batches(const heed_loader *loader)
{
    return check_loader("loader_batches", loader) ? loader->batches : 0;
}

/* -- State --------------------------------------------------------------------------------------------------------- */

heed_status heed_loader_get_state(const heed_loader *loader, heed_loader_state *state)
{
    if (!check_loader("loader_get_state", loader))
        return heed_error_code();
    if (!state)
        return heed_fail(HEED_ERR_ARGUMENT, "loader_get_state", "the state is NULL");
    *state = (heed_loader_state){.seed = loader->seed,
                                 .epoch = loader->epoch,
                                 .batch = loader->batch,
                                 .samples = loader->n,
                                 .batch_size = loader->batch_size};
    return HEED_OK;
}

heed_status heed_loader_set_state(heed_loader *loader, const heed_loader_state *state)
{
    static const char where[] = "loader_set_state";
    if (!check_loader(where, loader))
        return heed_error_code();
    if (!state)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the state is NULL");
    if (state->samples != loader->n || state->batch_size != loader->batch_size)
        return heed_fail(HEED_ERR_ARGUMENT, where,
                         "the state is for %" PRId64 " samples in batches of %" PRId64 ", but the loader has %" PRId64
                         " in batches of %" PRId64,
                         state->samples, state->batch_size, loader->n, loader->batch_size);
    if (state->epoch < 0 || state->batch < 0 || state->batch >= loader->batches)
        return heed_fail(HEED_ERR_ARGUMENT, where,
                         "epoch %" PRId64 ", batch %" PRId64 ": an epoch has %" PRId64 " batches", state->epoch,
                         state->batch, loader->batches);
    if (!loader->generator && state->seed != 0)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the state has a seed, but the loader does not shuffle");
    if (state->seed != loader->seed) {
        heed_release(loader->order);
        loader->order = NULL;
    }
    loader->seed = state->seed;
    loader->epoch = state->epoch;
    loader->batch = state->batch;
    restart_readers(loader);
    return HEED_OK;
}
