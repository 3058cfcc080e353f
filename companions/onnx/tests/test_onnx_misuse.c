/* onnx/tests/test_onnx_misuse.c - every function of heed/onnx.h with hostile arguments of every kind.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "promises/misuse/misuse_draw.h"

#include <heed/onnx.h>

static const char path[] = "/tmp/heed-onnx-misuse";

static void rounds(void)
{
    static const char *const paths[] = {NULL, "", "/", ".", "/dev/zero", "/nowhere/x", "/etc/passwd/x", path, path};
    const heed_onnx_options o = {.name = any_text()};
    heed_onnx *model = heed_onnx_new(one_in(4) ? NULL : &o);
    ck_assert((model != NULL) == (heed_error_code() == HEED_OK));
    judge_error("onnx_new");
    for (int i = 0; i < 4; i++) {
        heed_tensor *x = any_tensor(), *y = one_in(2) ? any_tensor() : heed_mul(any_tensor(), any_tensor());
        heed_error_clear();
        STATUS(heed_onnx_input(one_in(8) ? NULL : model, any_text(), x));
        STATUS(heed_onnx_output(one_in(8) ? NULL : model, any_text(), y));
    }
    STATUS(heed_onnx_save(one_in(8) ? NULL : model, ANY_OF(paths)));
    heed_onnx_free(model);
    heed_onnx_free(NULL);
}

START_TEST(recordings)
{
    in_rounds(rounds);
    (void)unlink(path);
}
END_TEST

MISUSE_MAIN("onnx misused", recordings)
