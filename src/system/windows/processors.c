/* system/windows/processors.c - the number of processors, from the affinity mask. A mask covers one group of up to 64
 * processors; a process in several groups does not have one. */

#include "system/windows/shared.h"

#include "system/processors.h"

int heed__processors(void)
{
    DWORD_PTR process = 0, system = 0;
    (void)GetProcessAffinityMask(GetCurrentProcess(), &process, &system);
    if (process != 0)
        return __builtin_popcountll(process);
    const DWORD active = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return active > 0 ? (int)active : 1;
}
