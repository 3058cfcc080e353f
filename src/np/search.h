/* np/search.h - state of a search for bandwidths, and its starts in several processes. */
#ifndef HEED_NP_SEARCH_H
#define HEED_NP_SEARCH_H

#include "np/descent.h"
#include "np/np.h"

enum { HEED__NP_MOST_GIVEN = 2, HEED__NP_MOST_SCANNED = 8 };

typedef struct heed__np_search_run {
    heed__np_smoother *smoother;
    const heed_np_options *options;
    heed__np_search *search;
    heed__np_locals locals;
    heed__np_descent descent;
    double best, best_h[HEED_NP_MAX_COLUMNS];
    bool is_given; /* the starts are `given`, from a sample */
    heed__np_minimum given[HEED__NP_MOST_GIVEN];
    heed__np_point scanned[HEED__NP_MOST_SCANNED]; /* the first starts */
    int scanned_count;
    bool has_slopes; /* points are evaluated with slopes */
    int start, starts, limit;
    bool failed;
} heed__np_search_run;

/* Descends from start number run->start and returns the minimum. */
heed__np_minimum heed__np_run_start(heed__np_search_run *run);

/* Adds a minimum to the list, which is sorted by value, unless it is infinite or already in it. */
void heed__np_note_minimum(heed__np_search_run *run, const heed__np_minimum *m);

/* Runs all starts in a team of processes: every process runs some of the starts and receives the minima of all starts.
 * Returns false after heed_fail. */
bool heed__np_run_starts_in_team(heed__np_search_run *run);

#endif
