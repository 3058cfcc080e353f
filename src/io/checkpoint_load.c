/* io/checkpoint_load.c - restores a training run from its file: everything is read and checked before anything
 * changes. */

#include "io/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <heed/memory.h>
#include <heed/scope.h>

#include "io/checkpoint_files.h"
#include "io/checksum.h"
#include "io/excerpt.h"
#include "io/file.h"
#include "io/file_format.h"
#include "io/folder.h"
#include "io/safetensors.h"
#include "system/files.h"

#define OPEN_ATTEMPTS 10 /* attempts to find a file before reporting that it does not exist */

static const char where[] = "checkpoint_load";

/* -- Restoring the run --------------------------------------------------------------------------------------------- */

/* The state of a run as dicts to load into; absent components have an empty dict. */
typedef struct targets {
    heed_dict *numbers, *module, *extra, *empty;
} targets;

static bool find_targets(targets *t, const heed_checkpoint *checkpoint)
{
    *t = (targets){.empty = heed_dict_new()};
    t->numbers = t->empty ? heed__checkpoint_numbers(checkpoint) : NULL;
    t->module = t->empty && checkpoint->module ? heed_module_state(checkpoint->module) : t->empty;
    t->extra = checkpoint->extra ? checkpoint->extra : t->empty;
    return t->numbers && t->module;
}

static void free_targets(const targets *t)
{
    heed_dict_free(t->numbers);
    if (t->module != t->empty)
        heed_dict_free(t->module);
    heed_dict_free(t->empty);
}

static bool fits(const heed_dict *into, const heed_dict *file, const char *prefix)
{
    return heed_dict_check(into, file, &(heed_dict_load_options){.prefix = prefix}) == HEED_OK;
}

/* Copies the file's tensors into a dict. This cannot fail, because `fits` has checked the dicts and the file's tensors
 * have no owner other than `file`. */
static void fill(heed_dict *into, const heed_dict *file, const char *prefix)
{
    (void)heed_dict_load(into, file, &(heed_dict_load_options){.prefix = prefix});
}

static bool check_counts(const heed_dict *numbers)
{
    int64_t epoch = heed_item_i64(heed_dict_get(numbers, "epoch"));
    int64_t step = heed_item_i64(heed_dict_get(numbers, "step"));
    if (epoch >= 0 && step >= 0)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "epoch %" PRId64 ", step %" PRId64 ": must be 0 or more", epoch,
                           step);
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
    bool done = !checkpoint->loader || heed__checkpoint_set_loader(checkpoint->loader, numbers);
    if (done && checkpoint->progress)
        done = heed__checkpoint_set_progress(checkpoint->progress, numbers);
    if (done &&
        (!checkpoint->optimizer || heed_optimizer_load_state(checkpoint->optimizer, file, "optimizer.") == HEED_OK))
        return true;
    if (checkpoint->loader)
        (void)heed_loader_set_state(checkpoint->loader, &loader);
    if (checkpoint->progress)
        (void)heed_progress_set_state(checkpoint->progress, &progress);
    return false;
}

static bool restore(heed_checkpoint *checkpoint, const heed_dict *file)
{
    targets t;
    bool done = find_targets(&t, checkpoint) && fits(t.module, file, "module.") && fits(t.extra, file, "extra.") &&
                (checkpoint->optimizer || fits(t.empty, file, "optimizer.")) && fits(t.numbers, file, "run.");
    if (done)
        fill(t.numbers, file, "run.");
    done = done && check_counts(t.numbers) && set_fallible_state(checkpoint, file, t.numbers);
    if (done) { /* nothing below can fail */
        fill(t.module, file, "module.");
        fill(t.extra, file, "extra.");
        heed__checkpoint_set_rest(checkpoint, t.numbers);
    }
    free_targets(&t);
    return done;
}

/* -- Reading the file ---------------------------------------------------------------------------------------------- */

/* Result of trying to load a file. */
typedef enum outcome {
    LOADED,
    FAILED,  /* after heed_fail */
    DAMAGED, /* the checksum is wrong */
    MISSING  /* the file does not exist, or no longer exists */
} outcome;

