/* examples/team.c - training by a team of processes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HEED_EXAMPLES_MPI
#include <heed/mpi.h>
#endif

int64_t team_shards;

#ifdef HEED_EXAMPLES_MPI
/* Whether this process is one of a team, started by Open MPI's mpirun, by MPICH's and compatible ones, or by Slurm's
 * srun. srun may have started several without telling MPI; heed_comm_mpi refuses these. */
static bool started_by_mpirun(void)
{
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_RANK") || getenv("PMIX_RANK") ||
           (tasks && strcmp(tasks, "1") != 0);
}

static heed_comm *join(void)
{
    int provided;
    if (!started_by_mpirun())
        return heed_comm_self();
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    return heed_comm_mpi(MPI_COMM_WORLD, NULL);
}
#else
static heed_comm *join(void)
{
    return heed_comm_self();
}
#endif

heed_comm *team_join(void)
{
    heed_comm *world = join();
    if (heed_comm_size(world) > 1 && team_shards == 0)
        training_refuse("--shards N is required under mpirun: results with the same N are bit-identical for any number "
                        "of processes");
    saving.only_reads = heed_comm_rank(world) > 0;
    if (heed_comm_rank(world) > 0 && !freopen("/dev/null", "w", stdout))
        training_refuse("/dev/null cannot be opened");
    return world;
}

void team_leave(heed_comm *world)
{
    heed_comm_free(world);
#ifdef HEED_EXAMPLES_MPI
    if (started_by_mpirun())
        MPI_Finalize();
#endif
}
