/* team/data_parallel.c - training on many processes, with the same bits as on one. */

#include <heed/data_parallel.h>

#include <inttypes.h>
#include <math.h>

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/scope.h>

#include "team/agree.h"
#include "team/exchange.h"

#define MOST_STEPS ((int64_t)1 << 24)
#define MOST_SHARDS ((int64_t)1 << 20)
#define DRAWS_OF_A_STEP 40 /* bits: positions of the generator that a shard has in a step */

struct heed_data_parallel {
    heed_comm *comm;
    heed_optimizer *optimizer;
    double max_norm;
    heed__split split; /* `samples` of the step under way */
    int64_t
        length[HEED_SUMS]; /* of the sums: gradients; behind those in f64 how many shards used each parameter, the loss,
                                  the count */
    int n;                 /* parameters */
    int64_t steps;
    int64_t next, last; /* the shard to take next, and where this process's end */
    bool open;          /* a shard was taken and has no gradients yet */
    bool stepping;      /* between the first take and the step */
    int k;              /* tensors of a batch */
    heed_tensor *batch[HEED_DATASET_MAX], *part[HEED_DATASET_MAX]; /* retained: the step's, and the shard's */
    uint64_t seed, position;                                       /* of the default generator outside of shards */
    heed__tree tree;
    double loss;
};

static bool check_team(const char *where, const heed_data_parallel *team)
{
    return team || heed_fail_false(HEED_ERR_ARGUMENT, where, "the team is NULL");
}

/* -- Making and freeing ---------------------------------------------------------------------------------------------- */

static void release_all(heed_tensor **tensors, int n)
{
    for (int i = 0; i < n; i++) {
        heed_release(tensors[i]);
        tensors[i] = NULL;
    }
}

void heed_data_parallel_free(heed_data_parallel *team)
{
    if (!team)
        return;
    release_all(team->batch, HEED_DATASET_MAX);
    release_all(team->part, HEED_DATASET_MAX);
    heed__tree_clear(&team->tree);
    heed_free(team, sizeof *team);
}

static bool check_options(const heed_comm *comm, const heed_data_parallel_options *o)
{
    const char *where = "data_parallel_new";
    if (o->shards > MOST_SHARDS)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "%" PRId64 " shards: must be at most %" PRId64, o->shards,
                               MOST_SHARDS);
    if (o->shards != 0 && o->shards < heed_comm_size(comm))
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "%" PRId64 " shards: must be at least the number of processes, %d", o->shards,
                               heed_comm_size(comm));
    if (!isfinite(o->max_norm) || o->max_norm < 0.0)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "max_norm is %g: must be finite and 0 or more", o->max_norm);
    return true;
}

static void measure(heed_data_parallel *team)
{
    team->n = heed_optimizer_parameter_count(team->optimizer);
    for (int i = 0; i < team->n; i++) {
        const heed_tensor *p = heed_optimizer_parameter(team->optimizer, i);
        team->length[heed_dtype_of(p) == HEED_F32 ? HEED_SUM_F32 : HEED_SUM_F64] += heed_numel(p);
    }
    team->length[HEED_SUM_F64] += team->n + 2;
}

heed_data_parallel *heed_data_parallel_new(heed_comm *comm, heed_optimizer *optimizer,
                                           const heed_data_parallel_options *options)
{
    const char *where = "data_parallel_new";
    HEED_ENTER(where);
    heed_data_parallel_options o = options ? *options : (heed_data_parallel_options){0};
    if (!comm || !optimizer)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "the %s is NULL", comm ? "optimizer" : "comm");
    if (!check_options(comm, &o))
        return NULL;
    heed_data_parallel *team = heed_calloc(1, sizeof *team);
    if (!team)
        return NULL;
    int processes = heed_comm_size(comm), rank = heed_comm_rank(comm);
    team->comm = comm;
    team->optimizer = optimizer;
    team->max_norm = o.max_norm;
    team->split = (heed__split){.shards = o.shards > 0 ? o.shards : processes, .processes = processes};
    team->next = heed__first_shard(&team->split, rank);
    team->last = heed__first_shard(&team->split, rank + 1);
    team->loss = (double)NAN;
    measure(team);
    if (heed__agree(where, comm, optimizer, team->split.shards, o.broadcast))
        return team;
    heed_data_parallel_free(team);
    return NULL;
}

