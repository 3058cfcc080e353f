/* heed/module.h - modules: parameters with names, in a tree. The layers of the library are in heed/nn.h.
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
 * The first field is the base; the module owns what is registered with it, and the other fields are shortcuts.
 *
 * Threads: many may run one module forward at once, and differentiate the results as heed/graph.h says: forward only
 * reads the module. (Dropout then draws from one generator in whatever order the threads come; batch norm writes to its
 * buffers while it trains, and wants one thread.) Whatever changes a module
 * (registering, train and eval, an optimizer's steps, freeing) requires that no other thread use it meanwhile.
 */
#ifndef HEED_MODULE_H
#define HEED_MODULE_H

#include <heed/dict.h>

HEED_BEGIN_DECLS

typedef struct heed_module heed_module;

struct heed_module {
    const char *type; /* "nw_kernel_regression": for messages */
    bool training;    /* set by heed_module_train and heed_module_eval; starts true */

    /* What heed_module_forward runs: the module as a function of one tensor. NULL where it takes more. */
    heed_tensor *(*forward)(heed_module *m, heed_tensor *x);

    /* Releases what the module's own fields hold beyond what is registered, which is all still there. May be NULL. */
    void (*on_free)(heed_module *m);

    struct heed_module_member *first;  /* private: parameters, buffers and children, in order of registration */
    struct heed_module_member *last;   /* private */
    struct heed_module_index *index;   /* private: finds them by name */
    size_t n_members, n_children;      /* private: how many, and how many of these are modules */
    struct heed_module_member *parent; /* private: the parent's member that holds this module; NULL at the top */
    const heed_module *above;          /* private: the parent, and what it calls this module */
    const char *name;
    heed_module *next_to_free; /* private: in a list of modules that are about to be freed */
    size_t size;               /* private: bytes of the whole struct */
    uint64_t serial;           /* private: differs for every module of the process; 0 once the module is freed */
};

/* A zeroed struct of `size` bytes that begins with an initialised heed_module. `type` must outlive it. NULL with
 * HEED_ERR_NOMEM; HEED_ERR_ARGUMENT for a NULL type or a size below sizeof(heed_module).
 * torch: torch.nn.Module */
HEED_API HEED_NODISCARD void *heed_module_new(const char *type, size_t size);

/* Frees the module, its parameters and buffers and all modules below, parameters' gradients first (which breaks the
 * cycle that create_graph makes). NULL is ignored. A child is freed by its parent only: HEED_ERR_STATE, and nothing
 * happens, when m has a parent. An on_free's failure is returned once all is freed. */
HEED_API heed_status heed_module_free(heed_module *m);

/* Registers a parameter: retains t, marks it as requiring a gradient, returns it. NULL with HEED_ERR_ARGUMENT for a
 * name that is NULL, empty, taken, or has a '.'; HEED_ERR_DTYPE unless floating-point; HEED_ERR_UNSUPPORTED unless
 * contiguous; HEED_ERR_STATE when t is the result of a recorded op.
 * torch: torch.nn.Module.register_parameter */
HEED_API heed_tensor *heed_module_parameter(heed_module *m, const char *name, heed_tensor *t);

/* Registers a tensor of any dtype that belongs to the module's state but is not trained: retains and returns it. NULL
 * as heed_module_parameter, but for the dtype.
 * torch: torch.nn.Module.register_buffer */
HEED_API heed_tensor *heed_module_buffer(heed_module *m, const char *name, heed_tensor *t);

/* Registers a child, takes ownership and returns it. NULL with HEED_ERR_ARGUMENT for names as above, or when the child
 * has a parent already, or is m or above m; after a failure the caller still owns it.
 * torch: torch.nn.Module.register_module */
HEED_API heed_module *heed_module_child(heed_module *m, const char *name, heed_module *child);

/* The module as a function of one tensor. NULL with HEED_ERR_UNSUPPORTED for a module that is not one (attention), or
 * with the module's own error, HEED_ERR_STATE if it returns NULL without one.
 * torch: torch.nn.Module.forward */
HEED_API heed_tensor *heed_module_forward(heed_module *m, heed_tensor *x);

/* For a module's forward function, instead of HEED_ENTER (heed/error.h): errors also say which module of the tree
 * failed, by its path below the type of the module at the top, and so does what debugging shows. `net` may be NULL.
 *
 *     heed_tensor *my_layer_forward(my_layer *net, heed_tensor *x)
 *     {
 *         HEED_ENTER_FORWARD("my_layer_forward", net);
 *
 *     my_net_forward: my_net.encoder.3: linear: x (2, 8) has 8 features, w (2, 9) takes 9
 */
#if defined(__GNUC__)
#define HEED_ENTER_FORWARD(name, net)                                                                                  \
    HEED_ENTER(name);                                                                                                  \
    heed_module_entry heed_entry __attribute__((cleanup(heed_module_leave), unused)) =                                 \
        heed_module_enter((const heed_module *)(net))
#else
#define HEED_ENTER_FORWARD(name, net) HEED_ENTER(name)
#endif

