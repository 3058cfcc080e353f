/* tests/promises/calls/stand_ins.c - the stand-ins of public_calls.h as functions, for code that was compiled
 * without it.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#define STAND_IN
#include "public_calls.h"
