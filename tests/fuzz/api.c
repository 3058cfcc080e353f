/* tests/fuzz/api.c - random programs on the public interface: bytes are commands on a pool of tensors.
 *
 * Every call must succeed or fail cleanly for any arguments, and at the end no memory may be in use.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "api.h"
#include "tensors.h"

#define MAX_COMMANDS 64

heed_tensor *any_tensor(program *p)
{
    return p->pool[fuzz_pick(&p->in, 0, POOL - 1)];
}

void keep(program *p, heed_tensor *t)
{
    if (!t || heed_numel(t) > MAX_NUMEL)
        return;
    heed_tensor **place = &p->pool[fuzz_pick(&p->in, 0, POOL - 1)];
    heed_release(*place);
    *place = heed_retain(t);
}

bool remember(program *p, heed_tensor *leaf)
{
    if (p->n_leaves == MAX_LEAVES)
        return false;
    if (leaf && heed_is_leaf(leaf))
        p->leaves[p->n_leaves++] = heed_retain(leaf);
    return true;
}

heed_dtype any_dtype(fuzz_input *in)
{
    static const heed_dtype dtypes[] = {HEED_F32, HEED_F64, HEED_F64, HEED_I64, HEED_BOOL, HEED_F32, HEED_I64};
    uint8_t byte = fuzz_byte(in);
    return byte >= 250 ? (heed_dtype)HEED_DTYPE_COUNT : dtypes[byte % 7];
}

int any_axis(fuzz_input *in)
{
    return (int)fuzz_int(in);
}

heed_shape any_shape(fuzz_input *in)
{
    uint8_t byte = fuzz_byte(in);
    heed_shape shape = {.rank = byte % 4};
    for (int i = 0; i < shape.rank; i++)
        shape.dims[i] = byte < 240 ? fuzz_pick(in, 0, 31) * 5 / 32 : fuzz_int(in);
    if (byte >= 250)
        shape.rank = (int)fuzz_pick(in, -1, HEED_MAX_RANK + 1);
    return shape;
}

heed_shape any_axes(fuzz_input *in)
{
    heed_shape axes = {.rank = (int)fuzz_pick(in, 0, 15) / 5};
    for (int i = 0; i < axes.rank; i++)
        axes.dims[i] = fuzz_int(in);
    return axes;
}

static void begin_pool(program *p)
{
    static const double values[] = {0.5, -1, 2, 0, 3, -0.25, 1, 4, -2, 1, 0.75, -3};
    heed_shape shape = {.rank = (int)fuzz_pick(&p->in, 1, 3), .dims = {2, 2, 3}};
    for (int i = 0; i < 3; i++) {
        heed_tensor *t = heed_from_values(i == 2 ? HEED_I64 : HEED_F64, shape, values, heed_shape_numel(shape));
        if (i == 2 && !t)
            heed_error_clear(); /* a fraction is not an i64 */
        else if (fuzz_outcome(t != NULL))
            p->pool[i] = heed_retain(t);
    }
    if (remember(p, p->pool[0]))
        (void)fuzz_outcome(heed_set_requires_grad(p->pool[0], true) != NULL);
}

static void end_scopes(program *p, int depth)
{
    if (p->depth > depth)
        FUZZ_CHECK(heed_scope_end(p->scopes[depth]) == HEED_OK);
    p->depth = p->depth > depth ? depth : p->depth;
}

static void run_scope(program *p)
{
    uint8_t byte = fuzz_byte(&p->in);
    if (byte & 1) {
        end_scopes(p, (byte >> 1) % MAX_SCOPES);
    } else if (p->depth < MAX_SCOPES) {
        heed_scope *scope = byte & 2 ? heed_no_grad_begin() : heed_scope_begin();
        if (fuzz_outcome(scope != NULL))
            p->scopes[p->depth++] = scope;
    }
}

/* -- Commands --------------------------------------------------------------------------------------------------- */

typedef struct look {
    heed_tensor *tensor; /* retained */
    uint64_t elements;
} look;

/* Skips NULL and non-contiguous tensors. */
static uint64_t hash_elements(heed_tensor *t)
{
    const void *elements = t ? fuzz_elements(t) : NULL;
    heed_error_clear();
    return elements ? fuzz_hash(FUZZ_HASH_START, elements, (size_t)heed_numel(t) * heed_dtype_size(heed_dtype_of(t)))
                    : 0;
}

/* An op, with or without enough memory, writes to no existing tensor. */
static void run_op_on_guarded_pool(program *p)
{
    look before[POOL];
    for (int i = 0; i < POOL; i++)
        before[i] = (look){heed_retain(p->pool[i]), hash_elements(p->pool[i])};
    run_op(p);
    for (int i = 0; i < POOL; i++) {
        FUZZ_CHECK(hash_elements(before[i].tensor) == before[i].elements);
        heed_release(before[i].tensor);
    }
}

static void run_command(program *p)
{
    uint8_t byte = fuzz_byte(&p->in);
    if (byte < 150 && fuzz_may_refuse())
        run_op_on_guarded_pool(p);
    else if (byte < 150)
        run_op(p);
    else if (byte < 215)
        run_action(p);
    else if (byte < 240)
        run_nn(p);
    else
        run_scope(p);
}

void fuzz_target(fuzz_input in)
{
    program p = {.in = in};
    begin_pool(&p);
    for (int i = 0; i < MAX_COMMANDS && p.in.size > 0; i++)
        run_command(&p);
    end_scopes(&p, 0);
    end_nn(&p);
    for (int i = 0; i < p.n_leaves; i++)
        FUZZ_CHECK(heed_set_grad(p.leaves[i], NULL) == HEED_OK);
    for (int i = 0; i < p.n_leaves; i++)
        heed_release(p.leaves[i]);
    for (int i = 0; i < POOL; i++)
        heed_release(p.pool[i]);
}
