/* onnx/src/constant.c - constants of a graph: ONNX initializers.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include <heed/ops.h>

#include "graph.h"

/* Adds an initializer, whose values the caller must set. Returns NULL after heed_fail. */
static Heed__Onnx__Tensor *add_tensor(heed__onnx_graph *g, const char *name, heed_dtype dtype, const int64_t *dims,
                                      int rank)
{
    Heed__Onnx__Tensor *tensor = heed__arena_alloc(&g->arena, 1, sizeof *tensor);
    name = name ? name : heed__onnx_new_value(g, "constant");
    int64_t *copy = heed__arena_alloc(&g->arena, (size_t)rank + 1, sizeof *copy);
    if (!tensor || !name || !copy)
        return NULL;
    heed__onnx__tensor__init(tensor);
    if (rank > 0)
        memcpy(copy, dims, (size_t)rank * sizeof *copy);
    tensor->name = HEED__ONNX_READ(char, name);
    tensor->has_type = true;
    tensor->type = heed__onnx_dtype(dtype);
    tensor->n_dims = (size_t)rank;
    tensor->dims = copy;
    return heed__onnx_add(g, &g->initializers, tensor) ? tensor : NULL;
}

/* Adds an i64 initializer of zeros, which the caller fills. */
static Heed__Onnx__Tensor *add_int64s(heed__onnx_graph *g, const int64_t *dims, int rank, int64_t n)
{
    Heed__Onnx__Tensor *tensor = add_tensor(g, NULL, HEED_I64, dims, rank);
    int64_t *numbers = heed__arena_alloc(&g->arena, (size_t)n, sizeof *numbers);
    if (!tensor || !numbers)
        return NULL;
    tensor->n_int64s = (size_t)n;
    tensor->int64s = numbers;
    return tensor;
}

heed__onnx_value heed__onnx_int64s(heed__onnx_graph *g, const int64_t *int64s, int n)
{
    Heed__Onnx__Tensor *tensor = add_int64s(g, &(int64_t){n}, 1, n);
    if (tensor && n > 0)
        memcpy(tensor->int64s, int64s, (size_t)n * sizeof *int64s);
    return tensor ? tensor->name : NULL;
}

heed__onnx_value heed__onnx_int64(heed__onnx_graph *g, int64_t number)
{
    Heed__Onnx__Tensor *tensor = add_int64s(g, NULL, 0, 1);
    if (tensor)
        tensor->int64s[0] = number;
    return tensor ? tensor->name : NULL;
}

heed__onnx_value heed__onnx_range(heed__onnx_graph *g, int64_t first, int64_t n, bool column)
{
    Heed__Onnx__Tensor *tensor = add_int64s(g, (const int64_t[]){n, 1}, column ? 2 : 1, n);
    for (int64_t i = 0; tensor && i < n; i++)
        tensor->int64s[i] = first + i;
    return tensor ? tensor->name : NULL;
}

heed__onnx_value heed__onnx_number(heed__onnx_graph *g, heed_dtype dtype, double number)
{
    if (dtype == HEED_I64)
        return heed__onnx_int64(g, (int64_t)number);
    Heed__Onnx__Tensor *tensor = add_tensor(g, NULL, dtype, NULL, 0);
    union {
        float f32;
        double f64;
        bool mask;
    } *scalar = heed__arena_alloc(&g->arena, 1, sizeof *scalar);
    if (!tensor || !scalar)
        return NULL;
    if (dtype == HEED_F32) {
        scalar->f32 = (float)number;
        tensor->n_floats = 1;
        tensor->floats = &scalar->f32;
    } else if (dtype == HEED_F64) {
        scalar->f64 = number;
        tensor->n_doubles = 1;
        tensor->doubles = &scalar->f64;
    } else {
        scalar->mask = number != 0;
        tensor->has_bools = true;
        tensor->bools = (ProtobufCBinaryData){1, HEED__ONNX_READ(uint8_t, &scalar->mask)};
    }
    return tensor->name;
}

/* Uses the typed fields of the format rather than raw bytes, so that protobuf-c takes care of the byte order. */
static void point_at(Heed__Onnx__Tensor *tensor, const heed_tensor *values)
{
    const size_t n = (size_t)heed_numel(values);
    const void *bytes = n > 0 ? heed_data_bytes(values) : NULL;
    switch (heed_dtype_of(values)) {
    case HEED_F32:
        tensor->n_floats = n;
        tensor->floats = HEED__ONNX_READ(float, bytes);
        break;
    case HEED_F64:
        tensor->n_doubles = n;
        tensor->doubles = HEED__ONNX_READ(double, bytes);
        break;
    case HEED_I64:
        tensor->n_int64s = n;
        tensor->int64s = HEED__ONNX_READ(int64_t, bytes);
        break;
    case HEED_BOOL:
        tensor->has_bools = n > 0;
        tensor->bools = (ProtobufCBinaryData){n, HEED__ONNX_READ(uint8_t, bytes)};
    }
}

heed__onnx_value heed__onnx_constant(heed__onnx_graph *g, const char *name, heed_tensor *tensor)
{
    const heed_shape shape = heed_shape_of(tensor);
    const heed_tensor *dense = heed_contiguous(tensor); /* a copy lives until the file is written */
    Heed__Onnx__Tensor *made = dense ? add_tensor(g, name, heed_dtype_of(tensor), shape.dims, shape.rank) : NULL;
    if (!made)
        return NULL;
    point_at(made, dense);
    return made->name;
}
