/* io/part.h - a tensor's elements as a part of a file. */
#ifndef HEED_IO_PART_H
#define HEED_IO_PART_H

#include <heed/tensor.h>

#include "io/replace.h"

/* A tensor's elements in row-major order, as a part of a file. Where they do not lie so, the part is a copy, which
 * belongs to the innermost scope. False after heed_fail with HEED_ERR_NOMEM, or HEED_ERR_UNSUPPORTED for a view of more
 * elements than there can be bytes. */
bool heed__io_part(const char *where, heed_tensor *t, heed__part *part);

#endif