/* -- Shards ---------------------------------------------------------------------------------------------------------- */

/* Random-looking, and different for different x (the finalizer of SplitMix64: G. Steele, D. Lea, C. Flood, OOPSLA 2014). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

static bool begin_step(heed_data_parallel *team, heed_loader *loader)
{
    heed_generator_get_state(heed_generator_default(), &team->seed, &team->position);
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    heed_tensor *batch[HEED_DATASET_MAX] = {NULL};
    bool ok = heed_loader_next(loader, batch) == HEED_OK;
    for (team->k = 0; ok && team->k < HEED_DATASET_MAX && batch[team->k]; team->k++)
        team->batch[team->k] = heed_retain(batch[team->k]);
    heed_scope_end(scope);
    if (!ok)
        return false;
    team->split.samples = heed_dim(team->batch[0], 0);
    team->stepping = true;
    return true;
}

/* Shards without samples add nothing, in whatever process. */
static bool skip_empty(heed_data_parallel *team)
{
    while (team->next < team->last &&
           heed__first_sample(&team->split, team->next) == heed__first_sample(&team->split, team->next + 1))
        if (!heed__tree_add(&team->tree, (heed__subtree){.first = team->next++}))
            return false;
    return true;
}

static bool take_part(heed_data_parallel *team)
{
    int64_t begin = heed__first_sample(&team->split, team->next),
            end = heed__first_sample(&team->split, team->next + 1);
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    bool ok = true;
    for (int i = 0; i < team->k && ok; i++)
        ok = (team->part[i] = heed_retain(heed_slice(team->batch[i], 0, begin, end, 1))) != NULL;
    heed_scope_end(scope);
    return ok;
}

bool heed_data_parallel_take(heed_data_parallel *team, heed_loader *loader, heed_tensor **batch)
{
    const char *where = "data_parallel_take";
    HEED_ENTER(where);
    if (!check_team(where, team))
        return false;
    if (!loader || !batch)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the %s is NULL", loader ? "batch" : "loader");
    if (team->open)
        return heed_fail_false(HEED_ERR_STATE, where, "shard %" PRId64 " was taken, and has no gradients yet",
                               team->next);
    if (!team->stepping && !begin_step(team, loader))
        return false;
    release_all(team->part, team->k);
    heed_generator_set_state(heed_generator_default(), team->seed, team->position);
    if (!skip_empty(team) || team->next == team->last || !take_part(team))
        return false;
    for (int i = 0; i < team->k; i++)
        batch[i] = team->part[i];
    team->open = true;
    heed_generator_set_state(heed_generator_default(), mix(team->seed + mix((uint64_t)team->next + 1)),
                             (uint64_t)team->steps << DRAWS_OF_A_STEP);
    return true;
}

/* -- Gradients of a shard ---------------------------------------------------------------------------------------------- */

static bool check_no_gradients(const char *where, const heed_data_parallel *team)
{
    for (int i = 0; i < team->n; i++)
        if (heed_has_grad(heed_optimizer_parameter(team->optimizer, i)))
            return heed_fail_false(HEED_ERR_STATE, where, "parameter %d has a gradient already", i);
    return true;
}