/* Checks the checksum of a file and then reads its content. The file is read twice, so that it need not fit into memory
 * together with its tensors. If a process replaces the file in the meantime, the open file is unaffected. If a process
 * writes to the open file, this fails. */
static outcome read_checked(heed__source *source, char *buffer, heed_dict **content)
{
    heed__file_facts before, after;
    if (!heed__facts(source->fd, &before)) {
        (void)heed__file_error(where, "read", source->path.s, errno);
        return FAILED;
    }
    heed__checksum_state state = heed__checksum_check(source, buffer);
    if (state != HEED_CHECKSUM_GOOD)
        return state == HEED_CHECKSUM_BAD ? DAMAGED : FAILED;
    heed__source_seek(source, 0);
    size_t remaining = SIZE_MAX;
    *content = heed__safetensors_read(source, &remaining);
    if (!*content)
        return FAILED;
    if (!heed__facts(source->fd, &after))
        (void)heed__file_error(where, "read", source->path.s, errno);
    else if (!heed__same_content(&before, &after))
        heed_fail(HEED_ERR_IO, where, "%s was changed while it was read", source->path.s);
    else
        return LOADED;
    return FAILED;
}

static bool restore_version(const char *path, heed_checkpoint *checkpoint, const heed_dict *content)
{
    const char *version = heed_dict_text(content, HEED_CHECKPOINT_KEY);
    if (version && strcmp(version, HEED_CHECKPOINT_VERSION) == 0)
        return restore(checkpoint, content);
    if (!version)
        return heed_fail_false(HEED_ERR_FORMAT, where,
                               "%s is not a checkpoint: it has no text \"" HEED_CHECKPOINT_KEY "\"",
                               heed__path_excerpt(path).s);
    return heed_fail_false(HEED_ERR_FORMAT, where, "%s is a checkpoint of version %s: must be " HEED_CHECKPOINT_VERSION,
                           heed__path_excerpt(path).s, heed__excerpt(version, strlen(version)).s);
}

/* Loads the file opened as `fd`, and closes it. If fd is -1, errno says why `path` could not be opened. */
static outcome load_file(const char *path, int fd, heed_checkpoint *checkpoint, char *buffer)
{
    heed__source source;
    if (fd < 0 && errno == ENOENT)
        return MISSING;
    if (fd < 0) {
        (void)heed__file_error(where, "open", path, errno);
        return FAILED;
    }
    if (!heed__source_from_fd(&source, where, path, fd, SIZE_MAX))
        return FAILED;
    heed_dict *content = NULL;
    outcome found = read_checked(&source, buffer, &content);
    heed__source_close(&source);
    if (found == LOADED && !restore_version(path, checkpoint, content))
        found = FAILED;
    heed_dict_free(content);
    return found;
}

/* Returns false after heed_fail if the file has a known format other than a checkpoint; the message names the format.
 * Returns true if the format is unknown. */
static bool check_format(const char *path)
{
    heed__source source;
    if (!heed__source_open(&source, where, path, SIZE_MAX))
        return false;
    const bool unknown = heed__check_stream_format(&source.stream, HEED_FORMAT_CHECKPOINT, NULL, 0);
    heed__source_close(&source);
    return unknown;
}

static outcome load_one(const char *path, heed_checkpoint *checkpoint, char *buffer)
{
    outcome found = load_file(path, heed__open_path(HEED_WORKING_FOLDER, path), checkpoint, buffer);
    if (found == DAMAGED && check_format(path))
        heed_fail(HEED_ERR_FORMAT, where, "%s is not a checkpoint, or is damaged: its checksum is wrong",
                  heed__path_excerpt(path).s);
    return found;
}

/* Loads the newest undamaged file of the series. Returns MISSING if the series is empty or a file was removed before it
 * was opened. */
