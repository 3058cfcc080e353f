/* onnx/src/forms.c - finds the ONNX form of an op, and reads inputs and parameters of a step.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "forms.h"

#include <string.h>

/* -- The table ----------------------------------------------------------------------------------------------------- */

typedef struct form {
    const char *op;
    const char *type; /* of the single node if function is NULL */
    heed__onnx_form *function;
} form;

static const form forms[] = {
#define HEED_ONNX_NODE(op, type) {#op, type, NULL},
#define HEED_ONNX_FORM(op, nodes) {#op, NULL, heed__onnx_form_##op},
#include "forms.def"
#undef HEED_ONNX_NODE
#undef HEED_ONNX_FORM
};

static const form *form_of(const char *op)
{
    for (size_t i = 0; op && i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].op, op) == 0)
            return &forms[i];
    return NULL;
}

/* One node with the inputs of the step and no attributes. */
static heed__onnx_value plain(heed__onnx_graph *g, const heed__onnx_step *step, const char *type)
{
    heed__onnx_value inputs[3];
    for (int i = 0; i < step->n_inputs && i < 3; i++)
        inputs[i] = heed__onnx_in(g, step, i);
    return heed__onnx_node(g, type, inputs, step->n_inputs < 3 ? step->n_inputs : 3, NULL, 0);
}

bool heed__onnx_write_step(heed__onnx_graph *g, heed__onnx_step *step)
{
    const form *found = form_of(step->op->name);
    g->step = step;
    if (!found)
        return heed__onnx_no_form(g, step, NULL);
    step->values[0] = found->function ? found->function(g, step) : plain(g, step, found->type);
    return step->values[0] && !g->failed;
}

void *heed__onnx_no_form(const heed__onnx_graph *g, const heed__onnx_step *step, const char *why)
{
    return heed_fail_null(HEED_ERR_UNSUPPORTED, g->where, "op '%.64s'%s%.100s has no ONNX form%s%s",
                          step->op->name ? step->op->name : "", *step->module ? " of module " : "", step->module,
                          why ? ": " : "", why ? why : "");
}

/* -- Inputs -------------------------------------------------------------------------------------------------------- */

heed__onnx_value heed__onnx_in(heed__onnx_graph *g, const heed__onnx_step *step, int input)
{
    return input < step->n_inputs ? heed__onnx_value_of(g, step->inputs[input])
                                  : heed__onnx_no_form(g, step, "it has too few inputs for an op of heed");
}

heed_dtype heed__onnx_dtype_in(const heed__onnx_step *step)
{
    return step->n_inputs > 0 ? heed_dtype_of(step->inputs[0]) : HEED_F32;
}

heed_shape heed__onnx_shape_in(const heed__onnx_step *step, int input)
{
    return input < step->n_inputs ? heed_shape_of(step->inputs[input]) : HEED_SCALAR;
}

/* -- Parameters ---------------------------------------------------------------------------------------------------- */

static size_t size_of(heed_field_type type)
{
    static const size_t sizes[] = {
        [HEED_FIELD_BOOL] = sizeof(bool),   [HEED_FIELD_I8] = sizeof(int8_t),  [HEED_FIELD_I32] = sizeof(int32_t),
        [HEED_FIELD_I64] = sizeof(int64_t), [HEED_FIELD_F64] = sizeof(double), [HEED_FIELD_SHAPE] = sizeof(heed_shape)};
    return type >= HEED_FIELD_BOOL && type <= HEED_FIELD_SHAPE ? sizes[type] : 0;
}

/* Returns the field with this name and a type in `least` .. `most` that has an element `at`, or NULL after
 * heed_fail. */
static const heed_field *field(heed__onnx_graph *g, const heed__onnx_step *step, const char *name, size_t at,
                               heed_field_type least, heed_field_type most)
{
    for (const heed_field *f = step->op->fields; f && f->name; f++)
        if (strcmp(f->name, name) == 0 && f->type >= least && f->type <= most &&
            size_of(f->type) * (at + 1) <= f->size && f->offset + f->size <= step->op->params_size)
            return f;
    g->failed = true;
    return heed_fail_null(HEED_ERR_UNSUPPORTED, g->where,
                          "op '%.64s' lacks the parameter '%s' of heed's op of this name", step->op->name, name);
}

int64_t heed__onnx_param_at(heed__onnx_graph *g, const heed__onnx_step *step, const char *name, int at)
{
    const heed_field *f = field(g, step, name, (size_t)at, HEED_FIELD_BOOL, HEED_FIELD_I64);
    const void *bytes = f ? (const char *)step->params + f->offset + (size_t)at * size_of(f->type) : NULL;
    if (!f)
        return 0;
    switch (f->type) {
    case HEED_FIELD_BOOL:
        return *(const bool *)bytes;
    case HEED_FIELD_I8:
        return *(const int8_t *)bytes;
    case HEED_FIELD_I32:
        return *(const int32_t *)bytes;
    default:
        return *(const int64_t *)bytes;
    }
}

int64_t heed__onnx_param(heed__onnx_graph *g, const heed__onnx_step *step, const char *name)
{
    return heed__onnx_param_at(g, step, name, 0);
}

double heed__onnx_real_param(heed__onnx_graph *g, const heed__onnx_step *step, const char *name)
{
    const heed_field *f = field(g, step, name, 0, HEED_FIELD_F64, HEED_FIELD_F64);
    return f ? *(const double *)(const void *)((const char *)step->params + f->offset) : 0;
}

heed_shape heed__onnx_shape_param(heed__onnx_graph *g, const heed__onnx_step *step, const char *name)
{
    const heed_field *f = field(g, step, name, 0, HEED_FIELD_SHAPE, HEED_FIELD_SHAPE);
    return f ? *(const heed_shape *)(const void *)((const char *)step->params + f->offset) : (heed_shape){.rank = 0};
}
