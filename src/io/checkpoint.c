/* io/checkpoint.c - a training run as one dict, and back. Saving collects the run's state and writes it to a file.
 * Loading reads and checks everything before anything changes. io/checkpoint_files.c finds and reads the files.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "io/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <heed/checkpoint.h>
#include <heed/memory.h>
#include <heed/scope.h>

#include "io/checksum.h"
#include "io/file.h"
#include "io/safetensors.h"
#include "system/files.h"

#define VERSION_KEY "heed.checkpoint" /* its text identifies the file */
#define VERSION "1"

static const char load_where[] = "checkpoint_load";

static heed_status ignore_member(const heed_module_visit *visit, void *unused)
{
    (void)visit, (void)unused;
    return HEED_OK;
}

/* Returns false after heed_fail if an object of the checkpoint was freed. Called before allocations: a block allocated
 * later may reuse the freed object's memory. */
static bool check_alive(const heed_checkpoint *c)
{
    uint64_t seed, position;
    heed_loader_state loader;
    heed_progress_state progress;
    return (!c->module || heed_module_walk(c->module, ignore_member, NULL) == HEED_OK) &&
           (!c->optimizer || !isnan(heed_optimizer_lr(c->optimizer, 0))) &&
           (!c->loader || heed_loader_get_state(c->loader, &loader) == HEED_OK) &&
           (!c->progress || heed_progress_get_state(c->progress, &progress) == HEED_OK) &&
           (!c->generator || heed_generator_get_state(c->generator, &seed, &position) == HEED_OK) &&
           (!c->extra || heed_dict_size(c->extra) > 0 || heed_error_code() == HEED_OK);
}

/* -- The numbers of a run ------------------------------------------------------------------------------------------ */

static bool put_run_tensor(heed_dict *dict, const char *name, heed_tensor *t)
{
    return t && heed_dict_set(dict, name, t) == HEED_OK;
}

/* Stores one number as a scalar, several as a vector. */
static bool put_run_numbers(heed_dict *dict, const char *name, const int64_t *numbers, int64_t n)
{
    return put_run_tensor(dict, name, heed_from_array(HEED_I64, n == 1 ? HEED_SCALAR : HEED_SHAPE(n), numbers, n));
}

static bool put_generator(heed_dict *dict, const char *name, heed_generator *generator)
{
    uint64_t seed = 0, position = 0;
    (void)heed_generator_get_state(generator, &seed, &position); /* fails only for NULL */
    return put_run_numbers(dict, name, (int64_t[]){(int64_t)seed, (int64_t)position}, 2);
}

/* Returns the current numbers of the run, or NULL after heed_fail:
 *
 *     epoch, step           i64 ()
 *     default_generator     i64 (2)  seed and position
 *     generator             i64 (2)  if the run has its own generator
 *     loader                i64 (5)  seed, epoch, batch, samples, batch size
 *     progress              i64 (2)  epoch and step
 *     progress_loss         f64 () */
static heed_dict *run_numbers(const heed_checkpoint *c)
{
    heed_loader_state loader;
    heed_progress_state progress;
    heed_dict *dict = heed_dict_new();
    bool done = dict && put_run_numbers(dict, "epoch", &c->epoch, 1) && put_run_numbers(dict, "step", &c->step, 1) &&
                put_generator(dict, "default_generator", heed_generator_default()) &&
                (!c->generator || put_generator(dict, "generator", c->generator));
    if (done && c->loader && heed_loader_get_state(c->loader, &loader) == HEED_OK)
        done = put_run_numbers(
            dict, "loader",
            (int64_t[]){(int64_t)loader.seed, loader.epoch, loader.batch, loader.samples, loader.batch_size}, 5);
    if (done && c->progress && heed_progress_get_state(c->progress, &progress) == HEED_OK)
        done = put_run_numbers(dict, "progress", (int64_t[]){progress.epoch, progress.step}, 2) &&
               put_run_tensor(dict, "progress_loss", heed_from_array(HEED_F64, HEED_SCALAR, &progress.loss, 1));
    if (done)
        return dict;
    heed_dict_free(dict);
    return NULL;
}

