/* system/processors.h - how many processors there are for this process. */
#ifndef HEED_SYSTEM_PROCESSORS_H
#define HEED_SYSTEM_PROCESSORS_H

/* Those that the calling thread may run on, at most as many as the control groups of the process allow it to keep busy;
 * at least 1. */
int heed__processors(void);

/* The latter, rounded up, as the files of control groups under `mount` say for the groups listed in the file `groups`,
 * of the form of /proc/self/cgroup; INT_MAX where they set no limit. */
int heed__processors_of_groups(const char *groups, const char *mount);

#endif
