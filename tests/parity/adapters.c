/* tests/parity/adapters.c - the ops, and the adapters of modules.def as functions, as a table. */

#include "parity/parity.h"

/* What an adapter may use besides in[i] and out[i]. FLAG is false, and OPTION and SIZE 0, for a name not there. */
#define INT(name) json_integer_value(parity_arg(c, name))
#define NUMBER(name) parity_number(parity_arg(c, name))
#define SHAPE(name) parity_shape(parity_arg(c, name))
#define CHOICE(name, ...) parity_choice(c, name, (const char *const[]){__VA_ARGS__, NULL})
#define HAS(name) (parity_option(c, name) != NULL)
#define FLAG(name) json_is_true(parity_option(c, name))
#define SIZE(name) json_integer_value(parity_option(c, name))
#define OPTION(name) json_number_value(parity_option(c, name))

#define KERNEL ((heed_nw_kernel)CHOICE("kernel", "gaussian", "boxcar", "triangular", "epanechnikov", "constant"))
#define ACTIVATION (HAS("activation") && CHOICE("activation", "relu", "gelu") == 1 ? heed_gelu : heed_relu)

/* The result of a forward, and beside it the weights that the module keeps. */
#define AND_WEIGHTS(call) (out[0] = (call), out[1] = net->attention_weights, out[0])

#define NEW(name, ...)                                                                                                 \
    static heed_module *make_##name(parity_call *c)                                                                    \
    {                                                                                                                  \
        heed_dtype dtype = c->dtype;                                                                                   \
        (void)dtype;                                                                                                   \
        heed_nn_##name *net = __VA_ARGS__;                                                                             \
        return net ? &net->base : NULL;                                                                                \
    }
#define FORWARD(name, ...)                                                                                             \
    static heed_tensor *run_##name(parity_call *c)                                                                     \
    {                                                                                                                  \
        heed_nn_##name *net = (heed_nn_##name *)(void *)c->module;                                                     \
        heed_tensor **in = c->in, **out = c->out;                                                                      \
        (void)out;                                                                                                     \
        return __VA_ARGS__;                                                                                            \
    }
#include "parity/modules.def"
#undef NEW
#undef FORWARD

#define HEED_OP(name) {#name, NULL, NULL},
#define HEED_COMPOSITE(name) HEED_OP(name)
#define NEW(name, ...) {"nn_" #name, make_##name, run_##name},
#define FORWARD(name, ...)

static const parity_adapter adapters[] = {
#include "ops/ops.def"
#include "parity/modules.def"
};

const parity_adapter *parity_adapters(int *count)
{
    *count = (int)(sizeof adapters / sizeof adapters[0]);
    return adapters;
}
