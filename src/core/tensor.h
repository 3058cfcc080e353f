/* core/tensor.h - what a tensor and its storage are made of; for core and ops. */
#ifndef HEED_CORE_TENSOR_H
#define HEED_CORE_TENSOR_H

#include <stdatomic.h>

#include <heed/memory.h>
#include <heed/op.h>

#include "core/lifetime.h"

typedef struct heed__node heed__node;
typedef struct heed__hooks heed__hooks;

/* What tensors that look at the same elements share. It lies in the block of the tensor that was made with it, and the
 * elements lie behind: that block lives as long as its storage has owners, whatever has become of the tensor. */
typedef struct heed__storage {
    heed__owners refs;
    atomic_uint version; /* raised by every write in place */
    bool foreign;        /* the elements are the program's: in their place lies a heed__foreign */
    size_t block;        /* bytes of the whole block, for heed_free */
} heed__storage;

/* Elements in memory of the program's: heed_from_buffer. */
typedef struct heed__foreign {
    char *first;
    size_t bytes;
    void (*release)(void *user); /* NULL: nothing is to be done */
    void *user;
} heed__foreign;

struct heed_tensor {
    heed__owners refs;
    heed_dtype dtype;
    bool requires_grad;
    bool contiguous;    /* kept by whoever sets shape and strides */
    short output_index; /* which output of `producer` this is */
    char *data;         /* the first element */
    heed__storage *storage;
    heed__node *producer; /* NULL for a leaf */
    heed__storage own;    /* of a tensor with elements of its own. So far one cache line: most looks need no other */
    int64_t numel;
    heed_tensor *grad;
    heed__hooks *hooks; /* of a leaf; those of results live in their node */
    heed_tensor *next;  /* links the list of tensors to free */
    heed_shape shape;
    int64_t strides[HEED_MAX_RANK]; /* in elements */
};

/* Where elements begin in a tensor's block. */
enum { HEED__TENSOR_HEADER = (sizeof(heed_tensor) + HEED_ALIGNMENT - 1) / HEED_ALIGNMENT * HEED_ALIGNMENT };

/* -- Making and freeing: core/tensor.c ----------------------------------------------------------------------------- */

/* A new tensor with its own storage, not initialised, owned by the caller (no scope). NULL after heed_fail. */
heed_tensor *heed__tensor_alloc(const char *where, heed_dtype dtype, const heed_shape *shape);

/* The same, borrowed from the innermost scope. */
heed_tensor *heed__tensor_new(const char *where, heed_dtype dtype, const heed_shape *shape);

/* A new tensor, borrowed from the innermost scope, on elements of the program's, row-major from the first on. */
heed_tensor *heed__tensor_foreign(const char *where, heed_dtype dtype, const heed_shape *shape,
                                  const heed__foreign *elements);

/* A new tensor, owned by the caller, that looks into t's storage. Offset in elements from t's first. */
heed_tensor *heed__tensor_view(const char *where, const heed_tensor *t, const heed_layout *layout);

/* The same, contiguous from `data` on. */
heed_tensor *heed__tensor_on(const char *where, heed__storage *storage, char *data, heed_dtype dtype,
                             const heed_shape *shape, int64_t numel);

/* Lets a row-major tensor that nobody has seen yet, and that has elements, look as `layout` says. */
void heed__look_by(heed_tensor *t, const heed_layout *layout);

/* Extends low .. high, where the first element of a layout lies, to where all of them do; in elements of `size` bytes.
 * False where that is no number. */
bool heed__reach(const heed_layout *layout, size_t size, int64_t *low, int64_t *high);

void heed__storage_release(heed__storage *storage);

/* All elements of a storage. */
char *heed__storage_elements(heed__storage *storage, size_t *bytes);

/* Frees the tensor itself, and its elements when nothing else owns them. */
void heed__tensor_free(heed_tensor *t);

/* -- Scopes: core/scope.c ------------------------------------------------------------------------------------------ */

/* Hands an owned tensor to the innermost scope: returns it, or releases it and returns NULL when there is no memory. */
heed_tensor *heed__borrow(const char *where, heed_tensor *owned);

/* -- Dead tensors ----------------------------------------------------------------------------------------------------
 * *
 *
 * A block that is free keeps what was in it, but for its first bytes, until it is used again. So a tensor that is freed
 * gets a dtype that is none, and checks find out when it is used all the same. */

#define HEED_FREED 0x46524400u /* added to its dtype */

static inline void heed__mark_freed(heed_tensor *t)
{
    t->dtype = (heed_dtype)((unsigned)t->dtype | HEED_FREED);
}

/* Neither NULL nor freed, as far as can be told. */
static inline bool heed__is_live(const heed_tensor *t)
{
    return t && (unsigned)t->dtype < HEED_DTYPE_COUNT;
}

/* Fails because `what` of the function `where`, which is not live, is NULL or freed. */
bool heed__fail_tensor(const char *where, const char *what, const heed_tensor *t);

/* heed_release for a scope that ends: whoever has freed the tensor before had no right to. */
void heed__release_borrowed(heed_tensor *t);

/* -- Checks of arguments: false after heed_fail -------------------------------------------------------------------- */

/* Fails because `what` of the function `where` is NULL. In the backward of an op that does not keep everything, mostly
 * the cause, the message names the op and what it does not keep. */
void heed__fail_null(const char *where, const char *what);

bool heed__check_tensor(const char *where, const heed_tensor *t);
bool heed__check_dtype(const char *where, heed_dtype dtype);
bool heed__check_shape(const char *where, const heed_shape *shape);

/* -- Writing in place: core/write.c -------------------------------------------------------------------------------- */

/* Whether two elements of t may share an address. */
bool heed__overlaps_itself(const heed_tensor *t);

/* For writes in place: that t may be written (see heed/tensor.h); then raises the version. */
bool heed__begin_write(const char *where, heed_tensor *t);

/* -- Elements: core/access.c --------------------------------------------------------------------------------------- */

/* One element as a double, and back. i64 takes whole numbers that fit, else false after heed_fail. */
double heed__load(heed_dtype dtype, const char *element);
bool heed__store(const char *where, heed_dtype dtype, char *element, double value);

/* -- Shapes -------------------------------------------------------------------------------------------------------- */

/* Negative axes count from the end. -1 after heed_fail. */
int heed__axis_of(const char *where, int axis, int rank);

/* heed_shape_numel, without copying the shape. */
static inline int64_t heed__numel(const heed_shape *shape)
{
    if (shape->rank < 0 || shape->rank > HEED_MAX_RANK)
        return -1;
    int64_t product = 1; /* of the sizes above 0: (0, 2^62, 2^62) is not a shape either */
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