/* The parameters' gradients as two vectors, with what goes along in the second. Those of lists[] are borrowed. */
static bool flatten(const heed_data_parallel *team, double loss, double count, heed_tensor **list,
                    heed_tensor *sum[HEED_SUMS])
{
    heed_tensor *more = heed_zeros(HEED_F64, HEED_SHAPE(team->n + 2));
    if (!more)
        return false;
    double *noted = heed_mutable_f64(more);
    noted[team->n] = loss;
    noted[team->n + 1] = count;
    for (int kind = 0; kind < HEED_SUMS; kind++) {
        heed_dtype dtype = kind == HEED_SUM_F32 ? HEED_F32 : HEED_F64;
        int parts = 0;
        for (int i = 0; i < team->n; i++) {
            heed_tensor *p = heed_optimizer_parameter(team->optimizer, i);
            if (heed_dtype_of(p) != dtype)
                continue;
            bool used = heed_has_grad(p);
            noted[i] = used ? 1.0 : 0.0;
            list[parts++] = used ? heed_reshape(heed_grad_of(p), HEED_SHAPE(heed_numel(p)))
                                 : heed_zeros(dtype, HEED_SHAPE(heed_numel(p)));
        }
        if (kind == HEED_SUM_F64)
            list[parts++] = more;
        sum[kind] = parts > 0 ? heed_concat(list, parts, 0) : NULL;
        if (parts > 0 && !sum[kind])
            return false;
    }
    return true;
}

static bool add_gradients(heed_data_parallel *team, double loss, double count)
{
    size_t bytes = (size_t)(team->n + 1) * sizeof(heed_tensor *);
    heed_tensor **list = heed_alloc(bytes);
    heed_scope *scope = heed_no_grad_begin();
    heed__subtree shard = {.first = team->next};
    bool ok = list && scope && flatten(team, loss, count, list, shard.sum);
    for (int kind = 0; kind < HEED_SUMS && ok; kind++)
        heed_retain(shard.sum[kind]);
    if (scope)
        heed_scope_end(scope);
    heed_free(list, bytes);
    return ok && heed_optimizer_zero_grad(team->optimizer) == HEED_OK && heed__tree_add(&team->tree, shard);
}

heed_status heed_data_parallel_backward(heed_data_parallel *team, heed_tensor *loss, double count)
{
    const char *where = "data_parallel_backward";
    HEED_ENTER(where);
    if (!check_team(where, team))
        return HEED_ERR_ARGUMENT;
    if (!loss)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the loss is NULL");
    if (!isfinite(count) || count < 0.0)
        return heed_fail(HEED_ERR_ARGUMENT, where, "count is %g: must be finite and 0 or more", count);
    if (!team->open)
        return heed_fail(HEED_ERR_STATE, where, "no shard was taken");
    if (!check_no_gradients(where, team))
        return HEED_ERR_STATE;
    double value = heed_item(loss);
    if (heed_backward(loss) != HEED_OK || !add_gradients(team, value, count))
        return heed_error_code();
    team->open = false;
    team->next++;
    return HEED_OK;
}

/* -- The step ------------------------------------------------------------------------------------------------------------ */

/* Gives every parameter that a shard has used its part of the sums, divided by the count. */
static bool set_gradients(const heed_data_parallel *team, heed_tensor *const sum[HEED_SUMS], double count)
{
    const double *used = heed_data_f64(sum[HEED_SUM_F64]) + team->length[HEED_SUM_F64] - team->n - 2;
    heed_tensor *mean[HEED_SUMS] = {NULL};
    int64_t at[HEED_SUMS] = {0};
    for (int kind = 0; kind < HEED_SUMS; kind++)
        if (sum[kind] && !(mean[kind] = heed_div(sum[kind], heed_full(heed_dtype_of(sum[kind]), HEED_SCALAR, count))))
            return false;
    for (int i = 0; i < team->n; i++) {
        heed_tensor *p = heed_optimizer_parameter(team->optimizer, i);
        int kind = heed_dtype_of(p) == HEED_F32 ? HEED_SUM_F32 : HEED_SUM_F64;
        int64_t from = at[kind];
        at[kind] += heed_numel(p);
        if (!(used[i] > 0.0))
            continue;
        heed_tensor *grad = heed_reshape(heed_slice(mean[kind], 0, from, at[kind], 1), heed_shape_of(p));
        if (!grad || heed_set_grad(p, grad) != HEED_OK)
            return false;
    }
    return true;
}

