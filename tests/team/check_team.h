/* tests/team/check_team.h - the same training by one process and by many.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef CHECK_TEAM_H
#define CHECK_TEAM_H

#include "sockets.h"

static inline uint64_t alone(team_job job, void *argument)
{
    heed_comm *self = heed_comm_self();
    uint64_t result = job(self, argument);
    heed_comm_free(self);
    return result;
}

/* Checks that every process of teams of 1 to `most` returns the result of one process alone. */
static inline void check_any_number(team_job job, void *argument, int64_t most)
{
    static const int processes[] = {2, 3, 4, 5, 8};
    const uint64_t expected = alone(job, argument);
    for (size_t i = 0; i < sizeof processes / sizeof processes[0] && processes[i] <= most; i++) {
        uint64_t results[TEAM_MAX];
        run_team(processes[i], job, argument, results);
        for (int rank = 0; rank < processes[i]; rank++)
            ck_assert_msg(results[rank] == expected, "process %d of %d", rank, processes[i]);
    }
}

#endif
