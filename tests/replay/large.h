/* tests/replay/large.h - the larger cases of replay_hashes. */
#ifndef HEED_TESTS_REPLAY_LARGE_H
#define HEED_TESTS_REPLAY_LARGE_H

#include "ops/cases.h"

extern const op_cases large_cases;

#endif
