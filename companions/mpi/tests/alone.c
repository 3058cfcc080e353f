/* mpi/tests/alone.c - the training of mpi/tests/team.c in one process without MPI: prints the hash.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdio.h>

#include "team/training.h"

int main(void)
{
    run r = {.samples = 100, .batch = 32, .shards = 8, .to = 10, .dropout = 0.3};
    heed_comm *self = heed_comm_self();
    printf("%016llx\n", (unsigned long long)train(self, &r));
    heed_comm_free(self);
    return 0;
}
