/* system/posix/processors.c - the number of processors, from the affinity mask and the CPU quota of control groups,
 * version 1 (the folder "cpu") and version 2. */

#include "system/posix/more.h"

#include "system/system.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#if HEED_AFFINITY
#include <sched.h>
#endif
#include <unistd.h>

enum { PATH_BYTES = 768 };

static int allowed_by_affinity(void)
{
#if HEED_AFFINITY
    cpu_set_t set[8]; /* for 8,192 processors */
    if (sched_getaffinity(0, sizeof set, set) == 0)
        return CPU_COUNT_S(sizeof set, set);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN); /* not in POSIX, but in all systems that implement it */
    return online < 1 ? 1 : online > INT_MAX ? INT_MAX : (int)online;
}

/* Reads up to two numbers from the beginning of the file; returns how many were read. */
static int read_quota(const char *folder, const char *name, long long numbers[2])
{
    char path[PATH_BYTES];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return 0;
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    const int count = fscanf(file, "%lld %lld", &numbers[0], &numbers[1]);
    fclose(file);
    return count < 0 ? 0 : count;
}

/* The number of processors that `quota` microseconds per `period` correspond to, rounded up. Without a limit the quota
 * is "max" or -1. */
static int limit_of_folder(const char *folder)
{
    long long quota[2], period[2];
    if (read_quota(folder, "cpu.max", quota) == 2)
        period[0] = quota[1];
    else if (read_quota(folder, "cpu.cfs_quota_us", quota) < 1 || read_quota(folder, "cpu.cfs_period_us", period) < 1)
        return INT_MAX;
    if (quota[0] <= 0 || period[0] <= 0)
        return INT_MAX;
    const long long processors = (quota[0] - 1) / period[0] + 1;
    return processors > INT_MAX ? INT_MAX : (int)processors;
}

/* The smallest limit of a group and all its ancestors. A container may see its own group as the mount, under which the
 * path does not exist. */
static int limit_of_group(const char *mount, char *path)
{
    char folder[PATH_BYTES];
    for (int least = INT_MAX;;) {
        if (snprintf(folder, sizeof folder, "%s%s", mount, path) < (int)sizeof folder) {
            const int limit = limit_of_folder(folder);
            least = limit < least ? limit : least;
        }
        char *last = strrchr(path, '/');
        if (!last)
            return least;
        *last = '\0';
    }
}

/* True if "cpu" is in a list such as "cpu,cpuacct". */
static bool names_cpu(const char *controllers)
{
    for (const char *at = controllers; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, "cpu", 3) == 0 && (at[3] == ',' || at[3] == '\0'))
            return true;
    }
    return false;
}

/* Lines have the form ID:CONTROLLERS:PATH; CONTROLLERS is empty in version 2. */
int heed__processors_of_groups(const char *groups, const char *mount)
{
    char line[PATH_BYTES], folder[PATH_BYTES];
    int least = INT_MAX;
    FILE *file = fopen(groups, "re");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        const bool first_version = names_cpu(controllers + 1);
        if (!first_version && controllers[1] != '\0')
            continue;
        if (snprintf(folder, sizeof folder, "%s%s", mount, first_version ? "/cpu" : "") >= (int)sizeof folder)
            continue;
        const int limit = limit_of_group(folder, path);
        least = limit < least ? limit : least;
    }
    if (file)
        fclose(file);
    return least;
}

int heed__processors(void)
{
    const int affinity = allowed_by_affinity(),
              quota = heed__processors_of_groups("/proc/self/cgroup", "/sys/fs/cgroup");
    return affinity < quota ? affinity : quota;
}
