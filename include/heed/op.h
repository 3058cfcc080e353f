/* heed/op.h - what an op is: for those who write their own. The ops of heed are written the same way.
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
 *         .name = "cube", .n_inputs = 1, .n_outputs = 1, .keeps = HEED_KEEP_INPUTS, .contiguous = true,
 *         .infer = cube_infer, .forward = cube_forward, .backward = cube_backward,
 *     };
 *     heed_tensor *cube(heed_tensor *x) { return heed_apply(&cube_op, &x, 1, NULL); }
 *
 * Check it with heed_gradcheck and heed_gradgradcheck (heed/gradcheck.h).
 */
#ifndef HEED_OP_H
#define HEED_OP_H

#include <heed/graph.h>

HEED_BEGIN_DECLS

typedef struct heed_op heed_op;

/* Shape and dtype of a result. */
typedef struct heed_meta {
    heed_dtype dtype;
    heed_shape shape;
} heed_meta;

/* How a result looks into the storage of inputs[0]; strides and offset in elements. */
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
    heed_tensor *const *inputs;  /* in backward, NULL for those the op did not ask to keep */
    heed_tensor *const *outputs; /* NULL but in backward; there, each NULL unless HEED_KEEP_OUTPUTS */
} heed_call;

#define HEED_MAX_INPUTS (1 << 20)
#define HEED_MAX_OUTPUTS 4

/* The type of a parameter, or of the elements of an array. An enum is an I32. */
typedef enum heed_field_type {
    HEED_FIELD_BOOL = 1,
    HEED_FIELD_I8,
    HEED_FIELD_I32,
    HEED_FIELD_I64,
    HEED_FIELD_F64,
    HEED_FIELD_SHAPE, /* a heed_shape */
} heed_field_type;

/* A parameter of an op: where it lies in heed_call.params, and how many bytes it takes there. From these an exporter
 * (heed/onnx.h) learns an axis or a stride without knowing the op's struct. */
typedef struct heed_field {
    const char *name;
    heed_field_type type;
    size_t offset, size;
} heed_field;

/* A list of them, in C: members of the struct that params are; or the one value, of that type, that they are.
 *
 *     .fields = HEED_FIELDS(HEED_FIELD(my_params, axis), HEED_FIELD(my_params, eps))
 *     .fields = HEED_FIELDS(HEED_FIELD_ALONE(double, "eps"))
 */
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

/* What backward reads. */
enum {
    HEED_KEEP_NOTHING = 0,
    HEED_KEEP_INPUTS = 0x7fff, /* every one, however many */
    HEED_KEEP_OUTPUTS = 0x8000,
};
#define HEED_KEEP_INPUT(i) (1U << (i)) /* one of the first 15: i from 0 to 14 */

struct heed_op {
    const char *name;
    int n_inputs;       /* how many; with max_inputs, the fewest */
    int max_inputs;     /* 0: n_inputs and no other number; up to HEED_MAX_INPUTS */
    int n_outputs;      /* 1 to HEED_MAX_OUTPUTS */
    size_t params_size; /* bytes of plain data that are copied into the graph */
    unsigned keeps;     /* what backward reads: HEED_KEEP_..., or-ed; the rest is NULL there */
    bool contiguous;    /* forward wants its inputs contiguous; views are copied for it */
    const void *data;   /* constants of the op's own, which its rules find as call->op->data; may be NULL */

    /* Writes dtype and shape of each output, from the inputs' and params. False after heed_fail. */
    bool (*infer)(const heed_call *call, heed_meta *out);

    /* Fills the outputs, which are new and contiguous. False after heed_fail. */
    bool (*forward)(const heed_call *call, heed_tensor *const *out);

    /* Instead of infer and forward: the one output is a view of inputs[0]. Does not go with HEED_KEEP_OUTPUTS. */
    bool (*view)(const heed_call *call, heed_layout *out);

    /* dx[i] = sum over j of g[j] * d outputs[j] / d inputs[i], for each i with heed_call_needs(call, i). Written in
     * public ops, so that it can be differentiated again. dx[i] may have any shape that the input's broadcasts to:
     * the engine sums it down. A needed dx[i] left NULL is a failure. g[j] is NULL where no gradient came (only
     * with several outputs), and is not to be written to. NULL backward: the op has no gradient. */
    void (*backward)(const heed_call *call, heed_tensor *const *g, heed_tensor **dx);

    /* Optional: the same numbers in one pass, used when no graph of the gradient is wanted. */
    void (*backward_fused)(const heed_call *call, heed_tensor *const *g, heed_tensor **dx);

    /* Optional: multiply-adds of products, from shapes and params alone, for summaries and profiles: those of forward;
     * in backward (call->outputs is not NULL) those of backward_fused, for what heed_call_needs names. What lengths
     * mask counts, too. NULL: none worth counting. */
    int64_t (*multiply_adds)(const heed_call *call);

    /* Optional: what params are made of, for tools that do not know the op. See HEED_FIELDS. */
    const heed_field *fields;
    HEED_RESERVED;
};

/* Applies an op to n_inputs tensors, copies `params`, and records it where an input requires a gradient. Returns the
 * first output, borrowed from the innermost scope. The op's rules run as heed/scope.h says of functions of others. NULL
 * with HEED_ERR_ARGUMENT for NULL inputs, a wrong number of them, or an op whose fields do not go together, and with
 * whatever infer and forward fail with. Errors begin with the op's name; a rule whose own calls may fail says
 * HEED_ENTER(call->op->name) for that.
 * torch: torch.autograd.Function.apply */
HEED_API heed_tensor *heed_apply(const heed_op *op, heed_tensor *const *inputs, int n_inputs, const void *params);

/* The same for all outputs, which are written to `outputs`, op->n_outputs of them. False on failure, as above or
 * HEED_ERR_ARGUMENT for NULL outputs; then every outputs[j] is NULL.
 * torch: torch.autograd.Function.apply */
HEED_API bool heed_apply_all(const heed_op *op, heed_tensor *const *inputs, int n_inputs, const void *params,
                             heed_tensor **outputs);

/* The shape of an input, counted from 0, also in backward where it was not kept. () with HEED_ERR_ARGUMENT when there
 * is no such input. */
HEED_API heed_shape heed_call_shape(const heed_call *call, int input);

/* The dtype of an input, also in backward where it was not kept. f32 with HEED_ERR_ARGUMENT when there is no such
 * input. */
HEED_API heed_dtype heed_call_dtype(const heed_call *call, int input);

/* In backward: whether the gradient of this input is wanted. False elsewhere, and with HEED_ERR_ARGUMENT when there is
 * no such input. */
HEED_API bool heed_call_needs(const heed_call *call, int input);

/* A rule for infer, which backward may ask, too: the first input is floating-point, and the output like it. False with
 * HEED_ERR_DTYPE, or HEED_ERR_ARGUMENT for NULL and where there is no input. */
HEED_API bool heed_infer_same(const heed_call *call, heed_meta *out);

/* A rule for infer: all inputs are of one floating-point dtype, and the output has their broadcast shape. False with
 * HEED_ERR_DTYPE, HEED_ERR_SHAPE where they do not broadcast, or HEED_ERR_ARGUMENT as above.
 * torch: torch.broadcast_shapes   numpy: numpy.broadcast_shapes */
HEED_API bool heed_infer_broadcast(const heed_call *call, heed_meta *out);

HEED_END_DECLS

#endif
