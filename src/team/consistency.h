/* team/consistency.h - checks that all processes are configured alike and have the same state. */
#ifndef HEED_TEAM_CONSISTENCY_H
#define HEED_TEAM_CONSISTENCY_H

#include <heed/data_parallel.h>

#include "team/statistics.h"

/* Compares all processes with process 0. If a process differs, returns false in all processes after heed_fail, whose
 * message names the process and the field. With options->broadcast, differing parameters and buffers are not an error:
 * all processes take the values of process 0. */
bool heed__check_consistency(const char *where, heed_comm *comm, const heed_optimizer *optimizer,
                             const heed__statistics *statistics, const heed_data_parallel_options *options);

/* Compares the position in the data with process 0: the loader's state and the number of completed steps. If a process
 * differs, returns false in all processes after heed_fail. */
bool heed__check_loader_consistency(const char *where, heed_comm *comm, const heed_loader *loader, int64_t steps);

/* Hashes of state that may change between two steps and must be the same in all processes, such as learning rates.
 * Every process writes its hashes into the row of numbers that it sends at the end of a step.
 * heed__check_step_consistency compares the hashes of all processes: those of process i begin at rows[i * width]. It
 * returns false after heed_fail, whose message names a process that differs from most others and the state in which it
 * differs. */
#define HEED_STEP_STATE 6
void heed__write_step_state(const heed_data_parallel *team, double state[HEED_STEP_STATE]);
bool heed__check_step_consistency(const char *where, const double *rows, int64_t width, int processes);

#endif
