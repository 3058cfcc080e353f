/* team/consistency.c - checks that all processes are configured alike and have the same state.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "team/team.h"

#include <inttypes.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/heed.h>

#include "optim/optimizer.h"

/* A value that must be the same in all processes. */
typedef struct field {
    const char *name;
    uint64_t value;
    bool shown; /* the value is meaningful to users */
} field;

/* -- The configuration and state of this process ------------------------------------------------------------------- */

static uint64_t add_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 32);
}

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const char *from = bytes;
    for (; size >= sizeof hash; from += sizeof hash, size -= sizeof hash) {
        uint64_t word;
        memcpy(&word, from, sizeof word);
        hash = add_word(hash, word);
    }
    uint64_t rest = 0;
    memcpy(&rest, from, size);
    return add_word(hash, rest + size);
}

static uint64_t hash_tensor(uint64_t hash, const heed_tensor *t)
{
    return add_bytes(hash, heed_data_bytes(t), (size_t)heed_numel(t) * heed_dtype_size(heed_dtype_of(t)));
}

static uint64_t add_number(uint64_t hash, double number)
{
    return add_bytes(hash, &number, sizeof number);
}

/* Returns a hash of the bits of some results, or 0 after heed_fail. All instruction sets with a fused multiply-add have
 * the same arithmetic and therefore the same hash. The scalar kernels round every product, so their hash differs. The
 * hash also depends on the C library's log, pow and sin, and on the processor's instructions for bf16 if the precision
 * allows them for the product, which is large enough (heed/precision.h). */
static uint64_t hash_arithmetic(void)
{
    enum { N = 192 };
    heed_tensor *x = heed_linspace(HEED_F64, -2.0, 2.0, N * N), *square = heed_reshape(x, HEED_SHAPE(N, N));
    heed_tensor *f32 = heed_tanh(heed_to_dtype(square, HEED_F32));
    heed_tensor *results[] = {heed_sum(heed_mul(f32, f32)), heed_matmul(f32, f32), heed_logsumexp(square, 1, false),
                              heed_pow_scalar(heed_abs(x), 1.3), heed_sin(heed_mul_scalar(x, 1e9))};
    uint64_t hash = 1;
    for (size_t i = 0; hash != 0 && i < sizeof results / sizeof results[0]; i++)
        hash = results[i] ? hash_tensor(hash, results[i]) | 1 : 0;
    return hash;
}

/* Hashes the size and the options of every group. */
static uint64_t hash_options(const heed_optimizer *optimizer)
{
    uint64_t hash = 0;
    for (int i = 0; i < optimizer->n_groups; i++) {
        const heed__group *group = optimizer->groups[i];
        double numbers[HEED_OPTIMIZER_NUMBERS] = {0.0};
        optimizer->kind->numbers(&group->settings, numbers);
        hash = add_bytes(add_word(hash, (uint64_t)group->n), numbers, sizeof numbers);
    }
    return hash;
}

/* Hashes the rate of every group, and the rate that schedules start from. */
static uint64_t hash_rates(const heed_optimizer *optimizer)
{
    uint64_t hash = 0;
    for (int i = 0; i < optimizer->n_groups; i++)
        hash = add_number(add_number(hash, optimizer->groups[i]->lr), optimizer->groups[i]->settings.lr);
    return hash;
}

/* Hashes the number of updates of every parameter; 0 for a partial optimizer, which does not update all parameters. */
static uint64_t hash_updates(const heed_optimizer *optimizer)
{
    uint64_t hash = 0;
    for (int i = 0; i < optimizer->n_groups && !optimizer->partial; i++)
        for (int k = 0; k < optimizer->groups[i]->n; k++)
            hash = add_word(hash, (uint64_t)optimizer->groups[i]->slots[k].updates);
    return hash;
}

static uint64_t hash_state(const heed_optimizer *optimizer)
{
    uint64_t hash = 0;
    for (int i = 0; i < optimizer->n_groups; i++)
        for (int k = 0; k < optimizer->groups[i]->n; k++) {
            const heed__slot *slot = &optimizer->groups[i]->slots[k];
            hash = add_word(hash, (uint64_t)slot->updates);
            for (int b = 0; b < HEED_OPTIMIZER_BUFFERS; b++)
                if (slot->buffer[b])
                    hash = hash_tensor(hash, slot->buffer[b]);
        }
    return hash;
}

static uint64_t add_shape(uint64_t hash, const heed_tensor *t)
{
    heed_shape shape = heed_shape_of(t);
    hash = add_word(add_word(hash, (uint64_t)heed_dtype_of(t)), (uint64_t)shape.rank);
    for (int axis = 0; axis < shape.rank; axis++)
        hash = add_word(hash, (uint64_t)shape.dims[axis]);
    return hash;
}

