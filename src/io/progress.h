/* io/progress.h - what tests need of a progress line beyond heed/progress.h. */
#ifndef HEED_IO_PROGRESS_H
#define HEED_IO_PROGRESS_H

#include <heed/progress.h>

/* Takes the time from `clock`, in seconds, instead of from the system, and begins to count it anew. */
void heed__progress_set_clock(heed_progress *progress, double (*clock)(void));

#endif