static const int64_t *numbers_in(const heed_dict *dict, const char *name)
{
    return heed_data_i64(heed_dict_get(dict, name));
}

static void set_generator(heed_generator *generator, const int64_t *numbers)
{
    (void)heed_generator_set_state(generator, (uint64_t)numbers[0], (uint64_t)numbers[1]);
}

/* Sets the numbers that cannot be refused. */
static void set_rest(heed_checkpoint *checkpoint, const heed_dict *numbers)
{
    checkpoint->epoch = *numbers_in(numbers, "epoch");
    checkpoint->step = *numbers_in(numbers, "step");
    set_generator(heed_generator_default(), numbers_in(numbers, "default_generator"));
    if (checkpoint->generator)
        set_generator(checkpoint->generator, numbers_in(numbers, "generator"));
}

/* -- Saving -------------------------------------------------------------------------------------------------------- */

static bool put_prefixed(heed_dict *combined, const char *prefix, const char *name, heed_tensor *t)
{
    size_t size = strlen(prefix) + strlen(name) + 1;
    char *path = heed_alloc(size);
    if (!path)
        return false;
    (void)snprintf(path, size, "%s%s", prefix, name);
    bool done = heed_dict_set(combined, path, t) == HEED_OK;
    heed_free(path, size);
    return done;
}

/* Adds all tensors of a dict to `combined`, with `prefix` before their names. Returns false after heed_fail. If the
 * dict is NULL, heed_fail has been called already. */
static bool put_prefixed_all(heed_dict *combined, const char *prefix, const heed_dict *dict)
{
    bool done = dict != NULL;
    for (int64_t i = 0; done && i < heed_dict_size(dict); i++)
        done = put_prefixed(combined, prefix, heed_dict_name(dict, i), heed_dict_at(dict, i));
    return done;
}

/* Adds a state and frees it. */
static bool put_state(heed_dict *combined, const char *prefix, heed_dict *state)
{
    bool done = put_prefixed_all(combined, prefix, state);
    heed_dict_free(state);
    return done;
}

static bool put_optimizer(heed_dict *combined, const heed_optimizer *optimizer)
{
    heed_dict *state = heed_optimizer_state(optimizer);
    bool done = put_prefixed_all(combined, "optimizer.", state) &&
                heed_dict_set_text(combined, "optimizer.kind", heed_dict_text(state, "kind")) == HEED_OK;
    heed_dict_free(state);
    return done;
}

static heed_dict *collect_state(const heed_checkpoint *c)
{
    heed_dict *combined = heed_dict_new();
    if (combined && heed_dict_set_text(combined, "checksum", HEED_CHECKSUM_ZEROS) == HEED_OK &&
        heed_dict_set_text(combined, VERSION_KEY, VERSION) == HEED_OK && put_state(combined, "run.", run_numbers(c)) &&
        (!c->module || put_state(combined, "module.", heed_module_state(c->module))) &&
        (!c->optimizer || put_optimizer(combined, c->optimizer)) &&
        (!c->extra || put_prefixed_all(combined, "extra.", c->extra)))
        return combined;
    heed_dict_free(combined);
    return NULL;
}

/* Returns false after heed_fail if a file or folder named `path` itself exists, because loading would prefer it to the
 * files of `keep`. */
static bool check_no_file(const char *where, const char *path)
{
    heed__file_facts facts;
    if (!heed__facts_of_path(HEED_WORKING_FOLDER, path, &facts))
        return errno == ENOENT || heed__file_error(where, "write", path, errno);
    return heed_fail_false(HEED_ERR_IO, where,
                           "cannot keep the files of %s: %s of this name exists, and loading would prefer it: remove "
                           "it or use a different path",
                           heed__path_excerpt(path).s, facts.kind == HEED_FOLDER ? "a folder" : "a file");
}

/* Saves to `path`, or to the series' file for the checkpoint's step if keep > 0. `name` is a buffer with capacity for
 * the name of that file. */
