/* tests/parity/op_slots.c - calls an op with the inputs of a case, in order, and its arguments, by name. */

#include "parity/parity.h"

#include <check.h>
#include <string.h>

#include "op_calls.h"

struct slots {
    parity_call *call;
    int inputs, outputs; /* taken so far */
    bool in_options;     /* where what is not said is 0 */
};

static const json_t *slot(slots *from, const char *name)
{
    return from->in_options ? parity_option(from->call, name) : parity_arg(from->call, name);
}

static heed_tensor *slot_tensor(slots *from, const char *name)
{
    (void)name;
    return from->inputs < from->call->n_in ? from->call->in[from->inputs++] : NULL;
}

static int slot_list(slots *from, const char *name, heed_tensor **list)
{
    int n = from->call->n_in;
    ck_assert_int_le(n, SLOT_LIST);
    for (int i = 0; i < n; i++)
        list[i] = slot_tensor(from, name);
    return n;
}

static int64_t slot_int64(slots *from, const char *name)
{
    return json_integer_value(slot(from, name));
}

static int slot_int(slots *from, const char *name)
{
    return (int)slot_int64(from, name);
}

static double slot_real(slots *from, const char *name)
{
    const json_t *value = slot(from, name);
    return value ? parity_number(value) : 0;
}

static bool slot_bool(slots *from, const char *name)
{
    return json_is_true(parity_option(from->call, name));
}

static heed_shape slot_shape(slots *from, const char *name)
{
    return parity_shape(slot(from, name));
}

static int slot_enum(slots *from, const char *name, const char *const *words)
{
    const json_t *value = slot(from, name);
    return value ? (int)parity_choice(from->call, name, words) : 0;
}

/* Options are, generators are not. */
static bool slot_there(slots *from, const char *name)
{
    from->in_options = strcmp(name, "options") == 0;
    return strcmp(name, "generator") != 0;
}

/* Outputs that PyTorch's file has are wanted. */
static heed_tensor **slot_out(slots *from, const char *name)
{
    parity_call *c = from->call;
    (void)parity_option(c, name);
    return ++from->outputs < c->n_out ? &c->out[from->outputs] : NULL;
}

#include "op_calls.inc"

/* sum is a form of sum, and sum_axes. */
static bool is_form(const char *form, const char *name)
{
    size_t length = strlen(name);
    return strncmp(form, name, length) == 0 && (form[length] == '\0' || form[length] == '_');
}

/* Whether each argument of the case has a slot; counts the slots. */
static bool takes(const op_call *op, const json_t *args, int *slots_there)
{
    size_t found = 0;
    *slots_there = 0;
    for (const char *const *name = op->names; *name; name++, ++*slots_there)
        found += json_object_get(args, *name) != NULL;
    return found == json_object_size(args);
}

heed_tensor *parity_call_op(parity_call *c, const char *name)
{
    const op_call *best = NULL;
    int fewest = 0, count;
    for (size_t i = 0; i < sizeof op_calls / sizeof op_calls[0]; i++)
        if (is_form(op_calls[i].name, name) && takes(&op_calls[i], c->args, &count) && (!best || count < fewest)) {
            best = &op_calls[i];
            fewest = count;
        }
    ck_assert_msg(best != NULL, "%s: no form of heed_%s takes these arguments", c->where, name);
    return best->call(&(slots){.call = c});
}
