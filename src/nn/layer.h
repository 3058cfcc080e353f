/* nn/layer.h - helpers shared by layers: checks, parameters, children. `where` is the public function's name, for
 * messages. Functions return false or NULL after heed_fail.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_NN_LAYER_H
#define HEED_NN_LAYER_H

#include <heed/nn.h>
#include <heed/scope.h>

/* -- Checks of constructor arguments ------------------------------------------------------------------------------- */

bool heed__layer_check_size(const char *where, const char *name, int64_t size); /* `size` is 1 or more */
bool heed__layer_check_dtype(const char *where, heed_dtype dtype);              /* `dtype` is f32 or f64 */
bool heed__layer_check_dropout(const char *where, double p);                    /* p is in 0 to 1 */
bool heed__layer_check_eps(const char *where, double eps);                      /* eps is finite and at least 0 */
bool heed__layer_check_shape(const char *where, const heed_shape *shape);       /* rank and sizes are 1 or more */

/* Check a list with at most one number per axis, such as a stride: every number is at least `minimum`. The second
 * function checks a kernel, whose list is not empty. */
bool heed__layer_check_numbers(const char *where, const char *name, int axes, const heed_shape *numbers,
                               int64_t minimum);
bool heed__layer_check_kernel(const char *where, const char *name, int axes, const heed_shape *kernel);

/* -- Checks of forward arguments ----------------------------------------------------------------------------------- */

/* Checks that neither the module nor its argument x, whose name is `name`, is NULL. */
bool heed__layer_check_given(const char *where, const void *net, const char *name, const heed_tensor *x);

/* Checks that neither the module nor queries, keys or values are NULL. */
bool heed__layer_check_attention(const char *where, const void *net, const heed_tensor *queries,
                                 const heed_tensor *keys, const heed_tensor *values);

/* Checks that x has the given dtype and shape, in which -1 matches any size. */
bool heed__layer_check_tensor(const char *where, const char *name, const heed_tensor *x, heed_dtype dtype,
                              heed_shape shape);

/* Checks that valid_lens is i64 (batch) with lengths in 0 .. maximum. */
bool heed__layer_check_lengths(const char *where, const heed_tensor *valid_lens, int64_t batch, int64_t maximum);

/* -- Names --------------------------------------------------------------------------------------------------------- */

/* Returns true if the name of a parameter ends in `tail`, such as ".bias". */
bool heed__layer_name_ends_in(const char *name, const char *tail);

/* -- Creation ------------------------------------------------------------------------------------------------------ */

/* Register a new parameter and return it. All elements are `value` (constant), or they are drawn from U(-bound, bound)
 * (uniform). */
heed_tensor *heed__layer_constant(heed_module *m, const char *name, heed_dtype dtype, heed_shape shape, double value);
heed_tensor *heed__layer_uniform(heed_module *m, const char *name, heed_dtype dtype, heed_shape shape, double bound);

/* Fills the parameter t with zeros. Returns false after heed_fail. */
bool heed__layer_clear(heed_tensor *t);

/* Copies a value of the same dtype and shape into a tensor, both contiguous, without allocating: an allocation could
 * fail after the first of several tensors is written. */
void heed__layer_write(heed_tensor *to, const heed_tensor *value);

/* Registers "weight", filled with ones, and "bias", filled with zeros. Omits a parameter whose pointer argument is
 * NULL. Returns false after heed_fail. */
bool heed__layer_affine(heed_module *m, heed_dtype dtype, heed_shape shape, heed_tensor **weight, heed_tensor **bias);

/* Registers a newly created child and returns it. Frees the child on failure. Returns NULL if `child` is NULL. */
void *heed__layer_child(heed_module *m, const char *name, void *child);

/* Ends a constructor: returns the module if `ok`, else frees it and returns NULL. */
void *heed__layer_finish(void *net, bool ok);

/* -- Forward passes ------------------------------------------------------------------------------------------------ */

/* Returns activation(x), a user's function. */
heed_tensor *heed__layer_activate(const char *where, heed_activation activation, heed_tensor *x);

/* Ends the scope and moves n tensors to the enclosing scope. If a tensor or the scope is NULL, or memory is exhausted,
 * sets all n tensors to NULL and returns false. */
bool heed__scope_return_all(heed_scope *scope, heed_tensor **tensors, int n);

/* An output of a forward that its caller may request, such as attention weights. */
typedef struct heed__layer_output {
    heed_tensor **to;      /* the caller's pointer; NULL if the output is not requested */
    heed_tensor *computed; /* the output, in the scope of the forward */
} heed__layer_output;

/* Sets *to to NULL at the beginning of a forward, unless `to` is NULL. */
static inline void heed__clear_output(heed_tensor **to)
{
    if (to)
        *to = NULL;
}

/* Returns the pointer by which a forward requests the output from the function that computes it, or NULL. */
static inline heed_tensor **heed__requested(heed__layer_output *output)
{
    return output->to ? &output->computed : NULL;
}

/* Ends the scope and moves `result` and n outputs (at most 3) to the enclosing scope. Stores the requested outputs and
 * returns the result. If the result or a requested output is NULL or memory is exhausted, writes nothing and returns
 * NULL. */
heed_tensor *heed__scope_return_outputs(heed_scope *scope, heed_tensor *result, const heed__layer_output *outputs,
                                        int n);

/* Fields of heed_nn_attention_call that a layer may support in addition to valid_lens, mask, bias and weights. */
enum {
    HEED__CALL_CACHE = 1,       /* cache, without valid_lens */
    HEED__CALL_CACHED_LENS = 2, /* valid_lens with a cache */
    HEED__CALL_MEMORY = 4,      /* memory_... */
    HEED__CALL_ENCODER = 8,     /* encoder_... */
};

/* Begins a forward with optional arguments: sets the requested weights to NULL, and checks the cache and that all given
 * fields are among `supported`. Returns false after heed_fail. */
bool heed__attention_call_begin(const char *where, const heed_nn_attention_call *call, unsigned supported);

/* -- Steps --------------------------------------------------------------------------------------------------------- */

/* Splits a sequence, for layers that process one step at a time. Returns a list of the T steps of x (T, ...), which are
 * views (1, ...) borrowed from the innermost scope. Returns NULL after heed_fail with `where`, such as
 * HEED_ERR_UNSUPPORTED for more than 2^20 steps. */
heed_tensor **heed__steps_split(const char *where, heed_tensor *x);

/* Frees the list but not the steps. */
void heed__steps_free(heed_tensor **steps, int64_t T);

#endif
