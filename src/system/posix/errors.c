/* system/posix/errors.c - strerror_r. It returns POSIX's number, or GNU's text, which a program may have asked for. */

#include "system/posix/more.h"

#include "system/errors.h"

#include <string.h>

static const char *from_posix(int failed, const char *text)
{
    (void)failed;
    return text;
}

static const char *from_gnu(const char *said, const char *text)
{
    (void)text;
    return said;
}

#define SAID(returned, text) _Generic((returned), int : from_posix, char * : from_gnu)((returned), (text))

const char *heed__error_text(int cause, char *room, size_t size)
{
    room[0] = '\0';
    return SAID(strerror_r(cause, room, size), room);
}
