/* team/agree.h - whether all processes are about to do the same. */
#ifndef HEED_TEAM_AGREE_H
#define HEED_TEAM_AGREE_H

#include <heed/comm.h>
#include <heed/optim.h>

/* Compares all processes with process 0: false in all of them after heed_fail, which names one that differs, and in what.
 * With `broadcast` parameters that differ are no failure: all take those of process 0. */
bool heed__agree(const char *where, heed_comm *comm, heed_optimizer *optimizer, int64_t shards, bool broadcast);

#endif
