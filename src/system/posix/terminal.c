/* system/posix/terminal.c - terminals, accessed by their descriptors. */

#include "system/posix/more.h"

#include "system/terminal.h"

#if HEED_TERMINAL_SIZE
#include <sys/ioctl.h>
#endif
#include <unistd.h>

bool heed__is_terminal(FILE *file)
{
    return isatty(fileno(file));
}

bool heed__terminal_size(FILE *file, int *rows, int *columns)
{
#if HEED_TERMINAL_SIZE
    struct winsize size = {.ws_row = 0};
    if (ioctl(fileno(file), TIOCGWINSZ, &size) == 0) {
        *rows = size.ws_row;
        *columns = size.ws_col;
        return true;
    }
#endif
    (void)file;
    *rows = *columns = 0;
    return false;
}

void heed__write_stderr(const char *text, size_t size)
{
    ssize_t written = write(STDERR_FILENO, text, size);
    (void)written;
}
