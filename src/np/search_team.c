/* np/search_team.c - shares the starts of a search among several processes. */

#include <math.h>
#include <string.h>

#include <heed/shards.h>

#include "np/search.h"

typedef heed__np_search_run search_run;

/* The result of a start. Processes exchange it as an array of doubles. */
typedef struct outcome {
    heed__np_minimum minimum, best;
    double evaluations, stopped;
} outcome;

enum { OUTCOME = sizeof(outcome) / sizeof(double) };

_Static_assert(OUTCOME * sizeof(double) == sizeof(outcome), "nothing but doubles");

/* Runs start run->start and passes its outcome to the other processes. Returns false after heed_fail. */
static bool put_outcome(search_run *run, heed_shards *pass)
{
    const int before = run->search->evaluations;
    run->best = (double)INFINITY;
    outcome o = {.minimum = heed__np_run_start(run), .best = {.value = run->best}};
    memcpy(o.best.h, run->best_h, sizeof run->best_h);
    o.evaluations = run->search->evaluations - before;
    o.stopped = run->search->stopped;
    heed_tensor *row = run->failed ? NULL : heed_zeros(HEED_F64, HEED_SHAPE(1, OUTCOME));
    if (!row)
        return false;
    memcpy(row->data, &o, sizeof o);
    return heed_shards_put(pass, &row, 1) == HEED_OK;
}

/* Merges all outcomes, as if this process had run all starts. */
static void merge_outcomes(search_run *run, heed_tensor *rows, int before, const heed__np_minimum *scanned)
{
    heed__np_search *search = run->search;
    run->best = scanned->value;
    memcpy(run->best_h, scanned->h, sizeof run->best_h);
    search->evaluations = before;
    for (int i = 0; i < run->starts; i++) {
        outcome o;
        memcpy(&o, (const double *)(const void *)rows->data + i * OUTCOME, sizeof o);
        search->evaluations += (int)o.evaluations;
        search->stopped |= o.stopped > 0;
        heed__np_note_minimum(run, &o.minimum);
        if (o.best.value < run->best) {
            run->best = o.best.value;
            memcpy(run->best_h, o.best.h, sizeof run->best_h);
        }
    }
}

bool heed__np_run_starts_in_team(search_run *run)
{
    const int before = run->search->evaluations;
    heed__np_minimum scanned = {.value = run->best};
    memcpy(scanned.h, run->best_h, sizeof scanned.h);
    int64_t begin, end;
    heed_scope *scope = heed_scope_begin();
    heed_shards *pass = scope ? heed_shards_new(run->options->comm, run->starts, 0) : NULL;
    heed_tensor *rows = NULL;
    bool good = pass != NULL;
    while (good && heed_shards_next(pass, &begin, &end))
        for (run->start = (int)begin; good && run->start < end; run->start++)
            good = put_outcome(run, pass);
    good = good && heed_shards_gather(pass, &rows, 1) == HEED_OK;
    if (good)
        merge_outcomes(run, rows, before, &scanned);
    heed_shards_free(pass);
    heed_scope_end(scope);
    return good;
}
