/* ops/shape/parts.h - shared by the functions that return a tensor as several views. */
#ifndef HEED_OPS_SHAPE_PARTS_H
#define HEED_OPS_SHAPE_PARTS_H

#include "ops/support.h"

/* Checks x and the axis, replaces a negative *axis by its index counted from the front, and checks that `parts` is not
 * NULL and n >= 0. Returns false after heed_fail. */
bool heed__check_parts(const char *where, const heed_tensor *x, int *axis, heed_tensor **parts, int n);

/* Checks that n, the length of the caller's list, equals `count`, the number of parts. Returns false after
 * heed_fail. */
bool heed__check_count(const char *where, const heed_tensor *x, int axis, int64_t count, int n);

/* Writes n views of x with size `size` on the axis; the last one may be smaller. */
heed_status heed__equal_parts(const char *where, heed_tensor *x, int axis, int64_t size, heed_tensor **parts, int n);

/* Returns HEED_OK. If any part is NULL, returns the error and sets all parts to NULL. */
heed_status heed__parts_status(heed_tensor **parts, int n);

#endif
