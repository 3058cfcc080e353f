/* heed/op.h - the interface for writing your own ops; heed's ops use it too.
 *
 *     y = x^3:
 *
 *     static bool cube_infer(const heed_call *call, heed_meta *out) { return heed_infer_same(call, out); }
 *     static bool cube_forward(const heed_call *call, heed_tensor *const *out)
 *     {
 *         ... write out[0] from call->inputs[0] ...
 *     }
 *     static void cube_backward(const heed_call *call, heed_tensor *const *g, heed_tensor **dx)
 *     {
 *         dx[0] = heed_mul(g[0], heed_mul_scalar(heed_square(call->inputs[0]), 3.0));
 *     }
 *     static const heed_op cube_op = {
 *         .name = "cube", .n_inputs = 1, .n_outputs = 1, .saved = HEED_SAVE_INPUTS, .contiguous = true,
 *         .infer = cube_infer, .forward = cube_forward, .backward = cube_backward,
 *     };
 *     heed_tensor *cube(heed_tensor *x) { return heed_apply(&cube_op, &x, 1, NULL); }
 *
 * Check a new op with heed_gradcheck and heed_gradgradcheck (heed/gradcheck.h).
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_OP_H
#define HEED_OP_H

#include <heed/graph.h>

HEED_BEGIN_DECLS

typedef struct heed_op heed_op;

/* The dtype and shape of a result. */
typedef struct heed_meta {
    heed_dtype dtype;
    heed_shape shape;
} heed_meta;

/* A view of the storage of inputs[0]; strides and offset are in elements. */
typedef struct heed_layout {
    heed_shape shape;
    int64_t strides[HEED_MAX_RANK];
    int64_t offset;
} heed_layout;

/* One application of an op. */
typedef struct heed_call {
    const heed_op *op;
    const void *params; /* the bytes given to heed_apply, op->params_size of them */
    int n_inputs;
    heed_tensor *const *inputs;  /* in backward, inputs are NULL except for those in op->saved */
    heed_tensor *const *outputs; /* NULL outside backward; in backward the elements are NULL without
                                    HEED_SAVE_OUTPUTS */
} heed_call;

#define HEED_MAX_INPUTS (1 << 20)
#define HEED_MAX_OUTPUTS 4

/* The type of a parameter or of the elements of an array parameter. An enum is an I32. */
typedef enum heed_field_type {
    HEED_FIELD_BOOL = 1,
    HEED_FIELD_I8,
    HEED_FIELD_I32,
    HEED_FIELD_I64,
    HEED_FIELD_F64,
    HEED_FIELD_SHAPE, /* a heed_shape */
} heed_field_type;

/* A parameter of an op: its name, type, offset in heed_call.params and bytes. An exporter (heed/onnx.h) uses this to
 * read an axis or a stride without knowing the op's struct. */
typedef struct heed_field {
    const char *name;
    heed_field_type type;
    size_t offset, size;
} heed_field;

/* HEED_FIELDS(...) is the list of an op's parameters: members of the params struct, or a single value if params is not
 * a struct.
 *
 *     .fields = HEED_FIELDS(HEED_FIELD(my_params, axis), HEED_FIELD(my_params, eps))
 *     .fields = HEED_FIELDS(HEED_FIELD_ALONE(double, "eps")) */
#define HEED_FIELDS(...) ((const heed_field[]){__VA_ARGS__, {.name = NULL}})
#define HEED_FIELD(record, member) HEED_FIELD_AT(#member, ((record *)0)->member, offsetof(record, member))
#define HEED_FIELD_ALONE(kind, named) HEED_FIELD_AT(named, *(kind *)0, 0)
#define HEED_FIELD_AT(named, value, at)                                                                                \
    {                                                                                                                  \
        .name = (named), .type = HEED_FIELD_TYPE(value), .offset = (at), .size = sizeof(value)                         \
    }
#define HEED_FIELD_TYPE(value)                                                                                         \
    _Generic((value), bool                                                                                             \
             : HEED_FIELD_BOOL, int8_t *                                                                               \
             : HEED_FIELD_I8, int                                                                                      \
             : HEED_FIELD_I32, unsigned                                                                                \
             : HEED_FIELD_I32, int64_t                                                                                 \
             : HEED_FIELD_I64, int64_t *                                                                               \
             : HEED_FIELD_I64, double                                                                                  \
             : HEED_FIELD_F64, heed_shape                                                                              \
             : HEED_FIELD_SHAPE)

/* The tensors that backward reads. */
enum {
    HEED_SAVE_NOTHING = 0,
    HEED_SAVE_INPUTS = 0x7fff, /* all inputs */
    HEED_SAVE_OUTPUTS = 0x8000,
};
#define HEED_SAVE_INPUT(i) (1U << (i)) /* input i, 0 to 14 */

