/* tests/team/test_team_processors.c - processes with different instruction sets train together with the bits of one
 * process; the scalar kernels, and products that are rounded to bf16 in a part of the team, are refused.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/precision.h>

#include "check_team.h"
#include "training.h"

/* The instruction set of every process, and the precision of all. */
typedef struct mixture {
    const char *isa[3];
    heed_precision precision;
} mixture;

static const char *const isas[] = {"avx2", "avx512", "neon"}; /* with a fused multiply-add */

/* Sets HEED_ISA for the first op of this process, which chooses the kernels. */
static void choose_isa(heed_comm *comm, const mixture *m)
{
    ck_assert_int_eq(setenv("HEED_ISA", m->isa[heed_comm_rank(comm)], 1), 0);
}

/* Returns 1 if this processor and build have the instruction set. */
static uint64_t has_isa(heed_comm *comm, void *argument)
{
    choose_isa(comm, argument);
    heed_scope *scope = heed_scope_begin();
    const bool has = heed_neg(heed_ones(HEED_F32, HEED_SHAPE(1))) != NULL;
    heed_error_clear();
    heed_scope_end(scope);
    return has;
}

static bool available(const char *isa)
{
    uint64_t has[1];
    run_team(1, has_isa, &(mixture){.isa = {isa}}, has);
    return has[0] == 1;
}

static uint64_t train_mixed(heed_comm *comm, void *argument)
{
    choose_isa(comm, argument);
    return train(comm, &(run){.samples = 100, .batch = 32, .shards = 8, .to = 10, .dropout = 0.3, .max_norm = 0.1});
}

START_TEST(one_hash_for_any_mixture)
{
    uint64_t expected[TEAM_MAX], found[TEAM_MAX];
    const char *best = NULL;
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++) {
        if (!available(isas[i]))
            continue;
        if (!best)
            run_team(1, train_mixed, &(mixture){.isa = {isas[i]}}, expected);
        best = best ? best : isas[i];
        run_team(3, train_mixed, &(mixture){.isa = {best, isas[i], best}}, found);
        for (int rank = 0; rank < 3; rank++)
            ck_assert_msg(found[rank] == expected[0], "process %d of 3 with %s and %s", rank, best, isas[i]);
    }
}
END_TEST

/* Returns 1 if the processes may not train together because their arithmetic differs. */
static uint64_t is_refused(heed_comm *comm, void *argument)
{
    const mixture *m = argument;
    choose_isa(comm, m);
    heed_set_matmul_precision(m->precision);
    heed_nn_linear *net = heed_nn_linear_new(3, 4, NULL);
    heed_optimizer *sgd = plain_sgd(&net->base);
    heed_data_parallel *team = heed_data_parallel_new(comm, sgd, &(heed_data_parallel_options){.shards = 8});
    const bool refused =
        !team && heed_error_code() == HEED_ERR_STATE &&
        strcmp(heed_error_message(), "data_parallel_new: the arithmetic of the instruction set (HEED_ISA), of bf16 or "
                                     "of the C library differs between process 0 and process 1") == 0;
    heed_error_clear();
    heed_data_parallel_free(team);
    heed_optimizer_free(sgd);
    heed_module_free(&net->base);
    heed_set_matmul_precision(HEED_PRECISION_HIGHEST);
    return refused;
}

static void check_refused(mixture m, uint64_t expected)
{
    uint64_t refused[TEAM_MAX];
    run_team(2, is_refused, &m, refused);
    for (int rank = 0; rank < 2; rank++)
        ck_assert_msg(refused[rank] == expected, "process %d of %s, %s", rank, m.isa[0], m.isa[1]);
}

START_TEST(scalar_kernels_are_refused)
{
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++)
        if (available(isas[i])) {
            check_refused((mixture){.isa = {isas[i], "scalar"}}, 1);
            check_refused((mixture){.isa = {"scalar", "scalar"}}, 0);
        }
}
END_TEST

/* Returns 1 if products of precision MEDIUM are rounded to bf16. */
static uint64_t rounds(heed_comm *comm, void *argument)
{
    choose_isa(comm, argument);
    heed_scope *scope = heed_scope_begin();
    heed_tensor *x = heed_full(HEED_F32, HEED_SHAPE(192, 192), 1.0 + 0x1p-20);
    heed_tensor *exact = heed_matmul(x, x);
    heed_set_matmul_precision(HEED_PRECISION_MEDIUM);
    const double difference = heed_item(heed_max(heed_abs(heed_sub(exact, heed_matmul(x, x)))));
    heed_scope_end(scope);
    return difference > 0.0;
}

/* Only AVX-512 has instructions for bf16, so with MEDIUM a process with AVX2 computes other numbers. */
START_TEST(rounding_in_a_part_of_the_team_is_refused)
{
    mixture m = {.isa = {"avx512", "avx2"}, .precision = HEED_PRECISION_MEDIUM};
    if (!available("avx512"))
        return;
    uint64_t rounded[1];
    run_team(1, rounds, &m, rounded);
    check_refused(m, rounded[0]);
    m.precision = HEED_PRECISION_HIGHEST;
    check_refused(m, 0);
}
END_TEST

HEED_TEST_MAIN("team processors", one_hash_for_any_mixture, scalar_kernels_are_refused,
               rounding_in_a_part_of_the_team_is_refused)
