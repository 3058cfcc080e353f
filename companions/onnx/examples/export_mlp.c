/* onnx/examples/export_mlp.c - reads the weights that examples/mlp.c trained, and writes the network as an ONNX file.
 *
 * "export_mlp mlp.safetensors FOLDER" writes FOLDER/mlp.onnx, a few points (inputs.npy), and heed's probabilities of
 * the two classes at these points (outputs.npy). run_mlp.py computes them again by onnxruntime.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <stdio.h>

#define HEED_SITES /* makes errors name the line */
#include <heed/heed.h>
#include <heed/onnx.h>

enum { POINTS = 7 };

int main(int argc, char **argv)
{
    char model_path[1024], inputs_path[1024], outputs_path[1024];
    if (argc != 3) {
        (void)fprintf(stderr, "usage: %s mlp.safetensors FOLDER\n", argv[0]);
        return 2;
    }
    (void)snprintf(model_path, sizeof model_path, "%s/mlp.onnx", argv[2]);
    (void)snprintf(inputs_path, sizeof inputs_path, "%s/inputs.npy", argv[2]);
    (void)snprintf(outputs_path, sizeof outputs_path, "%s/outputs.npy", argv[2]);
    heed_set_error_handler(heed_exit_on_error, NULL);

    heed_nn_sequential *net = heed_nn_sequential_new(HEED_MODULES(
        heed_nn_linear_new(2, 64, NULL), heed_nn_function_new("relu", heed_relu), heed_nn_linear_new(64, 64, NULL),
        heed_nn_function_new("relu", heed_relu), heed_nn_linear_new(64, 2, NULL)));
    heed_dict *state = heed_io_safetensors_read(argv[1], NULL);
    heed_module_load_state(&net->base, state, NULL);
    heed_dict_free(state);
    heed_module_eval(&net->base);

    heed_onnx *model = heed_onnx_new(&(heed_onnx_options){.module = &net->base, .name = "mlp", .dynamic_batch = true});
    heed_tensor *x = heed_rand(HEED_F32, HEED_SHAPE(POINTS, 2));
    heed_onnx_input(model, "x", x);
    heed_tensor *p = heed_softmax(heed_nn_sequential_forward(net, x), -1);
    heed_onnx_output(model, "p", p);
    heed_onnx_save(model, model_path);
    heed_onnx_free(model);

    heed_io_npy_write(inputs_path, x);
    heed_io_npy_write(outputs_path, p);
    printf("wrote %s\n", model_path);
    heed_module_free(&net->base);
    return 0;
}
