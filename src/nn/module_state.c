/* nn/module_state.c - saves and loads a module's parameters and buffers by their paths. */

#include "nn/module.h"

static heed_status add(const heed_module_visit *visit, void *state)
{
    return heed_dict_set(state, visit->name, visit->tensor);
}

heed_dict *heed_module_state(heed_module *m)
{
    HEED_ENTER("module_state");
    if (!heed__module_check("module_state", m))
        return NULL;
    heed_dict *state = heed_dict_new();
    if (!state || heed_module_walk(m, add, state) == HEED_OK)
        return state;
    heed_dict_free(state);
    return NULL;
}

heed_status heed_module_load_state(heed_module *m, const heed_dict *state, const heed_dict_load_options *options)
{
    HEED_ENTER("module_load_state");
    if (!heed__module_check("module_load_state", m))
        return heed_error_code();
    if (!state)
        return heed_fail(HEED_ERR_ARGUMENT, "module_load_state", "the state is NULL");
    /* Detects a freed dict. This must precede heed_module_state, whose new dict may reuse the freed block. */
    if (heed_dict_size(state) == 0 && heed_error_code() != HEED_OK)
        return heed_error_code();
    heed_dict *targets = heed_module_state(m);
    if (!targets)
        return heed_error_code();
    heed_status status = heed_dict_load(targets, state, options);
    heed_dict_free(targets);
    return status;
}

heed_status heed_module_copy_state(heed_module *to, heed_module *from)
{
    HEED_ENTER("module_copy_state");
    if (!heed__module_check("module_copy_state", to))
        return heed_error_code();
    heed_dict *state = heed_module_state(from);
    if (!state)
        return heed_error_code();
    heed_status status = heed_module_load_state(to, state, NULL);
    heed_dict_free(state);
    return status;
}
