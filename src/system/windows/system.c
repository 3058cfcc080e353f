/* system/windows/system.c - threads (by winpthreads), processors, memory, terminals and locales. Windows lacks signals
 * and forks.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "system/windows/handle.h"

#include "system/system.h"

#include <pthread.h>
#include <string.h>

/* -- Threads ------------------------------------------------------------------------------------------------------- */

/* Pins the library that contains the thread's function, so that it stays loaded. */
bool heed__start_thread(void *(*run)(void *), void *context, bool small_stack)
{
    HMODULE library;
    pthread_t thread;
    (void)small_stack;
    (void)GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                             (LPCWSTR)(uintptr_t)run, &library);
    return pthread_create(&thread, NULL, run, context) == 0 && pthread_detach(thread) == 0;
}

bool heed__at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
    (void)before;
    (void)in_parent;
    (void)in_child;
    return true;
}

int heed__process_id(void)
{
    return (int)GetCurrentProcessId();
}

/* -- Processors ---------------------------------------------------------------------------------------------------- */

/* From the affinity mask. A mask covers one group of up to 64 processors; a process in several groups does not have
 * one. */
int heed__processors(void)
{
    DWORD_PTR process = 0, system = 0;
    (void)GetProcessAffinityMask(GetCurrentProcess(), &process, &system);
    if (process != 0)
        return __builtin_popcountll(process);
    const DWORD active = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return active > 0 ? (int)active : 1;
}

bool heed__request_matrix_unit(void)
{
    return false;
}

/* -- Memory -------------------------------------------------------------------------------------------------------- */

/* Huge pages need a special privilege on Windows (SeLockMemoryPrivilege), so they are not used. */
void heed__advise_huge_pages(void *block, size_t size)
{
    (void)block;
    (void)size;
}

/* -- Terminals: consoles that understand escape sequences ---------------------------------------------------------- */

bool heed__is_terminal(FILE *file)
{
    DWORD mode = 0;
    return GetConsoleMode(heed__handle(_fileno(file)), &mode) && (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

bool heed__terminal_size(FILE *file, int *rows, int *columns)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    *rows = *columns = 0;
    if (!GetConsoleScreenBufferInfo(heed__handle(_fileno(file)), &info))
        return false;
    *rows = info.srWindow.Bottom - info.srWindow.Top + 1;
    *columns = info.srWindow.Right - info.srWindow.Left + 1;
    return true;
}

void heed__write_stderr(const char *text, size_t size)
{
    DWORD written;
    (void)WriteFile(GetStdHandle(STD_ERROR_HANDLE), text, (DWORD)size, &written, NULL);
}

/* -- Locales ------------------------------------------------------------------------------------------------------- */

/* setlocale affects only the calling thread after _configthreadlocale. */
bool heed__c_locale_begin(heed__c_locale *locale)
{
    locale->per_thread = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
    const char *before = setlocale(LC_NUMERIC, NULL);
    if (!before || strlen(before) >= sizeof locale->before)
        return false;
    strcpy(locale->before, before);
    return setlocale(LC_NUMERIC, "C") != NULL;
}

void heed__c_locale_end(heed__c_locale *locale)
{
    (void)setlocale(LC_NUMERIC, locale->before);
    (void)_configthreadlocale(locale->per_thread);
}
