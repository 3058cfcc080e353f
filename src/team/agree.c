/* team/agree.c - whether all processes are about to do the same. */

#include "team/agree.h"

#include <inttypes.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/heed.h>
#include <heed/memory.h>

#include "team/comm.h"

/* What must be the same in all processes, as numbers; the last one may be broadcast. */
enum { VERSION, SHARDS, SEED, KIND, PARAMETERS, SHAPES, VALUES, FIELDS };

static const char *const names[FIELDS] = {
    "version of heed", "number of shards", "seed of the default generator", "kind of optimizer", "number of parameters",
    "list of shapes",  "set of values",
};

/* What process 0 has found: the first process that differs, 0 if none does, and in which field. */
typedef struct verdict {
    int64_t process, field;
    uint64_t there, here;
} verdict;

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

static bool describe(const heed_optimizer *optimizer, int64_t shards, uint64_t field[FIELDS])
{
    uint64_t position;
    memset(field, 0, FIELDS * sizeof *field);
    field[VERSION] = HEED_VERSION_MAJOR * 10000 + HEED_VERSION_MINOR * 100 + HEED_VERSION_PATCH;
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
    return field[KIND] != 0;
}

/* -- Comparing --------------------------------------------------------------------------------------------------------- */

static verdict compare(const uint64_t *all, int processes)
{
    for (int field = 0; field < FIELDS; field++) /* a number of parameters says more than their values */
        for (int process = 1; process < processes; process++)
            if (all[process * FIELDS + field] != all[field])
                return (verdict){process, field, all[process * FIELDS + field], all[field]};
    return (verdict){0};
}

/* Process 0 receives `size` bytes from each other one, behind each other at `bytes`; or sends the same to all. */
static bool with_all(const char *where, heed_comm *comm, void *bytes, size_t size, bool receive)
{
    heed__messages messages;
    int processes = heed_comm_size(comm);
    bool ok = heed__messages_begin(&messages, comm, processes);
    if (!ok)
        return false;
    for (int process = 1; process < processes && ok; process++)
        ok = receive ? heed__messages_receive(&messages, process, 0, (char *)bytes + (size_t)process * size, size)
                     : heed__messages_send(&messages, process, 0, bytes, size);
    return heed__messages_finish(&messages, where) && ok;
}

/* The other processes' part in that. */
static bool with_first(const char *where, heed_comm *comm, void *bytes, size_t size, bool receive)
{
    heed__messages messages;
    bool ok = heed__messages_begin(&messages, comm, 1);
    if (!ok)
        return false;
    ok = receive ? heed__messages_receive(&messages, 0, 0, bytes, size)
                 : heed__messages_send(&messages, 0, 0, bytes, size);
    return heed__messages_finish(&messages, where) && ok;
}

static bool judge(const char *where, heed_comm *comm, const uint64_t field[FIELDS], verdict *found)
{
    size_t bytes = FIELDS * sizeof *field;
    if (heed_comm_rank(comm) != 0) {
        uint64_t own[FIELDS];
        memcpy(own, field, bytes);
        return with_first(where, comm, own, bytes, false) && with_first(where, comm, found, sizeof *found, true);
    }
    int processes = heed_comm_size(comm);
    uint64_t *all = heed_calloc((size_t)processes, bytes);
    if (!all)
        return false;
    memcpy(all, field, bytes);
    bool ok = with_all(where, comm, all, bytes, true);
    if (ok)
        *found = compare(all, processes);
    heed_free(all, (size_t)processes * bytes);
    return ok && with_all(where, comm, found, sizeof *found, false);
}

static bool fail(const char *where, const verdict *found)
{
    if (found->field == SHARDS || found->field == PARAMETERS || found->field == SEED)
        return heed_fail_false(HEED_ERR_STATE, where,
                               "process %" PRId64 " has another %s than process 0: %" PRIu64 ", not %" PRIu64,
                               found->process, names[found->field], found->there, found->here);
    return heed_fail_false(HEED_ERR_STATE, where, "process %" PRId64 " has another %s than process 0", found->process,
                           names[found->field]);
}

static bool broadcast_values(const char *where, heed_comm *comm, const heed_optimizer *optimizer)
{
    heed_scope *scope = heed_no_grad_begin();
    bool ok = scope != NULL;
    for (int i = 0; ok && i < heed_optimizer_parameter_count(optimizer); i++) {
        heed_tensor *p = heed_optimizer_parameter(optimizer, i);
        ok = heed_comm_rank(comm) == 0 ? with_all(where, comm, elements_of(p), bytes_of(p), false)
                                       : with_first(where, comm, elements_of(p), bytes_of(p), true);
    }
    if (scope)
        heed_scope_end(scope);
    return ok;
}

bool heed__agree(const char *where, heed_comm *comm, heed_optimizer *optimizer, int64_t shards, bool broadcast)
{
    uint64_t field[FIELDS];
    verdict found = {0};
    if (heed_comm_size(comm) == 1)
        return true;
    heed_scope *scope = heed_no_grad_begin();
    bool ok = scope && describe(optimizer, shards, field);
    if (scope)
        heed_scope_end(scope);
    if (!ok || !judge(where, comm, field, &found))
        return false;
    if (found.process == 0)
        return true;
    if (found.field == VALUES && broadcast)
        return broadcast_values(where, comm, optimizer);
    return fail(where, &found);
}