static uint64_t hash_shapes(const heed_optimizer *optimizer, const heed__statistics *statistics)
{
    uint64_t hash = 0;
    for (int i = 0; i < optimizer->parameters.n; i++)
        hash = add_shape(hash, optimizer->parameters.items[i]);
    for (int i = 0; i < statistics->n; i++)
        hash = add_shape(hash, statistics->list[i].buffer);
    return hash;
}

static uint64_t hash_values(const heed_optimizer *optimizer, const heed__statistics *statistics)
{
    uint64_t hash = 0;
    for (int i = 0; i < optimizer->parameters.n; i++)
        hash = hash_tensor(hash, optimizer->parameters.items[i]);
    for (int i = 0; i < statistics->n; i++)
        hash = hash_tensor(hash, statistics->list[i].buffer);
    return hash;
}

/* -- Comparing ----------------------------------------------------------------------------------------------------- */

/* The first field in which some process differs from process 0, and the first process that differs in it. If all agree,
 * `field` is the number of fields. */
typedef struct difference {
    int field, process;
    uint64_t expected, found; /* values in process 0 and in `process` */
} difference;

/* Compares n fields of all processes and writes the first difference to *result. Returns false after heed_fail. */
static bool find_difference(const char *where, heed_comm *comm, const field *fields, int n, difference *result)
{
    const int processes = heed_comm_size(comm);
    heed_tensor *table = heed_zeros(HEED_I64, HEED_SHAPE(processes, n));
    if (!table)
        return false;
    for (int i = 0; i < n; i++)
        heed_mutable_i64(table)[heed_comm_rank(comm) * n + i] = (int64_t)fields[i].value;
    if (!heed__exchange_rows(where, comm, table))
        return false;
    const int64_t *all = heed_data_i64(table);
    *result = (difference){.field = n};
    for (int i = n - 1; i >= 0; i--)
        for (int process = processes - 1; process > 0; process--)
            if (all[process * n + i] != all[i])
                *result = (difference){i, process, (uint64_t)all[i], (uint64_t)all[process * n + i]};
    return true;
}

static bool fail_difference(const char *where, const field *f, const difference *d)
{
    if (f->shown)
        return heed_fail_false(HEED_ERR_STATE, where, "%s differs: process 0 has %" PRIu64 ", process %d has %" PRIu64,
                               f->name, d->expected, d->process, d->found);
    return heed_fail_false(HEED_ERR_STATE, where, "%s differs between process 0 and process %d", f->name, d->process);
}

static bool check_fields(const char *where, heed_comm *comm, const field *fields, int n)
{
    difference d;
    return find_difference(where, comm, fields, n, &d) &&
           (d.field == n || fail_difference(where, &fields[d.field], &d));
}

/* Sets p, a parameter or buffer, to its value in process 0. Returns false after heed_fail. */
static bool broadcast(const char *where, heed_comm *comm, heed_tensor *p)
{
    const int processes = heed_comm_size(comm), rank = heed_comm_rank(comm);
    heed__messages *messages = heed__messages_new(where, comm, processes);
    bool ok = messages && (rank == 0 || heed__messages_receive(messages, 0, 0, p, 0, heed_numel(p)));
    for (int process = 1; process < processes && rank == 0 && ok; process++)
        ok = heed__messages_send(messages, process, 0, p, 0, heed_numel(p));
    return heed__messages_finish(messages) && ok;
}

static bool broadcast_all(const char *where, heed_comm *comm, const heed_optimizer *optimizer,
                          const heed__statistics *statistics)
{
    bool ok = true;
    for (int i = 0; ok && i < heed_optimizer_parameter_count(optimizer); i++)
        ok = broadcast(where, comm, heed_optimizer_parameter(optimizer, i));
    for (int i = 0; ok && i < statistics->n; i++)
        ok = broadcast(where, comm, statistics->list[i].buffer);
    return ok;
}

/* Checks all fields of the configuration. The first difference is reported, so more informative fields come first: the
 * number of parameters comes before their values. */