static outcome load_newest(const heed__file_series *series, heed_checkpoint *checkpoint, char *buffer, char *name)
{
    outcome found = DAMAGED;
    int64_t limit = INT64_MAX, count = 0;
    while (found == DAMAGED) {
        int fd;
        heed__series_steps steps = heed__series_open_highest(series, limit, name, &fd);
        if (steps.cause != 0) {
            (void)heed__file_error(where, "list the files of", series->path, steps.cause);
            return FAILED;
        }
        if (steps.highest < 0)
            break;
        found = load_file(name, fd, checkpoint, buffer);
        limit = steps.highest - 1;
        count = steps.count;
    }
    if (found != DAMAGED)
        return found;
    if (count == 0)
        return MISSING;
    heed_fail(HEED_ERR_FORMAT, where, "%s: all %" PRId64 " of its files are damaged",
              heed__path_excerpt(series->path).s, count);
    return FAILED;
}

static outcome load_series(const char *path, heed_checkpoint *checkpoint, char *buffer, char *name)
{
    heed__file_series series;
    int cause = heed__series_open(&series, path, name);
    if (cause == ENOENT)
        return MISSING;
    if (cause != 0) {
        (void)heed__file_error(where, "list the files of", path, cause);
        return FAILED;
    }
    outcome found = load_newest(&series, checkpoint, buffer, name);
    heed__series_close(&series);
    return found;
}

/* Loads `path` or the newest file of its series. If the folder's lock is unavailable, other processes may remove files
 * before this one lists or opens them. These processes have saved newer files, so this function tries again. */
static bool load(const char *path, heed_checkpoint *checkpoint, char *buffer, char *name)
{
    outcome found = MISSING;
    for (int i = 0; i < OPEN_ATTEMPTS && found == MISSING; i++) {
        if (i > 0)
            heed__folder_wait();
        found = heed__checkpoint_has_file(path) ? load_one(path, checkpoint, buffer)
                                                : load_series(path, checkpoint, buffer, name);
    }
    if (found == MISSING)
        (void)heed__file_error(where, "open", path, ENOENT);
    return found == LOADED;
}

heed_status heed_checkpoint_load(const char *path, heed_checkpoint *checkpoint)
{
    HEED_ENTER("checkpoint_load");
    if (!path || !checkpoint)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the %s is NULL", path ? "checkpoint" : "path");
    if (!heed__checkpoint_check(checkpoint))
        return heed_error_code();
    size_t size = strlen(path) + HEED_STEP_EXTRA_BYTES;
    heed_scope *scope = heed_no_grad_begin();
    char *name = scope ? heed_alloc(size) : NULL;
    char *buffer = name ? heed_alloc(HEED_CHECKSUM_SEARCH_BYTES) : NULL;
    bool done = false;
    if (buffer)
        done = load(path, checkpoint, buffer, name);
    heed_free(buffer, HEED_CHECKSUM_SEARCH_BYTES);
    heed_free(name, size);
    if (scope)
        heed_scope_end(scope);
    return done ? HEED_OK : heed_error_code();
}

/* Returns true if the series has files or if its folder cannot be listed. */
static bool has_steps(const char *path, char *name)
{
    heed__file_series series;
    int fd, cause = heed__series_open(&series, path, name);
    if (cause != 0)
        return cause != ENOENT;
    heed__series_steps steps = heed__series_open_highest(&series, INT64_MAX, name, &fd);
    if (fd >= 0)
        (void)heed__close(fd);
    heed__series_close(&series);
    return steps.count > 0 || steps.cause != 0;
}

bool heed_checkpoint_exists(const char *path)
{
    HEED_ENTER("checkpoint_exists");
    if (!path)
        return heed_fail_false(HEED_ERR_ARGUMENT, "checkpoint_exists", "the path is NULL");
    size_t size = strlen(path) + HEED_STEP_EXTRA_BYTES;
    char *name = heed_alloc(size);
    bool found = false;
    for (int i = 0; name && i < OPEN_ATTEMPTS && !found; i++) {
        if (i > 0)
            heed__folder_wait();
        found = heed__checkpoint_has_file(path) || has_steps(path, name);
    }
    heed_free(name, size);
    return found;
}
