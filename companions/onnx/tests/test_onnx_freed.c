/* onnx/tests/test_onnx_freed.c - frees a recording twice, or uses it after the free.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include <heed/onnx.h>

#include "freed.h"

static void *make_onnx(void)
{
    return heed_onnx_new(NULL);
}

static void begin(void)
{
}

static void end(void)
{
}

#include "freed_calls.inc"

FREED_TESTS

FREED_MAIN("freed recordings")
