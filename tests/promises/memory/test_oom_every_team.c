/* tests/promises/memory/test_oom_every_team.c - heed/comm.h and heed/data_parallel.h without memory. */

#include "oom_inputs.h"

/* Two steps of three shards, the last one clipped. A step that fails leaves the team as before it. */
static bool train(heed_data_parallel *team, heed_loader *loader, heed_tensor *w)
{
    heed_tensor *part[1];
    while (heed_data_parallel_take(team, loader, part)) {
        heed_scope *scope = heed_scope_begin();
        heed_tensor *loss = scope ? heed_sum(heed_square(heed_mul(w, heed_sum(part[0])))) : NULL;
        bool ok = loss && heed_data_parallel_backward(team, loss, 1.0) == HEED_OK;
        if (scope)
            heed_scope_end(scope);
        if (!ok)
            return false;
    }
    return heed_data_parallel_step(team) == HEED_OK;
}

static bool team(double *value)
{
    bool ok = false;
    heed_tensor *copy = heed_clone(oom.row), *w = copy ? heed_set_requires_grad(copy, true) : NULL;
    heed_comm *self = heed_comm_self();
    heed_optimizer *sgd = w ? heed_optim_sgd_tensors(&w, 1, &(heed_optim_sgd_options){.lr = 0.1}) : NULL;
    heed_dataset *data = heed_dataset_new(HEED_TENSORS(oom.plain));
    heed_loader *loader = data ? heed_loader_new(data, &(heed_loader_options){.batch_size = 3}) : NULL;
    heed_data_parallel *team =
        self && sgd ? heed_data_parallel_new(self, sgd, &(heed_data_parallel_options){.shards = 2, .max_norm = 0.5})
                    : NULL;
    if (loader && team)
        ok = train(team, loader, w) && train(team, loader, w) && oom_take(w, value);
    heed_data_parallel_free(team);
    heed_loader_free(loader);
    heed_dataset_free(data);
    heed_optimizer_free(sgd);
    heed_comm_free(self);
    return ok;
}

OOM_MAIN("oom_every_team", OOM(team))
