/* tests/team/test_team_faults.c - all processes name the one that finds NaN, or fails.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>

#include "check_team.h"
#include "optimizer_of.h"

/* The fault in shard 2 of the second step of three. */
typedef enum { NOTHING, LOSS, GRADIENT, OVERFLOW_OF_SUM, COUNT, BACKWARD } fault;

typedef struct plan {
    fault fault;
    bool sharded;
    atomic_int *arrived; /* number of processes, shared */
} plan;

/* A process that still waits for the end of a step, while a different process fails in the next step, would give up
 * its own step: nobody goes on before all have ended the step. */
static void wait_for_all(const plan *p, int processes)
{
    const time_t since = time(NULL);
    atomic_fetch_add(p->arrived, 1);
    while (atomic_load(p->arrived) < processes && time(NULL) - since < (time_t)team_timeout)
        sched_yield();
}

/* x (1, 1) is the number of the shard. */
static heed_tensor *loss_of(heed_tensor *w, heed_tensor *x, fault f)
{
    heed_tensor *loss = heed_sum(heed_mul(w, x));
    if (f == OVERFLOW_OF_SUM)
        return heed_mul_scalar(loss, 6.2e37); /* the sum of shards 2 and 3 is still finite */
    if (heed_item(x) != 2.0)
        return loss;
    if (f == LOSS)
        return heed_mul_scalar(loss, (double)NAN);
    if (f == GRADIENT) /* 0 * infinity as the gradient of a loss of 0 */
        return heed_sum(heed_mul_scalar(heed_sqrt(heed_sub(w, w)), 0.0));
    return f == BACKWARD ? heed_detach(loss) : loss;
}

static bool train_step(heed_data_parallel *team, heed_loader *loader, heed_tensor *w, fault f)
{
    heed_tensor *batch[1];
    while (heed_data_parallel_next(team, loader, batch)) {
        heed_scope *scope = heed_scope_begin();
        (void)heed_data_parallel_backward(team, loss_of(w, batch[0], f), f == COUNT ? 0.0 : 1.0);
        heed_scope_end(scope);
    }
    return heed_data_parallel_step(team) == HEED_OK;
}

typedef struct message_text {
    char s[120];
} message_text;

/* The message about shard 2 in process `owner`. */
static message_text expected(fault f, int owner, int size)
{
    message_text w = {""};
    if (f == LOSS)
        (void)snprintf(w.s, sizeof w.s, "the loss of shard 2, in process %d, is not finite", owner);
    else if (f == GRADIENT)
        (void)snprintf(w.s, sizeof w.s, "a gradient from process %d is not finite", owner);
    else if (f == BACKWARD)
        (void)snprintf(w.s, sizeof w.s, "process %d of %d has failed: see its error message", owner, size);
    else
        (void)snprintf(w.s, sizeof w.s, "%s",
                       f == COUNT ? "the counts of all shards are 0" : "the sum of the gradients is not finite");
    return w;
}

static bool fails_as_expected(fault f, heed_comm *comm)
{
    const int size = heed_comm_size(comm), owner = size < 4 ? size - 1 : 2;
    static const char step[] = "data_parallel_step: ";
    const char *message = heed_error_message();
    bool right = f == NOTHING;
    if (f == BACKWARD && heed_comm_rank(comm) == owner)
        right = strstr(message, "data_parallel_backward: backward: the tensor of shape () is not part of a graph");
    else if (f != NOTHING)
        right = heed_error_code() == (f == BACKWARD ? HEED_ERR_IO : HEED_ERR_STATE) &&
                strncmp(message, step, strlen(step)) == 0 &&
                strcmp(message + strlen(step), expected(f, owner, size).s) == 0;
    if (!right || (f == NOTHING && heed_error_code() != HEED_OK))
        fprintf(stderr, "%s\n", message);
    heed_error_clear();
    return right;
}

static uint64_t work(heed_comm *comm, void *argument)
{
    const plan *p = argument;
    heed_tensor *w = heed_set_requires_grad(heed_full(HEED_F32, HEED_SHAPE(1), 0.5), true);
    heed_tensor *x = heed_reshape(heed_arange(HEED_F32, 0.0, 4.0, 1.0), HEED_SHAPE(4, 1));
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(x));
    heed_loader *loader = heed_loader_new(data, &(heed_loader_options){.batch_size = 4});
    heed_optimizer *sgd = sgd_of(HEED_TENSORS(w), &(heed_optim_sgd_options){.lr = 0.1});
    heed_data_parallel *team =
        heed_data_parallel_new(comm, sgd, &(heed_data_parallel_options){.shards = 4, .sharded_state = p->sharded});
    uint64_t right = train_step(team, loader, w, NOTHING);
    wait_for_all(p, heed_comm_size(comm));
    double before = heed_item(w);
    (void)train_step(team, loader, w, p->fault);
    right = fails_as_expected(p->fault, comm) && (heed_item(w) == before) == (p->fault != NOTHING) && right;
    const bool goes_on = p->fault != BACKWARD || heed_comm_size(comm) == 1;
    right = train_step(team, loader, w, NOTHING) == goes_on && right;
    right = heed_data_parallel_steps(team) == (goes_on ? 2 : 1) + (p->fault == NOTHING) && right;
    heed_error_clear();
    heed_data_parallel_free(team);
    heed_optimizer_free(sgd);
    heed_loader_free(loader);
    heed_dataset_free(data);
    return right;
}

START_TEST(all_processes_name_the_failed_one)
{
    atomic_int *arrived = mmap(NULL, sizeof *arrived, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(arrived != MAP_FAILED);
    for (fault f = NOTHING; f <= BACKWARD; f++)
        for (int processes = 2; processes <= 4; processes++)
            for (int sharded = 0; sharded < 2; sharded++) {
                uint64_t results[TEAM_MAX];
                atomic_init(arrived, 0);
                run_team(processes, work, &(plan){f, sharded, arrived}, results);
                for (int rank = 0; rank < processes; rank++)
                    ck_assert_msg(results[rank] == true, "fault %d, process %d of %d", (int)f, rank, processes);
            }
    munmap(arrived, sizeof *arrived);
}
END_TEST

HEED_TEST_MAIN("team faults", all_processes_name_the_failed_one)
