/* io/checkpoint_files.c - the series of files that heed_checkpoint_save writes with options.keep, one per step. */

#include "io/checkpoint_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "io/checksum.h"
#include "io/folder.h"
#include "system/files.h"

#define MIN_DIGITS 9
#define MAX_STEPS 64 /* maximum number of steps that one pass over a folder collects */

bool heed__checkpoint_has_file(const char *path)
{
    heed__file_facts facts;
    return heed__facts_of_path(HEED_WORKING_FOLDER, path, &facts) || errno != ENOENT;
}

/* -- Names -------------------------------------------------------------------------------------------------------- */

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
static int64_t step_of(const heed__file_series *s, const char *name)
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

/* -- Lists -------------------------------------------------------------------------------------------------------- */

int heed__series_open(heed__file_series *series, const char *path, char *name)
{
    const char *stem = heed__name_in(path), *extension = extension_of(stem);
    *series = (heed__file_series){
        .path = path, .stem = stem, .extension = extension, .stem_length = (size_t)(extension - stem)};
    if (*stem == '\0')
        return ENOENT;
    int fd = heed__folder_open(HEED_WORKING_FOLDER, path, name);
    series->folder = fd >= 0 ? heed__list(fd) : NULL;
    if (series->folder)
        return 0;
    int cause = errno != 0 ? errno : EIO;
    if (fd >= 0)
        (void)heed__close(fd);
    return cause;
}

void heed__series_close(const heed__file_series *series)
{
    heed__list_end(series->folder);
}

/* Returns the name of the next regular file of the series and sets its step. Returns NULL after the last one, and NULL
 * with errno after an error. Folders, pipes and dangling links are skipped. A file whose attributes cannot be read is
 * an error, because it may be the newest one. */
static const char *next_file(const heed__file_series *series, int64_t *step)
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

heed__series_steps heed__series_open_highest(const heed__file_series *series, int64_t limit, char *name, int *fd)
{
    heed__series_steps steps = {.count = 0, .highest = -1};
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

/* -- Removing ----------------------------------------------------------------------------------------------------- */

/* Returns true if a file begins as heed_checkpoint_save writes it and holds its whole header. The name alone is not
 * proof: a file that someone else gave such a name is neither removed nor counted. */
static bool begins_as_checkpoint(const heed__file_series *series, const char *name)
{
    static const char start[] = "{\"__metadata__\":{" HEED_CHECKSUM_KEY;
    unsigned char head[8 + sizeof start - 1];
    heed__file_facts facts;
    uint64_t header = 0;
    const int fd = heed__open_path(heed__list_folder(series->folder), name);
    if (fd < 0)
        return false;
    const bool complete = heed__facts(fd, &facts) && heed__read_at(fd, head, sizeof head, 0) == (int64_t)sizeof head;
    (void)heed__close(fd);
    for (int i = 7; complete && i >= 0; i--)
        header = header << 8 | head[i];
    return complete && memcmp(head + 8, start, sizeof start - 1) == 0 && header <= (uint64_t)facts.size - 8;
}

/* Returns the name of the next checkpoint of the series and sets its step; returns NULL after the last one. */
static const char *next_checkpoint(const heed__file_series *series, int64_t *step)
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
static int highest_steps(const heed__file_series *series, int64_t limit, int64_t *top, int max_count)
{
    int n = 0;
    heed__list_again(series->folder);
    for (int64_t step; next_checkpoint(series, &step);)
        if (step <= limit)
            n = insert_step(top, n, max_count, step);
    return n;
}

/* Returns the lowest of the `keep` highest steps, or -1 if there are fewer than `keep`. */
static int64_t lowest_to_keep(const heed__file_series *series, int keep)
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
    heed__file_series series;
    if (heed__series_open(&series, path, name) != 0)
        return;
    heed__folder_lock(heed__list_folder(series.folder), HEED_LOCK_EXCLUSIVE);
    int64_t lowest = lowest_to_keep(&series, keep);
    const char *file;
    heed__list_again(series.folder);
    for (int64_t step; (file = next_checkpoint(&series, &step));)
        if (step < lowest && step != saved)
            (void)heed__remove(heed__list_folder(series.folder), file);
    heed__series_close(&series); /* also releases the lock */
}
