/* onnx/forms.h - the forms that ops have in ONNX: forms.def lists them, and each family of ops has its file. */
#ifndef HEED_ONNX_FORMS_H
#define HEED_ONNX_FORMS_H

#include <heed/ops.h>

#include "onnx/values.h"

/* Writes a step, or says why there is no form of it. False after heed_fail. */
bool heed__onnx_write_step(heed__onnx_graph *g, heed__onnx_step *step);

/* A form writes the nodes of an op. Returns the value of the first output, NULL after heed_fail; others, if they have a
 * form, go to step->values. */
typedef heed__onnx_value heed__onnx_form(heed__onnx_graph *g, heed__onnx_step *step);

#define HEED_ONNX_NODE(op, type)
#define HEED_ONNX_FORM(op, gives) heed__onnx_form heed__onnx_form_##op;
#include "onnx/forms.def"
#undef HEED_ONNX_NODE
#undef HEED_ONNX_FORM

/* -- What forms ask of their step ---------------------------------------------------------------------------------- */

/* The value of an input; NULL after heed_fail. */
heed__onnx_value heed__onnx_in(heed__onnx_graph *g, const heed__onnx_step *step, int input);

/* Of the first input, with which the others agree. */
heed_dtype heed__onnx_dtype_in(const heed__onnx_step *step);
heed_shape heed__onnx_shape_in(const heed__onnx_step *step, int input);

/* A parameter by its name (heed_field), of an array its element `at`; a bool is 0 or 1. 0 where there is none, which
 * fails the step. */
int64_t heed__onnx_param(heed__onnx_graph *g, const heed__onnx_step *step, const char *name);
int64_t heed__onnx_param_at(heed__onnx_graph *g, const heed__onnx_step *step, const char *name, int at);
double heed__onnx_real_param(heed__onnx_graph *g, const heed__onnx_step *step, const char *name);
heed_shape heed__onnx_shape_param(heed__onnx_graph *g, const heed__onnx_step *step, const char *name);

/* heed_fail: this call of the op has no form, and why. Always NULL. */
void *heed__onnx_no_form(const heed__onnx_graph *g, const heed__onnx_step *step, const char *why);

#endif
