/* nn/parametrizations.c - weight norm and spectral norm of a module's parameter.
 *
 * The parameter's tensor, to which the module and the program point, becomes a computed tensor (heed_set_compute). Its
 * member is taken out of the module's list and kept here, so that removing the parametrization only puts it back. The
 * originals belong to a child module, as PyTorch's do. The last original shares the elements of the computed tensor.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <heed/functional.h>
#include <heed/graph.h>
#include <heed/nn/parametrizations.h>
#include <heed/parallel.h>

#include "nn/layer.h"
#include "nn/module.h"

static const char container_type[] = "parametrizations";

enum { ALL_AXES = -1, FIRST_ITERATIONS = 15, MAX_ITERATIONS = 1000 };

typedef struct parametrization {
    heed_module base;
    const char *kind;           /* "weight_norm" */
    heed_compute compute;       /* the value of the parameter */
    heed_module_member *member; /* of the parameter, unlinked; NULL before that */
    heed_tensor *original;      /* the direction of weight norm, or the weight before spectral norm */
    heed_tensor *length;        /* of weight norm */
    heed_tensor *u, *v;         /* of spectral norm: singular vectors; NULL for a vector */
    int axis;
    int n_power_iterations;
    double eps;
} parametrization;

/* -- Weight norm --------------------------------------------------------------------------------------------------- */

/* Returns the norms of x over all axes except one, with size 1 in these axes, or the norm () of all elements. */
static heed_tensor *norm_except(heed_tensor *x, int axis)
{
    heed_shape axes = {.rank = 0};
    for (int i = 0; i < heed_rank(x); i++)
        if (i != axis)
            axes.dims[axes.rank++] = i;
    return axes.rank > 0 ? heed_norm(x, 2.0, axes, axis != ALL_AXES) : heed_abs(x);
}

static heed_tensor *weight_norm_value(void *user)
{
    const parametrization *p = user;
    return heed_mul(p->original, heed_div(p->length, norm_except(p->original, p->axis)));
}

/* -- Spectral norm ------------------------------------------------------------------------------------------------- */

/* Returns x / max(norm of x, eps) for a vector x. */
static heed_tensor *normalized(heed_tensor *x, double eps)
{
    return heed_div(x, heed_clamp(heed_norm(x, 2.0, HEED_SHAPE(0), true), eps, (double)INFINITY));
}

/* Returns the weight as a matrix whose rows are the slices of the axis. */
static heed_tensor *matrix_of(const parametrization *p)
{
    heed_tensor *rows = heed_movedim(p->original, HEED_AXES(p->axis), HEED_AXES(0));
    return heed_reshape(rows, HEED_SHAPE(heed_dim(p->original, p->axis), -1));
}

/* Sets *u and replaces *v by the results of power iterations, at least one. Sets *u to NULL on failure. */
static void iterate(const parametrization *p, heed_tensor *matrix, int iterations, heed_tensor **u, heed_tensor **v)
{
    for (int i = 0; i < iterations; i++) {
        *u = normalized(heed_matmul(matrix, *v), p->eps);
        *v = normalized(heed_matmul(*u, matrix), p->eps);
    }
    if (!*v)
        *u = NULL;
}

/* Returns in *u and *v the singular vectors for the present use, in the enclosing scope and outside the graph. Updates
 * the buffers while training. Returns false after heed_fail. */
static bool singular_vectors(const parametrization *p, heed_tensor *matrix, heed_tensor **u, heed_tensor **v)
{
    const bool iterates = p->base.training && !heed_is_recomputing();
    heed_tensor *buffer_u = p->base.training ? heed_parallel_buffer(p->u) : p->u;
    heed_tensor *buffer_v = p->base.training ? heed_parallel_buffer(p->v) : p->v;
    heed_scope *scope = buffer_u && buffer_v ? heed_no_grad_begin() : NULL;
    if (!scope)
        return false;
    heed_tensor *out[2] = {NULL, buffer_v};
    if (iterates) {
        iterate(p, matrix, p->n_power_iterations, &out[0], &out[1]);
    } else {
        out[0] = heed_clone(buffer_u);
        out[1] = heed_clone(buffer_v);
    }
    if (iterates && out[0] && out[1]) {
        heed__layer_write(buffer_u, out[0]);
        heed__layer_write(buffer_v, out[1]);
    }
    const bool ok = heed__scope_return_all(scope, out, 2);
    *u = out[0];
    *v = out[1];
    return ok;
}

static heed_tensor *spectral_norm_value(void *user)
{
    const parametrization *p = user;
    if (!p->u)
        return normalized(p->original, p->eps);
    heed_tensor *matrix = matrix_of(p), *u, *v;
    if (!matrix || !singular_vectors(p, matrix, &u, &v))
        return NULL;
    return heed_div(p->original, heed_sum(heed_mul(u, heed_matmul(matrix, v))));
}

