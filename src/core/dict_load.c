/* core/dict_load.c - copies the tensors of one dict into the tensors of a second dict. Everything is checked before
 * anything is copied.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <heed/graph.h>

#include "core/dict.h"
#include "core/loop.h"
#include "core/memory.h"
#include "core/thread.h"

#define ADVICE_MAX 96

typedef struct loading {
    const char *where;
    const heed_dict *into, *from;
    const char *prefix;
    size_t prefix_length;
    heed__table written; /* items are written_storage; empty if no other object owns a tensor of `from` */
} loading;

/* A storage, and the number of tensors that will be copied into it. */
typedef struct written_storage {
    const heed__storage *storage;
    int64_t tensors;
} written_storage;

/* The text of an error message that lists the tensors that do not fit. */
typedef struct report {
    char text[HEED_ERROR_MESSAGE_MAX - 64 - ADVICE_MAX];
    size_t used;
    bool full; /* the text overflowed: "..." replaces everything from there on */
} report;

HEED_PRINTF(2, 3) static void append_problem(report *r, const char *format, ...)
{
    static const char more[] = " ...";
    size_t left = sizeof r->text - sizeof more - r->used;
    va_list list;
    va_start(list, format);
    int n = r->full ? 0 : vsnprintf(r->text + r->used, left, format, list);
    va_end(list);
    if (n >= 0 && (size_t)n < left) {
        r->used += (size_t)n;
        return;
    }
    r->full = true;
    memcpy(r->text + r->used, more, sizeof more);
}

/* -- Names -------------------------------------------------------------------------------------------------------- */

static bool has_prefix(const loading *l, const char *name)
{
    return strncmp(name, l->prefix, l->prefix_length) == 0;
}

/* Returns the tensor of `into` that a name of `from` refers to, or NULL. */
static heed_tensor *target_of(const loading *l, const char *name)
{
    const char *own = has_prefix(l, name) ? name + l->prefix_length : NULL;
    return own && heed_dict_has(l->into, own) ? heed_dict_get(l->into, own) : NULL;
}

/* Returns true if `into` lacks a tensor of `from`. The tensors of scalers, which a file may contain next to a model, do
 * not count. */
static bool is_unexpected(const loading *l, const char *name)
{
    return has_prefix(l, name) && !target_of(l, name) && !heed__dict_is_of_scaler(l->from, name);
}

static void list_missing(const loading *l, int64_t count, report *r)
{
    append_problem(r, "%s%" PRId64 " missing:", r->used > 0 ? "; " : "", count);
    for (int64_t i = 0; i < heed_dict_size(l->into) && !r->full; i++)
        if (!heed__dict_has_joined(l->from, l->prefix, heed_dict_name(l->into, i)))
            append_problem(r, " %s%s", l->prefix, heed_dict_name(l->into, i));
}

static void list_unexpected(const loading *l, int64_t count, report *r)
{
    append_problem(r, "%s%" PRId64 " unexpected:", r->used > 0 ? "; " : "", count);
    for (int64_t i = 0; i < heed_dict_size(l->from) && !r->full; i++) {
        const char *name = heed_dict_name(l->from, i);
        if (is_unexpected(l, name))
            append_problem(r, " %s", name);
    }
}

/* -- Tensors ------------------------------------------------------------------------------------------------------ */

static bool is_like_parameter(const heed_tensor *to, const heed_tensor *t)
{
    return to->dtype == t->dtype && heed_shape_equal(to->shape, t->shape);
}

typedef struct difference {
    char text[420];
} difference;

/* Returns a text such as "is f32 (3): must be f32 (4)". */
static difference difference_of(const heed_tensor *to, const heed_tensor *t)
{
    difference d;
    (void)snprintf(d.text, sizeof d.text, "is %s %s: must be %s %s", heed_dtype_name(t->dtype),
                   heed_shape_text(t->shape).s, heed_dtype_name(to->dtype), heed_shape_text(to->shape).s);
    return d;
}

static void list_unlike(const loading *l, int64_t count, report *r)
{
    append_problem(r, "%s%" PRId64 " with a different dtype or shape:", r->used > 0 ? "; " : "", count);
    const char *comma = "";
    for (int64_t i = 0; i < heed_dict_size(l->from) && !r->full; i++) {
        const heed_tensor *t = heed_dict_at(l->from, i), *to = target_of(l, heed_dict_name(l->from, i));
        if (!to || is_like_parameter(to, t))
            continue;
        append_problem(r, "%s %s %s", comma, heed_dict_name(l->from, i), difference_of(to, t).text);
        comma = ",";
    }
}

