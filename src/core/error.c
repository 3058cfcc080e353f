/* core/error.c - the pending error of every thread, and heed_fail, through which all failures go. The code of the
 * pending error is in core/thread.h.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/debug.h>

#include <stdarg.h>
#include <string.h>

#include "base/escape.h"
#include "base/mark.h"
#include "base/utf8.h"
#include "core/instrumentation.h"
#include "core/node.h"

typedef struct error_state {
    heed_error_handler handler;
    void *user;
    bool handling;
    char message[HEED_ERROR_MESSAGE_MAX];
} error_state;

static _Thread_local error_state pending;
static _Thread_local const char *entered_as; /* the outermost active function with a name, or NULL */

heed_status heed_error_code(void)
{
    return heed__thread()->status;
}

const char *heed_error_message(void)
{
    return pending.message;
}

void heed_error_clear(void)
{
    if (pending.handling)
        return;
    entered_as = NULL; /* left over if a hook did not return; so is the module */
    heed__thread()->module = NULL;
    heed__thread()->site = NULL;
    heed__thread()->observed_depth = 0;
    heed__thread()->status = HEED_OK;
    pending.message[0] = '\0';
}

void heed__release_end(heed__thread_state *self, heed_callback before)
{
    const char *function = self->callback;
    if (heed__callback_end(self, before))
        return;
    if (heed__debugger_if_on())
        heed__notice("%s left an error, which is discarded: %s (%s)", function, pending.message,
                     heed_status_name(self->status));
    self->status = HEED_OK;
    pending.message[0] = '\0';
}

void(heed_set_error_handler)(heed_error_handler handler, void *user)
{
    pending.handler = handler;
    pending.user = user;
}

const char *heed_status_name(heed_status status)
{
    static const char *const names[] = {
        "HEED_OK",        "HEED_ERR_ARGUMENT", "HEED_ERR_SHAPE",       "HEED_ERR_DTYPE", "HEED_ERR_INDEX",
        "HEED_ERR_NOMEM", "HEED_ERR_STATE",    "HEED_ERR_UNSUPPORTED", "HEED_ERR_IO",    "HEED_ERR_FORMAT",
    };
    size_t i = (size_t)status;
    return i < sizeof names / sizeof names[0] ? names[i] : "unknown";
}

const char *heed__entered(void)
{
    return entered_as;
}

/* Sets the name of the running function unless one is set. Returns true if it did. */
static bool enter_name(const char *name)
{
    bool named = name && !entered_as;
    if (named)
        entered_as = name;
    return named;
}

/* Does not enter a freed module, because its forward reports it. */
HEED_NOINLINE static heed_entry enter_module(const char *name, const heed_module *m)
{
    heed__thread_state *self = heed__thread();
    heed_entry entry = {.outer = self->module, .named = enter_name(name), .in_module = true};
    if (m == self->module || !heed__is_marked(m->serial, HEED_MODULE))
        return entry;
    self->module = m;
    const heed__observers *observers = heed__observers_of(self);
    if (observers)
        observers->module_begins(self, &entry);
    return entry;
}

heed_entry heed_enter(const char *name, const heed_module *m)
{
    return m ? enter_module(name, m) : (heed_entry){.named = enter_name(name)};
}

HEED_NOINLINE static void leave_module(const heed_entry *entry)
{
    heed__thread_state *self = heed__thread();
    const heed__observers *observers = entry->began ? heed__observers_of(self) : NULL;
    if (observers)
        observers->module_ends(self, entry);
    self->module = entry->outer;
}

void heed_leave(const heed_entry *entry)
{
    if (entry && entry->in_module)
        leave_module(entry);
    if (entry && entry->named)
        entered_as = NULL;
}

/* Removes a truncated character from the end of the text. */
static void end_with_whole_character(char *text)
{
    size_t length = strlen(text), tail = 0;
    while (tail < length && heed__utf8_is_tail(text[length - 1 - tail]))
        tail++;
    if (tail == length)
        return;
    unsigned char lead = (unsigned char)text[length - 1 - tail];
    size_t expected = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    if (tail < expected)
        text[length - 1 - tail] = '\0';
}

/* Appends to the message up to its capacity. */
HEED_PRINTF(1, 0) static void add_list(const char *format, va_list args)
{
    size_t used = strlen(pending.message);
    (void)vsnprintf(pending.message + used, sizeof pending.message - used, format, args);
}

HEED_PRINTF(1, 2) static void add_to_message(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_list(format, args);
    va_end(args);
}

/* Escapes the message: it becomes a single line that is safe to print on a terminal, even if it quotes a name, a path
 * or a field of a file. */
static void escape(char *message)
{
    char raw[HEED_ERROR_MESSAGE_MAX];
    const size_t length = strlen(message);
    memcpy(raw, message, length);
    (void)heed__escape_copy(raw, length, message, HEED_ERROR_MESSAGE_MAX);
}

/* Writes "train.c:42: outer: net.encoder.3: where: text", without unknown parts and repetitions. In a backward pass,
 * appends the line that recorded the failing op. */
