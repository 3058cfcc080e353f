/* io/checksum.c - the checksum that a file carries inside. */

#include "io/checksum.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "io/file.h"

#define DIGITS (sizeof HEED_CHECKSUM_ZEROS - 1)

static uint32_t add(uint32_t crc, const void *bytes, size_t size)
{
    return (uint32_t)crc32_z(crc, bytes, size);
}

/* The digits behind the first key; NULL when there are none. */
static char *find_digits(char *bytes, size_t size)
{
    static const char key[] = HEED_CHECKSUM_KEY;
    size_t length = sizeof key - 1;
    for (size_t i = 0; i + length + DIGITS <= size; i++)
        if (memcmp(bytes + i, key, length) == 0)
            return bytes + i + length;
    return NULL;
}

static void print_digits(char digits[DIGITS + 1], uint32_t crc)
{
    (void)snprintf(digits, DIGITS + 1, "%08lx", (unsigned long)crc);
}

void heed__checksum_stamp(char *header, size_t size, const heed_part *parts, size_t count)
{
    char *place = find_digits(header, size), digits[DIGITS + 1];
    uint32_t crc = 0;
    for (size_t i = 0; i < count; i++)
        crc = add(crc, parts[i].bytes, parts[i].size);
    print_digits(digits, crc);
    if (place)
        memcpy(place, digits, DIGITS);
}

/* -- Checking ----------------------------------------------------------------------------------------------------- */

/* Fills the buffer as far as the file goes; -1 with errno. */
static ssize_t read_some(int fd, char *buffer)
{
    size_t got = 0;
    while (got < HEED_CHECKSUM_REACH) {
        ssize_t n = read(fd, buffer + got, HEED_CHECKSUM_REACH - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        got += (size_t)n;
    }
    return (ssize_t)got;
}

static heed_checksum_state check_open(int fd, char *buffer)
{
    char found[DIGITS + 1] = "", wanted[DIGITS + 1];
    ssize_t n = read_some(fd, buffer);
    char *place = n > 0 ? find_digits(buffer, (size_t)n) : NULL;
    if (!place)
        return n < 0 ? HEED_CHECKSUM_UNREADABLE : HEED_CHECKSUM_BAD;
    memcpy(found, place, DIGITS);
    memcpy(place, HEED_CHECKSUM_ZEROS, DIGITS);
    uint32_t crc = 0;
    for (; n > 0; n = read_some(fd, buffer))
        crc = add(crc, buffer, (size_t)n);
    if (n < 0)
        return HEED_CHECKSUM_UNREADABLE;
    print_digits(wanted, crc);
    return strcmp(found, wanted) == 0 ? HEED_CHECKSUM_GOOD : HEED_CHECKSUM_BAD;
}

heed_checksum_state heed__checksum_check(const char *path, char *buffer)
{
    struct stat status;
    int fd = heed__file_descriptor(path);
    if (fd < 0)
        return HEED_CHECKSUM_UNREADABLE;
    heed_checksum_state state = HEED_CHECKSUM_BAD; /* what is no regular file is no whole one */
    if (fstat(fd, &status) != 0)
        state = HEED_CHECKSUM_UNREADABLE;
    else if (S_ISREG(status.st_mode))
        state = check_open(fd, buffer);
    int cause = errno;
    (void)close(fd);
    errno = cause;
    return state;
}