/* What heed_module_enter returns; private, but for `result`, to which a forward may assign what it returns, for
 * observers (heed/observe.h). */
typedef struct heed_module_entry {
    const heed_module *outer;
    int64_t began;
    heed_tensor *result;
} heed_module_entry;

/* What HEED_ENTER_FORWARD is made of: m is the module whose forward runs in this thread from here on, until
 * heed_module_leave. NULL changes nothing. */
HEED_API heed_module_entry heed_module_enter(const heed_module *m);

/* Back to the module before *entry, what heed_module_enter returned. NULL is ignored. */
HEED_API void heed_module_leave(const heed_module_entry *entry);

/* -- Walks over a module and all modules below it, of any depth ------------------------------------------------- */

/* One parameter or buffer met on a walk. */
typedef struct heed_module_visit {
    const char *name;    /* the path, "encoder.attention.W_q"; valid during the call */
    heed_tensor *tensor; /* the parameter or buffer */
    bool is_buffer;
    heed_module *owner;
} heed_module_visit;

/* Most characters of a path. */
#define HEED_MODULE_PATH_MAX 256

/* What heed_module_walk calls; HEED_OK goes on. */
typedef heed_status (*heed_module_visitor)(const heed_module_visit *visit, void *user);

/* Calls the visitor for every parameter and buffer of the tree, in order of registration, children in their place;
 * stops at the first status that is not HEED_OK, or error that is left pending, and returns it. The visitor must not
 * register anything in the tree. HEED_ERR_UNSUPPORTED for a path of more than HEED_MODULE_PATH_MAX characters.
 * torch: torch.nn.Module.named_parameters */
HEED_API heed_status heed_module_walk(heed_module *m, heed_module_visitor visitor, void *user);

/* What heed_module_walk_modules calls with each module and its path; HEED_OK goes on. */
typedef heed_status (*heed_submodule_visitor)(const char *path, heed_module *m, void *user);

/* Calls the visitor for m itself, with the path "", and for every module below it, parents before children; otherwise
 * as heed_module_walk.
 * torch: torch.nn.Module.named_modules */
HEED_API heed_status heed_module_walk_modules(heed_module *m, heed_submodule_visitor visitor, void *user);

/* The parameter or buffer with that path; NULL with HEED_ERR_ARGUMENT when there is none.
 * torch: torch.nn.Module.get_parameter */
HEED_API heed_tensor *heed_module_find(heed_module *m, const char *path);

/* How many parameters the tree has; one that is registered twice counts twice. 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_module_parameter_count(heed_module *m);

/* How many elements they have, counted so. 0 with HEED_ERR_ARGUMENT for NULL. */
HEED_API int64_t heed_module_parameter_numel(heed_module *m);

/* Sets `training` in the tree, so that dropout drops. HEED_ERR_ARGUMENT for NULL.
 * torch: torch.nn.Module.train */
HEED_API heed_status heed_module_train(heed_module *m);

/* Clears `training` in the tree. HEED_ERR_ARGUMENT for NULL.
 * torch: torch.nn.Module.eval */
HEED_API heed_status heed_module_eval(heed_module *m);

/* Drops the gradient of every parameter. HEED_ERR_ARGUMENT for NULL.
 * torch: torch.nn.Module.zero_grad */
HEED_API heed_status heed_module_zero_grad(heed_module *m);

/* Freezes parameters (false), or thaws them: those whose paths match the pattern, in which '*' stands for any
 * characters, dots too, and '?' for one: "encoder.*", "*.bias", "*". How many matched; 0 with HEED_ERR_ARGUMENT where
 * none does, which is a slip of the pen, and for NULL. Optimizers leave out what is frozen. A gradient that is there
 * stays.
 * torch: torch.nn.Module.requires_grad_ */
HEED_API int64_t heed_module_set_requires_grad(heed_module *m, const char *pattern, bool requires_grad);

/* -- State: parameters and buffers under their paths, as in PyTorch's state_dict ----------------------------------- */

/* A dict of the tensors themselves, not of copies; the caller frees it. One that is registered under two paths is there
 * twice. NULL with HEED_ERR_NOMEM, or what heed_module_walk fails with.
 * torch: torch.nn.Module.state_dict */
HEED_API HEED_NODISCARD heed_dict *heed_module_state(heed_module *m);

/* Copies values into the module's tensors, all or none: heed_dict_load, which names what is missing, unexpected or of
 * another shape. Also HEED_ERR_ARGUMENT for NULL and what heed_module_state fails with.
 * torch: torch.nn.Module.load_state_dict */
HEED_API heed_status heed_module_load_state(heed_module *m, const heed_dict *state,
                                            const heed_dict_load_options *options);

/* Copies the values of all parameters and buffers of `from` into `to`, another module of the same structure, all or
 * none: to follow a network that is trained, or to keep its best state. Whether they train, and what is frozen, stays
 * as it is in `to`. HEED_ERR_ARGUMENT for NULL, and as heed_module_load_state where the structures differ. */
HEED_API heed_status heed_module_copy_state(heed_module *to, heed_module *from);

HEED_END_DECLS

#endif
