/* system/processors.h - the number of processors available to this process. */
#ifndef HEED_SYSTEM_PROCESSORS_H
#define HEED_SYSTEM_PROCESSORS_H

/* The number of processors that the calling thread may run on, limited by the CPU quota of the process's control
 * groups; at least 1. */
int heed__processors(void);

/* The CPU quota in processors, rounded up, that the control group files under `mount` set for the groups listed in the
 * file `groups`, which has the format of /proc/self/cgroup; INT_MAX if they set no limit. */
int heed__processors_of_groups(const char *groups, const char *mount);

#endif
