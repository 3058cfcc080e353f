/* io/npy_header.h - the text in front of the elements of an .npy. */
#ifndef HEED_IO_NPY_HEADER_H
#define HEED_IO_NPY_HEADER_H

#include "io/elements.h"

/* Understands a dict as Python writes it, {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }: these three
 * keys, each once, in any order. False after heed_fail with HEED_ERR_FORMAT, or HEED_ERR_UNSUPPORTED for a dtype or a
 * rank that tensors do not have. */
bool heed__npy_parse_header(const heed__stream *stream, const char *text, size_t size, heed__layout_in_file *layout);

#endif
