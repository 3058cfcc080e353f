/* tensorboard/src/log.h - the state of a log.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TENSORBOARD_LOG_H
#define HEED_TENSORBOARD_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <heed/tensorboard.h>

#include "buckets.h"

#define HEED__TB_MAX_BYTES ((size_t)256 << 20) /* maximum size in bytes of an event, and of a figure's file */

struct heed_tensorboard {
    char *path; /* path_size bytes */
    size_t path_size;
    int fd;
    pid_t process; /* the process that opened the log */
    off_t end;     /* the end of the last whole record */
    bool torn;     /* bytes after `end` could not be removed */
    heed__tb_buckets buckets;
    uint64_t mark;
};

#endif