static bool are_blocks(const heed_tensor *to, const heed_tensor *t)
{
    return to->contiguous && t->contiguous;
}

/* Counts the tensors that will be copied into every storage, if a tensor of `from` may lie in one of these storages. */
static bool count_written(loading *l)
{
    bool shared = false; /* a tensor or its elements have an owner other than a dict */
    for (int64_t i = 0; i < heed_dict_size(l->from) && !shared; i++) {
        heed_tensor *t = heed_dict_at(l->from, i);
        shared = heed__count_owners(&t->refs) > 1 || heed__count_owners(&t->storage->refs) > 1;
    }
    for (int64_t i = 0; i < heed_dict_size(l->from) && shared; i++) {
        const heed_tensor *to = target_of(l, heed_dict_name(l->from, i));
        if (!to || to == heed_dict_at(l->from, i) || !is_like_parameter(to, heed_dict_at(l->from, i)))
            continue;
        size_t at = heed__table_add(l->where, &l->written, to->storage);
        if (at == SIZE_MAX)
            return false;
        ((written_storage *)l->written.items)[at].tensors++;
    }
    return true;
}

/* Checks that the elements of t can be copied to `to` without an intermediate copy. */
static bool check_entry_layout(const loading *l, const char *name, const heed_tensor *to, const heed_tensor *t)
{
    const bool same = to->storage == t->storage, overlaps = heed__overlaps_itself(to);
    const size_t at = heed__table_find(&l->written, t->storage);
    const int64_t writers = at == SIZE_MAX ? 0 : ((const written_storage *)l->written.items)[at].tensors;
    const bool shares = to != t && ((same && !are_blocks(to, t)) || writers > same);
    if (!overlaps && !shares)
        return true;
    return heed_fail_false(HEED_ERR_UNSUPPORTED, l->where, "%s %s", name,
                           overlaps ? "would be copied to a view with overlapping elements"
                           : same   ? "would be copied to a different view of the same elements"
                                    : "lies in memory that the tensor of a different name overwrites");
}

static bool ends_in_name(const char *name, const char *tail)
{
    const size_t length = strlen(name), n = strlen(tail);
    return length >= n && strcmp(name + length - n, tail) == 0;
}

static bool has_embedding(const heed_dict *dict, heed_shape shape)
{
    for (int64_t i = 0; i < heed_dict_size(dict); i++)
        if (ends_in_name(heed_dict_name(dict, i), "embedding.weight") &&
            heed_shape_equal(heed_dict_at(dict, i)->shape, shape))
            return true;
    return false;
}

/* Returns true if one side lacks only a decoder's output map, "dense", because its output map is its embedding. */
static bool lacks_only_dense(const loading *l, bool missing)
{
    const heed_dict *dict = missing ? l->into : l->from;
    bool found = false;
    for (int64_t i = 0; i < heed_dict_size(dict); i++) {
        const char *name = heed_dict_name(dict, i);
        if (missing ? heed__dict_has_joined(l->from, l->prefix, name) : !is_unexpected(l, name))
            continue;
        const bool is_map = ends_in_name(name, "dense.weight") && has_embedding(dict, heed_dict_at(dict, i)->shape);
        if (!is_map && !ends_in_name(name, "dense.bias"))
            return false;
        found = found || is_map;
    }
    return found;
}

/* Returns advice about names that only one side has, if that is the only fault. Programs set these options in
 * heed_dict_load and heed_module_load_state. */
static const char *advice(const loading *l, bool missing, bool unexpected, bool unlike)
{
    const char *entered = heed__entered();
    if (missing + unexpected + unlike != 1)
        return "";
    if (!unlike && lacks_only_dense(l, missing))
        return missing ? " (its output map is its embedding: make the module with .tied)"
                       : " (its output map differs from its embedding: make the module without .tied)";
    if (entered && strcmp(entered, "module_load_state") != 0 && strcmp(entered, "optimizer_load_state") != 0)
        return "";
    return missing      ? " (.allow_missing leaves them as they are)"
           : unexpected ? " (.allow_unexpected ignores them)"
                        : " (.allow_unlike leaves them as they are)";
}

