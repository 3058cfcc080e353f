/* system/posix/more.h - every feature beyond POSIX.1-2008 that the library uses. It does without a feature if
 * HEED_POSIX_ONLY is defined (by the option of that name) or if the system lacks it. This header must be included
 * before any other.
 *
 *     HEED_AFFINITY        sched_getaffinity; else all online processors count
 *     HEED_HUGE_PAGES      madvise with MADV_HUGEPAGE; else large blocks use small pages
 *     HEED_TERMINAL_SIZE   TIOCGWINSZ; else every terminal has 80 columns
 *     HEED_FLOCK           flock; else heed does not lock files, and temporary files of killed writers stay
 *     HEED_O_PATH          O_PATH; else a folder that may not be listed cannot be written to
 *     HEED_MATRIX_UNIT     arch_prctl; else products never use the processor's matrix unit
 *     HEED_SINGLE_THREADED __libc_single_threaded (system/system.h); else reference counts are always atomic
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_SYSTEM_POSIX_MORE_H
#define HEED_SYSTEM_POSIX_MORE_H

#if !defined(HEED_POSIX_ONLY) && defined(__linux__)

#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier) */
#endif
#define HEED_AFFINITY 1
#define HEED_HUGE_PAGES 1
#define HEED_TERMINAL_SIZE 1
#define HEED_FLOCK 1
#define HEED_O_PATH 1
#if defined(__x86_64__)
#define HEED_MATRIX_UNIT 1
#else
#define HEED_MATRIX_UNIT 0
#endif

#else

#define HEED_AFFINITY 0
#define HEED_HUGE_PAGES 0
#define HEED_TERMINAL_SIZE 0
#define HEED_FLOCK 0
#define HEED_O_PATH 0
#define HEED_MATRIX_UNIT 0

#endif

#endif
