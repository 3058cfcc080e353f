/* core/loop.h - elementwise loops over tensors of any layout, which call the kernels.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CORE_LOOP_H
#define HEED_CORE_LOOP_H

#include "core/tensor.h"
#include "kernels/kernels.h"

/* out = kernel(x), out = kernel(a, b), out = kernel(a, b, c). Inputs have any layout and broadcast to out's shape. out
 * is contiguous, and is either new or an input with the same layout. `p` holds the kernel's parameters; NULL if it
 * takes none. */
void heed__map1(heed__unary_kernel *kernel, const heed_tensor *x, heed_tensor *out, const double *p);
void heed__map2(heed__binary_kernel *kernel, const heed_tensor *a, const heed_tensor *b, heed_tensor *out,
                const double *p);
void heed__map3(heed__ternary_kernel *kernel, const heed_tensor *a, const heed_tensor *b, const heed_tensor *c,
                heed_tensor *out);

/* Like heed__map1 and heed__map2, into a new tensor of x's shape and dtype, or of a's dtype and the shape that a and b
 * broadcast to. The result is unrecorded and borrowed from the scope; backward_fused rules use it. NULL after
 * heed_fail. */
heed_tensor *heed__new_map1(const char *where, heed__unary_kernel *kernel, const heed_tensor *x, const double *p);
heed_tensor *heed__new_map2(const char *where, heed__binary_kernel *kernel, const heed_tensor *a, const heed_tensor *b,
                            const double *p);

/* Return a contiguous tensor with t's elements, owned by the caller: heed__dense_copy always copies, heed__dense
 * returns t itself if it is contiguous. NULL after heed_fail. */
heed_tensor *heed__dense_copy(const char *where, const heed_tensor *t);
heed_tensor *heed__dense(const char *where, heed_tensor *t);

/* dst = src, converted to dst's dtype. Both may have any layout; src broadcasts to dst. The elements of dst and src
 * must not overlap. */
void heed__copy(const heed_tensor *src, heed_tensor *dst);

#endif
