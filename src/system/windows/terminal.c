/* system/windows/terminal.c - consoles that understand terminal escape sequences. */

#include "system/windows/shared.h"

#include "system/terminal.h"

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
