/* io/data.h - where the readers write, and the writers read. */
#ifndef HEED_IO_DATA_H
#define HEED_IO_DATA_H

#include <heed/tensor.h>

#include "io/replace.h"

/* heed_mutable_f32 and its kin, by the tensor's own dtype. NULL after their errors. */
void *heed__io_data(heed_tensor *t);

/* A tensor's elements in row-major order, as a part of a file. Where they do not lie so, the part is a copy, which
 * belongs to the innermost scope. False after heed_fail with HEED_ERR_NOMEM, or HEED_ERR_UNSUPPORTED for a view of more
 * elements than there can be bytes. */
bool heed__io_part(const char *where, heed_tensor *t, heed__part *part);

#endif
