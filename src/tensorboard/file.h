/* tensorboard/file.h - the file of a log. Failures are heed_fail with HEED_ERR_IO, path and cause. */
#ifndef HEED_TENSORBOARD_FILE_H
#define HEED_TENSORBOARD_FILE_H

#include <stdint.h>

#include "tensorboard/log.h"

/* Makes the folder, and in it a file that was not there: path, fd and process of `log`. False after heed_fail; what was
 * allocated is the log's all the same. */
bool heed__tb_create(heed_tensorboard *log, const char *folder, const char *suffix);

/* Syncs the folder of a file that was made, as far as its file system can. */
void heed__tb_sync_folder(const char *folder);

/* Adds bytes behind the last record; after a failure the file ends there again, or log->torn says that it does not. */
heed_status heed__tb_append(heed_tensorboard *log, const char *where, const uint8_t *bytes, size_t size);

/* Waits until the disk has it. */
heed_status heed__tb_sync(heed_tensorboard *log, const char *where);

/* Closes the file. */
heed_status heed__tb_close(heed_tensorboard *log, const char *where);

#endif
