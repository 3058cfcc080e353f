/* core/loop.h - elementwise loops over tensors of any layout, driving the kernels. */
#ifndef HEED_CORE_LOOP_H
#define HEED_CORE_LOOP_H

#include "core/tensor.h"
#include "kernels/kernels.h"

/* out = kernel(x), out = kernel(a, b), out = kernel(a, b, c): inputs of any layout that broadcast to out's shape; out
 * is contiguous, and new or an input that lies just as it does. `p` are the kernel's numbers, NULL if it takes none. */
void heed__map1(heed__unary_kernel *kernel, const heed_tensor *x, heed_tensor *out, const double *p);
void heed__map2(heed__binary_kernel *kernel, const heed_tensor *a, const heed_tensor *b, heed_tensor *out,
                const double *p);
void heed__map3(heed__ternary_kernel *kernel, const heed_tensor *a, const heed_tensor *b, const heed_tensor *c,
                heed_tensor *out);

/* The same into a new tensor, of x's shape and dtype, or of a's dtype and the shape that a and b broadcast to; not
 * recorded, and borrowed from the scope: for backward_fused. NULL after heed_fail. */
heed_tensor *heed__new_map1(const char *where, heed__unary_kernel *kernel, const heed_tensor *x, const double *p);
heed_tensor *heed__new_map2(const char *where, heed__binary_kernel *kernel, const heed_tensor *a, const heed_tensor *b,
                            const double *p);

/* A contiguous tensor with t's elements, owned by the caller: a copy, or t itself where that is contiguous. NULL after
 * heed_fail. */
heed_tensor *heed__dense_copy(const char *where, const heed_tensor *t);
heed_tensor *heed__dense(const char *where, heed_tensor *t);

/* dst = src, converted; both of any layout, src broadcasts to dst. dst's elements must not overlap src's. */
void heed__copy(const heed_tensor *src, heed_tensor *dst);

#endif
