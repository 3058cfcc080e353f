/* io/safetensors.h - reading and writing .safetensors on behalf of other functions. */
#ifndef HEED_IO_SAFETENSORS_H
#define HEED_IO_SAFETENSORS_H

#include <heed/dict.h>

#include "io/stream.h"

/* heed_io_safetensors_read from a source, which stays open. *remaining is the memory limit in bytes; the size of the
 * dict is subtracted from it. */
heed_dict *heed__safetensors_read(heed__source *source, size_t *remaining);

/* heed_io_safetensors_write on behalf of `where`, for a file of a series (io/replace.h) or a single file. With
 * `checksum`, the dict's text of that name, HEED_CHECKSUM_ZEROS, is replaced by the file's checksum (io/checksum.h). */
heed_status heed__safetensors_write(const char *where, const char *series, const char *path, const heed_dict *dict,
                                    bool checksum);

#endif
