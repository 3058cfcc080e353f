/* io/npy_header.h - the text header that precedes the elements of an .npy. */
#ifndef HEED_IO_NPY_HEADER_H
#define HEED_IO_NPY_HEADER_H

#include "io/elements.h"

/* Parses a dict as Python prints it, {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }: exactly these three
 * keys, once each, in any order. Returns false after heed_fail with HEED_ERR_FORMAT, or HEED_ERR_UNSUPPORTED for a
 * dtype or a rank that tensors do not support. */
bool heed__npy_parse_header(const heed__stream *stream, const char *text, size_t size, heed__file_layout *layout);

#endif
