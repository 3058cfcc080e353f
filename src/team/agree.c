/* team/agree.c - whether all processes are about to do the same. */

#include "team/agree.h"

#include <inttypes.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/heed.h>

#include "optim/optimizer.h"
#include "team/exchange.h"

/* What must be the same in all processes, as numbers; the last one may be broadcast. */
enum { ARITHMETIC, SHARDS, CLIPPING, SHARDED, SEED, KIND, RATES, PARAMETERS, SHAPES, VALUES, FIELDS };

static const char *const names[FIELDS] = {
    "arithmetic (instruction set: HEED_ISA)",
    "number of shards",
    "max_norm",
    "choice of sharded_state",
    "seed of the default generator",
    "kind of optimizer",
    "list of learning rates",
    "number of parameters",
    "list of shapes",
    "set of values",
};

/* -- What this process is about to do -------------------------------------------------------------------------------- */

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

static void *elements_of(heed_tensor *p)
{
    return heed_dtype_of(p) == HEED_F32 ? (void *)heed_mutable_f32(p) : (void *)heed_mutable_f64(p);
}

static size_t bytes_of(const heed_tensor *p)
{
    return (size_t)heed_numel(p) * heed_dtype_size(heed_dtype_of(p));
}

static uint64_t add_number(uint64_t hash, double number)
{
    return add_bytes(hash, &number, sizeof number);
}

/* A number for the bits that sums of products come out with, 0 after heed_fail: an instruction set has its own order. */
static uint64_t arithmetic(void)
{
    heed_tensor *x = heed_tanh(heed_linspace(HEED_F32, -2.0, 2.0, 1000)), *sum = heed_sum(heed_mul(x, x));
    heed_tensor *square = heed_reshape(heed_slice(x, 0, 0, 900, 1), HEED_SHAPE(30, 30));
    heed_tensor *product = heed_matmul(square, square);
    if (!sum || !product)
        return 0;
    return add_bytes(add_bytes(0, elements_of(sum), bytes_of(sum)), elements_of(product), bytes_of(product)) | 1;
}

static void describe_parameters(const heed_optimizer *optimizer, uint64_t field[FIELDS])
{
    field[PARAMETERS] = (uint64_t)heed_optimizer_parameter_count(optimizer);
    for (int i = 0; i < (int)field[PARAMETERS]; i++) {
        heed_tensor *p = heed_optimizer_parameter(optimizer, i);
        heed_shape shape = heed_shape_of(p);
        field[SHAPES] = add_word(add_word(field[SHAPES], (uint64_t)heed_dtype_of(p)), (uint64_t)shape.rank);
        for (int axis = 0; axis < shape.rank; axis++)
            field[SHAPES] = add_word(field[SHAPES], (uint64_t)shape.dims[axis]);
        field[VALUES] = add_bytes(field[VALUES], elements_of(p), bytes_of(p));
    }
}

static bool describe(const heed_optimizer *optimizer, const heed_data_parallel_options *options, uint64_t field[FIELDS])
{
    uint64_t position;
    field[ARITHMETIC] = arithmetic();
    field[SHARDS] = (uint64_t)options->shards;
    field[CLIPPING] = add_number(0, options->max_norm);
    field[SHARDED] = options->sharded_state;
    heed_generator_get_state(heed_generator_default(), &field[SEED], &position);
    field[KIND] = add_bytes(0, optimizer->kind->state_name, strlen(optimizer->kind->state_name));
    for (int group = 0; group < optimizer->n_groups; group++)
        field[RATES] = add_number(field[RATES], optimizer->groups[group]->lr);
    describe_parameters(optimizer, field);
    return field[ARITHMETIC] != 0;
}

/* -- Comparing --------------------------------------------------------------------------------------------------------- */

/* Before all else: another version may compare other fields. */
static bool agree_on_version(const char *where, heed_comm *comm)
{
    const int processes = heed_comm_size(comm);
    heed_tensor *table = heed_zeros(HEED_I64, HEED_SHAPE(processes));
    if (!table)
        return false;
    heed_mutable_i64(table)[heed_comm_rank(comm)] =
        HEED_VERSION_MAJOR * 10000 + HEED_VERSION_MINOR * 100 + HEED_VERSION_PATCH;
    if (!heed__exchange_rows(where, comm, table))
        return false;
    const int64_t *version = heed_data_i64(table);
    for (int process = 1; process < processes; process++)
        if (version[process] != version[0])
            return heed_fail_false(HEED_ERR_STATE, where, "process %d has another version of heed than process 0",
                                   process);
    return true;
}

/* The first field in which a process differs from process 0, and the first such process; FIELDS when none does. A number
 * of parameters says more than their values. */
static int find_difference(const int64_t *all, int processes, int *process)
{
    for (int field = 0; field < FIELDS; field++)
        for (*process = 1; *process < processes; ++*process)
            if (all[*process * FIELDS + field] != all[field])
                return field;
    return FIELDS;
}

static bool fail(const char *where, int process, int field, const int64_t *there, const int64_t *here)
{
    if (field == SHARDS || field == PARAMETERS || field == SEED)
        return heed_fail_false(HEED_ERR_STATE, where,
                               "process %d has another %s than process 0: %" PRIu64 ", not %" PRIu64, process,
                               names[field], (uint64_t)there[field], (uint64_t)here[field]);
    return heed_fail_false(HEED_ERR_STATE, where, "process %d has another %s than process 0", process, names[field]);
}

/* All get the parameter of process 0. */
static bool broadcast(const char *where, heed_comm *comm, heed_tensor *p)
{
    const int processes = heed_comm_size(comm), rank = heed_comm_rank(comm);
    heed__messages *messages = heed__messages_new(where, comm, processes);
    bool ok = messages && (rank == 0 || heed__messages_receive(messages, 0, 0, p, 0, heed_numel(p)));
    for (int process = 1; process < processes && rank == 0 && ok; process++)
        ok = heed__messages_send(messages, process, 0, p, 0, heed_numel(p));
    return heed__messages_finish(messages) && ok;
}

static bool broadcast_all(const char *where, heed_comm *comm, const heed_optimizer *optimizer)
{
    bool ok = true;
    for (int i = 0; ok && i < heed_optimizer_parameter_count(optimizer); i++)
        ok = broadcast(where, comm, heed_optimizer_parameter(optimizer, i));
    return ok;
}

static bool agree(const char *where, heed_comm *comm, const heed_optimizer *optimizer,
                  const heed_data_parallel_options *options)
{
    const int processes = heed_comm_size(comm), rank = heed_comm_rank(comm);
    heed_tensor *table = heed_zeros(HEED_I64, HEED_SHAPE(processes, FIELDS));
    if (!table || !describe(optimizer, options, (uint64_t *)heed_mutable_i64(table) + rank * FIELDS) ||
        !heed__exchange_rows(where, comm, table))
        return false;
    const int64_t *all = heed_data_i64(table);
    int process;
    const int field = find_difference(all, processes, &process);
    if (field == FIELDS)
        return true;
    return field == VALUES && options->broadcast ? broadcast_all(where, comm, optimizer)
                                                 : fail(where, process, field, all + process * FIELDS, all);
}

bool heed__agree(const char *where, heed_comm *comm, const heed_optimizer *optimizer,
                 const heed_data_parallel_options *options)
{
    if (heed_comm_size(comm) == 1)
        return true;
    heed_scope *scope = heed_no_grad_begin();
    bool ok = scope && agree_on_version(where, comm) && agree(where, comm, optimizer, options);
    if (scope)
        heed_scope_end(scope);
    return ok;
}
