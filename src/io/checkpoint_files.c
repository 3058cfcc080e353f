/* io/checkpoint_files.c - finds, reads and removes the files of checkpoints.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "io/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <heed/memory.h>

#include "io/checksum.h"
#include "io/file.h"
#include "io/safetensors.h"
#include "io/stream.h"
#include "system/files.h"

#define MIN_DIGITS 9
#define MAX_STEPS 64     /* maximum number of steps that one pass over a folder collects */
#define OPEN_ATTEMPTS 10 /* attempts to find a file before reporting that it does not exist */

static const char where[] = "checkpoint_load";

/* The folder that contains `path`, opened to list the series. */
typedef struct file_series {
    heed__listing *folder;
    const char *path, *stem, *extension; /* stem: the file name in path; extension: from its '.', or "" */
    size_t stem_length;
} file_series;

/* -- Names --------------------------------------------------------------------------------------------------------- */

/* Returns the extension of a name, from its last '.'. Returns "" if the name has no '.' or only one at its
 * beginning. */
static const char *extension_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? dot : name + strlen(name);
}

void heed__checkpoint_name(const char *path, int64_t step, char *name)
{
    const char *extension = extension_of(heed__name_in(path));
    size_t length = (size_t)(extension - path);
    memcpy(name, path, length);
    int n = snprintf(name + length, HEED_STEP_EXTRA_BYTES, "-%0*lld", MIN_DIGITS, (long long)step);
    memcpy(name + length + n, extension, strlen(extension) + 1);
}

/* Returns the step in the name of a file, or -1 if the name does not belong to the series. */
static int64_t step_of(const file_series *s, const char *name)
{
    if (strncmp(name, s->stem, s->stem_length) != 0 || name[s->stem_length] != '-')
        return -1;
    const char *digits = name + s->stem_length + 1;
    size_t count = strspn(digits, "0123456789");
    int64_t step = 0;
    bool fits = count == MIN_DIGITS || (count > MIN_DIGITS && digits[0] != '0');
    for (size_t i = 0; fits && i < count; i++)
        fits = !__builtin_mul_overflow(step, 10, &step) && !__builtin_add_overflow(step, digits[i] - '0', &step);
    return fits && strcmp(digits + count, s->extension) == 0 ? step : -1;
}

/* -- Lists --------------------------------------------------------------------------------------------------------- */

/* Opens the folder that contains `path`. Returns 0 or an errno, which is ENOENT also if the path lacks a file name.
 * Overwrites `name`. */
static int series_open(file_series *series, const char *path, char *name)
{
    const char *stem = heed__name_in(path), *extension = extension_of(stem);
    *series =
        (file_series){.path = path, .stem = stem, .extension = extension, .stem_length = (size_t)(extension - stem)};
    if (*stem == '\0')
        return ENOENT;
    series->folder = heed__folder_list(heed__folder_open(HEED_WORKING_FOLDER, path, name));
    return series->folder ? 0 : errno != 0 ? errno : EIO;
}

static void series_close(const file_series *series)
{
    heed__list_end(series->folder);
}

/* Returns the name of the next regular file of the series and sets its step. Returns NULL after the last one, and NULL
 * with errno after an error. Folders, pipes and dangling links are skipped. A file whose attributes cannot be read is
 * an error, because it may be the newest one. */
static const char *next_file(const file_series *series, int64_t *step)
{
    for (const char *name; (name = heed__list_next(series->folder));) {
        heed__file_facts facts;
        if ((*step = step_of(series, name)) < 0)
            continue;
        if (heed__facts_of_path(heed__list_folder(series->folder), name, &facts)) {
            if (facts.kind == HEED_REGULAR)
                return name;
        } else if (errno != ENOENT && errno != ELOOP) {
            return NULL;
        }
    }
    return NULL;
}

/* The steps that have regular files: the number of all of them, and the highest one that is at most `limit`. */
typedef struct series_steps {
    int64_t count, highest; /* highest is -1 if no step is at most `limit` */
    int cause;              /* errno if the folder could not be listed to its end, else 0 */
} series_steps;

/* Lists the steps and opens the file of the highest step up to `limit`. Writes the file's name to `name` and its
 * descriptor to *fd. *fd is -1, with errno, if no file could be opened. */
