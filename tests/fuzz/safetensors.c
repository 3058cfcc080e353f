/* tests/fuzz/safetensors.c - safetensors: any bytes, and accepted files must survive writing and reading.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "../from_memory.h"
#include "tensors.h"

#define MAX_BYTES 4096

/* One byte: whether to prepend the length, a limit, whether to write. The file follows. */
void fuzz_target(fuzz_input in)
{
    static uint8_t wrapped[MAX_BYTES + 8];
    uint8_t choice = fuzz_byte(&in);
    in.size = in.size < MAX_BYTES ? in.size : MAX_BYTES;
    const uint8_t *bytes = choice & 1 ? wrapped : in.bytes;
    size_t size = choice & 1 ? fuzz_wrap_header(wrapped, in) : in.size;
    heed_io_read_options options = {.max_bytes = choice & 16 ? 2000 : 0};
    heed_dict *dict = safetensors_from_memory(bytes, size, choice & 32 ? NULL : &options);
    if (fuzz_try_again(dict != NULL))
        dict = safetensors_from_memory(bytes, size, choice & 32 ? NULL : &options);
    FUZZ_CHECK(heed_error_code() != HEED_ERR_NOMEM || fuzz_refused());
    if (!fuzz_outcome(dict != NULL))
        return;
    if (choice & 128)
        fuzz_check_again(dict, heed_io_safetensors_write(fuzz_path(), dict), heed_io_safetensors_read);
    heed_dict_free(dict);
}