static heed_status save_checkpoint(const char *path, const heed_checkpoint *checkpoint, int keep, char *name)
{
    if (keep > 0)
        heed__checkpoint_name(path, checkpoint->step, name);
    heed_scope *scope = heed_no_grad_begin();
    heed_dict *combined = scope ? collect_state(checkpoint) : NULL;
    heed_status status = combined
                             ? heed__safetensors_write("checkpoint_save", path, keep > 0 ? name : path, combined, true)
                             : heed_error_code();
    heed_dict_free(combined);
    heed_scope_end(scope);
    if (status == HEED_OK && keep > 0)
        heed__checkpoint_prune(path, keep, checkpoint->step, name);
    return status;
}

heed_status heed_checkpoint_save(const char *path, const heed_checkpoint *checkpoint,
                                 const heed_checkpoint_options *options)
{
    static const char where[] = "checkpoint_save";
    HEED_ENTER(where);
    int keep = options ? options->keep : 0;
    if (!path || !checkpoint)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the %s is NULL", path ? "checkpoint" : "path");
    if (checkpoint->epoch < 0 || checkpoint->step < 0)
        return heed_fail(HEED_ERR_ARGUMENT, where, "epoch %" PRId64 ", step %" PRId64 ": must be 0 or more",
                         checkpoint->epoch, checkpoint->step);
    if (keep < 0)
        return heed_fail(HEED_ERR_ARGUMENT, where, "keep is %d: must be 0 or more", keep);
    if (!check_alive(checkpoint) || (keep > 0 && !check_no_file(where, path)))
        return heed_error_code();
    size_t size = strlen(path) + HEED_STEP_EXTRA_BYTES;
    char *name = heed_alloc(size);
    if (!name)
        return HEED_ERR_NOMEM;
    heed_status status = save_checkpoint(path, checkpoint, keep, name);
    heed_free(name, size);
    return status;
}

/* -- Loading ------------------------------------------------------------------------------------------------------- */

/* The state of a run as dicts to load into; absent components have an empty dict. */
typedef struct targets {
    heed_dict *numbers, *module, *extra, *empty;
} targets;

static bool find_targets(targets *t, const heed_checkpoint *checkpoint)
{
    *t = (targets){.empty = heed_dict_new()};
    t->numbers = t->empty ? run_numbers(checkpoint) : NULL;
    t->module = t->empty && checkpoint->module ? heed_module_state(checkpoint->module) : t->empty;
    t->extra = checkpoint->extra ? checkpoint->extra : t->empty;
    return t->numbers && t->module;
}

static bool dict_fits(heed_dict *into, const heed_dict *file, const char *prefix)
{
    return heed_dict_load(into, file, &(heed_dict_load_options){.prefix = prefix, .check_only = true}) == HEED_OK;
}

/* Copies the file's tensors into a dict. This cannot fail, because `dict_fits` has checked the dicts and the file's
 * tensors have no owner other than `file`. */
static void fill_dict(heed_dict *into, const heed_dict *file, const char *prefix)
{
    (void)heed_dict_load(into, file, &(heed_dict_load_options){.prefix = prefix});
}

static bool check_counts(const heed_dict *numbers)
{
    int64_t epoch = heed_item_i64(heed_dict_get(numbers, "epoch"));
    int64_t step = heed_item_i64(heed_dict_get(numbers, "step"));
    if (epoch >= 0 && step >= 0)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, load_where, "epoch %" PRId64 ", step %" PRId64 ": must be 0 or more",
                           epoch, step);
}

/* Sets the state of the loader, the progress and the optimizer, which may refuse it. If one of them refuses, restores
 * the loader and the progress; the optimizer comes last and is set completely or not at all. Returns false after
 * heed_fail. */
