/* nn/module_walk.c - walks over a module and all modules below it: paths, counts, modes, freezing, state.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include <heed/debug.h>
#include <heed/graph.h>

#include "base/mark.h"
#include "nn/module.h"

heed_module_member *heed__module_next(const heed_module *root, const heed_module_member *member)
{
    if (!member)
        return root->first;
    if (member->child && member->child->first)
        return member->child->first;
    while (!member->next) {
        if (member->owner == root)
            return NULL;
        member = member->owner->parent;
    }
    return member->next;
}

bool heed__module_check(const char *where, const heed_module *m)
{
    if (!m)
        return heed_fail_false(HEED_ERR_ARGUMENT, where, "the module is NULL");
    return heed__is_marked(m->serial, HEED_MODULE) || heed_fail_freed(where, "the module", m);
}

/* Writes the path, the names from root down to the member joined by dots, so that it ends at the end of `text`. Returns
 * the beginning of the path, or NULL if it does not fit. */
static const char *path_of(const heed_module *root, const heed_module_member *member,
                           char text[HEED_MODULE_PATH_MAX + 1])
{
    char *at = text + HEED_MODULE_PATH_MAX;
    *at = '\0';
    for (;;) {
        size_t length = strlen(member->name);
        if (length > (size_t)(at - text))
            return NULL;
        at -= length;
        memcpy(at, member->name, length);
        if (member->owner == root)
            return at;
        if (at == text)
            return NULL;
        *--at = '.';
        member = member->owner->parent;
    }
}

heed_status heed_module_walk(heed_module *m, heed_module_visitor visitor, void *user)
{
    HEED_ENTER("module_walk");
    if (!heed__module_check("module_walk", m))
        return heed_error_code();
    if (!visitor)
        return heed_fail(HEED_ERR_ARGUMENT, "module_walk", "the visitor is NULL");
    for (heed_module_member *it = heed__module_next(m, NULL); it; it = heed__module_next(m, it)) {
        if (!it->tensor)
            continue;
        char text[HEED_MODULE_PATH_MAX + 1];
        heed_module_visit visit = {path_of(m, it, text), it->tensor, it->is_buffer, it->owner};
        if (!visit.name)
            return heed_fail(HEED_ERR_UNSUPPORTED, "module_walk",
                             "the path to \"%.64s\" of a %s has more than %d bytes", it->name, it->owner->type,
                             HEED_MODULE_PATH_MAX);
        heed_callback call = heed_callback_begin("the visitor");
        heed_status status = visitor(&visit, user);
        if (!heed_callback_end(&call) || status != HEED_OK)
            return status != HEED_OK ? status : heed_error_code();
    }
    return HEED_OK;
}

/* Lists the names of m's members, such as "weight, bias", truncated to `size` bytes. */
static void list_members(const heed_module *m, char *text, size_t size)
{
    text[0] = '\0';
    for (const heed_module_member *it = m->first; it; it = it->next) {
        size_t used = strlen(text);
        int length = snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", it->name);
        if (length >= (int)(size - used))
            return;
    }
}

/* Calls the visitor once; returns HEED_OK to continue. */
static heed_status visit_module(heed_submodule_visitor visitor, const char *path, heed_module *m, void *user)
{
    heed_callback call = heed_callback_begin("the visitor");
    const heed_status status = visitor(path, m, user);
    return heed_callback_end(&call) || status != HEED_OK ? status : heed_error_code();
}

heed_status heed_module_walk_modules(heed_module *m, heed_submodule_visitor visitor, void *user)
{
    static const char where[] = "module_walk_modules";
    HEED_ENTER(where);
    if (!heed__module_check(where, m))
        return heed_error_code();
    if (!visitor)
        return heed_fail(HEED_ERR_ARGUMENT, where, "the visitor is NULL");
    heed_status status = visit_module(visitor, "", m, user);
    for (heed_module_member *it = heed__module_next(m, NULL); it && status == HEED_OK; it = heed__module_next(m, it)) {
        if (!it->child)
            continue;
        char text[HEED_MODULE_PATH_MAX + 1];
        const char *path = path_of(m, it, text);
        if (!path)
            return heed_fail(HEED_ERR_UNSUPPORTED, where, "the path to \"%.64s\" of a %s has more than %d bytes",
                             it->name, it->owner->type, HEED_MODULE_PATH_MAX);
        status = visit_module(visitor, path, it->child, user);
    }
    return status;
}

