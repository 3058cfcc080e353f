/* examples/team.h - training by a team of processes: --shards.
 *
 *     fashion_mnist --shards 8                one process that works on all eight shards of a batch
 *     mpirun -n 4 fashion_mnist --shards 8    four processes with two shards each, and the same bits
 *
 * Only process 0 prints, saves and draws. Without libheed-mpi, only the first command works.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef TEAM_H
#define TEAM_H

#include "saving.h"

extern int64_t team_shards; /* 0 means no team */

#define TEAM_OPTIONS                                                                                                   \
    {                                                                                                                  \
        "shards", "N", "cut each batch into N parts, for the processes that mpirun has started; 0: do not",            \
            .count = &team_shards                                                                                      \
    }

/* The processes of this program: the processes that mpirun started, or one. Refuses mpirun without --shards. */
heed_comm *team_join(void);

/* Leaves the team. */
void team_leave(heed_comm *world);

#endif
