/* tests/replay/large.h - the larger cases of replay_hashes.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_REPLAY_LARGE_H
#define HEED_TESTS_REPLAY_LARGE_H

#include "ops/cases.h"

extern const op_cases large_cases;

#endif
