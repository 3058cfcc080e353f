/* examples/team.h - training by a team of processes: --shards.
 *
 *     fashion_mnist --shards 8                one process that works on all eight shards of a batch
 *     mpirun -n 4 fashion_mnist --shards 8    four processes with two each, and the same bits
 *
 * Process 0 prints, saves and draws; the others do not. Without libheed-mpi there is only the first way.
 */
#ifndef TEAM_H
#define TEAM_H

#include "saving.h"

extern int64_t team_shards; /* 0: no team */

#define TEAM_OPTIONS                                                                                                   \
    {                                                                                                                  \
        "shards", "N", "cut each batch into N parts, for the processes that mpirun has started; 0: do not",            \
            .count = &team_shards                                                                                      \
    }

/* The processes of this run: those of mpirun, or one. Refuses mpirun without --shards. */
heed_comm *team_join(void);

/* Ends that. */
void team_leave(heed_comm *world);

#endif
