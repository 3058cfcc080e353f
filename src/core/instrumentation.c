/* core/instrumentation.c - the registered hooks, their lock, and notices.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "core/instrumentation.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <heed/debug.h>

#include "base/escape.h"
#include "system/system.h"

#define NOTICE_MAX 512

_Atomic(const heed__debugger *) heed__registered_debugger;
_Atomic(const heed__observers *) heed__registered_observers;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static heed_notice_handler environment_handler; /* used if the program has set no handler */
static heed_notice_handler notice_handler;      /* guarded by the lock */
static void *notice_user;

void heed__instrumentation_lock(void)
{
    pthread_mutex_lock(&lock);
}

void heed__instrumentation_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void heed_set_notice_handler(heed_notice_handler handler, void *user)
{
    heed__instrumentation_lock();
    notice_handler = handler;
    notice_user = user;
    heed__instrumentation_unlock();
}

static void write_notice(const char *message, void *user)
{
    (void)user;
    char line[NOTICE_MAX + 16];
    int length = snprintf(line, sizeof line, "heed: %s\n", message);
    heed__write_stderr(line, (size_t)length);
}

void heed__notices_to_stderr(void)
{
    environment_handler = write_notice;
}

bool heed__notice(const char *format, ...)
{
    char raw[NOTICE_MAX], message[NOTICE_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    (void)heed__escape_copy(raw, strlen(raw), message, sizeof message);
    heed__instrumentation_lock();
    heed_notice_handler handler = notice_handler ? notice_handler : environment_handler;
    void *user = notice_handler ? notice_user : NULL;
    heed__instrumentation_unlock();
    if (handler)
        handler(message, user);
    return handler != NULL;
}