static series_steps series_open_highest(const file_series *series, int64_t limit, char *name, int *fd)
{
    series_steps steps = {.count = 0, .highest = -1};
    heed__folder_lock(heed__list_folder(series->folder), HEED_LOCK_SHARED);
    heed__list_again(series->folder);
    for (int64_t step; next_file(series, &step);) {
        steps.count++;
        if (step <= limit && step > steps.highest)
            steps.highest = step;
    }
    steps.cause = errno;
    *fd = -1;
    if (steps.cause == 0 && steps.highest >= 0) {
        heed__checkpoint_name(series->path, steps.highest, name);
        *fd = heed__open_path(heed__list_folder(series->folder), heed__name_in(name));
    }
    int cause = errno;
    heed__folder_unlock(heed__list_folder(series->folder));
    errno = cause;
    return steps;
}

/* -- Reading ------------------------------------------------------------------------------------------------------- */

/* Result of trying to read a file. */
typedef enum outcome {
    COMPLETE,
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
    *content = heed__safetensors_read(source);
    if (!*content)
        return FAILED;
    if (!heed__facts(source->fd, &after))
        (void)heed__file_error(where, "read", source->path.s, errno);
    else if (!heed__same_content(&before, &after))
        heed_fail(HEED_ERR_IO, where, "%s was changed while it was read", source->path.s);
    else
        return COMPLETE;
    return FAILED;
}

/* Reads the file opened as `fd`, and closes it. If fd is -1, errno says why `path` could not be opened. */
static outcome read_opened(const char *path, int fd, char *buffer, heed_dict **content)
{
    heed__source source;
    if (fd < 0 && errno == ENOENT)
        return MISSING;
    if (fd < 0) {
        (void)heed__file_error(where, "open", path, errno);
        return FAILED;
    }
    if (!heed__source_from_fd(&source, where, path, fd))
        return FAILED;
    outcome found = read_checked(&source, buffer, content);
    heed__source_close(&source);
    return found;
}

/* Returns false after heed_fail if the file has a known format other than a checkpoint; the message names the format.
 * Returns true if the format is unknown. */
static bool check_format(const char *path)
{
    heed__source source;
    if (!heed__source_open(&source, where, path, HEED_READ_UNLIMITED))
        return false;
    const bool unknown = heed__check_stream_format(&source.stream, HEED_FORMAT_CHECKPOINT, NULL, 0);
    heed__source_close(&source);
    return unknown;
}

static outcome read_single(const char *path, char *buffer, heed_dict **content)
{
    outcome found = read_opened(path, heed__open_path(HEED_WORKING_FOLDER, path), buffer, content);
    if (found == DAMAGED && check_format(path))
        heed_fail(HEED_ERR_FORMAT, where, "%s is not a checkpoint, or is damaged: its checksum is wrong",
                  heed__path_excerpt(path).s);
    return found;
}

/* Reads the newest undamaged file of the series. Returns MISSING if the series is empty or a file was removed before it
 * was opened. */