void heed__module_fail_path(const char *where, const heed_module *m, const char *path, const heed_module *owner)
{
    char names[128];
    list_members(owner, names, sizeof names);
    heed_fail(HEED_ERR_ARGUMENT, where, "%s has no parameter or buffer \"%s\"; %s has: %s", m->type, path,
              owner == m ? "it" : owner->type, names);
}

heed_module *heed__module_owner(const char *where, heed_module *m, const char *path, const char **name)
{
    if (!heed__module_check(where, m))
        return NULL;
    if (!path)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "the path is NULL");
    heed_module *owner = m;
    for (*name = path;;) {
        const size_t length = strcspn(*name, ".");
        if ((*name)[length] == '\0')
            return owner;
        const heed_module_member *member = heed__module_member(owner, *name, length);
        if (!member || !member->child) {
            heed__module_fail_path(where, m, path, owner);
            return NULL;
        }
        owner = member->child;
        *name += length + 1;
    }
}

heed_tensor *heed_module_find(heed_module *m, const char *path)
{
    const char *name;
    heed_module *owner = heed__module_owner("module_find", m, path, &name);
    if (!owner)
        return NULL;
    const heed_module_member *member = heed__module_member(owner, name, strlen(name));
    heed_tensor *t = member ? member->tensor : heed__module_computed(owner, name);
    if (!t)
        heed__module_fail_path("module_find", m, path, owner);
    return t;
}

int64_t heed_module_parameter_count(heed_module *m)
{
    int64_t count = 0;
    if (heed__module_check("module_parameter_count", m))
        for (heed_module_member *it = heed__module_next(m, NULL); it; it = heed__module_next(m, it))
            count += heed__module_is_parameter(it);
    return count;
}

int64_t heed_module_parameter_numel(heed_module *m)
{
    int64_t numel = 0;
    if (heed__module_check("module_parameter_numel", m))
        for (heed_module_member *it = heed__module_next(m, NULL); it; it = heed__module_next(m, it))
            if (heed__module_is_parameter(it))
                numel += heed_numel(it->tensor);
    return numel;
}

static heed_status set_training(const char *where, heed_module *m, bool training)
{
    if (!heed__module_check(where, m))
        return heed_error_code();
    m->training = training;
    for (heed_module_member *it = heed__module_next(m, NULL); it; it = heed__module_next(m, it))
        if (it->child)
            it->child->training = training;
    return HEED_OK;
}

heed_status heed_module_train(heed_module *m)
{
    return set_training("module_train", m, true);
}

heed_status heed_module_eval(heed_module *m)
{
    return set_training("module_eval", m, false);
}

heed_status heed_module_zero_grad(heed_module *m)
{
    if (!heed__module_check("module_zero_grad", m))
        return heed_error_code();
    for (heed_module_member *it = heed__module_next(m, NULL); it; it = heed__module_next(m, it)) {
        if (!heed__module_is_parameter(it))
            continue;
        heed_status status = heed_set_grad(it->tensor, NULL);
        if (status != HEED_OK)
            return status;
    }
    return HEED_OK;
}

/* -- Patterns ------------------------------------------------------------------------------------------------------ */

/* The paths of the first `listed` of `parameters` parameters, as many as fit in the text. */
typedef struct path_list {
    char text[256];
    size_t used;
    int64_t listed, parameters;
} path_list;

static heed_status list_path(const heed_module_visit *visit, void *user)
{
    path_list *list = user;
    const size_t length = strlen(visit->name);
    if (visit->is_buffer)
        return HEED_OK;
    if (list->listed == list->parameters++ && list->used + length + sizeof ", ..." <= sizeof list->text) {
        list->used += (size_t)snprintf(list->text + list->used, sizeof list->text - list->used, "%s%s",
                                       list->listed > 0 ? ", " : "", visit->name);
        list->listed++;
    }
    return HEED_OK;
}

