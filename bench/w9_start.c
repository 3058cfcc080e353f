/* bench/w9_start.c - W9: starting a process and doing one op. */

#include "workloads.h"

void w9_start(const bench_case *c)
{
    bench_process(c, "one_op");
}
