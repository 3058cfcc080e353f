/* tests/terminal.h - a pseudo-terminal, and the text written to it. Its tests are built with _XOPEN_SOURCE=700.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_TERMINAL_H
#define TESTS_TERMINAL_H

#include <fcntl.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

#include "check_heed.h"

static int terminal_master;

/* Returns NULL if the system has no pseudo-terminals, for example in a chroot without /dev/pts. */
static inline FILE *open_terminal(void)
{
    terminal_master = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal_master < 0) {
        puts("no pseudo-terminals here: their tests are skipped");
        return NULL;
    }
    ck_assert_int_eq(grantpt(terminal_master), 0);
    ck_assert_int_eq(unlockpt(terminal_master), 0);
    int slave = open(ptsname(terminal_master), O_RDWR | O_NOCTTY);
    ck_assert_int_ge(slave, 0);
    struct termios mode;
    ck_assert_int_eq(tcgetattr(slave, &mode), 0);
    mode.c_oflag &= ~(tcflag_t)OPOST; /* "\n" stays "\n" */
    ck_assert_int_eq(tcsetattr(slave, TCSANOW, &mode), 0);
    FILE *terminal = fdopen(slave, "w");
    ck_assert_ptr_nonnull(terminal);
    return terminal;
}

/* Returns all text written since the last call. It stays valid until the next call. */
static inline const char *read_terminal(void)
{
    static char screen[20000];
    size_t used = 0;
    ck_assert_int_eq(fcntl(terminal_master, F_SETFL, O_NONBLOCK), 0);
    for (ssize_t n = 1; n > 0 && used < sizeof screen - 1;) {
        n = read(terminal_master, screen + used, sizeof screen - 1 - used);
        used += n > 0 ? (size_t)n : 0;
    }
    screen[used] = '\0';
    return screen;
}

static inline void check_terminal(const char *expected)
{
    ck_assert_str_eq(read_terminal(), expected);
}

static inline void close_terminal(FILE *terminal)
{
    (void)fclose(terminal);
    (void)close(terminal_master);
}

#endif