struct heed_op {
    const char *name;
    int n_inputs;       /* the number of inputs; with max_inputs, the minimum */
    int max_inputs;     /* up to HEED_MAX_INPUTS; 0: exactly n_inputs */
    int n_outputs;      /* 1 to HEED_MAX_OUTPUTS */
    size_t params_size; /* size in bytes of the op's params, plain data that is copied into the graph */
    unsigned saved;     /* the tensors that backward reads: HEED_SAVE_* combined with |; other tensors are NULL in
                           backward */
    bool contiguous;    /* forward requires contiguous inputs; other views are copied first */
    const void *data;   /* constants for the op's functions, which read call->op->data; may be NULL */

    /* Writes the dtype and shape of every output. Returns false after heed_fail. */
    bool (*infer)(const heed_call *call, heed_meta *out);

    /* Fills the outputs, which are new and contiguous. Returns false after heed_fail. */
    bool (*forward)(const heed_call *call, heed_tensor *const *out);

    /* Replaces infer and forward if the only output is a view of inputs[0]: writes its layout, or returns false after
     * heed_fail. It cannot be combined with HEED_SAVE_OUTPUTS. */
    bool (*view)(const heed_call *call, heed_layout *out);

    /* Computes dx[i] = sum over j of g[j] * d outputs[j] / d inputs[i] for every i with heed_call_needs(call, i). It
     * must use public ops, so that the result can be differentiated again. dx[i] may have any shape that the input's
     * shape broadcasts to; the engine sums it to the input's shape. Leaving a needed dx[i] NULL is a failure. g[j] is
     * NULL
     * if output j received no gradient (only with several outputs), and must not be written to. An op whose backward
     * is NULL cannot be differentiated. */
    void (*backward)(const heed_call *call, heed_tensor *const *g, heed_tensor **dx);

    /* Optional: computes the same gradients as `backward` in one pass. It is used if the backward pass itself is not
     * recorded. */
    void (*backward_fused)(const heed_call *call, heed_tensor *const *g, heed_tensor **dx);

    /* Optional: the number of multiply-adds in products, from shapes and params, for summaries and profiles. In
     * backward (call->outputs is not NULL) it counts backward_fused for the gradients that heed_call_needs names.
     * Elements hidden by lengths count, too. NULL counts as 0. */
    int64_t (*multiply_adds)(const heed_call *call);

    /* Optional: the fields of params, for tools that do not know the op. See HEED_FIELDS. */
    const heed_field *fields;
    HEED_RESERVED;
};

/* Applies an op to n_inputs tensors and records it if an input requires a gradient.
 * `params` is copied. The op's functions run under the rules of heed/scope.h for callbacks. Errors begin with the op's
 * name; if a function of the op calls functions that may fail, it begins with HEED_ENTER(call->op->name), so that their
 * errors do, too.
 *
 * Returns the first output, borrowed from the innermost scope; NULL on failure.
 * Errors: HEED_ERR_ARGUMENT for NULL inputs, a wrong number of inputs, or a heed_op whose fields contradict each other;
 * any error of infer and forward.
 * torch: torch.autograd.Function.apply */
HEED_API heed_tensor *heed_apply(const heed_op *op, heed_tensor *const *inputs, int n_inputs, const void *params);

/* Applies an op as heed_apply does and writes all its outputs to `outputs`, op->n_outputs of them.
 *
 * Returns false on failure; every outputs[j] is then NULL.
 * Errors: as heed_apply, and HEED_ERR_ARGUMENT for NULL outputs.
 * torch: torch.autograd.Function.apply */
HEED_API bool heed_apply_all(const heed_op *op, heed_tensor *const *inputs, int n_inputs, const void *params,
                             heed_tensor **outputs);

/* Returns the shape of input number `input`, counted from 0. In backward it also works for inputs that were not saved.
 * Errors: () with HEED_ERR_ARGUMENT for an input that does not exist. */
HEED_API heed_shape heed_call_shape(const heed_call *call, int input);

/* Returns the dtype of input number `input`, counted from 0. In backward it also works for inputs that were not saved.
 * Errors: f32 with HEED_ERR_ARGUMENT for an input that does not exist. */
HEED_API heed_dtype heed_call_dtype(const heed_call *call, int input);

/* Returns true in backward if the gradient of this input is requested, and false outside backward.
 * Errors: false with HEED_ERR_ARGUMENT for an input that does not exist. */
HEED_API bool heed_call_needs(const heed_call *call, int input);

/* An infer function for an op whose output has the dtype and shape of its first input, which must be floating-point.
 * backward may call it too.
 *
 * Returns false on failure.
 * Errors: HEED_ERR_DTYPE; HEED_ERR_ARGUMENT for NULL or a call without inputs. */
HEED_API bool heed_infer_same(const heed_call *call, heed_meta *out);

/* An infer function for an op whose inputs share one floating-point dtype and whose output has their broadcast shape.
 *
 * Returns false on failure.
 * Errors: HEED_ERR_DTYPE; HEED_ERR_SHAPE if the shapes do not broadcast; HEED_ERR_ARGUMENT as heed_infer_same.
 * torch: torch.broadcast_shapes   numpy: numpy.broadcast_shapes */
HEED_API bool heed_infer_broadcast(const heed_call *call, heed_meta *out);

HEED_END_DECLS

#endif
