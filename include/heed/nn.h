/* heed/nn.h - modules: parameters with names, in a tree.
 *
 *     typedef struct my_net { heed_module base; heed_tensor *w; heed_nn_... *inner; } my_net;
 *
 *     my_net *net = heed_module_new("my_net", sizeof *net);
 *     net->w     = heed_module_parameter(&net->base, "w", heed_randn(HEED_F32, HEED_SHAPE(3)));
 *     net->inner = ...;   heed_module_child(&net->base, "inner", &net->inner->base);
 *     ...
 *     heed_module_free(&net->base);
 *
 * The first field is the base; the module owns what is registered with it, and the other fields are short cuts.
 */
#ifndef HEED_NN_H
#define HEED_NN_H

#include <heed/tensor.h>

HEED_BEGIN_DECLS

typedef struct heed_module heed_module;

struct heed_module {
    const char *type; /* "nw_kernel_regression": for messages */
    bool training;    /* set by heed_module_train and heed_module_eval; starts true */

    /* Releases what the module's own fields hold beyond what is registered, which is all still there. May be NULL. */
    void (*on_free)(heed_module *m);

    struct heed_module_member *first;  /* private: parameters, buffers and children, in order of registration */
    struct heed_module_member *last;   /* private */
    struct heed_module_member *parent; /* private: the parent's member that holds this module; NULL at the top */
    size_t size;                       /* private: bytes of the whole struct */
};

/* A zeroed struct of `size` bytes that begins with an initialised heed_module. `type` must outlive it. NULL with
 * HEED_ERR_NOMEM; HEED_ERR_ARGUMENT for a NULL type or a size below sizeof(heed_module). */
HEED_API void *heed_module_new(const char *type, size_t size);

/* Frees the module, its parameters and buffers and all modules below, parameters' gradients first (which breaks the
 * cycle that create_graph makes). NULL is ignored. A child is freed by its parent only: HEED_ERR_STATE, and nothing
 * happens, when m has a parent. */
HEED_API heed_status heed_module_free(heed_module *m);

/* Registers a parameter: retains t, marks it as requiring a gradient, returns it. NULL with HEED_ERR_ARGUMENT for a
 * name that is NULL, empty, taken, or has a '.'; HEED_ERR_DTYPE unless floating-point; HEED_ERR_UNSUPPORTED unless
 * contiguous; HEED_ERR_STATE when t is the result of a recorded op. */
HEED_API heed_tensor *heed_module_parameter(heed_module *m, const char *name, heed_tensor *t);

/* Registers a tensor of any dtype that belongs to the module's state but is not trained: retains and returns it. */
HEED_API heed_tensor *heed_module_buffer(heed_module *m, const char *name, heed_tensor *t);

/* Registers a child, takes it over and returns it. NULL with HEED_ERR_ARGUMENT for names as above, or when the child
 * has a parent already, or is m or above m; after a failure the caller still owns it. */
HEED_API heed_module *heed_module_child(heed_module *m, const char *name, heed_module *child);

/* -- Walks over a module and all modules below it, of any depth ------------------------------------------------- */

/* One parameter or buffer met on a walk. */
typedef struct heed_module_visit {
    const char *name;    /* the path, "encoder.attention.W_q"; valid during the call */
    heed_tensor *tensor; /* the parameter or buffer */
    bool is_buffer;
    heed_module *owner;
} heed_module_visit;

/* Calls the visitor for every parameter and buffer of the tree, in order of registration, children in their place;
 * stops at the first status that is not HEED_OK and returns it. The visitor must not register anything in the tree.
 * HEED_ERR_UNSUPPORTED for a path of more than HEED_MODULE_PATH_MAX characters. */
#define HEED_MODULE_PATH_MAX 256
typedef heed_status (*heed_module_visitor)(const heed_module_visit *visit, void *user);
HEED_API heed_status heed_module_walk(heed_module *m, heed_module_visitor visitor, void *user);

/* The parameter or buffer with that path; NULL with HEED_ERR_ARGUMENT when there is none. */
HEED_API heed_tensor *heed_module_find(heed_module *m, const char *path);

/* Parameters of the tree, and their elements; one that is registered twice counts twice. */
HEED_API int64_t heed_module_parameter_count(heed_module *m);
HEED_API int64_t heed_module_parameter_numel(heed_module *m);