/* Registers the buffers of child "0", after 15 power iterations from a random vector. Returns false after heed_fail. */
static bool add_singular_vectors(parametrization *p)
{
    heed_tensor *matrix = matrix_of(p);
    if (!matrix)
        return false;
    const heed_dtype dtype = heed_dtype_of(matrix);
    heed_tensor *u, *v = normalized(heed_randn(dtype, HEED_SHAPE(heed_dim(matrix, 1))), p->eps);
    iterate(p, matrix, FIRST_ITERATIONS, &u, &v);
    heed_module *child = u ? heed__layer_child(&p->base, "0", heed_module_new("spectral_norm", sizeof *child)) : NULL;
    if (!child)
        return false;
    child->training = p->base.training;
    p->u = heed_module_buffer(child, "_u", u);
    p->v = p->u ? heed_module_buffer(child, "_v", v) : NULL;
    return p->v;
}

/* -- Adding a parametrization -------------------------------------------------------------------------------------- */

static void free_parametrization(heed_module *m)
{
    parametrization *p = (parametrization *)m;
    if (!p->member)
        return;
    heed_set_compute(p->member->tensor, NULL, NULL);
    heed__module_free_member(p->member);
    p->member = NULL;
}

/* Returns the module's child that holds its parametrizations, or NULL. */
static heed_module *container_of(const heed_module *m)
{
    const heed_module_member *member = heed__module_member(m, container_type, sizeof container_type - 1);
    return member && member->child && member->child->type == container_type ? member->child : NULL;
}

static parametrization *find_parametrization(const heed_module *m, const char *name)
{
    const heed_module *container = container_of(m);
    const heed_module_member *member = container ? heed__module_member(container, name, strlen(name)) : NULL;
    return member ? (parametrization *)member->child : NULL;
}

heed_tensor *heed__module_computed(const heed_module *m, const char *name)
{
    const parametrization *p = find_parametrization(m, name);
    return p && p->member ? p->member->tensor : NULL;
}

/* Checks that no other module of the whole tree has the parameter, too: its forward would read the computed tensor, but
 * its state would lack the originals. */
static bool check_unshared(const char *where, const heed_module_member *member)
{
    const heed_module *root = member->owner;
    while (root->parent)
        root = root->parent->owner;
    for (const heed_module_member *it = heed__module_next(root, NULL); it; it = heed__module_next(root, it))
        if (it != member && it->tensor == member->tensor)
            return heed_fail_false(HEED_ERR_UNSUPPORTED, where,
                                   "\"%s\" of the %s is also \"%s\" of a %s: a shared parameter cannot be parametrized",
                                   member->name, member->owner->type, it->name, it->owner->type);
    return true;
}

/* Returns the parameter's member, or NULL after heed_fail. */
static heed_module_member *find_parameter(const char *where, heed_module *m, const char *path)
{
    const char *name;
    heed_module *owner = heed__module_owner(where, m, path, &name);
    if (!owner)
        return NULL;
    const parametrization *p = find_parametrization(owner, name);
    if (p)
        return heed_fail_null(HEED_ERR_STATE, where,
                              "\"%s\" of the %s already has %s: call heed_nn_remove_parametrization first", name,
                              owner->type, p->kind);
    heed_module_member *member = heed__module_member(owner, name, strlen(name));
    if (!member || !member->tensor) {
        heed__module_fail_path(where, m, path, owner);
        return NULL;
    }
    if (member->is_buffer)
        return heed_fail_null(HEED_ERR_ARGUMENT, where, "\"%s\" of the %s is a buffer: must be a parameter", name,
                              owner->type);
    if (heed_numel(member->tensor) == 0 || heed_rank(member->tensor) == 0)
        return heed_fail_null(HEED_ERR_SHAPE, where, "\"%s\" of the %s is %s: must have an axis and no size of 0", name,
                              owner->type, heed_shape_text(heed_shape_of(member->tensor)).s);
    return check_unshared(where, member) ? member : NULL;
}

/* Checks an axis of the option `dim`, which is `lowest` or more. */
static bool check_axis(const char *where, const heed_module_member *member, int axis, int lowest)
{
    const int rank = heed_rank(member->tensor);
    if (axis >= lowest && axis < rank)
        return true;
    return heed_fail_false(HEED_ERR_ARGUMENT, where, "dim is %d: \"%s\" is %s, so dim must be %d to %d", axis,
                           member->name, heed_shape_text(heed_shape_of(member->tensor)).s, lowest, rank - 1);
}

/* Creates a parametrization with these settings, which is not yet in use. Returns NULL after heed_fail. */
static parametrization *parametrization_new(const heed_module_member *member, const parametrization *settings)
{
    parametrization *p = heed_module_new("parametrization", sizeof *p);
    if (!p)
        return NULL;
    const heed_module base = p->base;
    *p = *settings;
    p->base = base;
    p->base.training = member->owner->training;
    p->base.on_free = free_parametrization;
    return p;
}

static heed_tensor *add_original(parametrization *p, const char *name, heed_tensor *value)
{
    return value ? heed_module_parameter(&p->base, name, value) : NULL;
}

