/* tensorboard/src/file.h - the file of a log. All failures call heed_fail with HEED_ERR_IO, the path and the cause.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TENSORBOARD_FILE_H
#define HEED_TENSORBOARD_FILE_H

#include <stdint.h>

#include "log.h"

/* Creates the folder and a new file in it, and sets path and fd of `log`. Returns false after heed_fail; then log->path
 * may still be allocated. */
bool heed__tb_create(heed_tensorboard *log, const char *folder, const char *suffix);

/* Syncs the folder of a new file, if its file system supports it. */
void heed__tb_sync_folder(const char *folder);

/* Appends bytes after the last record. After a failure the file is truncated to that record, or log->torn is set. */
heed_status heed__tb_append(heed_tensorboard *log, const char *where, const uint8_t *bytes, size_t size);

/* Waits until the file is on the disk. */
heed_status heed__tb_sync(heed_tensorboard *log, const char *where);

/* Closes the file. */
heed_status heed__tb_close(heed_tensorboard *log, const char *where);

#endif
