/* heed/module.h - modules: trees of named parameters. The library's layers are in heed/nn.h.
 *
 *     typedef struct my_net { heed_module base; heed_tensor *w; heed_nn_linear *inner; } my_net;
 *
 *     my_net *net = heed_module_new("my_net", sizeof *net);
 *     net->w     = heed_module_parameter(&net->base, "w", heed_randn(HEED_F32, HEED_SHAPE(3)));
 *     net->inner = heed_nn_linear_new(3, 4, NULL);
 *     heed_module_child(&net->base, "inner", &net->inner->base);
 *     ...
 *     heed_module_free(&net->base);
 *
 * The first field is the base. The module owns the parameters, buffers and children registered with it; the
 * other fields are only shortcuts to them.
 *
 * Threads: any number of threads may run one module's forward at once, and differentiate the results as described in
 * heed/graph.h, because forward only reads the module. (With dropout, threads that use one generator draw from it in an
 * order that is not defined: heed_generator_use. Batch norm and spectral norm write to their buffers in training and
 * must then run in one thread, or with copies of them: heed_parallel_own_buffers.) Changes of a module (registering,
 * train and eval, an optimizer's steps, freeing) require that no other thread use it at that time.
 *
 * Stability: stable
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_MODULE_H
#define HEED_MODULE_H

#include <heed/dict.h>

HEED_BEGIN_DECLS

typedef struct heed_module heed_module;

struct heed_module {
    const char *type; /* "nw_kernel_regression": for messages */
    bool training;    /* set by heed_module_train and heed_module_eval; starts true */

    /* The function that heed_module_forward runs; NULL if forward needs more than one tensor. */
    heed_tensor *(*forward)(heed_module *m, heed_tensor *x);

    /* Releases resources of the module that are not registered; registered parameters, buffers and children still exist
     * when it is called. May be NULL. */
    void (*on_free)(heed_module *m);

    struct heed_module_member *first;  /* private: parameters, buffers and children, in order of registration */
    struct heed_module_member *last;   /* private */
    struct heed_module_index *index;   /* private: finds members by name */
    size_t n_members, n_children;      /* private: numbers of members and of child modules */
    struct heed_module_member *parent; /* private: the parent's member that holds this module; NULL at the top */
    const heed_module *above;          /* private: the parent, and the module's name in it */
    const char *name;
    heed_module *next_to_free; /* private: link in the list of modules about to be freed */
    size_t size;               /* private: bytes of the whole struct */
    uint64_t serial;           /* private: unique in the process; 0 once the module is freed */
};

/* Returns a zeroed struct of `size` bytes that begins with an initialised heed_module.
 * `type` must outlive the module.
 * Errors: NULL with HEED_ERR_NOMEM, or with HEED_ERR_ARGUMENT for a NULL type or a size below sizeof(heed_module).
 * torch: torch.nn.Module */
HEED_API HEED_NODISCARD void *heed_module_new(const char *type, size_t size);

/* Registers a parameter: retains t, marks it as requiring a gradient, and returns it.
 * Errors: NULL with HEED_ERR_ARGUMENT for a NULL, empty or already used name, or one with '.'; HEED_ERR_DTYPE
 * unless t is floating-point; HEED_ERR_UNSUPPORTED unless t is contiguous; HEED_ERR_STATE if t is the result of a
 * recorded op.
 * torch: torch.nn.Module.register_parameter */
HEED_API heed_tensor *heed_module_parameter(heed_module *m, const char *name, heed_tensor *t);

/* Registers a buffer, a tensor of any dtype that is saved with the module but not trained: retains t and returns it.
 * Errors: NULL as heed_module_parameter, except for the dtype.
 * torch: torch.nn.Module.register_buffer */
HEED_API heed_tensor *heed_module_buffer(heed_module *m, const char *name, heed_tensor *t);

