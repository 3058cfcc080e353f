/* onnx/src/model.h - writes a recording to an ONNX file.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_ONNX_MODEL_H
#define HEED_ONNX_MODEL_H

#include "recording.h"

heed_status heed__onnx_write(heed_onnx *model, const char *where, const char *path);

#endif
