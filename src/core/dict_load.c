/* core/dict_load.c - copies the tensors of one dict into another's: all is looked at before anything is copied. */

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include <heed/graph.h>

#include "core/dict.h"
#include "core/loop.h"

typedef struct loading {
    const char *where;
    const heed_dict *into, *from;
    const char *prefix;
    size_t prefix_length;
} loading;

/* What does not fit, in words. */
typedef struct report {
    char text[HEED_ERROR_MESSAGE_MAX - 64];
    size_t used;
    bool full; /* a part did not fit, and "..." stands for it and all behind it */
} report;

static void append(report *r, const char *format, ...) HEED_PRINTF(2, 3);

static void append(report *r, const char *format, ...)
{
    static const char more[] = " ...";
    size_t room = sizeof r->text - sizeof more - r->used;
    va_list list;
    va_start(list, format);
    int n = r->full ? 0 : vsnprintf(r->text + r->used, room, format, list);
    va_end(list);
    if (n >= 0 && (size_t)n < room) {
        r->used += (size_t)n;
        return;
    }
    r->full = true;
    memcpy(r->text + r->used, more, sizeof more);
}

/* -- Names -------------------------------------------------------------------------------------------------------- */

/* The tensor of `into` that is meant by a name of `from`; NULL when there is none. *counts: the name has the prefix. */
static heed_tensor *target_of(const loading *l, const char *name, bool *counts)
{
    *counts = strncmp(name, l->prefix, l->prefix_length) == 0;
    name += *counts ? l->prefix_length : 0;
    return *counts && heed_dict_has(l->into, name) ? heed_dict_get(l->into, name) : NULL;
}

static void list_missing(const loading *l, int64_t count, report *r)
{
    append(r, "%s%" PRId64 " missing:", r->used > 0 ? "; " : "", count);
    for (int64_t i = 0; i < heed_dict_size(l->into) && !r->full; i++)
        if (!heed__dict_has_joined(l->from, l->prefix, heed_dict_name(l->into, i)))
            append(r, " %s%s", l->prefix, heed_dict_name(l->into, i));
}

static void list_unexpected(const loading *l, int64_t count, report *r)
{
    append(r, "%s%" PRId64 " unexpected:", r->used > 0 ? "; " : "", count);
    for (int64_t i = 0; i < heed_dict_size(l->from) && !r->full; i++) {
        bool counts;
        if (!target_of(l, heed_dict_name(l->from, i), &counts) && counts)
            append(r, " %s", heed_dict_name(l->from, i));
    }
}

/* -- Tensors ------------------------------------------------------------------------------------------------------ */

static bool is_like(const heed_tensor *to, const heed_tensor *t)
{
    return to->dtype == t->dtype && heed_shape_equal(to->shape, t->shape);
}

static void list_unlike(const loading *l, int64_t count, report *r)
{
    append(r, "%s%" PRId64 " of another dtype or shape:", r->used > 0 ? "; " : "", count);
    for (int64_t i = 0; i < heed_dict_size(l->from) && !r->full; i++) {
        bool counts;
        const heed_tensor *t = heed_dict_at(l->from, i), *to = target_of(l, heed_dict_name(l->from, i), &counts);
        if (to && !is_like(to, t))
            append(r, " %s is %s %s, wants %s %s", heed_dict_name(l->from, i), heed_dtype_name(t->dtype),
                   heed_shape_text(t->shape).s, heed_dtype_name(to->dtype), heed_shape_text(to->shape).s);
    }
}

static bool are_blocks(const heed_tensor *to, const heed_tensor *t)
{
    return to->contiguous && t->contiguous;
}

/* Adds to the count of each storage that is to be written. */
static void count_targets(const loading *l, int64_t change)
{
    for (int64_t i = 0; i < heed_dict_size(l->from); i++) {
        bool counts;
        heed_tensor *to = target_of(l, heed_dict_name(l->from, i), &counts);
        if (to && to != heed_dict_at(l->from, i))
            to->storage->targets += change;
    }
}

/* Whether elements can be copied from t to `to` with nothing in between. */
static bool check_layout(const loading *l, const char *name, const heed_tensor *to, const heed_tensor *t)
{
    bool same = to->storage == t->storage, overlaps = heed__overlaps_itself(to);
    bool shares = to != t && ((same && !are_blocks(to, t)) || t->storage->targets > same);
    if (!overlaps && !shares)
        return true;
    return heed_fail_false(HEED_ERR_UNSUPPORTED, l->where, "%s %s", name,
                           overlaps ? "is to be copied to a view whose elements overlap"
                           : same   ? "is to be copied to another view of the same elements"
                                    : "lies where the tensor of another name is to be written");
}

static heed_status check(const loading *l, const heed_dict_load_options *o)
{
    int64_t missing = heed_dict_size(l->into), unexpected = 0, unlike = 0;
    bool apart = true;
    count_targets(l, 1);
    for (int64_t i = 0; i < heed_dict_size(l->from); i++) {
        bool counts;
        const heed_tensor *t = heed_dict_at(l->from, i), *to = target_of(l, heed_dict_name(l->from, i), &counts);
        missing -= to != NULL;
        unexpected += counts && !to;
        unlike += to && !is_like(to, t);
        apart = apart && (!to || check_layout(l, heed_dict_name(l->from, i), to, t));
    }
    count_targets(l, -1);
    if (!apart)
        return HEED_ERR_UNSUPPORTED;
    report r = {.used = 0};
    if (missing > 0 && !o->allow_missing)
        list_missing(l, missing, &r);
    if (unexpected > 0 && !o->allow_unexpected)
        list_unexpected(l, unexpected, &r);
    if (unlike > 0)
        list_unlike(l, unlike, &r);
    return r.used > 0 ? heed_fail(HEED_ERR_ARGUMENT, l->where, "%s", r.text) : HEED_OK;
}

/* Recording is off, and no elements overlap, so a write is always allowed. */
static void copy_all(const loading *l)
{
    bool recording = heed_set_grad_enabled(false);
    for (int64_t i = 0; i < heed_dict_size(l->from); i++) {
        bool counts;
        const heed_tensor *t = heed_dict_at(l->from, i);
        heed_tensor *to = target_of(l, heed_dict_name(l->from, i), &counts);
        if (!to || t->numel == 0 || !heed__begin_write(l->where, to))
            continue;
        if (are_blocks(to, t))
            memmove(to->data, t->data, (size_t)t->numel * heed_dtype_size(t->dtype));
        else
            heed__copy(t, to);
    }
    heed_set_grad_enabled(recording);
}

heed_status heed_dict_load(heed_dict *into, const heed_dict *from, const heed_dict_load_options *options)
{
    heed_dict_load_options o = options ? *options : (heed_dict_load_options){.prefix = NULL};
    loading l = {.into = into, .from = from, .prefix = o.prefix ? o.prefix : ""};
    l.where = o.where ? o.where : "dict_load";
    if (!into || !from)
        return heed_fail(HEED_ERR_ARGUMENT, l.where, "the dict to load %s is NULL", into ? "from" : "into");
    l.prefix_length = strlen(l.prefix);
    heed_status status = check(&l, &o);
    if (status == HEED_OK && !o.check_only)
        copy_all(&l);
    return status;
}
