/* team/statistics.c - a module's buffers, which forward passes update.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "team/team.h"

#include <math.h>
#include <string.h>

#include <heed/graph.h>
#include <heed/memory.h>
#include <heed/ops.h>
#include <heed/scope.h>

/* -- Creation and freeing ------------------------------------------------------------------------------------------ */

static bool reserve_statistic(heed__statistics *s)
{
    if (s->n < s->capacity)
        return true;
    const int capacity = 2 * s->capacity + 8;
    heed__statistic *list = heed_calloc((size_t)capacity, sizeof *list);
    if (!list)
        return false;
    if (s->n > 0)
        memcpy(list, s->list, (size_t)s->n * sizeof *list);
    heed_free(s->list, (size_t)s->capacity * sizeof *list);
    s->list = list;
    s->capacity = capacity;
    return true;
}

static heed_status add_statistic(const heed_module_visit *visit, void *user)
{
    heed__statistics *s = user;
    heed_tensor *t = visit->tensor;
    if (!visit->is_buffer || heed_dtype_of(t) == HEED_BOOL)
        return HEED_OK;
    if (!heed_is_contiguous(t))
        return heed_fail(HEED_ERR_UNSUPPORTED, "data_parallel_new", "buffer %s must be contiguous", visit->name);
    heed_tensor *begin = reserve_statistic(s) ? heed_clone(t) : NULL;
    if (!begin)
        return heed_error_code();
    s->list[s->n++] = (heed__statistic){heed_retain(t), heed_retain(begin)};
    s->length += heed_numel(t);
    return HEED_OK;
}

bool heed__statistics_make(heed__statistics *s, heed_module *module)
{
    *s = (heed__statistics){0};
    heed_scope *scope = module ? heed_no_grad_begin() : NULL;
    const bool ok = !module || (scope && heed_module_walk(module, add_statistic, s) == HEED_OK);
    if (scope)
        heed_scope_end(scope);
    return ok;
}

void heed__statistics_free(heed__statistics *s)
{
    for (int i = 0; i < s->n; i++) {
        heed_release(s->list[i].buffer);
        heed_release(s->list[i].begin);
    }
    heed_free(s->list, (size_t)s->capacity * sizeof *s->list);
}

/* -- Updates ------------------------------------------------------------------------------------------------------- */

static void copy_values(heed_tensor *t, const heed_tensor *from)
{
    const size_t bytes = (size_t)heed_numel(t) * heed_dtype_size(heed_dtype_of(t));
    if (bytes > 0)
        memcpy(heed_mutable_bytes(t), heed_data_bytes(from), bytes);
}

void heed__statistics_begin(const heed__statistics *s)
{
    for (int i = 0; i < s->n; i++)
        copy_values(s->list[i].begin, s->list[i].buffer);
}

void heed__statistics_restore(const heed__statistics *s)
{
    for (int i = 0; i < s->n; i++)
        copy_values(s->list[i].buffer, s->list[i].begin);
}

/* Returns how much element k has changed between the two tensors. */
static double change_of(const heed_tensor *before, const heed_tensor *after, int64_t k)
{
    switch (heed_dtype_of(before)) {
    case HEED_F32:
        return (double)heed_data_f32(after)[k] - (double)heed_data_f32(before)[k];
    case HEED_F64:
        return heed_data_f64(after)[k] - heed_data_f64(before)[k];
    default:
        return (double)heed_data_i64(after)[k] - (double)heed_data_i64(before)[k];
    }
}

void heed__statistics_changes(const heed__statistics *s, heed_tensor *const *copies, double *changes)
{
    for (int i = 0; i < s->n; i++)
        for (int64_t k = 0, n = heed_numel(s->list[i].buffer); k < n; k++)
            *changes++ = change_of(s->list[i].begin, copies ? copies[i] : s->list[i].buffer, k);
}

/* Sets element k to its value at the beginning of the step, plus `by`. */
static void set_statistic_element(const heed__statistic *s, int64_t k, double by)
{
    switch (heed_dtype_of(s->buffer)) {
    case HEED_F32:
        heed_mutable_f32(s->buffer)[k] = (float)((double)heed_data_f32(s->begin)[k] + by);
        break;
    case HEED_F64:
        heed_mutable_f64(s->buffer)[k] = heed_data_f64(s->begin)[k] + by;
        break;
    default: { /* wraps around on overflow */
        const int64_t rounded = fabs(by) < 0x1p62 ? (int64_t)round(by) : 0;
        heed_mutable_i64(s->buffer)[k] = (int64_t)((uint64_t)heed_data_i64(s->begin)[k] + (uint64_t)rounded);
    }
    }
}

void heed__statistics_apply(const heed__statistics *s, const double *sums, double n)
{
    for (int i = 0; i < s->n; i++)
        for (int64_t k = 0, numel = heed_numel(s->list[i].buffer); k < numel; k++)
            set_statistic_element(&s->list[i], k, *sums++ / n);
}