/* Sets `training` in the tree. */
HEED_API heed_status heed_module_train(heed_module *m);
HEED_API heed_status heed_module_eval(heed_module *m);

/* Drops the gradient of every parameter. */
HEED_API heed_status heed_module_zero_grad(heed_module *m);

/* -- Nadaraya-Watson kernel regression --------------------------------------------------------------------------
 *
 *     f(q) = sum_i a_i(q) v_i,     a_i(q) = K(u_i) / sum_j K(u_j),     u_i = |(q - k_i) w|,   w = 1 / h
 *
 * Nadaraya: On Estimating Regression (1964). Watson: Smooth Regression Analysis (1964). Dive into Deep Learning,
 * "Attention Pooling". */

typedef enum heed_nn_nw_kernel {
    HEED_NN_NW_GAUSSIAN = 0, /* exp(-u^2 / 2), as a softmax of -u^2 / 2: a query far from every key stays finite */
    HEED_NN_NW_BOXCAR,       /* 1 for u <= 1; its gradients are 0 */
    HEED_NN_NW_TRIANGULAR,   /* max(0, 1 - u): what the book calls "Epanechikov" */
    HEED_NN_NW_EPANECHNIKOV, /* 3/4 (1 - u^2) for u <= 1 */
    HEED_NN_NW_CONSTANT,     /* 1: the average of the values; does not depend on the width */
} heed_nn_nw_kernel;

typedef struct heed_nn_nw_kernel_regression_options {
    heed_nn_nw_kernel kernel;
    bool non_parametric; /* the width is fixed: a buffer, not a parameter */
    bool log_width;      /* the parameter is "log_h" = ln h instead of "w" = 1 / h: it cannot reach the trap at w = 0 */
    double width;        /* h at the start; 0: 1 when fixed or log_width, else w is drawn from U(0, 1) as in the book */
    int64_t dim;         /* 0: one width for all components of the keys; d: one for each of the d components */
    heed_dtype dtype;
    bool drop_weights; /* do not keep attention_weights */
} heed_nn_nw_kernel_regression_options;

typedef struct heed_nn_nw_kernel_regression {
    heed_module base;
    heed_nn_nw_kernel_regression_options options;
    heed_tensor *width;             /* (1) or (dim): "w", or "log_h" */
    heed_tensor *attention_weights; /* (n, m) of the last forward, detached; NULL before */
} heed_nn_nw_kernel_regression;

/* NULL options: Gaussian, parametric, one width, f32. HEED_ERR_ARGUMENT for a width that is negative, not finite, or
 * for which the dtype cannot hold 1 / h^2, a negative dim, an unknown kernel; HEED_ERR_DTYPE for a dtype that is not
 * floating-point. */
HEED_API heed_nn_nw_kernel_regression *
heed_nn_nw_kernel_regression_new(const heed_nn_nw_kernel_regression_options *options);

/* queries (n) or (n, d); keys (m) or (m, d), shared by all queries, or (n, m) or (n, m, d), one set per query; values
 * (m) or (m, v) with shared keys, (n, m) or (n, m, v) otherwise. Returns (n) or (n, v). A query with no key in its
 * window (boxcar, triangular, Epanechnikov) has weights 0 and gives 0; with no keys at all every query gives 0.
 * HEED_ERR_SHAPE; HEED_ERR_DTYPE unless all have the module's dtype. */
HEED_API heed_tensor *heed_nn_nw_kernel_regression_forward(heed_nn_nw_kernel_regression *net, heed_tensor *queries,
                                                           heed_tensor *keys, heed_tensor *values);

/* Leave-one-out sets: x (n) or (n, d) -> (n, n-1) or (n, n-1, d): row i holds all of x but x[i]. HEED_ERR_SHAPE for
 * another rank. */
HEED_API heed_tensor *heed_nn_leave_one_out(heed_tensor *x);

/* Silverman's rule of thumb for x (n): 0.9 min(sd, IQR / 1.34) n^(-1/5), R's bw.nrd0; without the IQR where that is 0.
 * B. W. Silverman: Density Estimation (1986), eq. 3.31. NaN with HEED_ERR_SHAPE unless rank 1 with n >= 2,
 * HEED_ERR_DTYPE unless floating-point, HEED_ERR_ARGUMENT when all are equal or one is not finite. */
HEED_API double heed_nn_silverman_width(heed_tensor *x);

HEED_END_DECLS

#endif
