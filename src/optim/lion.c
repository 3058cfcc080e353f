/* optim/lion.c - Lion; heed/optim/rules.h states the rule. */

#include <string.h>

#include "optim/optimizer.h"

/* Coefficients of one update. */
typedef struct lion_rule {
    double lr, shrink, beta1, beta2; /* shrink = 1 - lr weight_decay */
    bool maximize;
} lion_rule;

/* One pass over a parameter p with gradient grad and its average m. The sign of a NaN counts as NaN. */
#define LION_LOOP(real, loop)                                                                                          \
    static void loop(const lion_rule *r, int64_t n, real *restrict p, const real *restrict grad, real *restrict m)     \
    {                                                                                                                  \
        const real lr = (real)r->lr, shrink = (real)r->shrink, sign = r->maximize ? -1 : 1;                            \
        const real beta1 = (real)r->beta1, one_minus_beta1 = (real)(1.0 - r->beta1);                                   \
        const real beta2 = (real)r->beta2, one_minus_beta2 = (real)(1.0 - r->beta2);                                   \
        for (int64_t i = 0; i < n; i++) {                                                                              \
            real g = sign * grad[i], c = beta1 * m[i] + one_minus_beta1 * g;                                           \
            real step = c > 0 ? lr : c < 0 ? -lr : c;                                                                  \
            m[i] = beta2 * m[i] + one_minus_beta2 * g;                                                                 \
            p[i] = shrink * p[i] - step;                                                                               \
        }                                                                                                              \
    }

LION_LOOP(float, loop_f32)
LION_LOOP(double, loop_f64)

static void update(const heed__group *group, heed__slot *slot)
{
    const heed_optim_lion_options *o = &group->settings.options.lion;
    heed_tensor *p = slot->target, *g = slot->grad, *m = slot->buffer[0];
    const lion_rule rule = {group->lr, 1.0 - group->lr * o->weight_decay, o->beta1, o->beta2, o->maximize};
    if (heed_dtype_of(p) == HEED_F32)
        loop_f32(&rule, heed_numel(p), heed_mutable_f32(p), heed_data_f32(g), heed_mutable_f32(m));
    else
        loop_f64(&rule, heed_numel(p), heed_mutable_f64(p), heed_data_f64(g), heed_mutable_f64(m));
}

static void numbers(const heed__group_settings *settings, double *to)
{
    const heed_optim_lion_options *o = &settings->options.lion;
    const double options[] = {o->beta1, o->beta2, o->weight_decay, o->maximize};
    memcpy(to, options, sizeof options);
}

static bool read_options(const char *where, const void *options, heed__group_settings *settings)
{
    heed_optim_lion_options o = {0};
    if (options)
        o = *(const heed_optim_lion_options *)options;
    if (!heed__optim_check(where, "lr", o.lr) || !heed__optim_check_weight(where, "beta1", o.beta1) ||
        !heed__optim_check_weight(where, "beta2", o.beta2) || !heed__optim_check(where, "weight_decay", o.weight_decay))
        return false;
    o.lr = o.lr != 0.0 ? o.lr : 1e-4;
    o.beta1 = o.beta1 != 0.0 ? o.beta1 : 0.9;
    o.beta2 = o.beta2 != 0.0 ? o.beta2 : 0.99;
    *settings = (heed__group_settings){.lr = o.lr, .buffers = 1U, .options.lion = o};
    return true;
}

static const heed__optimizer_kind lion_kind = {
    .name = "optim_lion",
    .tensors_name = "optim_lion_tensors",
    .add_name = "optim_lion_add_group",
    .state_name = "lion",
    .buffer_name = {"exp_avg"},
    .read = read_options,
    .numbers = numbers,
    .update = update,
};

heed_optimizer *heed_optim_lion(heed_module *module, const heed_optim_lion_options *options)
{
    return heed__optimizer_of_module(&lion_kind, module, options);
}

heed_optimizer *heed_optim_lion_tensors(heed_tensor *const *parameters, int n, const heed_optim_lion_options *options)
{
    return heed__optimizer_of_tensors(&lion_kind, parameters, n, options);
}

heed_status heed_optim_lion_add_group(heed_optimizer *optimizer, heed_tensor *const *parameters, int n,
                                      const heed_optim_lion_options *options)
{
    return heed__optimizer_add_group(optimizer, &lion_kind, parameters, n, options);
}
