/* core/error.c - the pending error of each thread, and the door all failures pass. */

#include <heed/error.h>

#include <stdarg.h>
#include <stdbool.h>

typedef struct error_state {
    heed_status status;
    heed_error_handler handler;
    void *user;
    bool handling;
    char message[HEED_ERROR_MESSAGE_MAX];
} error_state;

static _Thread_local error_state pending;

heed_status heed_error_code(void)
{
    return pending.status;
}

const char *heed_error_message(void)
{
    return pending.message;
}

void heed_error_clear(void)
{
    if (pending.handling)
        return;
    pending.status = HEED_OK;
    pending.message[0] = '\0';
}

void heed_set_error_handler(heed_error_handler handler, void *user)
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

heed_status heed_fail(heed_status status, const char *where, const char *format, ...)
{
    if (pending.status != HEED_OK || status == HEED_OK)
        return status;
    int used = snprintf(pending.message, sizeof pending.message, "%s: ", where ? where : "?");
    if (used >= 0 && (size_t)used < sizeof pending.message && format) {
        va_list args;
        va_start(args, format);
        (void)vsnprintf(pending.message + used, sizeof pending.message - (size_t)used, format, args);
        va_end(args);
    }
    pending.status = status;
    if (pending.handler) {
        pending.handling = true;
        pending.handler(status, pending.message, pending.user);
        pending.handling = false;
    }
    return status;
}
