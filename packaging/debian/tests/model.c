/* debian/tests/model.c - writes a model to an ONNX file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <heed/heed.h>
#include <heed/onnx.h>

int main(void)
{
    heed_set_error_handler(heed_exit_on_error, NULL);
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(2, 3));
    heed_onnx *model = heed_onnx_new(NULL);
    heed_onnx_input(model, "x", x);
    heed_onnx_output(model, "y", heed_tanh(x));
    heed_onnx_save(model, "tanh.onnx");
    heed_onnx_free(model);
    return 0;
}
