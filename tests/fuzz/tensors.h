/* tests/fuzz/tensors.h - helpers of the targets of file formats: equality, and a file in memory.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
#ifndef FUZZ_TENSORS_H
#define FUZZ_TENSORS_H

#include "fuzz.h"

/* A tensor's elements, which must be contiguous; NULL after an error. */
const void *fuzz_elements(heed_tensor *t);

/* Compares dtype, shape and every bit. */
bool fuzz_equal_tensors(heed_tensor *a, heed_tensor *b);

/* Compares the names in order, the tensors and the texts. */
bool fuzz_equal_dicts(const heed_dict *a, const heed_dict *b);

/* A path in this process's folder in shared memory, which is removed when the process ends. */
const char *fuzz_path(void);

/* Checks that the file written there, with status `written`, is read as equal. Writing and reading may lack memory. */
typedef heed_dict *fuzz_read(const char *path, const heed_io_read_options *options);
void fuzz_check_again(const heed_dict *dict, heed_status written, fuzz_read *read);

/* Makes a .safetensors of at most in.size + 8 bytes and returns its size: the header's length, and the input, in
 * which the first NUL ends the header and is left out. */
size_t fuzz_wrap_header(uint8_t *to, fuzz_input in);

/* FNV-1a: continues a hash with further bytes, or with the names and elements of a dict. */
#define FUZZ_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t fuzz_hash(uint64_t hash, const void *bytes, size_t size);
uint64_t fuzz_hash_dict(uint64_t hash, const heed_dict *dict);

#endif
