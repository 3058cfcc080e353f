/* onnx/src/graph.h - an ONNX graph under construction: nodes, named values and constants.
 *
 * A value is represented by its name. Functions return NULL after heed_fail, and also if an argument is NULL, so that a
 * form can be one expression whose result is checked once.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_ONNX_GRAPH_H
#define HEED_ONNX_GRAPH_H

#include <onnx.pb-c.h>

#include "recording.h"

typedef const char *heed__onnx_value;

/* protobuf-c only reads the strings and bytes that it packs, but declares its fields without const. */
#define HEED__ONNX_READ(type, pointer) ((type *)(uintptr_t)(pointer))

/* A growing array of pointers, as protobuf-c expects it. */
typedef struct heed__onnx_list {
    void **items;
    size_t n, capacity;
} heed__onnx_list;

typedef struct heed__onnx_graph {
    heed__arena arena;
    const char *where;
    heed__onnx_list nodes, initializers;
    const heed__onnx_step *step; /* the step being written; used in names and messages */
    int64_t n_values;
    bool failed;                      /* a parameter was missing */
    int64_t batch;                    /* the size of the inputs' first axis if the batch is dynamic, otherwise 0 */
    struct heed__onnx_values *values; /* values of tensors: values.h */
} heed__onnx_graph;

/* An attribute of a node. */
typedef struct heed__onnx_attribute {
    const char *name;
    Heed__Onnx__Attribute__Type type;
    int64_t i;
    double f;
    const char *s;
    const int64_t *ints;
    int n;
    Heed__Onnx__Graph *g;
} heed__onnx_attribute;

#define INT(name_, i_)                                                                                                 \
    {                                                                                                                  \
        .name = (name_), .type = HEED__ONNX__ATTRIBUTE__TYPE__INT, .i = (i_)                                           \
    }
#define FLOAT(name_, f_)                                                                                               \
    {                                                                                                                  \
        .name = (name_), .type = HEED__ONNX__ATTRIBUTE__TYPE__FLOAT, .f = (f_)                                         \
    }
#define STRING(name_, s_)                                                                                              \
    {                                                                                                                  \
        .name = (name_), .type = HEED__ONNX__ATTRIBUTE__TYPE__STRING, .s = (s_)                                        \
    }
#define INTS(name_, ints_, n_)                                                                                         \
    {                                                                                                                  \
        .name = (name_), .type = HEED__ONNX__ATTRIBUTE__TYPE__INTS, .ints = (ints_), .n = (n_)                         \
    }
#define GRAPH(name_, g_)                                                                                               \
    {                                                                                                                  \
        .name = (name_), .type = HEED__ONNX__ATTRIBUTE__TYPE__GRAPH, .g = (g_)                                         \
    }

/* Array arguments: the array and its length. */
#define INPUTS(...) (const heed__onnx_value[]){__VA_ARGS__}, HEED__ONNX_COUNT(heed__onnx_value, __VA_ARGS__)
#define ATTRIBUTES(...) (const heed__onnx_attribute[]){__VA_ARGS__}, HEED__ONNX_COUNT(heed__onnx_attribute, __VA_ARGS__)
#define INT64S(...) (const int64_t[]){__VA_ARGS__}, HEED__ONNX_COUNT(int64_t, __VA_ARGS__)
#define HEED__ONNX_COUNT(type, ...) (int)(sizeof((const type[]){__VA_ARGS__}) / sizeof(type))

/* An omitted optional input. */
#define NONE ""

/* -- Nodes --------------------------------------------------------------------------------------------------------- */

/* heed__onnx_node adds a node with one output and returns this output. heed__onnx_nodes adds a node with `n_outputs`
 * outputs and writes them to `outputs`; it returns false after heed_fail. An omitted optional input is NONE. */
heed__onnx_value heed__onnx_node(heed__onnx_graph *g, const char *type, const heed__onnx_value *inputs, int n_inputs,
                                 const heed__onnx_attribute *attributes, int n_attributes);
bool heed__onnx_nodes(heed__onnx_graph *g, const char *type, const heed__onnx_value *inputs, int n_inputs,
                      const heed__onnx_attribute *attributes, int n_attributes, heed__onnx_value *outputs,
                      int n_outputs);

/* Nodes without attributes, with one, two and three inputs. */
heed__onnx_value heed__onnx_1(heed__onnx_graph *g, const char *type, heed__onnx_value a);
heed__onnx_value heed__onnx_2(heed__onnx_graph *g, const char *type, heed__onnx_value a, heed__onnx_value b);
heed__onnx_value heed__onnx_3(heed__onnx_graph *g, const char *type, heed__onnx_value a, heed__onnx_value b,
                              heed__onnx_value c);

/* Returns a new, unique name that contains `type`. */
heed__onnx_value heed__onnx_new_value(heed__onnx_graph *g, const char *type);

/* Appends an item. Returns false after heed_fail. */
bool heed__onnx_add(heed__onnx_graph *g, heed__onnx_list *list, void *item);

/* -- Constants ----------------------------------------------------------------------------------------------------- */

/* Constants: i64 numbers of shape (n), an i64 scalar, and a scalar of any dtype. */
heed__onnx_value heed__onnx_int64s(heed__onnx_graph *g, const int64_t *int64s, int n);
heed__onnx_value heed__onnx_int64(heed__onnx_graph *g, int64_t number);
heed__onnx_value heed__onnx_number(heed__onnx_graph *g, heed_dtype dtype, double number);

/* An i64 constant with the numbers first .. first + n - 1, of shape (n) or, if `column`, (n, 1). */
heed__onnx_value heed__onnx_range(heed__onnx_graph *g, int64_t first, int64_t n, bool column);

/* A constant with the values of a tensor, which must live until the graph is written. If name is NULL, the constant
 * gets a new name. */
heed__onnx_value heed__onnx_constant(heed__onnx_graph *g, const char *name, heed_tensor *tensor);

/* -- Shapes -------------------------------------------------------------------------------------------------------- */

heed__onnx_value heed__onnx_reshape(heed__onnx_graph *g, heed__onnx_value x, heed_shape shape);
heed__onnx_value heed__onnx_expand(heed__onnx_graph *g, heed__onnx_value x, heed_shape shape); /* 1: size in x */
heed__onnx_value heed__onnx_permute(heed__onnx_graph *g, heed__onnx_value x, const int64_t *axes, int n);
heed__onnx_value heed__onnx_cast(heed__onnx_graph *g, heed__onnx_value x, heed_dtype dtype);

/* x[start : end : step] along one axis. */
heed__onnx_value heed__onnx_slice(heed__onnx_graph *g, heed__onnx_value x, int64_t axis, int64_t start, int64_t end,
                                  int64_t step);

/* Swaps the last two of `rank` axes. */
heed__onnx_value heed__onnx_swap(heed__onnx_graph *g, heed__onnx_value x, int rank);

/* -- Messages ------------------------------------------------------------------------------------------------------ */

/* The number of a dtype in ONNX. */
int heed__onnx_dtype(heed_dtype dtype);

/* The message of an input or output with this name, dtype and shape; a NULL shape means any. Returns NULL after
 * heed_fail. */
Heed__Onnx__Value *heed__onnx_typed(heed__onnx_graph *g, const char *name, heed_dtype dtype, const heed_shape *shape);

#endif
