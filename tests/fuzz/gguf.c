/* tests/fuzz/gguf.c - .gguf: any bytes, and accepted files must survive writing as safetensors and reading.
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */

#include "../from_memory.h"
#include "tensors.h"

#include <string.h>

#define MAX_BYTES 4096
#define MAGIC_BYTES 8

/* One byte: whether to prepend the magic and the version, a limit, which rows, whether to write. The file follows. */
void fuzz_target(fuzz_input in)
{
    static uint8_t whole[MAX_BYTES + MAGIC_BYTES] = "GGUF\3";
    uint8_t choice = fuzz_byte(&in);
    in.size = in.size < MAX_BYTES ? in.size : MAX_BYTES;
    if (in.size > 0)
        memcpy(whole + MAGIC_BYTES, in.bytes, in.size);
    const uint8_t *bytes = choice & 1 ? whole : in.bytes;
    const size_t size = choice & 1 ? in.size + MAGIC_BYTES : in.size;
    const heed_io_read_options options = {
        .max_bytes = choice & 16 ? 4000 : 0, .first = choice >> 1 & 3, .rows = choice & 8 ? 32 : 0};
    heed_dict *dict = gguf_from_memory(bytes, size, choice & 32 ? NULL : &options);
    if (fuzz_try_again(dict != NULL))
        dict = gguf_from_memory(bytes, size, choice & 32 ? NULL : &options);
    FUZZ_CHECK(heed_error_code() != HEED_ERR_NOMEM || fuzz_refused());
    if (!fuzz_outcome(dict != NULL))
        return;
    if (choice & 128 && !heed_dict_has(dict, "__metadata__")) /* which safetensors reserves */
        fuzz_check_again(dict, heed_io_safetensors_write(fuzz_path(), dict), heed_io_safetensors_read);
    heed_dict_free(dict);
}
