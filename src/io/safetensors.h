/* io/safetensors.h - reading and writing .safetensors on behalf of other functions.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IO_SAFETENSORS_H
#define HEED_IO_SAFETENSORS_H

#include <heed/dict.h>

#include "io/stream.h"

/* Reads a source as heed_io_safetensors_read does, but a requested tensor may be missing. The source stays open.
 * Returns NULL after heed_fail. */
heed_dict *heed__safetensors_read(heed__source *source);

/* Reads the tensors of several files as one dict. `path` is the index of these files. Returns NULL after heed_fail with
 * the errors of heed_io_safetensors_read. */
heed_dict *heed__safetensors_read_shards(const char *where, const char *path, const heed_io_read_options *options);

/* Writes a dict as heed_io_safetensors_write does, with `where` in error messages. `path` is a file of the series
 * `series` (io/replace.h), or a single file if both are the same. If `checksum` is true, the dict's text "checksum"
 * must be HEED_CHECKSUM_ZEROS; the file contains its own checksum instead (io/checksum.h). */
heed_status heed__safetensors_write(const char *where, const char *series, const char *path, const heed_dict *dict,
                                    bool checksum);

#endif