static bool check_entries(const loading *l, const heed_dict_load_options *o)
{
    int64_t missing = heed_dict_size(l->into), unexpected = 0, unlike = 0;
    for (int64_t i = 0; i < heed_dict_size(l->from); i++) {
        const char *name = heed_dict_name(l->from, i);
        const heed_tensor *t = heed_dict_at(l->from, i), *to = target_of(l, name);
        missing -= to != NULL;
        unexpected += is_unexpected(l, name);
        const bool differs = to && !is_like_parameter(to, t);
        unlike += differs;
        if (to && !(differs && o->allow_unlike) && !check_entry_layout(l, name, to, t))
            return false;
    }
    report r = {.used = 0};
    missing = o->allow_missing ? 0 : missing;
    unexpected = o->allow_unexpected ? 0 : unexpected;
    unlike = o->allow_unlike ? 0 : unlike;
    if (missing > 0)
        list_missing(l, missing, &r);
    if (unexpected > 0)
        list_unexpected(l, unexpected, &r);
    if (unlike > 0)
        list_unlike(l, unlike, &r);
    return r.used == 0 || heed_fail_false(HEED_ERR_ARGUMENT, l->where, "%s%s", r.text,
                                          advice(l, missing > 0, unexpected > 0, unlike > 0));
}

static bool skip_entry(heed_dict *skipped, const char *name, const char *reason)
{
    return heed_dict_set_text(skipped, name, reason) == HEED_OK;
}

/* Adds every skipped entry to `skipped`. Returns false after heed_fail. */
static bool add_skipped(const loading *l, heed_dict *skipped)
{
    HEED_ENTER(l->where);
    bool ok = heed__dict_check(l->where, skipped);
    for (int64_t i = 0; i < heed_dict_size(l->into) && ok; i++)
        if (!heed__dict_has_joined(l->from, l->prefix, heed_dict_name(l->into, i)))
            ok = skip_entry(skipped, heed_dict_name(l->into, i), "missing");
    for (int64_t i = 0; i < heed_dict_size(l->from) && ok; i++) {
        const char *name = heed_dict_name(l->from, i);
        const heed_tensor *t = heed_dict_at(l->from, i), *to = target_of(l, name);
        if (to ? is_like_parameter(to, t) : !is_unexpected(l, name))
            continue;
        const char *own = name[l->prefix_length] ? name + l->prefix_length : name;
        ok = skip_entry(skipped, own, to ? difference_of(to, t).text : "unexpected");
    }
    return ok;
}

/* Recording is off and elements do not overlap, so every write is allowed. */
static void copy_all(const loading *l)
{
    bool recording = heed_set_grad_enabled(false);
    for (int64_t i = 0; i < heed_dict_size(l->from); i++) {
        const heed_tensor *t = heed_dict_at(l->from, i);
        heed_tensor *to = target_of(l, heed_dict_name(l->from, i));
        if (!to || !is_like_parameter(to, t) || t->numel == 0 || !heed__begin_write(l->where, to))
            continue;
        if (are_blocks(to, t))
            memmove(to->data, t->data, (size_t)t->numel * heed_dtype_size(t->dtype));
        else
            heed__copy(t, to);
    }
    heed_set_grad_enabled(recording);
}

static bool prepare_load(loading *l, const heed_dict_load_options *options)
{
    const heed_dict_load_options o = options ? *options : (heed_dict_load_options){.prefix = NULL};
    if (!l->into || !l->from)
        return heed_fail_false(HEED_ERR_ARGUMENT, l->where, "the dict to load %s is NULL", l->into ? "from" : "into");
    if (!heed__dict_check(l->where, l->into) || !heed__dict_check(l->where, l->from))
        return false;
    l->prefix = o.prefix ? o.prefix : "";
    l->prefix_length = strlen(l->prefix);
    l->written.item_size = sizeof(written_storage);
    bool fits = count_written(l) && check_entries(l, &o) && (!o.skipped || add_skipped(l, o.skipped));
    heed__table_free(&l->written);
    return fits;
}

heed_status heed_dict_load(heed_dict *into, const heed_dict *from, const heed_dict_load_options *options)
{
    loading l = {.where = "dict_load", .into = into, .from = from};
    if (!prepare_load(&l, options))
        return heed_error_code();
    if (!options || !options->check_only)
        copy_all(&l);
    return HEED_OK;
}
