/* ops/shape/parts.h - what functions share that give a tensor as several views. */
#ifndef HEED_OPS_SHAPE_PARTS_H
#define HEED_OPS_SHAPE_PARTS_H

#include "ops/support.h"

/* That x is a tensor, has that axis, which is then counted from the front, and `parts` room for n >= 0. False after
 * heed_fail. */
bool heed__check_parts(const char *where, const heed_tensor *x, int *axis, heed_tensor **parts, int n);

/* HEED_ERR_ARGUMENT unless n is the number of parts, which is given. */
bool heed__check_count(const char *where, const heed_tensor *x, int axis, int64_t count, int n);

/* Writes the parts of size `size`, n of them, the last of which may be shorter. */
heed_status heed__equal_parts(const char *where, heed_tensor *x, int axis, int64_t size, heed_tensor **parts, int n);

/* HEED_OK; or, unless all were made, the error, and every part is NULL. */
heed_status heed__parts_status(heed_tensor **parts, int n);

#endif
