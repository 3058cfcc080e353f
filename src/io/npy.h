/* io/npy.h - NumPy's .npy format, as a file and as a member of an .npz.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef HEED_IO_NPY_H
#define HEED_IO_NPY_H

#include "io/elements.h"

/* Capacity for the longest header written: 10 bytes before the text, 54 bytes of fixed text, 8 dims of 19 digits,
 * commas, padding. */
#define HEED_NPY_HEADER_MAX 320

/* Reads the header of a stream that holds exactly one .npy, and sets the number of bytes of its elements. Returns false
 * after heed_fail. */
bool heed__npy_layout(heed__stream *stream, heed__file_layout *layout, size_t *bytes);

/* Reads a tensor, borrowed from the innermost scope, from a stream that holds exactly one .npy. Fails like
 * heed__read_tensor. */
heed_tensor *heed__npy_read(heed__stream *stream);

/* Writes the header of a tensor in row-major order, and returns its size. */
size_t heed__npy_header(heed_dtype dtype, heed_shape shape, char header[HEED_NPY_HEADER_MAX]);

#endif
