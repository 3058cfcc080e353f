/* io/data.h - where the readers write. */
#ifndef HEED_IO_DATA_H
#define HEED_IO_DATA_H

#include <heed/tensor.h>

/* heed_mutable_f32 and its kin, by the tensor's own dtype. NULL after their errors. */
void *heed__io_data(heed_tensor *t);

#endif
