/* onnx/src/graph.c - writes nodes, and the messages of values.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = HEED_MODULE_PATH_MAX + 96 };

bool heed__onnx_add(heed__onnx_graph *g, heed__onnx_list *list, void *item)
{
    if (!item)
        return false;
    if (list->n == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 16;
        void **items = heed__arena_alloc(&g->arena, capacity, sizeof *items);
        if (!items)
            return false;
        if (list->n > 0)
            memcpy(items, list->items, list->n * sizeof *items);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->n++] = item;
    return true;
}

heed__onnx_value heed__onnx_new_value(heed__onnx_graph *g, const char *type)
{
    char name[NAME_SIZE];
    (void)snprintf(name, sizeof name, "/%.64s_%" PRId64, type, ++g->n_values);
    return heed__arena_text(&g->arena, name);
}

/* -- Nodes --------------------------------------------------------------------------------------------------------- */

static Heed__Onnx__Attribute *new_attribute(heed__onnx_graph *g, const heed__onnx_attribute *of)
{
    Heed__Onnx__Attribute *made = heed__arena_alloc(&g->arena, 1, sizeof *made);
    if (!made)
        return NULL;
    heed__onnx__attribute__init(made);
    made->name = HEED__ONNX_READ(char, of->name);
    made->has_type = true;
    made->type = of->type;
    made->has_i = of->type == HEED__ONNX__ATTRIBUTE__TYPE__INT;
    made->i = of->i;
    made->has_f = of->type == HEED__ONNX__ATTRIBUTE__TYPE__FLOAT;
    made->f = (float)of->f;
    made->has_s = of->type == HEED__ONNX__ATTRIBUTE__TYPE__STRING;
    if (of->s)
        made->s = (ProtobufCBinaryData){strlen(of->s), HEED__ONNX_READ(uint8_t, of->s)};
    made->g = of->g;
    made->n_ints = (size_t)of->n;
    made->ints = heed__arena_copy(&g->arena, of->ints, (size_t)of->n * sizeof *of->ints);
    return of->n > 0 && !made->ints ? NULL : made;
}

static bool copy_names(heed__onnx_graph *g, const heed__onnx_value *from, int n, char ***to, size_t *n_to)
{
    for (int i = 0; i < n; i++)
        if (!from[i])
            return false;
    *n_to = (size_t)n;
    *to = heed__arena_copy(&g->arena, from, (size_t)n * sizeof *from);
    return *to != NULL;
}

static bool fill_attributes(heed__onnx_graph *g, const heed__onnx_attribute *attributes, int n, Heed__Onnx__Node *node)
{
    heed__onnx_list list = {.n = 0};
    for (int i = 0; i < n; i++)
        if (!heed__onnx_add(g, &list, new_attribute(g, &attributes[i])))
            return false;
    node->n_attributes = list.n;
    node->attributes = (Heed__Onnx__Attribute **)list.items;
    return true;
}

bool heed__onnx_nodes(heed__onnx_graph *g, const char *type, const heed__onnx_value *inputs, int n_inputs,
                      const heed__onnx_attribute *attributes, int n_attributes, heed__onnx_value *outputs,
                      int n_outputs)
{
    for (int j = 0; j < n_outputs; j++)
        outputs[j] = NULL;
    Heed__Onnx__Node *node = heed__arena_alloc(&g->arena, 1, sizeof *node);
    if (!node)
        return false;
    heed__onnx__node__init(node);
    node->type = HEED__ONNX_READ(char, type);
    while (n_inputs > 0 && inputs[n_inputs - 1] && !*inputs[n_inputs - 1])
        n_inputs--; /* trailing inputs may be omitted, and onnxruntime 1.21 crashes on an empty name */
    heed__onnx_value made[HEED_MAX_OUTPUTS] = {NULL};
    for (int j = 0; j < n_outputs; j++)
        made[j] = heed__onnx_new_value(g, type);
    if (!copy_names(g, made, n_outputs, &node->outputs, &node->n_outputs) ||
        !copy_names(g, inputs, n_inputs, &node->inputs, &node->n_inputs) ||
        !fill_attributes(g, attributes, n_attributes, node))
        return false;
    char name[NAME_SIZE]; /* such as "encoder.0/MatMul_12" */
    (void)snprintf(name, sizeof name, "%.*s%s", HEED_MODULE_PATH_MAX, g->step ? g->step->module : "", made[0]);
    if (!(node->name = heed__arena_text(&g->arena, name)) || !heed__onnx_add(g, &g->nodes, node))
        return false;
    memcpy(outputs, made, (size_t)n_outputs * sizeof *made);
    return true;
}

heed__onnx_value heed__onnx_node(heed__onnx_graph *g, const char *type, const heed__onnx_value *inputs, int n_inputs,
                                 const heed__onnx_attribute *attributes, int n_attributes)
{
    heed__onnx_value output;
    (void)heed__onnx_nodes(g, type, inputs, n_inputs, attributes, n_attributes, &output, 1);
    return output;
}

heed__onnx_value heed__onnx_1(heed__onnx_graph *g, const char *type, heed__onnx_value a)
{
    return heed__onnx_node(g, type, INPUTS(a), NULL, 0);
}

heed__onnx_value heed__onnx_2(heed__onnx_graph *g, const char *type, heed__onnx_value a, heed__onnx_value b)
{
    return heed__onnx_node(g, type, INPUTS(a, b), NULL, 0);
}