static bool check_configuration(const char *where, heed_comm *comm, const heed_optimizer *optimizer,
                                const heed__statistics *statistics, const heed_data_parallel_options *options)
{
    enum { FIELDS = 13, VALUES = FIELDS - 1 };
    const char *kind = optimizer->kind->state_name;
    uint64_t seed, position;
    heed_generator_get_state(NULL, &seed, &position);
    const uint64_t arithmetic = hash_arithmetic();
    const field fields[FIELDS] = {
        {.name = "the precision of matrix products", .value = (uint64_t)heed_matmul_precision()},
        {.name = "the arithmetic of the instruction set (HEED_ISA), of bf16 or of the C library", .value = arithmetic},
        {.name = "the number of shards", .value = (uint64_t)options->shards, .shown = true},
        {.name = "max_norm", .value = add_number(0, options->max_norm)},
        {.name = "sharded_state", .value = options->sharded_state},
        {.name = "the seed of the generator", .value = seed, .shown = true},
        {.name = "the type of the optimizer", .value = add_bytes(0, kind, strlen(kind))},
        {.name = "the configuration of the optimizer (groups, learning rates, options)",
         .value = add_word(hash_options(optimizer), hash_rates(optimizer))},
        {.name = "the number of parameters", .value = (uint64_t)optimizer->parameters.n, .shown = true},
        {.name = "the number of buffers", .value = (uint64_t)statistics->n, .shown = true},
        {.name = "the dtype or shape of a parameter or buffer", .value = hash_shapes(optimizer, statistics)},
        {.name = "the state of the optimizer", .value = hash_state(optimizer)},
        {.name = "the value of a parameter or buffer (.broadcast copies those of process 0)",
         .value = hash_values(optimizer, statistics)},
    };
    difference d;
    if (arithmetic == 0 || !find_difference(where, comm, fields, FIELDS, &d))
        return false;
    if (d.field == FIELDS)
        return true;
    return d.field == VALUES && options->broadcast ? broadcast_all(where, comm, optimizer, statistics)
                                                   : fail_difference(where, &fields[d.field], &d);
}

bool heed__check_consistency(const char *where, heed_comm *comm, const heed_optimizer *optimizer,
                             const heed__statistics *statistics, const heed_data_parallel_options *options)
{
    if (heed_comm_size(comm) == 1)
        return true;
    heed_scope *scope = heed_no_grad_begin();
    const field version = {.name = "the version of heed",
                           .value = HEED_VERSION_MAJOR * 10000 + HEED_VERSION_MINOR * 100 + HEED_VERSION_PATCH};
    bool ok = scope && check_fields(where, comm, &version, 1) && /* first: other versions may compare other fields */
              check_configuration(where, comm, optimizer, statistics, options);
    if (scope)
        heed_scope_end(scope);
    return ok;
}

bool heed__check_loader_consistency(const char *where, heed_comm *comm, const heed_loader *loader, int64_t steps)
{
    heed_loader_state state = {.epoch = 0};
    if (heed_comm_size(comm) == 1)
        return true;
    if (heed_loader_get_state(loader, &state) != HEED_OK)
        return false;
    const field fields[] = {
        {.name = "the number of completed steps", .value = (uint64_t)steps, .shown = true},
        {.name = "the number of samples", .value = (uint64_t)state.samples, .shown = true},
        {.name = "the number of batches", .value = (uint64_t)heed_loader_batches(loader), .shown = true},
        {.name = "the batch size", .value = (uint64_t)state.batch_size, .shown = true},
        {.name = "the epoch", .value = (uint64_t)state.epoch, .shown = true},
        {.name = "the next batch", .value = (uint64_t)state.batch, .shown = true},
        {.name = "the seed of the loader", .value = state.seed, .shown = true},
    };
    heed_scope *scope = heed_no_grad_begin();
    bool ok = scope && check_fields(where, comm, fields, sizeof fields / sizeof fields[0]);
    if (scope)
        heed_scope_end(scope);
    return ok;
}

/* -- Checks at every step ------------------------------------------------------------------------------------------ */

static const char *const step_state_names[HEED_STEP_STATE] = {
    "its learning rates",
    "its parameter groups or their options",
    "the number of updates of a parameter (did it load a different state?)",
    "the seed of its default generator",
    "the precision of its matrix products",
    "the samples of the step (did its loader change?)",
};

void heed__write_step_state(const heed_data_parallel *team, double state[HEED_STEP_STATE])
{
    const uint64_t values[HEED_STEP_STATE] = {
        hash_rates(team->optimizer),       hash_options(team->optimizer), hash_updates(team->optimizer), team->seed,
        (uint64_t)heed_matmul_precision(), hash_tensor(0, team->numbers),
    };
    for (int i = 0; i < HEED_STEP_STATE; i++) {
        const uint64_t hash = add_word(0, values[i]);
        state[i] = (double)(hash >> 11 ^ (hash & 0x7FF)); /* below 2^53, which a double holds exactly */
    }
}

bool heed__check_step_consistency(const char *where, const double *rows, int64_t width, int processes)
{
    for (int i = 0; i < HEED_STEP_STATE; i++) {
        const double *state = rows + i;
        int majority = 0, most = 0;
        for (int process = 0; process < processes && most < processes; process++) {
            int equal = 0;
            for (int other = 0; other < processes; other++)
                equal += state[other * width] == state[process * width];
            majority = equal > most ? process : majority;
            most = equal > most ? equal : most;
        }
        for (int process = 0; process < processes && most < processes; process++)
            if (state[process * width] != state[majority * width])
                return heed_fail_false(HEED_ERR_STATE, where, "process %d differs from process %d in %s", process,
                                       majority, step_state_names[i]);
    }
    return true;
}
