/* heed/onnx.h - a forward pass as an ONNX file, which onnxruntime and others run. In a library of its own,
 * libheed-onnx, so that heed itself needs no Protocol Buffers.
 *
 *     heed_module_eval(net);
 *     heed_onnx *model = heed_onnx_begin(&(heed_onnx_options){.module = net});
 *     heed_onnx_input(model, "x", x);
 *     heed_onnx_output(model, "y", heed_module_forward(net, x));
 *     heed_onnx_save(model, "net.onnx");
 *     heed_onnx_free(model);
 *
 * What is between begin and free is recorded, whatever calls it: layers, functions, several inputs and outputs. A
 * function that is given a module and its inputs could export modules of one tensor only; attention takes four, and
 * many models are no module at all. The file has what the outputs depend on, and nothing else of what was computed
 * meanwhile.
 *
 * A tensor that an op of the recording has made is computed in the file, too. Any other is a constant there, an
 * initializer with the values that it has when the file is saved; parameters and buffers of options.module go by their
 * paths, "encoder.0.weight". So:
 *   - Shapes are the shapes of the recording. With options.dynamic_batch the first axis of the inputs, B in the first
 *     one of them, may have another size when the file is run, if rows stay rows: a reshape whose result has a multiple
 *     of B in front gets as many there as come. So record with a B that no other size in front is a multiple of.
 *     Numbers that C computes from the size, such as the zeros that a recurrence begins with, are constants, and
 *     onnxruntime then refuses a different size: make them inputs.
 *   - Values that C computes from an input (a branch, a length, an index) stay as in the recording. An attention that
 *     returns its weights and is given a mask, a bias, a window, an offset or a scale above 1 computes the visible keys
 *     in C: they are a constant in the file.
 *   - What is written in place (heed_copy_, heed_mutable_f32, a cache of keys) is not recorded.
 *   - A module that trains draws dropout's numbers and has batch norm's statistics of the batch, which no file could
 *     repeat: HEED_ERR_UNSUPPORTED. heed_module_eval first.
 *
 * The file is of ONNX's opset 17 (IR version 8). docs/onnx.md says which ops have a form there; an op is known by its
 * name. Results are heed's to rounding, in f32 to about 1e-6 of the largest; f64 has attributes, such as eps, rounded
 * to f32. What an attention does not see is hidden as heed hides it but for NaN and infinities in masked values, which
 * show.
 *
 * A recording is of the thread that began it, and belongs to one thread at a time. It keeps all tensors that were
 * computed meanwhile until it is freed. */
#ifndef HEED_ONNX_H
#define HEED_ONNX_H

#include <heed/module.h>

HEED_BEGIN_DECLS

typedef struct heed_onnx heed_onnx;

typedef struct heed_onnx_options {
    heed_module
        *module;      /* whose parameters and buffers go by their paths; it must live until the last save. NULL: none */
    const char *name; /* of the graph, UTF-8; NULL: "heed" */
    bool dynamic_batch; /* the first axis of the inputs may have another size when the file is run: see above */
    HEED_RESERVED;
} heed_onnx_options;

/* Records what the calling thread computes from here on. NULL options: the defaults. To be freed by heed_onnx_free.
 * NULL with
 *     HEED_ERR_ARGUMENT    a name that is not UTF-8
 *     HEED_ERR_STATE       there are HEED_MAX_OBSERVERS observers already (heed/observe.h)
 *     HEED_ERR_NOMEM
 * torch: torch.onnx.export */
HEED_API HEED_NODISCARD heed_onnx *heed_onnx_begin(const heed_onnx_options *options);

/* x is an input of the file under that name, in the order of these calls; before or after it is used. What x was made
 * of is left out then. HEED_OK, or
 *     HEED_ERR_ARGUMENT    model, name or x is NULL; a name that is empty, is not UTF-8, begins with '/', or is another
 *                          input's or output's; an x that is an input already
 *     HEED_ERR_NOMEM */
HEED_API heed_status heed_onnx_input(heed_onnx *model, const char *name, heed_tensor *x);

/* y is an output of the file under that name, in the order of these calls. As heed_onnx_input, but one tensor may be
 * several outputs, and an input, too. */
HEED_API heed_status heed_onnx_output(heed_onnx *model, const char *name, heed_tensor *y);

/* Writes the file, whole or not at all: an old one stays where this fails. HEED_OK, or
 *     HEED_ERR_ARGUMENT       model or path is NULL; an input or output that has a parameter's name
 *     HEED_ERR_STATE          there is no output
 *     HEED_ERR_UNSUPPORTED    an op that has no form in ONNX: its name, and the module that has applied it; an op that
 *                             draws at random; more than 2 GiB, all that Protocol Buffers can hold
 *     HEED_ERR_IO             path and cause
 *     HEED_ERR_NOMEM
 * and what heed_module_state fails with. */
HEED_API heed_status heed_onnx_save(heed_onnx *model, const char *path);

/* Ends the recording. NULL is ignored. */
HEED_API void heed_onnx_free(heed_onnx *model);

HEED_END_DECLS

#endif