HEED_PRINTF(3, 0)
static void write_error_message(const heed__thread_state *self, const char *where, const char *format, va_list args)
{
    pending.message[0] = '\0';
    if (self->site)
        add_to_message("%s: ", self->site);
    if (entered_as && strcmp(entered_as, where) != 0)
        add_to_message("%s: ", entered_as);
    if (self->module && self->module->above) {
        char path[HEED_MODULE_PATH_MAX];
        heed__module_path(self->module, path, sizeof path);
        add_to_message("%s: ", path);
    }
    add_to_message("%s: ", where);
    if (format)
        add_list(format, args);
    const char *site = self->rule ? self->rule->site : NULL;
    const char *module = self->rule ? heed__node_module(self->rule) : NULL;
    if (site || module)
        add_to_message(" (recorded%s%s%s%s)", site ? " at " : "", site ? site : "", module ? " in " : "",
                       module ? module : "");
    if (strlen(pending.message) == sizeof pending.message - 1)
        end_with_whole_character(pending.message);
    escape(pending.message);
}

/* Makes the error with the message in `pending` the pending one, and calls the handler. */
static void raise_error(heed__thread_state *self, heed_status status)
{
    self->status = status;
    if (!pending.handler)
        return;
    heed_callback call = heed__callback_begin(self, "the error handler");
    pending.handling = true;
    pending.handler(status, pending.message, pending.user);
    pending.handling = false;
    (void)heed__callback_end(self, call);
}

/* Stores the error if no error is pending, and calls the handler. Returns the code of the pending error. */
HEED_PRINTF(3, 0) static heed_status set_error(heed_status status, const char *where, const char *format, va_list args)
{
    heed__thread_state *self = heed__thread();
    if (self->status != HEED_OK || status == HEED_OK)
        return self->status;
    write_error_message(self, where ? where : "?", format, args);
    raise_error(self, status);
    return status;
}

heed_status heed_fail(heed_status status, const char *where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    status = set_error(status, where, format, args);
    va_end(args);
    return status;
}

bool heed_fail_false(heed_status status, const char *where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)set_error(status, where, format, args);
    va_end(args);
    return false;
}

void *heed_fail_null(heed_status status, const char *where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)set_error(status, where, format, args);
    va_end(args);
    return NULL;
}

bool heed_fail_freed(const char *where, const char *what, const void *address)
{
    char description[HEED_DESCRIPTION_MAX] = "";
    const heed__debugger *debugger = heed__debugger_if_on();
    if (debugger)
        debugger->describe_freed(address, description, sizeof description);
    what = what ? what : "the object";
    if (*description)
        heed_fail(HEED_ERR_STATE, where, "%s was freed: %s", what, description);
    else
        heed_fail(HEED_ERR_STATE, where, "%s was freed%s", what, debugger ? "" : " (HEED_DEBUG=1 reports where)");
    return false;
}

void heed__errors_begin(heed__errors *outer, const char *entered)
{
    heed__thread_state *self = heed__thread();
    outer->status = self->status;
    outer->entered = entered_as;
    outer->handler = pending.handler;
    outer->user = pending.user;
    if (self->status != HEED_OK)
        memcpy(outer->message, pending.message, sizeof outer->message);
    self->status = HEED_OK;
    entered_as = entered;
    pending.handler = NULL;
}

void heed__errors_end(const heed__errors *outer, heed__errors *inner)
{
    heed__thread_state *self = heed__thread();
    if (inner)
        inner->status = self->status;
    if (inner && self->status != HEED_OK)
        memcpy(inner->message, pending.message, sizeof inner->message);
    self->status = outer->status;
    entered_as = outer->entered;
    pending.handler = outer->handler;
    pending.user = outer->user;
    if (outer->status != HEED_OK)
        memcpy(pending.message, outer->message, sizeof pending.message);
    else
        pending.message[0] = '\0';
}

void heed__fail_with(const heed__errors *errors)
{
    heed__thread_state *self = heed__thread();
    if (self->status != HEED_OK)
        return;
    memcpy(pending.message, errors->message, sizeof pending.message);
    raise_error(self, errors->status);
}

/* Writes "input 0 or input 2 or an output": the inputs and outputs that the node does not save, truncated to `size`; ""
 * if it saves all. */
static void list_unsaved(const heed__node *node, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < node->n_inputs && used < size; i++)
        if (!heed__node_saved(node)[i])
            used += (size_t)snprintf(text + used, size - used, "%sinput %d", used > 0 ? " or " : "", i);
    if (!(node->op->saved & HEED_SAVE_OUTPUTS) && used < size)
        (void)snprintf(text + used, size - used, "%san output", used > 0 ? " or " : "");
}

void heed__fail_null(const char *where, const char *what)
{
    const heed__thread_state *self = heed__thread();
    char missing[200] = "";
    if (self->rule && self->callback == self->rule->op->name) /* and not a function that the rule has called */
        list_unsaved(self->rule, missing, sizeof missing);
    if (missing[0])
        heed_fail(HEED_ERR_ARGUMENT, self->callback, "backward uses %s, which .saved does not name (%s: %s is NULL)",
                  missing, where ? where : "?", what);
    else
        heed_fail(HEED_ERR_ARGUMENT, where, "%s is NULL", what);
}