static bool clip(const heed_data_parallel *team)
{
    if (team->max_norm == 0.0)
        return true;
    size_t bytes = (size_t)team->n * sizeof(heed_tensor *);
    heed_tensor **parameters = heed_alloc(bytes);
    for (int i = 0; parameters && i < team->n; i++)
        parameters[i] = heed_optimizer_parameter(team->optimizer, i);
    bool ok = parameters && heed_optim_clip_grad_norm_tensors_(parameters, team->n, team->max_norm, NULL) == HEED_OK;
    heed_free(parameters, bytes);
    return ok;
}

/* Steps with the sums over all shards. */
static bool apply(heed_data_parallel *team, heed_tensor *const sum[HEED_SUMS])
{
    const double *noted = sum[HEED_SUM_F64] ? heed_data_f64(sum[HEED_SUM_F64]) + team->length[HEED_SUM_F64] - 2 : NULL;
    if (!noted || !(noted[1] > 0.0))
        return heed_fail_false(HEED_ERR_STATE, "data_parallel_step", "the counts of all shards are 0");
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    bool ok = set_gradients(team, sum, noted[1]) && clip(team) && heed_optimizer_step(team->optimizer) == HEED_OK;
    (void)heed_optimizer_zero_grad(team->optimizer);
    heed_scope_end(scope);
    if (ok)
        team->loss = noted[0] / noted[1];
    return ok;
}

static void end_step(heed_data_parallel *team)
{
    release_all(team->batch, team->k);
    release_all(team->part, team->k);
    heed__tree_clear(&team->tree);
    heed_generator_set_state(heed_generator_default(), team->seed, team->position);
    team->next = heed__first_shard(&team->split, heed_comm_rank(team->comm));
    team->stepping = team->open = false;
}

heed_status heed_data_parallel_step(heed_data_parallel *team)
{
    const char *where = "data_parallel_step";
    HEED_ENTER(where);
    if (!check_team(where, team))
        return HEED_ERR_ARGUMENT;
    if (!team->stepping || team->open || team->next < team->last)
        return heed_fail(HEED_ERR_STATE, where, "shard %" PRId64 " of %" PRId64 " has no gradients yet", team->next,
                         team->split.shards);
    heed_tensor *sum[HEED_SUMS] = {NULL};
    bool ok = heed__exchange(where, team->comm, &team->split, &team->tree, team->length, sum) && apply(team, sum);
    release_all(sum, HEED_SUMS);
    end_step(team);
    team->steps += ok;
    return ok ? HEED_OK : heed_error_code();
}

/* -- Looking ----------------------------------------------------------------------------------------------------------- */

int64_t heed_data_parallel_steps(const heed_data_parallel *team)
{
    return check_team("data_parallel_steps", team) ? team->steps : -1;
}

heed_status heed_data_parallel_set_steps(heed_data_parallel *team, int64_t steps)
{
    const char *where = "data_parallel_set_steps";
    if (!check_team(where, team))
        return HEED_ERR_ARGUMENT;
    if (steps < 0 || steps >= MOST_STEPS)
        return heed_fail(HEED_ERR_ARGUMENT, where, "steps is %" PRId64 ": must be 0 to 2^24 - 1", steps);
    if (team->stepping)
        return heed_fail(HEED_ERR_STATE, where, "in the middle of step %" PRId64, team->steps);
    team->steps = steps;
    return HEED_OK;
}

double heed_data_parallel_loss(const heed_data_parallel *team)
{
    return check_team("data_parallel_loss", team) ? team->loss : (double)NAN;
}