heed__onnx_value heed__onnx_3(heed__onnx_graph *g, const char *type, heed__onnx_value a, heed__onnx_value b,
                              heed__onnx_value c)
{
    return heed__onnx_node(g, type, INPUTS(a, b, c), NULL, 0);
}

/* Returns true if the size of the first axis is a multiple of the batch size. */
static bool is_batch(const heed__onnx_graph *g, const heed_shape *shape)
{
    return g->batch > 0 && shape->rank > 0 && shape->dims[0] >= g->batch && shape->dims[0] % g->batch == 0;
}

/* -- Shapes -------------------------------------------------------------------------------------------------------- */

/* Sets allowzero, because otherwise a size of 0 would mean "as in x". */
heed__onnx_value heed__onnx_reshape(heed__onnx_graph *g, heed__onnx_value x, heed_shape shape)
{
    if (is_batch(g, &shape) && heed_shape_numel(shape) > 0)
        shape.dims[0] = -1;
    return heed__onnx_node(g, "Reshape", INPUTS(x, heed__onnx_int64s(g, shape.dims, shape.rank)),
                           ATTRIBUTES(INT("allowzero", 1)));
}

heed__onnx_value heed__onnx_expand(heed__onnx_graph *g, heed__onnx_value x, heed_shape shape)
{
    return heed__onnx_2(g, "Expand", x, heed__onnx_int64s(g, shape.dims, shape.rank));
}

heed__onnx_value heed__onnx_permute(heed__onnx_graph *g, heed__onnx_value x, const int64_t *axes, int n)
{
    return heed__onnx_node(g, "Transpose", INPUTS(x), ATTRIBUTES(INTS("perm", axes, n)));
}

heed__onnx_value heed__onnx_swap(heed__onnx_graph *g, heed__onnx_value x, int rank)
{
    int64_t axes[HEED_MAX_RANK + 1];
    for (int i = 0; i < rank; i++)
        axes[i] = i < rank - 2 ? i : 2 * rank - 3 - i;
    return heed__onnx_permute(g, x, axes, rank);
}

heed__onnx_value heed__onnx_cast(heed__onnx_graph *g, heed__onnx_value x, heed_dtype dtype)
{
    return heed__onnx_node(g, "Cast", INPUTS(x), ATTRIBUTES(INT("to", heed__onnx_dtype(dtype))));
}

heed__onnx_value heed__onnx_slice(heed__onnx_graph *g, heed__onnx_value x, int64_t axis, int64_t start, int64_t end,
                                  int64_t step)
{
    return heed__onnx_node(g, "Slice",
                           INPUTS(x, heed__onnx_int64s(g, INT64S(start)), heed__onnx_int64s(g, INT64S(end)),
                                  heed__onnx_int64s(g, INT64S(axis)), heed__onnx_int64s(g, INT64S(step))),
                           NULL, 0);
}

/* -- Messages ------------------------------------------------------------------------------------------------------ */

int heed__onnx_dtype(heed_dtype dtype)
{
    static const int numbers[HEED_DTYPE_COUNT] = {[HEED_F32] = HEED__ONNX__TENSOR__TYPE__FLOAT,
                                                  [HEED_F64] = HEED__ONNX__TENSOR__TYPE__DOUBLE,
                                                  [HEED_I64] = HEED__ONNX__TENSOR__TYPE__INT64,
                                                  [HEED_BOOL] = HEED__ONNX__TENSOR__TYPE__BOOL};
    return numbers[dtype];
}

static Heed__Onnx__Shape *new_shape(heed__onnx_graph *g, const heed_shape *of)
{
    Heed__Onnx__Shape *shape = heed__arena_alloc(&g->arena, 1, sizeof *shape);
    if (!shape)
        return NULL;
    heed__onnx__shape__init(shape);
    heed__onnx_list list = {.n = 0};
    for (int i = 0; i < of->rank; i++) {
        Heed__Onnx__Shape__Dim *dim = heed__arena_alloc(&g->arena, 1, sizeof *dim);
        if (!heed__onnx_add(g, &list, dim))
            return NULL;
        heed__onnx__shape__dim__init(dim);
        dim->has_size = i > 0 || !is_batch(g, of);
        dim->size = of->dims[i];
        if (!dim->has_size && of->dims[0] == g->batch)
            dim->name = HEED__ONNX_READ(char, "batch");
    }
    shape->n_dims = list.n;
    shape->dims = (Heed__Onnx__Shape__Dim **)list.items;
    return shape;
}

Heed__Onnx__Value *heed__onnx_typed(heed__onnx_graph *g, const char *name, heed_dtype dtype, const heed_shape *shape)
{
    struct typed {
        Heed__Onnx__Value value;
        Heed__Onnx__Type type;
        Heed__Onnx__Type__Of of;
    } *made = heed__arena_alloc(&g->arena, 1, sizeof *made);
    if (!made || !name)
        return NULL;
    heed__onnx__value__init(&made->value);
    heed__onnx__type__init(&made->type);
    heed__onnx__type__of__init(&made->of);
    made->value.name = HEED__ONNX_READ(char, name);
    made->value.type = &made->type;
    made->type.tensor = &made->of;
    made->of.has_element = true;
    made->of.element = heed__onnx_dtype(dtype);
    made->of.shape = shape ? new_shape(g, shape) : NULL;
    return shape && !made->of.shape ? NULL : &made->value;
}
