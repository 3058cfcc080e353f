/* optim/sgd.c - stochastic gradient descent with momentum; the rule is in heed/optim.h.
 *
 * I. Sutskever, J. Martens, G. Dahl, G. Hinton: On the importance of initialization and momentum in deep learning
 * (ICML 2013), in the form PyTorch gives it.
 */

#include <heed/graph.h>
#include <heed/memory.h>

#include "optim/optimizer.h"

typedef struct sgd {
    heed_optimizer base;
    heed_sgd_options options;
    heed_tensor **momentum; /* b of each parameter; NULL before its first step */
    bool *started;          /* b holds something else than zeros */
} sgd;

/* The numbers of one update: b = keep b + take d. */
typedef struct sgd_rule {
    double lr, weight_decay, momentum, keep, take;
    bool maximize, nesterov;
} sgd_rule;

/* One pass over a parameter p with gradient g, and over its buffer b. What is tested is the same for all elements, so
 * the compiler takes it out of the loop. */
#define SGD_UPDATES(real, plain, with_momentum)                                                                        \
    static void plain(const sgd_rule *r, int64_t n, real *p, const real *g)                                            \
    {                                                                                                                  \
        const real sign = r->maximize ? -1 : 1, decay = (real)r->weight_decay, lr = (real)r->lr;                       \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            real d = decay != 0 ? sign * g[i] + decay * p[i] : sign * g[i];                                            \
            p[i] -= lr * d;                                                                                            \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static void with_momentum(const sgd_rule *r, int64_t n, real *p, const real *g, real *b)                           \
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

static void update(sgd *s, int i)
{
    const heed_sgd_options *o = &s->options;
    sgd_rule rule = {s->base.lr,         o->weight_decay, o->momentum, o->momentum,
                     1.0 - o->dampening, o->maximize,     o->nesterov};
    if (!s->momentum) {
        update_plain(&rule, s->base.parameters[i], s->base.grads[i]);
        return;
    }
    if (!s->started[i]) { /* b = d */
        rule.keep = 0.0;
        rule.take = 1.0;
        s->started[i] = true;
    }
    update_momentum(&rule, s->base.parameters[i], s->base.grads[i], s->momentum[i]);
}

static heed_status step(heed_optimizer *base)
{
    sgd *s = (sgd *)base;
    if (s->momentum) {
        heed_status status = heed__optimizer_grow_state(base, s->momentum);
        if (status != HEED_OK)
            return status;
    }
    for (int i = 0; i < base->n; i++)
        if (base->grads[i])
            update(s, i);
    return HEED_OK;
}

static void free_state(heed_optimizer *base)
{
    sgd *s = (sgd *)base;
    for (int i = 0; s->momentum && i < base->n; i++)
        heed_release(s->momentum[i]);
    heed_free(s->momentum, (size_t)base->n * sizeof *s->momentum);
    heed_free(s->started, (size_t)base->n * sizeof *s->started);
}

static const heed_optimizer_kind sgd_kind = {
    .name = "optim_sgd",
    .size = sizeof(sgd),
    .step = step,
    .free_state = free_state,
};

static bool check_options(const heed_sgd_options *o)
{
    if (!o) {
        heed_fail(HEED_ERR_ARGUMENT, sgd_kind.name, "options is NULL: it must give lr");
        return false;
    }
    if (!heed__optimizer_check(&sgd_kind, "momentum", o->momentum) ||
        !heed__optimizer_check(&sgd_kind, "dampening", o->dampening) ||
        !heed__optimizer_check(&sgd_kind, "weight_decay", o->weight_decay))
        return false;
    if (o->nesterov && (o->momentum == 0.0 || o->dampening != 0.0)) {
        heed_fail(HEED_ERR_ARGUMENT, sgd_kind.name, "nesterov wants momentum above 0 and dampening 0, not %g and %g",
                  o->momentum, o->dampening);
        return false;
    }
    return true;
}

static heed_optimizer *finish(heed_optimizer *base, const heed_sgd_options *options)
{
    if (!base)
        return NULL;
    sgd *s = (sgd *)base;
    s->options = *options;
    if (options->momentum == 0.0)
        return base;
    s->momentum = heed_calloc((size_t)base->n, sizeof *s->momentum);
    s->started = heed_calloc((size_t)base->n, sizeof *s->started);
    if (s->momentum && s->started)
        return base;
    heed_optimizer_free(base);
    return NULL;
}

heed_optimizer *heed_optim_sgd(heed_module *module, const heed_sgd_options *options)
{
    if (!check_options(options))
        return NULL;
    return finish(heed__optimizer_of_module(&sgd_kind, module, options->lr), options);
}

heed_optimizer *heed_optim_sgd_tensors(heed_tensor *const *parameters, int n, const heed_sgd_options *options)
{
    if (!check_options(options))
        return NULL;
    return finish(heed__optimizer_of_tensors(&sgd_kind, parameters, n, options->lr), options);
}