/* Registers a child module, takes ownership of it and returns it.
 * After a failure the caller still owns the child.
 * Errors: NULL with HEED_ERR_ARGUMENT for a NULL, empty or already used name, or one with '.', and if the child already
 * has a parent, or is m or a module above m.
 * torch: torch.nn.Module.register_module */
HEED_API heed_module *heed_module_child(heed_module *m, const char *name, heed_module *child);

/* Runs the module on one tensor and returns the result.
 * Errors: NULL with HEED_ERR_UNSUPPORTED for a module whose forward needs more than one tensor (attention), with the
 * module's own error, or with HEED_ERR_STATE if the module returns NULL without an error.
 * torch: torch.nn.Module.forward */
HEED_API heed_tensor *heed_module_forward(heed_module *m, heed_tensor *x);

/* Frees the module, its parameters and buffers, and all modules below it.
 * The gradients of parameters are freed first, which breaks the cycle that create_graph makes, except with a
 * heed_nn_parameter_list_new. NULL is ignored. A child can be freed only by its parent. An error of on_free is returned
 * after everything is freed.
 * Errors: HEED_ERR_STATE, without any effect, if m has a parent. */
HEED_API heed_status heed_module_free(heed_module *m);

/* -- Modes and parameters of the tree: the module and all modules below it, at any depth --------------------------- */

/* Sets `training` in the whole tree, which for instance activates dropout.
 * Errors: HEED_ERR_ARGUMENT for NULL.
 * torch: torch.nn.Module.train */
HEED_API heed_status heed_module_train(heed_module *m);

/* Clears `training` in the whole tree.
 * Errors: HEED_ERR_ARGUMENT for NULL.
 * torch: torch.nn.Module.eval */
HEED_API heed_status heed_module_eval(heed_module *m);

/* Removes the gradient of every parameter.
 * Errors: HEED_ERR_ARGUMENT for NULL.
 * torch: torch.nn.Module.zero_grad */
HEED_API heed_status heed_module_zero_grad(heed_module *m);

/* Freezes (false) or unfreezes (true) the parameters whose paths match a pattern.
 * In the pattern '*' stands for any characters, including dots, and '?' for one character: "encoder.*", "*.bias", "*".
 * '|' separates alternatives, and TYPE:PATH also requires the type of the module that owns the parameter:
 * "*bias|*norm:*" matches all biases and all parameters of layers such as layer_norm. Optimizers skip frozen
 * parameters. An existing gradient remains.
 *
 * Returns the number of matching parameters. A parameter registered twice counts twice if both paths match.
 * Errors: 0 with HEED_ERR_ARGUMENT for NULL, and if no parameter matches, which is probably a typing error.
 * torch: torch.nn.Module.requires_grad_ */
HEED_API int64_t heed_module_set_requires_grad(heed_module *m, const char *pattern, bool requires_grad);

/* Returns the parameter or buffer with that path. For a parametrized parameter it returns the computed tensor
 * (heed/nn/parametrizations.h).
 * Errors: NULL with HEED_ERR_ARGUMENT if it does not exist.
 * torch: torch.nn.Module.get_parameter */
HEED_API heed_tensor *heed_module_find(heed_module *m, const char *path);

/* Returns the number of parameters in the tree. A parameter registered twice counts twice.
 * Errors: 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_module_parameter_count(heed_module *m);

/* Returns the number of elements of all parameters in the tree. A parameter registered twice counts twice.
 * Errors: 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_module_parameter_numel(heed_module *m);

/* -- State: parameters and buffers by their paths, as in PyTorch's state_dict ----------------------------------- */

/* Returns a dict of the module's parameters and buffers themselves, not copies; the caller frees the dict.
 * A tensor registered under two paths appears twice.
 * Errors: NULL with HEED_ERR_NOMEM or the errors of heed_module_walk.
 * torch: torch.nn.Module.state_dict */
HEED_API HEED_NODISCARD heed_dict *heed_module_state(heed_module *m);