static void fail_match(const char *where, heed_module *m, const char *pattern)
{
    path_list list = {.used = 0};
    if (heed_module_walk(m, list_path, &list) == HEED_OK)
        heed_fail(HEED_ERR_ARGUMENT, where, "no parameter of the %s matches \"%.64s\": it has %s%s", m->type, pattern,
                  list.parameters > 0 ? list.text : "none", list.listed < list.parameters ? ", ..." : "");
}

/* Returns true if the pattern, which ends at `end`, matches all of the text. '*' matches any characters, '?' one
 * character. After a mismatch the last '*' is tried with one character more. */
static bool matches(const char *pattern, const char *end, const char *text)
{
    const char *star = NULL, *star_end = NULL;
    while (*text) {
        if (pattern < end && *pattern == '*') {
            star = pattern++;
            star_end = text;
        } else if (pattern < end && (*pattern == '?' || *pattern == *text)) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++star_end;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

/* Returns true if one of the alternatives of the pattern, PATH or TYPE:PATH, matches the parameter. */
static bool matches_any(const char *pattern, const heed_module_visit *visit)
{
    for (;; pattern++) {
        const char *end = pattern + strcspn(pattern, "|"), *colon = memchr(pattern, ':', (size_t)(end - pattern));
        if ((!colon || matches(pattern, colon, visit->owner->type)) &&
            matches(colon ? colon + 1 : pattern, end, visit->name))
            return true;
        if (!*end)
            return false;
        pattern = end;
    }
}

/* A walk over matching parameters. */
typedef struct match_walk {
    const char *pattern;
    heed_module_visitor visitor;
    void *user;
    int64_t matched;
} match_walk;

static heed_status visit_match(const heed_module_visit *visit, void *user)
{
    match_walk *w = user;
    if (visit->is_buffer || !matches_any(w->pattern, visit))
        return HEED_OK;
    w->matched++;
    return w->visitor(visit, w->user);
}

static int64_t walk_matching(const char *where, heed_module *m, const char *pattern, heed_module_visitor visitor,
                             void *user)
{
    HEED_ENTER(where);
    match_walk w = {pattern, visitor, user, 0};
    if (!heed__module_check(where, m))
        return 0;
    if (!pattern || !visitor)
        heed_fail(HEED_ERR_ARGUMENT, where, "the %s is NULL", pattern ? "visitor" : "pattern");
    else if (heed_module_walk(m, visit_match, &w) != HEED_OK)
        return 0;
    else if (w.matched == 0)
        fail_match(where, m, pattern);
    return w.matched;
}

int64_t heed_module_walk_matching(heed_module *m, const char *pattern, heed_module_visitor visitor, void *user)
{
    return walk_matching("module_walk_matching", m, pattern, visitor, user);
}

static heed_status freeze(const heed_module_visit *visit, void *requires_grad)
{
    return heed_set_requires_grad(visit->tensor, *(const bool *)requires_grad) ? HEED_OK : heed_error_code();
}

int64_t heed_module_set_requires_grad(heed_module *m, const char *pattern, bool requires_grad)
{
    return walk_matching("module_set_requires_grad", m, pattern, freeze, &requires_grad);
}

/* -- State: parameters and buffers by their paths ------------------------------------------------------------------ */

static heed_status add_to_state(const heed_module_visit *visit, void *state)
{
    return heed_dict_set(state, visit->name, visit->tensor);
}

heed_dict *heed_module_state(heed_module *m)
{
    HEED_ENTER("module_state");
    if (!heed__module_check("module_state", m))
        return NULL;
    heed_dict *state = heed_dict_new();
    if (!state || heed_module_walk(m, add_to_state, state) == HEED_OK)
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
    const int64_t of_skipped = options && options->skipped ? heed_dict_size(options->skipped) : 1;
    if ((heed_dict_size(state) == 0 || of_skipped == 0) && heed_error_code() != HEED_OK)
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
