/* tests/fuzz/api_ops.c - commands that make a tensor: every op and every constructor.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "api.h"

#include <string.h>

#include "slots.h"

/* -- Making ----------------------------------------------------------------------------------------------------- */

static heed_tensor *make_from_values(program *p)
{
    double values[64];
    heed_dtype dtype = any_dtype(&p->in);
    heed_shape shape = any_shape(&p->in);
    int64_t n = heed_shape_numel(shape);
    n = n < 0 || n > 64 ? fuzz_pick(&p->in, -1, 64) : n;
    for (int64_t i = 0; i < n; i++)
        values[i] = dtype == HEED_F32 || dtype == HEED_F64 ? fuzz_double(&p->in) : (double)fuzz_pick(&p->in, 0, 3);
    return heed_from_values(dtype, shape, values, n);
}

static heed_tensor *make_filled(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_dtype dtype = any_dtype(&p->in);
    heed_shape shape = any_shape(&p->in);
    double value = fuzz_double(&p->in);
    return way % 3 == 0   ? heed_zeros(dtype, shape)
           : way % 3 == 1 ? heed_ones(dtype, shape)
                          : heed_full(dtype, shape, value);
}

static heed_tensor *make_range(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_dtype dtype = any_dtype(&p->in);
    double a = fuzz_double(&p->in), b = fuzz_double(&p->in), c = fuzz_double(&p->in);
    int64_t n = fuzz_int(&p->in), m = fuzz_int(&p->in);
    return way % 3 == 0   ? heed_arange(dtype, a, b, c)
           : way % 3 == 1 ? heed_linspace(dtype, a, b, n)
                          : heed_eye(dtype, n, m);
}

static heed_tensor *make_random(program *p)
{
    uint8_t way = fuzz_byte(&p->in);
    heed_dtype dtype = any_dtype(&p->in);
    heed_shape shape = any_shape(&p->in);
    int64_t low = fuzz_int(&p->in), high = fuzz_int(&p->in);
    switch (way % 5) {
    case 0:
        return heed_rand(dtype, shape);
    case 1:
        return heed_randn(dtype, shape);
    case 2:
        return heed_randint(low, high, shape);
    case 3:
        return heed_permutation(low);
    default:
        return heed_bernoulli(fuzz_double(&p->in), shape);
    }
}

/* -- Ops, called by their prototypes (tests/promises/calls/slots.py) ----------------------------------------------- */

struct slots {
    program *p;
    heed_tensor *out; /* an output other than the first */
    char text[16];
};

static heed_tensor *slot_tensor(slots *from, const char *name)
{
    (void)name;
    return any_tensor(from->p);
}

static int slot_list(slots *from, const char *name, heed_tensor **list)
{
    for (int i = 0; list && i < SLOT_LIST; i++)
        list[i] = slot_tensor(from, name);
    return (int)fuzz_pick(&from->p->in, 0, SLOT_LIST);
}

static int slot_int(slots *from, const char *name)
{
    (void)name;
    return any_axis(&from->p->in);
}

static int64_t slot_int64(slots *from, const char *name)
{
    (void)name;
    return fuzz_int(&from->p->in);
}

static double slot_real(slots *from, const char *name)
{
    (void)name;
    return fuzz_double(&from->p->in);
}

static bool slot_bool(slots *from, const char *name)
{
    (void)name;
    return fuzz_byte(&from->p->in) & 1;
}

static heed_shape slot_shape(slots *from, const char *name)
{
    bool axes = strcmp(name, "axes") == 0 || strcmp(name, "order") == 0;
    return axes ? any_axes(&from->p->in) : any_shape(&from->p->in);
}

/* Letters and symbols of equations. */
static const char *slot_text(slots *from, const char *name)
{
    static const char signs[] = "iijjkAz,,->... #";
    int n = (int)fuzz_pick(&from->p->in, 0, (int)sizeof from->text - 1);
    (void)name;
    for (int i = 0; i < n; i++)
        from->text[i] = signs[fuzz_byte(&from->p->in) % (sizeof signs - 1)];
    from->text[n] = '\0';
    return from->text;
}

/* One of the constants, or an undefined value. */
static slot_function_type slot_function(slots *from, const char *name)
{
    static const slot_function_type functions[] = {NULL, heed_relu, heed_gelu, heed_sum};
    (void)name;
    return functions[fuzz_byte(&from->p->in) % 4];
}

static int slot_enum(slots *from, const char *name, const char *const *words)
{
    int n = 0;
    (void)name;
    while (words[n])
        n++;
    return fuzz_byte(&from->p->in) % (n + 1);
}

static bool slot_there(slots *from, const char *name)
{
    (void)name;
    return fuzz_byte(&from->p->in) & 3;
}

static heed_tensor **slot_out(slots *from, const char *name)
{
    return slot_there(from, name) ? &from->out : NULL;
}

#include "op_calls.inc"

/* Returns one of the outputs. */
static heed_tensor *apply_op(program *p)
{
    slots from = {.p = p};
    uint8_t op = fuzz_byte(&p->in), wanted = fuzz_byte(&p->in);
    heed_tensor *y = op_calls[op % (sizeof op_calls / sizeof op_calls[0])].call(&from);
    FUZZ_CHECK(!from.out || y);
    return from.out && wanted & 1 ? from.out : y;
}

void run_op(program *p)
{
    static heed_tensor *(*const makers[])(program *) = {make_from_values, make_filled, make_range, make_random};
    uint8_t kind = fuzz_byte(&p->in) % 20; /* an op, sixteen times in twenty */
    heed_tensor *t = kind < 4 ? makers[kind](p) : apply_op(p);
    if (fuzz_outcome(t != NULL))
        keep(p, t);
}
