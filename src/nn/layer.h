/* nn/layer.h - what layers share: checks, parameters, children. `where` is the public function's name, for messages;
 * what returns false or NULL has called heed_fail. */
#ifndef HEED_NN_LAYER_H
#define HEED_NN_LAYER_H

#include <heed/nn.h>
#include <heed/scope.h>

/* -- Checks of what a constructor is given ---------------------------------------------------------------------- */

bool heed__layer_check_size(const char *where, const char *name, int64_t size); /* 1 at least */
bool heed__layer_check_dtype(const char *where, heed_dtype dtype);              /* f32 or f64 */
bool heed__layer_check_dropout(const char *where, double p);                    /* 0 to 1 */
bool heed__layer_check_eps(const char *where, double eps);                      /* finite, 0 or more */
bool heed__layer_check_shape(const char *where, const heed_shape *shape);       /* rank and sizes of 1 at least */

/* -- Checks of what a forward is given --------------------------------------------------------------------------- */

/* Neither the module nor its tensor, called `name`, is NULL. */
bool heed__layer_check_given(const char *where, const void *net, const char *name, const heed_tensor *x);

/* And none of the three that attention is a function of. */
bool heed__layer_check_attention(const char *where, const void *net, const heed_tensor *queries,
                                 const heed_tensor *keys, const heed_tensor *values);

/* x has that dtype, and that shape, in which -1 is any size. */
bool heed__layer_check_tensor(const char *where, const char *name, const heed_tensor *x, heed_dtype dtype,
                              heed_shape shape);

/* Returns whether every length in valid_lens, i64 (B) or (B, Q), is in 0 .. most. If not, *at is the index of the first
 * length outside. This function alone does not call heed_fail. */
bool heed__layer_lengths_inside(const heed_tensor *valid_lens, int64_t most, heed_shape *at);

/* valid_lens is i64 (B), with lengths in 0 .. most. */
bool heed__layer_check_lengths(const char *where, const heed_tensor *valid_lens, int64_t batch, int64_t most);

/* -- Making ------------------------------------------------------------------------------------------------------ */

/* A new parameter, registered: all `value`, or drawn from U(-bound, bound). */
heed_tensor *heed__layer_constant(heed_module *m, const char *name, heed_dtype dtype, heed_shape shape, double value);
heed_tensor *heed__layer_uniform(heed_module *m, const char *name, heed_dtype dtype, heed_shape shape, double bound);

/* Fills a parameter with zeros. False after heed_fail. */
bool heed__layer_clear(heed_tensor *t);

/* "weight", ones, and "bias", zeros, unless they are NULL. False after heed_fail. */
bool heed__layer_affine(heed_module *m, heed_dtype dtype, heed_shape shape, heed_tensor **weight, heed_tensor **bias);

/* Registers a child fresh from its constructor and returns it; frees it on failure. NULL for NULL. */
void *heed__layer_child(heed_module *m, const char *name, void *child);

/* What a constructor returns: the module when all went well, else NULL, with the module freed. */
void *heed__layer_finish(void *net, bool ok);

/* -- Running ----------------------------------------------------------------------------------------------------- */

/* activation(x), a function of the user's. */
heed_tensor *heed__layer_activate(const char *where, heed_activation activation, heed_tensor *x);

/* Closes the scope and hands n tensors to the scope around it. False, and all of them NULL, when one is NULL or there
 * is no memory. A NULL scope fails, too. */
bool heed__scope_return_all(heed_scope *scope, heed_tensor **tensors, int n);

/* The same for a result and n others, 3 at most: made[i] goes to *wanted[i], unless wanted[i] is NULL. NULL, with
 * nothing written, unless all are there. */
heed_tensor *heed__scope_return_wanted(heed_scope *scope, heed_tensor *result, heed_tensor *const *made,
                                       heed_tensor **const *wanted, int n);

/* How a forward with such results begins: *wanted[i] = NULL. */
void heed__want_none(heed_tensor **const *wanted, int n);

#endif
