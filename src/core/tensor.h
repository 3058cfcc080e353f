/* core/tensor.h - the structures of a tensor and its storage, for core and ops.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_CORE_TENSOR_H
#define HEED_CORE_TENSOR_H

#include <stdatomic.h>

#include <heed/memory.h>
#include <heed/op.h>

#include "core/owners.h"

typedef struct heed__node heed__node;
typedef struct heed__hooks heed__hooks;

/* Storage shared by all tensors with the same elements. It lies in the block of the tensor that was created with it,
 * and the elements follow. The block remains allocated while its storage has owners, even after the tensor is freed. */
typedef struct heed__storage {
    heed__owners refs;
    atomic_uint version; /* incremented by every write in place */
    bool foreign;        /* the program owns the elements: a heed__foreign takes their position */
    size_t block;        /* size of the whole block, for heed_free */
} heed__storage;

/* Elements in the program's memory (heed_from_buffer). */
typedef struct heed__foreign {
    char *first;
    size_t bytes;
    void (*release)(void *user); /* may be NULL */
    void *user;
} heed__foreign;

struct heed_tensor {
    heed__owners refs;
    heed_dtype dtype;
    bool requires_grad;
    bool contiguous;          /* set by every function that sets shape and strides */
    bool computed;            /* ops use the result of `compute` instead of the elements: core/computed.c */
    signed char output_index; /* output index in `producer` */
    char *data;               /* the first element */
    heed__storage *storage;
    heed__node *producer; /* NULL for a leaf */
    heed__storage own;    /* used if the tensor owns its elements; the first cache line, enough for most accesses, ends
                           * here */
    int64_t numel;
    heed_tensor *grad;
    heed__hooks *hooks; /* of a leaf; hooks of results are in their node */
    heed_tensor *next;  /* links the list of tensors to free */
    heed_shape shape;
    int64_t strides[HEED_MAX_RANK]; /* in elements */
    heed_compute compute;           /* set if `computed` is */
    void *compute_user;
};

/* Offset of the elements in a tensor's block. */
enum { HEED__TENSOR_HEADER = (sizeof(heed_tensor) + HEED_ALIGNMENT - 1) / HEED_ALIGNMENT * HEED_ALIGNMENT };

/* -- Creating and freeing: core/tensor.c --------------------------------------------------------------------------- */

/* Returns a new uninitialised tensor with its own storage, owned by the caller (in no scope). NULL after heed_fail. */
heed_tensor *heed__tensor_alloc(const char *where, heed_dtype dtype, const heed_shape *shape);

/* Like heed__tensor_alloc, but borrowed from the innermost scope. */
heed_tensor *heed__tensor_new(const char *where, heed_dtype dtype, const heed_shape *shape);

/* Returns a new row-major tensor on the program's memory, borrowed from the innermost scope. */
heed_tensor *heed__tensor_foreign(const char *where, heed_dtype dtype, const heed_shape *shape,
                                  const heed__foreign *elements);

/* Returns a new tensor on t's storage, owned by the caller. layout->offset counts elements from t's first one. */
heed_tensor *heed__tensor_view(const char *where, const heed_tensor *t, const heed_layout *layout);

/* Like heed__tensor_view, contiguous and beginning at `data`. */
heed_tensor *heed__tensor_on(const char *where, heed__storage *storage, char *data, heed_dtype dtype,
                             const heed_shape *shape, int64_t numel);

/* Sets offset and strides of a new row-major tensor that has elements. */
void heed__tensor_set_layout(heed_tensor *t, const heed_layout *layout);

/* Extends low .. high from the position of a layout's first element to the positions of all its elements, in elements
 * of `size` bytes. Returns false on overflow. */
bool heed__layout_bounds(const heed_layout *layout, size_t size, int64_t *low, int64_t *high);

void heed__storage_release(heed__storage *storage);

/* Returns the first element of a storage and sets *bytes to the size of all elements. */
char *heed__storage_elements(heed__storage *storage, size_t *bytes);

static inline unsigned heed__version(heed__storage *storage)
{
    return atomic_load_explicit(&storage->version, memory_order_relaxed);
}

