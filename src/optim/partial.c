/* optim/partial.c - optimizers that update, and have state for, only a range of every parameter.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "optim/optimizer.h"

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>

static heed__slot *slot_of_parameter(const heed_optimizer *o, int i)
{
    heed__group *const *group = o->groups;
    for (; i >= (*group)->n; group++)
        i -= (*group)->n;
    return &(*group)->slots[i];
}

static heed_tensor *slice_of(heed_tensor *t, const heed__element_range *range)
{
    return heed_slice(heed_reshape(t, HEED_SHAPE(heed_numel(t))), 0, range->begin, range->end, 1);
}

heed_tensor *heed__slot_slice(const heed_optimizer *o, const heed__slot *slot, heed_tensor *t)
{
    return o->partial ? slice_of(t, &slot->range) : t;
}

heed_tensor *heed__optimizer_buffer(const heed_optimizer *o, int i, int k)
{
    return slot_of_parameter(o, i)->buffer[k];
}

void heed__optimizer_swap(heed_optimizer *o, heed_tensor **buffers, bool partial)
{
    for (int i = 0; i < o->parameters.n; i++) {
        heed__slot *slot = slot_of_parameter(o, i);
        for (int k = 0; k < HEED_OPTIMIZER_BUFFERS; k++, buffers++) {
            heed_tensor *buffer = slot->buffer[k];
            slot->buffer[k] = *buffers;
            *buffers = buffer;
        }
    }
    o->partial = partial;
}

/* Copies the range of every whole buffer to `buffers`, so that the whole buffers can be freed. Returns false after
 * heed_fail. */
static bool copy_ranges(const heed_optimizer *o, const heed__element_range *ranges, heed_tensor **buffers)
{
    for (int i = 0; i < o->parameters.n; i++)
        for (int k = 0; k < HEED_OPTIMIZER_BUFFERS; k++, buffers++) {
            heed_tensor *whole = heed__optimizer_buffer(o, i, k);
            if (whole && !(*buffers = heed_retain(heed_clone(slice_of(whole, &ranges[i])))))
                return false;
        }
    return true;
}

bool heed__optimizer_set_ranges(heed_optimizer *o, const heed__element_range *ranges)
{
    const size_t n = (size_t)o->parameters.n * HEED_OPTIMIZER_BUFFERS;
    heed_tensor **buffers = heed_calloc(n, sizeof *buffers);
    heed_scope *scope = buffers ? heed_no_grad_begin() : NULL;
    const bool ok = scope && copy_ranges(o, ranges, buffers);
    if (ok) {
        heed__optimizer_swap(o, buffers, true);
        for (int i = 0; i < o->parameters.n; i++)
            slot_of_parameter(o, i)->range = ranges[i];
    }
    for (size_t i = 0; buffers && i < n; i++)
        heed_release(buffers[i]);
    if (scope)
        heed_scope_end(scope);
    heed_free(buffers, n * sizeof *buffers);
    return ok;
}
