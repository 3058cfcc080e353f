/* optim/adagrad.c - Adagrad; heed/optim/rules.h states the rule. Operations are in PyTorch's order, so that results
 * agree. */

#include <math.h>
#include <string.h>

#include "optim/optimizer.h"

/* Coefficients of one update. */
typedef struct adagrad_rule {
    double rate; /* lr / (1 + (t - 1) lr_decay) */
    double eps, decay;
    bool maximize;
} adagrad_rule;

/* One pass over a parameter p with gradient grad and the sum s of squared gradients. */
#define ADAGRAD_LOOP(real, square_root, loop)                                                                          \
    static void loop(const adagrad_rule *r, int64_t n, real *restrict p, const real *restrict grad, real *restrict s)  \
    {                                                                                                                  \
        const real rate = (real)r->rate, eps = (real)r->eps, decay = (real)r->decay, sign = r->maximize ? -1 : 1;      \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            real g = decay != 0 ? sign * grad[i] + decay * p[i] : sign * grad[i];                                      \
            real sum = s[i] + g * g;                                                                                   \
            s[i] = sum;                                                                                                \
            p[i] -= rate * g / (square_root(sum) + eps);                                                               \
        }                                                                                                              \
    }

ADAGRAD_LOOP(float, sqrtf, loop_f32)
ADAGRAD_LOOP(double, sqrt, loop_f64)

static void update(const heed__group *group, heed__slot *slot)
{
    const heed_optim_adagrad_options *o = &group->settings.options.adagrad;
    heed_tensor *p = slot->target, *g = slot->grad, *s = slot->buffer[0];
    const adagrad_rule rule = {.rate = group->lr / (1.0 + (double)(slot->updates - 1) * o->lr_decay),
                               .eps = o->eps,
                               .decay = o->weight_decay,
                               .maximize = o->maximize};
    if (heed_dtype_of(p) == HEED_F32)
        loop_f32(&rule, heed_numel(p), heed_mutable_f32(p), heed_data_f32(g), heed_mutable_f32(s));
    else
        loop_f64(&rule, heed_numel(p), heed_mutable_f64(p), heed_data_f64(g), heed_mutable_f64(s));
}

static void numbers(const heed__group_settings *settings, double *to)
{
    const heed_optim_adagrad_options *o = &settings->options.adagrad;
    const double options[] = {o->lr_decay, o->weight_decay, o->initial_accumulator_value, o->eps, o->maximize};
    memcpy(to, options, sizeof options);
}

static bool read_options(const char *where, const void *options, heed__group_settings *settings)
{
    heed_optim_adagrad_options o = {0};
    if (options)
        o = *(const heed_optim_adagrad_options *)options;
    if (!heed__optim_check(where, "lr", o.lr) || !heed__optim_check(where, "lr_decay", o.lr_decay) ||
        !heed__optim_check(where, "weight_decay", o.weight_decay) ||
        !heed__optim_check(where, "initial_accumulator_value", o.initial_accumulator_value) ||
        !heed__optim_check(where, "eps", o.eps))
        return false;
    o.lr = o.lr != 0.0 ? o.lr : 1e-2;
    o.eps = o.eps != 0.0 ? o.eps : 1e-10;
    *settings =
        (heed__group_settings){.lr = o.lr, .buffers = 1U, .fill = o.initial_accumulator_value, .options.adagrad = o};
    return true;
}

static const heed__optimizer_kind adagrad_kind = {
    .name = "optim_adagrad",
    .tensors_name = "optim_adagrad_tensors",
    .add_name = "optim_adagrad_add_group",
    .state_name = "adagrad",
    .buffer_name = {"sum"},
    .read = read_options,
    .numbers = numbers,
    .update = update,
};

heed_optimizer *heed_optim_adagrad(heed_module *module, const heed_optim_adagrad_options *options)
{
    return heed__optimizer_of_module(&adagrad_kind, module, options);
}

heed_optimizer *heed_optim_adagrad_tensors(heed_tensor *const *parameters, int n,
                                           const heed_optim_adagrad_options *options)
{
    return heed__optimizer_of_tensors(&adagrad_kind, parameters, n, options);
}

heed_status heed_optim_adagrad_add_group(heed_optimizer *optimizer, heed_tensor *const *parameters, int n,
                                         const heed_optim_adagrad_options *options)
{
    return heed__optimizer_add_group(optimizer, &adagrad_kind, parameters, n, options);
}
