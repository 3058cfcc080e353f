/* onnx/tests/test_onnx_oom.c - every allocation of a recording and of its file refused, once and from then on: no
 * memory is lost, and a file exists exactly after a successful save.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <unistd.h>

#include "fail_alloc.h"

#include "check_heed.h"

#include <heed/onnx.h>

static const char path[] = "/tmp/heed-onnx-oom";

static bool save(heed_onnx *model, heed_module *net)
{
    heed_tensor *x = heed_ones(HEED_F32, HEED_SHAPE(3, 2, 4)), *state = NULL;
    heed_tensor *y = heed_nn_gru_forward((heed_nn_gru *)net, x, NULL, &state);
    heed_tensor *q = heed_contiguous(heed_transpose(y, 0, 1));
    y = heed_dot_product_attention(q, q, q, &(heed_attention_options){.causal = true}, NULL);
    return heed_onnx_input(model, "x", x) == HEED_OK && heed_onnx_output(model, "y", y) == HEED_OK &&
           heed_onnx_output(model, "w", heed_transpose(heed_ones(HEED_F32, HEED_SHAPE(2, 3)), 0, 1)) == HEED_OK &&
           heed_onnx_save(model, path) == HEED_OK;
}

static bool program(double *value)
{
    heed_nn_gru *net = heed_nn_gru_new(4, 5, NULL);
    heed_onnx *model = net ? heed_onnx_new(&(heed_onnx_options){.module = &net->base, .name = "net"}) : NULL;
    const bool good = model && save(model, &net->base);
    heed_onnx_free(model);
    if (net)
        (void)heed_module_free(&net->base);
    ck_assert_int_eq(unlink(path) == 0, good);
    *value = good;
    return good;
}

START_TEST(without_memory)
{
    (void)unlink(path);
    fail_alloc_install();
    fail_alloc_sweep(program);
    fail_alloc_uninstall();
}
END_TEST

HEED_TEST_MAIN("onnx without memory", without_memory)
