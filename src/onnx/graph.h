/* onnx/graph.h - a graph of ONNX while it is written: nodes, values by their names, constants.
 *
 * A value is the name of one. Functions give NULL after heed_fail and for a NULL among what they are given, so that a
 * form is an expression that is checked once, at its end. */
#ifndef HEED_ONNX_GRAPH_H
#define HEED_ONNX_GRAPH_H

#include <onnx.pb-c.h>

#include "onnx/recording.h"

typedef const char *heed__onnx_value;

/* Protocol Buffers' library reads what is to be packed, and takes it without const. */
#define HEED__ONNX_READ(type, pointer) ((type *)(uintptr_t)(pointer))

/* What grows one by one, as protobuf-c has it: an array of pointers. */
typedef struct heed__onnx_list {
    void **items;
    size_t n, room;
} heed__onnx_list;

typedef struct heed__onnx_graph {
    heed__arena arena;
    const char *where;
    heed__onnx_list nodes, initializers;
    const heed__onnx_step *step; /* whose form is being written; for names and messages */
    int64_t n_values;
    bool failed;                      /* a parameter was not there */
    int64_t batch;                    /* the size of the inputs' first axis, if another one may come; else 0 */
    struct heed__onnx_values *values; /* of tensors: values.h */
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

/* Lists as arguments: the array and how many it has. */
#define INPUTS(...) (const heed__onnx_value[]){__VA_ARGS__}, HEED__ONNX_COUNT(heed__onnx_value, __VA_ARGS__)
#define ATTRIBUTES(...) (const heed__onnx_attribute[]){__VA_ARGS__}, HEED__ONNX_COUNT(heed__onnx_attribute, __VA_ARGS__)
#define WHOLES(...) (const int64_t[]){__VA_ARGS__}, HEED__ONNX_COUNT(int64_t, __VA_ARGS__)
#define HEED__ONNX_COUNT(type, ...) (int)(sizeof((const type[]){__VA_ARGS__}) / sizeof(type))

/* An input that is left out. */
#define NONE ""

/* -- Nodes --------------------------------------------------------------------------------------------------------- */

/* A node with one output, and with several; an input is NONE where an optional one is left out. */
heed__onnx_value heed__onnx_node(heed__onnx_graph *g, const char *type, const heed__onnx_value *inputs, int n_inputs,
                                 const heed__onnx_attribute *attributes, int n_attributes);
bool heed__onnx_nodes(heed__onnx_graph *g, const char *type, const heed__onnx_value *inputs, int n_inputs,
                      const heed__onnx_attribute *attributes, int n_attributes, heed__onnx_value *outputs,
                      int n_outputs);

/* Without attributes, of one, two and three inputs. */
heed__onnx_value heed__onnx_1(heed__onnx_graph *g, const char *type, heed__onnx_value a);
heed__onnx_value heed__onnx_2(heed__onnx_graph *g, const char *type, heed__onnx_value a, heed__onnx_value b);
heed__onnx_value heed__onnx_3(heed__onnx_graph *g, const char *type, heed__onnx_value a, heed__onnx_value b,
                              heed__onnx_value c);

/* A name that no other value has, for what begins with `type`. */
heed__onnx_value heed__onnx_new_value(heed__onnx_graph *g, const char *type);

/* Adds an item. False after heed_fail. */
bool heed__onnx_add(heed__onnx_graph *g, heed__onnx_list *list, void *item);

/* -- Constants ----------------------------------------------------------------------------------------------------- */

/* i64 (n), and scalars. */
heed__onnx_value heed__onnx_wholes(heed__onnx_graph *g, const int64_t *wholes, int n);
heed__onnx_value heed__onnx_whole(heed__onnx_graph *g, int64_t whole);
heed__onnx_value heed__onnx_number(heed__onnx_graph *g, heed_dtype dtype, double number);

/* first .. first + n - 1, i64 (n) or, as a column, (n, 1). */
heed__onnx_value heed__onnx_range(heed__onnx_graph *g, int64_t first, int64_t n, bool column);

/* The values of a tensor, which must live as long as the graph, under that name; NULL: a new one. */
heed__onnx_value heed__onnx_constant(heed__onnx_graph *g, const char *name, heed_tensor *tensor);

/* -- Shapes -------------------------------------------------------------------------------------------------------- */

heed__onnx_value heed__onnx_reshape(heed__onnx_graph *g, heed__onnx_value x, heed_shape shape);
heed__onnx_value heed__onnx_expand(heed__onnx_graph *g, heed__onnx_value x, heed_shape shape); /* 1: as x has it */
heed__onnx_value heed__onnx_permute(heed__onnx_graph *g, heed__onnx_value x, const int64_t *axes, int n);
heed__onnx_value heed__onnx_cast(heed__onnx_graph *g, heed__onnx_value x, heed_dtype dtype);

/* x[start : end : step] of one axis. */
heed__onnx_value heed__onnx_slice(heed__onnx_graph *g, heed__onnx_value x, int64_t axis, int64_t start, int64_t end,
                                  int64_t step);

/* The last two axes, of `rank`, swapped. */
heed__onnx_value heed__onnx_swap(heed__onnx_graph *g, heed__onnx_value x, int rank);

/* -- Messages ------------------------------------------------------------------------------------------------------ */

/* ONNX's number of a dtype. */
int heed__onnx_dtype(heed_dtype dtype);

/* Name, dtype and shape of an input or an output; a NULL shape: any. NULL after heed_fail. */
Heed__Onnx__Value *heed__onnx_typed(heed__onnx_graph *g, const char *name, heed_dtype dtype, const heed_shape *shape);

#endif
