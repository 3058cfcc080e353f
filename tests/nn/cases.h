/* tests/nn/cases.h - defines the form of a layer's test cases. tests/nn/NAME.c defines heed_cases_nn_NAME; for a layer
 * without this file the build derives them from PyTorch's cases (tests/promises/calls/slots.py).
 *
 * A case is data: the arguments of heed_nn_NAME_new, the non-zero fields of its options, and the tensors passed to
 * heed_nn_NAME_forward, all by their names in the header. Unnamed arguments are 0 or NULL; an unnamed "dtype" is f32
 * and f64 in turn. tests/nn/driver.h makes the layer and runs it for
 *
 *     test_nn_cases       derivatives of both orders by inputs and parameters, saved and loaded state, errors
 *     test_nn_oom         every allocation refused once
 *     test_steady_state   training that requests no memory from the system
 *
 * test_misuse_layers and tests/fuzz/api_nn.c start from a case and replace some of its values by hostile ones.
 * tests/parity compares values, shapes and parameter names with PyTorch's.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_TESTS_NN_CASES_H
#define HEED_TESTS_NN_CASES_H

#include <math.h>
#include <string.h>

#include <heed/heed.h>

#include "slots.h"

#define LAYER_MAX_ARGUMENTS 16
#define LAYER_MAX_INPUTS 6

/* An argument of the constructor or a field of its options: ARG(hidden_size, 3), ARG(no_bias, true), ARG(kernel,
 * HEED_NW_BOXCAR), ARG_SHAPE(shape, 2, 3), ARG_FUNCTION(activation, heed_gelu), ARG_TEXT(name, "relu"). Fields of
 * nested options: ARG(attention, true), ARG(attention.rope, true). */
typedef struct layer_argument {
    const char *name; /* NULL ends a list */
    double number;
    heed_shape shape;
    const char *text;
    slot_function_type function;
    int (*modules)(heed_dtype dtype, void **list); /* makes at most SLOT_LIST modules and returns their number */
} layer_argument;

#define LAYER_DIMS(...)                                                                                                \
    {                                                                                                                  \
        .rank = (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), .dims = { __VA_ARGS__ }                     \
    }
#define LAYER_ARGUMENT(name_, ...)                                                                                     \
    {                                                                                                                  \
        .name = #name_, __VA_ARGS__                                                                                    \
    }
#define ARG(name_, value) LAYER_ARGUMENT(name_, .number = (double)(value))
#define ARG_SHAPE(name_, ...) LAYER_ARGUMENT(name_, .shape = LAYER_DIMS(__VA_ARGS__))
#define ARG_FUNCTION(name_, value) LAYER_ARGUMENT(name_, .function = value)
#define ARG_TEXT(name_, value) LAYER_ARGUMENT(name_, .text = value)
#define ARG_MODULES(name_, value) LAYER_ARGUMENT(name_, .modules = value)

/* An input tensor: INPUT(x, 2, 3) has numbers in -1 .. 1; WHOLE(tokens, 5, 2, 3) is i64 of shape (2, 3) with numbers in
 * 0 .. 4; LENGTHS(valid_lens, 3, 1) is i64 with the listed numbers. */
typedef struct layer_input {
    const char *name;
    heed_shape shape;
    int64_t below;         /* 0, or draw whole numbers below this one */
    const double *lengths; /* NULL, or the listed numbers */
} layer_input;

#define INPUT(name_, ...) LAYER_ARGUMENT(name_, .shape = LAYER_DIMS(__VA_ARGS__))
#define WHOLE(name_, below_, ...) LAYER_ARGUMENT(name_, .shape = LAYER_DIMS(__VA_ARGS__), .below = below_)
#define LENGTHS(name_, ...)                                                                                            \
    LAYER_ARGUMENT(name_, .shape = {.rank = 1, .dims = {sizeof((double[]){__VA_ARGS__}) / sizeof(double)}},            \
                   .lengths = (const double[]){__VA_ARGS__})

typedef struct layer_case {
    const char *name; /* NULL ends a list */
    layer_argument args[LAYER_MAX_ARGUMENTS];
    layer_input in[LAYER_MAX_INPUTS];
    const char *requested; /* an optional output, initially NULL; always requested if also an input */
    int max_order;         /* of derivatives: 0: both orders; 1: the first only; -1: no derivatives */
    heed_status status;    /* in the list of errors: the expected code of the constructor or of forward */
    const char *text;      /* and text that the message contains */
} layer_case;

struct layer_cases {
    const layer_case *cases, *errors;
};

/* Returns the argument of this name, or NULL if the case does not have it. */
static inline const layer_argument *layer_argument_of(const layer_case *c, const char *name)
{
    for (int i = 0; i < LAYER_MAX_ARGUMENTS && c->args[i].name; i++)
        if (strcmp(c->args[i].name, name) == 0)
            return &c->args[i];
    return NULL;
}

/* Returns its index among the inputs, or -1 if the case does not name it. */
static inline int layer_input_of(const layer_case *c, const char *name)
{
    for (int i = 0; i < LAYER_MAX_INPUTS && c->in[i].name; i++)
        if (strcmp(c->in[i].name, name) == 0)
            return i;
    return -1;
}

static inline heed_tensor *layer_draw(const layer_input *in, heed_dtype dtype)
{
    if (in->lengths)
        return heed_from_values(HEED_I64, in->shape, in->lengths, heed_shape_numel(in->shape));
    return in->below ? heed_randint(0, in->below, in->shape)
                     : heed_add_scalar(heed_mul_scalar(heed_rand(dtype, in->shape), 2.0), -1.0);
}

#endif
