/* io/progress.h - functions for testing the progress line. */
#ifndef HEED_IO_PROGRESS_H
#define HEED_IO_PROGRESS_H

#include <heed/progress.h>

/* Replaces the system's time by `clock`, in seconds, and restarts the time count. */
void heed__progress_set_clock(heed_progress *progress, double (*clock)(void));

#endif
