/* optim/sgd.c - stochastic gradient descent with momentum; heed/optim.h states the rule.
 *
 * I. Sutskever, J. Martens, G. Dahl, G. Hinton: On the importance of initialization and momentum in deep learning (ICML
 * 2013), in PyTorch's form. */

#include <string.h>

#include "optim/optimizer.h"

/* Coefficients of one update. The buffer b becomes keep b + take d; d is the gradient with weight decay. */
typedef struct sgd_rule {
    double lr, weight_decay, momentum, keep, take;
    bool maximize, nesterov;
} sgd_rule;

/* One pass over a parameter p with gradient g, and over its buffer b. The conditions are the same for all elements, so
 * the compiler moves them out of the loop. */
#define SGD_UPDATES(real, plain, with_momentum)                                                                        \
    static void plain(const sgd_rule *r, int64_t n, real *restrict p, const real *restrict g)                          \
    {                                                                                                                  \
        const real sign = r->maximize ? -1 : 1, decay = (real)r->weight_decay, lr = (real)r->lr;                       \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            real d = decay != 0 ? sign * g[i] + decay * p[i] : sign * g[i];                                            \
            p[i] -= lr * d;                                                                                            \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static void with_momentum(const sgd_rule *r, int64_t n, real *restrict p, const real *restrict g,                  \
                              real *restrict b)                                                                        \
    {                                                                                                                  \
        const real sign = r->maximize ? -1 : 1, decay = (real)r->weight_decay, lr = (real)r->lr;                       \
        const real momentum = (real)r->momentum, keep = (real)r->keep, take = (real)r->take;                           \
        const bool nesterov = r->nesterov;                                                                             \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            real d = decay != 0 ? sign * g[i] + decay * p[i] : sign * g[i];                                            \
            real average = keep * b[i] + take * d;                                                                     \
            b[i] = average;                                                                                            \
            p[i] -= lr * (nesterov ? d + momentum * average : average);                                                \
        }                                                                                                              \
    }

SGD_UPDATES(float, plain_f32, momentum_f32)
SGD_UPDATES(double, plain_f64, momentum_f64)

static void update_plain(const sgd_rule *r, heed_tensor *p, heed_tensor *g)
{
    if (heed_dtype_of(p) == HEED_F32)
        plain_f32(r, heed_numel(p), heed_mutable_f32(p), heed_data_f32(g));
    else
        plain_f64(r, heed_numel(p), heed_mutable_f64(p), heed_data_f64(g));
}

static void update_momentum(const sgd_rule *r, heed_tensor *p, heed_tensor *g, heed_tensor *b)
{
    if (heed_dtype_of(p) == HEED_F32)
        momentum_f32(r, heed_numel(p), heed_mutable_f32(p), heed_data_f32(g), heed_mutable_f32(b));
    else
        momentum_f64(r, heed_numel(p), heed_mutable_f64(p), heed_data_f64(g), heed_mutable_f64(b));
}

static void update(const heed__group *group, heed__slot *slot)
{
    const heed_optim_sgd_options *o = &group->settings.options.sgd;
    bool first = slot->updates == 1; /* the first update sets b = d */
    sgd_rule rule = {.lr = group->lr,
                     .weight_decay = o->weight_decay,
                     .momentum = o->momentum,
                     .keep = first ? 0.0 : o->momentum,
                     .take = first ? 1.0 : 1.0 - o->dampening,
                     .maximize = o->maximize,
                     .nesterov = o->nesterov};
    if (o->momentum == 0.0)
        update_plain(&rule, slot->target, slot->grad);
    else
        update_momentum(&rule, slot->target, slot->grad, slot->buffer[0]);
}

static void numbers(const heed__group_settings *settings, double *to)
{
    const heed_optim_sgd_options *o = &settings->options.sgd;
    const double options[] = {o->momentum, o->dampening, o->weight_decay, o->nesterov, o->maximize};
    memcpy(to, options, sizeof options);
}

static bool read_options(const char *where, const void *options, heed__group_settings *settings)
{
    const heed_optim_sgd_options *o = options;
    if (!o)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "options is NULL: must set lr");
    if (!heed__optim_check_positive(where, "lr", o->lr) || !heed__optim_check(where, "momentum", o->momentum) ||
        !heed__optim_check(where, "dampening", o->dampening) ||
        !heed__optim_check(where, "weight_decay", o->weight_decay))
        return false;
    if (o->nesterov && (o->momentum == 0.0 || o->dampening != 0.0))
        return heed_fail_false(HEED_ERR_ARGUMENT, where,
                               "momentum is %g, dampening is %g: nesterov requires momentum above 0 and dampening 0",
                               o->momentum, o->dampening);
    *settings = (heed__group_settings){.lr = o->lr, .buffers = o->momentum != 0.0, .options.sgd = *o};
    return true;
}

static const heed__optimizer_kind sgd_kind = {
    .name = "optim_sgd",
    .tensors_name = "optim_sgd_tensors",
    .add_name = "optim_sgd_add_group",
    .state_name = "sgd",
    .buffer_name = {"momentum_buffer"},
    .read = read_options,
    .numbers = numbers,
    .update = update,
};

heed_optimizer *heed_optim_sgd(heed_module *module, const heed_optim_sgd_options *options)
{
    return heed__optimizer_of_module(&sgd_kind, module, options);
}

heed_optimizer *heed_optim_sgd_tensors(heed_tensor *const *parameters, int n, const heed_optim_sgd_options *options)
{
    return heed__optimizer_of_tensors(&sgd_kind, parameters, n, options);
}

heed_status heed_optim_sgd_add_group(heed_optimizer *optimizer, heed_tensor *const *parameters, int n,
                                     const heed_optim_sgd_options *options)
{
    return heed__optimizer_add_group(optimizer, &sgd_kind, parameters, n, options);
}
