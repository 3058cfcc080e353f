/* tests/kernels/test_kernels_choice.c - tests which kernels a new process selects.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "kernel_list.h"

#include <sys/wait.h>
#include <unistd.h>

/* Returns the choice of a new process with this HEED_ISA: 0, 1 or 2, or 7 if it fails. */
static int choice(const char *requested)
{
    pid_t child = fork();
    if (child == 0) {
        setenv("HEED_ISA", requested, 1);
        const char *named;
        if (!heed__choose_isa(&named))
            _exit(!heed__isa_chosen() && strcmp(named, requested) == 0 ? 7 : 8);
        const char *isa = heed__isa_name();
        for (int i = 0; i < ISAS; i++)
            if (strcmp(isa, isa_names[i]) == 0)
                _exit(HEED__KERNEL(exp, HEED_F64) == kernels_of(isa, HEED_F64)->exp ? i : 8);
        _exit(9);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

START_TEST(obeys_the_environment)
{
    int best = 0;
    for (int i = 0; i < ISAS; i++)
        if (kernels_of(isa_names[i], HEED_F32))
            best = i;
    ck_assert_int_eq(choice("scalar"), 0);
    for (int i = 0; i < ISAS; i++)
        ck_assert_int_eq(choice(isa_names[i]), kernels_of(isa_names[i], HEED_F32) ? i : 7);
    ck_assert_int_eq(choice("sse9"), 7);
    ck_assert_int_eq(choice(""), best);
    ck_assert_ptr_null(kernels_of("sse9", HEED_F32));
}
END_TEST

HEED_TEST_MAIN("the choice of kernels", obeys_the_environment)
