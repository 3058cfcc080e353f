/* onnx/src/forms.h - ONNX forms: the nodes that compute an op in a file. forms.def lists them; every family of ops has
 * a file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_ONNX_FORMS_H
#define HEED_ONNX_FORMS_H

#include <heed/ops.h>

#include "values.h"

/* Writes the ONNX form of a step. Returns false after heed_fail, which tells why the op has no form. */
bool heed__onnx_write_step(heed__onnx_graph *g, heed__onnx_step *step);

/* Writes the nodes of an op. Returns the value of the first output, or NULL after heed_fail. Stores the values of
 * further outputs in step->values. */
typedef heed__onnx_value heed__onnx_form(heed__onnx_graph *g, heed__onnx_step *step);

#define HEED_ONNX_NODE(op, type)
#define HEED_ONNX_FORM(op, gives) heed__onnx_form heed__onnx_form_##op;
#include "forms.def"
#undef HEED_ONNX_NODE
#undef HEED_ONNX_FORM

/* -- Inputs and parameters of a step ------------------------------------------------------------------------------- */

/* The value of an input, or NULL after heed_fail. */
heed__onnx_value heed__onnx_in(heed__onnx_graph *g, const heed__onnx_step *step, int input);

/* heed__onnx_dtype_in returns the dtype of the first input, which the other inputs share; heed__onnx_shape_in returns
 * the shape of an input. */
heed_dtype heed__onnx_dtype_in(const heed__onnx_step *step);
heed_shape heed__onnx_shape_in(const heed__onnx_step *step, int input);

/* The parameter called `name` (heed_field), or element `at` of an array; a bool is 0 or 1. If the op lacks this
 * parameter, calls heed_fail, marks the graph as failed, and returns 0 or the shape of a scalar. */
int64_t heed__onnx_param(heed__onnx_graph *g, const heed__onnx_step *step, const char *name);
int64_t heed__onnx_param_at(heed__onnx_graph *g, const heed__onnx_step *step, const char *name, int at);
double heed__onnx_real_param(heed__onnx_graph *g, const heed__onnx_step *step, const char *name);
heed_shape heed__onnx_shape_param(heed__onnx_graph *g, const heed__onnx_step *step, const char *name);

/* Calls heed_fail because this call of the op has no ONNX form, for the reason `why`. Always returns NULL. */
void *heed__onnx_no_form(const heed__onnx_graph *g, const heed__onnx_step *step, const char *why);

#endif
