/* io/checkpoint.c - saves a training run: collects its state in one dict and writes the dict to a file. */

#include "io/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <heed/memory.h>
#include <heed/scope.h>

#include "io/checkpoint_files.h"
#include "io/checksum.h"
#include "io/excerpt.h"
#include "io/file.h"
#include "io/safetensors.h"
#include "system/files.h"

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
static bool put_all(heed_dict *combined, const char *prefix, const heed_dict *dict)
{
    bool done = dict != NULL;
    for (int64_t i = 0; done && i < heed_dict_size(dict); i++)
        done = put_prefixed(combined, prefix, heed_dict_name(dict, i), heed_dict_at(dict, i));
    return done;
}

static bool put_numbers(heed_dict *combined, const heed_checkpoint *checkpoint)
{
    heed_dict *numbers = heed__checkpoint_numbers(checkpoint);
    bool done = put_all(combined, "run.", numbers);
    heed_dict_free(numbers);
    return done;
}

static bool put_module(heed_dict *combined, heed_module *module)
{
    heed_dict *state = heed_module_state(module);
    bool done = put_all(combined, "module.", state);
    heed_dict_free(state);
    return done;
}

static bool put_optimizer(heed_dict *combined, const heed_optimizer *optimizer)
{
    heed_dict *state = heed_optimizer_state(optimizer);
    bool done = put_all(combined, "optimizer.", state) &&
                heed_dict_set_text(combined, "optimizer.kind", heed_dict_text(state, "kind")) == HEED_OK;
    heed_dict_free(state);
    return done;
}

static heed_dict *collect_state(const heed_checkpoint *checkpoint)
{
    heed_dict *combined = heed_dict_new();
    if (combined && heed_dict_set_text(combined, "checksum", HEED_CHECKSUM_ZEROS) == HEED_OK &&
        heed_dict_set_text(combined, HEED_CHECKPOINT_KEY, HEED_CHECKPOINT_VERSION) == HEED_OK &&
        put_numbers(combined, checkpoint) && (!checkpoint->module || put_module(combined, checkpoint->module)) &&
        (!checkpoint->optimizer || put_optimizer(combined, checkpoint->optimizer)) &&
        (!checkpoint->extra || put_all(combined, "extra.", checkpoint->extra)))
        return combined;
    heed_dict_free(combined);
    return NULL;
}

static heed_status ignore(const heed_module_visit *visit, void *unused)
{
    (void)visit, (void)unused;
    return HEED_OK;
}

bool heed__checkpoint_check(const heed_checkpoint *c)
{
    uint64_t seed, position;
    heed_loader_state loader;
    heed_progress_state progress;
    return (!c->module || heed_module_walk(c->module, ignore, NULL) == HEED_OK) &&
           (!c->optimizer || !isnan(heed_optimizer_lr(c->optimizer))) &&
           (!c->loader || heed_loader_get_state(c->loader, &loader) == HEED_OK) &&
           (!c->progress || heed_progress_get_state(c->progress, &progress) == HEED_OK) &&
           (!c->generator || heed_generator_get_state(c->generator, &seed, &position) == HEED_OK) &&
           (!c->extra || heed_dict_size(c->extra) > 0 || heed_error_code() == HEED_OK);
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
static heed_status save(const char *path, const heed_checkpoint *checkpoint, int keep, char *name)
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
    if (!heed__checkpoint_check(checkpoint) || (keep > 0 && !check_no_file(where, path)))
        return heed_error_code();
    size_t size = strlen(path) + HEED_STEP_EXTRA_BYTES;
    char *name = heed_alloc(size);
    if (!name)
        return HEED_ERR_NOMEM;
    heed_status status = save(path, checkpoint, keep, name);
    heed_free(name, size);
    return status;
}
