/* nn/layer.h - helpers shared by layers: checks, parameters, children. `where` is the public function's name, for
 * messages. Functions return false or NULL after heed_fail. */
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

/* -- Checks of forward arguments ----------------------------------------------------------------------------------- */

/* Checks that neither the module nor its argument x, whose name is `name`, is NULL. */
bool heed__layer_check_given(const char *where, const void *net, const char *name, const heed_tensor *x);

/* Checks that neither the module nor queries, keys or values are NULL. */
bool heed__layer_check_attention(const char *where, const void *net, const heed_tensor *queries,
                                 const heed_tensor *keys, const heed_tensor *values);

/* Checks that x has the given dtype and shape, in which -1 matches any size. */
bool heed__layer_check_tensor(const char *where, const char *name, const heed_tensor *x, heed_dtype dtype,
                              heed_shape shape);

/* Returns true if every length in valid_lens, i64 (B) or (B, Q), is in 0 .. maximum. If not, *at is the index of the
 * first length outside. This function does not call heed_fail. */
bool heed__layer_lengths_inside(const heed_tensor *valid_lens, int64_t maximum, heed_shape *at);

/* Checks that valid_lens is i64 (batch) with lengths in 0 .. maximum. */
bool heed__layer_check_lengths(const char *where, const heed_tensor *valid_lens, int64_t batch, int64_t maximum);

/* -- Creation ------------------------------------------------------------------------------------------------------ */

/* Register a new parameter and return it. All elements are `value` (constant), or they are drawn from U(-bound, bound)
 * (uniform). */
heed_tensor *heed__layer_constant(heed_module *m, const char *name, heed_dtype dtype, heed_shape shape, double value);
heed_tensor *heed__layer_uniform(heed_module *m, const char *name, heed_dtype dtype, heed_shape shape, double bound);

/* Fills the parameter t with zeros. Returns false after heed_fail. */
bool heed__layer_clear(heed_tensor *t);

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

/* Ends the scope and moves `result` and n optional outputs (at most 3) to the enclosing scope. Stores computed[i] in
 * *requested[i], unless requested[i] is NULL. Returns the result. If the result or a requested output is NULL or memory
 * is exhausted, writes nothing and returns NULL. */
heed_tensor *heed__scope_return_requested(heed_scope *scope, heed_tensor *result, heed_tensor *const *computed,
                                          heed_tensor **const *requested, int n);

/* Sets every *requested[i] to NULL at the beginning of a forward with optional outputs. Skips a NULL requested[i]. */
void heed__clear_requested(heed_tensor **const *requested, int n);

#endif