static outcome read_newest(const file_series *series, char *name, char *buffer, heed_dict **content)
{
    outcome found = DAMAGED;
    int64_t limit = INT64_MAX, count = 0;
    while (found == DAMAGED) {
        int fd;
        series_steps steps = series_open_highest(series, limit, name, &fd);
        if (steps.cause != 0) {
            (void)heed__file_error(where, "list the files of", series->path, steps.cause);
            return FAILED;
        }
        if (steps.highest < 0)
            break;
        found = read_opened(name, fd, buffer, content);
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

static outcome read_series(const char *path, char *name, char *buffer, heed_dict **content)
{
    file_series series;
    int cause = series_open(&series, path, name);
    if (cause == ENOENT)
        return MISSING;
    if (cause != 0) {
        (void)heed__file_error(where, "list the files of", path, cause);
        return FAILED;
    }
    outcome found = read_newest(&series, name, buffer, content);
    series_close(&series);
    return found;
}

static bool has_single(const char *path)
{
    heed__file_facts facts;
    return heed__facts_of_path(HEED_WORKING_FOLDER, path, &facts) || errno != ENOENT;
}

/* If the folder's lock is unavailable, other processes may remove files before this one lists or opens them. These
 * processes have saved newer files, so this function tries again. */
heed_dict *heed__checkpoint_read(const char *path, char *name)
{
    char *buffer = heed_alloc(HEED_CHECKSUM_SEARCH_BYTES);
    heed_dict *content = NULL;
    outcome found = buffer ? MISSING : FAILED;
    for (int i = 0; i < OPEN_ATTEMPTS && found == MISSING; i++) {
        if (i > 0)
            heed__folder_wait();
        if (has_single(path)) {
            memcpy(name, path, strlen(path) + 1);
            found = read_single(path, buffer, &content);
        } else {
            found = read_series(path, name, buffer, &content);
        }
    }
    if (found == MISSING)
        (void)heed__file_error(where, "open", path, ENOENT);
    heed_free(buffer, HEED_CHECKSUM_SEARCH_BYTES);
    if (found == COMPLETE)
        return content;
    heed_dict_free(content);
    return NULL;
}

/* Returns true if the series has files or if its folder cannot be listed. */
static bool has_steps(const char *path, char *name)
{
    file_series series;
    int fd, cause = series_open(&series, path, name);
    if (cause != 0)
        return cause != ENOENT;
    series_steps steps = series_open_highest(&series, INT64_MAX, name, &fd);
    if (fd >= 0)
        (void)heed__close(fd);
    series_close(&series);
    return steps.count > 0 || steps.cause != 0;
}

bool heed__checkpoint_exists(const char *path, char *name)
{
    bool found = false;
    for (int i = 0; i < OPEN_ATTEMPTS && !found; i++) {
        if (i > 0)
            heed__folder_wait();
        found = has_single(path) || has_steps(path, name);
    }
    return found;
}

/* -- Removing ------------------------------------------------------------------------------------------------------ */

/* Returns true if a file begins as heed_checkpoint_save writes it and holds its whole header. The name alone is not
 * proof: a file that someone else gave such a name is neither removed nor counted. */
static bool begins_as_checkpoint(const file_series *series, const char *name)
{
    static const char start[] = "{\"__metadata__\":{" HEED_CHECKSUM_KEY;
    uint8_t head[8 + sizeof start - 1];
    heed__file_facts facts;
    const int fd = heed__open_path(heed__list_folder(series->folder), name);
    if (fd < 0)
        return false;
    const bool complete = heed__facts(fd, &facts) && heed__read_at(fd, head, sizeof head, 0) == (int64_t)sizeof head;
    (void)heed__close(fd);
    return complete && memcmp(head + 8, start, sizeof start - 1) == 0 &&
           heed__little_endian(head, 8) <= (uint64_t)facts.size - 8;
}

/* Returns the name of the next checkpoint of the series and sets its step; returns NULL after the last one. */
static const char *next_checkpoint(const file_series *series, int64_t *step)
{
    const char *name;
    do
        name = next_file(series, step);
    while (name && !begins_as_checkpoint(series, name));
    return name;
}

/* Inserts a step into a descending list of n steps, and drops the lowest step if the list exceeds `max_count`. Does not
 * insert a step that is already in the list (a folder that changes during listing can report a file twice). Returns the
 * new length. */
static int insert_step(int64_t *top, int n, int max_count, int64_t step)
{
    int at = n;
    while (at > 0 && top[at - 1] < step)
        at--;
    if (at == max_count || (at > 0 && top[at - 1] == step))
        return n;
    n += n < max_count;
    memmove(top + at + 1, top + at, (size_t)(n - 1 - at) * sizeof *top);
    top[at] = step;
    return n;
}

/* Finds the steps up to `limit` that have checkpoint files, and writes the highest `max_count` of them to `top` in
 * descending order. Returns the number of steps written. */
static int highest_steps(const file_series *series, int64_t limit, int64_t *top, int max_count)
{
    int n = 0;
    heed__list_again(series->folder);
    for (int64_t step; next_checkpoint(series, &step);)
        if (step <= limit)
            n = insert_step(top, n, max_count, step);
    return n;
}

/* Returns the lowest of the `keep` highest steps, or -1 if there are fewer than `keep`. */
static int64_t lowest_to_keep(const file_series *series, int keep)
{
    int64_t top[MAX_STEPS], limit = INT64_MAX;
    for (;;) {
        int max_count = keep < MAX_STEPS ? keep : MAX_STEPS, n = highest_steps(series, limit, top, max_count);
        if (n < max_count)
            return -1;
        keep -= n;
        if (keep == 0)
            return top[n - 1];
        limit = top[n - 1] - 1;
    }
}

void heed__checkpoint_prune(const char *path, int keep, int64_t saved, char *name)
{
    file_series series;
    if (series_open(&series, path, name) != 0)
        return;
    heed__folder_lock(heed__list_folder(series.folder), HEED_LOCK_EXCLUSIVE);
    int64_t lowest = lowest_to_keep(&series, keep);
    const char *file;
    heed__list_again(series.folder);
    for (int64_t step; (file = next_checkpoint(&series, &step));)
        if (step < lowest && step != saved)
            (void)heed__remove(heed__list_folder(series.folder), file);
    series_close(&series); /* also releases the lock */
}
