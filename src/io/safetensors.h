/* io/safetensors.h - reading and writing .safetensors on behalf of others. */
#ifndef HEED_IO_SAFETENSORS_H
#define HEED_IO_SAFETENSORS_H

#include <heed/dict.h>

/* heed_io_safetensors_read for `where`, of a file of at most max_bytes, and of as many of tensors. */
heed_dict *heed__safetensors_read(const char *where, const char *path, size_t max_bytes);

/* heed_io_safetensors_write for `where`. With `checksum` the dict's text of that name, HEED_CHECKSUM_ZEROS, becomes the
 * file's checksum (io/checksum.h). */
heed_status heed__safetensors_write(const char *where, const char *path, const heed_dict *dict, bool checksum);

#endif
