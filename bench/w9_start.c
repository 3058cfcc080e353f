/* bench/w9_start.c - W9: starting a process and doing one op.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "workloads.h"

static void start(const bench_case *c)
{
    bench_process(c, "one_op");
}

const bench_entry bench_w9[] = {{"W9", "import torch + one op", .run = start}, {0}};
