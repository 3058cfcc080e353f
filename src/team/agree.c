/* team/agree.c - whether all processes are about to do the same. */

#include "team/agree.h"

#include <inttypes.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/heed.h>
#include <heed/memory.h>

#include "team/comm.h"

/* What must be the same in all processes, as numbers; the last one may be broadcast. */
enum { VERSION, ARITHMETIC, SHARDS, SEED, KIND, PARAMETERS, SHAPES, VALUES, FIELDS };

static const char *const names[FIELDS] = {
    "version of heed",   "arithmetic (instruction set: HEED_ISA)",
    "number of shards",  "seed of the default generator",
    "kind of optimizer", "number of parameters",
    "list of shapes",    "set of values",
};

/* What process 0 has found: the first process that differs, 0 if none does, in which field, and how. */
enum { PROCESS, FIELD, THERE, HERE, VERDICT };

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

/* A number for the kind of optimizer, 0 when there is no memory. */
static uint64_t kind_of(const heed_optimizer *optimizer)
{
    heed_dict *state = heed_optimizer_state(optimizer);
    const char *kind = state ? heed_dict_text(state, "kind") : NULL;
    uint64_t hash = kind ? add_bytes(0, kind, strlen(kind)) : 0;
    heed_dict_free(state);
    return hash;
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

static bool describe(const heed_optimizer *optimizer, int64_t shards, uint64_t field[FIELDS])
{
    uint64_t position;
    field[VERSION] = HEED_VERSION_MAJOR * 10000 + HEED_VERSION_MINOR * 100 + HEED_VERSION_PATCH;
    field[ARITHMETIC] = arithmetic();
    field[SHARDS] = (uint64_t)shards;
    heed_generator_get_state(heed_generator_default(), &field[SEED], &position);
    field[KIND] = kind_of(optimizer);
    field[PARAMETERS] = (uint64_t)heed_optimizer_parameter_count(optimizer);
    for (int i = 0; i < (int)field[PARAMETERS]; i++) {
        heed_tensor *p = heed_optimizer_parameter(optimizer, i);
        heed_shape shape = heed_shape_of(p);
        field[SHAPES] = add_word(add_word(field[SHAPES], (uint64_t)heed_dtype_of(p)), (uint64_t)shape.rank);
        for (int axis = 0; axis < shape.rank; axis++)
            field[SHAPES] = add_word(field[SHAPES], (uint64_t)shape.dims[axis]);
        field[VALUES] = add_bytes(field[VALUES], elements_of(p), bytes_of(p));
    }
    return field[KIND] != 0 && field[ARITHMETIC] != 0;
}

/* -- Comparing --------------------------------------------------------------------------------------------------------- */

static void compare(const int64_t *all, int processes, int64_t *verdict)
{
    for (int field = 0; field < FIELDS; field++) /* a number of parameters says more than their values */
        for (int process = 1; process < processes; process++) {
            int64_t there = all[process * FIELDS + field];
            if (there == all[field])
                continue;
            verdict[PROCESS] = process;
            verdict[FIELD] = field;
            verdict[THERE] = there;
            verdict[HERE] = all[field];
            return;
        }
}

/* Process 0 receives a row of t from each other one, or sends all of t to each. */
static bool with_all(const char *where, heed_comm *comm, heed_tensor *t, bool receive)
{
    int processes = heed_comm_size(comm);
    int64_t row = heed_numel(t) / processes;
    heed__messages *messages = heed__messages_new(where, comm, processes);
    bool ok = messages != NULL;
    for (int64_t process = 1; process < processes && ok; process++)
        ok = receive ? heed__messages_receive(messages, (int)process, 0, t, process * row, (process + 1) * row)
                     : heed__messages_send(messages, (int)process, 0, t, 0, heed_numel(t));
    return heed__messages_finish(messages) && ok;
}

/* The other processes' part in that. */
static bool with_first(const char *where, heed_comm *comm, heed_tensor *t, bool receive)
{
    heed__messages *messages = heed__messages_new(where, comm, 1);
    bool ok = messages && (receive ? heed__messages_receive(messages, 0, 0, t, 0, heed_numel(t))
                                   : heed__messages_send(messages, 0, 0, t, 0, heed_numel(t)));
    return heed__messages_finish(messages) && ok;
}

/* Each process's fields go to process 0, and its verdict to all. */
static bool judge(const char *where, heed_comm *comm, heed_tensor *field, heed_tensor *verdict)
{
    int processes = heed_comm_size(comm);
    if (heed_comm_rank(comm) != 0)
        return with_first(where, comm, field, false) && with_first(where, comm, verdict, true);
    heed_tensor *all = heed_zeros(HEED_I64, HEED_SHAPE(processes, FIELDS));
    if (!all || heed_copy_(heed_select(all, 0, 0), field) != HEED_OK || !with_all(where, comm, all, true))
        return false;
    compare(heed_data_i64(all), processes, heed_mutable_i64(verdict));
    return with_all(where, comm, verdict, false);
}

static bool fail(const char *where, const int64_t *verdict)
{
    int64_t field = verdict[FIELD];
    if (field == SHARDS || field == PARAMETERS || field == SEED)
        return heed_fail_false(HEED_ERR_STATE, where,
                               "process %" PRId64 " has another %s than process 0: %" PRIu64 ", not %" PRIu64,
                               verdict[PROCESS], names[field], (uint64_t)verdict[THERE], (uint64_t)verdict[HERE]);
    return heed_fail_false(HEED_ERR_STATE, where, "process %" PRId64 " has another %s than process 0", verdict[PROCESS],
                           names[field]);
}

static bool broadcast_values(const char *where, heed_comm *comm, const heed_optimizer *optimizer)
{
    bool ok = true;
    for (int i = 0; ok && i < heed_optimizer_parameter_count(optimizer); i++) {
        heed_tensor *p = heed_optimizer_parameter(optimizer, i);
        ok = heed_comm_rank(comm) == 0 ? with_all(where, comm, p, false) : with_first(where, comm, p, true);
    }
    return ok;
}

static bool agree(const char *where, heed_comm *comm, const heed_optimizer *optimizer, int64_t shards, bool broadcast)
{
    heed_tensor *field = heed_zeros(HEED_I64, HEED_SHAPE(FIELDS)), *verdict = heed_zeros(HEED_I64, HEED_SHAPE(VERDICT));
    if (!field || !verdict || !describe(optimizer, shards, (uint64_t *)heed_mutable_i64(field)) ||
        !judge(where, comm, field, verdict))
        return false;
    const int64_t *found = heed_data_i64(verdict);
    if (found[PROCESS] == 0)
        return true;
    return found[FIELD] == VALUES && broadcast ? broadcast_values(where, comm, optimizer) : fail(where, found);
}

bool heed__agree(const char *where, heed_comm *comm, heed_optimizer *optimizer, int64_t shards, bool broadcast)
{
    if (heed_comm_size(comm) == 1)
        return true;
    heed_scope *scope = heed_no_grad_begin();
    bool ok = scope && agree(where, comm, optimizer, shards, broadcast);
    if (scope)
        heed_scope_end(scope);
    return ok;
}