static bool set_fallible_state(heed_checkpoint *checkpoint, const heed_dict *file, const heed_dict *numbers)
{
    heed_loader_state loader = {.seed = 0};
    heed_progress_state progress = {.epoch = 0};
    if (checkpoint->loader)
        (void)heed_loader_get_state(checkpoint->loader, &loader);
    if (checkpoint->progress)
        (void)heed_progress_get_state(checkpoint->progress, &progress);
    bool done = true;
    if (checkpoint->loader) {
        const int64_t *n = numbers_in(numbers, "loader");
        const heed_loader_state saved = {
            .seed = (uint64_t)n[0], .epoch = n[1], .batch = n[2], .samples = n[3], .batch_size = n[4]};
        done = heed_loader_set_state(checkpoint->loader, &saved) == HEED_OK;
    }
    if (done && checkpoint->progress) {
        const int64_t *n = numbers_in(numbers, "progress");
        const heed_progress_state saved = {
            .epoch = n[0], .step = n[1], .loss = heed_item(heed_dict_get(numbers, "progress_loss"))};
        done = heed_progress_set_state(checkpoint->progress, &saved) == HEED_OK;
    }
    const heed_dict_load_options of_optimizer = {.prefix = "optimizer."};
    if (done &&
        (!checkpoint->optimizer || heed_optimizer_load_state(checkpoint->optimizer, file, &of_optimizer) == HEED_OK))
        return true;
    if (checkpoint->loader)
        (void)heed_loader_set_state(checkpoint->loader, &loader);
    if (checkpoint->progress)
        (void)heed_progress_set_state(checkpoint->progress, &progress);
    return false;
}

static bool restore_run(heed_checkpoint *checkpoint, const heed_dict *file)
{
    targets t;
    bool done = find_targets(&t, checkpoint) && dict_fits(t.module, file, "module.") &&
                dict_fits(t.extra, file, "extra.") &&
                (checkpoint->optimizer || dict_fits(t.empty, file, "optimizer.")) && dict_fits(t.numbers, file, "run.");
    if (done)
        fill_dict(t.numbers, file, "run.");
    done = done && check_counts(t.numbers) && set_fallible_state(checkpoint, file, t.numbers);
    if (done) { /* nothing below can fail */
        fill_dict(t.module, file, "module.");
        fill_dict(t.extra, file, "extra.");
        set_rest(checkpoint, t.numbers);
    }
    heed_dict_free(t.numbers);
    if (t.module != t.empty)
        heed_dict_free(t.module);
    heed_dict_free(t.empty);
    return done;
}

/* `path` is the file that the content comes from. */
static bool restore_version(const char *path, heed_checkpoint *checkpoint, const heed_dict *content)
{
    const char *version = heed_dict_text(content, VERSION_KEY);
    if (version && strcmp(version, VERSION) == 0)
        return restore_run(checkpoint, content);
    if (!version)
        return heed_fail_false(HEED_ERR_FORMAT, load_where,
                               "%s is not a checkpoint: it has no text \"" VERSION_KEY "\"",
                               heed__path_excerpt(path).s);
    return heed_fail_false(HEED_ERR_FORMAT, load_where, "%s is a checkpoint of version %s: must be " VERSION,
                           heed__path_excerpt(path).s, heed__excerpt(version, strlen(version)).s);
}

heed_status heed_checkpoint_load(const char *path, heed_checkpoint *checkpoint)
{
    HEED_ENTER("checkpoint_load");
    if (!path || !checkpoint)
        return heed_fail(HEED_ERR_ARGUMENT, load_where, "the %s is NULL", path ? "checkpoint" : "path");
    if (!check_alive(checkpoint))
        return heed_error_code();
    size_t size = strlen(path) + HEED_STEP_EXTRA_BYTES;
    heed_scope *scope = heed_no_grad_begin();
    char *name = scope ? heed_alloc(size) : NULL;
    heed_dict *content = name ? heed__checkpoint_read(path, name) : NULL;
    bool done = content && restore_version(name, checkpoint, content);
    heed_dict_free(content);
    heed_free(name, size);
    if (scope)
        heed_scope_end(scope);
    return done ? HEED_OK : heed_error_code();
}

bool heed_checkpoint_exists(const char *path)
{
    HEED_ENTER("checkpoint_exists");
    if (!path)
        return heed_fail_false(HEED_ERR_ARGUMENT, "checkpoint_exists", "the path is NULL");
    size_t size = strlen(path) + HEED_STEP_EXTRA_BYTES;
    char *name = heed_alloc(size);
    bool found = name && heed__checkpoint_exists(path, name);
    heed_free(name, size);
    return found;
}
