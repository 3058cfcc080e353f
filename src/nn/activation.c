/* nn/activation.c - looks up activations by their PyTorch names. */

#include <stdio.h>
#include <string.h>

#include <heed/ops.h>

#include "nn/layer.h"

static heed_tensor *leaky_relu(heed_tensor *x)
{
    return heed_leaky_relu(x, 0.01);
}

static heed_tensor *elu(heed_tensor *x)
{
    return heed_elu(x, 1.0);
}

static heed_tensor *hardtanh(heed_tensor *x)
{
    return heed_hardtanh(x, -1.0, 1.0);
}

static const struct {
    const char *name;
    heed_activation function;
} activations[] = {
    {"relu", heed_relu},       {"gelu", heed_gelu},           {"silu", heed_silu}, {"tanh", heed_tanh},
    {"sigmoid", heed_sigmoid}, {"softplus", heed_softplus},   {"elu", elu},        {"leaky_relu", leaky_relu},
    {"hardtanh", hardtanh},    {"gelu_tanh", heed_gelu_tanh},
};

enum { ACTIVATIONS = sizeof activations / sizeof activations[0] };

heed_activation heed_activation_named(const char *name)
{
    char names[128] = "";
    for (int i = 0; name && i < ACTIVATIONS; i++) {
        if (strcmp(activations[i].name, name) == 0)
            return activations[i].function;
        const size_t used = strlen(names);
        (void)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", activations[i].name);
    }
    if (!name)
        heed_fail(HEED_ERR_ARGUMENT, "activation_named", "the name is NULL");
    else
        heed_fail(HEED_ERR_ARGUMENT, "activation_named", "there is no activation \"%.40s\": must be one of %s", name,
                  names);
    return NULL;
}
