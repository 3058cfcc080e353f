/* io/checkpoint_files.c - the files of a checkpoint that keeps its last ones. */

#include "io/checkpoint_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LEAST_DIGITS 9

/* "folder/" "stem" ".ending": a path in three. */
typedef struct parts {
    const char *stem, *ending; /* the ending has its '.', or is "" */
    size_t stem_length;
} parts;

static parts split(const char *path)
{
    const char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path, *dot = strrchr(stem, '.');
    if (!dot || dot == stem)
        dot = stem + strlen(stem);
    return (parts){.stem = stem, .ending = dot, .stem_length = (size_t)(dot - stem)};
}

void heed__checkpoint_name(const char *path, int64_t step, char *name)
{
    parts p = split(path);
    size_t length = (size_t)(p.ending - path);
    memcpy(name, path, length);
    int n = snprintf(name + length, HEED_STEP_ROOM, "-%0*lld", LEAST_DIGITS, (long long)step);
    memcpy(name + length + n, p.ending, strlen(p.ending) + 1);
}

/* The step of a file with that name; -1 when it is none of them. */
static int64_t step_of(const parts *p, const char *name)
{
    if (strncmp(name, p->stem, p->stem_length) != 0 || name[p->stem_length] != '-')
        return -1;
    const char *digits = name + p->stem_length + 1;
    size_t count = strspn(digits, "0123456789");
    int64_t step = 0;
    bool fits = count == LEAST_DIGITS || (count > LEAST_DIGITS && digits[0] != '0');
    for (size_t i = 0; fits && i < count; i++)
        fits = !__builtin_mul_overflow(step, 10, &step) && !__builtin_add_overflow(step, digits[i] - '0', &step);
    return fits && strcmp(digits + count, p->ending) == 0 ? step : -1;
}

/* The folder of `path`, opened; `folder` has room for it. */
static DIR *open_folder(const char *path, const parts *p, char *folder)
{
    size_t length = (size_t)(p->stem - path);
    memcpy(folder, path, length);
    folder[length] = '\0';
    return opendir(length > 0 ? folder : ".");
}

static void count_step(heed_checkpoint_steps *steps, int64_t step, int64_t above, int64_t last)
{
    steps->count++;
    if (step <= above || step > last)
        return;
    if (steps->lowest < 0 || step < steps->lowest)
        steps->lowest = step;
    if (step > steps->highest)
        steps->highest = step;
}

heed_checkpoint_steps heed__checkpoint_steps(const char *path, int64_t above, int64_t last, char *name)
{
    heed_checkpoint_steps steps = {.count = 0, .lowest = -1, .highest = -1};
    parts p = split(path);
    DIR *folder = open_folder(path, &p, name);
    if (!folder) {
        steps.cause = errno == ENOENT ? 0 : errno;
        return steps;
    }
    errno = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        int64_t step = step_of(&p, entry->d_name);
        if (step >= 0)
            count_step(&steps, step, above, last);
    }
    steps.cause = errno;
    (void)closedir(folder);
    return steps;
}

void heed__checkpoint_prune(const char *path, int keep, int64_t saved, char *name)
{
    int64_t step = -1, surplus = heed__checkpoint_steps(path, -1, INT64_MAX, name).count - keep;
    for (; surplus > 0; surplus--) {
        step = heed__checkpoint_steps(path, step, INT64_MAX, name).lowest;
        if (step < 0)
            return;
        heed__checkpoint_name(path, step, name);
        if (step != saved)
            (void)unlink(name);
    }
}
