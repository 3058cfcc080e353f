/* system/posix/errors.c - strerror_r, in POSIX's version, which returns a number, or GNU's, which returns the text; the
 * program's feature macros select one. */

#include "system/posix/more.h"

#include "system/errors.h"

#include <string.h>

static const char *from_posix(int failed, const char *text)
{
    (void)failed;
    return text;
}

static const char *from_gnu(const char *gnu_text, const char *text)
{
    (void)text;
    return gnu_text;
}

#define TEXT_OF_ERROR(returned, text) _Generic((returned), int : from_posix, char * : from_gnu)((returned), (text))

const char *heed__error_text(int cause, char *buffer, size_t size)
{
    buffer[0] = '\0';
    return TEXT_OF_ERROR(strerror_r(cause, buffer, size), buffer);
}