/* Copies values from a dict into the module's tensors, all or none.
 * It calls heed_dict_load, whose message names missing and unexpected tensors and differing shapes.
 * Errors: HEED_ERR_ARGUMENT for NULL; errors of heed_dict_load and heed_module_state.
 * torch: torch.nn.Module.load_state_dict */
HEED_API heed_status heed_module_load_state(heed_module *m, const heed_dict *state,
                                            const heed_dict_load_options *options);

/* Copies the values of all parameters and buffers of `from` into `to`, a different module of the same structure, all or
 * none.
 * Use it to follow a network during training, or to keep its best state. `training` and the frozen parameters of `to`
 * do not change.
 * Errors: HEED_ERR_ARGUMENT for NULL; as heed_module_load_state if the structures differ. */
HEED_API heed_status heed_module_copy_state(heed_module *to, heed_module *from);

/* -- Expert calls: walks over the tree ----------------------------------------------------------------------------- */

/* A parameter or buffer that a walk visits. */
typedef struct heed_module_visit {
    const char *name;    /* the path, "encoder.attention.W_q"; valid during the call */
    heed_tensor *tensor; /* the parameter or buffer */
    bool is_buffer;
    heed_module *owner;
} heed_module_visit;

/* The maximum number of characters in a path. */
#define HEED_MODULE_PATH_MAX 256

/* The callback of heed_module_walk; HEED_OK continues the walk. */
typedef heed_status (*heed_module_visitor)(const heed_module_visit *visit, void *user);

/* Calls the visitor for every parameter and buffer of the tree, in the order of registration, children included.
 * It stops at the first status other than HEED_OK, or when an error is left pending, and returns that status. The
 * visitor must not register anything in the tree.
 * Errors: HEED_ERR_UNSUPPORTED for a path of more than HEED_MODULE_PATH_MAX characters.
 * torch: torch.nn.Module.named_parameters */
HEED_API heed_status heed_module_walk(heed_module *m, heed_module_visitor visitor, void *user);

/* Calls the visitor for every parameter whose path matches a pattern, written as in heed_module_set_requires_grad.
 * It stops as heed_module_walk does.
 *
 * Returns the number of matching parameters.
 * Errors: 0 with HEED_ERR_ARGUMENT for NULL, and if no parameter matches; 0 if the visitor stops the walk, with the
 * visitor's error, if any; errors of heed_module_walk. */
HEED_API int64_t heed_module_walk_matching(heed_module *m, const char *pattern, heed_module_visitor visitor,
                                           void *user);

/* The callback of heed_module_walk_modules, with a module and its path; HEED_OK continues the walk. */
typedef heed_status (*heed_submodule_visitor)(const char *path, heed_module *m, void *user);

/* Calls the visitor for m itself, with the path "", and for every module below it, parents before children.
 * Errors: as heed_module_walk.
 * torch: torch.nn.Module.named_modules */
HEED_API heed_status heed_module_walk_modules(heed_module *m, heed_submodule_visitor visitor, void *user);

/* -- Expert calls: the names of modules in errors ------------------------------------------------------------------ */

/* Replaces HEED_ENTER (heed/error.h) in a module's forward function, so that errors also name the failing module.
 * The message gives the type of the topmost module followed by the module's path in it; debug output does, too. `net`
 * may be NULL.
 *
 *     heed_tensor *my_layer_forward(my_layer *net, heed_tensor *x)
 *     {
 *         HEED_ENTER_FORWARD("my_layer_forward", net);
 *
 *     my_net_forward: my_net.encoder.3: linear: x (2, 8) has 8 features, w (2, 9) takes 9
 */
#if defined(__GNUC__)
#define HEED_ENTER_FORWARD(name, net)                                                                                  \
    heed_entry heed_entered __attribute__((cleanup(heed_leave), unused)) = heed_enter(name, (const heed_module *)(net))
#else
#define HEED_ENTER_FORWARD(name, net) HEED_ENTER(name)
#endif

HEED_END_DECLS

#endif
