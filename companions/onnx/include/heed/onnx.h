/* heed/onnx.h - exports a forward pass as an ONNX file, for onnxruntime and others. It is a separate library,
 * libheed-onnx, so that heed itself does not depend on Protocol Buffers.
 *
 *     heed_module_eval(net);
 *     heed_onnx *model = heed_onnx_new(&(heed_onnx_options){.module = net});
 *     heed_onnx_input(model, "x", x);
 *     heed_onnx_output(model, "y", heed_module_forward(net, x));
 *     heed_onnx_save(model, "net.onnx");
 *     heed_onnx_free(model);
 *
 * All ops of this thread between heed_onnx_new and heed_onnx_free are recorded, in layers and in your own functions,
 * with any number of inputs and outputs. (This is why there is no function that exports a module: many modules take
 * several tensors, and many models are not modules.) The file has only the ops that the outputs depend on.
 *
 * A tensor that a recorded op has made is computed in the file too. Any other tensor is a constant in the file, an
 * initializer with its values at the time of saving; parameters and buffers of options.module are named by their paths,
 * "encoder.0.weight". This has consequences:
 *   - Shapes are the shapes of the recording. With options.dynamic_batch the first axis of the inputs may have a
 *     different size when the file is run, if the model computes every row of the batch independently. Let B be this
 *     size in the recording: a reshape whose first size is a multiple of B adapts it to the input. Record with a B such
 *     that no other first size is a multiple of B. Tensors that C makes with this size, such as the initial zeros of a
 *     recurrence, are constants, and onnxruntime then refuses a different size: make them inputs.
 *   - Values that C computes from an input (a branch, a length, an index) stay as in the recording. An attention that
 *     returns its weights and is given a mask, a bias, a window, an offset or a scale above 1 computes the visible keys
 *     in C: they are a constant in the file.
 *   - In-place writes (heed_copy_, heed_mutable_f32, a cache of keys) are not recorded.
 *   - A module in training mode draws random numbers for dropout and uses the batch's statistics for batch norm, which
 *     no file could repeat: HEED_ERR_UNSUPPORTED. Call heed_module_eval first.
 *
 * The file uses ONNX's opset 17 (IR version 8). companions/onnx/README.md lists the ops that ONNX can express; an op is
 * identified by its name. Results equal heed's results up to rounding, in f32 about 1e-6 of the largest element; for
 * f64, attributes such as eps are rounded to f32. Attention hides keys as heed does, except that NaN and infinities in
 * masked values affect the results.
 *
 * A recording belongs to the thread that began it, and is used by one thread at a time. It keeps all tensors that are
 * computed during the recording until it is freed.
 *
 * Stability: experimental
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_ONNX_H
#define HEED_ONNX_H

#include <heed/module.h>

HEED_BEGIN_DECLS

typedef struct heed_onnx heed_onnx;

typedef struct heed_onnx_options {
    heed_module *module; /* names parameters and buffers by their paths; must live until the last save; may be NULL */
    const char *name;    /* name of the graph, in UTF-8; NULL: "heed" */
    bool dynamic_batch;  /* the first axis of the inputs may have a different size when the file is run: see above */
    HEED_RESERVED;
} heed_onnx_options;

/* Starts to record the computations of the calling thread. NULL options: the defaults. Free the recording with
 * heed_onnx_free.
 *
 * Returns NULL on failure.
 * Errors:
 *     HEED_ERR_ARGUMENT    a name that is not UTF-8
 *     HEED_ERR_STATE       there are HEED_MAX_OBSERVERS observers already (heed/observe.h)
 *     HEED_ERR_NOMEM
 * torch: torch.onnx.export */
HEED_API HEED_NODISCARD heed_onnx *heed_onnx_new(const heed_onnx_options *options);

/* Makes x an input of the file under that name. The inputs are in the order of these calls, which may come before or
 * after x is used. The ops that made x are left out of the file.
 *
 * Errors:
 *     HEED_ERR_ARGUMENT    model, name or x is NULL; a name that is empty, is not UTF-8, begins with '/', or is already
 *                          used by an input or output; an x that is an input already
 *     HEED_ERR_NOMEM */
HEED_API heed_status heed_onnx_input(heed_onnx *model, const char *name, heed_tensor *x);

/* Makes y an output of the file under that name. The outputs are in the order of these calls.
 * Errors: as heed_onnx_input; but one tensor may be several outputs, and also an input. */
HEED_API heed_status heed_onnx_output(heed_onnx *model, const char *name, heed_tensor *y);

/* Writes the file atomically: if this fails, an old file stays.
 *
 * Errors: those of heed_module_state, and
 *     HEED_ERR_ARGUMENT       model or path is NULL; an input or output that has a parameter's name
 *     HEED_ERR_STATE          there is no output
 *     HEED_ERR_UNSUPPORTED    an op that ONNX cannot express (the message names it and its module);
 *                             an op that draws random numbers; more than 2 GiB, the limit of Protocol Buffers
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_NOMEM */
HEED_API heed_status heed_onnx_save(heed_onnx *model, const char *path);

/* Ends the recording and frees it. NULL is ignored. */
HEED_API void heed_onnx_free(heed_onnx *model);

HEED_END_DECLS

#endif