/* Frees the tensor and, unless they have other owners, its elements. */
void heed__tensor_free(heed_tensor *t);

/* -- Scopes: core/scope.c ------------------------------------------------------------------------------------------ */

/* Moves an owned tensor to the innermost scope and returns it. Without memory, releases it and returns NULL. */
heed_tensor *heed__borrow(const char *where, heed_tensor *owned);

/* -- Freed tensors ------------------------------------------------------------------------------------------------- */

/* A free block keeps its contents, except its first bytes, until it is used again. Freeing a tensor therefore sets an
 * invalid dtype, by which checks detect a later use. */

#define HEED_FREED 0x46524400u /* added to its dtype */

/* Returns false if t is NULL or detectably freed. */
static inline bool heed__is_live(const heed_tensor *t)
{
    return t && (unsigned)t->dtype < HEED_DTYPE_COUNT;
}

/* Fails because `what`, an argument of the function `where`, is NULL or freed. */
bool heed__fail_tensor(const char *where, const char *what, const heed_tensor *t);

/* heed_release for a scope that ends. Fails if the tensor has been freed before. */
void heed__release_borrowed(heed_tensor *t);

/* -- Checks of arguments: false after heed_fail -------------------------------------------------------------------- */

/* Fails because `what`, an argument of the function `where`, is NULL. In the backward rule of an op that does not keep
 * everything, which is mostly the cause, the message names the op and the missing tensors. */
void heed__fail_null(const char *where, const char *what);

bool heed__check_tensor(const char *where, const heed_tensor *t);
bool heed__check_dtype(const char *where, heed_dtype dtype);
bool heed__check_shape(const char *where, const heed_shape *shape);

/* -- Computed tensors: core/computed.c ----------------------------------------------------------------------------- */

/* Checks that t has elements to read or write: that it is live and not computed. Returns false after heed_fail. */
bool heed__check_elements(const char *where, const heed_tensor *t);

/* Returns the value of a computed tensor, owned by the caller. NULL after heed_fail. */
heed_tensor *heed__computed_value(const char *where, const heed_tensor *t);

/* Returns a list of n tensors with values in the positions of computed ones; heed__values_free releases it. NULL after
 * heed_fail. */
heed_tensor **heed__values_of(const char *where, heed_tensor *const *tensors, int n);
void heed__values_free(heed_tensor **values, int n);

/* -- Writes in place: core/access.c -------------------------------------------------------------------------------- */

/* Returns true if two elements of t may share an address. */
bool heed__overlaps_itself(const heed_tensor *t);

/* Checks that t may be written in place (see heed/tensor.h) and increments its version. */
bool heed__begin_write(const char *where, heed_tensor *t);

/* -- Elements: core/access.c --------------------------------------------------------------------------------------- */

/* Convert one element to and from a double. An i64 element accepts only whole numbers in its range; otherwise
 * heed__store returns false after heed_fail. */
double heed__load(heed_dtype dtype, const char *element);
bool heed__store(const char *where, heed_dtype dtype, char *element, double value);

/* -- Shapes -------------------------------------------------------------------------------------------------------- */

/* Converts negative axes, which count from the end. Returns -1 after heed_fail. */
int heed__axis_of(const char *where, int axis, int rank);

/* Returns heed_shape_numel without copying the shape. */
static inline int64_t heed__numel(const heed_shape *shape)
{
    if (shape->rank < 0 || shape->rank > HEED_MAX_RANK)
        return -1;
    int64_t product = 1; /* of the positive sizes: (0, 2^62, 2^62) is not a valid shape either */
    bool empty = false, fits = true;
    for (int i = 0; i < shape->rank; i++) {
        int64_t size = shape->dims[i];
        empty = empty || size == 0;
        fits = fits && size >= 0 && !(size > 0 && __builtin_mul_overflow(product, size, &product));
    }
    return !fits ? -1 : empty ? 0 : product;
}

static inline bool heed__same_shape(const heed_shape *a, const heed_shape *b)
{
    bool same = a->rank == b->rank;
    for (int i = 0; same && i < a->rank; i++)
        same = a->dims[i] == b->dims[i];
    return same;
}

#endif
