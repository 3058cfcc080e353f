/* io/safetensors.h - reading and writing .safetensors on behalf of others. */
#ifndef HEED_IO_SAFETENSORS_H
#define HEED_IO_SAFETENSORS_H

#include <heed/dict.h>

#include "io/stream.h"

/* heed_io_safetensors_read from a source, which stays open. *room is how many bytes may be taken in memory; what the
 * dict has taken is subtracted. */
heed_dict *heed__safetensors_read(heed__source *source, size_t *room);

/* heed_io_safetensors_write for `where`, of a file that is one of a series (io/replace.h) or its only one. With
 * `checksum` the dict's text of that name, HEED_CHECKSUM_ZEROS, becomes the file's checksum (io/checksum.h). */
heed_status heed__safetensors_write(const char *where, const char *series, const char *path, const heed_dict *dict,
                                    bool checksum);

#endif