/* Registers the originals and buffers of a new parametrization. Returns false after heed_fail. */
static bool add_originals(parametrization *p, const heed_module_member *member)
{
    const bool trained = heed_requires_grad(member->tensor), is_weight_norm = p->compute == weight_norm_value;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return false;
    heed_tensor *original = heed_detach(member->tensor);
    bool ok = original;
    if (ok && is_weight_norm)
        ok = (p->length = add_original(p, "original0", norm_except(original, p->axis)));
    ok = ok && (p->original = add_original(p, is_weight_norm ? "original1" : "original", original));
    if (ok && !trained)
        ok = heed_module_set_requires_grad(&p->base, "*", false) > 0;
    if (ok && !is_weight_norm && heed_rank(original) > 1)
        ok = add_singular_vectors(p);
    heed_scope_end(scope);
    return ok;
}

/* Makes the parametrization a child of the parameter's owner. Returns false after heed_fail. */
static bool add_to_owner(parametrization *p, const heed_module_member *member)
{
    heed_module *existing = container_of(member->owner);
    heed_module *container = existing ? existing : heed_module_new(container_type, sizeof *container);
    if (!container)
        return false;
    container->training = member->owner->training;
    if ((existing || heed_module_child(member->owner, container_type, container)) &&
        heed_module_child(container, member->name, &p->base))
        return true;
    if (!existing && container->parent)
        heed__module_free_child(container);
    else if (!existing)
        heed_module_free(container);
    return false;
}

static heed_status parametrize(heed_module_member *member, const parametrization *settings)
{
    parametrization *p = parametrization_new(member, settings);
    if (!p || !add_originals(p, member) || !add_to_owner(p, member)) {
        heed_module_free((heed_module *)p);
        return heed_error_code();
    }
    heed_set_grad(member->tensor, NULL);
    heed_set_compute(member->tensor, p->compute, p);
    heed__module_unlink(member);
    p->member = member;
    return HEED_OK;
}

heed_status heed_nn_weight_norm(heed_module *m, const char *name, const heed_nn_weight_norm_options *options)
{
    static const char where[] = "nn_weight_norm";
    HEED_ENTER(where);
    const parametrization settings = {
        .kind = "weight_norm", .compute = weight_norm_value, .axis = options ? options->dim : 0};
    heed_module_member *member = find_parameter(where, m, name);
    if (!member || !check_axis(where, member, settings.axis, ALL_AXES))
        return heed_error_code();
    return parametrize(member, &settings);
}

heed_status heed_nn_spectral_norm(heed_module *m, const char *name, const heed_nn_spectral_norm_options *options)
{
    static const char where[] = "nn_spectral_norm";
    HEED_ENTER(where);
    const heed_nn_spectral_norm_options o = options ? *options : (heed_nn_spectral_norm_options){0};
    if (o.n_power_iterations < 0 || o.n_power_iterations > MAX_ITERATIONS)
        return heed_fail(HEED_ERR_ARGUMENT, where, "n_power_iterations is %d: must be 0 to %d, where 0 means 1",
                         o.n_power_iterations, MAX_ITERATIONS);
    heed_module_member *member = heed__layer_check_eps(where, o.eps) ? find_parameter(where, m, name) : NULL;
    if (!member)
        return heed_error_code();
    const int rank = heed_rank(member->tensor);
    if (!check_axis(where, member, o.dim, -rank))
        return heed_error_code();
    const bool transposed = o.dim == 0 && rank > 1 && strcmp(member->owner->type, "conv_transpose") == 0;
    return parametrize(member,
                       &(parametrization){.kind = "spectral_norm",
                                          .compute = spectral_norm_value,
                                          .axis = transposed  ? 1
                                                  : o.dim < 0 ? o.dim + rank
                                                              : o.dim,
                                          .n_power_iterations = o.n_power_iterations > 0 ? o.n_power_iterations : 1,
                                          .eps = o.eps > 0.0 ? o.eps : 1e-12});
}

/* -- Removing a parametrization ------------------------------------------------------------------------------------ */

heed_status heed_nn_remove_parametrization(heed_module *m, const char *name)
{
    static const char where[] = "nn_remove_parametrization";
    HEED_ENTER(where);
    const char *last;
    heed_module *owner = heed__module_owner(where, m, name, &last);
    if (!owner)
        return heed_error_code();
    parametrization *p = find_parametrization(owner, last);
    if (!p)
        return heed_fail(HEED_ERR_ARGUMENT, where, "\"%s\" of the %s has no parametrization", last, owner->type);
    heed_module_member *member = p->member;
    heed_scope *scope = heed_no_grad_begin();
    if (!scope)
        return HEED_ERR_NOMEM;
    heed_tensor *value = heed_clone(member->tensor);
    if (value) {
        const bool trained = heed_requires_grad(p->original);
        heed_set_compute(member->tensor, NULL, NULL);
        heed__layer_write(member->tensor, value);
        heed_set_requires_grad(member->tensor, trained);
        p->member = NULL;
        heed__module_append(member);
        heed_module *container = p->base.parent->owner;
        heed__module_free_child(container->n_members > 1 ? &p->base : container);
    }
    heed_scope_end(scope);
    return value ? HEED_OK : heed_error_code();
}
